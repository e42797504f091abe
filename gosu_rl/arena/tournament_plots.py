"""The pictures of a tournament: payoffs as a heat map, ratings with intervals. No display is needed."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure as Picture

from gosu_rl.arena.plots import BLUE, GREY, INK, STYLE
from gosu_rl.arena.ratings import Rating
from gosu_rl.arena.standings import Played, estimates, order, payoff

LONGEST_NAME = 26


def heat_map(played: Played, rated: Sequence[Rating], title: str, foot: str) -> bytes:
    """PNG: win share of the row against the column, best agents first."""
    ranks, matrix = order(played, rated), payoff(played)
    values = estimates(matrix)[np.ix_(ranks, ranks)].copy()
    np.fill_diagonal(values, np.nan)
    size = len(ranks)
    side = 3.4 + 0.95 * size
    picture = Picture(figsize=(side + 1.2, side), dpi=140, layout="constrained")
    axis = picture.subplots()
    image = axis.imshow(values, cmap="RdYlBu", vmin=0, vmax=1)
    names = [_short(played.agents[one]) for one in ranks]
    axis.set_xticks(range(size), names, rotation=30, ha="right", rotation_mode="anchor")
    axis.set_yticks(range(size), names)
    for i, row in enumerate(ranks):
        for j, column in enumerate(ranks):
            cell = matrix[row][column]
            if cell is None or np.isnan(cell.estimate):
                continue
            text = f"{100 * cell.estimate:.0f}"
            if not np.isnan(cell.half_width):
                text += f"\n{100 * cell.low:.0f} … {100 * cell.high:.0f}"
            dark = abs(cell.estimate - 0.5) > 0.35
            axis.text(j, i, text, ha="center", va="center", fontsize=10, color="white" if dark else INK)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)
    bar = picture.colorbar(image, ax=axis, shrink=0.75, format=lambda value, _: f"{100 * value:.0f} %")
    bar.outline.set_visible(False)
    words = "win share of row against column" if played.players == 2 else "of what the two win, the part of the row"
    bar.set_label(words, fontsize=9)
    return _png(picture, title, foot)


def rating_bars(played: Played, rated: Sequence[Rating], title: str, foot: str) -> bytes:
    """PNG: ratings with their intervals, best agent on top."""
    ranks = [one for one in order(played, rated)[::-1] if not np.isnan(rated[one].interval.estimate)]
    shown = [rated[one].interval for one in ranks]
    picture = Picture(figsize=(8.5, 2.4 + 0.42 * len(ranks)), dpi=140, layout="constrained")
    axis = picture.subplots()
    middle = np.nan_to_num(np.array([one.estimate for one in shown]))
    limits = np.array([(one.estimate - one.low, one.high - one.estimate) for one in shown]).reshape(-1, 2).T
    bars = np.maximum(np.nan_to_num(limits), 0)
    axis.errorbar(middle, range(len(ranks)), xerr=bars, **{**STYLE, "color": BLUE})
    for at, (one, value) in enumerate(zip(ranks, middle, strict=True)):
        mark = {"at least": "≥ ", "at most": "≤ "}.get(rated[one].bound, "")
        axis.annotate(
            f"{mark}{value:+.0f}" if round(value) else "0",
            (value, at),
            (0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            color=INK,
        )
    axis.set_yticks(range(len(ranks)), [_short(played.agents[one]) for one in ranks])
    axis.set_ylim(-0.6, len(ranks) - 0.3)
    axis.axvline(0, color=GREY, linestyle="--", linewidth=1.2, zorder=0)
    axis.margins(x=0.08)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_xlabel("rating (scale of Elo: 400 points are odds of 10 : 1)", fontsize=9)
    return _png(picture, title, foot)


def _png(picture: Picture, title: str, foot: str) -> bytes:
    picture.suptitle(title, fontsize=13, fontweight="bold", color=INK)
    picture.supxlabel(foot, fontsize=8.5, color="#555555")
    out = io.BytesIO()
    picture.savefig(out, format="png")
    return out.getvalue()


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
