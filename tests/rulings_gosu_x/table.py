"""Sets up positions of Gosu X with the cards of `cards.toml`; the words to play and read them are those of the Tactics rulings."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

from rulings.table import army, asked, hand, legal, player, sizes, targets
from rulings.table import play as act

import gosu_rl
from gosu_rl.core.game import Game, GameState

CARDS = Path(__file__).with_name("cards.toml")
OWN = "Justice, Galmi, Phoenix"
OTHER = "Goan Sul, Tomorrow, Xi'an"
FIXED = "fixed:Justice,Goan Sul,Tomorrow,Galmi,Phoenix,Xi'an"  # p0 first: OWN and OTHER

__all__ = [
    "FIXED",
    "OTHER",
    "OWN",
    "act",
    "army",
    "asked",
    "deck",
    "game",
    "hand",
    "legal",
    "pile",
    "play",
    "player",
    "position",
    "rewritten",
    "sizes",
    "starting",
    "targets",
    "tokens",
]


@cache
def game(**rules: Any) -> Game:
    """Gosu X with the cards of the rulings tests; `rules` change its numbers."""
    return gosu_rl.game("gosu_x", 2, CARDS, rules)


def rewritten(folder: Path, *changes: tuple[str, str]) -> Game:
    """Gosu X with the cards of the rulings tests in which for each change (old, new) `old`, which stands there once, is `new`."""
    words = CARDS.read_text(encoding="utf-8")
    for old, new in changes:
        assert words.count(old) == 1, old
        words = words.replace(old, new)
    path = folder / "cards.toml"
    path.write_text(words, encoding="utf-8")
    return gosu_rl.game("gosu_x", 2, path)


def position(text: str, own: str = OWN, other: str = OTHER, of: Game | None = None, **rules: Any) -> GameState:
    """The position of a text without its first line and the lines of clans: `own` are p0's, `other` p1's.

    A player's cards that are not named lie in his deck. `of`: a game with other cards.
    """
    lines = []
    for line in dedent(text).splitlines():
        lines.append(line)
        for seat, clans in (("p0:", own), ("p1:", other)):
            if line.startswith(seat):
                lines.append(f"  clans: {clans}")
    words = "\n".join(lines)
    for seat, clans in (("p0:", own), ("p1:", other)):
        if seat not in words:
            words += f"\n{seat}\n  clans: {clans}"
    return (of or game(**rules)).parse(f"gosu_x, 2 players\n{words}")


def starting(seed: int = 1, first: int = 0) -> GameState:
    """A new game after a fixed draft: p0 has OWN, p1 has OTHER if p0 is first."""
    return game(draft=FIXED).new(seed=seed, advantage=first)


def play(state: GameState, *labels: str) -> GameState:
    """Carry out labels, each of which must be legal; Force of Will windows that they do not answer are declined."""
    for label in labels:
        if state.kind == "will" and label not in state.legal_labels:
            state.apply("decline")
        act(state, label)
    while state.kind == "will":
        state.apply("decline")
    return state


def deck(state: GameState, seat: int) -> list[str | None]:
    """A deck, top first; None for a card that the viewer cannot place."""
    cards: list[str | None] = player(state, seat)["deck"]
    return cards


def pile(state: GameState, seat: int) -> list[str]:
    """A discard pile, sorted."""
    cards: list[str] = player(state, seat)["discard_pile"]
    return cards


def tokens(state: GameState, seat: int) -> tuple[int, int, int, dict[str, int]]:
    """A player's Activation tokens: ready, spent, locked, and those on cards by slot."""
    found = player(state, seat)["tokens"]
    return found["ready"], found["spent"], found["locked"], found["on"]
