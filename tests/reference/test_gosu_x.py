"""The model of Gosu X on the rulebook's own statements and on the rulings: draft, turns, costs, Battle and Song."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from .gosu_x import GosuXGame
from .gosu_x_scenes import PICKS, play_all, x_card, x_rows, x_scene


def tokens(game: GosuXGame, player: int) -> tuple[int, int, int]:
    """Ready, spent, locked."""
    seat = game.table.seats[player]
    return seat.ready, seat.spent, seat.locked


def piles(game: GosuXGame, player: int) -> tuple[list[str], list[str]]:
    """Hand and discard pile."""
    seat = game.table.seats[player]
    return sorted(seat.hand), sorted(seat.discard_pile)


# --- draft and opening -----------------------------------------------------------------------------------------


def fresh(folder: Path, **more: Any) -> GosuXGame:
    x_scene(folder, [[], []])
    chance = Random(5)
    return GosuXGame(
        folder / "scene.toml", 1, lambda player, labels: chance.sample(labels, len(labels)), lambda: 0, more
    )


@pytest.mark.ruling("X1")
@pytest.mark.ruling("X17")
def test_the_draft_is_one_two_two_one_and_public(tmp_path: Path) -> None:
    game = fresh(tmp_path)
    movers = []
    for clan in PICKS:
        movers.append(game.mover)
        assert game.kind == "draft"
        assert f"pick {clan}" in game.legal
        game.apply(f"pick {clan}")
        assert f"pick {clan}" not in game.legal
    assert movers == [1, 0, 0, 1, 1, 0]
    position = game.as_dict(viewer=0)
    assert [seat["clans"] for seat in position["players"]] == [
        ["Abhilasha", "Phoenix", "Tomorrow"],
        ["Galmi", "Goan Sul", "Justice"],
    ]
    assert position["tiles"] == ["Narashima", "Xi'an"]
    assert [seat["deck_size"] for seat in position["players"]] == [38, 38]  # 45 less seven
    assert (game.kind, game.mover, position["first"]) == ("mulligan", 1, 1)


@pytest.mark.ruling("X2")
@pytest.mark.ruling("X18")
def test_a_hand_with_one_troop_may_be_drawn_anew_and_everybody_is_asked(tmp_path: Path) -> None:
    seen = set()
    chance = Random(1)
    cards = fresh(tmp_path).cards
    for _ in range(400):
        game = GosuXGame(cards, 0, lambda player, labels: chance.sample(labels, len(labels)), lambda: 0, None, PICKS)
        while game.kind == "mulligan":
            hand = game.table.seats[game.mover].hand
            few = sum(game.table.faces[label].level == 1 for label in hand) <= 1
            assert game.legal == ({"keep", "redraw"} if few else {"keep"})
            if few:
                mover = game.mover
                game.apply("redraw")
                assert game.mover == mover
                assert len(game.table.seats[mover].hand) == 7
                assert game.table.seats[mover].shuffles == 2
                assert game.table.seats[mover].known == []
                seen.add(mover)
                break
            game.apply("keep")
    assert seen == {0, 1}


# --- turns -----------------------------------------------------------------------------------------------------


@pytest.mark.ruling("X3")
@pytest.mark.ruling("X22")
def test_no_first_pass_with_tokens_but_tokens_can_always_be_spent(tmp_path: Path) -> None:
    game = x_scene(tmp_path, [[], []], decks=[[], []])
    assert game.legal == {"spend 1", "spend 2"}  # nothing to draw, and still legal
    game.apply("spend 1")
    assert game.legal == {"spend 1", "spend 2"}
    play_all(game, "spend 2", "spend 1")
    assert game.legal == {"pass"}
    game.apply("pass")
    assert game.kind == "turn" or game.table.round == 2
    second = x_scene(tmp_path, [[], []], ready=[0, 2])
    second.apply("pass")
    assert second.legal == {"pass", "spend 1", "spend 2"}  # after the other's pass


@pytest.mark.ruling("X4")
@pytest.mark.ruling("X20")
def test_three_more_turns_after_a_pass_and_additional_ones_count(tmp_path: Path) -> None:
    special = [x_card("Spring", "Phoenix", 1, "extra_turn", copies=2)]
    game = x_scene(tmp_path, [[], ["Spring", "Phoenix t1", "Phoenix t2", "Phoenix t3"]], special=special, ready=[0, 2])
    game.apply("pass")
    assert game.turns_left(1) == 2  # one of three has begun
    game.apply("play Spring")
    assert (game.mover, game.table.additional, game.turns_left(1)) == (1, True, 1)
    play_all(game, "play Phoenix t1", "play Phoenix t2")
    assert game.table.round == 2
    last = x_scene(
        tmp_path, [[], ["Spring", "Phoenix t1"]], special=special, ready=[0, 2], rules={"turns_after_pass": 1}
    )
    play_all(last, "pass", "play Spring")
    assert last.table.round == 2  # won on the last turn: lost


@pytest.mark.ruling("X4")
@pytest.mark.ruling("X53")
def test_additional_turns_do_not_chain(tmp_path: Path) -> None:
    special = [x_card("Spring", "Galmi", 1, "extra_turn", "extra_turn", copies=2)]
    game = x_scene(tmp_path, [["Spring", "Spring", "Galmi t1"], []], special=special)
    game.apply("play Spring")
    assert (game.mover, game.table.additional) == (0, True)
    game.apply("play Spring")
    assert (game.mover, game.table.additional) == (1, False)


@pytest.mark.ruling("X5")
@pytest.mark.ruling("X19")
def test_the_hand_limit_is_the_acting_players_at_the_end_of_his_turn(tmp_path: Path) -> None:
    tile = {"clan": "Narashima", "rule": ["hand_limit 5"]}
    game = x_scene(tmp_path, [["Galmi t1", "Galmi t1", *["Galmi h1"] * 5], ["Phoenix h1"] * 9], tiles=[tile])
    game.apply("play Galmi t1")
    assert (game.kind, game.mover) == ("discard", 0)
    game.apply("discard Galmi h1")
    assert (game.kind, game.mover) == ("turn", 1)
    assert len(game.table.seats[1].hand) == 9  # not his turn


@pytest.mark.ruling("X48")
def test_galmis_tile_makes_two_tokens_an_additional_turn(tmp_path: Path) -> None:
    tile = {"clan": "Xi'an", "rule": ["turns_after_pass 2", "two_tokens_extra_turn"]}
    game = x_scene(tmp_path, [[], []], tiles=[tile], ready=[4, 0])
    game.apply("spend 2")
    assert (game.mover, game.table.additional) == (0, True)
    game.apply("spend 2")
    assert game.mover == 1  # none in an additional turn
    game.apply("pass")
    assert game.turns_left(0) == 1


@pytest.mark.ruling("X21")
def test_a_pass_by_an_effect_obeys_the_rule_of_tokens(tmp_path: Path) -> None:
    special = [x_card("Yawn", "Galmi", 1, "pass", "draw 1", copies=2)]
    rich = x_scene(tmp_path, [["Yawn"], []], special=special)
    rich.apply("play Yawn")
    assert (rich.table.seats[0].passed, rich.table.seats[0].hand) == (False, ["Galmi i1"])
    poor = x_scene(tmp_path, [["Yawn", "Galmi t1"], ["Phoenix t1"]], special=special, ready=[0, 2])
    poor.apply("play Yawn")
    assert (poor.table.seats[0].passed, poor.mover) == (True, 1)
    assert len(poor.table.seats[0].hand) == 2  # the rest of the text is carried out


# --- costs -----------------------------------------------------------------------------------------------------


@pytest.mark.ruling("X6")
def test_troops_of_a_new_clan_cost_two_but_not_the_first(tmp_path: Path) -> None:
    hand = ["Goan Sul t1", "Galmi t2", "Galmi h1", "Galmi h2"]
    game = x_scene(tmp_path, [hand, []], [[["Galmi t1"]], []])
    play_all(game, "play Goan Sul t1")
    assert game.kind == "pay"
    play_all(game, "discard Galmi h1", "discard Galmi h2")
    assert piles(game, 0) == (["Galmi t2"], ["Galmi h1", "Galmi h2"])
    free = x_scene(tmp_path, [["Goan Sul t1"], []], [[["*Galmi t1"]], []])
    free.apply("play Goan Sul t1")  # all Troops are captured
    assert x_rows(free, 0)[0] == ["*Galmi t1", "Goan Sul t1"]
    assert free.mover == 1


@pytest.mark.ruling("X32")
@pytest.mark.ruling("X6")
def test_a_recruiter_makes_its_right_neighbour_free(tmp_path: Path) -> None:
    special = [x_card("Herald", "Galmi", 1, keywords=["recruiter"], copies=2)]
    game = x_scene(tmp_path, [["Goan Sul t1", "Goan Sul h1"], []], [[["Herald"]], []], special=special)
    game.apply("play Goan Sul t1")
    assert game.mover == 1
    captured = x_scene(tmp_path, [["Goan Sul t1"], []], [[["Galmi t1", "*Herald"]], []], special=special)
    assert "play Goan Sul t1" not in captured.legal  # it has no keyword
    last = x_scene(tmp_path, [["Goan Sul t1"], []], [[["Herald", "Galmi t1"]], []], special=special)
    assert "play Goan Sul t1" not in last.legal  # not beside it


@pytest.mark.ruling("X35")
def test_heroes_need_their_clan_and_a_longer_row_below(tmp_path: Path) -> None:
    hand = ["Galmi h2", "Goan Sul h1", "Galmi i1"]
    assert "play Galmi h2" in x_scene(tmp_path, [hand, []], [[["Galmi t1", "*Goan Sul t1"], ["Galmi h1"]], []]).legal
    full = x_scene(tmp_path, [hand, []], [[["Galmi t1"], ["Galmi h1"]], []], ready=[0, 2])
    assert full.legal == {"pass", "play Galmi i1"}
    no_clan = x_scene(tmp_path, [hand, []], [[["*Galmi t1", "Goan Sul t1"], ["Galmi h1"]], []], ready=[0, 2])
    assert no_clan.legal == {"pass", "play Goan Sul h1"}


@pytest.mark.ruling("X7")
@pytest.mark.ruling("X34")
@pytest.mark.ruling("X23")
def test_a_shift_costs_less_for_each_token_on_the_card(tmp_path: Path) -> None:
    special = [x_card("Engine", "Galmi", 1, "draw 1", icons=3, shift=2, copies=2)]
    game = x_scene(tmp_path, [["Goan Sul t1", "Galmi h1"], []], [[["Engine+"]], []], special=special, ready=[1, 2])
    play_all(game, "play Goan Sul t1")
    assert (x_rows(game, 0)[0], piles(game, 0)) == (["Goan Sul t1"], ([], ["Engine", "Galmi h1"]))
    assert tokens(game, 0) == (1, 1, 2)  # the token on it is spent
    same = x_scene(tmp_path, [["Engine"], []], [[["Engine++"], ["Galmi h1"]], []], special=special, ready=[0, 2])
    assert same.legal == {"pass", "play Engine"}
    same.apply("play Engine")
    assert x_rows(same, 0)[0] == ["Engine", "Engine"]  # played: a card is never shifted with its like
    dear = x_scene(tmp_path, [["Goan Sul t1"], []], [[["Engine+"]], []], special=special, ready=[0, 2])
    assert dear.legal == {"pass", "activate 1.1"} - {"activate 1.1"}


@pytest.mark.ruling("X34")
def test_stems_may_replace_each_other_and_a_card_without_a_cost_is_not_shifted(tmp_path: Path) -> None:
    special = [
        x_card("Kite (Red)", "Galmi", 1, shift=0, copies=2),
        x_card("Kite (Blue)", "Galmi", 1, copies=2),
    ]
    game = x_scene(tmp_path, [["Kite (Blue)"], []], [[["Kite (Red)"]], []], special=special)
    game.apply("play Kite (Blue)")
    assert game.legal == {"recruit", "replace 1.1"}
    none = x_scene(tmp_path, [["Kite (Red)"], []], [[["Kite (Blue)"]], []], special=special)
    none.apply("play Kite (Red)")
    assert x_rows(none, 0)[0] == ["Kite (Blue)", "Kite (Red)"]
    captured = x_scene(tmp_path, [["Kite (Blue)"], []], [[["*Kite (Red)"]], []], special=special)
    captured.apply("play Kite (Blue)")
    assert x_rows(captured, 0)[0] == ["*Kite (Red)", "Kite (Blue)"]


@pytest.mark.ruling("X34")
def test_a_secret_shift_takes_a_card_that_was_there_before_the_payment(tmp_path: Path) -> None:
    special = [x_card("Veil", "Galmi", 1, keywords=["secret shift"], shift=1, copies=2)]
    game = x_scene(
        tmp_path, [["Galmi t1"], []], [[["Veil"]], []], special=special, piles=[["Goan Sul t1", "Veil", "Galmi h1"], []]
    )
    assert game.legal == {"play Galmi t1", "take Goan Sul t1", "spend 1", "spend 2"}
    game.apply("take Goan Sul t1")
    assert x_rows(game, 0)[0] == ["Goan Sul t1"]
    assert piles(game, 0) == ([], ["Galmi h1", "Galmi t1", "Veil", "Veil"])


@pytest.mark.ruling("X33")
def test_the_wonder_token_pays_one_discard(tmp_path: Path) -> None:
    hand = ["Goan Sul t1", "Galmi h1", "Galmi h2"]
    game = x_scene(tmp_path, [hand, []], [[["Galmi t1"]], []], wonder=0)
    game.apply("play Goan Sul t1")
    assert game.legal == {"discard Galmi h1", "discard Galmi h2", "spend wonder"}
    play_all(game, "spend wonder")
    assert game.legal == {"discard Galmi h1", "discard Galmi h2"}
    game.apply("discard Galmi h1")
    assert (game.table.wonder, piles(game, 0)) == (None, (["Galmi h2"], ["Galmi h1"]))
    must = x_scene(tmp_path, [["Goan Sul t1", "Galmi h1"], []], [[["Galmi t1"]], []], wonder=0)
    must.apply("play Goan Sul t1")  # the hand is too small without: nothing is asked
    assert (must.table.wonder, piles(must, 0)) == (None, ([], ["Galmi h1"]))
    theirs = x_scene(tmp_path, [["Goan Sul t1", "Galmi h1"], []], [[["Galmi t1"]], []], wonder=1)
    assert "play Goan Sul t1" not in theirs.legal


@pytest.mark.ruling("X33")
@pytest.mark.ruling("X8")
def test_a_wondrous_card_takes_the_token_played_or_shifted(tmp_path: Path) -> None:
    special = [
        x_card("Star", "Goan Sul", 1, keywords=["wondrous"], copies=2),
        x_card("Rag", "Galmi", 1, shift=1, copies=2),
    ]
    game = x_scene(tmp_path, [["Star", "Galmi h1"], []], [[["Rag"]], []], special=special, wonder=0)
    play_all(game, "play Star", "replace 1.1", "spend wonder")
    assert game.table.wonder == 0  # spent, and back with the card so paid


# --- Battle and Song -------------------------------------------------------------------------------------------


@pytest.mark.ruling("X13")
def test_ties_go_to_the_wonder_token_or_to_both(tmp_path: Path) -> None:
    armies = [[["Galmi t1"]], [["Phoenix t1"]]]
    held = play_all(x_scene(tmp_path, [[], []], armies, ready=[0, 0], wonder=1), "pass", "pass")
    assert [seat.points for seat in held.table.seats] == [0, 1]
    assert held.table.first == 0  # who lost begins
    free = play_all(x_scene(tmp_path, [[], []], armies, ready=[0, 0], lots=lambda: 1), "pass", "pass")
    assert [seat.points for seat in free.table.seats] == [1, 1]
    assert free.table.first == 1
    draw = play_all(x_scene(tmp_path, [[], []], armies, ready=[0, 0], points=[1, 1]), "pass", "pass")
    assert (draw.reason, draw.shares, draw.returns) == ("points", [0.5, 0.5], [0, 0])


@pytest.mark.ruling("X16")
@pytest.mark.ruling("X42")
def test_goan_suls_lead_of_ten_wins_by_card_or_tile(tmp_path: Path) -> None:
    lord = x_card("Goan Sul", "Goan Sul", 3, win=["lead >= 10"], rule=["song 1"])
    strong = [[["Galmi t1", "Galmi t2"], ["Galmi h1"], ["Goan Sul"]], [["Phoenix t1"]]]  # 12 to 2
    by_card = play_all(x_scene(tmp_path, [[], []], strong, special=[lord], ready=[0, 0], points=[0, 1]), "pass", "pass")
    assert (by_card.reason, by_card.shares) == ("goan_sul", [1, 0])
    tile = {"clan": "Xi'an", "win": ["lead >= 10"]}
    other = [strong[1], [["Phoenix t1", "Phoenix t2"], ["Phoenix h1"], ["Phoenix i1"]]]
    by_tile = play_all(x_scene(tmp_path, [[], []], other, tiles=[tile], ready=[0, 0]), "pass", "pass")
    assert (by_tile.reason, by_tile.shares) == ("condition", [0, 1])
    weak = [[["Galmi t1", "Galmi t2"], ["Galmi h1"], ["Goan Sul"]], [["Phoenix t1", "Phoenix t2"]]]
    game = play_all(x_scene(tmp_path, [[], []], weak, special=[lord], ready=[0, 0]), "pass", "pass")
    count = 0
    while game.kind == "song" and game.mover == 0:
        game.apply(min(game.legal))
        count += 1
    assert len(game.table.seats[0].cards) == 1  # half of four and one more for Goan Sul


@pytest.mark.ruling("X14")
@pytest.mark.ruling("X44")
def test_the_song_sacrifices_half_one_by_one_and_gives_all_back(tmp_path: Path) -> None:
    special = [x_card("Engine", "Galmi", 1, "draw 1", icons=2, keywords=["ethereal"], copies=2)]
    armies = [[["*Galmi t1", "Galmi t2", "Engine+"], ["Galmi h1", "Galmi h2"]], [["Phoenix t1"]]]
    decks = [["Galmi i1"] * 9, ["Phoenix i1"] * 9]
    game = x_scene(
        tmp_path, [["Galmi h3"], ["Phoenix h1"]], armies, special=special, ready=[0, 0], decks=decks, wonder=0
    )
    play_all(game, "pass", "pass")
    assert (game.kind, game.mover) == ("song", 0)  # the winner first
    assert game.legal == {"target p0 1.3", "target p0 2.2"}
    play_all(game, "target p0 2.2", "target p0 1.3", "target p0 2.1")
    assert x_rows(game, 0) == [["Galmi t1", "Galmi t2"], [], []]  # three of five; the captured one is released
    assert x_rows(game, 1) == [[], [], []]  # half of one, rounded up, was not asked
    assert tokens(game, 0) == (1, 0, 2)
    assert [len(seat.hand) for seat in game.table.seats] == [7, 7]
    assert (game.table.wonder, game.table.round, game.mover) == (None, 2, 1)


@pytest.mark.ruling("X43")
def test_a_veteran_is_doubled_once_with_its_changes(tmp_path: Path) -> None:
    special = [x_card("Axe", "Galmi", 1, keywords=["veteran"], icons=2, value=["1"], copies=2)]
    armies = [[["Axe++"]], [["Phoenix t1", "Phoenix t2"]]]  # 2 × (2 + 1) against 4 + 1
    tile = {"clan": "Xi'an", "value": ["army #{own up open}"]}
    game = play_all(x_scene(tmp_path, [[], []], armies, special=special, tiles=[tile], ready=[0, 0]), "pass", "pass")
    assert [seat.points for seat in game.table.seats] == [1, 0]
    close = [[["Axe++"]], [["Phoenix t1", "Phoenix t2", "Phoenix t3"]]]  # 7 and 7
    game = play_all(x_scene(tmp_path, [[], []], close, special=special, tiles=[tile], ready=[0, 0]), "pass", "pass")
    assert [seat.points for seat in game.table.seats] == [1, 1]
