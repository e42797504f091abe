"""Confidence intervals when games come in blocks.

All games of one deal share their cards, so they are not independent; one deal is one block, and blocks are the
sample. Everything here takes one number (or two) per block and treats blocks as independent draws. The one estimator
is the ratio of sums `Σ y / Σ x` with its linearised variance: with the same number of games in each block it *is* the
mean of the block means with its t-interval, and it stays right where blocks hold different numbers of games (battles
fought, truncated games).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

LEVEL = 0.95
RARE = 10.0  # with fewer effective hits or misses than this, a symmetric t-interval misses too often


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence limits; `blocks` is the number of blocks that say anything about it.

    Limits are NaN where the data allow none (a single block; no spread in a quantity without bounds), and everything
    is NaN without any data.
    """

    estimate: float
    low: float
    high: float
    blocks: int

    @property
    def half_width(self) -> float:
        """Half the distance between the limits."""
        return (self.high - self.low) / 2


def ratio(y: ArrayLike, x: ArrayLike, bounds: tuple[float, float] | None = None, level: float = LEVEL) -> Interval:
    """Interval for `Σ y / Σ x`; `y[b]` is a sum over the games of block b, `x[b]` >= 0 how many there were.

    `bounds` are the values that `y / x` cannot leave: (0, 1) for win shares and proportions, (-1, 1) for their
    differences. With them, limits stay inside, and rare events (fewer than ten effective hits or misses, none at all
    included) get the exact binomial limits at the effective sample size (Korn and Graubard 1998) in place of the
    t-interval, which would be too short, or of width zero.
    """
    ys, xs = _vector(y, "y"), _vector(x, "x")
    if ys.shape != xs.shape:
        raise ValueError(f"y holds {len(ys)} blocks and x {len(xs)}")
    if (xs < 0).any():
        raise ValueError("x must not be negative")
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    heard = xs > 0
    ys, xs = ys[heard], xs[heard]
    blocks = len(xs)
    if blocks == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    total = float(xs.sum())
    estimate = float(ys.sum()) / total
    if blocks == 1:
        low, high = bounds if bounds is not None else (float("nan"), float("nan"))
        return Interval(estimate, low, high, 1)
    errors = ys - estimate * xs
    variance = float(blocks / (blocks - 1) * (errors @ errors)) / total**2
    if variance < 1e-24 * max(1.0, estimate**2):  # all blocks agree; what is left is rounding
        variance = 0.0
    if bounds is not None:
        return _bounded(estimate, variance, blocks, bounds, level)
    if variance == 0.0:
        return Interval(estimate, float("nan"), float("nan"), blocks)
    reach = float(stats.t.ppf((1 + level) / 2, blocks - 1)) * variance**0.5
    return Interval(estimate, estimate - reach, estimate + reach, blocks)


def mean(values: ArrayLike, bounds: tuple[float, float] | None = None, level: float = LEVEL) -> Interval:
    """The t-interval for the mean of one value per block; NaN marks a block without a value."""
    array = _vector(values, "values", nan_ok=True)
    array = array[~np.isnan(array)]
    return ratio(array, np.ones_like(array), bounds, level)


def paired(a: ArrayLike, b: ArrayLike, bounds: tuple[float, float] | None = None, level: float = LEVEL) -> Interval:
    """Interval for the mean of `a - b`, both measured on the same blocks; a NaN on either side leaves a block out."""
    first, second = _vector(a, "a", nan_ok=True), _vector(b, "b", nan_ok=True)
    if first.shape != second.shape:
        raise ValueError(f"a holds {len(first)} blocks and b {len(second)}")
    return mean(first - second, bounds, level)


@dataclass(frozen=True)
class Contrast:
    """A difference of two ratios on the same blocks; `p` is two-sided for "no difference", NaN where data are too few."""

    interval: Interval
    p: float


def contrast(
    y: ArrayLike, x: ArrayLike, y0: ArrayLike, x0: ArrayLike, bounds: tuple[float, float], level: float = LEVEL
) -> Contrast:
    """`Σ y / Σ x - Σ y0 / Σ x0` with the linearised variance of the difference, so that what both share cancels.

    All four hold one number per block. The limits are t-limits kept within `bounds`; with fewer than ten effective hits or misses
    those of `y / x` (see `ratio`) would be wrong, so there are none, and no p.
    """
    ys, xs, y0s, x0s = (_vector(*one) for one in ((y, "y"), (x, "x"), (y0, "y0"), (x0, "x0")))
    if not len(ys) == len(xs) == len(y0s) == len(x0s):
        raise ValueError("y, x, y0 and x0 must hold the same blocks")
    nan, blocks = float("nan"), int((xs > 0).sum())
    if blocks == 0 or not (x0s > 0).any():
        return Contrast(Interval(nan, nan, nan, blocks), nan)
    up, down = float(ys.sum()) / float(xs.sum()), float(y0s.sum()) / float(x0s.sum())
    own = (ys - up * xs) / xs.sum()
    errors = own - (y0s - down * x0s) / x0s.sum()
    size = len(ys)
    scale = size / max(1, size - 1)
    variance, spread = scale * float(errors @ errors), scale * float(own @ own)
    effective = up * (1 - up) / spread if spread > 1e-24 else 0.0
    if blocks < 2 or variance < 1e-24 or effective * min(up, 1 - up) < RARE:
        return Contrast(Interval(up - down, nan, nan, blocks), nan)
    reach = float(stats.t.ppf((1 + level) / 2, blocks - 1)) * variance**0.5
    low, high = max(bounds[0], up - down - reach), min(bounds[1], up - down + reach)
    p = 2 * float(stats.t.sf(abs(up - down) / variance**0.5, blocks - 1))
    return Contrast(Interval(up - down, low, high, blocks), p)


def discoveries(p: ArrayLike, rate: float = 0.05) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(q, which) of many p-values by Benjamini and Hochberg (1995): of the tests picked, a part `rate` is false on average.

    q is the smallest rate at which a test would be picked. NaN marks what was not tested; it stays NaN and is not picked.
    """
    array = _vector(p, "p", nan_ok=True)
    q = np.full(array.shape, np.nan)
    tested = ~np.isnan(array)
    if tested.any():
        q[tested] = stats.false_discovery_control(array[tested], method="bh")
    return q, np.nan_to_num(q, nan=1.0) <= rate


def _bounded(estimate: float, variance: float, blocks: int, bounds: tuple[float, float], level: float) -> Interval:
    """The interval of an estimate that must stay within bounds: t, or exact binomial where hits or misses are rare."""
    floor, ceiling = bounds
    width = ceiling - floor
    part = min(1.0, max(0.0, (estimate - floor) / width))
    spread = part * (1 - part) * width**2
    # As many independent coin tosses as tell equally much. Blocks that all agree count as one toss each.
    effective = spread / variance if variance > 0 and spread > 0 else float(blocks)
    quantile = float(stats.t.ppf((1 + level) / 2, blocks - 1))
    if variance > 0 and effective * min(part, 1 - part) >= RARE:
        reach = quantile * variance**0.5
        return Interval(estimate, max(floor, estimate - reach), min(ceiling, estimate + reach), blocks)
    # Korn and Graubard: fewer blocks than infinitely many widen the limits as t does against the normal.
    effective *= (float(stats.norm.ppf((1 + level) / 2)) / quantile) ** 2
    hits, tail = part * effective, (1 - level) / 2
    low = float(stats.beta.ppf(tail, hits, effective - hits + 1)) if hits > 0 else 0.0
    high = float(stats.beta.ppf(1 - tail, hits + 1, effective - hits)) if effective - hits > 0 else 1.0
    return Interval(estimate, floor + width * low, floor + width * high, blocks)


def _vector(values: ArrayLike, name: str, nan_ok: bool = False) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one number per block, not of shape {array.shape}")
    if not nan_ok and not np.isfinite(array).all():
        raise ValueError(f"{name} holds a value that is not finite")
    return array
