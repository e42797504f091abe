"""Tables of a result as text: for the terminal, as Markdown, as CSV; and how a single cell is written anywhere."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from gosu_rl.arena.result import Cell, Column, Estimate, Table

UNKNOWN = "–"
MARK = "●"
SCALE = {"share": 100.0, "effect": 100.0}
TEXT_LIKE = ("text",)


@dataclass(frozen=True)
class Written:
    """A cell in words: the figure, its unit, its limits (empty without any)."""

    figure: str
    unit: str = ""
    limits: str = ""
    marked: bool = False


def places(table: Table) -> list[int]:
    """Decimals by column: 1 for shares and 2 for numbers, one more where half of the intervals are narrower than a unit."""
    found = []
    for place, column in enumerate(table.columns):
        scale, least = SCALE.get(column.unit, 1.0), 1 if column.unit in SCALE else 2
        cells = [row[place] for row in table.rows]
        widths = [scale * (one.high - one.low) for one in cells if isinstance(one, Estimate) and one.high and one.low]
        found.append(least + bool(widths and 0 < median(widths) < 10**-least * 4))
    return found


def written(cell: Cell, column: Column, decimals: int) -> Written:
    """One cell in words."""
    if cell is None:
        return Written(UNKNOWN)
    if isinstance(cell, str):
        return Written(cell)
    estimate = cell if isinstance(cell, Estimate) else Estimate(float(cell))
    if estimate.value is None:
        return Written(UNKNOWN)
    if column.unit == "count":
        return Written(f"{round(estimate.value):,}")
    if column.unit == "chance":
        return Written("< 0.001" if estimate.value < 0.001 else f"{estimate.value:.3f}")
    scale = SCALE.get(column.unit, 1.0)
    sign = "+" if column.unit == "effect" else ""
    unit = {"share": "%", "effect": "points"}.get(column.unit, "")

    def shown(number: float) -> str:
        rounded = round(scale * number, decimals) + 0.0  # no minus before a zero
        return f"{rounded:{sign if rounded else ''},.{decimals}f}".replace("-", "−")

    limits = ""
    if estimate.low is not None and estimate.high is not None:
        limits = f"{shown(estimate.low)} … {shown(estimate.high)}"
    return Written(shown(estimate.value), unit, limits, estimate.marked)


def brief(cell: Cell, column: Column, decimals: int) -> str:
    """One cell in a few characters: `52.1 ± 1.2 ●`; with limits that are not the same distance away, `0.0 (0.0 … 0.4)`."""
    one = written(cell, column, decimals)
    mark = f" {MARK}" if one.marked else ""
    if not one.limits or not isinstance(cell, Estimate) or cell.low is None or cell.high is None or cell.value is None:
        return f"{one.figure}{mark}"
    below, above = cell.value - cell.low, cell.high - cell.value
    if abs(below - above) > 0.1 * (cell.high - cell.low):
        return f"{one.figure} ({one.limits}){mark}"
    scale = SCALE.get(column.unit, 1.0)
    return f"{one.figure} ± {scale * (below + above) / 2:,.{decimals}f}{mark}"


def headings(table: Table) -> list[str]:
    """Names of the columns with their units."""
    units = {"share": " %", "effect": " points"}
    return [one.name + units.get(one.unit, "") for one in table.columns]


def as_text(table: Table) -> str:
    """Aligned columns for a terminal; ends with a line feed."""
    cells = [headings(table), *_body(table)]
    marked = [any(text.endswith(MARK) for text in column) for column in zip(*cells, strict=True)]
    cells = [
        [text + "  " * (wide and not text.endswith(MARK)) for text, wide in zip(row, marked, strict=True)]
        for row in cells
    ]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    lines = [table.title, *([f"  {table.note}"] if table.note else [])]
    for row in cells:
        parts = []
        for text, width, column in zip(row, widths, table.columns, strict=True):
            gap = " " * (width - _width(text))
            parts.append(text + gap if column.unit in TEXT_LIKE else gap + text)
        lines.append(("  " + "  ".join(parts)).rstrip())
    return "\n".join(lines) + "\n"


def as_markdown(table: Table) -> str:
    """A Markdown table without its title; ends with a line feed."""
    rules = ["---" if one.unit in TEXT_LIKE else "---:" for one in table.columns]
    words = [[escaped(text) for text in row] for row in (headings(table), *_body(table))]
    lines = [words[0], rules, *words[1:]]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def as_csv(table: Table) -> str:
    """All figures with their limits, in full; unknown ones empty."""
    spread = [
        any(isinstance(row[place], Estimate) for row in table.rows) for place in range(len(table.columns))
    ]  # columns with limits
    names: list[str] = []
    for column, wide in zip(table.columns, spread, strict=True):
        names += [f"{column.name}{part}" for part in (("", " low", " high") if wide else ("",))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in table.rows:
        values: list[object] = []
        for cell, wide in zip(row, spread, strict=True):
            one = cell if isinstance(cell, Estimate) else None
            numbers = [one.value, one.low, one.high] if one else [cell, None, None]
            values += [_full(number) for number in (numbers if wide else numbers[:1])]
        writer.writerow(values)
    return out.getvalue()


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands, in a table too."""
    for sign in "\\`*_[]<>|#~":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


def _body(table: Table) -> list[list[str]]:
    decimals = places(table)
    return [
        [brief(cell, column, number) for cell, column, number in zip(row, table.columns, decimals, strict=True)]
        for row in table.rows
    ]


def _full(cell: object) -> object:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else cell


def _width(text: str) -> int:
    """Columns of a terminal."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else not unicodedata.combining(sign) for sign in text)


def joined(tables: Sequence[Table]) -> str:
    """Several tables for a terminal."""
    return "\n".join(as_text(one) for one in tables)
