"""The compiled core against the reference model: thousands of games in lock-step, everything compared."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

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


def test_a_case_is_read_back_from_its_command() -> None:
    case = draw_case(Random(3), 3)
    assert Case.parse(case.command.rpartition(" ")[2]) == case
