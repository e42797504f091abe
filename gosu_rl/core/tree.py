"""`Tree`: one search tree with the arrays that `search.search` works on, as Python holds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gosu_rl.core import search
from gosu_rl.core.game import Game
from gosu_rl.core.notice import compiling
from gosu_rl.core.position import GameState, records, word

RANDOM = "random"  # rollouts that no policy of the kernel is asked for


@dataclass(frozen=True)
class Manner:
    """How a tree grows.

    `c` exploration constant for win shares in [0, 1]; `rollout` a compiled policy of the game, or `random`; `depth` decisions
    after which a rollout is cut off and evaluated, -1 to play to the end; `worlds` search.FRESH, FIXED or REDETERMINE.
    """

    c: float = 0.7
    rollout: str = RANDOM
    depth: int = -1
    worlds: int = search.FRESH


@dataclass(frozen=True)
class Children:
    """The actions tried at the root, newest first; arrays of one entry each."""

    actions: np.ndarray  # int64
    visits: np.ndarray  # int64
    values: np.ndarray  # float64: mean win share of the mover, in [0, 1]
    available: np.ndarray  # int64: iterations in which the action was legal


class Tree:
    """A tree over one player's information set. `nodes` is the size of its pool, the root included; a full pool grows no more,
    but iterations go on below it."""

    def __init__(self, game: Game, nodes: int) -> None:
        self.game = game
        self.pool = records(np.zeros(nodes, search.NODE))
        self.decisions = 0  # played inside the search so far
        self._count = np.zeros(2, np.int64)
        self._world = records(np.zeros(1, game.state_dtype))
        self._untried = np.zeros(game.state_dtype["legal"].shape[0], np.uint64)
        self._reward = np.zeros(game.state_dtype["win"].shape[0], np.float64)
        search.clear_tree(self.pool, self._count)

    @property
    def nodes(self) -> int:
        """Nodes in use, the root included."""
        return int(self._count[search.NODES])

    @property
    def iterations(self) -> int:
        """Iterations run so far."""
        return int(self._count[search.ITERATIONS])

    def grow(self, view: GameState, sims: int, seed: int, manner: Manner) -> None:
        """Run `sims` more iterations. `view` must be the mover's, and the same with every call on one tree.

        The tree is a function of view, seed, manner and the sum of all `sims`, however they are divided. Raises ValueError for
        a state that is not the mover's own view.
        """
        if not view.is_view or view.viewer != view.mover:
            raise ValueError("a search needs the view of the player who is to move")
        kernel = self.game.kernel
        rollout = -1 if manner.rollout == RANDOM else kernel.place(manner.rollout)
        F = kernel.need("step", "hide", "redeal", "evaluate", *([] if rollout < 0 else [manner.rollout]))
        with compiling(search.search):
            self.decisions += search.search(
                F, self.game.R, records(view.record), self._world, self.pool, self._count, self._untried, self._reward,
                sims, word(seed), float(manner.c), rollout, manner.depth, manner.worlds,
            )  # fmt: skip

    def root(self) -> Children:
        """What is known of the root's children."""
        size = self.game.num_actions
        actions, visits, available = (np.zeros(size, np.int64) for _ in range(3))
        values = np.zeros(size, np.float64)
        k = search.root_children(self.pool, actions, visits, values, available)
        return Children(actions[:k], visits[:k], values[:k], available[:k])
