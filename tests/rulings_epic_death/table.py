"""Sets up positions of Epic Death, plays labels on them and reads what came of it.

Most tests use the packaged cards on the short field; `house` is a small set in which the steps and traits of that set stand on
cards, or the name of another such set: `bends.toml` has the steps that no packaged card uses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import gosu_rl
from gosu_rl.core.game import Game, GameState

CARDS = Path(__file__).with_name("cards.toml")


@cache
def game(players: int = 2, house: bool | str = False, **rules: int) -> Game:
    """Epic Death on the short field, or with the house cards on theirs."""
    cards = CARDS.with_name(house) if isinstance(house, str) else CARDS if house else None
    return gosu_rl.game("epic_death", players, cards, {"layout": 1, **rules})


def position(text: str, players: int = 2, house: bool | str = False, **rules: int) -> GameState:
    """The position of a text (docs/positions.md) without its first line; what is not named lies in the Goblin deck."""
    return game(players, house, **rules).parse(f"epic_death, {players} players\n{dedent(text)}")


def first_with(text: str, wanted: Callable[[GameState], bool], *labels: str, **setup: Any) -> GameState:
    """The position of a text with the first generator state for which the labels lead to something wanted, and these played."""
    for rng in range(1, 3000):
        state = play(position(dedent(text).replace("rng=?", f"rng={rng}"), **setup), *labels)
        if wanted(state):
            return state
    raise AssertionError("no generator state leads to what is wanted")


def play(state: GameState, *labels: str) -> GameState:
    """Carry out labels one after another."""
    for label in labels:
        state.apply(label)
    return state


def passed(state: GameState) -> GameState:
    """Let everybody pass in windows, answers and after tosses until something else is asked."""
    while state.kind in ("window", "answer", "after_toss"):
        state.apply("pass")
    return state


def asked(state: GameState) -> tuple[int, str]:
    """Who decides what."""
    return state.mover, state.kind


def player(state: GameState, seat: int) -> dict[str, Any]:
    """What `as_dict` says of a player."""
    return state.as_dict()["players"][seat]


def legal(state: GameState) -> set[str]:
    """Labels that may be played."""
    return set(state.legal_labels)


def coins(state: GameState) -> list[bool]:
    """Coins of the last step; True is alive."""
    return state.as_dict()["coins"]


def dead(state: GameState) -> int:
    """How many coins of the last step fell on the dead side."""
    return coins(state).count(False)


def conserved(state: GameState) -> bool:
    """Whether all tokens are in the pool, loose or on Machines."""
    facts = state.as_dict()
    in_play = sum(p["tokens"] + sum(crew for _, crew in p["machines"]) for p in facts["players"])
    return facts["pool"] + in_play == state.game.rules["all_tokens"]
