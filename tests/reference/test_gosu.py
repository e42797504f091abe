"""The model of GOSU on the help pages' own statements and on the rulings G1 to G24: tokens, mutations, conditions, rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .model import ReferenceGame
from .scenes import apply_all, card, rows, scene

POWERS = {
    "draw 1": ["offer", "draw 1"],
    "draw 1 (+1)": ["offer", "draw 1 +1"],
    "toll": ["draw 1"],
    "destroy 1": ["destroy 1"],
    "trap 2": ["trap 2"],
    "trap 2 and turn": ["trap 2", "extra_turn 1"],
    "holder draws": ["offer", "if advantage", "draw 2"],
    "purge": ["offer", "discard_own 1", "destroy 1"],
    "regain": ["regain_token"],
    "fetch": ["take_back names"],
    "extra turn": ["extra_turn 1"],
    "glory": ["offer", "if behind", "victory_point 1"],
}


def table(folder: Path, hands: Any, armies: Any = (), **more: Any) -> ReferenceGame:
    return scene(folder, hands, armies, powers=POWERS, **more)


def tokens(game: ReferenceGame, seat: int) -> tuple[int, int, list[str]]:
    """Ready, spent, and the slots of those that lie on cards."""
    found: dict[str, Any] = game.as_dict()["players"][seat]["tokens"]
    return found["ready"], found["spent"], found["on"]


# --- opening and rounds ----------------------------------------------------------------------------------------


@pytest.mark.ruling("G2")
@pytest.mark.ruling("G17")
def test_a_new_round_releases_and_gives_tokens_back_and_nobody_draws(tmp_path: Path) -> None:
    game = table(tmp_path, [["Fire h1"], ["Dark h1"]], [[["*Fire b1"]], []])
    apply_all(game, "spend 2", "spend 1")
    assert (tokens(game, 0), tokens(game, 1)) == ((0, 2, []), (1, 1, []))
    hands = [list(seat.hand) for seat in game.table.seats]
    apply_all(game, "pass", "pass")
    assert (game.table.round, game.kind) == (2, "turn")  # no mulligan
    assert (tokens(game, 0), tokens(game, 1)) == ((2, 0, []), (2, 0, []))
    assert [seat.hand for seat in game.table.seats] == hands
    assert rows(game, 0)[0] == ["Fire b1"]


@pytest.mark.ruling("G4")
def test_a_pass_limits_nobody_by_default(tmp_path: Path) -> None:
    game = table(tmp_path, [["Fire b1"], ["Dark b1"] * 9], pile=["Dark b2"] * 20)
    apply_all(
        game,
        "pass",
        "play Dark b1",
        "play Dark b1",
        "play Dark b1",
        "play Dark b1",
        "play Dark b1",
        "spend 1",
        "spend 1",
    )
    assert (game.mover, game.table.round) == (1, 1)
    limited = table(tmp_path, [["Fire b1"], ["Dark b1"] * 9], rules={"turns_after_pass": 2})
    apply_all(limited, "pass", "play Dark b1", "play Dark b1")
    assert limited.table.round == 2


@pytest.mark.ruling("G19")
def test_extra_turns_count_among_the_ten_but_one_gained_on_the_last(tmp_path: Path) -> None:
    special = [card("Spring", "Dark", 1, enter=["extra turn"], copies=2)]
    game = table(tmp_path, [[], ["Spring", "Dark b1", "Dark b2"]], special=special, rules={"turns_after_pass": 2})
    apply_all(game, "pass", "play Spring", "play Dark b1")  # the extra turn is the second of two
    assert game.table.round == 2
    game = table(tmp_path, [[], ["Dark b1", "Spring", "Dark b2"]], special=special, rules={"turns_after_pass": 2})
    apply_all(game, "pass", "play Dark b1", "spend 1")
    assert game.table.round == 2
    game = table(tmp_path, [[], ["Spring", "Spring", "Dark b2"]], special=special, rules={"turns_after_pass": 1})
    apply_all(game, "pass", "play Spring")
    assert (game.mover, game.table.round) == (1, 1)  # gained on the last one


# --- turns and tokens ------------------------------------------------------------------------------------------


@pytest.mark.ruling("G3")
def test_what_a_turn_may_be(tmp_path: Path) -> None:
    special = [card("Engine", "Fire", 1, activate=["draw 1"])]
    armies = [[["Fire b1", "Engine", "*Engine"]], []]
    game = table(tmp_path, [["Fire b2"], []], armies, special=special)
    assert game.legal == {"pass", "play Fire b2", "spend 1", "spend 2", "activate 1.2"}
    game.apply("spend 2")
    assert len(game.table.seats[0].hand) == 4  # three cards for two tokens


@pytest.mark.ruling("G21")
@pytest.mark.ruling("G11")
def test_a_token_is_the_answer_and_a_card_takes_one(tmp_path: Path) -> None:
    special = [card("Engine", "Fire", 1, activate=["draw 1"], mutation=0)]
    game = table(tmp_path, [["Fire b2"], []], [[["Engine"]], []], special=special)
    game.apply("activate 1.1")
    assert (tokens(game, 0), len(game.table.seats[0].hand)) == ((1, 0, ["1.1"]), 2)  # not asked again
    game.apply("pass")
    assert game.legal == {"pass", "play Fire b2", "spend 1"}  # one token a card
    apply_all(game, "play Fire b2", "replace 1.1")
    assert tokens(game, 0) == (1, 1, [])  # spent with the card; the replacement has none


@pytest.mark.ruling("G11")
def test_a_token_comes_back_from_a_card_or_from_the_spent(tmp_path: Path) -> None:
    special = [card("Engine", "Fire", 1, activate=["draw 1"]), card("Oiler", "Fire", 1, enter=["regain"], copies=2)]
    game = table(tmp_path, [["Oiler", "Oiler"], []], [[["Engine"]], []], special=special)
    apply_all(game, "activate 1.1", "pass", "spend 1", "play Oiler")
    assert game.legal == {"regain", "target p0 1.1", "decline"}
    game.apply("target p0 1.1")
    assert tokens(game, 0) == (1, 1, [])
    assert "activate 1.1" in game.legal


@pytest.mark.ruling("G10")
@pytest.mark.ruling("G12")
def test_the_discard_pile_waits_until_a_card_is_needed(tmp_path: Path) -> None:
    game = table(tmp_path, [[], []], pile=["Dark h1"], discards=["Dark h2"])
    game.apply("spend 1")
    position = game.as_dict()
    assert (position["draw_pile"], position["discard_pile"], position["shuffles"]) == ([], ["Dark h2"], 0)
    game.apply("spend 2")  # fewer than asked
    assert (game.table.seats[1].hand, game.table.shuffles) == (["Dark h2"], 1)
    assert game.legal == {"pass"}  # no card anywhere


# --- powers ----------------------------------------------------------------------------------------------------


@pytest.mark.ruling("G6")
@pytest.mark.parametrize(("points", "drawn"), [([0, 0, 0], 1), ([0, 0, 1], 2), ([1, 0, 1], 1)])
def test_a_bonus_counts_for_who_is_behind(tmp_path: Path, points: list[int], drawn: int) -> None:
    special = [card("Scribe", "Fire", 1, enter=["draw 1 (+1)"])]
    game = table(tmp_path, [["Scribe"], [], []], special=special, points=points)
    apply_all(game, "play Scribe", "accept")
    assert len(game.table.seats[0].hand) == drawn


@pytest.mark.ruling("T30")
def test_an_offer_that_can_change_nothing_is_not_put(tmp_path: Path) -> None:
    special = [card("Clerk", "Fire", 1, enter=["holder draws"]), card("Bomber", "Fire", 1, enter=["purge"])]
    for hands, pile, holder, asked in (
        (["Clerk"], ["Dark b1"], 1, False),
        (["Clerk"], ["Dark b1"], 0, True),
        (["Clerk"], [], 0, False),
    ):
        game = table(tmp_path, [hands, ["Dark h1"]], special=special, pile=pile, advantage=holder)
        if holder == 1:
            game.apply("pass")
        game.apply(f"play {hands[0]}")
        assert (game.kind == "offer") is asked


@pytest.mark.ruling("G22")
def test_a_declined_target_leaves_the_next_step(tmp_path: Path) -> None:
    special = [card("Tracker", "Fire", 1, enter=["trap 2 and turn"])]
    game = table(tmp_path, [["Tracker"], []], [[], [["Dark b1"]]], special=special)
    apply_all(game, "play Tracker", "decline")
    assert (game.mover, game.kind) == (0, "turn")


@pytest.mark.ruling("G13")
def test_a_point_from_a_power_wins_the_moment_it_is_gained(tmp_path: Path) -> None:
    special = [card("Judge", "Fire", 1, enter=["glory"])]
    game = table(tmp_path, [["Judge"], []], special=special, points=[2, 3], rules={"points_to_win": 3})
    apply_all(game, "play Judge", "accept")
    assert (game.over, game.reason, game.shares) == (True, "points", [1.0, 0.0])


# --- mutation --------------------------------------------------------------------------------------------------


@pytest.mark.ruling("G7")
@pytest.mark.ruling("G20")
def test_the_order_of_a_mutation(tmp_path: Path) -> None:
    special = [
        card("Ferry", "Fire", 1, departure=["toll"]),
        card("Old", "Fire", 1, mutation=0, mutate=["trap 2"]),
        card("New", "Fire", 1, enter=["destroy 1"]),
    ]
    game = table(tmp_path, [["New"], []], [[["Old", "Ferry"]], []], special=special, pile=["Dark b1"])
    apply_all(game, "play New", "replace 1.1")
    assert game.table.seats[0].hand == ["Dark b1"]  # the discard triggered something
    assert (game.kind, rows(game, 0)[0]) == ("destroy", ["New", "Ferry"])  # the arrival's power comes first
    game.apply("target p0 1.2")
    assert (game.kind, game.legal) == ("trap", {"target p0 1.1", "decline"})  # the mutated goblin's comes last


@pytest.mark.ruling("G20")
def test_a_game_that_the_discard_ends_sees_no_replacement(tmp_path: Path) -> None:
    special = [
        card("Grave", "Dark", 3, win=["pile 2"]),
        card("Old", "Dark", 3, mutation=0),
    ]
    army = [["Dark b1", "Dark b2"], ["Dark h1", "Dark h2"], ["Old", "Grave"]]
    game = table(tmp_path, [["Dark o1"], []], [army, []], special=special, discards=["Fire b1"])
    game.apply("play Dark o1")
    assert (game.over, game.reason) == (True, "condition")
    assert (rows(game, 0)[2], game.table.set_aside) == (["Grave"], ["Dark o1"])


# --- Ozekis ----------------------------------------------------------------------------------------------------


@pytest.mark.ruling("G16")
@pytest.mark.parametrize(("army", "wins"), [(["Ada", "*Bob"], True), (["Ada"], False)])
def test_names_count_trapped_and_the_carrier_must_be_face_up(tmp_path: Path, army: list[str], wins: bool) -> None:
    special = [
        card("Ada", "Fire", 2),
        card("Bob", "Fire", 2),
        card("Lord", "Fire", 3, win=["names"], names=["Ada", "Bob"]),
    ]
    goblins = [["Fire b1", "Fire b2"], army]
    game = table(tmp_path, [["Lord"], []], [goblins, []], special=special)
    game.apply("play Lord")
    assert game.over is wins
    assert game.reason == ("condition" if wins else "")
    lying = table(tmp_path, [[], []], [[*goblins, ["*Lord"]], []], special=special)
    assert not lying.over


@pytest.mark.ruling("G16")
@pytest.mark.parametrize(("mover", "winner"), [(0, 1), (1, 1), (2, 2), (3, 1)])
def test_of_several_the_active_player_wins_or_the_next_clockwise(tmp_path: Path, mover: int, winner: int) -> None:
    special = [card("Grave", "Dark", 3, win=["pile 2"], copies=2)]
    kings = [["Dark b1"], ["Dark h1"], ["Grave"]]
    armies = [[["Fire b1"]], kings, kings, [["Fire b1"]]]
    hands = [["Dark b5", "Alpha o1", "Alpha o2"] for _ in armies]
    for seat in (1, 2):
        hands[seat] = ["Alpha b5", "Alpha o1", "Alpha o2"]
    game = table(tmp_path, hands, armies, special=special, advantage=mover)
    apply_all(game, "play Alpha b5" if mover in (1, 2) else "play Dark b5")  # of a new clan: the whole hand pays
    assert (game.reason, game.shares) == ("condition", [1.0 if seat == winner else 0.0 for seat in range(4)])


@pytest.mark.ruling("G8")
def test_bent_rules(tmp_path: Path) -> None:
    def lord(*rule: str) -> list[dict[str, Any]]:
        return [card("Lord", "Fire", 3, rule=list(rule)), card("Changer", "Fire", 1, mutation=1)]

    army = [["Changer", "Fire b1"], ["Fire h1"], ["Lord"]]
    game = table(tmp_path, [["Dark b1"], []], [army, []], special=lord("cheap mutation"))
    assert game.legal >= {"play Dark b1"}
    game = table(tmp_path, [["Dark b1"], []], [army, []], special=lord())
    assert "play Dark b1" not in game.legal  # neither the cost nor a new clan can be paid
    game = table(tmp_path, [["Alpha h1"], []], [army, []], special=lord("strange allies"))
    assert "play Alpha h1" in game.legal
    game = table(tmp_path, [["Alpha h1"], []], [army, []], special=lord("all zombies"), discards=["Dark b2"])
    assert "take Dark b2" in game.legal
    game = table(tmp_path, [[], []], [army, []], special=lord("rich tokens"), pile=["Dark b1"] * 9)
    game.apply("spend 1")
    assert len(game.table.seats[0].hand) == 2
    game = table(tmp_path, [[], []], [army, []], special=lord("spare token", "round draw"), pile=["Dark b1"] * 9)
    apply_all(game, "pass", "pass")
    assert (tokens(game, 0), tokens(game, 1)) == ((3, 0, []), (2, 0, []))
    assert [len(seat.hand) for seat in game.table.seats] == [2, 0]


@pytest.mark.ruling("G8")
@pytest.mark.ruling("G13")
def test_bent_battles(tmp_path: Path) -> None:
    def battle(rule: str, mine: list[list[str]], theirs: list[list[str]], holder: int = 1) -> ReferenceGame:
        special = [card("Lord", "Fire", 3, rule=[rule])]
        game = table(tmp_path, [[], []], [[*mine, ["Lord"]], theirs], special=special, advantage=holder)
        return apply_all(game, "pass", "pass")

    low, high = [["Fire b1"], ["Fire h1"]], [["Dark b1", "Dark b2"], ["Dark h1", "Dark h2"], ["Dark o1"]]
    equal = [["Dark b1"], ["Dark h1"], ["Dark o1"]]
    assert [seat.points for seat in battle("wins ties", low, equal).table.seats] == [1, 0]
    assert [seat.points for seat in battle("double victory", low, []).table.seats] == [2, 0]
    assert [seat.points for seat in battle("double victory", low, high).table.seats] == [0, 1]
    held = battle("held fast", low, [["*Dark b1"]])
    assert (rows(held, 1)[0], rows(held, 0)[0]) == (["*Dark b1"], ["Fire b1"])
