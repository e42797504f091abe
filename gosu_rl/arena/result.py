"""`result.json`: everything a report needs of a run, written into the folder of every run (docs/measuring.md).

Text and CSV of a run are made from the same tables, so they cannot disagree with it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gosu_rl.arena import tables
from gosu_rl.arena.tables import Table

FILE_NAME = "result.json"
FORMAT = 1  # raised when a field changes its meaning or goes


@dataclass(frozen=True)
class Result:
    """One run. `kind` is tournament, winrates or skills; `incomplete` is empty or says what is missing.

    `facts` are (name, text) pairs for the head of a report; `plots` (file in the folder, title); `files` the other
    files in the folder, (file, what it is).
    """

    kind: str
    title: str
    banner: str
    command: str
    identity: Mapping[str, Any]
    facts: Sequence[tuple[str, str]]
    tables: Sequence[Table]
    plots: Sequence[tuple[str, str]] = ()
    files: Sequence[tuple[str, str]] = ()
    incomplete: str = ""


def as_json(result: Result, game: Any) -> str:
    """The text of `result.json`; `game` says which cards were played."""
    card_set = game.card_set
    data = {
        "format": FORMAT,
        "kind": result.kind,
        "title": result.title,
        "command": result.command,
        "cards": {
            "name": card_set.name,
            "hash": card_set.hash,
            "banner": result.banner,
            "reconstruction": bool(card_set.is_reconstruction),
        },
        "complete": not result.incomplete,
        "incomplete": result.incomplete,
        "facts": [{"name": name, "text": text} for name, text in result.facts],
        "tables": [tables.as_data(table) for table in result.tables],
        "plots": [{"file": file, "title": title} for file, title in result.plots],
        "files": [{"file": file, "about": about} for file, about in result.files],
        "identity": dict(result.identity),
    }
    return json.dumps(data, indent=1, ensure_ascii=False, default=str, allow_nan=False) + "\n"


def as_text(result: Result) -> str:
    """Head and tables for people; ends with a line feed."""
    lines = [result.title]
    for name, text in [("cards", result.banner), *result.facts, ("command", result.command)]:
        if name == "command":  # to be copied: never broken
            lines.append(f"  {name:<10} {text}")
        else:
            lines += textwrap.wrap(text, 105, initial_indent=f"  {name:<10} ", subsequent_indent=" " * 13)
    lines += [f"  {result.incomplete}"] if result.incomplete else []
    parts = ["\n".join(lines) + "\n", *(tables.as_text(table) for table in result.tables)]
    parts += [result.incomplete + "\n"] if result.incomplete else []
    return "\n".join(parts)
