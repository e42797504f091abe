"""Card files: reading, writing, and saying what is wrong with one.

`load` gives a checked `CardSet` or a `CardFileError` of one line; `find_faults` lists everything wrong with a file,
which is what `gosu-rl cards check` prints; `dump` writes the TOML that loads back equal.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from gosu_rl.core.cards import check
from gosu_rl.core.cards.schema import CARD_FIELDS, SIDES, TRIGGERS, Card, CardFileError, CardSet
from gosu_rl.core.cards.wording import nearest, quoted

FORMAT = 1
MAX_BYTES = 1_000_000  # a full set takes about 10,000; anything far larger is some other file
NOT_SETS = ("powers",)  # files in sets/ that are no card set
TABLES = ("format", "set", "provenance", "sources", "powers", "card")
SET_FIELDS = ("name", "variant", "title", "version", "composition", "notes")

Note = Callable[[str], None]  # takes one fault, written in full


def packaged() -> tuple[str, ...]:
    """Names of the card sets that come with the package."""
    names = (entry.name for entry in (resources.files("gosu_rl.core.cards") / "sets").iterdir())
    return tuple(sorted(name[:-5] for name in names if name.endswith(".toml") and name[:-5] not in NOT_SETS))


def load(source: str | os.PathLike[str]) -> CardSet:
    """The card set of a packaged name ("tactics") or of a file (a path that ends in .toml), checked.

    Raises CardFileError, one line with file, card, field and what is allowed; further faults are only counted.
    """
    card_set, found = read(source)
    if card_set is None or found:
        more = f" (and {len(found) - 1} more; gosu-rl cards check {source} lists all)" if len(found) > 1 else ""
        raise CardFileError(found[0] + more)
    return card_set


def find_faults(source: str | os.PathLike[str]) -> list[str]:
    """Everything wrong with a card file, one line each, in the order of the file; empty for a good one."""
    return read(source)[1]


def read(source: str | os.PathLike[str]) -> tuple[CardSet | None, list[str]]:
    """The set as far as it could be read (None: not at all), and every fault found."""
    try:
        where, text = _text(source)
    except CardFileError as error:
        return None, [str(error)]
    return parse(text, where)


def parse(text: str, where: str = "card set") -> tuple[CardSet | None, list[str]]:
    """Like `read`, for the text of a card file; `where` is its name in messages."""
    try:
        data = tomllib.loads(text)
    except RecursionError:
        return None, [f"{where}: broken TOML: lists nested too deeply"]
    except (
        ValueError
    ) as error:  # TOMLDecodeError names line and column; a number of thousands of digits comes as ValueError
        return None, [f"{where}: broken TOML: {' '.join(str(error).split())}"]
    return _card_set(data, where, _card_lines(text))


def _text(source: str | os.PathLike[str]) -> tuple[str, str]:
    """Name for messages and text of a card file."""
    given = os.fspath(source)
    if not isinstance(given, str):
        raise CardFileError(f"card set {given!r}: give a name or a path as text")
    if not given.endswith(".toml"):
        if given in packaged():
            return f"{given} (packaged)", (resources.files("gosu_rl.core.cards") / "sets" / f"{given}.toml").read_text(
                "utf-8"
            )
        hint = nearest(given, packaged())
        is_file = "\0" not in given and Path(given).is_file()
        way_out = "; a card file's name must end in .toml" if is_file else f"; or give a path that ends in .toml{hint}"
        raise CardFileError(f"no card set {quoted(given)}: packaged are {', '.join(packaged())}{way_out}")
    try:
        with Path(given).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CardFileError(f"{given}: cannot read this card file: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise CardFileError(f"{quoted(given)}: no path of a card file: {error}") from error
    if len(raw) > MAX_BYTES:
        raise CardFileError(f"{given}: larger than {MAX_BYTES:,} bytes, no card file")
    try:
        return given, raw.decode("utf-8-sig")  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise CardFileError(
            f"{given}:{line}: not UTF-8 text (byte {raw[error.start]:#04x}); save the file as UTF-8"
        ) from error


def _card_lines(text: str) -> list[int]:
    """Line numbers of the [[card]] headers, so that a fault can be found quickly."""
    header = re.compile(r"\s*\[\[\s*[\"']?card[\"']?\s*\]\]")
    return [number for number, line in enumerate(text.split("\n"), start=1) if header.match(line)]


def _card_set(data: dict[str, Any], where: str, lines: list[int]) -> tuple[CardSet | None, list[str]]:
    """Build the set from parsed TOML; type faults first, then what `check` says."""
    found: list[str] = []
    top = _Table(data, where, found.append)
    top.refuse_unknown(TABLES)
    if "format" not in data:
        found.append(f"{where}: format is missing; write format = {FORMAT} as the first line")
    elif type(data["format"]) is not int or data["format"] != FORMAT:
        found.append(f"{where}: format: {quoted(data['format'])} must be {FORMAT}")
    if "set" not in data:
        found.append(f"{where}: the [set] table is missing ({', '.join(SET_FIELDS)})")
    header = _Table(top.table("set"), f"{where}: [set]", found.append if "set" in data else lambda text: None)
    header.refuse_unknown(SET_FIELDS)
    fields = {key: header.text(key) for key in SET_FIELDS if key != "notes"}
    entries = data.get("card", [])
    if not isinstance(entries, list):
        found.append(f"{where}: card: write one [[card]] table a face, with two brackets")
        entries = []
    places = [_card_place(entry, index, where, lines, len(entries)) for index, entry in enumerate(entries)]
    cards, origin = [], {}
    for entry, place in zip(entries, places, strict=True):
        card = _card(entry, place, found.append)
        if card is not None:
            cards.append(card)
            origin[id(card)] = place
    card_set = CardSet(
        **fields,
        cards=tuple(cards),
        powers=top.programs("powers"),
        provenance=top.texts_by_key("provenance"),
        sources=top.texts_by_key("sources"),
        notes=header.text("notes", ""),
        path=where,
    )
    if found and not (cards and fields["variant"]):
        return None, found
    for fault in check.faults(card_set, complete=len(cards) == len(entries)):
        place = where if fault.card is None else origin[id(fault.card)]
        found.append(fault.at(place))
    return card_set, found


def _card_place(entry: Any, index: int, where: str, lines: list[int], count: int) -> str:
    """Words for one card in messages: file, line if it is sure, and name or number."""
    line = f":{lines[index]}" if len(lines) == count else ""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str):
        return f"{where}{line}: card number {index + 1}"
    return f"{where}{line}: card {quoted(name + (' X' if entry.get('x') is True else ''))}"


def _card(entry: Any, place: str, note: Note) -> Card | None:
    """One face, or None when a field has the wrong type or is missing (each noted)."""
    if not isinstance(entry, dict):
        note(f"{place}: {quoted(entry)} must be a [[card]] table")
        return None
    faulty: list[str] = []
    table = _Table(entry, place, faulty.append, separator=", ")
    table.refuse_unknown((*CARD_FIELDS, "provenance"))
    card = Card(
        name=unicodedata.normalize("NFC", table.text("name")),
        clan=unicodedata.normalize("NFC", table.text("clan")),
        level=table.integer("level"),
        x=table.flag("x"),
        copies=table.integer("copies", 1),
        strength=table.integer("strength"),
        mutation=table.integer("mutation") if "mutation" in entry else None,
        zombie=table.flag("zombie"),
        links=table.texts("links", SIDES),
        provenance=table.texts_by_key("provenance"),
        **{trigger: table.texts(trigger, ()) for trigger in TRIGGERS},
    )
    for text in faulty:
        note(text)
    return None if faulty else card


class _Table:
    """One table of a card file; every field that is missing or of the wrong type is noted and read as a blank."""

    def __init__(self, table: Mapping[str, Any], place: str, note: Note, separator: str = " ") -> None:
        self.data = table
        self.place = place
        self.separator = separator if place.endswith("]") or separator == ", " else ": "
        self.note = note

    def fault(self, key: str, message: str) -> None:
        self.note(f"{self.place}{self.separator}{key}: {message}")

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

    def flag(self, key: str) -> bool:
        value = self.data.get(key, False)
        if isinstance(value, bool):
            return value
        self.fault(key, f"{quoted(value)} must be true or false")
        return False

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
        inner = _Table(self.table(key), f"{self.place}: [{key}]", self.note)
        return {name: inner.texts(name, ()) for name in inner.data}


def dump(card_set: CardSet) -> str:
    """The set as the text of a card file; `load` of that text gives an equal set."""
    lines = [
        f"# {card_set.banner}" if card_set.title.isprintable() else "#",
        "# What each field means: docs/cards.md. After a change: gosu-rl cards check FILE; to play: --cards FILE.",
        f"format = {FORMAT}",
        "",
        "[set]",
    ]
    lines += [f"{key} = {_toml(getattr(card_set, key))}" for key in SET_FIELDS if key != "notes" or card_set.notes]
    for name in ("provenance", "sources", "powers"):
        table = getattr(card_set, name)
        if table:
            lines += ["", f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in table.items())]
    for card in card_set.cards:
        lines += ["", "[[card]]", *_card_text(card)]
    return "\n".join(lines) + "\n"


def _card_text(card: Card) -> list[str]:
    lines = [f"{key} = {_toml(getattr(card, key))}" for key in ("name", "clan", "level")]
    lines += ["x = true"] if card.x else []
    lines += [f"{key} = {_toml(getattr(card, key))}" for key in ("copies", "strength")]
    lines += [f"mutation = {card.mutation}"] if card.mutation is not None else []
    lines += ["zombie = true"] if card.zombie else []
    lines += [f"{trigger} = {_toml(getattr(card, trigger))}" for trigger in TRIGGERS if getattr(card, trigger)]
    lines += [f"links = {_toml(card.links)}"] if card.links != SIDES else []
    if card.provenance:
        pairs = ", ".join(f"{_key(key)} = {_toml(word)}" for key, word in card.provenance.items())
        lines.append(f"provenance = {{ {pairs} }}")
    return lines


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML's escapes are JSON's, plus DEL
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)
