"""Rulings of Tactics that hold here as well: G9."""

from __future__ import annotations

import pytest

from .table import legal, play, position

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("G9")
def test_g9_several_third_points_at_once_share_the_win() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0 points=2
          army 1: Fire Grunt
        p1: passed=1 turns_left=0 points=2
          army 1: Dark Grunt
        p2:
          hand: Dark Guard
        now: active=p2 advantage=p2
        """,
        players=3,
    )
    play(state, "pass")
    assert state.shares.tolist() == [0.5, 0.5, 0]


@pytest.mark.ruling("G9")
def test_g9_a_goblin_never_mutates_into_its_own_name() -> None:
    state = position(
        "p0:\n  hand: Fire Scout/2, Fire Grunt\n  army 1: Fire Scout, (Fire Grunt/2)\np1:\n  hand: Dark Grunt"
    )
    play(state, "play Fire Scout")
    assert state.kind == "turn"  # recruited without a question: there is nothing that it could replace
    assert state.mover == 1
    assert "pass" in legal(state)


@pytest.mark.ruling("G9")
def test_g9_a_truncated_game_has_no_winner() -> None:
    state = position("p0:\n  hand: Fire Grunt\np1:\n  hand: Dark Grunt", max_decisions=1)
    play(state, "pass")
    assert state.truncated
    assert state.shares.tolist() == [0, 0]
