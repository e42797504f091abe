"""The agent `mcts`: information-set Monte Carlo tree search (`gosu_rl.core.search`) behind the Agent protocol.

Parameters (spec `mcts:sims=400,c=0.5`):

* `sims` iterations a decision, or `ms` milliseconds (then `sims` is ignored and play depends on the machine);
* `c` exploration constant, for win shares in [0, 1];
* `rollout` how a leaf is played out: `greedy` or another compiled policy of the game, or `random`;
* `depth` decisions after which a rollout is cut off and judged by the kernel's evaluation; -1 plays to the end (how greedy rollouts
  of ten decisions came to be the default, and on how many deals that rests: docs/search.md);
* `method` `so` (single-observer ISMCTS), `pimc` (perfect-information Monte Carlo: `worlds` trees, a fixed world each, votes added)
  or `redetermine` (the world is dealt anew from the mover's view at opponents' nodes);
* `threads` trees grown side by side, their root visits added (root parallel).

A single legal action is answered at once.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gosu_rl.agents.protocol import AgentError, agent_seed
from gosu_rl.core import search
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.tree import RANDOM, Manner, Tree

METHODS = {"so": search.FRESH, "pimc": search.FIXED, "redetermine": search.REDETERMINE}
MOST = {"sims": 10**7, "ms": 10**7, "depth": 10**6, "worlds": 10**4, "threads": 256}  # beyond: a slip of the keys
SLICE = 64  # iterations between two looks at the clock
POOL = (
    1 << 21
)  # most nodes of a tree (84 MB, of which only what is used is ever touched); when full, leaves are still visited


@dataclass(frozen=True)
class Analysis:
    """What a search found at the root, most visited action first. All arrays have one entry an action that was tried."""

    actions: np.ndarray  # int
    visits: np.ndarray  # int
    values: np.ndarray  # mean win share of the mover in [0, 1]
    available: np.ndarray  # iterations in which the action could have been chosen
    iterations: int
    decisions: int  # played inside the search
    seconds: float

    @property
    def best(self) -> int:
        """The action with the most visits; among equals the better value, then the lower id."""
        return int(self.actions[0])


class MCTS:
    """Search anew at every decision, from the view alone."""

    def __init__(
        self,
        sims: int = 400,
        ms: int = 0,
        c: float = 0.2,
        rollout: str = "greedy",
        depth: int = 10,
        method: str = "so",
        worlds: int = 20,
        threads: int = 1,
    ) -> None:
        least = {"sims": 1, "ms": 0, "depth": -1, "worlds": 1, "threads": 1}
        given = {"sims": sims, "ms": ms, "depth": depth, "worlds": worlds, "threads": threads}
        for name, low in least.items():
            value = given[name]
            if value < low:
                raise AgentError(f"mcts: {name} must be {low} or more, not {value}")
            if value > MOST[name]:
                raise AgentError(f"mcts: {name} must be {MOST[name]:,} or less, not {value}")
        if not 0 <= c < 100:
            raise AgentError(f"mcts: c must lie between 0 and 100, not {c}")
        if method not in METHODS:
            raise AgentError(f"mcts: no method {method!r}; there are {', '.join(METHODS)}")
        if method == "pimc" and ms:
            raise AgentError("mcts: method pimc needs a budget in sims, not ms")
        self.sims, self.ms, self.c, self.rollout, self.depth = sims, ms, c, rollout, depth
        self.method, self.worlds, self.threads = method, worlds, threads
        self._manner = Manner(c, rollout, depth, METHODS[method])

    def reset(self, game: Game, seat: int, seed: int) -> None:
        """Get ready for one game; raises AgentError where the game has no such rollout policy."""
        if self.rollout != RANDOM and self.rollout not in game.policies:
            raise AgentError(
                f"mcts: {game.variant} has no rollout policy {self.rollout!r}; there are {', '.join(game.policies)}"
            )
        self._game, self._seed, self._decision = game, int(seed), 0

    def act(self, view: GameState) -> int:
        """The most visited action."""
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        self._decision += 1
        return self.analyse(view, agent_seed(self._seed, self._decision)).best

    def analyse(self, view: GameState, seed: int) -> Analysis:
        """Search `view`, which must be the mover's, and say what was found."""
        if not view.is_view or view.viewer != view.mover:
            raise AgentError("mcts searches the view of the player who is to move")
        start = time.perf_counter()
        trees = self.worlds if self.method == "pimc" else self.threads
        budget = -(-self.sims // trees)
        jobs = [(view, seed + k * 7_919, budget) for k in range(trees)]
        if self.threads > 1:
            with ThreadPoolExecutor(self.threads) as pool:
                grown = list(pool.map(lambda job: self._grow(*job), jobs))
        else:
            grown = [self._grow(*job) for job in jobs]
        return _add_up(grown, self._game.num_actions, time.perf_counter() - start)

    def _grow(self, view: GameState, seed: int, sims: int) -> Tree:
        tree = Tree(view.game, POOL if self.ms else min(POOL, sims + 1))
        if not self.ms:
            tree.grow(view, sims, seed, self._manner)
            return tree
        end = time.perf_counter() + self.ms / 1000
        while time.perf_counter() < end:
            tree.grow(view, SLICE, seed, self._manner)
        return tree


def _add_up(trees: list[Tree], size: int, seconds: float) -> Analysis:
    visits, available = np.zeros(size, np.int64), np.zeros(size, np.int64)
    total = np.zeros(size)
    for tree in trees:
        root = tree.root()
        visits[root.actions] += root.visits
        available[root.actions] += root.available
        total[root.actions] += root.visits * root.values
    value = total / np.maximum(1, visits)
    tried = np.flatnonzero(visits)
    order = tried[np.lexsort((tried, -value[tried], -visits[tried]))]
    return Analysis(
        order, visits[order], value[order], available[order],
        sum(tree.iterations for tree in trees), sum(tree.decisions for tree in trees), seconds,
    )  # fmt: skip
