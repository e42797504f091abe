"""`gosu-rl play`, run as a person or a script runs it."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

import pytest

from gosu_rl.arena.play import play as arena_play
from gosu_rl.cli import play
from gosu_rl.core.record import Record


def command(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    play.add_parser(parser.add_subparsers())
    args = parser.parse_args(["play", *arguments])
    return args.run(args)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_whole_game_from_piped_input_with_its_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed(monkeypatch, "1\n" * 20_000)
    path = tmp_path / "game.jsonl"
    assert command("tactics", "--seats", "human,random,greedy", "--seed", "7", "--record", str(path)) == 0
    printed = capsys.readouterr().out
    assert "» The game is over: " in printed
    assert "seats: p0 human, p1 random, p2 greedy; seed 7" in printed
    record = Record.read(path)
    assert record.header["agents"] == ["human", "random", "greedy"]
    assert record.header["seed"] == 7
    assert record.header["players"] == 3


def test_without_a_human_the_game_is_watched_and_is_the_one_that_the_arena_plays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    assert command("tactics", "--seats", "greedy,random", "--seed", "11", "--record", str(path)) == 0
    printed = capsys.readouterr().out
    assert "everything" in printed
    assert "Great Battle of round 1" in printed
    assert "» The game is over: " in printed
    import gosu_rl

    same = arena_play(gosu_rl.game("tactics", players=2), ["greedy", "random"], 11)
    assert Record.read(path).lines == same.lines


@pytest.mark.parametrize("script", ["", "q\n", "1\nq\n", "?\n"])
def test_leaving_and_the_end_of_the_input_are_no_errors(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed(monkeypatch, script)
    path = tmp_path / "game.jsonl"
    assert command("tactics", "--seed", "7", "--record", str(path)) == 0
    captured = capsys.readouterr()
    assert "The game was left" in captured.out
    assert "No record was written" in captured.out
    assert captured.err == ""
    assert not path.exists()


def test_ctrl_c_ends_it_with_the_shells_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupting(io.StringIO):
        def readline(self, *_: object) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupting())
    assert command("tactics", "--seed", "7") == 130
    assert "broken off" in capsys.readouterr().out


def test_a_person_is_not_shown_another_hand_before_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import gosu_rl

    state = gosu_rl.game("tactics", players=2).new(seed=7)
    own, other = (player["hand"] for player in state.as_dict()["players"])
    secret = [face for face in other if face not in own and not any(face in mine for mine in own)]
    typed(monkeypatch, "q\n")
    assert command("tactics", "--seed", "7", "--seats", "human,random") == 0
    printed = capsys.readouterr().out
    assert secret
    assert not any(face in printed for face in secret)
    assert all(face in printed for face in own)


def test_a_seat_must_have_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="a seat is empty"):
        command("tactics", "--seats", "greedy,,random")


def test_rules_reach_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("tactics", "--seats", "random,random", "--seed", "1", "--rules", "points_to_win=1") == 0
    printed = capsys.readouterr().out
    assert "Great Battle of round 2" not in printed


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--seats", "human,,greedy"], "--seats"),
        (["--seats", "nobody,greedy"], "nobody"),
        (["--seats", "greedy"], "1"),
        (["--rules", "turns_after_pass"], "--rules"),
        (["--rules", "turns_after_pass=two"], "--rules"),
        (["--rules", "no_such_rule=1"], "no_such_rule"),
        (["--cards", "no/such/file.toml"], "no/such/file.toml"),
    ],
)
def test_wrong_arguments_are_one_line_errors(arguments: list[str], names: str) -> None:
    with pytest.raises((ValueError, OSError)) as caught:
        command("tactics", "--seed", "1", *arguments)
    assert names in str(caught.value)
    assert "\n" not in str(caught.value)
