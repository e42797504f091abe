"""Reading record files: every line is checked for its shape before anything is made of it.

What is checked here needs no game: JSON, the order of the lines, the fields and their types, the numbers of seats and
decisions. Whether the game bears the record out is replay.py's question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from gosu_rl.core.record import FORMAT, Line, Record, RecordError

_NUMBER = (int, float)
_MAYBE_INT = (int, type(None))
_MAYBE_LIST = (list, type(None))
_FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "header": {
        "format": int,
        "variant": str,
        "players": int,
        "cards": dict,
        "rules": dict,
        "seed": _MAYBE_INT,
        "advantage": _MAYBE_INT,
        "agents": list,
    },
    "deal": {"hands": list, "draw_pile": _MAYBE_LIST, "holder": int},
    "decision": {"n": int, "player": int, "kind": str, "legal": _MAYBE_LIST, "chosen": (str, type(None))},
    "chance": {"n": int, "event": str},
    "reveal": {"n": int, "picks": list},
    "result": {
        "returns": list,
        "shares": list,
        "reason": str,
        "points": list,
        "rounds": int,
        "decisions": int,
        "truncated": bool,
    },
}
_EVENTS: dict[str, dict[str, type | tuple[type, ...]]] = {  # fields of a chance line besides
    "shuffle": {"number": int, "order": _MAYBE_LIST},
    "toss": {"coins": str},
    "theft": {"cards": _MAYBE_LIST, "between": list},
    "drop": {"cards": list},
}
_PER_SEAT = {
    "header": ("agents",),
    "deal": ("hands",),
    "reveal": ("picks",),
    "result": ("returns", "shares", "points"),
}
_LABELS = {  # fields that hold labels, and those that hold such a list a seat; null is what a seat does not know
    "header": (("agents",), ()),
    "deal": (("draw_pile",), ("hands",)),
    "decision": (("legal",), ()),
    "chance": (("order", "cards"), ()),
    "reveal": ((), ("picks",)),
    "result": ((), ()),
}
_NEXT = {  # what may follow a line
    "": ("header",),
    "header": ("deal",),
    "deal": ("decision", "result"),
    "decision": ("decision", "chance", "reveal", "result"),
    "chance": ("decision", "chance", "reveal", "result"),
    "reveal": ("decision", "chance", "result"),
    "result": ("header",),
}


def read_records(path: str | Path) -> list[Record]:
    """All games of a file, in order. Raises RecordError naming file and line; OSError if the file cannot be read."""
    records: list[Record] = []
    game: list[Line] = []
    number = 0
    for number, line in _lines(path):
        where = f"{path}:{number}"
        _check_order(where, game, line)
        _check_fields(where, line)
        _check_numbers(where, game, line)
        game.append(line)
        if line["line"] == "result":
            records.append(Record(tuple(game), str(path), number - len(game) + 1))
            game = []
    if game:
        last = next(
            (f"after decision {line['n']}" for line in reversed(game) if "n" in line), "before the first decision"
        )
        begun = number - len(game) + 1
        _fail(f"{path}:{number}", f"game {len(records) + 1} (begun on line {begun}) breaks off {last}: no result line")
    if not records:
        _fail(f"{path}:1", "holds no game")
    return records


def _lines(path: str | Path) -> Iterator[tuple[int, Line]]:
    with Path(path).open("rb") as file:
        for number, raw in enumerate(file, start=1):
            where = f"{path}:{number}"
            try:
                line = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
            except (ValueError, RecursionError) as error:
                broken = "is broken off" if not raw.endswith(b"\n") else "is not a line of JSON"
                raise RecordError(f"{where}: {broken} ({' '.join(str(error).split())})") from error
            if not isinstance(line, dict) or not isinstance(line.get("line"), str) or line["line"] not in _FIELDS:
                _fail(where, f"is not a line of a gosu_rl record (those have a field 'line': {', '.join(_FIELDS)})")
            yield number, line


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _check_order(where: str, game: list[Line], line: Line) -> None:
    before = game[-1]["line"] if game else ""
    if line["line"] not in _NEXT[before]:
        place = f"after a {before} line" if before else "at the start of a game"
        _fail(where, f"a {line['line']} line cannot stand {place}; expected {' or '.join(_NEXT[before])}")
    if line["line"] == "header":
        version = line.get("format")
        if isinstance(version, int) and version > FORMAT:
            _fail(where, f"record format {version} is newer than this gosu_rl reads ({FORMAT}); update gosu_rl")
        if version != FORMAT:
            _fail(where, f"record format {version!r} is none this gosu_rl reads ({FORMAT})")


def _check_fields(where: str, line: Line) -> None:
    fields = _FIELDS[line["line"]]
    if line["line"] == "chance":
        fields = {**fields, **_EVENTS.get(str(line.get("event")), {})}
    for name, types in fields.items():
        if name not in line:
            _fail(where, f"the {line['line']} line lacks the field {name!r}")
        value = line[name]
        if not isinstance(value, types) or (isinstance(value, bool) and types is not bool):
            _fail(where, f"the field {name!r} of the {line['line']} line holds {_short(value)}")
    if line["line"] == "chance" and line["event"] not in _EVENTS:
        _fail(where, f"the chance line holds the event {_short(line['event'])}; there are {', '.join(_EVENTS)}")
    flat, by_seat = _LABELS[line["line"]]
    lists = [(name, line.get(name)) for name in flat]
    lists += [(name, entry) for name in by_seat for entry in line[name]]
    for name, labels in lists:
        if labels is not None and not (isinstance(labels, list) and all(isinstance(label, str) for label in labels)):
            _fail(where, f"the field {name!r} of the {line['line']} line holds {_short(labels)} where labels should be")
    if line["line"] == "header" and not all(isinstance(line["cards"].get(name), str) for name in ("name", "hash")):
        _fail(where, "the field 'cards' of the header lacks the card set's name or hash")


def _check_numbers(where: str, game: list[Line], line: Line) -> None:
    header = game[0] if game else line
    players, kind = header["players"], line["line"]
    seat = header.get("seat")
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        _fail(where, f"the field 'seat' holds {_short(seat)}; seats are 0 to {players - 1}")
    holder = line.get("advantage") if kind == "header" else line.get("holder")
    if holder is not None and not 0 <= holder < players:
        name = "advantage" if kind == "header" else "holder"
        _fail(where, f"the field {name!r} holds {_short(holder)}; seats are 0 to {players - 1}")
    per_seat = _PER_SEAT.get(kind, ())
    for name in per_seat:
        if len(line[name]) != players:
            _fail(where, f"the field {name!r} has {len(line[name])} entries in a game of {players}")
    if kind == "result":
        for name in per_seat:
            if not all(isinstance(value, _NUMBER) for value in line[name]):
                _fail(where, f"the field {name!r} of the result line holds {_short(line[name])}")
    taken = _taken(game)
    if kind == "decision":
        if line["n"] != taken:
            _fail(where, f"decision {line['n']} stands where decision {taken} should")
        if not 0 <= line["player"] < players:
            _fail(where, f"decision {line['n']} is of player {line['player']}; seats are 0 to {players - 1}")
        if line["legal"] is not None and line["chosen"] not in line["legal"]:
            _fail(where, f"decision {line['n']}: {_short(line['chosen'])} was chosen, which is not in its legal list")
        if seat is None and line["legal"] is None:
            _fail(where, f"decision {line['n']} has no legal list, and the record is not one of a single seat")
    if kind == "result" and line["decisions"] != taken:
        _fail(where, f"the result counts {line['decisions']} decisions, the record holds {taken}")


def _taken(game: list[Line]) -> int:
    """How many decisions a game has so far: the last one's number and one."""
    return next((line["n"] + 1 for line in reversed(game) if line["line"] == "decision"), 0)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _fail(where: str, what: str) -> NoReturn:
    raise RecordError(f"{where}: {what}")
