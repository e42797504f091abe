"""Games that the tests of Epic Death play, and how they reach rare positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gosu_rl
from gosu_rl.core.game import Game, GameState

HOUSE = Path(__file__).parents[1] / "rulings_epic_death" / "cards.toml"
BENDS = "bends.toml"  # beside it: the steps that no packaged card uses
EAGER = ("play", "ability", "pick", "epic")  # actions that lead to rare kinds of decisions


@cache
def epic(players: int, layout: int = 1, house: bool | str = False) -> Game:
    """Epic Death with the packaged cards, or with the house cards of the rulings tests, or another set beside them."""
    cards = HOUSE.with_name(house) if isinstance(house, str) else HOUSE if house else None
    return gosu_rl.game("epic_death", players, cards, {"layout": layout})


def cases() -> Iterator[Game]:
    """One game of every number of players, layout and card set."""
    for players, layout in ((2, 1), (3, 2), (4, 3), (5, 2), (6, 3)):
        yield epic(players, layout)
    for players in (2, 3, 4):
        yield epic(players, 1, house=True)
    for players in (2, 4):
        yield epic(players, 1, house=BENDS)


def stroll(game: Game, seed: int, most: int = 400) -> Iterator[GameState]:
    """The positions of a random game in which cards are played more often than chance would; the same object every time."""
    chance = random.Random(seed)
    state = game.new(seed=seed)
    for _ in range(most):
        yield state
        if state.over:
            return
        actions = state.legal
        eager = [a for a in actions if game.labels[a].startswith(EAGER)]
        state.apply(chance.choice(eager if eager and chance.random() < 0.5 else actions))
    yield state
