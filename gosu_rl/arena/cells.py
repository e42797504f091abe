"""Tables in narrow forms: one cell in few characters, for pages, Markdown and wide tables of a terminal.

In a column whose figures share one unit the sign stands in the heading and the number of decimals is the same throughout.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from statistics import median

from gosu_rl.arena.tables import NOTHING, Cell, Figure, Table, number

DOT = "●"
SCALE = {"share": 100.0, "effect": 100.0}
SIGNS = {"share": "%", "effect": "points"}
DECIMALS = {"share": 1, "effect": 1, "number": 2}


@dataclass(frozen=True)
class Form:
    """How a column is written: `unit` if all its figures share one, its decimals, whether it holds texts only."""

    unit: str
    decimals: int
    text: bool

    @property
    def sign(self) -> str:
        """What the heading says behind the name."""
        return SIGNS.get(self.unit, "")


@dataclass(frozen=True)
class Written:
    """A cell in words: the figure, its limits (empty without any), whether it stands out."""

    figure: str
    limits: str = ""
    stands: bool = False


def forms(table: Table) -> list[Form]:
    """One form a column."""
    return [_form([row[place] for row in table.rows]) for place in range(len(table.columns))]


def written(cell: Cell, form: Form) -> Written:
    """One cell in words."""
    if cell is None:
        return Written(NOTHING)
    if isinstance(cell, str):
        return Written(cell)
    if isinstance(cell, int):
        return Written(f"{cell:,}")
    value, low, high = cell.interval.estimate, cell.interval.low, cell.interval.high
    if math.isnan(value):
        return Written(NOTHING)
    limits = ""
    if has_limits(cell):
        limits = f"{_number(low, cell.unit, form)} … {_number(high, cell.unit, form)}"
    sign = "" if form.unit else f" {SIGNS[cell.unit]}" if cell.unit in SIGNS else ""
    return Written(f"{cell.mark}{_number(value, cell.unit, form)}{sign}", limits, cell.stands)


def brief(cell: Cell, form: Form) -> str:
    """`52.1 ± 1.2 ●`; with limits that are not the same distance away, `0.0 (0.0 … 0.4)`."""
    one = written(cell, form)
    dot = f" {DOT}" if one.stands else ""
    if not one.limits or not isinstance(cell, Figure):
        return one.figure + dot
    value, low, high = cell.interval.estimate, cell.interval.low, cell.interval.high
    if cell.unit not in DECIMALS or abs((value - low) - (high - value)) > 0.1 * (high - low):
        return f"{one.figure} ({one.limits}){dot}"
    decimals = form.decimals if form.unit else DECIMALS[cell.unit]
    return f"{one.figure} ± {SCALE.get(cell.unit, 1.0) * (high - low) / 2:,.{decimals}f}{dot}"


def headings(table: Table) -> list[str]:
    """Names of the columns with their units."""
    return [f"{name} {form.sign}".rstrip() for name, form in zip(table.columns, forms(table), strict=True)]


def has_limits(cell: Cell) -> bool:
    """Whether a cell has limits that say something."""
    return isinstance(cell, Figure) and not math.isnan(cell.interval.low) and cell.interval.low < cell.interval.high


def as_text(table: Table) -> str:
    """Aligned columns for a terminal; ends with a line feed."""
    cells = [headings(table), *_body(table)]
    dotted = [any(text.endswith(DOT) for text in column) for column in zip(*cells, strict=True)]
    cells = [
        [text + "  " * (wide and not text.endswith(DOT)) for text, wide in zip(row, dotted, strict=True)]
        for row in cells
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [table.title, *([f"  {table.note}"] if table.note else [])]
    for row in cells:
        parts = [
            text.ljust(width) if form.text else text.rjust(width)
            for text, width, form in zip(row, widths, forms(table), strict=True)
        ]
        lines.append(("  " + "  ".join(parts)).rstrip())
    return "\n".join(lines) + "\n"


def as_markdown(table: Table) -> str:
    """A Markdown table without its title; ends with a line feed."""
    rules = ["---" if form.text else "---:" for form in forms(table)]
    words = [[escaped(text) for text in row] for row in (headings(table), *_body(table))]
    return "".join("| " + " | ".join(line) + " |\n" for line in (words[0], rules, *words[1:]))


def as_csv(table: Table) -> str:
    """One line a row, with limits in columns of their own; shares as fractions, what is not known empty."""
    wide = [any(has_limits(row[place]) for row in table.rows) for place in range(len(table.columns))]
    names = [
        f"{name}{part}"
        for name, three in zip(table.columns, wide, strict=True)
        for part in (("", " low", " high") if three else ("",))
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in table.rows:
        values: list[object] = []
        for cell, three in zip(row, wide, strict=True):
            if isinstance(cell, Figure):
                numbers = (cell.interval.estimate, cell.interval.low, cell.interval.high)
                texts: list[object] = ["" if math.isnan(one) else f"{one:.6g}" for one in numbers]
            else:
                texts = ["" if cell is None else cell, "", ""]
            values += texts if three else texts[:1]
        writer.writerow(values)
    return out.getvalue()


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands, in a table too."""
    for sign in "\\`*_[]<>|#~":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


def _form(cells: list[Cell]) -> Form:
    figures = [cell for cell in cells if isinstance(cell, Figure)]
    units = {figure.unit for figure in figures}
    unit = units.pop() if len(units) == 1 else ""
    least = DECIMALS.get(unit, 1)
    widths = [SCALE.get(unit, 1.0) * (one.interval.high - one.interval.low) for one in figures if has_limits(one)]
    finer = bool(widths) and median(widths) < 4 * 10**-least
    return Form(unit, least + finer, not figures and not any(isinstance(cell, int) for cell in cells))


def _number(value: float, unit: str, form: Form) -> str:
    if unit not in DECIMALS:
        return number(value, unit)
    decimals = form.decimals if form.unit else DECIMALS[unit]
    rounded = round(SCALE.get(unit, 1.0) * value, decimals) + 0.0  # no minus before a zero
    sign = "+" if unit == "effect" and rounded else ""
    return f"{rounded:{sign},.{decimals}f}".replace("-", "−")


def _body(table: Table) -> list[list[str]]:
    columns = forms(table)
    return [[brief(cell, form) for cell, form in zip(row, columns, strict=True)] for row in table.rows]
