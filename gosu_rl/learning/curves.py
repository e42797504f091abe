"""The picture of a run: strength against each yardstick with its intervals, and how the learning went."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from gosu_rl.core.files import write_whole
from gosu_rl.learning.history import FILE_NAME as HISTORY_FILE
from gosu_rl.learning.history import read

FILE_NAME = "curves.png"


def draw(folder: Path, to: Path | None = None) -> Path:
    """Draw the run in `folder` into its `curves.png` (or `to`); returns the file's path."""
    from matplotlib.figure import Figure

    records = read(folder / HISTORY_FILE)
    batches = [one for one in records if one["kind"] == "batch"]
    evaluations = [one for one in records if one["kind"] == "evaluation"]
    figure = Figure(figsize=(11, 4), layout="constrained")
    strength, learning = figure.subplots(1, 2)
    _strength(strength, evaluations)
    _learning(learning, batches)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    path = to or folder / FILE_NAME
    write_whole(path, picture.getvalue())
    return path


def _strength(axes: Any, evaluations: list[dict[str, Any]]) -> None:
    for agent in dict.fromkeys(name for one in evaluations for name in one["shares"]):
        rows = [(one["minutes"], *one["shares"][agent][:3]) for one in evaluations if agent in one["shares"]]
        minutes, share, low, high = zip(*rows, strict=True)
        line = axes.plot(minutes, share, marker="o", markersize=3, label=f"against {agent}")[0]
        axes.fill_between(minutes, low, high, alpha=0.2, color=line.get_color())
    deals = {shares[3] for one in evaluations for shares in one["shares"].values()}
    note = f" ({min(deals)} paired deals, 95 %)" if deals else ""
    axes.set(xlabel="minutes of training", ylabel="win share" + note, ylim=(0, 1.02), title="strength")
    axes.grid(alpha=0.3)
    if evaluations:
        axes.legend(loc="lower right")


def _learning(axes: Any, batches: list[dict[str, Any]]) -> None:
    for name, about in (
        ("entropy", "entropy (nats)"),
        ("explained", "explained variance"),
        ("clipped", "share of ratios clipped"),
    ):
        rows = [(one["samples"] / 1e6, one[name]) for one in batches if one[name] is not None]
        if rows:
            axes.plot(*zip(*rows, strict=True), label=about, linewidth=1)
    axes.set(xlabel="million samples", title="learning")
    axes.grid(alpha=0.3)
    length = axes.twinx()
    rows = [(one["samples"] / 1e6, one["length"]) for one in batches if one["length"] is not None]
    if rows:
        length.plot(*zip(*rows, strict=True), color="grey", linewidth=0.8, alpha=0.7)
    length.set_ylabel("decisions a game (grey)")
    if batches:
        axes.legend(loc="center right")
