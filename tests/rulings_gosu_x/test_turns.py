"""Turns, passing, the timer, the hand limit: X3, X4, X5, X19, X20, X21, X22, X47, X53, X59."""

from __future__ import annotations

from pathlib import Path

import pytest

from .table import asked, game, hand, legal, pile, play, player, position, rewritten, sizes, tokens

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("X3")
def test_x3_nobody_passes_first_with_tokens_in_hand() -> None:
    state = position("p0:\n  hand: Just Grunt")
    assert "pass" not in legal(state)
    state = position("p0: tokens=0 spent=2\n  hand: Just Grunt\np1:\n  hand: Hurry")
    play(state, "pass")
    assert asked(state) == (1, "turn")
    assert "pass" in legal(state)  # with tokens: the other has passed


@pytest.mark.ruling("X4")
def test_x4_three_turns_after_the_pass() -> None:
    state = position("p0: tokens=0 spent=2\np1:\n  hand: Hurry, Tomo Grunt")
    play(state, "pass")
    assert player(state, 1)["turns_left"] == 2  # one has begun
    play(state, "spend 1", "spend 1")
    assert asked(state) == (1, "turn")
    assert player(state, 1)["turns_left"] == 0
    play(state, "play Tomo Grunt")
    assert state.as_dict()["round"] == 2


@pytest.mark.ruling("X4")
@pytest.mark.ruling("X48")
def test_x4_x48_two_turns_with_galmis_tile() -> None:
    state = position("p0: tokens=0 spent=2\np1:\n  hand: Hurry, Tomo Grunt", own="Justice, Abhilasha, Phoenix")
    play(state, "pass", "spend 1")
    assert player(state, 1)["turns_left"] == 0


@pytest.mark.ruling("X4")
@pytest.mark.ruling("X20")
def test_x4_x20_additional_turns_count_and_the_last_one_gives_none() -> None:
    state = position(
        "p0: tokens=0 spent=2\np1: tokens=0 spent=2\n  hand: Hurry, Hurry, Tomo Grunt\n  army 1: Tomo Grunt"
    )
    play(state, "pass", "play Hurry", "recruit")
    assert state.as_dict()["additional"]
    assert player(state, 1)["turns_left"] == 1
    play(state, "play Tomo Grunt", "recruit")
    assert asked(state) == (1, "turn")
    assert not state.as_dict()["additional"]
    play(state, "play Hurry")  # won in the last turn: lost
    assert state.as_dict()["round"] == 2


@pytest.mark.ruling("X4")
def test_x4_an_additional_turn_gives_no_other() -> None:
    state = position("p0:\np1:\n  hand: Hurry, Hurry, Tomo Grunt\nnow: active=p1")
    play(state, "play Hurry")
    assert asked(state) == (1, "turn")
    play(state, "play Hurry")
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X5")
def test_x5_seven_cards_at_the_end_of_the_own_turn() -> None:
    text = """
        p0:
          hand: Just Grunt, Just Grunt, Usher, Usher, Digger, Planner, Ghost
        p1:
          hand: Hurry, Hurry, Tomo Grunt, Tomo Grunt, Xian Grunt, Xian Grunt, Sneak, Sneak, Veteran
        """
    state = play(position(text), "spend 2")
    assert asked(state) == (0, "discard")
    play(state, "discard Just Grunt", "discard Just Grunt")
    assert asked(state) == (0, "discard")
    play(state, "discard Usher")
    assert sizes(state) == [7, 9]  # the other's hand is not looked at before his own turn
    assert pile(state, 0) == ["Just Grunt", "Just Grunt", "Usher"]


@pytest.mark.ruling("X5")
def test_x5_five_while_narashimas_tile_is_active() -> None:
    state = position(
        "p0:\n  hand: Just Grunt, Usher, Digger, Planner, Ghost\n",
        own="Justice, Galmi, Phoenix",
        other="Goan Sul, Tomorrow, Xi'an",
    )
    assert "Narashima" in state.as_dict()["tiles"]
    play(state, "spend 1")
    assert asked(state) == (0, "discard")
    play(state, "discard Ghost")
    assert sizes(state)[0] == 5


@pytest.mark.ruling("X19")
def test_x19_the_hand_limit_comes_before_an_additional_turn() -> None:
    state = position("p0:\np1:\n  hand: Hurry, Tomo Grunt, Xian Grunt, Sneak, Veteran, Veteran, Sneak\nnow: active=p1")
    play(state, "play Hurry")
    assert asked(state) == (1, "discard")
    play(state, "discard Sneak")
    assert asked(state) == (1, "turn")
    assert state.as_dict()["additional"]


@pytest.mark.ruling("X20")
def test_x20_who_has_used_up_his_turns_is_out_as_if_he_had_passed() -> None:
    state = position(
        "p0: tokens=0 spent=2\np1: tokens=0 spent=2\n  hand: Hurry, Tomo Grunt, Xian Grunt", turns_after_pass=1
    )
    play(state, "pass")
    assert asked(state) == (1, "turn")
    play(state, "play Tomo Grunt")
    assert state.as_dict()["round"] == 2  # the battle has been fought


@pytest.mark.ruling("X20")
def test_x20_a_tile_turned_meanwhile_changes_the_limit() -> None:
    state = position(
        """
        p0: passed=1 turns_left=0
        p1: turns_left=1
          hand: Judge
          army 1: Galm Grunt, Just Grunt
          army 2: Galm Hero, Just Hero
          army 3: Galm Lord
        now: active=p1 first=p0
        """,
        own="Goan Sul, Tomorrow, Phoenix",
        other="Justice, Galmi, Xi'an",
    )
    assert player(state, 1)["turns_left"] == 1
    play(state, "play Judge")
    assert "Galmi" in state.as_dict()["tiles"]
    assert asked(state) == (1, "song")  # 1 left of 3 turns is none left of 2


@pytest.mark.ruling("X21")
def test_x21_a_pass_by_an_effect_needs_an_empty_token_hand() -> None:
    text = "p0: {}\n  hand: Leaver\n  army 1: Galm Grunt\np1:\n  hand: Hurry"
    state = play(position(text.format("tokens=1 spent=1")), "play Leaver")
    assert not player(state, 0)["passed"]
    assert asked(state) == (1, "turn")
    assert player(state, 1)["turns_left"] is None
    state = play(position(text.format("tokens=0 spent=2")), "play Leaver")
    assert player(state, 0)["passed"]
    assert player(state, 1)["turns_left"] == 2


@pytest.mark.ruling("X22")
def test_x22_tokens_can_be_spent_with_nothing_to_draw() -> None:
    state = position("p0:")
    removed = ", ".join(str(card) for card in player(state, 0)["deck"])
    state = position(f"p0:\n  deck: rest\np1:\nremoved: {removed}")
    assert sizes(state)[0] == player(state, 0)["deck_size"] == 0
    assert {"spend 1", "spend 2"} <= legal(state)
    play(state, "spend 2")
    assert tokens(state, 0)[:2] == (0, 2)
    assert sizes(state)[0] == 0


@pytest.mark.ruling("X47")
def test_x47_a_game_of_too_many_decisions_is_cut_off() -> None:
    assert game().rules["max_decisions"] == 4_000
    state = game(max_decisions=3).new(seed=1)
    while not state.over:
        state.apply(state.legal[0])
    assert state.truncated
    assert state.decisions == 3


@pytest.mark.ruling("X53")
def test_x53_two_additional_turns_are_one() -> None:
    state = position(
        "p0:\np1:\n  hand: Hurry, Second Wind, Tomo Grunt, Xian Grunt\n  army 1: Tomo Grunt\nnow: active=p1"
    )
    play(state, "will Second Wind")
    assert asked(state) == (1, "turn")
    play(state, "play Hurry", "recruit")
    assert state.as_dict()["additional"]
    play(state, "play Tomo Grunt", "recruit")
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X59")
def test_x59_force_of_will_is_in_the_menu_and_does_not_use_up_the_turn() -> None:
    state = position("p0:\np1:\n  hand: Second Wind, Tomo Grunt, Xian Grunt, Sneak\nnow: active=p1")
    assert "will Second Wind" in legal(state)
    play(state, "will Second Wind")
    assert asked(state) == (1, "turn")
    assert hand(state, 1) == ["Sneak", "Tomo Grunt", "Xian Grunt"]
    assert pile(state, 1) == ["Second Wind"]


@pytest.mark.ruling("X59")
def test_x59_a_pass_by_force_of_will_ends_the_turn(tmp_path: Path) -> None:
    cards = rewritten(
        tmp_path, ('text = ["extra_turn"]\nwill = ["active", "hand >= 3"]', 'text = ["pass"]\nwill = ["active"]')
    )
    text = "p0:\n  hand: Ghost\np1: tokens=0 spent=2\n  hand: Second Wind, Tomo Grunt\nnow: active=p1"
    state = play(position(text, of=cards), "will Second Wind")
    assert player(state, 1)["passed"]
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X53")
def test_x53_force_of_will_in_the_others_turn_gives_no_additional_turn(tmp_path: Path) -> None:
    old = 'text = ["draw 1"]\nwill = ["other.active"]'
    cards = rewritten(tmp_path, (old, 'text = ["extra_turn", "if_done", "draw 1"]\nwill = ["other.active"]'))
    state = position("p0:\n  hand: Ghost\np1:\n  hand: Foresight, Tomo Grunt", of=cards)
    play(state, "play Ghost", "will Foresight")
    assert asked(state) == (1, "turn")
    assert not state.as_dict()["additional"]
    assert sizes(state)[1] == 1  # nor is it done


@pytest.mark.ruling("X20")
def test_x20_a_limit_that_falls_and_rises_again_gives_no_turn_back(tmp_path: Path) -> None:
    """Three of three turns are played when a text makes them two, and another three again."""
    plain = 'name = "Taker"\nclan = "Galmi"\nlevel = 2\nstrength = 3\n'
    cards = rewritten(
        tmp_path,
        (plain + 'icons = 2\ntext = ["take_wonder"]', plain + 'rule = ["turns_after_pass 2"]'),
        ('text = ["release every"]', 'text = ["release every", "capture {other hero}"]'),
    )
    text = """\
        p0: passed=1 turns_left=0
          hand: Ghost
          army 1: Galm Grunt
          army 2: (Taker)
        p1: turns_left={}
          hand: Rescuer
          army 1: Abhi Grunt, Xian Grunt
          army 2: Abhi Hero
        now: active=p1 first=p0 limit=3
        stack: turns p1; after p1; turn p1"""
    clans = {"own": "Justice, Galmi, Phoenix", "other": "Abhilasha, Tomorrow, Xi'an"}
    for left in (0, 1):
        state = play(position(text.format(left), of=cards, **clans), "play Rescuer")
        assert state.kind == ("turn" if left else "song")
        assert player(state, 0)["army"][1] == [("Taker", bool(left))]  # the Song has released it


@pytest.mark.ruling("X20")
def test_x20_out_of_turns_is_passed_for_values_too() -> None:
    state = position(
        """
        p0: tokens=0 spent=2
          army 1: Galm Grunt
          army 2: Galm Hero
          army 3: Galmi (Avatar)
        p1: tokens=1 spent=1
          army 1: Goan Grunt, Veteran
          army 2: Goan Hero, Breaker
        """,
        turns_after_pass=1,
    )
    play(state, "pass", "spend 1")
    assert [one["points"] for one in state.as_dict()["players"]] == [1, 1]  # 2 + 3 + 3 + 2 to 10
