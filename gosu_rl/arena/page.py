"""One result as a page that needs nothing but itself: HTML with pictures inside, or Markdown.

Everything that comes from a run (titles, labels, commands, card names) is escaped; the HTML page forbids itself scripts
and requests by a content policy.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, Undefined
from markupsafe import Markup

from gosu_rl.arena import cells
from gosu_rl.arena.cells import Form, forms, has_limits, written
from gosu_rl.arena.result import Result
from gosu_rl.arena.tables import Cell, Figure, Table

MIME = {".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
MOST_STRIPS = 3  # a table with more columns of intervals gets no drawn ones, and limits below: it would be too wide
LONG = 26  # characters; a longer text may break into lines
SMALL = 3  # columns of a table that may share the width with another
STRIP = 120.0  # width of a drawn interval, in its own units


def as_html(result: Result, folder: Path) -> str:
    """The page; `folder` is where the result's pictures lie. ValueError for a picture elsewhere or of no known kind."""
    plots = [{"title": title, "file": file, "data": _data_uri(folder, file)} for file, title in result.plots]
    tables = [_table(one) for one in result.tables]
    return _environment().get_template("report.html.j2").render(result=result, plots=plots, tables=tables)


def as_markdown(result: Result, folder: Path, target: Path) -> str:
    """The same as Markdown, with pictures as links that hold from `target`'s folder."""
    plots = []
    for file, title in result.plots:
        link = os.path.relpath(_picture(folder, file).resolve(), target.resolve().parent)
        plots.append({"title": title, "link": quote(Path(link).as_posix())})
    tables = [
        {"title": one.title, "note": one.note, "text": cells.as_markdown(one), "about": one.about}
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
    environment.filters["md"] = cells.escaped
    environment.filters["fenced"] = _fenced
    environment.filters["ticks"] = _ticks
    return environment


class _Missing(StrictUndefined):
    """May be asked whether it is there (`if`), but not shown: a card set of an older file may lack a field."""

    __bool__ = Undefined.__bool__


@dataclass(frozen=True)
class _Column:
    """What the template needs of a column."""

    name: str
    form: Form
    kind: str  # a class of the style sheet
    has_limits: bool
    has_marks: bool
    span: tuple[float, float] | None  # what its drawn intervals must hold; None: not drawn


def _table(table: Table) -> dict[str, Any]:
    """What the template needs of a table: every cell in words, and drawn where there is room."""
    columns = []
    for place, (name, form) in enumerate(zip(table.columns, forms(table), strict=True)):
        body = [row[place] for row in table.rows]
        limits = any(has_limits(cell) for cell in body)
        marks = any(isinstance(cell, Figure) and cell.stands for cell in body)
        kind = "text" if form.text else "wide" if limits else "number"
        columns.append(_Column(name, form, kind, limits, marks, _span(body, form, _zero(table, form))))
    dense = sum(column.has_limits for column in columns) > MOST_STRIPS
    rows = []
    for row in table.rows:
        shown = []
        for cell, column in zip(row, columns, strict=True):
            one, form = written(cell, column.form), column.form
            long = " long" if form.text and len(one.figure) > LONG else ""
            strip = _strip(cell, None if dense else column.span, _zero(table, form))
            shown.append(
                {"words": one, "kind": f"text{long}" if form.text else "number", "strip": strip, "column": column}
            )
        rows.append(shown)
    return {
        "title": table.title, "note": table.note, "columns": columns, "rows": rows, "about": table.about, "dense": dense,
        "small": len(columns) <= SMALL and sum(column.has_limits for column in columns) <= 1,
    }  # fmt: skip


def _zero(table: Table, form: Form) -> float | None:
    """Where nothing matters: the fair share, or no difference."""
    return 0.0 if form.unit == "effect" else table.fair if form.unit == "share" else None


def _span(body: Sequence[Cell], form: Form, zero: float | None) -> tuple[float, float] | None:
    """What the drawn intervals of a column must hold; None for a column without."""
    limited = [cell.interval for cell in body if isinstance(cell, Figure) and has_limits(cell)]
    if len(limited) < 2 or not form.unit:
        return None
    ends = [end for one in limited for end in (one.low, one.high)] + ([] if zero is None else [zero])
    return min(ends), max(ends)


def _strip(cell: Cell, span: tuple[float, float] | None, zero: float | None) -> Markup:
    """The interval drawn as a line with a dot, on the scale of its column."""
    if span is None:
        return Markup("")
    if not isinstance(cell, Figure) or not has_limits(cell):
        return Markup('<svg class="strip" aria-hidden="true"></svg>')  # so that the column stays in line
    low, high = span
    one = cell.interval

    def at(value: float) -> str:
        return f"{4 + (STRIP - 8) * (value - low) / (high - low):.1f}"

    fair = "" if zero is None else f'<line class="fair" x1="{at(zero)}" x2="{at(zero)}" y1="-3" y2="15"/>'
    line = f'<line class="range" x1="{at(one.low)}" x2="{at(one.high)}" y1="6" y2="6"/>'
    dot = f'<circle cx="{at(one.estimate)}" cy="6" r="3.6"/>'
    return Markup(f'<svg class="strip" viewBox="0 0 {STRIP:.0f} 12" aria-hidden="true">{fair}{line}{dot}</svg>')


def _picture(folder: Path, file: str) -> Path:
    if Path(file).name != file or Path(file).suffix.lower() not in MIME:
        kinds = ", ".join(MIME)
        raise ValueError(f"{folder}: the picture {file!r} must be a file ({kinds}) in the run folder itself")
    return folder / file


def _data_uri(folder: Path, file: str) -> str:
    """The picture as text; empty where its file is gone."""
    path = _picture(folder, file)
    if not path.is_file():
        return ""
    return f"data:{MIME[path.suffix.lower()]};base64,{base64.b64encode(path.read_bytes()).decode()}"


def _ticks(text: str) -> Markup:
    """Escaped text in which `words between ticks` are code."""
    parts = str(text).split("`")
    if len(parts) % 2 == 0:  # a tick without its fellow is a tick
        return Markup.escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else Markup.escape(part) for place, part in enumerate(parts)
    )


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}sh\n{text}\n{fence}"
