"""What a player may know, checked on the core: views against the model's, and the worlds drawn from a view.

A world must look the same to the viewer, use every card once, have nothing in its draw pile that was not shuffled
into it, and leave in the others' hands what was there at the last reshuffle and has not been seen to leave: at a
reshuffle the pile is the old discard pile, so the cards that a player cannot see are exactly the others' hands.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .model import ReferenceGame


def view_fault(core: Any, model: ReferenceGame, viewer: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the model and the core's view show to `viewer`, legal labels included: to be equal."""
    view = core.view(viewer)
    wanted = model.as_dict(viewer)
    wanted["legal"] = sorted(model.legal) if model.mover == viewer else []
    return wanted, view.as_dict() | {"legal": sorted(view.legal_labels)}


def world_fault(core: Any, model: ReferenceGame, viewer: int, seed: int) -> str:
    """What is wrong with a world drawn from `viewer`'s view; empty if nothing is."""
    view = core.view(viewer)
    world = view.determinize(seed)
    if world.view(viewer) != view:
        return f"a world of p{viewer} (seed {seed}) looks different to p{viewer}"
    position = world.as_dict()
    seats = position["players"]
    places = [position["draw_pile"], position["discard_pile"], position["set_aside"]]
    places += [seat["hand"] for seat in seats] + [seat["picks"] for seat in seats]
    places += [[label for label, _ in row] for seat in seats for row in seat["army"]]
    table = model.table
    if Counter(card for place in places for card in place) != Counter({c: f.copies for c, f in table.faces.items()}):
        return f"a world of p{viewer} (seed {seed}) does not use every card once: {position}"
    for number, (seat, real) in enumerate(zip(seats, table.seats, strict=True)):
        if len(seat["hand"]) != len(real.hand) or len(seat["picks"]) != len(real.picks):
            return f"a world of p{viewer} (seed {seed}) deals p{number} {len(seat['hand'])} cards"
    strange = Counter(position["draw_pile"]) - Counter(table.pile_order)
    if strange and table.shuffles:  # before the first, the pile and the hands dealt from it are one bag
        return f"a world of p{viewer} (seed {seed}) has cards in the draw pile that were not shuffled in: {strange}"
    others = [number for number in range(len(seats)) if number != viewer]
    held = sum((table.seats[number].held for number in others), Counter[str]())
    if missing := held - Counter(card for number in others for card in seats[number]["hand"] + seats[number]["picks"]):
        return f"a world of p{viewer} (seed {seed}): the others hold {missing} since the last reshuffle, but not there"
    return ""
