"""Tables of results, once for every form they are shown in: text, CSV, JSON; `cells.py` writes them for pages.

A cell is text, a whole number, None, or a `Figure`: a measured number with its unit and limits.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gosu_rl.arena.stats import Interval

NOTHING = "–"


@dataclass(frozen=True)
class Figure:
    """A measured number. `unit`: share (0…1), effect (difference of shares), number, chance, rating (Elo points) or seconds.

    `mark` stands before the number in text: "≥" where it is a limit only. `stands`: it stands out from chance, after
    correction for reading many figures at once.
    """

    interval: Interval
    unit: str = "share"
    mark: str = ""
    stands: bool = False

    @staticmethod
    def of(value: float, unit: str) -> Figure:
        """A number without limits."""
        return Figure(Interval(value, float("nan"), float("nan"), 0), unit)


Cell = str | int | None | Figure


@dataclass(frozen=True)
class Table:
    """`rows[i][j]` belongs to `columns[j]`. `compact`: in text, limits of shares in whole per cent.

    `fair` is the share if nothing mattered; `about` explains columns that need it.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    compact: bool = False
    fair: float | None = None
    about: Mapping[str, str] = field(default_factory=dict)


def as_text(table: Table) -> str:
    """The table for people, ends with a line feed; numbers to the right, text to the left."""
    body = [[_text(cell, table.compact) for cell in row] for row in table.rows]
    head = list(table.columns)
    widths = [max(len(line[column]) for line in [head, *body]) for column in range(len(head))]
    left = [all(isinstance(row[column], str) for row in table.rows) for column in range(len(head))]
    lines = [table.title + (f"  [{table.note}]" if table.note else "")]
    for line in [head, *body]:
        cells = [
            text.ljust(width) if to_left else text.rjust(width)
            for text, width, to_left in zip(line, widths, left, strict=True)
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(lines) + "\n"


def as_csv(tables: Iterable[Table]) -> str:
    """One line a cell: table, row, column, value, low, high, unit. A row is named by its first cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("table", "row", "column", "value", "low", "high", "unit"))
    for table in tables:
        for row in table.rows:
            for column, cell in zip(table.columns[1:], row[1:], strict=True):
                facts = _plain(cell)
                if isinstance(facts, dict):
                    values = [facts[name] for name in ("estimate", "low", "high", "unit")]
                else:
                    values = [facts, None, None, None]
                writer.writerow([table.title, row[0], column, *("" if value is None else value for value in values)])
    return out.getvalue()


def as_data(table: Table) -> dict[str, Any]:
    """The table as plain data for JSON; what is not known is None (docs/measuring.md has the format)."""
    rows = [[_plain(cell) for cell in row] for row in table.rows]
    data: dict[str, Any] = {"title": table.title, "note": table.note, "columns": list(table.columns), "rows": rows}
    if table.fair is not None:
        data["fair"] = table.fair
    return {**data, "about": dict(table.about)} if table.about else data


def _plain(cell: Cell) -> Any:
    if not isinstance(cell, Figure):
        return cell
    interval = cell.interval
    numbers = {"estimate": interval.estimate, "low": interval.low, "high": interval.high}
    facts: dict[str, Any] = {
        name: None if math.isnan(value) else float(f"{value:.6g}") for name, value in numbers.items()
    }
    facts["unit"] = cell.unit
    if cell.mark:
        facts["mark"] = cell.mark
    if cell.stands:
        facts["stands"] = True
    return facts


def _text(cell: Cell, compact: bool) -> str:
    if cell is None:
        return NOTHING
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    interval = cell.interval
    if math.isnan(interval.estimate):
        return NOTHING
    text = cell.mark + number(interval.estimate, cell.unit, True)
    if math.isnan(interval.low) or interval.low == interval.high:
        return text
    if compact and cell.unit in ("share", "effect"):
        return f"{text} ({100 * interval.low:.0f} … {100 * interval.high:.0f})"
    low, high = (number(limit, cell.unit, False) for limit in (interval.low, interval.high))
    return f"{text} ({low} … {high})"


def number(value: float, unit: str, named: bool = True) -> str:
    """A number in words, with its unit if `named`."""
    if unit == "share":
        return f"{100 * value:.1f}" + (" %" if named else "")
    if unit == "effect":
        return f"{100 * value:+.1f}" + (" pts" if named else "")
    if unit == "rating":
        return f"{value:+.0f}" if round(value) else "0"
    if unit == "seconds":
        scaled, word = (value, "s") if value >= 1 else (1e3 * value, "ms") if value >= 1e-3 else (1e6 * value, "µs")
        return f"{scaled:.3g} {word}" if scaled < 1000 else f"{scaled:,.0f} {word}"
    if unit == "chance":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    return f"{value:,.2f}"
