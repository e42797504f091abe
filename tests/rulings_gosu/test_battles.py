"""Battles, points and the full army: G5, G13, G14."""

from __future__ import annotations

import pytest

import gosu_rl

from .table import CARDS, play, position, recruit

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("G5")
def test_g5_the_holder_wins_ties_and_begins_the_next_round() -> None:
    text = """
        p0: passed=1 turns_left=0
          hand: Dark Hero
          army 1: Fire Grunt
        p1:
          hand: Dark Guard
          army 1: Dark Grunt
        now: active=p1 advantage=p1
        """
    state = play(position(text), "pass")
    assert state.points == [0, 1]
    assert (state.round, state.mover) == (2, 1)


@pytest.mark.ruling("G5")
def test_g5_tied_leaders_without_the_token_all_score() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0
          army 1: Fire Grunt
        p1: passed=1 turns_left=0
          army 1: Dark Grunt
        p2:
          hand: Dark Guard
        now: active=p2 advantage=p2
        """,
        players=3,
    )
    play(state, "pass")
    assert state.points == [1, 1, 0]


@pytest.mark.ruling("G5")
def test_g5_only_powers_move_the_token() -> None:
    state = position("p0:\n  hand: Crowner\np1:\n  hand: Dark Grunt\nnow: advantage=p1")
    play(state, "play Crowner")
    assert state.advantage == 1
    play(state, "accept")
    assert state.advantage == 0


@pytest.mark.ruling("G13")
def test_g13_the_third_point_wins_at_once_from_a_power_too() -> None:
    state = position("p0: points=2\n  hand: Pointer, Fire Grunt\np1:\n  hand: Dark Grunt")
    play(state, "play Pointer")
    assert state.over
    assert (state.reason, state.shares.tolist(), state.points) == ("points", [1, 0], [3, 0])


@pytest.mark.ruling("G13")
def test_g13_a_point_from_a_power_counts_like_any_other() -> None:
    state = position("p0: points=1\n  hand: Pointer, Fire Grunt\np1:\n  hand: Dark Grunt")
    play(state, "play Pointer")
    assert not state.over
    assert state.points == [2, 0]


@pytest.mark.ruling("G13")
def test_g13_a_battle_worth_two_is_so_for_its_owner_only_and_only_if_he_scores() -> None:
    ties = play(
        position(
            """
            p0: passed=1 turns_left=0
              army 1: Fire Grunt
              army 2: Fire Hero
              army 3: Doubler
            p1:
              hand: Dark Guard
              army 1: Dark Grunt
              army 2: Dark Hero
              army 3: Dark Boss
            now: active=p1 advantage=p1
            """
        ),
        "pass",
    )
    assert ties.points == [0, 1]


@pytest.mark.ruling("G13")
def test_g13_four_points_win_like_three() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0 points=2
          army 1: Fire Grunt
          army 2: Fire Hero
          army 3: Doubler
        p1:
          hand: Dark Guard
        now: active=p1
        """
    )
    play(state, "pass")
    assert (state.points, state.reason) == ([4, 0], "points")


@pytest.mark.ruling("G14")
@pytest.mark.parametrize(("full", "ends"), [(15, False), (6, True), (16, False)])
def test_g14_a_full_army_wins_as_the_rule_says(full: int, ends: bool) -> None:
    state = position(
        """
        p0:
          hand: Fire Scout
          army 1: Fire Grunt, Fire Grunt/2, Well
          army 2: Fire Hero, (Fire Guard)
        p1:
          hand: Dark Grunt
        """,
        full_army=full,
    )
    recruit(state, "Fire Scout")
    assert (state.reason == "fifteen") == ends


@pytest.mark.ruling("G14")
def test_g14_there_is_no_win_by_nine_of_a_clan() -> None:
    assert "clan_army" not in gosu_rl.game("gosu").rules
    with pytest.raises(ValueError, match="unknown rule 'clan_army'"):
        gosu_rl.game("gosu", 2, CARDS, {"clan_army": 9})
    state = position(
        """
        p0:
          hand: Bracket, Fire Scout/2
          army 1: Fire Grunt, Fire Grunt/2, Fire Scout, Well
          army 2: Fire Hero, Fire Guard, Watcher
          army 3: Fire Boss, Miser
        p1:
          hand: Dark Grunt
        """
    )
    assert not state.over
