"""The Great Battle, the Song for the Dead, and ways of winning: X12, X13, X14, X16, X41, X42, X43, X44, X48, X49."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gosu_rl.core.game import GameState

from .table import army, asked, game, legal, play, player, position, rewritten, sizes, targets, tokens

pytestmark = pytest.mark.nojit


def battle(text: str, **more: Any) -> GameState:
    """The position of a text right after both players have passed: reading it fights the battle."""
    words = "\n".join(
        line.replace("p0:", "p0: passed=1 turns_left=0").replace("p1:", "p1: passed=1 turns_left=0")
        if line[:1] == "p"
        else line
        for line in text.splitlines()
    )
    return position(words + "\nstack: turns p0", **more)


def points(state: GameState) -> list[int]:
    return [one["points"] for one in state.as_dict()["players"]]


@pytest.mark.ruling("X13")
def test_x13_the_stronger_army_gets_the_token_and_the_wonder_breaks_ties() -> None:
    state = battle("p0:\n  army 1: Just Grunt, Usher\np1:\n  army 1: Goan Grunt\n")
    assert points(state) == [1, 0]
    tied = "p0:\n  army 1: Just Grunt\np1:\n  army 1: Goan Grunt\n"
    assert points(battle(tied)) == [1, 1]
    assert points(battle(tied + "now: wonder=p1")) == [0, 1]
    assert points(battle(tied.replace("Just Grunt", "Just Grunt, Usher") + "now: wonder=p1")) == [1, 0]  # no tie
    captured = "p0:\n  army 1: Just Grunt, (Usher)\np1:\n  army 1: Goan Grunt\n"
    assert points(battle(captured, own="Justice, Galmi, Abhilasha")) == [1, 1]  # a captured card has no value
    assert points(battle(captured)) == [0, 1]  # but the tile of Abhilasha makes it one for the other


@pytest.mark.ruling("X13")
def test_x13_both_reaching_two_is_a_draw() -> None:
    state = battle("p0: points=1\n  army 1: Just Grunt\np1: points=1\n  army 1: Goan Grunt\n")
    assert state.over
    assert state.shares.tolist() == [0.5, 0.5]
    assert state.reason == "points"


@pytest.mark.ruling("X14")
def test_x14_the_song_for_the_dead() -> None:
    state = battle(
        """p0: tokens=0 spent=1
  hand: Ghost
  army 1: Just Grunt, Usher, Digger+
  army 2: Just Hero, Marvel
p1: tokens=0
  hand: Veteran
  army 1: (Goan Grunt), Slayer
  army 2: Goan Hero
now: wonder=p0
"""
    )
    assert asked(state) == (0, "song")  # the winner first
    assert legal(state) == targets("p0 1.3", "p0 2.2")
    assert army(state, 1)[0] == ["Goan Grunt", "Slayer"]  # released
    play(state, "target p0 2.2", "target p0 2.1")
    assert army(state, 0) == [["Just Grunt", "Usher"]]  # three of five, the last one without asking
    assert asked(state) == (1, "song")
    play(state, "target p1 2.1")
    assert army(state, 1) == [["Goan Grunt"]]
    assert sizes(state) == [7, 7]
    assert tokens(state, 0) == (2, 0, 2, {})
    assert state.as_dict()["wonder"] is None
    assert state.as_dict()["round"] == 2
    assert asked(state) == (1, "turn")  # the loser begins


@pytest.mark.ruling("X44")
def test_x44_tokens_come_back_also_from_cards_that_stay() -> None:
    state = battle("p0: tokens=1 locked=1\n  army 1: Digger+, Just Grunt, Digger+\np1:\n")
    while state.kind == "song":
        play(state, "target p0 1.3" if "target p0 1.3" in legal(state) else state.legal_labels[0])
    assert army(state, 0) == [["Digger"]]
    assert tokens(state, 0) == (3, 0, 1, {})


@pytest.mark.ruling("X14")
def test_x14_ethereal_cards_can_be_sacrificed() -> None:
    state = battle("p0:\n  army 1: Ghost\np1:\n")
    assert army(state, 0) == []


@pytest.mark.ruling("X16")
@pytest.mark.ruling("X42")
def test_x16_x42_a_lead_of_ten_wins_with_goan_sul_or_his_tile() -> None:
    strong = "  army 1: {0}\n  army 2: {1}\n  army 3: {2}\n"
    clans = {
        "own": "Justice, Abhilasha, Phoenix",
        "other": "Narashima, Tomorrow, Xi'an",
    }  # Goan Sul's and Galmi's tiles
    state = battle("p0:\n" + strong.format("Just Grunt, Just Grunt", "Just Hero", "Just Lord") + "p1:\n", **clans)
    assert state.over
    assert state.reason == "goan_sul"
    assert state.shares.tolist() == [1.0, 0.0]
    state = battle("p0:\np1:\n" + strong.format("Goan Grunt", "Goan Hero", "Goan Sul"))
    assert state.reason == "goan_sul"
    state = battle("p0:\n  army 1: Just Grunt\np1:\n" + strong.format("Goan Grunt", "Goan Hero", "Goan Sul"))
    assert not state.over  # a lead of eight
    state = battle("p0:\np1:\n" + strong.format("Goan Grunt, Goan Grunt", "Goan Hero, Breaker", "(Goan Sul)"))
    assert not state.over


@pytest.mark.ruling("X42")
def test_x42_the_lead_is_looked_at_before_the_token_is_given() -> None:
    text = "p0:\np1: points=1\n  army 1: Goan Grunt\n  army 2: Goan Hero\n  army 3: {}\n"
    assert battle(text.format("Goan Sul")).reason == "goan_sul"
    assert battle(text.format("Goan Lord")).reason == "points"


@pytest.mark.ruling("X42")
def test_x42_goan_sul_costs_one_sacrifice_more_if_he_does_not_win() -> None:
    text = "p0:\n  army 1: {}\np1:\n  army 1: Goan Grunt, Veteran\n  army 2: Goan Hero\n  army 3: {}\n"
    state = battle(text.format("Just Grunt, Usher, Digger", "Goan Sul"))
    assert state.reason == ""
    for _ in range(10):
        if state.kind == "song":
            play(state, state.legal_labels[0])
    assert sum(map(len, army(state, 1))) == 1  # two of four and one more
    state = battle(text.format("Just Grunt, Usher, Digger", "(Goan Sul)"))
    while state.kind == "song":
        play(state, state.legal_labels[0])
    assert sum(map(len, army(state, 1))) == 2


@pytest.mark.ruling("X43")
def test_x43_a_veteran_with_a_token_counts_twice_with_what_is_added_to_it() -> None:
    state = battle("p0:\n  army 1: Just Grunt, Usher\np1: tokens=1\n  army 1: Veteran+\n")
    assert points(state) == [1, 1]  # 4 to 4
    captained = "p0:\n  army 1: Just Grunt, Usher, Digger\n  army 2: Marvel\np1: tokens=1\n  army 1: Veteran+\n  army 2: Captain\n"
    assert points(battle(captained)) == [1, 1]  # 9 to (2 + 1) * 2 + 3
    assert points(battle(captained.replace("Veteran+", "Veteran"))) == [1, 0]


@pytest.mark.ruling("X43")
def test_x43_two_tokens_double_no_more_than_one(tmp_path: Path) -> None:
    cards = rewritten(tmp_path, ('icons = 1\nkeywords = ["veteran"]', 'icons = 3\nkeywords = ["veteran"]'))
    text = "p0:\n  army 1: Just Grunt, Usher\np1: tokens=0\n  army 1: Veteran{}\n"
    for marks in ("+", "++"):
        assert points(battle(text.format(marks), of=cards)) == [1, 1]  # 4 to 4


@pytest.mark.ruling("X43")
def test_x43_a_card_is_never_worth_less_than_nothing(tmp_path: Path) -> None:
    cards = rewritten(tmp_path, ('value = ["each {own up troop not-self} 1"]', 'value = ["each {other} -4"]'))
    text = "p0:\n  army 1: Just Grunt, Usher, Ghost\n  army 2: Just Hero\np1:\n  army 1: Neighbour\n  army 2: Captain\n"
    assert points(battle(text, of=cards)) == [0, 1]  # four times nothing to 2 + 3
    text = text.replace("army 2: Just Hero", "army 2: Just Hero\n  army 3: Just Lord")
    state = battle(text + "now: wonder=p0", of=cards)
    assert points(state) == [0, 1]  # 5 - 4, and not 14 - 20


@pytest.mark.ruling("X43")
def test_x43_army_bonuses_are_not_doubled() -> None:
    clans = {"own": "Justice, Galmi, Abhilasha", "other": "Goan Sul, Tomorrow, Xi'an"}  # Phoenix' and Narashima's tiles
    text = "p0:\n  army 1: Just Grunt, Usher, Ghost\np1: tokens=1\n  hand: Sneak, Hurry\n  army 1: Veteran+\n"
    assert points(battle(text, **clans)) == [1, 1]  # 6 to 4 + 2


@pytest.mark.ruling("X43")
def test_x43_values_that_hang_on_conditions_and_neighbours() -> None:
    text = (
        "p0:\n  army 1: Galm Grunt\n  army 2: Galm Hero\n  army 3: Galmi (Avatar)\n"
        "p1:\n  army 1: Goan Grunt, Veteran\n  army 2: Goan Hero, {}\n"
    )
    assert points(battle(text.format("Breaker"))) == [
        1,
        1,
    ]  # 2 + 3 + 3 + 2 (nothing captured, the other has passed) to 10
    assert points(battle(text.format("Breaker") + "now: wonder=p0")) == [1, 0]
    state = battle(
        "p0:\n  army 1: Just Grunt, Usher, Digger\n  army 2: Just Hero\np1:\n  army 1: Neighbour, Neighbour, Xian Grunt\n"
    )
    assert points(state) == [1, 1]  # 9 to 2 + 1, 2 + 2 and 2


@pytest.mark.ruling("X44")
def test_x44_after_a_tie_lots_say_who_sacrifices_first_and_the_other_begins() -> None:
    tied = "p0:\n  army 1: Just Grunt\np1:\n  army 1: Goan Grunt\nnow: rng={}\n"
    seen = set()
    for seed in range(12):
        state = battle(tied.format(seed * 977))
        assert state.as_dict()["round"] == 2
        seen.add(state.mover)
    assert seen == {0, 1}


@pytest.mark.ruling("X44")
def test_x44_hands_are_filled_to_seven_whatever_narashimas_tile_says() -> None:
    state = battle(
        "p0:\n  army 1: Just Grunt\np1:\n  hand: Sneak, Sneak, Hurry, Hurry, Veteran, Veteran, Slayer, Slayer\n"
    )
    assert "Narashima" in state.as_dict()["tiles"]
    assert sizes(state) == [7, 8]


@pytest.mark.ruling("X12")
@pytest.mark.ruling("X41")
def test_x12_x41_fifteen_face_up_cards_win_at_once() -> None:
    full = """
        p0:
          hand: Just Lord
          army 1: Just Grunt, Usher, Ghost, Ghost, Digger
          army 2: Just Hero, She Rift, Mover, Sati, Veiler
          army 3: Judge, Galm Lord, {}, Phoe Lord
        """
    state = play(position(full.format("Phoenix")), "play Just Lord")
    assert state.over
    assert state.reason == "fifteen"
    assert state.shares.tolist() == [1.0, 0.0]
    state = play(position(full.format("(Phoenix)")), "play Just Lord")
    assert not state.over  # fourteen face up


@pytest.mark.ruling("X41")
def test_x41_if_one_change_gives_it_to_both_the_active_player_wins() -> None:
    state = position(
        "p0:\n  hand: Rescuer\n  army 1: Abhi Grunt, (Chain)\np1:\n  army 1: (Goan Grunt), Veteran, Sneak\n",
        own="Abhilasha, Galmi, Phoenix",
        full_army=3,
    )
    play(state, "play Rescuer")
    assert state.reason == "fifteen"
    assert state.shares.tolist() == [1.0, 0.0]


@pytest.mark.ruling("X41")
@pytest.mark.ruling("X44")
def test_x41_x44_both_at_once_in_the_song_is_a_draw() -> None:
    state = battle("p0:\n  army 1: Just Grunt, (Usher)\np1:\n  army 1: (Goan Grunt), Veteran\n", full_army=2)
    assert state.reason == "fifteen"
    assert state.shares.tolist() == [0.5, 0.5]


@pytest.mark.ruling("X48")
def test_x48_two_tokens_for_three_cards_give_an_additional_turn_with_galmis_tile() -> None:
    clans = {"own": "Justice, Abhilasha, Phoenix", "other": "Goan Sul, Tomorrow, Xi'an"}
    state = play(position("p0:\np1:\n  hand: Sneak", **clans), "spend 2")
    assert asked(state) == (0, "turn")
    assert state.as_dict()["additional"]
    state = play(position("p0:\np1:\n  hand: Sneak\nnow: regular=0", **clans), "spend 2")
    assert asked(state) == (1, "turn")  # not in an additional turn


@pytest.mark.ruling("X48")
@pytest.mark.ruling("X49")
def test_x48_x49_justice_turns_the_tiles_of_ones_immortals_and_wins_with_five() -> None:
    text = """
        p0:
          hand: Judge
          army 1: Just Grunt, Galm Grunt, Usher
          army 2: Just Hero, Marvel, Freer
          army 3: {}
        """
    state = play(position(text.format("Galm Lord")), "play Judge")
    assert set(state.as_dict()["tiles"]) == {"Justice", "Galmi", "Narashima", "Abhilasha"}
    assert not state.over
    state = play(position(text.format("Galm Lord, Phoenix")), "play Judge")
    assert state.reason == "justice"
    assert state.shares.tolist() == [1.0, 0.0]
    state = play(position(text.format("(Galm Lord), Phoenix")), "play Judge")
    assert not state.over


@pytest.mark.ruling("X12")
def test_x12_two_supremacy_tokens_win() -> None:
    state = battle("p0: points=1\n  army 1: Just Grunt\np1:\n")
    assert state.over
    assert state.reason == "points"
    assert game().rules["points_to_win"] == 2
    assert player(state, 0)["points"] == 2
