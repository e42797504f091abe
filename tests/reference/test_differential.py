"""The compiled core against the reference model: thousands of games in lock-step, everything compared."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import tomli_w

import gosu_rl

from .card_sets import draw_set
from .cases import draw_case
from .lockstep import Case, Tally, play

CHUNKS = 84
GAMES = 24  # a chunk: 2,016 games in all

KINDS = {
    "mulligan", "opening", "turn", "use", "pay", "link", "offer", "destroy", "trap", "swap", "swap_with", "victim",
    "discard", "keep", "return", "refresh",
}  # fmt: skip


@pytest.fixture(scope="session")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process keeps the card files of its games."""
    return tmp_path_factory.mktemp("sets")


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_core_and_model_agree(chunk: int, sets: Path) -> None:
    chance = Random(f"chunk {chunk}")
    players = 2 + chunk % 3
    tally = Tally()
    for _ in range(GAMES):
        tally.add(play(draw_case(chance, players), sets))
    assert tally.games == GAMES
    assert tally.unresolved <= 2


def test_the_games_reach_every_kind_of_decision_and_every_end(sets: Path) -> None:
    small = (("deal", 6), ("keep", 4), ("hand_target", 5))
    cases = [
        Case(players, style, number, number, policy, small)
        for players in (2, 3, 4)
        for number in range(3)
        for style, policy in (
            ("gentle", "builder"),
            ("mono", "builder"),
            ("heroes", "hoarder"),
            ("pair", "eager"),
            ("pair", "brisk"),
        )
    ]
    cases.append(Case(2, "pair", 0, 1, "uniform", (*small, ("max_decisions", 20))))
    tally = Tally()
    for case in cases:
        tally.add(play(case, sets))
    assert set(tally.kinds) == KINDS
    assert set(tally.reasons) == {"points", "nine", "fifteen", "truncated"}
    assert tally.shuffles > len(cases)


@pytest.mark.ruling("T7")
@pytest.mark.ruling("T34")
@pytest.mark.parametrize("players", [2, 3])
def test_extra_turns_are_counted_beyond_what_a_byte_holds(players: int, sets: Path) -> None:
    small = (("deal", 6), ("keep", 4), ("hand_target", 5))
    tally = Tally()
    for seed in range(3):
        tally.add(play(Case(players, "zombies", seed, seed, "changer", small), sets))
    assert tally.situations["T7 extra turns beyond what a byte holds"] > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_most_faces_that_the_core_says_it_takes(players: int, tmp_path: Path) -> None:
    """The error names the set, the number that goes and the way out; a set of just that many plays on."""
    data = draw_set("wide", 1)
    spare = [card for card in data["card"] if card["level"] > 1]
    extra = [card | {"name": f"{card['name']} again"} for card in spare]
    path = tmp_path / "broad.toml"

    def game(faces: int) -> gosu_rl.core.game.Game:
        cards = (data["card"] + extra)[:faces]
        path.write_text(tomli_w.dumps(data | {"card": cards}), encoding="utf-8")
        return gosu_rl.game("tactics", players=players, cards=str(path))

    most = {2: 88, 3: 83, 4: 78}[players]
    state = game(most).new(seed=1)
    assert state.legal_labels
    if players > 2:
        with pytest.raises(
            ValueError, match=rf"broad.*{most + 1} faces are too many for {players} players, at most {most} "
        ):
            game(most + 1)


def test_a_case_is_read_back_from_its_command() -> None:
    case = draw_case(Random(3), 3)
    assert Case.parse(case.command.rpartition(" ")[2]) == case
