"""Phases A and D, the pool, the deck, and the end of the game."""

from __future__ import annotations

import pytest

import gosu_rl

from .table import asked, coins, conserved, game, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

FREE = "field: 1.2 (Meadow), 2.3 (Hamlet)"  # p0 stands apart from them


def turn(*lines: str, **setup: int) -> gosu_rl.core.game.GameState:
    """p0's turn begins, on an empty space of the house field."""
    return position("\n".join(lines) + f"\n{FREE}", house=True, **setup)


@pytest.mark.ruling("E2")
@pytest.mark.parametrize("k", [0, 1, 2])
def test_e2_a_token_for_each_of_two_cards_that_is_not_drawn(k: int) -> None:
    state = turn("p0: at=3.3 tokens=1", "p1: at=1.1")
    assert asked(state) == (0, "reinforce")
    assert legal(state) == {"draw 0", "draw 1", "draw 2"}
    play(state, f"draw {k}")
    assert player(state, 0)["hand_size"] == k
    assert player(state, 0)["tokens"] == 1 + 2 - k


@pytest.mark.ruling("E12")
def test_e12_no_more_cards_than_there_are_then_a_menu() -> None:
    state = turn("p0: at=3.3", "  hand: Ram, Knife, Hop, Shout", "p1: at=1.1", "draw_pile: Nope", "set_aside: rest")
    assert legal(state) == {"draw 0", "draw 1"}
    play(state, "draw 1")
    assert asked(state) == (0, "muster")
    assert legal(state) == {"done", "play Ram", "play Knife", "play Hop"}
    play(state, "play Ram", "play Knife")
    mustered = player(state, 0)
    assert mustered["machines"] == [["Ram", 2]]
    assert mustered["heroes"] == ["Knife"]
    assert mustered["tokens"] == 5 + 1 - 2 - 2, "crew and cost are loose tokens; the cost goes to the pool"
    assert conserved(state)


@pytest.mark.ruling("E12")
def test_e12_costs_and_whole_crews_must_be_there() -> None:
    state = turn("p0: at=3.3 tokens=0", "  hand: Ram, Knife, Scout", "p1: at=1.1", "stack: turns p0 stage=2; muster p0")
    assert legal(state) == {"done"}
    two = turn("p0: at=3.3 tokens=2", "  hand: Ram, Knife, Rider", "p1: at=1.1", "stack: turns p0 stage=2; muster p0")
    assert legal(two) == {"done", "play Ram", "play Knife"}
    play(two, "play Knife")
    assert player(two, 0)["tokens"] == 0, "one may go down to none"


@pytest.mark.ruling("E13")
def test_e13_the_pool_pays_as_long_as_it_lasts() -> None:
    state = turn("p0: at=3.3 tokens=23", "p1: at=1.1 tokens=30")
    play(state, "draw 0")
    assert player(state, 0)["tokens"] == 24
    assert state.as_dict()["pool"] == 0
    steal = turn(
        "p0: at=3.3 tokens=1",
        "  hand: Recruit",
        "p1: at=1.1 tokens=0",
        "  army: Ram:2",
        "stack: turns p0 stage=2; muster p0",
    )
    passed(play(steal, "play Recruit"))
    assert player(steal, 0)["tokens"] == 1, "crew is not stolen"
    three = "stack: turns p0 stage=2; muster p0"
    choice = turn(
        "p0: at=3.3", "  hand: Recruit", "p1: at=1.1 tokens=1", "p2: at=1.5 tokens=0", "  army: Ram:2", three, players=3
    )
    play(choice, "play Recruit")
    assert (player(choice, 0)["tokens"], player(choice, 1)["tokens"]) == (6, 0), "p2 has none to give: nothing to ask"


@pytest.mark.ruling("E14")
def test_e14_the_discard_pile_is_shuffled_in_when_a_card_is_wanted() -> None:
    state = turn("p0: at=3.3", "p1: at=1.1", "draw_pile: Nope", "discard_pile: rest")
    play(state, "draw 1")
    assert state.shuffles == 0
    assert state.as_dict()["draw_pile_size"] == 0
    assert len(state.as_dict()["discard_pile"]) > 10, "it lies face up"
    two = turn("p0: at=3.3", "p1: at=1.1", "draw_pile: Nope", "discard_pile: rest")
    play(two, "draw 2")
    assert two.shuffles == 1
    assert two.as_dict()["discard_pile"] == []
    assert player(two, 0)["hand_size"] == 2


@pytest.mark.ruling("E32")
def test_e32_an_army_without_anything_plays_on_and_may_stay() -> None:
    state = turn("p0: at=3.3 tokens=0", "p1: at=1.1 tokens=54", "draw_pile:", "set_aside: rest")
    assert asked(state) == (0, "march"), "no card to draw, no token in the pool, no card in hand"
    assert "stay" in legal(state)


@pytest.mark.ruling("E29")
def test_e29_phase_d_actions_then_empty_machines_then_discards_to_three() -> None:
    state = turn(
        "now: phase=D", "p0: at=3.3 tokens=2", "  hand: Shout, Curse, Back Gate, Gift, Rescue", "  army: Ram, Raft", "p1: at=1.1",
    )  # fmt: skip
    assert asked(state) == (0, "regroup")
    assert legal(state) == {"done", "play Gift"}
    play(state, "done")
    assert asked(state) == (0, "crew")
    play(state, "pick Raft")
    assert player(state, 0)["machines"] == [["Raft", 1]], "the Ram cannot be crewed with one token, and is discarded"
    assert "Ram" in state.as_dict()["discard_pile"]
    assert asked(state) == (0, "discard")
    play(state, "discard Curse", "discard Gift")
    assert player(state, 0)["hand"] == ["Back Gate", "Rescue", "Shout"]
    assert state.as_dict()["active"] == 1


@pytest.mark.ruling("E29")
def test_e29_the_limit_binds_the_active_player_only() -> None:
    state = turn("now: phase=D active=p0", "p0: at=3.3", "p1: at=1.1", "  hand: Shout, Curse, Back Gate, Gift, Rescue")
    assert state.as_dict()["active"] == 1
    assert player(state, 1)["hand_size"] == 5


@pytest.mark.ruling("E17")
def test_e17_in_phase_d_machines_that_are_not_crewed_are_discarded() -> None:
    state = turn("now: phase=D", "p0: at=3.3 tokens=9", "  army: Ram", "p1: at=1.1")
    assert asked(state) == (0, "crew")
    play(state, "decline")
    assert player(state, 0)["machines"] == []


# ---------------------------------------------------------------- the end

LAST = "now: phase=C active=p0 rng=3\np0: at=2.3 back=2.2 tokens={tokens}\n  army: {army}\n{more}field: 2.3 (Hamlet), 1.2 (Meadow)"


def last_town(
    more: str, army: str = "Rider, Ram:2, Ram/2:2", tokens: int = 12, players: int = 2
) -> gosu_rl.core.game.GameState:
    """p0 conquers the last Town: Attack 16 against 20 - 6."""
    return position(LAST.format(more=more, army=army, tokens=tokens), players, house=True)


@pytest.mark.ruling("E10")
@pytest.mark.ruling("E7")
def test_e7_e10_the_last_town_ends_the_game_at_once() -> None:
    state = last_town("p1: at=1.1\n  conquest: Meadow\n")
    assert state.over
    assert state.reason == "towns"
    assert state.returns.tolist() == [1, -1]
    assert player(state, 0)["points"] == 6
    assert player(state, 0)["tokens"] == 12 - coins(state).count(False) + 6
    assert state.as_dict()["towns_left"] == 0


@pytest.mark.ruling("E10")
def test_e10_with_two_towns_the_first_ends_nothing() -> None:
    twins = position(
        "now: phase=C active=p0\np0: at=1.3 back=1.2 tokens=30\np1: at=2.5\nfield: 1.3 (Hamlet), 1.4 (Hamlet)",
        house=True,
        layout=2,
    )
    assert not twins.over
    assert player(twins, 0)["points"] == 6
    assert twins.as_dict()["towns_left"] == 1


@pytest.mark.ruling("E7")
def test_e7_most_points_win_whoever_takes_the_town() -> None:
    state = last_town("p1: at=1.1\n  conquest: Gate, Gate, Brook\n")
    assert state.shares.tolist() == [0, 1], "8 points against 6"
    many = last_town("p1: at=1.1 tokens=30\n  conquest: Meadow, Meadow/2, Meadow/3\n")
    assert many.shares.tolist() == [1, 0], "3 points of three Lands against 6 of one"


@pytest.mark.ruling("E7")
def test_e7_ties_fall_by_lands_then_tokens_and_else_are_shared() -> None:
    lands = last_town("p1: at=1.1\n  conquest: Gate, Gate\n")
    assert lands.shares.tolist() == [0, 1], "six points each; two Lands against one"


@pytest.mark.ruling("E34")
@pytest.mark.ruling("E7")
def test_e7_e34_tokens_loose_and_crew_break_the_last_tie() -> None:
    equal = last_town("p1: at=1.1 tokens=1\n  conquest: Hamlet/2\n", army="Rider, Ram:2, Ram/2:2")
    assert equal.shares.tolist() == [1, 0], "6 points and a Land each; more tokens"
    more = last_town("p1: at=1.1 tokens=34\n  army: Raft:1\n  conquest: Hamlet/2\n", tokens=10)
    assert more.shares.tolist() == [0, 1]
    loose, crew = player(equal, 0)["tokens"], sum(crew for _, crew in player(equal, 0)["machines"])
    for theirs, shares in ((crew - 1, [1, 0]), (crew, [0.5, 0.5]), (crew + 1, [0, 1])):  # no card and no coin differs
        level = last_town(f"p1: at=1.1 tokens={loose + theirs}\n  conquest: Hamlet/2\n")
        assert level.shares.tolist() == shares


@pytest.mark.ruling("E8")
def test_e8_a_long_game_is_cut_off_without_a_winner() -> None:
    assert gosu_rl.game("epic_death").rules["max_decisions"] == 40_000
    state = game(2, max_decisions=30).new(seed=1)
    while not state.over:
        state.apply(state.legal[0])
    assert state.truncated
    assert state.decisions == 30
    assert state.returns.tolist() == [0, 0]
