"""One result as a page that needs nothing but itself: HTML with pictures inside, or Markdown.

Everything that comes from a run (titles, labels, commands, card names) is escaped; the HTML page forbids itself scripts
and requests by a content policy.
"""

from __future__ import annotations

import base64
import os
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, Undefined
from markupsafe import Markup

from gosu_rl.arena.result import Cell, Column, Estimate, Plot, Result, Table
from gosu_rl.arena.tables import as_markdown as table_markdown
from gosu_rl.arena.tables import escaped, places, written

MIME = {".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
UNIT_SIGNS = {"share": "%", "effect": "points"}
MOST_STRIPS = 3  # a table with more columns of intervals gets no drawn ones, and limits below: it would be too wide
LONG = 32  # characters; a longer text may break into lines
STRIP = 120.0  # width of a drawn interval, in its own units


def as_html(result: Result, folder: Path) -> str:
    """The page; `folder` is where the result's pictures lie. ValueError for a picture elsewhere or of no known kind."""
    plots = [
        {"title": one.title, "alt": one.alt, "file": one.file, "data": _data_uri(folder, one)} for one in result.plots
    ]
    tables = [_table(one) for one in result.tables]
    return _environment().get_template("report.html.j2").render(result=result, plots=plots, tables=tables)


def as_markdown(result: Result, folder: Path, target: Path) -> str:
    """The same as Markdown, with pictures as links that hold from `target`'s folder."""
    plots = []
    for one in result.plots:
        link = os.path.relpath(_picture(folder, one).resolve(), target.resolve().parent)
        plots.append({"title": one.title, "alt": one.alt, "link": quote(Path(link).as_posix())})
    tables = [
        {"title": one.title, "note": one.note, "text": table_markdown(one), "abouts": _abouts(one)}
        for one in result.tables
    ]
    text = _environment().get_template("report.md.j2").render(result=result, plots=plots, tables=tables)
    return text.rstrip("\n") + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("gosu_rl.arena"),
        autoescape=lambda name: name is None or name.endswith(".html.j2"),
        undefined=_Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escaped
    environment.filters["fenced"] = _fenced
    return environment


class _Missing(StrictUndefined):
    """May be asked whether it is there (`if`), but not shown: a card set of an older file may lack a field."""

    __bool__ = Undefined.__bool__


def _table(table: Table) -> dict[str, Any]:
    decimals = places(table)
    spans = [_span(table, place) for place in range(len(table.columns))]
    dense = sum(span is not None for span in spans) > MOST_STRIPS
    if dense:
        spans = [None] * len(spans)
    kinds = [
        {
            "has_marks": any(isinstance(row[place], Estimate) and row[place].marked for row in table.rows),
            "has_limits": any(isinstance(row[place], Estimate) and row[place].low is not None for row in table.rows),
        }
        for place in range(len(table.columns))
    ]
    columns = []
    for one, kind in zip(table.columns, kinds, strict=True):
        name = "text" if one.unit == "text" else "wide" if kind["has_limits"] else "number"
        columns.append({"name": one.name, "sign": UNIT_SIGNS.get(one.unit, ""), "kind": name})
    rows = []
    for row in table.rows:
        cells = []
        for cell, column, number, span, kind in zip(row, table.columns, decimals, spans, kinds, strict=True):
            one = written(cell, column, number)
            cells.append(
                {
                    "figure": one.figure,
                    "limits": one.limits,
                    "marked": one.marked,
                    "kind": ("text long" if len(one.figure) > LONG else "text") if column.unit == "text" else "number",
                    "strip": _strip(cell, span, _zero(table, column)),
                    **kind,
                }
            )
        rows.append(cells)
    shown = {"title": table.title, "note": table.note, "columns": columns, "rows": rows, "abouts": _abouts(table)}
    return {**shown, "dense": dense}


def _abouts(table: Table) -> list[tuple[str, str]]:
    return [(one.name, one.about) for one in table.columns if one.about]


def _zero(table: Table, column: Column) -> float | None:
    """Where nothing matters: the fair share, or no difference."""
    return 0.0 if column.unit == "effect" else table.fair if column.unit == "share" else None


def _span(table: Table, place: int) -> tuple[float, float] | None:
    """What the drawn intervals of a column must hold; None for a column without."""
    column = table.columns[place]
    cells = [row[place] for row in table.rows]
    estimates = [one for one in cells if isinstance(one, Estimate) and one.low is not None and one.high is not None]
    if len(estimates) < 2 or column.unit not in UNIT_SIGNS:
        return None
    ends = [float(end) for one in estimates for end in (one.low, one.high) if end is not None]
    zero = _zero(table, column)
    ends += [] if zero is None else [zero]
    return (min(ends), max(ends)) if max(ends) > min(ends) else None


def _strip(cell: Cell, span: tuple[float, float] | None, zero: float | None) -> Markup:
    """The interval drawn as a line with a dot, on the scale of its column."""
    if span is None or not isinstance(cell, Estimate) or cell.value is None or cell.low is None or cell.high is None:
        return Markup("")
    low, high = span

    def at(value: float) -> str:
        return f"{4 + (STRIP - 8) * (value - low) / (high - low):.1f}"

    fair = "" if zero is None else f'<line class="fair" x1="{at(zero)}" x2="{at(zero)}" y1="-3" y2="15"/>'
    line = f'<line class="range" x1="{at(cell.low)}" x2="{at(cell.high)}" y1="6" y2="6"/>'
    dot = f'<circle cx="{at(cell.value)}" cy="6" r="3.6"/>'
    return Markup(f'<svg class="strip" viewBox="0 0 {STRIP:.0f} 12" aria-hidden="true">{fair}{line}{dot}</svg>')


def _picture(folder: Path, plot: Plot) -> Path:
    if Path(plot.file).name != plot.file or Path(plot.file).suffix.lower() not in MIME:
        raise ValueError(
            f"{folder}: the picture {plot.file!r} must be a {', '.join(MIME)} file in the run folder itself"
        )
    return folder / plot.file


def _data_uri(folder: Path, plot: Plot) -> str:
    """The picture as text; empty where its file is gone."""
    path = _picture(folder, plot)
    if not path.is_file():
        return ""
    return f"data:{MIME[path.suffix.lower()]};base64,{base64.b64encode(path.read_bytes()).decode()}"


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}sh\n{text}\n{fence}"
