"""Does the game bear the record out? `replay` plays it again and stops at the first difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from gosu_rl.core.record import Line, Record, Recorder, RecordError


def replay(record: Record, game: Any = None, cards: str | Path | None = None, watch: Any = None) -> Any:
    """Play `record` again and return the final GameState.

    `game` is the game to play it with; left out, it is made from the header (with the card file `cards`, if given).
    `watch(state, line)` is called before every decision with the state and the record's decision line, and once at
    the end with the result line.

    Raises RecordError at the first difference, naming the line, the decision, what the record says and what the game
    does; and when the card set is another one, or the record is one seat's only.
    """
    header = record.header
    if record.seat is not None:
        raise RecordError(f"{record.where(0)}: holds only what seat {record.seat} knew; a replay needs the full record")
    if header["seed"] is None:
        raise RecordError(f"{record.where(0)}: has no seed; a game begun from a set-up position cannot be dealt again")
    if game is None:
        game = game_of(record, cards)
    if game.card_set.hash != header["cards"]["hash"]:
        raise RecordError(
            f"{record.where(0)}: was played with the card set {header['cards']['name']}@{header['cards']['hash']}, "
            f"not with {game.card_set.name}@{game.card_set.hash}; give the right card file"
        )
    advantage = header["advantage"]
    state = game.new(seed=header["seed"]) if advantage is None else game.new(seed=header["seed"], advantage=advantage)
    again = Recorder(game, state, seed=header["seed"], advantage=advantage, agents=header["agents"])
    again.lines[0] = {**again.lines[0], "cards": header["cards"]}  # the same hash: a set's name is no difference
    for index, line in enumerate(record.lines):
        if index == len(again.lines):
            _advance(record, index, line, state, again, watch)
        _compare(record, index, line, again.lines[index])
    return state


def game_of(record: Record, cards: str | Path | None = None) -> Any:
    """The game that a record's header names, with the card file `cards` in place of the variant's own set."""
    from gosu_rl.core.variants import game  # here, because making a game loads the compiler and reading a file need not

    header = record.header
    try:
        return game(header["variant"], players=header["players"], cards=cards, rules=dict(header["rules"]))
    except ValueError as error:
        raise RecordError(f"{record.where(0)}: {error}") from error


def _advance(record: Record, index: int, line: Line, state: Any, again: Recorder, watch: Any) -> None:
    """Bring the replay up to the record's next line, which is a decision or the result."""
    if line["line"] == "decision":
        if state.over:
            _differ(record, index, line, "a decision", f"the game is over ({state.reason})")
        _compare(record, index, {key: line[key] for key in line if key != "chosen"}, again.question())
        if watch is not None:
            watch(state, line)
        again.apply(line["chosen"])
    elif line["line"] == "result":
        if not state.over:
            _differ(record, index, line, "the end of the game", f"seat {state.mover} has a decision ({state.kind})")
        if watch is not None:
            watch(state, line)
        again.lines.append(again.finish().result)
    else:
        _differ(record, index, line, f"a {line.get('event', line['line'])}", "no such event")


def _compare(record: Record, index: int, expected: Line, found: Line) -> None:
    difference = _first_difference(dict(expected), dict(found), "")
    if difference is not None:
        place, said, played = difference
        _differ(record, index, expected, f"{place}{said}", f"{place}{played}")


def _first_difference(expected: Any, found: Any, place: str) -> tuple[str, str, str] | None:
    """Where two plain values part: place, what the first has there, what the second has there."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            if key not in expected or key not in found:
                said, played = (f"{'' if key in one else 'no '}field {key!r}" for one in (expected, found))
                return place, said, played
            difference = _first_difference(expected[key], found[key], f"{place}{key} ")
            if difference is not None:
                return difference
        return None
    if isinstance(expected, list) and isinstance(found, list) and expected != found:
        if all(isinstance(entry, str) for entry in (*expected, *found)) and set(expected) != set(found):
            only = [sorted(set(a) - set(b)) for a, b in ((expected, found), (found, expected))]
            return place, f"has {_listed(only[0])}", f"has {_listed(only[1])}"
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            difference = _first_difference(one, other, f"{place}[{index}] ")
            if difference is not None:
                return difference
        return place, f"has {len(expected)} entries", f"has {len(found)}"
    # True == 1 and 1 == 1.0 in Python; in a record they are different things, but for floats written as whole numbers.
    if expected != found or isinstance(expected, bool) != isinstance(found, bool):
        return place, repr(expected), repr(found)
    return None


def _listed(labels: list[str]) -> str:
    return (
        "nothing that the other lacks"
        if not labels
        else ", ".join(map(str, labels[:12])) + (", …" if len(labels) > 12 else "")
    )


def _differ(record: Record, index: int, line: Line, said: str, played: str) -> NoReturn:
    at = f"decision {line['n']}" if "n" in line else line["line"]
    raise RecordError(f"{record.where(index)}: {at}: the record says {said}; the game gives {played}")
