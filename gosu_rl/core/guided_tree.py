"""`GuidedTree`: one search tree that a network helps to grow, with the arrays of the loops in `guided`, as Python holds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gosu_rl.core import guided, search
from gosu_rl.core.game import Game
from gosu_rl.core.notice import compiling
from gosu_rl.core.position import GameState, records, word
from gosu_rl.core.tree import RANDOM, Children, Manner

SHY = 4  # at first so many iterations must have landed for each one in flight: the first choices shall not be blind

Answers = tuple[np.ndarray, np.ndarray]
# observations float32[k, D] -> (logits [k, A], values [k]): what the network says of positions as their movers see them. Logits
# are in the mover's own frame (`Game.relative_actions`) and not masked; values are the returns that he may expect.
Judge = Callable[[np.ndarray], Answers]


@dataclass(frozen=True)
class GuidedManner:
    """How a guided tree grows.

    `manner` as for a plain tree (its `c` is PUCT's with `prior`); `prior`: let the network's priors choose; `value`: weight of the
    network's value, 0 … 1, the rest is the rollout's; `batch`: most iterations in flight.
    """

    manner: Manner
    prior: bool
    value: float
    batch: int = 16


class GuidedTree:
    """A tree over one player's information set. `nodes` is the size of its pool, which must hold the root and its children."""

    def __init__(self, game: Game, nodes: int, batch: int) -> None:
        if nodes <= game.num_actions:
            raise ValueError(f"a guided tree wants a pool of at least {game.num_actions + 1} nodes, not {nodes}")
        self.game = game
        self.pool = records(np.zeros(nodes, guided.GUIDED_NODE))
        for name in ("action", "chooser", "parent", "child", "sibling"):
            self.pool[name][search.ROOT] = search.NO_NODE
        self.decisions = 0  # played inside the search so far
        self.asked = 0  # positions that the network has judged
        seats, words = game.state_dtype["win"].shape[0], game.state_dtype["legal"].shape[0]
        self._count = np.array([1, 0], np.int64)  # nodes, iterations
        self._world, self._view = (records(np.zeros(1, game.state_dtype)) for _ in range(2))
        self._places = places(game)
        self._leaves = records(np.zeros(batch, guided.LEAF))
        self._observations = np.zeros((batch, game.observation_size), np.float32)
        self._legals = np.zeros((batch, words), np.uint64)
        self._rollouts, self._splits = np.zeros((batch, seats)), np.zeros((batch, seats))
        self._reward, self._untried = np.zeros(seats), np.zeros(words, np.uint64)

    @property
    def nodes(self) -> int:
        """Nodes in use, the root included."""
        return int(self._count[search.NODES])

    @property
    def iterations(self) -> int:
        """Iterations run so far."""
        return int(self._count[search.ITERATIONS])

    def grow(self, view: GameState, sims: int, seed: int, how: GuidedManner, judge: Judge) -> None:
        """Run `sims` more iterations. `view` must be the mover's, and the same with every call on one tree.

        The tree is a function of view, seed, manner, judge and the sizes of the calls: nothing is in flight between two of them.
        Raises ValueError for a state that is not the mover's own view.
        """
        if not view.is_view or view.viewer != view.mover:
            raise ValueError("a search needs the view of the player who is to move")
        kernel, manner = self.game.kernel, how.manner
        rollout = -1 if manner.rollout == RANDOM else kernel.place(manner.rollout)
        names = [] if rollout < 0 else [manner.rollout]
        F, V = kernel.need("step", "hide", "redeal", "observe", "evaluate", *names), records(view.record)
        if how.prior and self.nodes == 1:
            with compiling(guided.show_root):
                guided.show_root(F, self.game.R, V, self._leaves, self._legals, self._observations)
            logits, _ = self._ask(judge, 1)
            with compiling(guided.plant):
                guided.plant(self.pool, self._count, self._leaves, self._legals, logits, self._places)
        left = sims
        while left:
            width = max(1, min(how.batch, len(self._leaves), self.iterations // SHY))
            with compiling(guided.descend):
                waiting, begun, played = guided.descend(
                    F, self.game.R, V, self._world, self._view, self.pool, self._count, self._leaves, self._legals,
                    self._observations, self._rollouts, self._splits, self._reward, self._untried, width, left, word(seed),
                    float(manner.c), int(how.prior), float(how.value), rollout, manner.depth, manner.worlds,
                )  # fmt: skip
            self.decisions += played
            left -= begun
            if waiting:
                logits, values = self._ask(judge, waiting)
                with compiling(guided.settle):
                    guided.settle(
                        self.pool, self._count, self._leaves, self._legals, self._rollouts, self._splits, self._reward,
                        logits, values, self._places, waiting, self.game.players, int(how.prior), float(how.value),
                    )  # fmt: skip

    def _ask(self, judge: Judge, waiting: int) -> Answers:
        self.asked += waiting
        logits, values = judge(self._observations[:waiting])
        return np.ascontiguousarray(logits, np.float64), np.ascontiguousarray(values, np.float64)

    def root(self) -> Children:
        """What is known of the root's children that were tried."""
        pool = self.pool.view(np.ndarray)[: self.nodes]
        tried = pool[(pool["parent"] == search.ROOT) & (pool["visits"] > 0)]
        visits = tried["visits"].astype(np.int64)
        return Children(
            tried["action"].astype(np.int64), visits, tried["total"] / visits, tried["available"].astype(np.int64)
        )


@lru_cache(maxsize=32)
def places(game: Game) -> np.ndarray:
    """int64[players, actions]: the place of every action in a seat's own frame, the inverse of `game.relative_actions(seat)`."""
    return np.argsort([game.relative_actions(seat) for seat in range(game.players)], axis=1)
