"""Force of Will: X15, X31."""

from __future__ import annotations

import pytest

from .table import act, army, asked, hand, legal, pile, play, position, sizes

pytestmark = pytest.mark.nojit
QUIET = {"own": "Justice, Galmi, Phoenix", "other": "Goan Sul, Abhilasha, Xi'an"}  # the Avenger alone has Force of Will


@pytest.mark.ruling("X15")
def test_x15_in_either_players_turn() -> None:
    text = "p0:\n  hand: Just Grunt\np1:\n  hand: Foresight, Second Wind, Sneak, Veteran\nnow: active={}"
    assert "will Second Wind" in legal(position(text.format("p1")))
    assert "will Foresight" not in legal(position(text.format("p1")))
    state = act(position(text.format("p0")), "play Just Grunt")
    assert asked(state) == (1, "will")
    assert legal(state) == {"will Foresight", "decline"}
    act(state, "will Foresight")
    assert asked(state) == (1, "will")  # the twin could be in the hand
    assert sizes(state)[1] == 4
    assert pile(state, 1) == ["Foresight"]


@pytest.mark.ruling("X31")
def test_x31_the_window_is_put_whenever_the_requirement_could_be_met() -> None:
    text = "p0:\n  hand: {}\n  army 1: Just Grunt\np1:\n  hand: {}\n  army 1: Goan Grunt\n"
    state = act(position(text.format("Sati", "Veteran"), **QUIET), "play Sati", "target p1 1.1")
    assert asked(state) == (1, "will")
    assert legal(state) == {"decline"}  # he has none, but only he knows
    assert state.view(0).kind == "will"
    state = act(position(text.format("Sati", ""), **QUIET), "play Sati", "target p1 1.1")
    assert asked(state) == (1, "turn")  # an empty hand
    state = act(position(text.format("Sati", "Veteran*"), **QUIET), "play Sati", "target p1 1.1")
    assert asked(state) == (1, "turn")  # everybody knows it
    state = act(position(text.format("Wanted", "Veteran"), **QUIET), "play Wanted")
    assert asked(state) == (1, "turn")  # nothing was lost


@pytest.mark.ruling("X31")
def test_x31_not_if_all_such_cards_are_seen_elsewhere() -> None:
    text = "p0:\n  hand: Sati\n  army 1: Just Grunt\np1:\n  hand: Veteran\n  army 1: Goan Grunt\n  discard: Avenger, Avenger\n"
    state = act(position(text, **QUIET), "play Sati", "target p1 1.1")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("X31")
def test_x31_before_the_hand_limit_and_again_until_declined() -> None:
    state = position(
        """
        p0:
          hand: Sati, Wanted, Wanted, Ghost, Ghost, Digger, Digger, Usher
          army 1: Just Grunt, Usher
        p1:
          hand: Avenger, Avenger, Veteran
          army 1: Goan Grunt, Veteran
        """,
        own="Justice, Galmi, Phoenix",
        other="Goan Sul, Abhilasha, Xi'an",
        hand_limit=5,
    )
    act(state, "play Sati", "target p1 1.1", "will Avenger")
    assert asked(state) == (1, "aim")
    act(state, "target p0 2.1")
    assert asked(state) == (1, "will")
    act(state, "will Avenger")
    assert army(state, 0) == [["Just Grunt"]]
    assert asked(state) == (0, "discard")  # the hand of one is known not to be a third Avenger; then the hand limit
    assert hand(state, 1) == ["Veteran"]


@pytest.mark.ruling("X31")
def test_x31_no_window_in_the_battle() -> None:
    state = position("p0: tokens=0\n  army 1: Just Grunt, Usher\np1: passed=1 turns_left=0\n  hand: Foresight")
    act(state, "pass", "decline")
    assert state.kind != "will"
    play(state)
    assert state.as_dict()["round"] == 2 or state.kind == "song"
