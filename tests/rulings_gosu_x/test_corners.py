"""Corners that two readings of a ruling would settle in two ways, with cards made for them: X20, X29, X45, X47, X51, X55."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gosu_rl
from gosu_rl.core.cards.texts import text_faults
from gosu_rl.core.game import Game, GameState

from .table import OTHER, OWN, act, army, asked, hand, legal, play, player, sizes

pytestmark = pytest.mark.nojit
CARDS = Path(__file__).with_name("corners.toml")


@cache
def game(**rules: Any) -> Game:
    return gosu_rl.game("gosu_x", 2, CARDS, rules)


def position(one: str, other: str, now: str = "", **rules: Any) -> GameState:
    """p0 with OWN and p1 with OTHER; `one` and `other` are what stands below their names."""
    text = f"gosu_x, 2 players\np0: {one}\n  clans: {OWN}\np1: {other}\n  clans: {OTHER}\nnow: {now}\n"
    return game(**rules).parse(text)


@pytest.mark.ruling("X20")
def test_x20_a_limit_that_falls_and_rises_gives_no_turn_back_that_has_been_begun() -> None:
    state = position(
        "passed=1 turns_left=0\n  army 1: Slow",
        "turns_left=1\n  hand: Jailer\n  army 1: Guard",
        "active=p1 limit=5",
    )
    play(state, "play Jailer")  # the fourth of five turns: the limit is 3 for a moment
    assert army(state, 0)[0] == ["Slow"]
    assert asked(state) == (1, "turn")
    assert player(state, 1)["turns_left"] == 0  # it is the fifth
    assert state.game.parse(str(state)) == state
    play(state, "pass")
    assert state.as_dict()["round"] == 2


@pytest.mark.ruling("X20")
def test_x20_a_limit_below_the_turns_begun_leaves_none() -> None:
    state = position(
        "passed=1 turns_left=0\n  army 1: Slow",
        "turns_left=0\n  hand: Jailer\n  army 1: Guard",
        "active=p1 limit=5",
    )
    play(state, "play Jailer")  # his fifth turn: nothing is left when the limit is 5 again
    assert state.as_dict()["round"] == 2


@pytest.mark.ruling("X51")
def test_x51_that_is_no_card_that_has_left_and_come_back() -> None:
    state = position("\n  hand: Circler\n  army 1: Squire, Grunt", "")
    play(state, "play Circler")
    assert army(state, 0)[0] == ["Squire"]  # the only OPEN Troop has been returned
    play(state, "take Grunt")
    assert army(state, 0)[0] == ["Squire", "Grunt"]


@pytest.mark.ruling("X47")
@pytest.mark.parametrize("active", ["p0", "p1"])
def test_x47_a_force_of_will_that_takes_itself_back_ends_with_the_game_cut_off(active: str) -> None:
    state = position("\n  hand: Grunt", "\n  hand: Loop, Guard", f"active={active}", max_decisions=40)
    if active == "p0":
        act(state, "play Grunt")
        assert asked(state) == (1, "will")
    while not state.over:
        assert hand(state, 1) == ["Guard", "Loop"]
        act(state, "will Loop")
    assert state.truncated
    assert state.decisions == 40


@pytest.mark.ruling("X45")
@pytest.mark.parametrize(("kept", "left"), [("Squire", 2), ("Grunt", 1)])
def test_x45_how_many_cards_a_text_shows_is_seen_by_both(kept: str, left: int) -> None:
    state = position("\n  hand: Outer, Inner, Squire\n  army 1: Inner, Slow\n  deck: Grunt, Slow, rest", "")
    play(state, "play Outer")
    assert state.view(1).as_dict()["shown"] == 2
    play(state, "take Inner")  # puts Squire on top, looks at it and at Grunt, of which Outer's text shows one
    assert legal(state) == {"take Squire", "take Grunt"}
    play(state, f"take {kept}")
    assert state.as_dict()["shown"] == left
    assert state.view(1).as_dict()["shown"] == left
    assert state.view(1).known_hand(0) == []
    assert all(state.view(1).determinize(seed=k).view(1) == state.view(1) for k in range(5))


@pytest.mark.ruling("X55")
def test_x55_at_the_battle_this_turn_is_over_and_additional_speaks_of_the_last_one() -> None:
    state = position(
        "passed=1 turns_left=0\n  army 1: Grunt", "turns_left=3\n  hand: Rush\n  army 1: Late", "active=p1 limit=3"
    )
    play(state, "play Rush")
    assert state.as_dict()["additional"]
    battle = play(state.copy(), "pass")  # Late is worth 1 more in an additional turn
    assert [player(battle, q)["points"] for q in range(2)] == [0, 1]
    play(state, "spend 1")
    assert player(state, 1)["this_turn"]["drawn"] == 0
    play(state, "pass")  # in a turn that is no additional one; the card that he has drawn was of another turn
    assert [player(state, q)["points"] for q in range(2)] == [1, 1]


@pytest.mark.ruling("X29")
def test_x29_one_amount_for_both_players() -> None:
    state = position("\n  hand: Grunt", "\n  hand: Giver, Guard\n  army 1: Sully", "active=p1")
    play(state, "play Giver", "accept")
    assert sizes(state) == [1, 2]  # one card, as many as were in his hand
    play(state, "accept")
    assert sizes(state) == [2, 2]


@pytest.mark.ruling("X29")
def test_x29_a_price_of_the_other_player_must_be_payable_in_full_too() -> None:
    state = position("\n  hand: Grunt, Slow", "\n  hand: Pusher\n  army 1: Guard", "active=p1")
    play(state, "play Pusher")
    assert asked(state) == (0, "may")
    assert sizes(play(state, "accept"))[0] == 0
    state = position("\n  hand: Grunt", "\n  hand: Pusher\n  army 1: Guard", "active=p1")
    play(state, "play Pusher")
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X29")
@pytest.mark.parametrize(
    "words", ["own other", "self not-self", "self mirror", "mirror left", "self row", "up captured"]
)
def test_x29_a_filter_that_nothing_can_fit_is_refused(words: str) -> None:
    assert any("exclude each other" in fault for fault in text_faults([f"capture {{{words}}}"]))
    assert text_faults(["capture {row column above}"]) == []


@pytest.mark.ruling("X45")
@pytest.mark.parametrize("sunk", ["Squire/1", "Squire/2"])
def test_x45_of_two_alike_nobody_knows_which_one_turns_up(sunk: str) -> None:
    """Both know that a Squire lies in the deck; when one is revealed it may be that one, so the other card there is unknown."""
    rest = "Grunt, Grunt, Slow, Slow, Circler, Outer, Searcher"
    text = f"\n  hand: Shower, Inner\n  army 1: Inner\n  deck: Squire/2, Squire/1\n  discard: {rest}"
    state = position(text, "", "\nsunk: " + sunk)
    play(state, "play Shower")
    assert state.view(1).known_hand(0) == []
    assert {tuple(hand(state.view(1).determinize(seed=k), 0)) for k in range(40)} == {("Inner",), ("Squire",)}


@pytest.mark.ruling("X45")
@pytest.mark.parametrize(
    "deck", ["Squire/1*, Squire/2", "Squire/2, Squire/1*", "Squire/2*, Squire/1", "Squire/1, Squire/2*"]
)
def test_x45_a_card_that_is_fetched_may_be_the_one_that_both_knew(deck: str) -> None:
    rest = "Grunt, Grunt, Slow, Slow, Circler, Outer, Shower"
    state = position(f"\n  hand: Searcher, Inner\n  army 1: Inner\n  deck: {deck}\n  discard: {rest}", "")
    play(state, "play Searcher", "take Squire")
    assert state.view(1).known_hand(0) == ["Squire"]
    assert {tuple(hand(state.view(1).determinize(seed=k), 0)) for k in range(40)} == {
        ("Inner", "Squire"),
        ("Squire", "Squire"),
    }
