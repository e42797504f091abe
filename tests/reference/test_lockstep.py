"""The comparison itself: with the model in the core's place it finds nothing, with a planted fault it finds that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from . import lockstep, powers
from .faces import Face, read_cards
from .flow import Choices
from .fuzz import main
from .gosu import GosuGame, GosuTable
from .lockstep import MODELS, play
from .model import ReferenceGame
from .table import Goblin, Place, Table
from .tactics import TacticsTable
from .trial import Case, MismatchError
from .turns import Turns

CASE = Case(3, "pair", 1, 5, "eager", (("deal", 6), ("keep", 4), ("hand_target", 5)))
GOSU_CASE = Case(3, "gosu-pair", 1, 5, "eager", (("deal", 5),))


class StandIn:
    """Wears the face of a compiled game and of its state; behind it is the model with its own chance."""

    def __init__(self, players: int, cards: str, rules: Mapping[str, int]) -> None:
        self.players, self.cards, self.rules = players, cards, rules

    @property
    def view_kind(self) -> type[StandView]:
        return StandView

    def new(self, seed: int) -> StandIn:
        chance = Random(seed)
        cards = [label for label, face in read_cards(self.cards).faces.items() for _ in range(face.copies)]
        chance.shuffle(cards)
        size = self.rules["deal"]
        hands = [cards[size * player : size * (player + 1)] for player in range(self.players)]
        variant = read_cards(self.cards).variant
        self.model = MODELS[variant](
            self.cards,
            self.players,
            hands,
            cards[size * self.players :],
            chance.randrange(self.players),
            lambda discards: chance.sample(discards, len(discards)),
            self.rules,
        )
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

    def __init__(self, model: ReferenceGame, viewer: int) -> None:
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
    """Takes all unseen cards for one bag: hands from before a reshuffle and the draw pile are mixed up."""

    def determinize(self, seed: int) -> StandWorld:
        position = self.model.as_dict()
        others = [seat for number, seat in enumerate(position["players"]) if number != self.viewer]
        bag = [card for seat in others for card in seat["hand"]] + position["draw_pile"]
        Random(seed).shuffle(bag)
        for seat in others:
            seat["hand"], bag = bag[: len(seat["hand"])], bag[len(seat["hand"]) :]
        position["draw_pile"] = bag
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

    monkeypatch.setattr(lockstep.gosu_rl, "game", game, raising=False)


def play_some(folder: Path, case: Case = CASE) -> None:
    for seed in range(20):
        play(Case(case.players, case.style, case.set_seed, seed, case.policy, case.rules), folder)


def cheap_bakutos(patches: pytest.MonkeyPatch) -> None:
    cost = Turns.recruit_cost
    patches.setattr(Turns, "recruit_cost", lambda *where: min(1, cost(*where)))


def short_vision(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(powers, "VISION_CARDS", 4)


def lazy_reshuffle(patches: pytest.MonkeyPatch) -> None:
    def take_top(table: Table) -> str | None:
        if not table.draw_pile:
            table._refill()
        return table.draw_pile.pop(0) if table.draw_pile else None

    patches.setattr(TacticsTable, "take_top", take_top)


def forgetful(patches: pytest.MonkeyPatch) -> None:
    def take_openly(table: Table, player: int, card: str) -> None:
        table.seats[player].hand.append(card)

    patches.setattr(Table, "take_openly", take_openly)


def lasting_tokens(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(GosuTable, "token_comes_off", lambda table, player, goblin: None)


def old_order(patches: pytest.MonkeyPatch) -> None:
    """Mutation powers before the arrival, as in Tactics."""

    def replace(game: GosuGame, place: Place, mutated: Goblin, face: Face) -> Choices:
        game.table.discard_pile.append(mutated.face.label)
        for power in mutated.face.mutate:
            yield from game._resolve(place[0], mutated.face, power)
        yield from game.arrive(place[0], game.put_in_place(place, face), None)

    patches.setattr(GosuGame, "replace", replace)


def deaf_to_conditions(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(GosuTable, "changed", lambda table, owners=(): None)


@pytest.mark.parametrize("case", [CASE, GOSU_CASE])
def test_no_difference_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: Case) -> None:
    stand_in(monkeypatch, StandIn)
    tally = play(case, tmp_path)
    assert tally.decisions > 20
    assert tally.shuffles > 0
    assert sum(tally.reasons.values()) == 1


@pytest.mark.parametrize("patch", [cheap_bakutos, short_vision, lazy_reshuffle, forgetful])
def test_planted_faults_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patch: Callable[[pytest.MonkeyPatch], None]
) -> None:
    stand_in(monkeypatch, type("Planted", (Faulty,), {"patch": staticmethod(patch)}))
    with pytest.raises(MismatchError) as found:
        play_some(tmp_path)
    assert "again: python -m tests.reference.fuzz --case 3,pair,1," in str(found.value)
    assert "last decisions:" in str(found.value)


@pytest.mark.parametrize("patch", [cheap_bakutos, lasting_tokens, old_order, deaf_to_conditions, forgetful])
def test_planted_faults_of_gosu_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patch: Callable[[pytest.MonkeyPatch], None]
) -> None:
    stand_in(monkeypatch, type("Planted", (Faulty,), {"patch": staticmethod(patch)}))
    with pytest.raises(MismatchError) as found:
        play_some(tmp_path, GOSU_CASE)
    assert "again: python -m tests.reference.fuzz --case 3,gosu-pair,1," in str(found.value)


@pytest.mark.parametrize(
    ("view", "words"), [(LeakyView, "the view of p"), (OneBagView, "since the last reshuffle|not shuffled in")]
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
    stand_in(monkeypatch, type("Planted", (Faulty,), {"patch": staticmethod(forgetful)}))
    assert main(arguments) == 1
    assert "--- model" in capsys.readouterr().err
