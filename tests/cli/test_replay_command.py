"""`gosu-rl replay` on real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.cli import main
from gosu_rl.core.record import Record


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    for players, seed in ((2, 1), (3, 2)):
        gosu_rl.play(gosu_rl.game("tactics", players=players), ["random"] * players, seed=seed).append(path)
    return path


def test_every_game_is_checked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    records = Record.read_all(file)
    assert len(lines) == 2
    for number, (line, record) in enumerate(zip(lines, records, strict=True), start=1):
        assert line.startswith(f"game {number}: agrees; {len(record.decisions)} decisions")
        assert record.hash in line


def test_one_game_shown_to_one_seat(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--game", "2", "--show", "--seat", "1"]) == 0
    text = capsys.readouterr().out
    record = Record.read_all(file)[1]
    assert text.count("-->") == len(record.decisions)
    assert text.count("(hidden)") == 6  # three opening picks of each of the two others
    assert main(["replay", str(file), "--game", "2", "--seat", "1"]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert shown == list(record.for_seat(1).lines)


def test_a_wrong_file_is_one_line_and_2(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    deal = json.loads(lines[1])
    lines[1] = json.dumps({**deal, "holder": 1 - deal["holder"]})
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for words, message in (
        ([str(wrong)], f"{wrong}:2: deal: the record says holder"),
        ([str(tmp_path / "none.jsonl")], "none.jsonl: No such file or directory"),
        ([str(file), "--game", "3"], "has no game 3; it holds games 1 to 2"),
        ([str(file), "--seat", "2"], "seat 2 is not in a game of 2; seats are 0 to 1"),
    ):
        assert main(["replay", *words]) == 2
        told = capsys.readouterr().err
        assert message in told
        assert told.count("\n") == 1
