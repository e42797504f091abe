"""The results of a run as a text table, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gosu_rl.arena.tables import Cell, Figure, Table
from gosu_rl.arena.winrates import EFFECT, NUMBER, Measure
from gosu_rl.arena.wording import rules_text, worded
from gosu_rl.core.files import write_whole

COLUMNS = ("table", "label", "unit", "estimate", "low", "high", "deals", "count", "counted", "fair")


@dataclass(frozen=True)
class Run:
    """What a reader must know to judge or repeat a run."""

    title: str
    banner: str  # the card set, and whether it is a reconstruction
    command: str
    identity: Mapping[str, Any]
    deals: int  # measured
    wanted: int  # asked for
    seatings: int
    games_per_deal: int
    note: str = ""  # what else is to be said, as how a wanted precision was reached

    @property
    def games(self) -> int:
        """Games measured, truncated ones included."""
        return self.deals * self.games_per_deal

    @property
    def incomplete(self) -> str:
        """Empty, or the words that mark a run that was stopped."""
        if self.deals >= self.wanted:
            return ""
        return f"INCOMPLETE: {self.deals:,} of {self.wanted:,} deals; the same command goes on from here"

    def words(self) -> list[tuple[str, str]]:
        """(name, text) of what stands at the head of a report, beside title, cards and command."""
        holders = self.games_per_deal // self.seatings
        seatings = f"{self.seatings} seating{'s' if self.seatings > 1 else ''}"
        firsts = worded("first holders", str(self.identity["variant"]))
        intervals = "95 %, one deal = one block; a shared win counts 1/w; [fair] is the value if nothing mattered"
        facts = [
            ("rules", rules_text(self.identity["rules"])),
            ("games", f"{self.games:,} = {self.deals:,} deals x {seatings} x {holders} {firsts}"),
            ("seed", str(self.identity["seed"])),
            ("intervals", intervals),
        ]
        return facts + ([("precision", self.note)] if self.note else [])


def as_tables(measures: Sequence[Measure]) -> list[Table]:
    """The measures as tables of `result.json`."""
    grouped: dict[str, list[Measure]] = {}
    for one in measures:
        grouped.setdefault(one.table, []).append(one)
    tables = []
    for title, group in grouped.items():
        rows: list[list[Cell]] = [[one.label, Figure(one.interval, one.unit), one.games] for one in group]
        note = f"fair {100 * group[0].fair:.1f} %" if group[0].fair else ""
        tables.append(Table(title, ("", "estimate", group[0].counted), rows, note, fair=group[0].fair))
    return tables


def as_text(run: Run, measures: Sequence[Measure]) -> str:
    """The table for people; ends with a line feed."""
    lines = [run.title, f"  cards      {run.banner}"]
    for name, words in run.words():
        lines += textwrap.wrap(words, 105, initial_indent=f"  {name:<11}", subsequent_indent=" " * 13)
    lines.append(f"  command    {run.command}")
    if run.incomplete:
        lines.append(f"  {run.incomplete}")
    width = max(len(one.label) for one in measures) + 2
    table = None
    for one in measures:
        if one.table != table:
            table = one.table
            fair = "" if not one.fair else f"  [fair {100 * one.fair:.1f} %]"
            lines += ["", f"{table}{fair}", f"  {'':{width}}{'':>10}  {'95 % interval':^20}  {one.counted:>10}"]
        lines.append(f"  {one.label:{width}}{_figure(one):>10}  {_limits(one):^20}  {one.games:>10,}".rstrip())
    if run.incomplete:
        lines += ["", run.incomplete]
    return "\n".join(lines) + "\n"


def as_csv(measures: Iterable[Measure]) -> str:
    """One line a measure, columns COLUMNS; shares as fractions, unknown limits empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in map(_row, measures):
        writer.writerow(["" if row[name] is None else row[name] for name in COLUMNS])
    return out.getvalue()


def as_json(run: Run, measures: Iterable[Measure]) -> str:
    """The run's facts and all measures; unknown limits are null."""
    facts = {
        "title": run.title,
        "cards": run.banner,
        "command": run.command,
        "complete": not run.incomplete,
        "deals": run.deals,
        "deals_wanted": run.wanted,
        "games": run.games,
        "seatings": run.seatings,
        "level": 0.95,
        "identity": dict(run.identity),
        "measures": [_row(one) for one in measures],
    }
    return json.dumps(facts, indent=1, ensure_ascii=False, default=str) + "\n"


def write(path: Path, content: str | bytes) -> None:
    """Write a whole file or nothing: a reader never sees half of it."""
    write_whole(path, content.encode() if isinstance(content, str) else content)


def _row(one: Measure) -> dict[str, Any]:
    interval = one.interval
    values = (interval.estimate, interval.low, interval.high)
    estimate, low, high = (None if math.isnan(value) else float(f"{value:.6g}") for value in values)
    names = (one.table, one.label, one.unit)
    counts = (interval.blocks, one.games, one.counted)
    return dict(zip(COLUMNS, (*names, estimate, low, high, *counts, one.fair), strict=True))


def _figure(one: Measure) -> str:
    value = one.interval.estimate
    if math.isnan(value):
        return "–"
    if one.unit == NUMBER:
        return f"{value:,.2f}"
    return f"{100 * value:+.2f} pts" if one.unit == EFFECT else f"{100 * value:.2f} %"


def _limits(one: Measure) -> str:
    low, high = one.interval.low, one.interval.high
    if math.isnan(low):
        return ""
    if one.unit == NUMBER:
        return f"{low:,.2f} … {high:,.2f}"
    sign = "+" if one.unit == EFFECT else ""
    return f"{100 * low:{sign}.2f} … {100 * high:{sign}.2f}"
