"""The agent `mcts`: information-set Monte Carlo tree search (`gosu_rl.core.search`) behind the Agent protocol.

Parameters (spec `mcts:sims=400,c=0.5`):

* `sims` iterations a decision, or `ms` milliseconds (then `sims` is ignored and play depends on the machine);
* `c` exploration constant, for win shares in [0, 1]; left out: C, with `prior` PUCT_C;
* `rollout` how a leaf is played out: `greedy` or another compiled policy of the game, or `random`;
* `depth` decisions after which a rollout is cut off and judged by the kernel's evaluation; -1 plays to the end; left out: ten, with
  six players of Epic Death thirty (how these and greedy rollouts came to be the default, and on how many deals that rests:
  docs/search.md);
* `method` `so` (single-observer ISMCTS), `pimc` (perfect-information Monte Carlo: `worlds` trees, a fixed world each, votes added)
  or `redetermine` (the world is dealt anew from the mover's view at opponents' nodes);
* `threads` trees grown side by side, their root visits added (root parallel);
* `prior`, `value` trained players that help (`ppo:runs/x`; `gosu_rl.core.guided` says how): the one with what to look at, the other
  with what a position is worth, in place of the rollout or, with `mix` below 1, by that weight beside it; `any_cards` as for them;
* `batch` most iterations in flight, whose positions they judge in one call.

A single legal action is answered at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gosu_rl.agents.protocol import AgentError, agent_seed
from gosu_rl.core import search
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.guided_tree import GuidedManner, GuidedTree
from gosu_rl.core.position import whole
from gosu_rl.core.tree import RANDOM, Manner, Tree

if TYPE_CHECKING:
    from gosu_rl.agents.guide import Guide

METHODS = {"so": search.FRESH, "pimc": search.FIXED, "redetermine": search.REDETERMINE}
MOST = {
    "sims": 10**7,
    "ms": 10**7,
    "depth": 10**6,
    "worlds": 10**4,
    "threads": 256,
    "batch": 4096,
}  # beyond: a slip of the keys
# C by the sweep in docs/search.md. PUCT_C is not swept: with a weak network 0.2 to 1 could not be told apart.
C, PUCT_C = 0.2, 1.0
# Decisions of a rollout, and where another number was measured to be worth its time: by variant and players.
DEPTH, DEPTHS = 10, {("epic_death", 6): 30}
SLICE = 64  # iterations between two looks at the clock
# Most nodes of a tree (84 MB, of which only what is used is ever touched); when it is full, leaves are still visited.
POOL = 1 << 21
BRANCHES = 8  # nodes an iteration for which a tree with priors has room


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
        c: float | None = None,
        rollout: str = "greedy",
        depth: int | None = None,
        method: str = "so",
        worlds: int = 20,
        threads: int = 1,
        prior: str = "",
        value: str = "",
        mix: float = 1.0,
        batch: int = 16,
        any_cards: bool = False,
    ) -> None:
        c = (PUCT_C if prior else C) if c is None else c
        least = {"sims": 1, "ms": 0, "depth": -1, "worlds": 1, "threads": 1, "batch": 1}
        at_most = DEPTH if depth is None else depth
        given = {"sims": sims, "ms": ms, "depth": at_most, "worlds": worlds, "threads": threads, "batch": batch}
        for name, low in least.items():
            try:
                number = whole(given[name], f"mcts: {name}")
            except ValueError as error:
                raise AgentError(str(error)) from None
            if number < low:
                raise AgentError(f"mcts: {name} must be {low} or more, not {number}")
            if number > MOST[name]:
                raise AgentError(f"mcts: {name} must be {MOST[name]:,} or less, not {number}")
        if not 0 <= c < 100:
            raise AgentError(f"mcts: c must lie between 0 and 100, not {c}")
        if method not in METHODS:
            raise AgentError(f"mcts: no method {method!r}; there are {', '.join(METHODS)}")
        if method == "pimc" and ms:
            raise AgentError("mcts: method pimc needs a budget in sims, not ms")
        if not 0 <= mix <= 1:
            raise AgentError(f"mcts: mix must lie between 0 and 1, not {mix}")
        if mix < 1 and not value:
            raise AgentError("mcts: mix weighs the network's value against the rollout, so it wants value=ppo:… too")
        self.sims, self.ms, self.c, self.rollout, self.depth = sims, ms, c, rollout, depth
        self.method, self.worlds, self.threads = method, worlds, threads
        self._manner = Manner(c, rollout, at_most, METHODS[method])
        self._guided = GuidedManner(self._manner, bool(prior), mix if value else 0.0, batch)
        self._guide = _guide(prior, value, any_cards) if prior or value else None

    def reset(self, game: Game, seat: int, seed: int) -> None:
        """Get ready for one game; raises AgentError where the game has no such rollout policy."""
        if self.rollout != RANDOM and self.rollout not in game.policies:
            raise AgentError(
                f"mcts: {game.variant} has no rollout policy {self.rollout!r}; there are {', '.join(game.policies)}"
            )
        if self._guide is not None:
            self._guide.sit_down(game)
        self._game, self._seed, self._decision = game, int(seed), 0

    def fingerprint(self, game: Game) -> str:
        """Of the networks that help; empty without any."""
        if self._guide is None:
            return ""
        self._guide.sit_down(game)
        return self._guide.fingerprint

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

    def _grow(self, view: GameState, seed: int, sims: int) -> Tree | GuidedTree:
        tree, grow, slice_ = self._plant(view, seed, sims)
        if not self.ms:
            grow(sims)
            return tree
        end = time.perf_counter() + self.ms / 1000
        while time.perf_counter() < end:
            grow(slice_)
        return tree

    def _manner_of(self, game: Game) -> Manner:
        """How trees of this game grow: with the depth that was asked for, or the game's own."""
        own = DEPTHS.get((game.variant, game.players), DEPTH)
        return self._manner if self.depth is not None else replace(self._manner, depth=own)

    def _plant(self, view: GameState, seed: int, sims: int) -> tuple[Tree | GuidedTree, Callable[[int], None], int]:
        """An empty tree, what lets it grow by so many iterations, and how many lie between two looks at the clock."""
        manner = self._manner_of(view.game)
        if self._guide is None:
            tree = Tree(view.game, POOL if self.ms else min(POOL, sims + 1))
            return tree, lambda more: tree.grow(view, more, seed, manner), SLICE
        judge, room = self._guide.judge, view.game.num_actions + 1
        how = replace(self._guided, manner=manner)
        each = BRANCHES if how.prior else 1
        guided = GuidedTree(view.game, POOL if self.ms else min(POOL, room + each * sims), how.batch)
        return guided, lambda more: guided.grow(view, more, seed, how, judge), 4 * how.batch


def _guide(prior: str, value: str, any_cards: bool) -> Guide:
    """Imported here, since it wants torch and plain search does not."""
    try:
        from gosu_rl.agents.guide import Guide
    except ModuleNotFoundError as error:
        raise AgentError(
            f"mcts: prior and value need the module {error.name}, which is not installed; pip install 'gosu_rl[train]'"
        ) from error
    return Guide(prior, value, any_cards)


def _add_up(trees: Sequence[Tree | GuidedTree], size: int, seconds: float) -> Analysis:
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
