"""Sets up positions with the cards of `cards.toml`, plays labels, and reads off what the tests compare."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import gosu_rl
from gosu_rl.core.game import Game, GameState

CARDS = Path(__file__).with_name("cards.toml")


@cache
def game(players: int = 2, **rules: int) -> Game:
    """Tactics with the cards of the rulings tests; `rules` change its numbers."""
    return gosu_rl.game("tactics", players, CARDS, rules)


def position(text: str, players: int = 2, **rules: int) -> GameState:
    """The position of a text (docs/positions.md) without its first line; what is not named lies in the draw pile."""
    return game(players, **rules).parse(f"tactics, {players} players\n{dedent(text)}")


def play(state: GameState, *labels: str) -> GameState:
    """Carry out labels, each of which must be legal."""
    for label in labels:
        state.apply(label)
    return state


def legal(state: GameState) -> set[str]:
    """Labels of the legal actions."""
    return set(state.legal_labels)


def asked(state: GameState) -> tuple[int, str]:
    """Who decides what."""
    return state.mover, state.kind


def player(state: GameState, seat: int) -> dict[str, Any]:
    """What `as_dict` says of one player."""
    found: dict[str, Any] = state.as_dict()["players"][seat]
    return found


def hand(state: GameState, seat: int) -> list[str]:
    """A hand, sorted."""
    cards: list[str] = player(state, seat)["hand"]
    return cards


def sizes(state: GameState) -> list[int]:
    """Hand sizes by seat."""
    return [one["hand_size"] for one in state.as_dict()["players"]]


def army(state: GameState, seat: int) -> list[list[str]]:
    """Rows 1, 2, 3 as far as they are filled, trapped goblins in parentheses as in position texts."""
    rows = [[f"({name})" if trapped else name for name, trapped in row] for row in player(state, seat)["army"]]
    return [row for row in rows if row]


def discards(state: GameState) -> list[str]:
    """The discard pile, sorted."""
    cards: list[str] = state.as_dict()["discard_pile"]
    return cards


def targets(*places: str) -> set[str]:
    """Labels of targets: `targets("p0 1.1")`."""
    return {f"target {place}" for place in places}


def named(*names: str, word: str = "play") -> set[str]:
    """Labels that name cards, and `pass`: the legal set of a turn."""
    return {f"{word} {name}" for name in names} | {"pass"}


def changed(changes: dict[str, dict[str, Any]], players: int = 2) -> Game:
    """The game with some cards altered: label -> fields of `Card`."""
    cards = game(players).card_set
    altered = tuple(replace(card, **changes.get(card.label, {})) for card in cards.cards)
    return gosu_rl.game("tactics", players, replace(cards, name="altered", cards=altered))
