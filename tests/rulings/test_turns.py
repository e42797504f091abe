"""Turns: their order, passing, extra turns, and the two limits that end very long play (T4-T7, T24, T34-T36, T44, T45)."""

from __future__ import annotations

import pytest

from .table import army, asked, game, hand, legal, named, play, player, position


def turns_left(*seats: int, state: object) -> list[int | None]:
    """Regular turns left by seat; None while nobody has passed."""
    return [player(state, seat)["turns_left"] for seat in seats]  # type: ignore[arg-type]


THREE = """
    now: in_turn=0 first=p1 active=p1 advantage=p1
    p0:
      hand: Fire Trooper, Fire Scout, Fire Guard
    p1:
      hand: Dark Trooper, Dark Scout, Dark Scout, Dark Trooper
    p2:
      hand: Fire Trooper, Enter Advantage, Enter Advantage MAX, Alpha Trooper
    stack: turns p0
    """


@pytest.mark.ruling("T4")
def test_t4_clockwise_from_the_holder_and_the_order_stays() -> None:
    state = position(THREE, players=3)
    movers = [state.mover]
    play(state, "play Dark Trooper")
    movers.append(state.mover)
    play(state, "play Enter Advantage", "accept")
    assert (state.advantage, asked(state)) == (2, (2, "turn"))  # the extra turn
    play(state, "play Fire Trooper")
    movers.append(state.mover)
    play(state, "play Fire Trooper")
    movers.append(state.mover)
    assert movers == [1, 2, 0, 1]
    assert state.as_dict()["first"] == 1
    play(state, "pass", "pass", "pass")
    assert (state.round, state.as_dict()["first"], state.advantage) == (2, 2, 2)  # the next round is the new holder's
    play(state, "keep", "keep", "keep")
    assert asked(state) == (2, "turn")


@pytest.mark.ruling("T5")
def test_t5_recruit_mutate_or_pass_one_a_turn() -> None:
    state = position("""
        p0:
          hand: Fire Trooper, Fire Scout, Dark Trooper
          army 1: Mutant
        p1:
          hand: Dark Scout
        """)
    assert legal(state) == named("Fire Trooper", "Fire Scout", "Dark Trooper")
    play(state.copy(), "pass")
    recruited = play(state.copy(), "play Fire Trooper", "recruit")
    assert asked(recruited) == (1, "turn")
    mutated = play(state.copy(), "play Dark Trooper", "replace 1.1", "discard Fire Scout")
    assert (asked(mutated), army(mutated, 0)) == ((1, "turn"), [["Dark Trooper"]])


@pytest.mark.ruling("T5")
def test_t5_pass_alone_where_nothing_can_be_played() -> None:
    state = position("p0:\n  hand: Dark Hero, Fire Chief\n  army 1: Fire Trooper\np1:\n  hand: Dark Scout")
    assert (asked(state), legal(state)) == ((0, "turn"), {"pass"})


@pytest.mark.ruling("T6")
def test_t6_three_turns_after_the_first_pass_never_renewed_then_out() -> None:
    state = position(THREE, players=3)
    assert turns_left(0, 1, 2, state=state) == [None, None, None]
    play(state, "pass")  # p1
    assert turns_left(0, 1, 2, state=state) == [3, 0, 3]
    play(state, "play Fire Trooper", "play Fire Trooper")  # p2, p0
    assert turns_left(0, 1, 2, state=state) == [2, 0, 2]
    play(state, "pass")  # p2: a later pass
    assert turns_left(0, 1, 2, state=state) == [2, 0, 0]
    play(state, "play Fire Scout")
    assert turns_left(0, 1, 2, state=state) == [1, 0, 0]
    assert not player(state, 0)["passed"]
    play(state, "play Fire Guard")  # his third: he is out, and the battle is fought
    assert (state.round, state.points) == (2, [1, 0, 0])
    assert game().rules["turns_after_pass"] == 3


@pytest.mark.ruling("T7")
def test_t7_extra_turns_come_at_once_and_pile_up() -> None:
    state = position("""
        p0:
          hand: Enter Advantage, Fire Trooper, Fire Scout
          army 1: Link Advantage
        p1:
          hand: Dark Scout
        """)
    play(state, "play Enter Advantage", "accept", "accept")
    assert (asked(state), player(state, 0)["extra_turns"]) == ((0, "turn"), 1)  # one being taken, one more to come
    play(state, "play Fire Trooper")
    assert (asked(state), player(state, 0)["extra_turns"]) == ((0, "turn"), 0)
    play(state, "play Fire Scout")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("T7")
def test_t7_extra_turns_do_not_count_and_one_won_on_the_last_turn_is_played() -> None:
    state = position("""
        now: advantage=p1
        p0: turns_left=1
          hand: Enter Advantage, Enter Advantage MAX, Fire Trooper
          army 1: Fire Scout
        p1: turns_left=0 passed=1
        """)
    play(state, "play Enter Advantage", "accept")
    assert (asked(state), turns_left(0, state=state)) == ((0, "turn"), [0])
    play(state, "play Enter Advantage MAX", "accept")
    assert (asked(state), state.round) == ((0, "turn"), 1)
    play(state, "play Fire Trooper")
    assert state.round == 2
    early = position("""
        p0: turns_left=3
          hand: Enter Advantage, Fire Trooper
        p1: turns_left=0 passed=1
        """)
    play(early, "play Enter Advantage", "accept")
    assert turns_left(0, state=early) == [2]
    play(early, "play Fire Trooper")
    assert turns_left(0, state=early) == [2]


@pytest.mark.ruling("T7")
def test_t7_passing_forfeits_extra_turns() -> None:
    state = position("""
        p0:
          hand: Enter Advantage, Fire Trooper
          army 1: Link Advantage
        p1:
          hand: Dark Scout
        """)
    play(state, "play Enter Advantage", "accept", "accept", "pass")
    assert (asked(state), player(state, 0)["extra_turns"], player(state, 0)["passed"]) == ((1, "turn"), 0, True)
    assert turns_left(0, 1, state=state) == [0, 3]


@pytest.mark.ruling("T34")
def test_t34_an_extra_turn_is_an_ordinary_turn_that_cannot_be_skipped() -> None:
    text = """
        p0:
          hand: Enter Advantage, {rest}
          army 1: Free Mutant
        p1:
          hand: Dark Scout
        """
    state = play(position(text.format(rest="Fire Trooper, Alpha Trooper")), "play Enter Advantage", "recruit", "accept")
    assert legal(state) == named("Fire Trooper", "Alpha Trooper")  # recruit, mutate, pass; nothing else ends it
    play(state.copy(), "play Fire Trooper", "recruit")
    mutated = play(state.copy(), "play Alpha Trooper")
    assert army(mutated, 0) == [["Alpha Trooper", "Enter Advantage"]]
    stuck = play(position(text.format(rest="Dark Hero")), "play Enter Advantage", "recruit", "accept")
    assert (asked(stuck), legal(stuck)) == ((0, "turn"), {"pass"})
    play(stuck, "pass")
    assert player(stuck, 0)["passed"]


@pytest.mark.ruling("T34")
@pytest.mark.parametrize("holder", [0, 1])
def test_t34_each_power_adds_a_turn_even_for_the_holder(holder: int) -> None:
    state = position(f"now: advantage=p{holder}\np0:\n  hand: Enter Advantage, Fire Scout\np1:\n  hand: Dark Scout")
    play(state, "play Enter Advantage", "accept")
    assert (state.advantage, asked(state)) == (0, (0, "turn"))


@pytest.mark.ruling("T35")
def test_t35_running_out_is_no_pass_and_starts_no_count() -> None:
    state = position(
        """
        now: active=p1
        p0: turns_left=0 passed=1
        p1: turns_left=1
          hand: Dark Trooper, Dark Scout
        p2: turns_left=2
          hand: Fire Trooper, Fire Scout
        """,
        players=3,
    )
    play(state, "play Dark Trooper")  # the last turn of p1
    assert turns_left(0, 1, 2, state=state) == [0, 0, 2]
    assert not player(state, 1)["passed"]
    assert asked(state) == (2, "turn")


@pytest.mark.ruling("T35")
def test_t35_a_pass_in_an_extra_turn_is_the_first_pass() -> None:
    state = position("p0:\n  hand: Enter Advantage, Fire Scout\np1:\n  hand: Dark Scout")
    play(state, "play Enter Advantage", "accept", "pass")
    assert turns_left(0, 1, state=state) == [0, 3]


@pytest.mark.ruling("T35")
def test_t35_a_round_in_which_all_pass_at_once_has_its_battle() -> None:
    state = position(
        "now: in_turn=0\np0:\n  hand: Fire Scout\np1:\n  hand: Dark Scout\n  army 1: Dark Trooper\nstack: turns p0"
    )
    play(state, "pass")
    assert (asked(state), state.round) == ((1, "turn"), 1)
    play(state, "pass")
    assert (state.round, state.points) == (2, [0, 1])


@pytest.mark.ruling("T36")
def test_t36_clockwise_skipping_who_is_out() -> None:
    text = """
        now: active=p3
        p0: turns_left=0 passed=1
        p1: turns_left=0
        p2: turns_left=2
          hand: Fire Trooper, Fire Scout
        p3: turns_left=3
          hand: Dark Trooper, Dark Scout, Dark Hero
        """
    state = position(text, players=4)
    play(state, "play Dark Trooper")
    assert asked(state) == (2, "turn")
    play(state, "play Fire Trooper")
    assert asked(state) == (3, "turn")


@pytest.mark.ruling("T36")
def test_t36_extra_turns_do_not_move_the_seat_that_is_next() -> None:
    state = position(THREE.replace("active=p1", "active=p2"), players=3)
    play(state, "play Enter Advantage", "accept", "play Fire Trooper")
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("T36")
def test_t36_turns_are_counted_when_they_end() -> None:
    state = position("""
        p0: turns_left=2
          hand: Dark Trooper, Fire Trooper, Fire Scout, Fire Guard
          army 1: Fire Scout
        p1: turns_left=0 passed=1
        """)
    play(state, "play Dark Trooper", "discard Fire Trooper")
    assert (state.kind, turns_left(0, state=state), player(state, 0)["turns_taken"]) == ("pay", [2], 0)
    play(state, "discard Fire Scout")
    assert (state.kind, turns_left(0, state=state), player(state, 0)["turns_taken"]) == ("turn", [1], 1)
    assert turns_left(1, state=state) == [0]


@pytest.mark.ruling("T44")
@pytest.mark.parametrize(("taken", "may"), [(59, {"pass", "play Fire Scout"}), (60, {"pass"})])
def test_t44_after_sixty_turns_in_a_round_only_pass(taken: int, may: set[str]) -> None:
    assert legal(position(f"p0: taken={taken}\n  hand: Fire Scout\np1:\n  hand: Dark Scout")) == may
    assert game().rules["max_turns_per_round"] == 60


@pytest.mark.ruling("T44")
def test_t44_extra_turns_count_and_the_report_says_how_often() -> None:
    state = position("p0:\n  hand: Enter Advantage, Fire Scout\np1:\n  hand: Dark Scout", max_turns_per_round=1)
    log = state.game.log(state)
    for label in ("play Enter Advantage", "accept"):
        play(state, label)
        log.note(state)
    assert (asked(state), legal(state)) == ((0, "turn"), {"pass"})  # the extra turn is his second
    for label in ("pass", "play Dark Scout", "pass", "keep", "keep", "pass", "pass"):
        if state.over or label not in legal(state):
            break
        play(state, label)
        log.note(state)
    assert int(state.record["capped"][0]) == 2  # p0's second turn, and p1's


@pytest.mark.ruling("T24")
@pytest.mark.ruling("T45")
def test_t24_t45_a_game_over_the_limit_is_truncated_without_a_winner() -> None:
    state = position("p0:\n  hand: Fire Scout\np1:\n  hand: Dark Scout", max_decisions=2)
    play(state, "play Fire Scout")
    assert not state.over
    play(state, "play Dark Scout")  # the second decision has been put and taken
    assert (state.over, state.truncated, state.reason) == (True, True, "truncated")
    assert (state.shares.tolist(), state.returns.tolist()) == ([0.0, 0.0], [0.0, 0.0])
    assert (state.legal, state.mover, state.kind) == ([], -1, "over")
    assert game().rules["max_decisions"] == 20_000


@pytest.mark.ruling("T45")
def test_t45_a_game_won_with_its_last_decision_is_won() -> None:
    text = """
        p0:
          hand: Fire Scout
          army 1: Fire Trooper, Fire Scout, Fire Guard, Fire Trooper
          army 2: Fire Hero, Fire Champion, Fire Hero
          army 3: Fire Chief
        p1:
          hand: Dark Scout
        """
    state = position(text, max_decisions=1)
    play(state, "play Fire Scout")
    assert (state.over, state.truncated, state.reason) == (True, False, "nine")


@pytest.mark.ruling("T24")
def test_t24_many_games_mark_what_was_truncated() -> None:
    games = game(max_decisions=30).playouts(20, seed=4)
    assert games.truncated.all()
    assert set(games.reasons.tolist()) == {"truncated"}
    assert not games.shares.any()
    assert not games.returns.any()
    assert (games.decisions == 30).all()


def test_hands_are_untouched_by_a_pass() -> None:
    state = position("p0:\n  hand: Fire Scout\np1:\n  hand: Dark Scout")
    play(state, "pass")
    assert [hand(state, q) for q in (0, 1)] == [["Fire Scout"], ["Dark Scout"]]
