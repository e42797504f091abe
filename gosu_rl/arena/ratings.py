"""Ratings from games: Bradley–Terry for two seats, Plackett–Luce for more, with intervals over deals.

The model: every agent has a strength θ, and of the agents at a table each wins with probability exp θ / Σ exp θ. With
two seats that is Bradley–Terry; with more it is the first place of Plackett–Luce, and nothing more, as a game names its
winners only. A shared win counts 1/w for each of w winners. Copies of an agent at one table share what it wins.

Two choices make it well defined. A *prior* of half a won and half a lost game between any two agents keeps an agent
that wins (or loses) everything at a finite distance. And only differences mean anything, so the numbers are shifted to
an *anchor*. Numbers are shown on the scale of Elo, 400 points for odds of 10 : 1.

Intervals are by the bootstrap over deals: deals are drawn again with replacement, all games of a deal together, and the
model is fitted anew. The fit is Newton's method, for all draws at once. (Libraries for such ratings know neither
shared wins nor blocks of games.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena.stats import LEVEL, Interval

ELO = 400 / np.log(10)  # points a unit of θ
DRAWS = 1000  # of the bootstrap
PRIOR = 1.0  # games between any two agents, half won and half lost
STEPS = 100  # of Newton's method; fewer than twenty are ever needed
LONGEST_STEP = 1.0  # of θ in one step; far from the optimum the full step may go too far


@dataclass(frozen=True)
class Rating:
    """One agent. `interval` in Elo points; `bound` is "", or says that the data allow a limit only."""

    interval: Interval
    bound: str = ""


def rate(
    tables: NDArray[np.int64], won: NDArray[np.float64], deals: NDArray[np.int64], anchor: int | None, seed: int = 0
) -> list[Rating]:
    """Ratings of agents 0…a-1 from g games.

    `tables` int[g, a]: how many seats each agent has in a game; `won` float[g, a]: its share of the win, rows add up
    to 1; `deals` int[g]: which deal a game is played on. `anchor` is the agent whose rating is 0, None: the mean is.
    """
    if not len(tables):
        nothing = Interval(float("nan"), float("nan"), float("nan"), 0)
        return [Rating(nothing) for _ in range(tables.shape[1])]
    if not np.allclose(won.sum(1), 1):
        raise ValueError("the shares of a game must add up to one")
    groups, group = np.unique(tables, axis=0, return_inverse=True)
    _, block = np.unique(deals, return_inverse=True)
    blocks = int(block.max()) + 1
    size = tables.shape[1]
    played = np.zeros((blocks, len(groups)))  # games of each kind of table, by deal
    np.add.at(played, (block, group.reshape(-1)), 1.0)
    gained = np.zeros((blocks, size))
    np.add.at(gained, block, won)

    generator = np.random.default_rng([seed, blocks])
    weights = generator.multinomial(blocks, np.full(blocks, 1 / blocks), DRAWS).astype(np.float64)
    weights = np.vstack([np.ones(blocks), weights])  # the first "draw" is the data
    strengths = fit(groups, weights @ played, weights @ gained) * ELO
    strengths -= strengths.mean(1, keepdims=True) if anchor is None else strengths[:, [anchor]]
    strengths[:, tables.sum(0) == 0] = np.nan  # never at a table: the prior alone would speak
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(strengths[1:], [tail, 1 - tail], axis=0) if blocks > 1 else np.full((2, size), np.nan)
    bounds = _bounds(tables, won, anchor)
    return [
        Rating(Interval(float(strengths[0, one]), float(low[one]), float(high[one]), blocks), bounds[one])
        for one in range(size)
    ]


def fit(groups: NDArray[np.int64], played: NDArray[np.float64], gained: NDArray[np.float64]) -> NDArray[np.float64]:
    """Most likely strengths θ[draws, agents], mean 0, with the prior.

    `groups` int[k, a]: seats by agent at each kind of table; `played` float[draws, k]: games at it; `gained`
    float[draws, a]: wins of each agent.
    """
    size = groups.shape[1]
    pairs = np.array([np.eye(size, dtype=np.int64)[[i, j]].sum(0) for i in range(size) for j in range(i)])
    groups = np.vstack([groups, pairs])
    played = np.hstack([played, np.full((len(played), len(pairs)), PRIOR)])
    gained = gained + PRIOR * (size - 1) / 2
    theta = np.zeros((len(played), size))
    for _ in range(STEPS):
        odds = groups * np.exp(theta)[:, None, :]  # [draws, groups, agents]
        chance = odds / odds.sum(2, keepdims=True)
        expected = played[:, :, None] * chance
        gradient = gained - expected.sum(1)
        curvature = -np.einsum("dga,dgb->dab", expected, chance)
        curvature[:, np.arange(size), np.arange(size)] += expected.sum(1)
        # θ is defined up to a constant; the ones fix it at mean 0 and change nothing else.
        step = np.linalg.solve(curvature + 1.0 / size, gradient[:, :, None])[:, :, 0]
        step *= np.minimum(1.0, LONGEST_STEP / np.maximum(np.abs(step).max(1, keepdims=True), 1e-300))
        theta += step
        if np.abs(step).max() < 1e-9:
            return theta - theta.mean(1, keepdims=True)
    raise ValueError("the ratings did not settle; this is a fault of gosu_rl")


def _bounds(tables: NDArray[np.int64], won: NDArray[np.float64], anchor: int | None) -> list[str]:
    """Which ratings are limits only: those of agents that never lost, or never won, on any way to the anchor.

    Without an anchor the largest set of agents that have all beaten one another, directly or on the way, stands for it.
    """
    beat = ((won > 0).T.astype(np.int64) @ (tables > 0)) > 0  # [i, j]: i has won a game in which j sat
    np.fill_diagonal(beat, True)
    for _ in range(len(beat).bit_length()):
        beat = (beat.astype(np.int64) @ beat.astype(np.int64)) > 0
    mutual = beat & beat.T
    place = int(mutual.sum(1).argmax()) if anchor is None else anchor
    words = {(True, False): "at least", (False, True): "at most"}
    return [words.get((bool(beat[one, place]), bool(beat[place, one])), "") for one in range(len(beat))]


def anchor_of(agents: Sequence[str]) -> int | None:
    """The agent whose rating is 0: `random` where it plays, else None (the mean of all is 0)."""
    return list(agents).index("random") if "random" in agents else None
