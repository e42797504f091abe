"""Tables of a card file: read field by field with every fault noted, and values written as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from gosu_rl.core.cards.wording import nearest, quoted


class Table:
    """One table of a card file; every field that is missing or of the wrong type is noted and read as a blank."""

    def __init__(self, table: Mapping[str, Any], place: str, note: Callable[[str], None] | None = None) -> None:
        self.data = table
        self.place = place
        self.note = note
        self.faults: dict[str, str] = {}

    def fault(self, key: str, message: str) -> None:
        """Note a fault: `FILE: key: …`, `FILE: [table] key: …` or `FILE: card 'Name', key: …`."""
        separator = " " if self.place.endswith("]") else ", " if self.note is None else ": "
        self.faults[key] = f"{self.place}{separator}{key}: {message}"
        if self.note is not None:
            self.note(self.faults[key])

    def refuse_unknown(self, allowed: tuple[str, ...]) -> None:
        for key in self.data:
            if key not in allowed:
                self.fault(quoted(key), f"unknown{nearest(key, allowed)} ({', '.join(allowed)})")

    def text(self, key: str, default: str | None = None) -> str:
        if key not in self.data and default is None:
            self.fault(key, f'missing; write {key} = "…"')
        value = self.data.get(key, default or "")
        if isinstance(value, str):
            return value
        self.fault(key, f"{quoted(value)} must be a text in quotes")
        return ""

    def integer(self, key: str, default: int | None = None) -> int:
        if key not in self.data and default is None:
            self.fault(key, f"missing; write {key} = a whole number")
        value = self.data.get(key, default or 0)
        if type(value) is int:  # not isinstance: true is an int too
            return value
        self.fault(key, f"{quoted(value)} must be a whole number")
        return 0

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.data.get(key, default)
        if isinstance(value, bool):
            return value
        self.fault(key, f"{quoted(value)} must be true or false")
        return default

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = self.data.get(key, list(default))
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.fault(key, f'{quoted(value)} must be a list of texts: {key} = ["…"]')
        return default

    def table(self, key: str) -> Mapping[str, Any]:
        value = self.data.get(key, {})
        if isinstance(value, dict):
            return value
        self.fault(key, f"{quoted(value)} must be a table")
        return {}

    def texts_by_key(self, key: str) -> dict[str, str]:
        table = self.table(key)
        for name, value in table.items():
            if not isinstance(value, str):
                self.fault(f"{key} {quoted(name)}", f"{quoted(value)} must be a text in quotes")
        return {name: value for name, value in table.items() if isinstance(value, str)}

    def programs(self, key: str) -> dict[str, tuple[str, ...]]:
        inner = Table(self.table(key), f"{self.place}: [{key}]", self.note)
        return {name: inner.texts(name, ()) for name in inner.data}


def toml_value(value: Any) -> str:
    """A text, list or number as TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML's escapes are JSON's, plus DEL
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return str(value)


def toml_key(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)
