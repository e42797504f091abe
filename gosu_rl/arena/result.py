"""`result.json`: everything a report needs of a run, written into the folder of every run (docs/measuring.md).

Text and CSV of a run are made from the same tables, so they cannot disagree with it.
"""

from __future__ import annotations

import json
import platform
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import gosu_rl
from gosu_rl.arena import tables
from gosu_rl.arena.tables import Table

FILE_NAME = "result.json"
FORMAT = 1  # raised when a field changes its meaning or goes
PACKAGES = ("numpy", "numba", "scipy")


@dataclass(frozen=True)
class Result:
    """One run. `kind` is tournament, winrates or skills; `incomplete` is empty or says what is missing.

    `facts` are (name, text) pairs for the head of a report; `plots` (file in the folder, title); `files` the other
    files in the folder, (file, what it is); `notes` paragraphs on how to read it. `cards` and `versions` are known when a result
    was read from a file; `as_json` takes those of the game and of this installation.
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
    notes: Sequence[str] = ()
    cards: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def provenance(card_set: Any) -> dict[str, Any]:
    """What a card set is and where the fields of its cards come from."""
    facts = {"name": card_set.name, "hash": card_set.hash, "reconstruction": bool(card_set.is_reconstruction)}
    words = Counter(card_set.provenances)
    facts.update(faces=len(card_set.cards), copies=int(card_set.copies))
    return {**facts, "fields": dict(sorted(words.items())), "sources": dict(card_set.sources)}


def versions() -> dict[str, str]:
    """Of Python and of the packages that figures hang on."""
    found = {"python": platform.python_version(), "gosu_rl": gosu_rl.__version__}
    for name in PACKAGES:
        found[name] = metadata.version(name)
    return found


def as_json(result: Result, game: Any) -> str:
    """The text of `result.json`; `game` says which cards were played."""
    data = {
        "format": FORMAT,
        "kind": result.kind,
        "title": result.title,
        "command": result.command,
        "cards": {"banner": result.banner, **provenance(game.card_set)},
        "complete": not result.incomplete,
        "incomplete": result.incomplete,
        "facts": [{"name": name, "text": text} for name, text in result.facts],
        "tables": [tables.as_data(table) for table in result.tables],
        "plots": [{"file": file, "title": title} for file, title in result.plots],
        "files": [{"file": file, "about": about} for file, about in result.files],
        "notes": list(result.notes),
        "identity": dict(result.identity),
        "versions": versions(),
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
