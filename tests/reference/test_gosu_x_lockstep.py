"""Gosu X, core against model; and the comparison itself: with the model in the core's place it finds planted faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from how_often import times_more

from . import gosu_x_armies, gosu_x_battle, gosu_x_lockstep
from .fuzz import main
from .gosu_x import GosuXGame
from .gosu_x_alone import deal_x
from .gosu_x_cases import draw_x_case, seldom_x_cases
from .gosu_x_lockstep import play_x
from .gosu_x_table import XTable
from .situations import all_situations
from .table import Place
from .trial import Case, MismatchError, Tally

CHUNKS = 2 * times_more()
GAMES = 12  # a chunk; the fuzzer plays on
MOST_SEEDS = 200  # of `seldom_x_cases`; some fifty are enough as a rule
CASE = Case(2, "x-mixed", 1, 5, "eager", (("deal", 6), ("hand_target", 6)))


@pytest.fixture(scope="session")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process keeps the card files of its games."""
    return tmp_path_factory.mktemp("x-sets")


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_core_and_model_agree_on_gosu_x(chunk: int, sets: Path) -> None:
    chance = Random(f"chunk {chunk}")
    tally = Tally()
    for _ in range(GAMES):
        tally.add(play_x(draw_x_case(chance), sets))
    assert tally.games == GAMES
    assert tally.unresolved <= 3
    assert tally.worlds > GAMES


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_core_and_model_meet_every_situation_that_a_ruling_decides(sets: Path) -> None:
    wanted = all_situations("gosu_x")
    tally = Tally()
    for seed in range(MOST_SEEDS):
        for case in seldom_x_cases(seed):
            tally.add(play_x(case, sets))
        if wanted <= set(tally.situations):
            break
    assert wanted - set(tally.situations) == set()
    assert tally.shuffles > 100
    assert tally.worlds > 100


def test_a_case_of_gosu_x_is_read_back_from_its_command() -> None:
    chance = Random(3)
    for _ in range(40):
        case = draw_x_case(chance)
        assert Case.parse(case.command.partition("--case ")[2].strip("'").replace("'\"'\"'", "'")) == case


# --- the comparison itself -------------------------------------------------------------------------------------


class XStandIn:
    """Wears the face of a compiled game and of its state; behind it is the model with its own chance."""

    patch: Callable[[pytest.MonkeyPatch], None] = staticmethod(lambda patches: None)
    model: GosuXGame

    def __init__(self, cards: str, rules: Mapping[str, int]) -> None:
        self.cards, self.rules = cards, rules

    def new(self, seed: int) -> XStandIn:
        with pytest.MonkeyPatch.context() as patches:
            type(self).patch(patches)
            self.model = deal_x(self.cards, Random(seed), dict(self.rules))
        return self

    def apply(self, label: str) -> None:
        with pytest.MonkeyPatch.context() as patches:
            type(self).patch(patches)
            self.model.apply(label)

    def parse(self, text: str) -> XStandIn:
        return self

    def as_dict(self) -> dict[str, Any]:
        return deepcopy(self.model.as_dict())

    def view(self, viewer: int) -> XStandView:
        return XStandView(self, viewer)

    @property
    def legal_labels(self) -> list[str]:
        return sorted(self.model.legal)

    @property
    def truncated(self) -> bool:
        return self.model.reason == "truncated"

    def __getattr__(self, name: str) -> Any:
        return self.as_dict()[name] if name in ("round", "advantage") else getattr(self.model, name)


class XStandView:
    """One seat's view of a stand-in; the world that it imagines is the true one."""

    def __init__(self, game: XStandIn, viewer: int) -> None:
        self.game, self.viewer = game, viewer

    def as_dict(self) -> dict[str, Any]:
        return self.game.model.as_dict(self.viewer)

    @property
    def legal_labels(self) -> list[str]:
        return self.game.legal_labels if self.game.mover == self.viewer else []

    def determinize(self, seed: int) -> XStandWorld:
        return XStandWorld(self)


class XStandWorld:
    """A position that a view stands for."""

    def __init__(self, seen_as: XStandView) -> None:
        self.seen_as = seen_as

    def view(self, viewer: int) -> XStandView:
        return self.seen_as

    def as_dict(self) -> dict[str, Any]:
        return self.seen_as.game.as_dict()


class LeakyView(XStandView):
    """Shows everything."""

    def as_dict(self) -> dict[str, Any]:
        return self.game.as_dict() | {"viewer": self.viewer}


class CarelessWorld(XStandWorld):
    """Swaps a card that both know to lie in the deck into the hand."""

    def as_dict(self) -> dict[str, Any]:
        position = self.seen_as.game.as_dict()
        for player, seat in enumerate(position["players"]):
            public = position["players"][player]["deck"]
            shown = self.seen_as.game.model.as_dict(1 - player)["players"][player]["deck"]
            places = [place for place, label in enumerate(shown) if label is not None]
            unknown = [card for card in seat["hand"] if card not in seat["known"]]
            if places and unknown and seat["deck"][places[0]] not in seat["hand"]:
                seat["hand"].remove(unknown[0])
                seat["hand"].append(public[places[0]])
                seat["deck"][places[0]] = unknown[0]
        return position


def stand_in(monkeypatch: pytest.MonkeyPatch, kind: type[XStandIn]) -> None:
    def game(variant: str, players: int, cards: str, rules: Mapping[str, int]) -> XStandIn:
        return kind(cards, rules)

    monkeypatch.setattr(gosu_x_lockstep.gosu_rl, "game", game, raising=False)
    gosu_x_lockstep._game.cache_clear()


def play_some(folder: Path) -> None:
    for seed in range(24):
        for style in ("x-mixed", "x-bounty", "x-decks", "x-tokens"):
            play_x(Case(2, style, seed % 4, seed, "eager", CASE.rules), folder)


def free_troops(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(GosuXGame, "_cost_of_playing", lambda game, player, face: 0)


def bounty_for_all(patches: pytest.MonkeyPatch) -> None:
    def bounties(run: gosu_x_armies.ArmySteps, places: list[Place]) -> int:
        return sum(run.table.at(place).is_bounty for place in places)

    patches.setattr(gosu_x_armies.ArmySteps, "_bounties", bounties)


def nobody_is_spared(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(gosu_x_armies, "is_ethereal", lambda table, place: False)


def lasting_tokens(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(XTable, "tokens_off", lambda table, player, card: None)


def forgetful(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(XTable, "take_openly", lambda table, player, label: table.seats[player].hand.append(label))


def no_window(patches: pytest.MonkeyPatch) -> None:
    def window(game: GosuXGame, player: int) -> Any:
        yield from ()

    patches.setattr(GosuXGame, "_will_window", window)


def heavy_veterans(patches: pytest.MonkeyPatch) -> None:
    value = gosu_x_battle.military_value
    patches.setattr(gosu_x_battle, "military_value", lambda table, player: value(table, player) + player)


def test_no_difference_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, XStandIn)
    tally = Tally()
    for seed in range(6):
        tally.add(play_x(Case(2, "x-decks", 1, seed, "eager", CASE.rules), tmp_path))
    assert tally.decisions > 100
    assert tally.shuffles > 10
    assert tally.views > 30
    assert tally.worlds > 5
    gosu_x_lockstep._game.cache_clear()


@pytest.mark.parametrize(
    "patch", [free_troops, bounty_for_all, nobody_is_spared, lasting_tokens, forgetful, no_window, heavy_veterans]
)
def test_planted_faults_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patch: Callable[[pytest.MonkeyPatch], None]
) -> None:
    stand_in(monkeypatch, type("Planted", (XStandIn,), {"patch": staticmethod(patch)}))
    with pytest.raises(MismatchError) as found:
        play_some(tmp_path)
    assert "again: python -m tests.reference.fuzz --case 2,x-" in str(found.value)
    gosu_x_lockstep._game.cache_clear()


def test_a_view_that_shows_too_much_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, type("Seeing", (XStandIn,), {"view": lambda game, viewer: LeakyView(game, viewer)}))
    with pytest.raises(MismatchError, match="the view of p"):
        play_some(tmp_path)
    gosu_x_lockstep._game.cache_clear()


def test_a_world_with_a_card_that_is_known_to_lie_elsewhere_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(XStandView, "determinize", lambda view, seed: CarelessWorld(view))
    stand_in(monkeypatch, XStandIn)
    with pytest.raises(MismatchError, match="known to be elsewhere"):
        play_some(tmp_path)
    gosu_x_lockstep._game.cache_clear()


def test_the_fuzzer_plays_a_case_of_gosu_x(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--case", CASE.command.rpartition(" ")[2]]
    stand_in(monkeypatch, XStandIn)
    assert main(arguments) == 0
    assert "core and model agree" in capsys.readouterr().out
    stand_in(monkeypatch, type("Planted", (XStandIn,), {"patch": staticmethod(free_troops)}))
    assert main(["--case", "2,x-mixed,1,5,planter"]) == 1
    gosu_x_lockstep._game.cache_clear()
