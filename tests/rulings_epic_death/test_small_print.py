"""The small print: prices, crew that goes altogether, who chooses what, when traits work, and what `as_dict` leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.core.game import GameState

from .table import CARDS, asked, coins, conserved, dead, first_with, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

FREE = "field: 1.2 (Meadow), 1.4 (Meadow), 2.3 (Hamlet)"
LENT = """
[[card]]
name = "Charity"
kind = "action"
when = ["a", "d"]
steps = ["choose other", "take_back any"]
[[card]]
name = "Watchman"
kind = "action"
when = ["a", "b", "d"]
steps = ["choose other", "peek"]
"""  # steps that work for whoever was named


def menu(*lines: str, phase: str = "A", players: int = 2) -> GameState:
    """p0 has a menu before him, on a space of the nearly empty house field."""
    stack = {"A": "stack: turns p0 stage=2; muster p0", "D": "stack: turns p0 stage=5; regroup p0"}[phase]
    return position("\n".join([f"now: phase={phase}", *lines, FREE, stack]), players, house=True)


def lent(tmp_path: Path, *lines: str) -> GameState:
    """The same with three players and the two cards more."""
    path = tmp_path / "lent.toml"
    path.write_text(CARDS.read_text(encoding="utf-8") + LENT, encoding="utf-8")
    game = gosu_rl.game("epic_death", 3, path, {"layout": 1})
    return game.parse("\n".join(["epic_death, 3 players", *lines, FREE, "stack: turns p0 stage=2; muster p0"]))


# ---------------------------------------------------------------- prices


@pytest.mark.ruling("E33")
def test_e33_a_discard_in_front_is_a_price_all_else_may_be_for_nothing() -> None:
    poor = menu("p0: at=1.3 tokens=5\n  leader: Seller", "p1: at=1.5")
    assert asked(poor) == (0, "march"), "no card to pay with, so no ability, and nothing else in this menu"
    paid = menu("p0: at=1.3 tokens=5\n  leader: Seller", "  hand: Nope", "p1: at=1.5")
    assert legal(paid) == {"done", "ability"}
    empty = menu("p0: at=1.3 tokens=54\n  leader: Helper", "p1: at=1.5 tokens=0", phase="D")
    assert legal(empty) == {"done", "ability"}, "the pool is empty, and it may be used all the same"
    play(empty, "ability")
    assert empty.as_dict()["players"][0]["tokens"] == 54


@pytest.mark.ruling("E13")
def test_e13_there_are_tokens_for_six_players_whatever_their_number() -> None:
    for players in (2, 4):
        with pytest.raises(ValueError, match=r"all_tokens \(29\) is too small for 6 times rule tokens \(5\)"):
            gosu_rl.game("epic_death", players, rules={"layout": 1, "all_tokens": 29})
        state = gosu_rl.game("epic_death", players, rules={"layout": 1, "all_tokens": 30}).new(seed=1)
        assert state.as_dict()["pool"] == 30 - 5 * players


# ---------------------------------------------------------------- crew


@pytest.mark.ruling("E47")
@pytest.mark.ruling("E48")
def test_e47_e48_crew_that_is_tossed_altogether_is_no_question_and_crew_that_is_lost_is() -> None:
    beaten = position(
        "now: phase=C\np0: at=2.2 back=1.2 tokens=0\n  army: Ram:2, Raft:1\nfield: 2.2 (Siege Gate), rest", house=True
    )
    assert asked(beaten) == (0, "epic")
    play(beaten, "fight")
    assert len(coins(beaten)) == 3, "all three, in the order of the Machines"
    lost = menu("p0: at=1.3 tokens=5", "  hand: Plague", "p1: at=1.5 tokens=1", "  army: Ram:2, Raft:1")
    play(lost, "play Plague")
    assert player(lost, 1)["tokens"] == 0
    assert asked(lost) == (1, "lose"), "three of three must go, and he says which goes first"
    assert legal(lost) == {"pick Ram", "pick Raft"}
    play(lost, "pick Ram")
    assert asked(lost) == (1, "lose"), "token by token"
    play(lost, "pick Raft")
    assert player(lost, 1)["machines"] == [["Ram", 0], ["Raft", 0]], "the last one is no question any more"
    assert conserved(lost)


# ---------------------------------------------------------------- who chooses


@pytest.mark.ruling("E33")
@pytest.mark.ruling("E42")
def test_e33_e42_a_fighter_may_be_oneself() -> None:
    fray = position(f"now: phase=B\np0: at=1.3 tokens=2\n  hand: Curse\np1: at=1.2 tokens=4\n{FREE}", house=True)
    play(fray, "space 1.2", "play Curse")
    assert legal(fray) == {"player p0", "player p1"}
    alone = position("now: phase=C\np0: at=1.2 tokens=9\n  hand: Curse, Shout\nfield: 1.2 (Meadow), rest", house=True)
    play(alone, "play Curse")
    assert alone.as_dict()["combat"]["attack_change"] == {0: -2}, "the only one to name"


@pytest.mark.ruling("E42")
def test_e42_who_was_named_takes_back_and_who_plays_the_card_looks(tmp_path: Path) -> None:
    lines = ("p0: at=1.5", "  hand: Charity, Watchman", "p1: at=1.3", "p2: at=3.5", "discard_pile: Gift, Duel")
    state = lent(tmp_path, *lines)
    play(state, "play Charity", "player p1")
    assert asked(state) == (1, "take")
    play(state, "take Duel")
    assert player(state, 1)["hand"] == ["Duel"]
    passed(play(state, "play Watchman"))
    play(state, "player p1")
    assert asked(state) == (0, "peek")
    assert legal(state) == {"space 1.2", "space 1.4", "space 2.3"}, "beside the Army of p1"
    play(state, "space 1.2")
    assert state.as_dict()["field"]["1.2"]["peeked"] == [0]


# ---------------------------------------------------------------- when traits work

LOST = """
    now: phase=C rng=?
    p0: at=2.2 back=1.2 tokens=4
      leader: {}
      hand: Rescue
    p1: at=1.5
    field: 2.2 (Siege Gate), rest
    """


@pytest.mark.ruling("E49")
def test_e49_a_healer_works_before_the_question_and_a_rear_guard_after_it() -> None:
    healed = first_with(
        LOST.format("Doctor"), lambda s: coins(s) == [False, False, False, False, True], "pass", house=True
    )
    assert asked(healed) == (0, "after_toss")
    assert player(healed, 0)["tokens"] == 1
    assert healed.as_dict()["combat"]["fallen"] == {0: 3}, "what Actions can still bring back"
    guarded = first_with(LOST.format("Keeper"), lambda s: dead(s) == 4, "pass", house=True)
    assert asked(guarded) == (0, "after_toss")
    assert (player(guarded, 0)["tokens"], player(guarded, 0)["space"]) == (0, "2.2")
    play(guarded, "play Rescue")
    assert (player(guarded, 0)["tokens"], player(guarded, 0)["space"]) == (2 + 1, "1.2"), "then the retreat"


@pytest.mark.ruling("E49")
def test_e49_a_pathfinders_second_step_is_a_march_without_actions_and_ability() -> None:
    state = position(
        f"now: phase=B\np0: at=1.1\n  leader: Looker\n  army: Scout\n  hand: Hop\np1: at=3.5\n{FREE}", house=True
    )
    assert {"ability", "play Hop"} < legal(state)
    play(state, "space 2.1")
    assert asked(state) == (0, "march")
    assert legal(state) == {"stay", "space 1.1", "space 2.2", "space 3.1"}


# ---------------------------------------------------------------- as_dict


@pytest.mark.ruling("E22")
@pytest.mark.ruling("E44")
def test_e22_e44_back_is_told_on_lands_only_and_peeked_of_face_down_lands_only() -> None:
    state = menu("p0: at=1.3 tokens=3", "  hand: Spy", "p1: at=3.5")
    play(state, "play Spy", "space 1.2")
    assert state.as_dict()["field"]["1.2"]["peeked"] == [0]
    assert player(state, 0)["back"] is None
    play(state, "space 1.2")  # which turns the Land up, and is lost
    assert player(state, 0)["space"] == "1.3"
    assert player(state, 0)["back"] is None
    there = state.as_dict()["field"]["1.2"]
    assert (there["face_up"], there["peeked"]) == (True, [])
    waiting = position(f"now: phase=A\np0: at=1.2 back=1.1\np1: at=3.5\n{FREE}", house=True)
    assert player(waiting, 0)["back"] == "1.1"


@pytest.mark.ruling("E23")
@pytest.mark.ruling("E39")
def test_e23_e39_what_combat_and_effect_tell_and_when_they_are_none() -> None:
    state = menu(
        "p0: at=1.3 tokens=5",
        "  hand: Push, Nope",
        "p1: at=1.5 tokens=1",
        "  hand: Ram",
        "p2: at=2.5 tokens=4",
        players=3,
    )
    play(state, "play Push")
    assert asked(state) == (1, "answer")
    assert state.as_dict()["effect"] is None, "an Action that waits for answers does nothing yet"
    play(passed(state), "player p1")
    assert asked(state) == (0, "step")
    play(state, "space 2.5")
    assert asked(state) == (0, "window"), "of the Fray that the move has caused"
    facts = state.as_dict()
    assert facts["effect"] == {"card": "Push", "step": "move", "subject": 1}, "which is still being carried out"
    assert facts["combat"]["fighters"] == [1, 2]
    passed(state)
    assert asked(state) == (1, "flee")
    assert state.as_dict()["combat"] is None, "all tosses are done"
