"""Gosu X: plays one game in the compiled core and in the reference model side by side and compares all there is to see.

Chance is the core's, and all of it is read from `as_dict()`: who goes first is `advantage` at the start; a draft that
is not for the players to decide is `draft` at the start; each shuffle of a deck shows as that player's `shuffles` and
`pile_order` (the whole new deck, drawn cards included); who begins the round after a tie is `advantage` after the
decision that ended the round. Of two shuffles of one deck within one decision only the last order shows: such a game
is left early.
Now and then a view, a world drawn from it, and the position as text are compared too, and always when the game is over.

Not compared: the order of `clans` and `tiles`; counts of a turn beyond 99 (X55).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import gosu_rl
from gosu_rl.core.cards.load import dump, load
from gosu_rl.core.cards.sample import sample_set

from .gosu_x import GosuXGame
from .gosu_x_sets import write_x_set
from .gosu_x_words import XCardFile, read_x_cards
from .policies import X_POLICIES
from .trial import VIEW_EVERY, WORLD_EVERY, Case, Tally, difference, face_fault, mismatch, round_fractions


class XChance:
    """The chance of the model: gives out what the core came to."""

    def __init__(self) -> None:
        self.orders: dict[int, list[str]] = {}
        self.next_first = -1

    def shuffle(self, player: int, cards: list[str]) -> list[str]:
        if player not in self.orders:
            raise AssertionError(f"the model shuffles the deck of p{player}, {cards}, where the core does not")
        order = self.orders.pop(player)
        if sorted(order) != cards:
            raise AssertionError(f"the core shuffled {sorted(order)} of p{player}; by the rules these: {cards}")
        return order

    def lots(self) -> int:
        return self.next_first


def x_set_file(case: Case, folder: Path) -> Path:
    """Writes the case's card set into `folder` (once)."""
    path = folder / f"{case.style}-{case.set_seed}.toml"
    if not path.exists():
        if case.style == "gosu_x":
            path.write_text(dump(load(case.style)), encoding="utf-8")
        elif case.style == "x-sample":
            path.write_text(dump(sample_set("gosu_x", case.set_seed)), encoding="utf-8")
        else:
            write_x_set(path, case.style, case.set_seed)
    return path


@lru_cache(maxsize=256)
def _game(path: Path, rules: tuple[tuple[str, int | str], ...]) -> tuple[Any, XCardFile]:
    """Core and faces of a card file, which is read once by each."""
    return gosu_rl.game("gosu_x", players=2, cards=str(path), rules=dict(rules)), read_x_cards(path)


def play_x(case: Case, folder: Path) -> Tally:
    """One game to its end; raises MismatchError at the first difference."""
    game, cards = _game(x_set_file(case, folder), case.rules)
    core = game.new(seed=case.seed)
    position = core.as_dict()
    chance = XChance()
    chance.orders = _shuffled(position, None)
    rules = {name: int(number) for name, number in case.rules if name != "draft"}
    picks = position["draft"] or None
    model = GosuXGame(cards, position["first"], chance.shuffle, chance.lots, rules, picks)
    choose = X_POLICIES[case.policy]
    random = Random(f"{case.seed} {case.policy}")
    looks = Random(f"{case.seed} views")
    tally = Tally(games=1, situations=model.table.seen)
    log: list[str] = []
    while True:
        _compare(case, core, position, model, log)
        _look(case, game, core, model, log, looks, tally)
        if position["over"]:
            break
        kind = position["kind"]
        label = choose(random, kind, sorted(model.legal))
        log.append(f"{tally.decisions}: p{position['mover']} {kind}: {label}")
        tally.decisions += 1
        tally.kinds[kind] += 1
        before = [seat["shuffles"] for seat in position["players"]]
        core.apply(label)
        position = core.as_dict()
        after = [seat["shuffles"] for seat in position["players"]]
        tally.shuffles += sum(after) - sum(before)
        if any(new - old > 1 for old, new in zip(before, after, strict=True)):
            tally.unresolved += 1
            return tally
        chance.orders = _shuffled(position, before)
        chance.next_first = position["advantage"]
        try:
            model.apply(label)
        except Exception as error:
            raise mismatch(case, log, f"the model cannot follow: {error!r}") from error
        if chance.orders:
            raise mismatch(case, log, f"the core shuffled, the model did not: {chance.orders}")
    tally.reasons[position["reason"]] += 1
    return tally


def _shuffled(position: dict[str, Any], before: list[int] | None) -> dict[int, list[str]]:
    """The orders of the decks that have been shuffled since."""
    seats = enumerate(position["players"])
    return {number: list(seat["pile_order"]) for number, seat in seats if seat["shuffles"] > (before or [0, 0])[number]}


def _like(wanted: Any, found: Any) -> Any:
    """What the core says, cut to what the model has a word about."""
    if isinstance(wanted, dict) and isinstance(found, dict) and "ready" not in wanted and "step" not in wanted:
        return {key: _like(value, found.get(key, "missing")) for key, value in wanted.items()}
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [_like(*pair) for pair in zip(wanted, found, strict=True)]
    return found


def _alike(wanted: dict[str, Any], found: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both in one form: no order where there is none, counts of a turn up to 99."""
    for position in (wanted, found):
        round_fractions(position)
        position["tiles"] = sorted(position["tiles"])
        for seat in position["players"]:
            seat["this_turn"] = {name: min(99, count) for name, count in seat["this_turn"].items()}
            seat["clans"] = sorted(seat["clans"])
            seat["ethereal"] = sorted(seat["ethereal"])
    return wanted, _like(wanted, found)


def _compare(case: Case, core: Any, position: dict[str, Any], model: GosuXGame, log: list[str]) -> None:
    wanted = model.as_dict() | {"legal": sorted(model.legal)}
    found = position | {"legal": sorted(core.legal_labels)}  # a label named twice would differ
    wanted, found = _alike(wanted, found)
    if found != wanted:
        raise mismatch(case, log, difference(wanted, found))
    if fault := face_fault(core, wanted):
        raise mismatch(case, log, fault)


def _look(case: Case, game: Any, core: Any, model: GosuXGame, log: list[str], chance: Random, tally: Tally) -> None:
    """Now and then at what one seat sees, at what it may imagine, and at the position as text."""
    viewer = chance.randrange(2)
    if chance.random() < 1 / VIEW_EVERY or core.over:
        tally.views += 1
        view = core.view(viewer)
        wanted = model.as_dict(viewer) | {"legal": sorted(model.legal) if model.mover == viewer else []}
        wanted, found = _alike(wanted, view.as_dict() | {"legal": sorted(view.legal_labels)})
        if found != wanted:
            raise mismatch(case, log, f"the view of p{viewer}:\n{difference(wanted, found)}")
    if chance.random() < 1 / WORLD_EVERY or core.over:
        tally.worlds += 1
        if fault := x_world_fault(core, model, viewer, chance.getrandbits(32)):
            raise mismatch(case, log, fault)
        if game.parse(str(core)) != core:
            raise mismatch(case, log, f"read back from its text the position is another:\n{core}")


def x_world_fault(core: Any, model: GosuXGame, viewer: int, seed: int) -> str:
    """What is wrong with a world drawn from `viewer`'s view; empty if nothing is.

    It looks the same to the viewer; each player's cards are his clans', each once; and no hand holds a card that both
    players know to be elsewhere, not even one that is known to be in the deck since a shuffle.
    """
    view = core.view(viewer)
    world = view.determinize(seed)
    if world.view(viewer) != view:
        return f"a world of p{viewer} (seed {seed}) looks different to p{viewer}"
    position = world.as_dict()
    for player, (seat, real) in enumerate(zip(position["players"], model.table.seats, strict=True)):
        hand, deck = Counter(seat["hand"]), Counter(seat["deck"])
        if hand + deck != Counter(real.hand) + Counter(card.label for card in real.deck):
            return f"a world of p{viewer} (seed {seed}): hand and deck of p{player} are other cards"
        hidden = Counter(real.hand) - Counter(real.known) + Counter(card.label for card in real.deck if not card.both)
        if strange := hand - Counter(real.known) - (hidden - real.surely):
            return f"a world of p{viewer} (seed {seed}): p{player} holds {strange}, known to be elsewhere"
    return ""
