"""Win rates at several levels of skill, side by side: what a seat or a card is worth may change with it, even in sign."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Picture
from matplotlib.ticker import MaxNLocator, PercentFormatter

from gosu_rl.arena import tables
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.plots import BLUE, GREY, INK, ORANGE, STYLE
from gosu_rl.arena.report import Run
from gosu_rl.arena.result import Result
from gosu_rl.arena.tables import Cell, Figure, Table
from gosu_rl.arena.winrates import Measure
from gosu_rl.arena.wording import rules_text, worded, worded_tables

HOLDER = ("Win share of the first holder", "any seat")
EFFECT = ("Effect of being given the card (same deals, card given to another seat)", "any seat")


@dataclass(frozen=True)
class Level:
    """One agent in self-play, and what was measured of it."""

    name: str
    facts: Run
    measures: Sequence[Measure]

    def find(self, table: str, label: str) -> Measure:
        """The measure of that name; KeyError where there is none."""
        for one in self.measures:
            if (one.table, one.label) == (table, label):
                return one
        raise KeyError(f"{table}: {label}")


def run_name(plans: Sequence[Plan], game: Any) -> str:
    """A folder name that tells comparisons of different identity apart."""
    text = json.dumps([plan.identity(game) for plan in plans], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    spec = plans[0].spec
    return f"skills-{spec.variant}-{spec.players}p-{len(plans)}-levels-{digest}"


def as_result(
    levels: Sequence[Level], game: Any, spec: GameSpec, seed: int, command: str, incomplete: str,
    plots: Sequence[tuple[str, str]], files: Sequence[tuple[str, str]],
) -> Result:  # fmt: skip
    """The comparison as tables."""
    rules = dict(sorted(dict(game.rules).items()))
    facts = [
        ("rules", rules_text(rules)),
        ("seed", str(seed)),
        ("intervals", "95 %, one deal = one block; every level plays the same deals, against itself"),
    ]
    facts += [("note", f"{level.name}: {level.facts.note}") for level in levels if level.facts.note]
    return Result(
        "skills",
        f"Win rates by skill in {game.card_set.variant}, {spec.players} players",
        game.card_set.banner,
        command,
        {"variant": spec.variant, "players": spec.players, "skills": [level.name for level in levels], "seed": seed},
        facts,
        worded_tables([_card(levels), _places(levels, spec.players), _length(levels)], spec.variant),
        plots,
        files,
        incomplete,
    )


def as_csv(result: Result) -> str:
    """Every figure, as `tables.as_csv`."""
    return tables.as_csv(result.tables)


def _card(levels: Sequence[Level]) -> Table:
    rows: list[list[Cell]] = [
        [
            level.name,
            Figure(level.find(*EFFECT).interval, "effect"),
            Figure(level.find(*HOLDER).interval),
            level.facts.deals,
            level.facts.games,
        ]
        for level in levels
    ]
    columns = ("level", "effect of the card", "first holder wins", "deals", "games")
    return Table("Worth of the Advantage card by skill", columns, rows, "effect: paired, same deals, card moved")


def _places(levels: Sequence[Level], players: int) -> Table:
    table = "Win share by place in the first round"
    labels = [one.label for one in levels[0].measures if one.table == table]
    rows: list[list[Cell]] = [
        [level.name, *(Figure(level.find(table, label).interval) for label in labels)] for level in levels
    ]
    return Table(table, ("level", *labels), rows, f"fair {100 / players:.1f} %", compact=True)


def _length(levels: Sequence[Level]) -> Table:
    names = ("rounds, mean", "turns, mean", "decisions, mean")
    rows: list[list[Cell]] = [
        [level.name, *(Figure(level.find("A game", name).interval, "number") for name in names)] for level in levels
    ]
    return Table("A game", ("level", *names), rows)


def as_png(levels: Sequence[Level], result: Result) -> bytes:
    """Effect of the card and win share of the first holder, by level, in the order given."""
    picture = Picture(figsize=(10, 4.6), dpi=140, layout="constrained")
    left, right = picture.subplots(1, 2)
    at = np.arange(len(levels))
    players = int(result.identity["players"])
    parts = [
        (left, EFFECT, "Effect of being given the card", 0.0, ORANGE),
        (right, HOLDER, "Win share of the first holder", 1 / players, BLUE),
    ]
    for axis, key, title, fair, colour in parts:
        found = [level.find(*key).interval for level in levels]
        middle = np.array([one.estimate for one in found])
        bars = np.nan_to_num(np.array([(one.estimate - one.low, one.high - one.estimate) for one in found]).T)
        axis.errorbar(at, middle, yerr=np.maximum(bars, 0), **{**STYLE, "color": colour})
        axis.axhline(fair, color=GREY, linestyle="--", linewidth=1.3, zorder=0)
        for x, value in zip(at, middle, strict=True):
            text = f"{100 * value:+.1f}" if key is EFFECT else f"{100 * value:.1f}"
            axis.annotate(text, (x, value), (8, 0), textcoords="offset points", va="center", fontsize=9, color=INK)
        axis.set_xticks(at, [level.name for level in levels], rotation=20, ha="right", rotation_mode="anchor")
        axis.set_xlim(-0.5, len(levels) - 0.3)
        low, high = axis.get_ylim()
        axis.set_ylim(min(low, fair - 0.05), max(high, fair + 0.05))  # a small difference shall look small
        axis.yaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))  # whole numbers, as they are shown
        axis.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" points" if key is EFFECT else " %"))
        axis.set_title(worded(title, str(result.identity["variant"])), fontsize=12.5, fontweight="bold")
        axis.spines[["top", "right"]].set_visible(False)
    picture.suptitle(result.title, fontsize=14, fontweight="bold", color=INK)
    foot = (
        f"{result.banner}\neach level against itself, seed {result.identity['seed']}; bars: 95 % over deals; - - fair"
    )
    picture.supxlabel(f"{result.incomplete}\n{foot}" if result.incomplete else foot, fontsize=8.5, color="#555555")
    out = io.BytesIO()
    picture.savefig(out, format="png")
    return out.getvalue()
