"""Sets up positions of GOSU with the cards of `cards.toml`; the words to play and read them are those of the Tactics rulings."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import dedent

from rulings.table import army, asked, discards, hand, legal, named, play, player, sizes, targets

import gosu_rl
from gosu_rl.core.game import Game, GameState

CARDS = Path(__file__).with_name("cards.toml")
TOKENS = {"spend 1", "spend 2"}  # what a turn offers besides while two tokens are ready

__all__ = [
    "TOKENS",
    "army",
    "asked",
    "discards",
    "game",
    "hand",
    "legal",
    "named",
    "play",
    "player",
    "position",
    "recruit",
    "sizes",
    "targets",
    "tokens",
]


@cache
def game(players: int = 2, **rules: int) -> Game:
    """GOSU with the cards of the rulings tests; `rules` change its numbers."""
    return gosu_rl.game("gosu", players, CARDS, rules)


def position(text: str, players: int = 2, **rules: int) -> GameState:
    """The position of a text (docs/positions.md) without its first line; what is not named lies in the draw pile."""
    return game(players, **rules).parse(f"gosu, {players} players\n{dedent(text)}")


def recruit(state: GameState, *names: str) -> GameState:
    """Play cards, each in its turn, as recruits where they could also replace a goblin."""
    for name in names:
        play(state, f"play {name}")
        if state.kind == "use":
            play(state, "recruit")
    return state


def tokens(state: GameState, seat: int) -> tuple[int, int, list[str]]:
    """A player's tokens: ready, spent, and the slots of the cards that bear one."""
    found = player(state, seat)["tokens"]
    return found["ready"], found["spent"], found["on"]
