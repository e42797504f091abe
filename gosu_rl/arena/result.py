"""`result.json`: what a run found, in one shape for every kind of run, so that one report can show them all.

A run folder holds `result.json` beside its own files. Tables come with a unit a column; a cell is a text, a number, null
(unknown), or an estimate with its 95 % limits.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from gosu_rl.arena.stats import Interval

FILE_NAME = "result.json"
FORMAT = 1
UNITS = {
    "text": "words",
    "count": "whole number",
    "number": "any number",
    "share": "part of one, shown in percent",
    "chance": "probability, shown as 0.012",
    "effect": "difference of two shares, shown in percentage points",
}
PACKAGES = ("gosu_rl", "numpy", "numba", "scipy")


@dataclass(frozen=True)
class Estimate:
    """A figure with its limits (None: unknown). `marked`: it stands out after correction for reading many at once."""

    value: float | None
    low: float | None = None
    high: float | None = None
    marked: bool = False

    @classmethod
    def of(cls, interval: Interval, marked: bool = False) -> Estimate:
        """From an interval; NaN becomes None."""
        return cls(_known(interval.estimate), _known(interval.low), _known(interval.high), marked)


Cell = str | int | float | None | Estimate


@dataclass(frozen=True)
class Column:
    """Heading, unit (of UNITS) and, if it needs one, an explanation."""

    name: str
    unit: str = "text"
    about: str = ""

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"column {self.name!r}: no unit {self.unit!r}; there are {', '.join(UNITS)}")


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns; `note` is read before the table. `fair`: the value if nothing mattered."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    fair: float | None = None

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.title!r}: a row of {len(row)} cells under {len(self.columns)} columns")


@dataclass(frozen=True)
class Plot:
    """A picture in the run folder; `alt` says in words what it shows."""

    file: str
    title: str
    alt: str = ""


@dataclass(frozen=True)
class Result:
    """Everything a reader must know to judge or repeat a run, and what it found."""

    kind: str  # winrates, tournament, impact
    title: str
    command: str  # a line for a shell
    cards: Mapping[str, Any]  # `provenance(card_set)`
    facts: Mapping[str, str]  # games, seed, rules, intervals …: short texts, in the order in which they are shown
    tables: Sequence[Table]
    plots: Sequence[Plot] = ()
    notes: Sequence[str] = ()  # paragraphs: how to read it
    incomplete: str = ""  # words that mark a run that was stopped
    versions: Mapping[str, str] = field(default_factory=lambda: versions())


def provenance(card_set: Any) -> dict[str, Any]:
    """Name, hash, and where the fields of a card set come from."""
    from collections import Counter

    from gosu_rl.core.cards.schema import CARD_FIELDS

    words = Counter(card_set.field_provenance(card, name) for card in card_set.cards for name in CARD_FIELDS)
    return {
        "banner": card_set.banner,
        "name": card_set.name,
        "hash": card_set.hash,
        "reconstruction": bool(card_set.is_reconstruction),
        "faces": len(card_set.cards),
        "copies": int(card_set.copies),
        "fields": {str(word): int(count) for word, count in sorted(words.items())},
        "sources": dict(card_set.sources),
    }


def versions() -> dict[str, str]:
    """Of Python and of the packages that figures hang on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            import gosu_rl

            found[name] = gosu_rl.__version__ if name == "gosu_rl" else "not installed"
    return found


def without_plots(result: Result) -> Result:
    """The same result for a run that wrote no pictures."""
    return replace(result, plots=())


def as_json(result: Result) -> str:
    """The text of `result.json`."""
    content = {
        "format": FORMAT,
        "kind": result.kind,
        "title": result.title,
        "command": result.command,
        "incomplete": result.incomplete,
        "cards": dict(result.cards),
        "facts": dict(result.facts),
        "versions": dict(result.versions),
        "notes": list(result.notes),
        "tables": [
            {
                "title": table.title,
                "note": table.note,
                "fair": table.fair,
                "columns": [{"name": one.name, "unit": one.unit, "about": one.about} for one in table.columns],
                "rows": [[_plain(cell) for cell in row] for row in table.rows],
            }
            for table in result.tables
        ],
        "plots": [{"file": one.file, "title": one.title, "alt": one.alt} for one in result.plots],
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read(path: Path) -> Result:
    """The result in a file; ValueError of one line for anything else than one of this format."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not a result file ({error})") from None
    if not isinstance(content, dict) or not isinstance(content.get("format"), int):
        raise ValueError(f"{path}: not a result file (it has no format number)")
    if content["format"] != FORMAT:
        raise ValueError(f"{path}: result format {content['format']}, but this version of gosu_rl reads {FORMAT}")
    try:
        return Result(
            kind=str(content["kind"]),
            title=str(content["title"]),
            command=str(content["command"]),
            cards=dict(content["cards"]),
            facts={str(name): str(text) for name, text in content["facts"].items()},
            tables=[_table(one) for one in content["tables"]],
            plots=[Plot(str(one["file"]), str(one["title"]), str(one.get("alt", ""))) for one in content["plots"]],
            notes=[str(one) for one in content.get("notes", [])],
            incomplete=str(content.get("incomplete", "")),
            versions={str(name): str(text) for name, text in content.get("versions", {}).items()},
        )
    except KeyError as error:
        raise ValueError(f"{path}: damaged; {error} is missing") from None
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{path}: damaged; a part is of the wrong kind ({error})") from None
    except ValueError as error:
        raise ValueError(f"{path}: damaged; {error}") from None


def _table(content: Mapping[str, Any]) -> Table:
    columns = [Column(str(one["name"]), str(one["unit"]), str(one.get("about", ""))) for one in content["columns"]]
    fair = content.get("fair")
    return Table(
        str(content["title"]),
        columns,
        [[_cell(cell) for cell in row] for row in content["rows"]],
        str(content.get("note", "")),
        None if fair is None else float(fair),
    )


def _cell(content: Any) -> Cell:
    if isinstance(content, dict):
        numbers = [None if content.get(name) is None else float(content[name]) for name in ("value", "low", "high")]
        return Estimate(*numbers, marked=bool(content.get("marked", False)))
    if content is None or isinstance(content, (str, int, float)):
        return content
    raise TypeError(f"a cell holds a {type(content).__name__}")


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Estimate):
        plain: dict[str, Any] = {"value": cell.value, "low": cell.low, "high": cell.high}
        return {**plain, "marked": True} if cell.marked else plain
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)
