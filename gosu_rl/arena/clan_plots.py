"""The heat map of clans of Gosu X: which go well together in a deck, and which beats which.

Drawn from the measures of the report, so picture and table cannot disagree. No display is needed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from gosu_rl.arena.clans import AGAINST, CLAN, PAIR
from gosu_rl.arena.plots import INK
from gosu_rl.arena.report import Run
from gosu_rl.arena.winrates import Measure
from gosu_rl.core.cards.texts import CLANS

LEAST_REACH = 0.05  # colours reach five points on either side of even at least: a small difference shall look small
CLEAR = 0.62  # part of the reach from which on the ground is dark and numbers are white


def grids(measures: Sequence[Measure]) -> tuple[np.ndarray, np.ndarray]:
    """(float[8, 8] of decks that hold both clans, on the diagonal the one; float[8, 8] of the row's against the column's).

    NaN where no game was.
    """
    together, against = (np.full((len(CLANS), len(CLANS)), math.nan) for _ in range(2))
    for one in measures:
        if one.table == CLAN:
            k = CLANS.index(one.label)
            together[k, k] = one.interval.estimate
        elif one.table == PAIR:
            i, k = (CLANS.index(clan) for clan in one.label.split(" + "))
            together[i, k] = together[k, i] = one.interval.estimate
        elif one.table == AGAINST:
            i, k = (CLANS.index(clan) for clan in one.label.split(" against "))
            against[i, k] = one.interval.estimate
    return together, against


def has_clans(measures: Sequence[Measure]) -> bool:
    """Whether there is anything to draw."""
    return any(one.table == PAIR for one in measures)


def figure(run: Run, measures: Sequence[Measure]) -> Figure:
    """Two panels side by side, on one scale of colours."""
    together, against = grids(measures)
    both = np.concatenate([together.ravel(), against.ravel()])
    both = both[~np.isnan(both)]
    reach = max(LEAST_REACH, float(np.abs(both - 0.5).max(initial=0.0)))
    picture = Figure(figsize=(13, 6.6), dpi=130, layout="constrained")
    left, right = picture.subplots(1, 2)
    _grid(left, together, reach, "Both clans in the deck (diagonal: the one)")
    image = _grid(right, against, reach, "The row's clan against the column's")
    bar = picture.colorbar(image, ax=[left, right], shrink=0.75, pad=0.01)
    bar.set_label("win share of the deck, %")
    picture.suptitle(run.title, fontsize=15, fontweight="bold", color=INK)
    least = min((one.games for one in measures if one.table == PAIR), default=0)
    foot = f"{run.banner}\n{run.games:,} games on {run.deals:,} deals, seed {run.identity['seed']}"
    foot += f"; a pair of clans was in at least {least:,} decks"
    if run.incomplete:
        foot = f"{run.incomplete}\n{foot}"
    picture.supxlabel(foot, fontsize=9, color="#555555")
    return picture


def as_png(run: Run, measures: Sequence[Measure]) -> bytes:
    """The figure as the bytes of a PNG file."""
    out = io.BytesIO()
    figure(run, measures).savefig(out, format="png")
    return out.getvalue()


def _grid(axis: Axes, values: np.ndarray, reach: float, title: str) -> AxesImage:
    image = axis.imshow(100 * values, cmap="PuOr", vmin=100 * (0.5 - reach), vmax=100 * (0.5 + reach))
    for (i, k), value in np.ndenumerate(values):
        if not math.isnan(value):
            dark = abs(value - 0.5) > CLEAR * reach
            axis.text(k, i, f"{100 * value:.0f}", ha="center", va="center", color="white" if dark else INK, fontsize=10)
    axis.set_xticks(range(len(CLANS)), CLANS, rotation=40, ha="right", rotation_mode="anchor")
    axis.set_yticks(range(len(CLANS)), CLANS)
    axis.set_title(title, fontsize=12.5, fontweight="bold")
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)
    return image
