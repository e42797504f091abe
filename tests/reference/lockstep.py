"""Plays one game in the compiled core and in the reference model side by side and compares all there is to see.

Chance is the core's: its deal and the order of its reshuffles (`pile_order` of `as_dict`) are handed to the model,
which checks that they are what the rules say should be shuffled. Now and then a view and a world drawn from it are
compared too (`worlds.py`).
"""

from __future__ import annotations

import difflib
import pprint
import shlex
from collections import Counter
from dataclasses import dataclass, field
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
from .worlds import view_fault, world_fault

MODELS: dict[str, type[ReferenceGame]] = {"tactics": TacticsGame, "gosu": GosuGame}
RECENT = 12  # decisions shown with a mismatch
VIEW_EVERY = 3  # decisions, on average, between two views compared
WORLD_EVERY = 12  # and between two worlds drawn


@dataclass(frozen=True)
class Case:
    """Everything that makes one game; `command` replays it."""

    players: int
    style: str  # a shape of card_sets.py or gosu_sets.py, "sample" (the toolkit's own sampler), or a packaged set
    set_seed: int
    seed: int
    policy: str
    rules: tuple[tuple[str, int | str], ...] = ()  # all numbers, but for `draft` of Gosu X

    @property
    def variant(self) -> str:
        if self.style.startswith("x-") or self.style == "gosu_x":
            return "gosu_x"
        return "gosu" if self.style.startswith("gosu") else "tactics"

    @property
    def command(self) -> str:
        words = [f"{self.players}", self.style, f"{self.set_seed}", f"{self.seed}", self.policy]
        words += [f"{name}={number}".replace(",", ";") for name, number in self.rules]
        return f"python -m tests.reference.fuzz --case {shlex.quote(','.join(words))}"

    @staticmethod
    def parse(text: str) -> Case:
        """Reads what `command` writes behind `--case`."""
        players, style, set_seed, seed, policy, *rules = text.split(",")
        numbers = [rule.partition("=") for rule in rules]
        return Case(
            int(players),
            style,
            int(set_seed),
            int(seed),
            policy,
            tuple((name, int(n) if n.lstrip("-").isdigit() else n.replace(";", ",")) for name, _, n in numbers),
        )


class MismatchError(AssertionError):
    """Core and model differ; the message says how, after what, and how to see it again."""


@dataclass
class Tally:
    """What the games went through."""

    games: int = 0
    decisions: int = 0
    shuffles: int = 0
    unresolved: int = 0  # games left early: of two shuffles within one decision only the last one's order shows
    views: int = 0
    worlds: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    situations: Counter[str] = field(default_factory=Counter)  # in which rulings decided something (`Table.saw`)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.shuffles += other.shuffles
        self.unresolved += other.unresolved
        self.views += other.views
        self.worlds += other.worlds
        self.kinds += other.kinds
        self.reasons += other.reasons
        self.situations += other.situations


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
        elif case.variant == "gosu":
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
    game, cards = _game(set_file(case, folder), case.variant, case.players, case.rules)
    core = game.new(seed=case.seed)
    position = core.as_dict()
    chance = Chance()
    hands = [list(seat["hand"]) for seat in position["players"]]
    numbers = {name: int(number) for name, number in case.rules}
    model = MODELS[case.variant](
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
            raise MismatchError(report(case, log, f"the model cannot follow: {error!r}")) from error
        if chance.orders:
            raise MismatchError(report(case, log, "the core shuffled where the model does not shuffle"))
    tally.reasons[position["reason"]] += 1
    return tally


def _compare(case: Case, core: Any, position: dict[str, Any], model: ReferenceGame, log: list[str]) -> None:
    wanted = model.as_dict()
    wanted["legal"] = sorted(model.legal)
    found = position | {"legal": sorted(core.legal_labels)}  # a label named twice would differ
    round_fractions(wanted)
    round_fractions(found)
    if found != wanted:
        raise MismatchError(report(case, log, difference(wanted, found)))
    face = {
        "mover": core.mover, "kind": core.kind, "over": core.over, "reason": core.reason,
        "decisions": core.decisions, "round": core.round, "advantage": core.advantage,
    }  # fmt: skip
    for name, value in face.items():
        if value != wanted[name]:
            raise MismatchError(report(case, log, f"s.{name} is {value!r}, the model has {wanted[name]!r}"))
    if core.over and (list(core.returns) != position["returns"] or list(core.shares) != position["shares"]):
        raise MismatchError(report(case, log, "s.returns or s.shares differ from as_dict"))
    if core.truncated != (model.reason == "truncated"):
        raise MismatchError(report(case, log, f"s.truncated is {core.truncated}, the model's reason {model.reason!r}"))


def _look(case: Case, core: Any, model: ReferenceGame, log: list[str], chance: Random, tally: Tally) -> None:
    """Now and then at what one seat sees, and at what it may imagine."""
    viewer = chance.randrange(case.players)
    if chance.random() < 1 / VIEW_EVERY:
        tally.views += 1
        wanted, found = view_fault(core, model, viewer)
        round_fractions(wanted)
        round_fractions(found)
        if found != wanted:
            raise MismatchError(report(case, log, f"the view of p{viewer}:\n{difference(wanted, found)}"))
    if chance.random() < 1 / WORLD_EVERY:
        tally.worlds += 1
        if fault := world_fault(core, model, viewer, chance.getrandbits(32)):
            raise MismatchError(report(case, log, fault))


def round_fractions(position: dict[str, Any]) -> None:
    """So that a third is a third however it was reached."""
    for name in ("returns", "shares"):
        if position[name] is not None:
            position[name] = [round(float(number), 9) for number in position[name]]


def difference(wanted: dict[str, Any], found: dict[str, Any]) -> str:
    lines = difflib.unified_diff(
        pprint.pformat(wanted, width=160).splitlines(),
        pprint.pformat(found, width=160).splitlines(),
        "model",
        "core",
        n=3,
        lineterm="",
    )
    return "\n".join(lines)


def report(case: Case, log: list[str], what: str) -> str:
    recent = "\n".join(log[-RECENT:])
    return f"{case}\nagain: {case.command}\nlast decisions:\n{recent}\n{what}"
