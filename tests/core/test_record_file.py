"""Record files that are not what they should be: each gets one line that names the file and the line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gosu_rl.core.record import Record, RecordError

HEADER = {
    "line": "header", "format": 1, "variant": "tactics", "players": 2,
    "cards": {"name": "tiny", "hash": "0123456789ab", "reconstruction": True},
    "rules": {"turns_after_pass": 3}, "seed": 7, "advantage": None, "agents": ["random", "random"],
}  # fmt: skip
DEAL = {"line": "deal", "hands": [["A", "B"], ["C", "C"]], "draw_pile": ["D", "É"], "holder": 1}
FIRST = {"line": "decision", "n": 0, "player": 1, "kind": "opening", "legal": ["discard C"], "chosen": "discard C"}
SECOND = {
    "line": "decision", "n": 1, "player": 0, "kind": "opening", "legal": ["discard A", "discard B"],
    "chosen": "discard B",
}  # fmt: skip
SHUFFLE = {"line": "chance", "n": 1, "event": "shuffle", "number": 1, "order": ["C", "B"]}
THIRD = {"line": "decision", "n": 2, "player": 0, "kind": "turn", "legal": ["pass", "play A"], "chosen": "pass"}
RESULT = {
    "line": "result", "returns": [1.0, -1.0], "shares": [1.0, 0.0], "reason": "points", "points": [3, 1],
    "rounds": 4, "decisions": 3, "truncated": False,
}  # fmt: skip
GAME = [HEADER, DEAL, FIRST, SECOND, SHUFFLE, THIRD, RESULT]


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def test_many_games_in_one_file(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", GAME)
    one = Record.read(path)
    one.append(path)
    games = Record.read_all(path)
    assert games == [one, one]
    assert [game.first_line for game in games] == [1, 8]
    assert games[1].where(2) == f"{path}:10"
    assert [line["n"] for line in one.decisions] == [0, 1, 2]
    assert one.returns == [1.0, -1.0]
    with pytest.raises(RecordError, match="holds 2 games, not one"):
        Record.read(path)


def test_writing_replaces_a_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", GAME + GAME)
    Record(tuple(GAME)).write(path)
    assert Record.read(path).lines == tuple(GAME)
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]
    assert "É" in path.read_text(encoding="utf-8")


def test_the_hash_hangs_on_content_not_on_the_order_of_keys() -> None:
    record = Record(tuple(GAME), "here", 5)
    turned = Record(tuple(dict(reversed(line.items())) for line in GAME))
    other = Record((*GAME[:-1], {**RESULT, "rounds": 5}))
    assert record.hash == turned.hash
    assert record.hash != other.hash
    assert len(record.hash) == 64


def without(index: int) -> Callable[[list[Any]], list[Any]]:
    return lambda game: game[:index] + game[index + 1 :]


def changed(index: int, **fields: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda game: [*game[:index], {**game[index], **fields}, *game[index + 1 :]]


def lacking(index: int, name: str) -> Callable[[list[Any]], list[Any]]:
    return lambda game: [*game[:index], {k: v for k, v in game[index].items() if k != name}, *game[index + 1 :]]


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (changed(0, format=2), 1, "record format 2 is newer than this gosu_rl reads (1); update gosu_rl"),
        (changed(0, format="x"), 1, "record format 'x' is none"),
        (changed(0, cards={"name": "tiny"}), 1, "lacks the card set's name or hash"),
        (changed(0, seed=1.5), 1, "the field 'seed' of the header line holds 1.5"),
        (changed(0, players=True), 1, "the field 'players' of the header line holds True"),
        (changed(0, players=3, agents=["random"] * 3), 2, "the field 'hands' has 2 entries in a game of 3"),
        (changed(0, agents=["random"]), 1, "the field 'agents' has 1 entries in a game of 2"),
        (changed(0, seat=2), 1, "the field 'seat' holds 2; seats are 0 to 1"),
        (without(0), 1, "a deal line cannot stand at the start of a game; expected header"),
        (without(1), 2, "a decision line cannot stand after a header line; expected deal"),
        (without(2), 3, "decision 1 stands where decision 0 should"),
        (without(5), 6, "the result counts 3 decisions, the record holds 2"),
        (without(6), 6, "game 1 (begun on line 1) breaks off after decision 2: no result line"),
        (lambda game: game[:2], 2, "breaks off before the first decision"),
        (lambda game: game + game[:4], 11, "game 2 (begun on line 8) breaks off after decision 1"),
        (lambda game: [], 1, "holds no game"),
        (lacking(2, "legal"), 3, "the decision line lacks the field 'legal'"),
        (changed(2, chosen="discard A"), 3, "decision 0: 'discard A' was chosen, which is not in its legal list"),
        (changed(2, legal=None), 3, "decision 0 has no legal list"),
        (changed(2, player=2), 3, "decision 0 is of player 2; seats are 0 to 1"),
        (changed(4, line="thunder"), 5, "is not a line of a gosu_rl record"),
        (changed(6, returns=["1", "-1"]), 7, "the field 'returns' of the result line holds ['1', '-1']"),
        (changed(0, advantage=2), 1, "the field 'advantage' holds 2; seats are 0 to 1"),
        (changed(1, holder=-1), 2, "the field 'holder' holds -1; seats are 0 to 1"),
        (changed(1, hands=[["A"], [1]]), 2, "the field 'hands' of the deal line holds [1] where labels should be"),
        (changed(4, order=["A", None]), 5, "the field 'order' of the chance line holds ['A', None] where labels"),
        (changed(4, line=["chance"]), 5, "is not a line of a gosu_rl record"),
        (changed(6, truncated=0), 7, "the field 'truncated' of the result line holds 0"),
        (lambda game: [[1, 2], *game], 1, "is not a line of a gosu_rl record"),
        (lambda game: [{"event": "a log of something else"}], 1, "is not a line of a gosu_rl record"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(
    tmp_path: Path, change: Callable[[list[Any]], list[Any]], line: int, message: str
) -> None:
    path = write(tmp_path / "games.jsonl", change(GAME))
    with pytest.raises(RecordError) as caught:
        Record.read_all(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spoil", "line", "message"),
    [
        (lambda text: text[:-20], 7, "is broken off"),
        (lambda text: text.replace(b'"deal"', b'"deal', 1), 2, "is not a line of JSON"),
        (lambda text: text.replace(b"1.0", b"NaN", 1), 7, "NaN is no number"),
        (lambda text: text.replace("É".encode(), b"\xff"), 2, "is not a line of JSON"),
        (lambda text: b"[" * 200_000 + b"\n" + text, 1, "is not a line of JSON"),
        (lambda text: text.replace(b"\n", b"\n\n", 1), 2, "is not a line of JSON"),
    ],
)
def test_bytes_that_are_no_record(tmp_path: Path, spoil: Callable[[bytes], bytes], line: int, message: str) -> None:
    path = write(tmp_path / "games.jsonl", GAME)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(RecordError) as caught:
        Record.read_all(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_is_appended_to_a_broken_line(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", GAME)
    path.write_bytes(path.read_bytes()[:-5])
    before = path.read_bytes()
    with pytest.raises(RecordError, match="the last line is broken off"):
        Record(tuple(GAME)).append(path)
    assert path.read_bytes() == before


def test_a_seat_learns_the_picks_when_play_goes_on() -> None:
    shown = Record(tuple(GAME)).for_seat(1)
    kinds = [line["line"] for line in shown.lines]
    assert kinds == ["header", "deal", "decision", "decision", "chance", "reveal", "decision", "result"]
    assert shown.seat == 1
    assert shown.seed is None
    assert shown.deal["hands"] == [None, ["C", "C"]]
    assert shown.deal["draw_pile"] is None
    assert [line["chosen"] for line in shown.decisions] == ["discard C", None, "pass"]
    assert [line["legal"] for line in shown.decisions] == [["discard C"], None, None]
    assert shown.lines[4]["order"] is None
    assert shown.lines[4]["cards"] == ["B", "C"]
    assert shown.lines[5]["picks"] == [["discard B"], ["discard C"]]
    with pytest.raises(RecordError, match="is the record of seat 1 already"):
        shown.for_seat(0)
    with pytest.raises(RecordError, match="seats are 0 to 1"):
        Record(tuple(GAME)).for_seat(2)


def test_picks_of_an_opening_that_never_ended_stay_hidden() -> None:
    shown = Record((*GAME[:4], {**RESULT, "decisions": 2, "truncated": True})).for_seat(1)
    assert "reveal" not in [line["line"] for line in shown.lines]
    assert "discard B" not in shown.text


def test_a_seats_record_is_read_back(tmp_path: Path) -> None:
    shown = Record(tuple(GAME)).for_seat(0)
    shown.write(tmp_path / "seat.jsonl")
    assert Record.read(tmp_path / "seat.jsonl") == shown
