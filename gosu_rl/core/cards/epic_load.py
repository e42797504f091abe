"""Card files of Epic Death: from tables to an `EpicSet` with its faults, and back to text."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gosu_rl.core.cards import epic_check
from gosu_rl.core.cards.epic_schema import TABLE_FIELDS, Entry, EpicSet, GoblinCard, Land, Layout, Leader
from gosu_rl.core.cards.toml_table import Table, toml_key, toml_value
from gosu_rl.core.cards.wording import quoted

VARIANT = "epic_death"
TABLES = ("format", "set", "provenance", "sources", *TABLE_FIELDS)


def card_set(
    top: Table, header: Mapping[str, Any], header_faults: list[str], lines_of: Callable[[str], list[int]]
) -> tuple[EpicSet, list[str]]:
    """The set and everything wrong with it: header, entries in the order of the file, counts.

    `header` holds the texts of [set]; `lines_of` gives the line numbers of the headers of a table.
    """
    read: dict[str, list[Entry]] = {}
    places: dict[int, str] = {}
    entry_faults: list[str] = []
    whole = True
    for kind in TABLE_FIELDS:
        tables = top.data.get(kind, [])
        if not isinstance(tables, list):
            top.fault(kind, f"write one [[{kind}]] table each, with two brackets")
            tables = []
        lines = lines_of(kind)
        read[kind] = []
        for index, data in enumerate(tables):
            place = _place(kind, data, index, top.place, lines if len(lines) == len(tables) else [])
            if not isinstance(data, dict):
                entry_faults.append(f"{place}: {quoted(data)} must be a [[{kind}]] table")
                whole = False
                continue
            table = Table(data, place)
            table.refuse_unknown((*TABLE_FIELDS[kind], "provenance"))
            entry = _READERS[kind](table)
            if table.faults:
                entry_faults += table.faults.values()
                whole = False
            else:
                read[kind].append(entry)
                places[id(entry)] = place
    found = EpicSet(
        **header,
        cards=tuple(read["card"]),  # type: ignore[arg-type]
        leaders=tuple(read["leader"]),  # type: ignore[arg-type]
        lands=tuple(read["land"]),  # type: ignore[arg-type]
        layouts=tuple(read["layout"]),  # type: ignore[arg-type]
        provenance=top.texts_by_key("provenance"),
        sources=top.texts_by_key("sources"),
    )
    counts: list[str] = []
    if not header_faults:  # a header that is wrong would make the entries look wrong too
        for fault in epic_check.faults(found, complete=whole):
            if fault.card is not None:
                entry_faults.append(fault.at(places[id(fault.card)]))
            else:
                (header_faults if fault.field else counts).append(fault.at(top.place))
    return found, [*header_faults, *entry_faults, *counts]


def _place(kind: str, data: Any, index: int, where: str, lines: list[int]) -> str:
    line = f":{lines[index]}" if lines else ""
    name = data.get("name") if isinstance(data, dict) else None
    if not isinstance(name, str):
        return f"{where}{line}: {kind} number {index + 1}"
    return f"{where}{line}: {kind} {quoted(name)}"


def _name(table: Table) -> str:
    return unicodedata.normalize("NFC", table.text("name"))


def _card(table: Table) -> GoblinCard:
    return GoblinCard(
        name=_name(table),
        kind=table.text("kind"),
        copies=table.integer("copies", 1),
        value=table.integer("value", 0),
        cost=table.integer("cost", 0),
        trait=table.text("trait", ""),
        when=table.texts("when", ()),
        steps=table.texts("steps", ()),
        provenance=table.texts_by_key("provenance"),
    )


def _leader(table: Table) -> Leader:
    return Leader(
        name=_name(table),
        trait=table.text("trait", ""),
        ability=table.texts("ability", ()),
        when=table.texts("when", ()),
        provenance=table.texts_by_key("provenance"),
    )


def _land(table: Table) -> Land:
    return Land(
        name=_name(table),
        terrain=table.text("terrain"),
        copies=table.integer("copies", 1),
        defense=table.integer("defense"),
        value=table.integer("value"),
        icons=table.texts("icons", ()),
        text=table.texts("text", ()),
        needs=table.text("needs", ""),
        epic=table.flag("epic", True),
        provenance=table.texts_by_key("provenance"),
    )


def _layout(table: Table) -> Layout:
    return Layout(
        name=_name(table),
        rows=tuple(" ".join(row.split()) for row in table.texts("rows", ())),
        starts=table.texts_by_key("starts"),
        provenance=table.texts_by_key("provenance"),
    )


_READERS: dict[str, Callable[[Table], Entry]] = {"card": _card, "leader": _leader, "land": _land, "layout": _layout}


def entry_lines(card_set: EpicSet) -> Iterator[str]:
    """The tables of a set as lines of TOML; what is as in a blank entry is left out."""
    blanks: dict[str, Any] = {
        "card": GoblinCard("", ""),
        "leader": Leader(""),
        "land": Land("", ""),
        "layout": Layout("", ()),
    }
    groups: dict[str, tuple[Any, ...]] = {
        "card": card_set.cards,
        "leader": card_set.leaders,
        "land": card_set.lands,
        "layout": card_set.layouts,
    }
    for kind, entries in groups.items():
        for entry in entries:
            yield from ("", f"[[{kind}]]")
            for name in TABLE_FIELDS[kind]:
                value = getattr(entry, name)
                if name in ("name", "copies", "defense", "value") or value != getattr(blanks[kind], name):
                    yield f"{name} = {_written(value)}"
            if entry.provenance:
                yield f"provenance = {_written(entry.provenance)}"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(word)}" for key, word in value.items()) + " }"
    return toml_value(value)
