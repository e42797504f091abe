"""Opening, rounds and passing: G1, G2, G4, G10, G17, G19."""

from __future__ import annotations

import pytest

import gosu_rl

from .table import asked, game, hand, legal, play, player, position, recruit, sizes, tokens

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("G1")
def test_g1_a_hundred_cards_seven_each_and_a_question_to_everybody() -> None:
    one = gosu_rl.game("gosu", players=3)
    assert one.card_set.copies == 100
    state = one.new(seed=1, advantage=1)
    assert sizes(state) == [7, 7, 7]
    assert state.as_dict()["draw_pile_size"] == 79
    movers = []
    while state.kind == "mulligan":
        movers.append(state.mover)
        state.apply("keep")
    assert movers == [1, 2, 0]
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("G1")
def test_g1_without_a_bakuto_all_seven_may_be_changed_again_and_again() -> None:
    state = position(
        """
        p0:
          hand: Fire Hero, Fire Guard, Fire Boss
        draw_pile: Dark Hero, Dark Guard, Dark Boss, Fire Grunt, Alpha Hero, Alpha Guard, rest
        stack: turns p0; mulligan p1 times=0; mulligan p0 times=0
        """
    )
    assert legal(state) == {"keep", "redraw"}
    play(state, "redraw")
    assert hand(state, 0) == ["Dark Boss", "Dark Guard", "Dark Hero"]
    assert legal(state) == {"keep", "redraw"}
    play(state, "redraw")
    assert hand(state, 0) == ["Alpha Guard", "Alpha Hero", "Fire Grunt"]
    assert legal(state) == {"keep"}


@pytest.mark.ruling("G2")
def test_g2_two_tokens_each_from_the_start() -> None:
    state = game(3).new(seed=2)
    assert [tokens(state, q) for q in range(3)] == [(2, 0, [])] * 3


@pytest.mark.ruling("G2", "G17")
def test_g2_g17_a_new_round_releases_and_brings_tokens_back_but_no_cards_and_no_question() -> None:
    state = position(
        """
        now: active=p0 advantage=p1 first=p0
        p0: tokens=0 spent=1
          hand: Fire Grunt
          army 1: Well+, (Fire Scout)
        p1: passed=1 turns_left=0 tokens=0 spent=2
          hand: Dark Hero
        """
    )
    play(state, "pass")
    assert state.round == 2
    assert state.points == [1, 0]
    assert [tokens(state, q) for q in (0, 1)] == [(2, 0, []), (2, 0, [])]
    assert player(state, 0)["army"][0] == [("Well", False), ("Fire Scout", False)]
    assert sizes(state) == [1, 1]
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("G4")
def test_g4_the_others_go_on_without_limit_after_a_pass() -> None:
    state = position(
        """
        p0:
          hand: Fire Grunt
        p1:
          hand: Fire Scout, Drawer, Seer, Mover, Trapper
        """
    )
    play(state, "pass")
    assert player(state, 1)["turns_left"] is None
    for name in ("Fire Scout", "Mover", "Trapper"):
        recruit(state, name)
        while state.kind != "turn":
            play(state, "decline")
        assert asked(state) == (1, "turn")


@pytest.mark.ruling("G4")
def test_g4_ten_turns_in_tournaments() -> None:
    state = position("p0:\n  hand: Fire Grunt\np1:\n  hand: Fire Scout", turns_after_pass=10)
    play(state, "pass")
    assert player(state, 1)["turns_left"] == 10


@pytest.mark.ruling("G4")
def test_g4_no_limit_may_be_written_as_a_word() -> None:
    assert gosu_rl.game("gosu", rules={"turns_after_pass": "none"}).rules["turns_after_pass"] == -1
    assert gosu_rl.game("gosu", rules={"turns_after_pass": None}).rule_changes == {}
    with pytest.raises(ValueError, match="0 to 100, or none"):
        gosu_rl.game("gosu", rules={"turns_after_pass": -2})
    with pytest.raises(ValueError, match="whole number from 0 to 100, not 'none'"):
        gosu_rl.game("tactics", rules={"turns_after_pass": "none"})


@pytest.mark.ruling("G19")
def test_g19_an_extra_turn_is_one_of_the_ten() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0
        p1: turns_left=3
          hand: Runner, Fire Grunt, Fire Scout
        now: active=p1
        """,
        turns_after_pass=10,
    )
    play(state, "play Runner", "accept")
    assert player(state, 1)["turns_left"] == 2
    assert player(state, 1)["extra_turns"] == 0  # it is being taken
    play(state, "play Fire Grunt")
    assert player(state, 1)["turns_left"] == 1


@pytest.mark.ruling("G19")
def test_g19_one_won_in_the_tenth_is_played_and_counts_for_nothing() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0
          army 1: Fire Grunt/2
        p1: turns_left=1
          hand: Runner, Fire Grunt
        now: active=p1
        """,
        turns_after_pass=10,
    )
    play(state, "play Runner", "accept")
    assert asked(state) == (1, "turn")
    assert player(state, 1)["turns_left"] == 0
    play(state, "play Fire Grunt")
    assert state.round == 2


@pytest.mark.ruling("G19")
def test_g19_what_is_left_from_before_the_tenth_is_lost() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0
          army 1: Fire Grunt/2
        p1: turns_left=2
          hand: Fire Scout, Fire Grunt, Mover
        now: active=p1 extra=2
        """,
        turns_after_pass=10,
    )
    recruit(state, "Fire Scout", "Fire Grunt")  # the second is an extra turn, and the tenth
    assert state.round == 2


@pytest.mark.ruling("G19")
def test_g19_one_won_after_the_tenth_is_lost() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0
          army 1: Fire Grunt/2
        p1: turns_left=1
          hand: Runner, Herald, Fire Grunt
        now: active=p1 advantage=p1
        """,
        turns_after_pass=10,
    )
    play(state, "play Runner", "accept")
    assert player(state, 1)["turns_left"] == 0
    recruit(state, "Herald")
    play(state, "accept")
    assert state.round == 2


@pytest.mark.ruling("G10")
def test_g10_the_pile_stays_empty_until_a_card_is_wanted() -> None:
    state = position(
        """
        p0:
          hand: Drawer, Fire Grunt
        p1:
          hand: Dark Grunt
        draw_pile: Dark Hero
        discard_pile: rest
        """
    )
    pile = len(state.as_dict()["discard_pile"])
    play(state, "play Drawer", "accept")
    assert state.as_dict()["draw_pile_size"] == 0
    assert len(state.as_dict()["discard_pile"]) == pile
    assert state.shuffles == 0
    play(state, "spend 1")
    assert state.shuffles == 1
    assert state.as_dict()["draw_pile_size"] == pile - 1
    assert state.as_dict()["discard_pile"] == []


@pytest.mark.ruling("G10")
def test_g10_cards_shown_go_on_through_the_reshuffle() -> None:
    state = position(
        """
        p0:
          hand: Seer
        draw_pile: Dark Hero
        discard_pile: rest
        """
    )
    play(state, "play Seer", "accept")
    assert len(state.as_dict()["set_aside"]) == 3
    assert "Dark Hero" in state.as_dict()["set_aside"]
    assert state.shuffles == 1
