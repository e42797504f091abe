"""Reading `result.json`, of whatever run wrote it, back into a `Result`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gosu_rl.arena.result import FORMAT, Result
from gosu_rl.arena.stats import Interval
from gosu_rl.arena.tables import Cell, Figure, Table

NAN = float("nan")
LIMITS = ("estimate", "low", "high")


def read(path: Path) -> Result:
    """The result in a file; ValueError of one line for anything else than a whole result of this format."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not a result file ({' '.join(str(error).split())})") from None
    if not isinstance(content, dict) or not isinstance(content.get("format"), int):
        raise ValueError(f"{path}: not a result file of gosu_rl (it has no format number)")
    if content["format"] != FORMAT:
        raise ValueError(f"{path}: result format {content['format']}, but this version of gosu_rl reads {FORMAT}")
    try:
        return _result(content)
    except KeyError as error:
        raise ValueError(f"{path}: damaged; {error} is missing") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged; a part is of the wrong kind ({error})") from None


def _result(content: Mapping[str, Any]) -> Result:
    cards = dict(content["cards"])
    return Result(
        kind=str(content["kind"]),
        title=str(content["title"]),
        banner=str(cards["banner"]),
        command=str(content["command"]),
        identity=dict(content.get("identity", {})),
        facts=[(str(one["name"]), str(one["text"])) for one in content["facts"]],
        tables=[_table(one) for one in content["tables"]],
        plots=[(str(one["file"]), str(one["title"])) for one in content.get("plots", [])],
        files=[(str(one["file"]), str(one["about"])) for one in content.get("files", [])],
        incomplete=str(content.get("incomplete", "")),
        notes=[str(one) for one in content.get("notes", [])],
        cards={**cards, "fields": dict(cards.get("fields", {})), "sources": dict(cards.get("sources", {}))},
        versions={str(name): str(text) for name, text in content.get("versions", {}).items()},
    )


def _table(content: Mapping[str, Any]) -> Table:
    columns = [str(one) for one in content["columns"]]
    rows = [[_cell(cell) for cell in row] for row in content["rows"]]
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"table {content['title']!r} has a row that is not {len(columns)} cells long")
    fair = content.get("fair")
    about = {str(name): str(text) for name, text in content.get("about", {}).items()}
    title, note = str(content["title"]), str(content.get("note", ""))
    return Table(title, columns, rows, note, fair=None if fair is None else float(fair), about=about)


def _cell(content: Any) -> Cell:
    if isinstance(content, dict):
        value, low, high = (NAN if content[name] is None else float(content[name]) for name in LIMITS)
        stands = bool(content.get("stands", False))
        return Figure(Interval(value, low, high, blocks=0), str(content["unit"]), str(content.get("mark", "")), stands)
    if isinstance(content, float):
        return Figure.of(content, "number")
    if content is None or isinstance(content, (str, int)):
        return content
    raise TypeError(f"a cell holds a {type(content).__name__}")
