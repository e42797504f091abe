"""The model on the rulebook's own statements: the seven powers, piles, battles, new rounds, instant wins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .model import ReferenceGame
from .scenes import apply_all, card, rows, scene


def arriving(folder: Path, *powers: str, hands: Any = ((), ()), armies: Any = ((), ()), **more: Any) -> ReferenceGame:
    """Seat 0 has just recruited `Power`, a Fire Bakuto, as the last of its first row."""
    special = [card("Power", "Fire", 1, enter=list(powers)), *more.pop("special", [])]
    mine, *others = armies
    game = scene(folder, [["Power", *hands[0]], *hands[1:]], [mine, *others], special=special, **more)
    return apply_all(game, "play Power")


def labels(*places: str) -> set[str]:
    return {f"target {place}" for place in places} | {"decline"}


PYRAMID = [["Fire b1", "Fire b2", "Fire b3"], ["Fire h1", "*Fire h2"], ["Fire o1"]]


@pytest.mark.ruling("T15")
def test_destruction_reaches_free_cards(tmp_path: Path) -> None:
    armies = [[["Fire b4"]], PYRAMID]
    game = arriving(tmp_path, "destruction", armies=armies)
    assert (game.kind, game.legal) == ("destroy", labels("p0 1.2", "p1 1.3", "p1 2.2"))
    game.apply("target p1 2.2")  # a trapped card may be destroyed
    assert rows(game, 1)[1] == ["Fire h1"]
    assert game.table.discard_pile == ["Fire h2"]


@pytest.mark.ruling("T29")
def test_destruction_max_swaps_then_destroys_each_as_one_likes(tmp_path: Path) -> None:
    armies = [[["Fire b4"]], PYRAMID]
    game = arriving(tmp_path, "destruction MAX", armies=armies)
    assert game.kind == "swap"
    assert game.legal == labels("p0 1.1", "p0 1.2", "p1 1.1", "p1 1.2", "p1 1.3", "p1 2.1", "p1 2.2")
    game.apply("target p1 1.1")
    assert (game.kind, game.legal) == ("swap_with", {"target p1 1.2", "target p1 1.3"})
    game.apply("target p1 1.3")
    assert rows(game, 1)[0] == ["Fire b3", "Fire b2", "Fire b1"]
    assert (game.kind, game.legal) == ("destroy", labels("p0 1.2", "p1 1.3", "p1 2.2", "p1 3.1"))
    game.apply("target p1 3.1")
    assert rows(game, 1)[2] == []
    skipped = apply_all(arriving(tmp_path, "destruction MAX", armies=armies), "decline")
    assert skipped.kind == "destroy"
    pair = apply_all(arriving(tmp_path, "destruction MAX", armies=armies), "target p1 2.1")
    assert rows(pair, 1)[1] == ["*Fire h2", "Fire h1"]  # one partner left: not asked (T42)
    assert pair.kind == "destroy"


@pytest.mark.ruling("T15")
def test_trap_and_release(tmp_path: Path) -> None:
    armies = [[], [["Fire b1", "*Fire b2"], ["Fire h1"], ["Fire o1"]]]
    game = arriving(tmp_path, "trap", armies=armies)
    assert (game.kind, game.legal) == ("trap", labels("p0 1.1", "p1 1.1", "p1 2.1"))
    game.apply("target p1 1.1")  # not free, and yet
    assert rows(game, 1)[0] == ["*Fire b1", "*Fire b2"]
    game = arriving(tmp_path, "trap MAX", armies=armies)
    assert game.legal == labels("p0 1.1", "p1 1.1", "p1 1.2", "p1 2.1", "p1 3.1")
    game.apply("target p1 1.2")
    assert rows(game, 1)[0] == ["Fire b1", "Fire b2"]


@pytest.mark.ruling("T16")
def test_discard_base_hits_one_of_choice(tmp_path: Path) -> None:
    game = arriving(tmp_path, "discard", hands=(["Fire h1"], [], ["Dark h1", "Dark h2"]), armies=([], [], []))
    assert (game.kind, game.legal) == ("victim", {"player p0", "player p2", "decline"})
    game.apply("player p2")
    assert (game.mover, game.kind, game.legal) == (2, "discard", {"discard Dark h1", "discard Dark h2"})
    game.apply("discard Dark h1")
    assert game.table.seats[2].hand == ["Dark h2"]
    assert game.mover == 1


@pytest.mark.ruling("T31")
def test_discard_max_takes_half_of_every_hand(tmp_path: Path) -> None:
    hands = (["Fire h1"], ["Alpha h1", "Alpha h2", "Alpha h3"], ["Dark h1", "Dark h2", "Dark h3", "Dark h4"])
    game = arriving(tmp_path, "discard MAX", hands=hands, armies=([], [], []), advantage=0)
    assert (game.kind, game.legal) == ("offer", {"accept", "decline"})
    game.apply("accept")
    assert game.mover == 1
    apply_all(game, "discard Alpha h1", "discard Dark h1", "discard Dark h2")
    assert [len(seat.hand) for seat in game.table.seats] == [1, 2, 2]
    assert (game.mover, game.kind) == (1, "turn")


@pytest.mark.ruling("T17")
def test_draw_max_counts_face_up_clans(tmp_path: Path) -> None:
    army = [["Dark b1", "*Alpha b1", "Fire b1", "Dark b2"]]
    game = arriving(tmp_path, "draw MAX", armies=(army, []))
    game.apply("accept")
    assert game.table.seats[0].hand == ["Alpha o5", "Alpha o4"]


@pytest.mark.ruling("T18")
def test_vision_keeps_one_openly(tmp_path: Path) -> None:
    pile = ["Fire b1", "Fire b2", "Fire b3", "Fire b4", "Fire b5", "Dark b1"]
    game = arriving(tmp_path, "vision", pile=pile)
    game.apply("accept")
    assert game.table.set_aside == pile[:5]
    assert (game.kind, game.legal) == ("keep", {f"take {name}" for name in pile[:5]})
    game.apply("take Fire b3")
    seat = game.table.seats[0]
    assert (seat.hand, seat.known) == (["Fire b3"], ["Fire b3"])
    assert sorted(game.table.discard_pile) == ["Fire b1", "Fire b2", "Fire b4", "Fire b5"]
    assert (game.table.draw_pile, game.table.set_aside) == (["Dark b1"], [])


@pytest.mark.ruling("T42")
@pytest.mark.parametrize(
    ("power", "pile", "asked"),
    [
        ("vision", ["Fire b1", "Fire b1"], False),
        ("vision", ["Fire b1", "Fire b2"], True),
        ("vision MAX", ["Fire b1", "Fire b2"], False),
        ("vision MAX", ["Fire b1", "Fire b1", "Fire b2"], True),
    ],
)
def test_vision_asks_only_where_it_matters(tmp_path: Path, power: str, pile: list[str], asked: bool) -> None:
    game = arriving(tmp_path, power, pile=pile)
    assert (apply_all(game, "accept").kind == "keep") is asked


@pytest.mark.ruling("T20")
@pytest.mark.ruling("T39")
def test_the_discard_pile_is_shuffled_in_at_once(tmp_path: Path) -> None:
    asked = []

    def shuffle(cards: list[str]) -> list[str]:
        asked.append(cards)
        return cards[::-1]

    game = arriving(tmp_path, "vision", pile=["Fire h1", "Fire h2"], discards=["Dark h1", "Dark h2"], shuffle=shuffle)
    game.apply("accept")
    assert asked == [["Dark h1", "Dark h2"]]
    assert sorted(game.table.set_aside) == ["Dark h1", "Dark h2", "Fire h1", "Fire h2"]  # two piles, four cards
    game.apply("take Dark h1")
    position = game.as_dict()
    assert (position["draw_pile"], position["shuffles"]) == ([], 1)  # stays empty until the next draw
    assert position["discard_pile"] == ["Dark h2", "Fire h1", "Fire h2"]
    exact = arriving(tmp_path, "draw", pile=["Fire h1"], discards=["Dark h1"], shuffle=shuffle)
    apply_all(exact, "accept")
    assert (exact.table.draw_pile, exact.table.discard_pile) == (["Dark h1"], [])


@pytest.mark.ruling("T19")
def test_return_base_takes_the_clan_of_its_goblin(tmp_path: Path) -> None:
    discards = ["Fire h1", "Dark h1"]
    game = arriving(tmp_path, "return", discards=discards)
    assert (game.kind, game.legal) == ("return", {"take Fire h1", "decline"})
    assert arriving(tmp_path, "return MAX", discards=discards).legal == {"take Fire h1", "take Dark h1", "decline"}


@pytest.mark.ruling("T33")
def test_advantage_max_lets_the_lowest_draw(tmp_path: Path) -> None:
    game = arriving(
        tmp_path, "advantage MAX", hands=([], [], []), armies=([], [], []), points=[1, 0, 0], pile=["Fire h1"] * 5
    )
    game.apply("accept")
    assert [len(seat.hand) for seat in game.table.seats] == [0, 2, 2]
    assert (game.mover, game.kind, game.table.advantage) == (0, "turn", 0)


@pytest.mark.ruling("T30")
@pytest.mark.parametrize("power", ["discard", "discard MAX", "draw", "draw MAX", "vision", "return", "return MAX"])
def test_a_power_that_changes_nothing_is_not_offered(tmp_path: Path, power: str) -> None:
    game = arriving(tmp_path, power, pile=[])
    assert (game.mover, game.kind) == (1, "turn")


@pytest.mark.ruling("T48")
def test_the_known_copy_leaves_first(tmp_path: Path) -> None:
    game = arriving(tmp_path, "return", hands=(["Fire b1", "Fire b1"], []), discards=["Fire b1"])
    game.apply("take Fire b1")
    assert game.table.seats[0].known == ["Fire b1"]
    apply_all(game, "pass", "play Fire b1")
    assert (game.table.seats[0].known, game.table.seats[0].hand) == ([], ["Fire b1", "Fire b1"])


# --- battles and rounds ----------------------------------------------------------------------------------------


def battle(folder: Path, armies: list[list[list[str]]], **more: Any) -> ReferenceGame:
    game = scene(folder, more.pop("hands", [[] for _ in armies]), armies, **more)
    return apply_all(game, *["pass"] * len(armies))


@pytest.mark.ruling("T37")
@pytest.mark.parametrize(
    ("armies", "holder", "points"),
    [
        ([[["Fire b1"], ["Fire h1"]], [["Dark b1"]], []], 2, [1, 0, 0]),
        ([[["Fire b1"], ["*Fire h1"]], [["Dark b1"]], []], 1, [0, 1, 0]),  # tied at 2: the holder alone
        ([[["Fire b1"]], [["Dark b1"]], []], 2, [1, 1, 0]),  # tied without the holder
        ([[], [], []], 2, [0, 0, 1]),  # nothing against nothing is a tie too
    ],
)
def test_great_battle(tmp_path: Path, armies: list[list[list[str]]], holder: int, points: list[int]) -> None:
    game = battle(tmp_path, armies, advantage=holder)
    assert [seat.points for seat in game.table.seats] == points
    assert (game.table.round, game.table.first) == (2, holder)


@pytest.mark.ruling("T21")
def test_third_points_together_share_the_win(tmp_path: Path) -> None:
    game = battle(tmp_path, [[["Fire b1"]], [["Dark b1"]], []], advantage=2, points=[2, 2, 2])
    assert (game.over, game.reason, game.shares) == (True, "points", [0.5, 0.5, 0.0])
    assert game.returns == pytest.approx([0.25, 0.25, -0.5])


@pytest.mark.ruling("T23")
def test_a_new_round_releases_and_draws_up(tmp_path: Path) -> None:
    pile = ["Alpha h1"] * 30
    hands = [["Fire b1"] * 2, ["Fire b1"] * 9, []]
    armies = [[["*Fire b1"]], [["Dark b1"]], []]
    game = battle(tmp_path, armies, hands=hands, points=[0, 1, 2], advantage=0, pile=pile)
    assert [seat.points for seat in game.table.seats] == [0, 2, 2]
    assert [len(seat.hand) for seat in game.table.seats] == [7, 9, 5]
    assert rows(game, 0)[0] == ["Fire b1"]
    assert (game.mover, game.kind, game.legal) == (0, "refresh", {"keep"})
    apply_all(game, "keep", "keep")
    assert (game.mover, game.legal) == (2, {"keep", "redraw"})  # five Heroes, no Bakuto (T43)
    game.apply("redraw")
    assert game.legal == {"keep", "redraw"}
    game.apply("keep")
    assert (game.mover, game.kind) == (0, "turn")


@pytest.mark.ruling("T22")
def test_nine_face_up_of_a_clan_win_at_once(tmp_path: Path) -> None:
    army = [["Fire b1"] * 5, ["Fire h1", "Fire h2"], ["Fire o1"]]
    game = scene(tmp_path, [["Fire h3"], []], [army])
    game.apply("play Fire h3")
    assert (game.reason, game.shares, game.kind, game.mover) == ("nine", [1.0, 0.0], "over", -1)
    army[0][2] = "*Fire b1"
    game = scene(tmp_path, [["Fire h3"], []], [army])
    assert not apply_all(game, "play Fire h3").over


@pytest.mark.ruling("T38")
def test_a_release_wins_for_the_owner(tmp_path: Path) -> None:
    special = [card("Power", "Dark", 1, enter=["trap MAX", "draw"])]
    theirs = [["Fire b1"] * 5, ["Fire h1", "Fire h2", "*Fire h3"], ["Fire o1"]]
    game = scene(tmp_path, [["Power"], []], [[], theirs], special=special)
    apply_all(game, "play Power", "target p1 2.3")
    assert (game.reason, game.shares) == ("nine", [0.0, 1.0])


@pytest.mark.ruling("T38")
@pytest.mark.parametrize(("holder", "shares"), [(0, [0.0, 0.5, 0.5]), (2, [0.0, 0.0, 1.0])])
def test_a_new_rounds_release_wins_for_all_or_the_holder(tmp_path: Path, holder: int, shares: list[float]) -> None:
    nine = [["*Fire b1"] * 5, ["*Fire h1", "*Fire h2", "*Fire h3"], ["*Fire o1"]]
    game = battle(tmp_path, [[["Fire b1"]], nine, nine], advantage=holder)
    assert (game.reason, game.shares) == ("nine", shares)


@pytest.mark.ruling("T38")
def test_fifteen_cards_win_trapped_or_not(tmp_path: Path) -> None:
    army = [
        ["*Fire b1"] * 5,
        ["*Fire h1"] * 5,
        ["*Fire o1"] * 4,
    ]
    army[0][0], army[1][0] = "Dark b1", "Dark h1"
    game = scene(tmp_path, [["Dark o1"], []], [army])
    game.apply("play Dark o1")
    assert (game.reason, game.shares) == ("fifteen", [1.0, 0.0])


@pytest.mark.ruling("T45")
def test_a_long_game_is_cut_off(tmp_path: Path) -> None:
    game = scene(tmp_path, [["Fire b1"], ["Dark b1"]], rules={"max_decisions": 4})
    apply_all(game, "play Fire b1")
    assert not game.over
    apply_all(game, "play Dark b1")
    assert (game.over, game.reason, game.shares, game.returns) == (True, "truncated", [0.0, 0.0], [0.0, 0.0])
