"""Is there a best agent, or do they beat each other in a circle? Two answers that need no single scale.

Both start from the payoff matrix: `payoff[i, j]` is what i wins against j, as a win share; only which of two is better,
and by how much, matters.

*Maximal lottery*: how to draw an agent so that no other way of choosing is better against it on average (the
equilibrium of the symmetric zero-sum game). All weight on one agent: it beats or equals every other.

*α-rank* (Omidshafiei and others 2019): one population plays one agent; now and then a mutant of another kind appears and
takes over with a probability that grows with its advantage. The weight of an agent is the share of time it rules in the
long run. In the limit of strong selection that is where the walk "go to whoever beats you" ends up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

SELECTION = 100.0  # strength of selection in α-rank, for payoffs in 0…1
POPULATION = 50


def maximal_lottery(payoff: NDArray[np.float64]) -> NDArray[np.float64]:
    """float[a], sums to 1. Where several lotteries are as good, one of them is given."""
    margin = _margin(payoff)
    size = len(margin)
    if not size:
        return np.zeros(0)
    # A probability vector p with p @ margin >= 0: against every agent at least even. It exists, as margin is skew.
    least = linprog(
        np.zeros(size), A_ub=-margin.T, b_ub=np.full(size, 1e-12), A_eq=np.ones((1, size)), b_eq=[1.0], method="highs"
    )
    if not least.success:
        raise ValueError(f"no lottery found: {least.message}")
    weights = np.maximum(least.x, 0)
    return weights / weights.sum()


def alpha_rank(payoff: NDArray[np.float64], selection: float = SELECTION) -> NDArray[np.float64]:
    """float[a], sums to 1: the stationary distribution of takeovers."""
    margin = _margin(payoff)
    size = len(margin)
    if not size:
        return np.zeros(0)
    gain = margin.T * selection  # [i, j]: advantage of a mutant j over residents i
    with np.errstate(over="ignore", invalid="ignore"):
        takeover = np.where(gain == 0, 1 / POPULATION, np.expm1(-gain) / np.expm1(-POPULATION * gain))
    takeover = np.clip(np.nan_to_num(takeover), 1e-12, 1)  # never quite 0, so that the walk has one long run only
    walk = takeover / max(1, size - 1)
    np.fill_diagonal(walk, 0)
    np.fill_diagonal(walk, 1 - walk.sum(1))
    # π walk = π with Σ π = 1
    system = np.vstack([walk.T - np.eye(size), np.ones(size)])
    weights = np.linalg.lstsq(system, np.append(np.zeros(size), 1.0), rcond=None)[0]
    weights = np.maximum(weights, 0)
    return weights / weights.sum()


def beaten_by_none(payoff: NDArray[np.float64]) -> list[int]:
    """Agents that lose against no other (Condorcet winners); empty where they beat each other in a circle."""
    margin = _margin(payoff)
    return [one for one in range(len(margin)) if (margin[one] >= 0).all()]


def _margin(payoff: NDArray[np.float64]) -> NDArray[np.float64]:
    """Skew-symmetric: how much i is ahead of j; 0 where they never met."""
    matrix = np.array(payoff, np.float64)
    if matrix.ndim != 2 or len(matrix) != matrix.shape[1]:
        raise ValueError(f"a payoff matrix is square, not of shape {matrix.shape}")
    np.fill_diagonal(matrix, 0)
    return np.nan_to_num(matrix - matrix.T)
