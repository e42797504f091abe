"""What a player may know, checked on the core: views against the model's, and the worlds drawn from a view.

A world must look the same to the viewer, use every card and token once, keep Lands on their terrain, have nothing in its
draw pile that was not shuffled into it, and leave in the others' hands what was there at the last reshuffle and has
not been seen to leave: at a reshuffle the pile is the old discard pile, so the cards that a player cannot see are
exactly the others' hands.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .cards import space_of
from .model import EpicGame


def view_fault(core: Any, model: EpicGame, viewer: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the model and the core's view show to `viewer`, legal labels included: to be equal."""
    view = core.view(viewer)
    legal = sorted(model.legal) if model.mover == viewer else []
    return model.as_dict(viewer) | {"legal": legal}, view.as_dict() | {"legal": sorted(view.legal_labels)}


def world_fault(core: Any, model: EpicGame, viewer: int, seed: int) -> str:
    """What is wrong with a world drawn from `viewer`'s view; empty if nothing is."""
    view = core.view(viewer)
    world = view.determinize(seed)
    whose = f"a world of p{viewer} (seed {seed})"
    if world.view(viewer) != view:
        return f"{whose} looks different to p{viewer}"
    position = world.as_dict()
    seats = position["players"]
    table = model.table
    places = [position["draw_pile"], position["discard_pile"], position["set_aside"]]
    places += [seat["hand"] for seat in seats] + [seat["heroes"] for seat in seats]
    places += [[name for name, _ in seat["machines"]] for seat in seats]
    copies = Counter({name: card.copies for name, card in table.cards.cards.items()})
    if Counter(name for place in places for name in place) != copies:
        return f"{whose} does not use every card once: {position}"
    lands = [plot["land"] for plot in position["field"].values()]
    lands += [name for names in position["box"].values() for name in names]
    lands += [name for seat in seats for name in seat["conquest"]]
    if Counter(lands) != Counter({name: land.copies for name, land in table.cards.lands.items()}):
        return f"{whose} does not use every Land once: {position}"
    for space, plot in position["field"].items():
        if table.cards.lands[plot["land"]].terrain != table.layout.terrain[space_of(space)]:
            return f"{whose} has {plot['land']} on {space}, another terrain"
    for number, (seat, real) in enumerate(zip(seats, table.seats, strict=True)):
        if len(seat["hand"]) != len(real.hand):
            return f"{whose} deals p{number} {len(seat['hand'])} cards"
    strange = Counter(position["draw_pile"]) - Counter(table.pile_order)
    if strange and table.shuffles:  # before the first, the pile and the hands dealt from it are one bag
        return f"{whose} has cards in the draw pile that were not shuffled in: {strange}"
    others = [number for number in range(len(seats)) if number != viewer]
    old = [card.name for number in others for card in table.seats[number].hand if card.since < table.shuffles]
    if missing := Counter(old) - Counter(name for number in others for name in seats[number]["hand"]):
        return f"{whose}: the others hold {missing} since the last reshuffle, but not there"
    return ""
