"""Card files: reading, writing, and saying what is wrong with one.

`load` gives a checked `CardSet` or a `CardFileError` of one line; `find_faults` lists everything wrong with a file,
which is what `gosu-rl cards check` prints; `dump` writes the TOML that loads back equal.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from gosu_rl.core.cards import check, epic_load
from gosu_rl.core.cards.epic_schema import EpicSet
from gosu_rl.core.cards.fault import Fault
from gosu_rl.core.cards.powers import power_programs
from gosu_rl.core.cards.schema import ALL_TRIGGERS, CARD_FIELDS, FIELDS, SIDES, Card, CardFileError, CardSet, Tile
from gosu_rl.core.cards.toml_table import Table, toml_key, toml_value
from gosu_rl.core.cards.wording import nearest, quoted

FORMAT = 1
MAX_BYTES = 1_000_000  # a full set takes about 10,000; anything far larger is some other file
PACKAGED = " (packaged)"  # behind the name of a packaged set, in messages
NOT_SETS = ("powers",)  # files in sets/ that are no card set
TABLES = ("format", "set", "provenance", "sources", "powers", "card", "tile")
TILE_FIELDS = ("clan", "rule", "value", "win")
LISTS = ("keywords", "text", "will", "value")  # lists of texts that only Gosu X has
SET_FIELDS = ("name", "variant", "title", "version", "composition", "notes")


def packaged() -> tuple[str, ...]:
    """Names of the card sets that come with the package."""
    names = (entry.name for entry in _sets().iterdir())
    return tuple(sorted(name[:-5] for name in names if name.endswith(".toml") and name[:-5] not in NOT_SETS))


def _sets() -> Traversable:
    return resources.files("gosu_rl.core.cards") / "sets"


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
    return parse(text, where, path="" if where.endswith(PACKAGED) else where)


def parse(text: str, where: str = "card set", path: str = "") -> tuple[CardSet | None, list[str]]:
    """Like `read`, for the text of a card file; `where` is its name in messages, `path` goes into the set."""
    try:
        data = tomllib.loads(text)
    except RecursionError:
        return None, [f"{where}: broken TOML: lists nested too deeply"]
    except tomllib.TOMLDecodeError as error:  # its message names line and column
        return None, [f"{where}: broken TOML: {' '.join(str(error).split())}"]
    except ValueError:  # Python itself refuses to read a whole number of thousands of digits
        return None, [f"{where}: broken TOML: a number of more than {sys.get_int_max_str_digits()} digits"]
    return _card_set(data, where, path, text)


def _text(source: str | os.PathLike[str]) -> tuple[str, str]:
    """Name for messages and text of a card file."""
    given = os.fspath(source)
    if not isinstance(given, str):
        raise CardFileError(f"card set {given!r}: give a name or a path as text")
    if not given.endswith(".toml"):
        if given in packaged():
            return given + PACKAGED, _sets().joinpath(f"{given}.toml").read_text("utf-8")
        hint = nearest(given, packaged())
        is_file = "\0" not in given and Path(given).is_file()
        way_out = "; a card file's name must end in .toml" if is_file else f"; or give a path that ends in .toml{hint}"
        raise CardFileError(f"no card set {quoted(given)}: packaged are {', '.join(packaged())}{way_out}")
    where = given if given.isprintable() else quoted(given)
    try:
        with Path(given).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CardFileError(f"{where}: cannot read this card file: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise CardFileError(f"{where}: no path of a card file: {error}") from error
    if len(raw) > MAX_BYTES:
        raise CardFileError(f"{where}: larger than {MAX_BYTES:,} bytes, no card file")
    try:
        return where, raw.decode("utf-8-sig")  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        text = f"{where}:{line}: not UTF-8 text (byte {raw[error.start]:#04x}); save the file as UTF-8"
        raise CardFileError(text) from error


def table_lines(text: str, name: str) -> list[int]:
    """Line numbers of the headers [[name]], so that a fault can be found quickly."""
    header = re.compile(rf"\s*\[\[\s*[\"']?{name}[\"']?\s*\]\]")
    return [number for number, line in enumerate(text.split("\n"), start=1) if header.match(line)]


def _card_set(data: dict[str, Any], where: str, path: str, text: str) -> tuple[CardSet | None, list[str]]:
    """Build the set from parsed TOML, and list what is wrong: header, cards in file order, counts."""
    header_faults: list[str] = []
    top = Table(data, where, header_faults.append)
    head = data.get("set")
    epic = isinstance(head, dict) and head.get("variant") == epic_load.VARIANT
    top.refuse_unknown(epic_load.TABLES if epic else TABLES)
    if "format" not in data:
        top.fault("format", f"missing; write format = {FORMAT} as the first line")
    elif type(data["format"]) is not int or data["format"] != FORMAT:
        top.fault("format", f"{quoted(data['format'])} must be {FORMAT}")
    header = Table(top.table("set"), f"{where}: [set]", header_faults.append)
    if isinstance(data.get("set"), dict):
        header.refuse_unknown(SET_FIELDS)
    else:  # one fault, not one more for each of its fields
        header.note = lambda text: None
        if "set" not in data:
            top.fault("[set]", f"this table is missing ({', '.join(SET_FIELDS)})")
    if epic:
        texts = {key: header.text(key) for key in SET_FIELDS if key != "notes"}
        texts |= {"notes": header.text("notes", ""), "path": path}
        return epic_load.card_set(top, texts, header_faults, partial(table_lines, text))
    entries = data.get("card", [])
    if not isinstance(entries, list):
        top.fault("card", "write one [[card]] table a face, with two brackets")
        entries = []

    lines = table_lines(text, "card")
    places = [_card_place(entry, index, where, lines, len(entries)) for index, entry in enumerate(entries)]
    fields = FIELDS.get(str(header.data.get("variant")), CARD_FIELDS)
    read_cards = [_card(entry, place, fields) for entry, place in zip(entries, places, strict=True)]
    read_cards = _with_spelling_of_the_cards(read_cards)
    whole = [card for card, faulty in read_cards if card is not None and not faulty]
    card_set = CardSet(
        **{key: header.text(key) for key in SET_FIELDS if key != "notes"},
        cards=tuple(whole),
        powers=top.programs("powers"),
        provenance=top.texts_by_key("provenance"),
        sources=top.texts_by_key("sources"),
        tiles=_tiles(data.get("tile", []), where, top),
        notes=header.text("notes", ""),
        path=path,
    )
    by_card: dict[int, list[str]] = {index: list(faulty.values()) for index, (_, faulty) in enumerate(read_cards)}
    counts: list[str] = []
    if not header_faults:  # a header that is wrong would make the cards look wrong too
        index_of = {id(card): index for index, (card, _) in enumerate(read_cards)}
        for fault in check.faults(card_set, complete=len(whole) == len(entries)):
            if fault.card is not None:
                index = index_of[id(fault.card)]
                by_card[index].append(fault.at(places[index]))
            else:
                (header_faults if fault.field else counts).append(fault.at(where))
        for index, (card, faulty) in enumerate(read_cards):
            if card is not None and faulty:
                by_card[index] += [fault.at(places[index]) for fault in _other_faults(card, faulty, card_set)]
    return card_set, [*header_faults, *(text for index in by_card for text in by_card[index]), *counts]


def _with_spelling_of_the_cards(
    read_cards: Sequence[tuple[Card | None, dict[str, str]]],
) -> list[tuple[Card | None, dict[str, str]]]:
    """The cards, with the names in `names` spelled as the named cards are: small and capital letters count as alike."""
    spelling = {card.name.casefold(): card.name for card, _ in read_cards if card is not None}
    return [
        (card and replace(card, names=tuple(spelling.get(name.casefold(), name) for name in card.names)), faulty)
        for card, faulty in read_cards
    ]


def _other_faults(card: Card, faulty: Mapping[str, str], card_set: CardSet) -> list[Fault]:
    """Faults of a card with unreadable fields (read as blanks) that do not hang on those fields."""
    if card_set.variant not in check.RULEBOOKS:
        return []
    found = check.card_faults(card, check.RULEBOOKS[card_set.variant], power_programs(card_set), card_set.fields)
    hanging = ("x", "copies", "zombie", "mutate", "links", "rule", "win", "names", "keywords", "on", "will", "icons")
    return [fault for fault in found if fault.field not in (*faulty, *hanging)]


def _card_place(entry: Any, index: int, where: str, lines: Sequence[int], count: int) -> str:
    """Words for one card in messages: file, line if it is sure, and name or number."""
    line = f":{lines[index]}" if len(lines) == count else ""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str):
        return f"{where}{line}: card number {index + 1}"
    return f"{where}{line}: card {quoted(name + (' X' if entry.get('x') is True else ''))}"


def _card(entry: Any, place: str, fields: tuple[str, ...]) -> tuple[Card | None, dict[str, str]]:
    """One face, and its faults by field: a field that is missing or of the wrong type is read as a blank."""
    if not isinstance(entry, dict):
        return None, {"": f"{place}: {quoted(entry)} must be a [[card]] table"}
    table = Table(entry, place)
    table.refuse_unknown((*fields, "provenance"))
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
        names=tuple(unicodedata.normalize("NFC", name) for name in table.texts("names", ())),
        shift=table.integer("shift") if "shift" in entry else None,
        icons=table.integer("icons", 0),
        on=table.text("on", ""),
        **{name: table.texts(name, ()) for name in (*ALL_TRIGGERS, "rule", "win", *LISTS)},
    )
    return card, table.faults


def _tiles(entries: Any, where: str, top: Table) -> tuple[Tile, ...]:
    """The [[tile]] tables of Gosu X; a broken one is noted and left out."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        top.fault("tile", "write one [[tile]] table a clan, with two brackets")
        return ()
    found = []
    for number, entry in enumerate(entries, 1):
        clan = entry.get("clan")
        table = Table(entry, f"{where}: tile {quoted(clan) if isinstance(clan, str) else f'number {number}'}", top.note)
        table.refuse_unknown(TILE_FIELDS)
        lists = {name: table.texts(name, ()) for name in TILE_FIELDS[1:]}
        found.append(Tile(clan=unicodedata.normalize("NFC", table.text("clan")), **lists))
    return tuple(found)


def dump(card_set: CardSet) -> str:
    """The set as the text of a card file; `load` of that text gives an equal set."""
    lines = [
        f"# {card_set.banner}" if card_set.title.isprintable() else "#",
        "# What each field means: docs/cards.md. After a change: gosu-rl cards check FILE; to play: --cards FILE.",
        f"format = {FORMAT}",
        "",
        "[set]",
    ]
    lines += [f"{key} = {toml_value(getattr(card_set, key))}" for key in SET_FIELDS if key != "notes" or card_set.notes]
    for name in ("provenance", "sources", "powers"):
        table = getattr(card_set, name)
        if table:
            lines += ["", f"[{name}]", *(f"{toml_key(key)} = {toml_value(value)}" for key, value in table.items())]
    if isinstance(card_set, EpicSet):
        return "\n".join([*lines, *epic_load.entry_lines(card_set)]) + "\n"
    for card in card_set.cards:
        lines += ["", "[[card]]", *_card_text(card)]
    for tile in card_set.tiles:
        lines += ["", "[[tile]]"]
        lines += [f"{name} = {toml_value(getattr(tile, name))}" for name in TILE_FIELDS if getattr(tile, name)]
    return "\n".join(lines) + "\n"


def _card_text(card: Card) -> list[str]:
    lines = [f"{key} = {toml_value(getattr(card, key))}" for key in ("name", "clan", "level")]
    lines += ["x = true"] if card.x else []
    lines += [f"{key} = {toml_value(getattr(card, key))}" for key in ("copies", "strength")]
    lines += [f"{key} = {getattr(card, key)}" for key in ("mutation", "shift") if getattr(card, key) is not None]
    lines += [f"icons = {card.icons}"] if card.icons else []
    lines += [f"on = {toml_value(card.on)}"] if card.on else []
    lines += ["zombie = true"] if card.zombie else []
    lists = (*ALL_TRIGGERS, *LISTS, "rule", "win", "names")
    lines += [f"{name} = {toml_value(getattr(card, name))}" for name in lists if getattr(card, name)]
    lines += [f"links = {toml_value(card.links)}"] if card.links != SIDES else []
    if card.provenance:
        pairs = ", ".join(f"{toml_key(key)} = {toml_value(word)}" for key, word in card.provenance.items())
        lines.append(f"provenance = {{ {pairs} }}")
    return lines
