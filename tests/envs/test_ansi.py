"""The board as text: it fits the screen, shows what the view holds and nothing else."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

import gosu_rl
from gosu_rl.core.cards.schema import Card, CardSet
from gosu_rl.envs.ansi import OUT_OF_TURN, WIDTH, is_free, render, short_name

ESCAPE = re.compile(r"\x1b\[\d*m")

CARDS = CardSet(
    name="tiny",
    variant="tactics",
    title="Tiny",
    version="1",
    composition="free",
    cards=(
        Card("Ember Whelp", "Fire", 1, strength=2),
        Card("Keeper of the Long Road", "Méka", 1, x=True, strength=3),
        Card("Old Mole", "Ancient", 2, strength=3),
        Card("Night King", "Dark", 3, strength=5),
    ),
)
LONG = "Keeper of the Long Road X"


def player(**changes: Any) -> dict[str, Any]:
    facts = {
        "hand": [], "hand_size": 0, "known": [], "picks": [], "points": 0, "turns_left": None, "passed": False,
        "extra_turns": 0, "turns_taken": 0, "army": [[], [], []],
    }  # fmt: skip
    return facts | changes


def position(*players: dict[str, Any], **changes: Any) -> Any:
    facts = {
        "round": 2, "mover": 0, "kind": "turn", "first": 0, "active": 0, "advantage": 1, "decisions": 40, "over": False,
        "reason": "", "viewer": 0, "players": list(players), "draw_pile": [], "draw_pile_size": 0, "pile_order": [], "shuffles": 0,
        "discard_pile": [], "set_aside": [], "returns": None, "shares": None,
    }  # fmt: skip
    return SimpleNamespace(
        as_dict=lambda: facts | changes,
        known_hand=lambda seat: players[seat]["known"],
        kind=(facts | changes)["kind"],
        owed=None,
        game=SimpleNamespace(card_set=CARDS, rules={"points_to_win": 3}, variant="tactics"),
    )


ARMY = [[("Ember Whelp", False), (LONG, True), ("Ember Whelp", False)], [("Old Mole", False), ("Old Mole", True)], []]


def test_armies_show_clan_strength_trapped_and_free_cards() -> None:
    board = render(position(player(army=ARMY), player()))
    rows = {line.strip()[0]: line for line in board.splitlines() if re.match(r"  [123] ", line)}
    assert set(rows) == {"1", "2"}
    assert "Fi Ember Whelp  2" in rows["1"]
    assert rows["1"].count("*") == 1
    assert "*Fi Ember Whelp  2" in rows["1"]
    assert "[Keeper of th. X]" in rows["1"]
    assert "An Old Mole     3" in rows["2"]
    assert "*[Old Mole]" in rows["2"]
    assert "strength  7" in board  # 2 + 2 + 3; trapped cards count nothing
    assert "(no army)" in board


def test_what_is_free_has_nothing_above_and_nothing_to_its_right() -> None:
    assert [[is_free(ARMY, r, c) for c in range(len(ARMY[r]))] for r in range(2)] == [
        [False, False, True],
        [False, True],
    ]


def test_players_facts_are_told() -> None:
    board = render(
        position(
            player(hand=["Ember Whelp", "Old Mole"], hand_size=2, points=2, extra_turns=1, picks=["Old Mole"]),
            player(hand_size=5, known=["Night King", "Night King"], turns_left=1),
            player(hand_size=4, passed=True, turns_left=0),
            set_aside=["Old Mole"], kind="use",
        )
    )  # fmt: skip
    you, one, two = (next(line for line in board.splitlines() if line.startswith(f"p{seat}")) for seat in range(3))
    assert "(you)" in you
    assert "●●○" in you
    assert "extra turns 1" in you
    assert "ADVANTAGE" in one
    assert "1 turn left" in one
    assert "hand  5" in one
    assert "passed" in two
    assert "hand: Ember Whelp (Fi1), Old Mole (An2)" in board
    assert "known in hand: Night King ×2" in board
    assert "picked to discard: Old Mole" in board
    assert "set aside: Old Mole" in board
    assert board.splitlines()[-1] == "You to decide: say what the named card is for"


def test_a_power_that_is_asked_about_is_named_with_its_card() -> None:
    power = {"card": "Old Mole", "name": "draw MAX"}
    board = render(position(player(), player(), kind="offer", power=power))
    assert board.splitlines()[-1] == "You to decide: take a power or leave it (draw MAX, Old Mole)"


def test_the_end_names_reason_and_winners() -> None:
    board = render(position(player(), player(), over=True, mover=-1, reason="nine", shares=[0.0, 1.0]))
    assert board.splitlines()[-1] == "Over (nine): p1 won"


@pytest.mark.parametrize("variant", gosu_rl.variants())
def test_cards_that_are_given_one_by_one_are_counted(variant: str) -> None:
    """In every variant: each decision counts one down to "the last one", on the board of everybody, in words and as a number."""
    game, chance, seen = gosu_rl.game(variant), random.Random(1), set()
    for seed in range(4):
        state, left = game.new(seed=seed), (-1, "", 0)
        while not state.over:
            mover, kind, owed = state.mover, state.kind, state.owed
            assert (owed is not None) == (kind in game.kernel.counted)
            if owed is not None:
                seen.add(kind)
                assert state.view(1 - mover).owed == owed >= 1
                if left[:2] == (mover, kind) and left[2] > 1 and owed < left[2]:
                    assert owed == left[2] - 1
                words = "; the last one" if owed == 1 else f"; {owed} to go"
                assert words in " ".join(render(state.view(mover)).split()[-40:])
                assert words in " ".join(render(state.view(1 - mover)).split()[-40:])
            else:
                assert " to go" not in render(state)
            left = (mover, kind, owed or 0)
            legal = [a for a in state.legal if game.labels[a] != "pass" or chance.random() < 0.2] or state.legal
            state.apply(chance.choice(legal))
        assert state.owed is None
    assert seen >= {"tactics": {"opening", "pay"}, "gosu": {"pay"}, "gosu_x": {"pay", "song"}}.get(variant, {"discard"})


@pytest.mark.parametrize("variant", ["tactics", "gosu", "gosu_x"])
def test_nobody_has_the_turn_at_the_deal_and_between_rounds(variant: str) -> None:
    """The first player was marked as having the turn while another drafted, redrew or discarded."""
    game, chance, seen = gosu_rl.game(variant), random.Random(2), set()
    for seed in range(3):
        state = game.new(seed=seed)
        while not state.over:
            marked = {line[:2]: mark for line in render(state).splitlines() if (mark := line.partition("◄ ")[2])}
            seen.add(state.kind)
            if state.kind in OUT_OF_TURN:
                assert marked == {f"p{state.mover}": OUT_OF_TURN[state.kind]}
            elif state.kind == "turn":
                assert marked == {f"p{state.mover}": "turn"}
            else:
                assert list(marked.values()) == ["turn"]
            legal = [a for a in state.legal if game.labels[a] != "pass" or chance.random() < 0.2] or state.legal
            state.apply(chance.choice(legal))
    assert seen >= {"tactics": {"mulligan", "opening"}, "gosu": {"turn"}, "gosu_x": {"draft", "song"}}[variant]


def test_names_are_cut_with_their_x_kept() -> None:
    card = next(card for card in CARDS.cards if card.x)
    for width in range(6, 40):
        name = short_name(card, width)
        assert len(name) <= width
        assert name.endswith("X")
    assert short_name(card, 40) == LONG


def test_color_changes_nothing_but_color() -> None:
    where = position(player(army=ARMY), player())
    painted = render(where, color=True)
    assert painted != render(where)
    assert ESCAPE.sub("", painted) == render(where)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_real_games_fit_the_screen_and_views_show_no_hidden_card(players: int) -> None:
    game, rng = gosu_rl.game("tactics", players=players), random.Random(players)
    for seed in range(3):
        state = game.new(seed=seed)
        while not state.over:
            if rng.random() < 0.1:
                for seat in range(players):
                    view = state.view(seat)
                    board = render(view)
                    assert max(map(len, board.splitlines())) <= WIDTH
                    assert board == render(view.determinize(seed=1).view(seat))
                    for face in state.as_dict()["players"][seat]["hand"]:
                        assert f"{face} (" in board.replace("\n", "")
                full = render(state)
                assert max(map(len, full.splitlines())) <= WIDTH
                assert full.count("hand: ") == sum(bool(p["hand"]) for p in state.as_dict()["players"])
            state.apply(rng.choice(state.legal))
        assert "won" in render(state)
