"""Turns and activation tokens: G3, G9, G11, G12, G21."""

from __future__ import annotations

import pytest

from .table import army, asked, discards, hand, legal, play, player, position, recruit, sizes, targets, tokens

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("G3")
def test_g3_the_actions_of_a_turn() -> None:
    state = position(
        """
        p0:
          hand: Fire Scout, Fire Hero, Dark Grunt
          army 1: Well, Fire Grunt
        """
    )
    assert legal(state) == {
        "pass",
        "play Fire Scout",
        "play Fire Hero",
        "play Dark Grunt",
        "spend 1",
        "spend 2",
        "activate 1.1",
    }


@pytest.mark.ruling("G3")
def test_g3_one_token_for_a_card_two_for_three() -> None:
    text = "p0:\n  hand: Fire Grunt\np1:\n  hand: Dark Grunt"
    state = play(position(text), "spend 1")
    assert sizes(state) == [2, 1]
    assert tokens(state, 0) == (1, 1, [])
    assert asked(state) == (1, "turn")
    play(state, "pass")
    assert "spend 2" not in legal(state)
    assert sizes(play(position(text), "spend 2")) == [4, 1]


@pytest.mark.ruling("G3")
def test_g3_an_activated_power_needs_a_face_up_goblin() -> None:
    state = position(
        """
        p0:
          hand: Dark Grunt
          army 1: (Well), Well, Fire Grunt
        """
    )
    assert {label for label in legal(state) if label.startswith("activate")} == {"activate 1.2"}


@pytest.mark.ruling("G9")
def test_g9_recruiting_and_mutating_follow_the_rules_of_tactics() -> None:
    state = position(
        """
        p0:
          hand: Dark Scout, Fire Hero, Dark Hero, Fire Scout, Alpha Grunt
          army 1: Fire Grunt
        """
    )
    assert {label for label in legal(state) if label.startswith("play")} == {
        "play Dark Scout",  # costs two, or replaces the Grunt
        "play Fire Hero",
        "play Fire Scout",
        "play Alpha Grunt",
    }
    play(state, "play Dark Scout")
    assert legal(state) == {"recruit", "replace 1.1"}
    play(state, "recruit", "discard Dark Hero", "discard Alpha Grunt")
    assert army(state, 0) == [["Fire Grunt", "Dark Scout"]]


@pytest.mark.ruling("G11")
def test_g11_one_token_a_card() -> None:
    state = position("p0:\n  hand: Fire Grunt\n  army 1: Well\np1:\n  hand: Dark Grunt")
    play(state, "activate 1.1")
    assert tokens(state, 0) == (1, 0, ["1.1"])
    play(state, "pass")
    assert "spend 1" in legal(state)
    assert "activate 1.1" not in legal(state)


@pytest.mark.ruling("G11")
def test_g11_the_token_goes_with_its_card_in_a_swap() -> None:
    state = position(
        """
        p0: tokens=1
          hand: Mover
          army 1: Well+, Fire Grunt
        """
    )
    recruit(state, "Mover")
    play(state, "target p0 1.1", "target p0 1.2")
    assert army(state, 0) == [["Fire Grunt", "Well", "Mover"]]
    assert tokens(state, 0) == (1, 0, ["1.2"])


@pytest.mark.ruling("G11")
def test_g11_it_stays_on_a_trapped_card_and_is_spent_when_the_card_leaves() -> None:
    state = position(
        """
        p0: tokens=1
          army 1: Well+
        p1:
          hand: Trapper, Burner, Dark Grunt
        now: active=p1
        """
    )
    play(state, "play Trapper", "target p0 1.1")
    assert army(state, 0) == [["(Well)"]]
    assert tokens(state, 0) == (1, 0, ["1.1"])
    play(state, "pass", "play Burner", "target p0 1.1")
    assert tokens(state, 0) == (1, 1, [])


@pytest.mark.ruling("G11")
def test_g11_a_replacement_comes_without_a_token() -> None:
    state = position("p0: tokens=1\n  hand: Fire Scout\n  army 1: Well+")
    play(state, "play Fire Scout", "replace 1.1")
    assert army(state, 0) == [["Fire Scout"]]
    assert tokens(state, 0) == (1, 1, [])


@pytest.mark.ruling("G11")
@pytest.mark.parametrize(("answer", "left"), [("regain", (1, 0, ["1.1"])), ("target p0 1.1", (1, 1, []))])
def test_g11_a_token_comes_back_from_a_card_or_from_the_spent_ones(answer: str, left: tuple) -> None:
    state = position("p0: tokens=0 spent=1\n  hand: Clock, Fire Grunt\n  army 1: Well+\np1:\n  hand: Dark Grunt")
    recruit(state, "Clock")
    assert legal(state) == {"regain", "decline"} | targets("p0 1.1")
    play(state, answer, "pass")
    assert tokens(state, 0) == left
    assert ("activate 1.1" in legal(state)) == (answer != "regain")


@pytest.mark.ruling("G11")
def test_g11_with_all_tokens_ready_nothing_is_asked() -> None:
    state = play(position("p0:\n  hand: Clock, Fire Grunt\np1:\n  hand: Dark Grunt"), "play Clock")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("G12")
def test_g12_no_card_anywhere_no_token_for_cards() -> None:
    state = position(
        """
        p0:
          hand: Fire Grunt, Fire Scout
        draw_pile:
        discard_pile:
        revealed: rest
        """
    )
    assert not {"spend 1", "spend 2"} & legal(state)


@pytest.mark.ruling("G12")
def test_g12_with_fewer_cards_than_paid_for_one_gets_those() -> None:
    state = position("p0:\n  hand: Fire Grunt\ndraw_pile: Dark Hero\ndiscard_pile: Dark Boss\nrevealed: rest")
    play(state, "spend 2")
    assert hand(state, 0) == ["Dark Boss", "Dark Hero", "Fire Grunt"]
    assert tokens(state, 0) == (0, 2, [])


@pytest.mark.ruling("G21")
def test_g21_an_activated_power_is_not_offered_again() -> None:
    state = play(position("p0:\n  hand: Fire Grunt\n  army 1: Well\np1:\n  hand: Dark Grunt"), "activate 1.1")
    assert sizes(state) == [2, 1]
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("G21")
def test_g21_a_target_may_be_declined_and_the_token_is_spent_all_the_same() -> None:
    state = position("p0:\n  hand: Fire Grunt\n  army 1: Engine\np1:\n  hand: Dark Grunt\n  army 1: Dark Scout")
    play(state, "activate 1.1")
    assert legal(state) == {"decline"} | targets("p0 1.1", "p1 1.1")
    play(state, "decline")
    assert tokens(state, 0) == (1, 0, ["1.1"])
    assert discards(state) == []


@pytest.mark.ruling("G21")
def test_g21_a_goblin_may_be_activated_for_nothing() -> None:
    """No card lies in either pile, so a token buys none (G12); on the Well it may be put, and the turn is over."""
    state = position("p0:\n  army 1: Well\np1:\n  hand: Dark Grunt\ndraw_pile:\ndiscard_pile:\nrevealed: rest")
    assert "activate 1.1" in legal(state)
    assert not {"spend 1", "spend 2"} & legal(state)
    before = sizes(state)
    play(state, "activate 1.1")
    assert asked(state) == (1, "turn")
    assert sizes(state) == before
    assert tokens(state, 0) == (1, 0, ["1.1"])


@pytest.mark.ruling("G9")
def test_g9_after_the_turn_cap_tokens_cannot_be_spent_either() -> None:
    state = position("p0: taken=3\n  hand: Fire Grunt\n  army 1: Well", max_turns_per_round=3)
    assert legal(state) == {"pass"}
    assert player(state, 0)["tokens"]["ready"] == 2
