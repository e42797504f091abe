"""The pictures of a run: win share by seat, worth of the card, holders at the battles, length of games.

Everything is drawn from the measures of the report, so picture and table cannot disagree. No display is needed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter

from gosu_rl.arena.report import Run
from gosu_rl.arena.winrates import Measure
from gosu_rl.arena.wording import worded

BLUE, ORANGE, GREEN, GREY, INK = "#0072B2", "#D55E00", "#009E73", "#8A8A8A", "#222222"
SHORT = {
    "third Victory Point": "third point",
    "fifteen goblins": "fifteen",
    "nine goblins of one clan": "nine of a clan",
    "an Ôzeki's condition": "condition",
    "fifth Activation token": "fifth token",
    "Goan Sul, at a battle": "Goan Sul",
    "Justice, by her tiles": "Justice",
    "most points when the last Town fell": "most points",
    "(shared wins among them)": "(shared)",
}
STYLE: dict[str, Any] = {"fmt": "o", "markersize": 6, "capsize": 4, "elinewidth": 1.8, "capthick": 1.8}


def figure(run: Run, measures: Sequence[Measure]) -> Figure:
    """Four panels, readable at the width of a README; a fifth and sixth if several agents played."""
    tables: dict[str, list[Measure]] = {}
    for one in measures:
        tables.setdefault(one.table, []).append(one)
    several = "Win share by agent" in tables
    picture = Figure(figsize=(10, 11.2 if several else 7.8), dpi=140, layout="constrained")
    axes = picture.subplots(3 if several else 2, 2).ravel()
    _seats(axes[0], tables)
    _card(axes[1], tables)
    if "Battles won by the holder" in tables:
        _battles(axes[2], tables)
    else:
        _leaders(axes[2], tables)
    _rounds(axes[3], tables)
    if several:
        _agents(axes[4], tables)
        _reasons(axes[5], tables)
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.title.set_fontsize(12.5)
        axis.title.set_fontweight("bold")
    picture.suptitle(run.title, fontsize=15, fontweight="bold", color=INK)
    counts = f"{run.games:,} games on {run.deals:,} deals, seed {run.identity['seed']}"
    foot = f"{run.banner}\n{counts}; bars: 95 % intervals over deals"
    if run.incomplete:
        foot = f"{run.incomplete}\n{foot}"
    picture.supxlabel(foot, fontsize=9, color="#555555")
    for text in picture.findobj(Text):
        text.set_text(worded(text.get_text(), str(run.identity["variant"])))
    return picture


def as_png(run: Run, measures: Sequence[Measure]) -> bytes:
    """The figure as the bytes of a PNG file."""
    out = io.BytesIO()
    figure(run, measures).savefig(out, format="png")
    return out.getvalue()


def _seats(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    seats, places = tables["Win share by seat"], tables["Win share by place in the first round"]
    labels = [one.label for one in seats] + ["1st", "2nd", "3rd", "4th", "5th", "6th"][: len(places)]
    at = np.concatenate([np.arange(len(seats)), len(seats) + 0.6 + np.arange(len(places))])
    _points(axis, at[: len(seats)], seats, BLUE)
    _points(axis, at[len(seats) :], places, ORANGE)
    axis.axvline(len(seats) - 0.2, color="#DDDDDD", linewidth=1)
    axis.set_xticks(at, labels)
    _room(axis, seats[0].fair)
    _fair(axis, seats[0].fair)
    axis.set(title="Win share by seat and by place", ylabel="win share", xlim=(-0.6, at[-1] + 0.6))
    axis.set_xlabel("seat at the table  |  place in the first round, 1st: given the card", fontsize=9)
    _percent(axis)


def _card(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    """For each seat: its win share without and with the card, and the paired difference."""
    effects = next(rows for table, rows in tables.items() if table.startswith("Effect of being given the card"))
    given, other = tables["Win share of the first holder"], tables["Win share of a seat when another is given the card"]
    at = np.arange(len(effects))
    _points(axis, at - 0.05, other, BLUE, "another has the card")
    _points(axis, at + 0.05, given, ORANGE, "given the card", "s")
    for x, one, low, high in zip(at, effects, other, given, strict=True):
        middle = (low.interval.estimate + high.interval.estimate) / 2
        if math.isnan(one.interval.estimate):
            continue
        text = f"{100 * one.interval.estimate:+.1f}"
        if not math.isnan(one.interval.half_width):
            text += f"\n± {100 * one.interval.half_width:.1f}"
        place: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 9.5, "linespacing": 1.3}
        place["bbox"] = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        axis.annotate(text, (x + 0.05, middle), (9, 0), **place)
    axis.set_xticks(at, [one.label for one in effects])
    axis.set(title="What the Advantage card is worth", ylabel="win share", xlim=(-0.5, len(effects) - 0.3))
    axis.set_xlabel("numbers: change in points, same deals with the card moved", fontsize=9)
    _room(axis, given[0].fair)
    _fair(axis, given[0].fair, named=False)
    _legend(axis, 2)
    _percent(axis)


def _battles(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    lines = [
        ("Games won by who holds the card at that battle", "holder wins the game", ORANGE, "s-"),
        ("Battles won by the holder", "holder wins the battle", BLUE, "o-"),
        ("Battles tied at the top", "tie at the top", GREEN, "^-"),
        ("Battles decided by the card", "card decides", INK, "v-"),
    ]
    total = 0
    for number, (table, label, colour, mark) in enumerate(lines):
        rows = [one for one in tables[table] if one.label != "all battles"]
        rows = [one for one in rows if one.games >= max(1, 0.01 * rows[0].games)]  # the last few battles say nothing
        total = max(total, len(rows))
        at = np.arange(1, len(rows) + 1) + 0.06 * (number - 1.5)
        style = {**STYLE, "fmt": mark, "color": colour, "markersize": 5, "label": label}
        axis.errorbar(at, [one.interval.estimate for one in rows], yerr=_bars(rows), **style)
    _fair(axis, tables["Battles won by the holder"][0].fair)
    axis.set(title="The holder at each Great Battle", xlabel="battle", ylabel="share", ylim=(0, None))
    axis.set_xlim(0.6, max(total, 1) + 0.4)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    _legend(axis, 2)
    _percent(axis)


def _leaders(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    """Win share by Leader, the best first (Epic Death)."""
    rows = sorted(tables["Win share by Leader"], key=lambda one: -one.interval.estimate)
    at = np.arange(len(rows))
    _points(axis, at, rows, BLUE)
    axis.set_xticks(at, [one.label for one in rows], rotation=60, ha="right", fontsize=8)
    _room(axis, rows[0].fair)
    _fair(axis, rows[0].fair)
    axis.set(title="Win share by Leader", ylabel="win share", xlim=(-0.6, at[-1] + 0.6))
    _percent(axis)


def _rounds(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    rows = tables.get("Games that last", [])
    at = np.arange(1, len(rows) + 1)
    bands = [one.label.removesuffix("s").removesuffix(" round").replace(" to ", "–") for one in rows]
    bars = axis.bar(at, [one.interval.estimate for one in rows], color=BLUE, width=0.72, yerr=_bars(rows), capsize=4)
    axis.bar_label(bars, [f"{100 * one.interval.estimate:.1f}" for one in rows], padding=2, fontsize=9)
    mean = next(one for one in tables["A game"] if one.label == "rounds, mean")
    axis.set(title=f"Rounds a game (mean {mean.interval.estimate:.2f})", xlabel="rounds", ylabel="share of games")
    if any("–" in band for band in bands):
        axis.set_xticks(at, bands, rotation=45, ha="right", fontsize=8)
    else:
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.margins(y=0.12)
    _percent(axis)


def _agents(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    rows = tables["Win share by agent"]
    split = tables["Win share by agent and card"]
    at = np.arange(len(rows))
    _points(axis, at, rows, BLUE, "all games")
    _points(axis, at + 0.18, split[0::2], ORANGE, "given the card", "s")
    _points(axis, at - 0.18, split[1::2], GREEN, "not given it", "^")
    axis.set_xticks(at, [one.label for one in rows])
    axis.set(title="Win share by agent", ylabel="win share a seat", xlim=(-0.6, len(rows) - 0.4))
    _fair(axis, rows[0].fair)
    axis.set_ylim(0, 1)
    _legend(axis, 3)
    _percent(axis)


def _reasons(axis: Axes, tables: dict[str, list[Measure]]) -> None:
    rows = tables["Won by"][::-1]
    labels = [SHORT.get(one.label, one.label) for one in rows]
    bars = axis.barh(labels, [one.interval.estimate for one in rows], color=BLUE, xerr=_bars(rows))
    axis.bar_label(bars, [f"{100 * one.interval.estimate:.1f} %" for one in rows], padding=4, fontsize=9)
    axis.set(title="How games are won", xlabel="share of games")
    axis.margins(x=0.18)
    axis.xaxis.set_major_formatter(_Percent())


def _points(
    axis: Axes, at: np.ndarray, rows: Sequence[Measure], colour: str, label: str | None = None, mark: str = "o"
) -> None:
    style = {**STYLE, "fmt": mark, "color": colour, "label": label}
    axis.errorbar(at, [one.interval.estimate for one in rows], yerr=_bars(rows), **style)


def _bars(rows: Sequence[Measure]) -> np.ndarray:
    """float[2, rows]: how far the limits lie below and above; 0 where there are none."""
    pairs = [(one.interval.estimate - one.interval.low, one.interval.high - one.interval.estimate) for one in rows]
    return np.nan_to_num(np.maximum(np.array(pairs, float).reshape(-1, 2).T, 0))


def _fair(axis: Axes, fair: float | None, named: bool = True) -> None:
    if fair is None:
        return
    axis.axhline(fair, color=GREY, linestyle="--", linewidth=1.4, zorder=0)
    if not named:
        return
    text = f"fair {100 * fair:.0f} %" if abs(100 * fair - round(100 * fair)) < 0.01 else f"fair 1/{round(1 / fair)}"
    axis.annotate(
        text,
        (1, fair),
        (-2, 3),
        xycoords=axis.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        color=GREY,
    )


class _Percent(PercentFormatter):
    """Whole percents, and no label above 100 %, where only legends are."""

    def __init__(self) -> None:
        super().__init__(1.0, decimals=0, symbol=" %")

    def __call__(self, x: float, pos: int | None = None) -> str:
        return "" if x > 1.0001 else super().__call__(x, pos)


def _percent(axis: Axes) -> None:
    axis.yaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))
    axis.yaxis.set_major_formatter(_Percent())


def _room(axis: Axes, fair: float | None) -> None:
    """Show five points around the fair share at least: a small difference shall look small."""
    if fair is not None:
        low, high = axis.get_ylim()
        axis.set_ylim(min(low, fair - 0.05), max(high, fair + 0.05))


def _legend(axis: Axes, columns: int) -> None:
    """The legend in a strip of its own above the data."""
    low, high = axis.get_ylim()
    axis.set_ylim(
        low, high + (0.24 if columns == 2 and len(axis.get_legend_handles_labels()[1]) > 2 else 0.15) * (high - low)
    )
    axis.legend(
        loc="upper left",
        fontsize=9,
        ncols=columns,
        frameon=False,
        columnspacing=1.0,
        handletextpad=0.4,
        borderaxespad=0.2,
    )
