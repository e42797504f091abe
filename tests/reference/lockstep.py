"""Plays one game in the compiled core and in the reference model side by side and compares all there is to see.

Chance is the core's: its deal and the order of its reshuffles (`pile_order` of `as_dict`) are handed to the model,
which checks that they are what the rules say should be shuffled. Now and then a view and a world drawn from it are
compared too (`worlds.py`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import gosu_rl
from gosu_rl.core.cards.load import dump, load

from .card_sets import write_set
from .faces import CardFile, read_cards
from .gosu import GosuGame
from .gosu_sets import write_gosu_set
from .model import ReferenceGame
from .policies import POLICIES
from .tactics import TacticsGame
from .trial import VIEW_EVERY, WORLD_EVERY, Case, Tally, difference, face_fault, mismatch, round_fractions
from .worlds import view_fault, world_fault

MODELS: dict[str, type[ReferenceGame]] = {"tactics": TacticsGame, "gosu": GosuGame}


def variant_of(case: Case) -> str:
    """The game that its card set is for."""
    if case.style.startswith("x-") or case.style == "gosu_x":
        return "gosu_x"
    return "gosu" if case.style.startswith("gosu") else "tactics"


class Chance:
    """The shuffle callback of the model: gives out the orders that the core came to."""

    def __init__(self) -> None:
        self.orders: list[list[str]] = []

    def __call__(self, cards: list[str]) -> list[str]:
        if not self.orders:
            raise AssertionError(f"the model shuffles {cards} where the core does not shuffle")
        order = self.orders.pop(0)
        if sorted(order) != sorted(cards):
            raise AssertionError(f"the core shuffled {sorted(order)}, by the rules these are to be shuffled: {cards}")
        return order


def set_file(case: Case, folder: Path) -> Path:
    """Writes the case's card set into `folder` (once)."""
    path = folder / f"{case.style}-{case.set_seed}.toml"
    if not path.exists():
        if case.style in MODELS:
            path.write_text(dump(load(case.style)), encoding="utf-8")
        elif case.style == "sample":
            from gosu_rl.core.cards.sample import sample_set

            path.write_text(dump(sample_set("tactics", case.set_seed)), encoding="utf-8")
        elif variant_of(case) == "gosu":
            write_gosu_set(path, case.style, case.set_seed)
        else:
            write_set(path, case.style, case.set_seed)
    return path


_read_cards = lru_cache(maxsize=256)(read_cards)


@lru_cache(maxsize=256)
def _game(path: Path, variant: str, players: int, rules: tuple[tuple[str, int | str], ...]) -> tuple[Any, CardFile]:
    """Core and faces of a card file, which is read once by each."""
    return gosu_rl.game(variant, players=players, cards=str(path), rules=dict(rules)), _read_cards(path)


def play(case: Case, folder: Path) -> Tally:
    """One game to its end; raises MismatchError at the first difference."""
    game, cards = _game(set_file(case, folder), variant_of(case), case.players, case.rules)
    core = game.new(seed=case.seed)
    position = core.as_dict()
    chance = Chance()
    hands = [list(seat["hand"]) for seat in position["players"]]
    numbers = {name: int(number) for name, number in case.rules}
    model = MODELS[variant_of(case)](
        cards, case.players, hands, list(position["draw_pile"]), position["advantage"], chance, numbers
    )
    choose = POLICIES[case.policy]
    random = Random(f"{case.seed} {case.policy}")
    looks = Random(f"{case.seed} views")
    tally = Tally(games=1, situations=model.table.seen)
    log: list[str] = []
    while True:
        _compare(case, core, position, model, log)
        _look(case, core, model, log, looks, tally)
        if position["over"]:
            break
        kind = position["kind"]
        label = choose(random, kind, sorted(model.legal))
        log.append(f"{tally.decisions}: p{position['mover']} {kind}: {label}")
        tally.decisions += 1
        tally.kinds[kind] += 1
        core.apply(label)
        shuffles = position["shuffles"]
        position = core.as_dict()
        shuffled = position["shuffles"] - shuffles
        tally.shuffles += shuffled
        if shuffled > 1:
            tally.unresolved += 1
            return tally
        chance.orders = [list(position["pile_order"])] if shuffled else []
        try:
            model.apply(label)
        except Exception as error:
            raise mismatch(case, log, f"the model cannot follow: {error!r}") from error
        if chance.orders:
            raise mismatch(case, log, "the core shuffled where the model does not shuffle")
    tally.reasons[position["reason"]] += 1
    return tally


def _compare(case: Case, core: Any, position: dict[str, Any], model: ReferenceGame, log: list[str]) -> None:
    wanted = model.as_dict()
    wanted["legal"] = sorted(model.legal)
    found = position | {"legal": sorted(core.legal_labels)}  # a label named twice would differ
    round_fractions(wanted)
    round_fractions(found)
    if found != wanted:
        raise mismatch(case, log, difference(wanted, found))
    if fault := face_fault(core, wanted):
        raise mismatch(case, log, fault)


def _look(case: Case, core: Any, model: ReferenceGame, log: list[str], chance: Random, tally: Tally) -> None:
    """Now and then at what one seat sees, and at what it may imagine."""
    viewer = chance.randrange(case.players)
    if chance.random() < 1 / VIEW_EVERY:
        tally.views += 1
        wanted, found = view_fault(core, model, viewer)
        round_fractions(wanted)
        round_fractions(found)
        if found != wanted:
            raise mismatch(case, log, f"the view of p{viewer}:\n{difference(wanted, found)}")
    if chance.random() < 1 / WORLD_EVERY:
        tally.worlds += 1
        if fault := world_fault(core, model, viewer, chance.getrandbits(32)):
            raise mismatch(case, log, fault)
