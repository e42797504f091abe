"""The comparison itself: with the model in the core's place it finds nothing, with a planted fault it finds that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.reference.trial import MismatchError

from . import actions, combat, conditions, field_steps, lockstep, moves, tosses
from .cards import read_card_set
from .cases import draw_case
from .fuzz import main
from .lockstep import Case, play
from .model import RULES, Dice, EpicGame, deal_by_lot, deal_game
from .table import Seat, Table

CASE = Case(3, "thieves", 4, 5, "eager", (("layout", 3), ("max_decisions", 900)))


class StandIn:
    """Wears the face of a compiled game and of its state; behind it is the model with its own chance."""

    def __init__(self, players: int, cards: str, rules: Mapping[str, int]) -> None:
        self.players, self.cards, self.rules = players, cards, rules

    @property
    def view_kind(self) -> type[StandView]:
        return StandView

    def new(self, seed: int) -> StandIn:
        chance = Random(seed)
        cards = read_card_set(self.cards)
        deal = deal_by_lot(cards, self.players, RULES | dict(self.rules), chance)
        self.model = deal_game(cards, deal, Dice(chance), self.rules)
        return self

    @property
    def legal_labels(self) -> list[str]:
        return sorted(self.model.legal)

    def view(self, viewer: int) -> StandView:
        return self.view_kind(self.model, viewer)

    @property
    def truncated(self) -> bool:
        return self.model.reason == "truncated"

    def __getattr__(self, name: str) -> Any:
        return self.as_dict()[name] if name in ("round", "advantage") else getattr(self.model, name)


class StandView:
    """One seat's view of a stand-in; the world that it imagines is the true one."""

    def __init__(self, model: EpicGame, viewer: int) -> None:
        self.model, self.viewer = model, viewer

    def as_dict(self) -> dict[str, Any]:
        return self.model.as_dict(self.viewer)

    @property
    def legal_labels(self) -> list[str]:
        return sorted(self.model.legal) if self.model.mover == self.viewer else []

    def determinize(self, seed: int) -> StandWorld:
        return StandWorld(self, self.model.as_dict())


class StandWorld:
    """A position that a view stands for."""

    def __init__(self, seen_as: StandView, position: dict[str, Any]) -> None:
        self.seen_as, self.position = seen_as, position

    def view(self, viewer: int) -> StandView:
        return self.seen_as

    def as_dict(self) -> dict[str, Any]:
        return self.position


class LeakyView(StandView):
    """Shows everything."""

    def as_dict(self) -> dict[str, Any]:
        return self.model.as_dict() | {"viewer": self.viewer}


class OneBagView(StandView):
    """Takes all unseen Goblin cards for one bag: hands from before a reshuffle and the draw pile are mixed up."""

    def determinize(self, seed: int) -> StandWorld:
        position = self.model.as_dict()
        others = [seat for number, seat in enumerate(position["players"]) if number != self.viewer]
        bag = [card for seat in others for card in seat["hand"]] + position["draw_pile"]
        Random(seed).shuffle(bag)
        for seat in others:
            seat["hand"], bag = bag[: len(seat["hand"])], bag[len(seat["hand"]) :]
        position["draw_pile"] = bag
        return StandWorld(self, position)


class WanderingView(StandView):
    """Lays Lands of any terrain anywhere."""

    def determinize(self, seed: int) -> StandWorld:
        position = self.model.as_dict()
        plots = list(position["field"].values())
        names = [plot["land"] for plot in plots]
        Random(seed).shuffle(names)
        for plot, name in zip(plots, names, strict=True):
            plot["land"] = name
        return StandWorld(self, position)


class Faulty(StandIn):
    """The same with one rule wrong: `patch` is in force while the stand-in plays, and only then."""

    patch: Callable[[pytest.MonkeyPatch], None]

    def apply(self, label: str) -> None:
        with pytest.MonkeyPatch.context() as patches:
            type(self).patch(patches)
            self.model.apply(label)


def stand_in(monkeypatch: pytest.MonkeyPatch, kind: type[StandIn]) -> None:
    def game(variant: str, players: int, cards: str, rules: Mapping[str, int]) -> StandIn:
        return kind(players, cards, rules)

    lockstep._game.cache_clear()
    monkeypatch.setattr(lockstep.gosu_rl, "game", game, raising=False)


@pytest.fixture(autouse=True)
def _no_stand_in_stays() -> Any:
    yield
    lockstep._game.cache_clear()


def play_some(folder: Path, styles: tuple[str, ...] = ("thieves", "alley", "pairs")) -> None:
    chance = Random("some")
    for _ in range(40):
        play(draw_case(chance, 3, chance.choice(styles)), folder)


def eager_refill(patches: pytest.MonkeyPatch) -> None:
    draw = Table.draw

    def refilled_at_once(table: Table, player: int, count: int) -> None:
        draw(table, player, count)
        if not table.draw_pile:
            table._refill()

    patches.setattr(Table, "draw", refilled_at_once)


def lucky_heroes(patches: pytest.MonkeyPatch) -> None:
    def nobody(table: Table, player: int, defense: int) -> Any:
        yield from ()
        return 0

    patches.setattr(tosses, "_toss_heroes", nobody)


def crewless_frays(patches: pytest.MonkeyPatch) -> None:
    attack = moves.fray_attack
    patches.setattr(
        moves, "fray_attack", lambda table, player: max(0, attack(table, player) - table.seats[player].crew)
    )


def open_theft(patches: pytest.MonkeyPatch) -> None:
    steal = Table.steal_card

    def seen_by_all(table: Table, thief: int, victim: int) -> None:
        steal(table, thief, victim)
        table.seats[thief].hand[-1].knowers = set(table.others(thief))

    patches.setattr(Table, "steal_card", seen_by_all)


def strict_half(patches: pytest.MonkeyPatch) -> None:
    attack = combat.attack_of
    patches.setattr(combat, "attack_of", lambda table, player: attack(table, player) + 1)


def asked_by_holding(patches: pytest.MonkeyPatch) -> None:
    def ask_window(table: Table, window: str) -> Any:
        for player in table.clockwise(table.active):
            while options := actions.playable(table, player, window):
                answer = yield actions.Decision(player, "window", frozenset({"pass", *(f"play {n}" for n in options)}))
                if answer == "pass":
                    break
                yield from actions.play_action(table, player, answer.removeprefix("play "))

    patches.setattr(actions, "ask_window", ask_window)


def tireless_machines(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Seat, "working", property(lambda seat: [machine for machine in seat.machines if machine.crew]))


def deaf_guard(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(actions, "_kept_off", lambda table, player: False)


def long_memory(patches: pytest.MonkeyPatch) -> None:
    """Whoever looked at a Land knows what lies on that space after an exchange."""
    swap = field_steps._swap_lands

    def left_behind(table: Table, player: int) -> Any:
        before = {space: set(plot.peeked) for space, plot in table.field.items()}
        yield from swap(table, player)
        for space, plot in table.field.items():
            plot.peeked = before[space]

    patches.setattr(field_steps, "_swap_lands", left_behind)


def open_conditions(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(conditions, "holds", lambda table, subject, condition: True)


def no_more_tosses(patches: pytest.MonkeyPatch) -> None:
    toss = tosses.toss_for_land

    def as_printed(table: Table, player: int, defense: int) -> Any:
        table.combat.extra_tosses.clear()
        yield from toss(table, player, defense)

    patches.setattr(tosses, "toss_for_land", as_printed)


def test_no_difference_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, StandIn)
    reasons: Counter[str] = Counter()
    for seed in range(10):
        tally = play(Case(CASE.players, CASE.style, CASE.set_seed, seed, CASE.policy, CASE.rules), tmp_path)
        assert tally.decisions > 20
        reasons += tally.reasons
    assert sum(reasons.values()) + tally.unresolved >= 9
    assert reasons["towns"] > 0


@pytest.mark.parametrize(
    "patch", [eager_refill, lucky_heroes, crewless_frays, open_theft, strict_half, asked_by_holding]
)
def test_planted_faults_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patch: Callable[[pytest.MonkeyPatch], None]
) -> None:
    stand_in(monkeypatch, type("Planted", (Faulty,), {"patch": staticmethod(patch)}))
    with pytest.raises(MismatchError) as found:
        play_some(tmp_path)
    assert "again: python -m tests.reference_epic.fuzz --case 3," in str(found.value)
    assert "last decisions:" in str(found.value)


@pytest.mark.parametrize("patch", [tireless_machines, deaf_guard, long_memory, open_conditions, no_more_tosses])
def test_faults_planted_in_newer_steps_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patch: Callable[[pytest.MonkeyPatch], None]
) -> None:
    stand_in(monkeypatch, type("Planted", (Faulty,), {"patch": staticmethod(patch)}))
    with pytest.raises(MismatchError, match="last decisions:"):
        play_some(tmp_path, ("newer", "drill", "travels", "guards", "ifs"))


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (LeakyView, "the view of p"),
        (OneBagView, "since the last reshuffle|not shuffled in"),
        (WanderingView, "another terrain"),
    ],
)
def test_views_that_show_or_imagine_too_much_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, view: type[StandView], words: str
) -> None:
    stand_in(monkeypatch, type("Seeing", (StandIn,), {"view_kind": view}))
    with pytest.raises(MismatchError, match=words):
        play_some(tmp_path)


def test_the_fuzzer_reports_and_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--case", CASE.command.rpartition(" ")[2]]
    stand_in(monkeypatch, StandIn)
    assert main(arguments) == 0
    assert "core and model agree" in capsys.readouterr().out
    stand_in(monkeypatch, type("Planted", (Faulty,), {"patch": staticmethod(strict_half)}))
    assert main(arguments) == 1
    assert "again: python" in capsys.readouterr().err


def test_a_case_is_read_back_from_its_command() -> None:
    case = draw_case(Random(3), 3)
    assert Case.parse(case.command.rpartition(" ")[2]) == case
