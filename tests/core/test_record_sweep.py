"""Every field of every line of a real record, replaced by odd values: a RecordError that names the line, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from how_often import times_more

import gosu_rl
from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import replay

ODD: tuple[Any, ...] = (None, True, 0, -1, 10**30, 1.5, "x", [], [1], ["x"], [None, None], [[], [1]], {"name": 1})
GONE = object()
EVERY = 3 if times_more() == 1 else 1  # of 14 values a field: with a third of all, each still comes up for some field


@pytest.fixture(scope="module")
def record() -> Record:
    game = gosu_rl.game("tactics", players=3)
    for seed in range(500):
        record = gosu_rl.play(game, ["random"] * 3, seed=seed)
        if any(line["line"] == "chance" for line in record.lines):
            return record
    raise AssertionError("no game of 500 reshuffled its pile")


def spoiled(record: Record) -> list[tuple[int, str, Any]]:
    """(line, field, value) for the first line of each sort."""
    first: dict[tuple[Any, Any], int] = {}
    for index, line in enumerate(record.lines):
        first.setdefault((line["line"], line.get("kind")), index)
    return [(index, name, value) for index in first.values() for name in record.lines[index] for value in (*ODD, GONE)]


def refusal(path: Path, game: Any) -> str | None:
    """What is said against a file of one game, or None."""
    try:
        record = Record.read(path)
        for seat in range(record.header["players"]):
            record.for_seat(seat)
        replay(record, game)
    except RecordError as error:
        return str(error)
    return None


@pytest.mark.slow
def test_odd_values_are_named_by_line(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game = gosu_rl.game("tactics", players=3)
    refused = 0
    for index, name, value in spoiled(record)[::EVERY]:
        line = {key: value if key == name else kept for key, kept in record.lines[index].items()}
        if value is GONE:
            del line[name]
        if json.dumps(line) == json.dumps(record.lines[index]):
            continue
        Record((*record.lines[:index], line, *record.lines[index + 1 :])).write(path)
        told = refusal(path, game)
        if told is None:
            # Only this is no difference: the card given to the seat that the seed would have given it to.
            assert (name, value) == ("advantage", record.deal["holder"])
        else:
            refused += 1
            assert told.startswith(f"{path}:"), told
            assert "\n" not in told
    assert refused > 500 / EVERY


def test_a_file_cut_anywhere_is_refused(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    data = record.text.encode()  # the last newline may be missing: nothing is lost with it
    for cut in range(len(data) - 2, 0, -max(1, len(data) // 200)):
        path.write_bytes(data[:cut])
        with pytest.raises(RecordError) as caught:
            replay(Record.read(path))
        assert str(caught.value).startswith(f"{path}:")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"no_such_rule": 1}, "unknown rule 'no_such_rule'"),
        ({"deal": None}, "rule deal must be a whole number from 1 to 60, not None"),
        ({"deal": 10**40}, "rule deal must be a whole number"),
        ({"keep": 11}, "keep"),
    ],
)
def test_rules_that_are_none_are_refused(record: Record, rules: dict[str, Any], message: str) -> None:
    header = {**record.header, "rules": {**record.header["rules"], **rules}}
    with pytest.raises(RecordError) as caught:
        replay(Record((header, *record.lines[1:]), "games.jsonl", 11))
    assert str(caught.value).startswith("games.jsonl:11: ")
    assert message in str(caught.value)
