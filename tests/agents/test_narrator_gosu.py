"""What a player of GOSU is told: tokens spent, goblins activated, points from powers."""

from __future__ import annotations

from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.agents.narrator import Narrator

CARDS = Path(__file__).parents[1] / "rulings_gosu" / "cards.toml"
pytestmark = pytest.mark.nojit


def told(text: str, *labels: str, seat: int = 1) -> list[str]:
    """Lines for a seat after each label."""
    game = gosu_rl.game("gosu", 2, CARDS)
    state = game.parse("gosu, 2 players\n" + text)
    narrator = Narrator(game)
    narrator.update(state.view(seat))
    lines = []
    for label in labels:
        lines += narrator.update(state.apply(label).view(seat))
    return lines


def test_tokens_for_cards_are_no_pass() -> None:
    assert told("p0:\n  hand: Fire Grunt\np1:\n  hand: Dark Grunt", "spend 2") == [
        "p0 spends 2 tokens",
        "p0 draws 3 cards",
    ]
    assert told("p0:\n  hand: Fire Grunt\np1:\n  hand: Dark Grunt", "pass") == ["p0 passes"]


def test_an_activated_goblin_is_named() -> None:
    text = "p0:\n  hand: Fire Grunt\n  army 1: Fire Scout, Well\np1:\n  hand: Dark Grunt"
    assert told(text, "activate 1.2") == ["p0 activates Well at 1.2", "p0 draws a card".replace("a card", "1 card")]


def test_a_token_comes_back() -> None:
    text = "p0: tokens=1 spent=1\n  hand: Clock\np1:\n  hand: Dark Grunt"
    assert told(text, "play Clock", "regain")[-1] == "p0 has a token ready again"


def test_a_point_from_a_power_is_no_battle() -> None:
    lines = told("p0:\n  hand: Pointer, Fire Grunt\np1:\n  hand: Dark Grunt", "play Pointer")
    assert "p0 gains a Victory Point (now 1)" in lines
    assert not any("Great Battle" in line for line in lines)


def test_the_advantage_token_is_called_a_token() -> None:
    lines = told("p0:\n  hand: Crowner\np1:\n  hand: Dark Grunt\nnow: advantage=p1", "play Crowner", "accept")
    assert "p0 takes the Advantage token" in lines
