"""The evaluation of Epic Death as it was set by hand, in a player for matches: what the fitted one has to beat.

`ByHand` is the agent `mcts` in all but this: where a rollout is cut off, a seat's part is that of the square of a sum of points,
strength, hand and nearness of the Town.

    PYTHONPATH=experiments gosu-rl tournament epic_death --players 2 --deals 40 \\
        --agents mcts:sims=100,depth=10 --agents epic_by_hand:ByHand:sims=100
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numba.core.caching import NullCache

from gosu_rl.agents.mcts import MCTS
from gosu_rl.core.epic_death.armies import total_of
from gosu_rl.core.epic_death.kernel import EPIC_DEATH
from gosu_rl.core.epic_death.state import HERO, MACHINE
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.tree import Tree


@inner
def prospects(s, R, q):
    """A positive number that grows with how well player q stands."""
    strength = s.tokens[q] + total_of(s, R, q, HERO) + total_of(s, R, q, MACHINE)
    near = max(0, 4 - R.far[s.at[q]])
    return 2.0 + 1.3 * s.points[q] + 0.25 * strength + 0.15 * s.hand_size[q] + 0.5 * near


@entry
def evaluate(s, R, seat):
    """The win share, in millionths, that a seat can expect: its part of all prospects, squared."""
    total = 0.0
    for q in range(s.n):
        part = prospects(s, R, q)
        total += part * part
    mine = prospects(s, R, np.int64(seat))
    return np.int64(1e6 * mine * mine / total)


if hasattr(evaluate, "_cache"):
    evaluate._cache = NullCache()  # the core's cache does not know of this file
KERNEL = replace(EPIC_DEATH, functions={**EPIC_DEATH.functions, "evaluate": evaluate}, _table={})


@cache
def twin(game: Game) -> Game:
    """The same game in a kernel with the evaluation above."""
    return Game(KERNEL, game.variant, game.card_set, game.players, game.rule_changes)


class ByHand(MCTS):
    """`mcts` with the evaluation above; rollouts of ten greedy decisions unless `depth` says otherwise."""

    def __init__(self, sims: int = 400, depth: int = 10) -> None:
        super().__init__(sims=sims, depth=depth)

    def _grow(self, view: GameState, seed: int, sims: int) -> Tree:
        grown = super()._grow(GameState(twin(view.game), view.record), seed, sims)
        assert isinstance(grown, Tree)
        return grown
