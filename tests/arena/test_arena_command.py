"""`gosu-rl winrates` from its arguments to its files."""

import argparse
import csv
import json
import re

import pytest
from fake_game import FakeGame

import gosu_rl
from gosu_rl.agents import make_agent  # noqa: F401  a wrong agent must be the real error
from gosu_rl.arena import runner
from gosu_rl.cli import winrates


@pytest.fixture
def command(monkeypatch, tmp_path, capsys):
    """Run the command on the stand-in game; returns (exit code, standard output)."""
    monkeypatch.chdir(tmp_path)
    games = {"made": FakeGame()}

    def make(variant, players=2, cards=None, rules=None):
        game = FakeGame(players=players, rules=rules)
        games["made"] = game
        return game

    monkeypatch.setattr(gosu_rl, "game", make, raising=False)
    parser = argparse.ArgumentParser()
    winrates.add_parser(parser.add_subparsers())

    def run(line):
        args = parser.parse_args(["winrates", *line.split()])
        code = args.run(args)
        return code, capsys.readouterr().out

    run.games = games
    return run


def test_table_csv_json_and_picture(command, tmp_path):
    code, text = command("tactics --agents greedy --deals 200 --players 3 --seed 4 --out here --workers 1")
    assert code == 0
    for words in (
        "600 = 200 deals x 1 seating x 3 first holders",
        "Fake cards (fake@abc; a reconstruction)",
        "gosu-rl winrates tactics --agents greedy --players 3 --deals 200 --seed 4 --out here",
        "turns_after_pass=3",
        "[fair 33.3 %]",
    ):
        assert words in text
    assert re.search(r"any seat +\+\d+\.\d\d pts +\+\d+\.\d\d … \+\d+\.\d\d +600", text)
    folder = tmp_path / "here"
    assert text.startswith((folder / "winrates.txt").read_text())
    rows = list(csv.DictReader((folder / "winrates.csv").open()))
    seat = next(row for row in rows if (row["table"], row["label"]) == ("Win share by seat", "seat 2"))
    assert float(seat["low"]) < float(seat["estimate"]) < float(seat["high"])
    facts = json.loads((folder / "winrates.json").read_text())
    assert facts["complete"] is True
    assert (facts["games"], facts["deals"], len(facts["measures"])) == (600, 200, len(rows))
    picture = (folder / "winrates.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert f"picture: {(folder / 'winrates.png').relative_to(tmp_path)}" in text
    assert not list(folder.glob("*.part"))


def test_the_default_folder_is_named_after_the_run(command, tmp_path):
    command("tactics --deals 5 --no-plots")
    (folder,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"winrates-tactics-2p-greedy-[0-9a-f]{8}", folder.name)
    assert not (folder / "winrates.png").exists()


def test_stopped_and_gone_on_ends_with_the_same_table(command, monkeypatch):
    _, whole = command("tactics --agents greedy,random --deals 80 --out whole --no-plots")
    real, calls = runner.play_block, []

    def stopped(game, plan, start, stop, workers=1):
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        return real(game, plan, start, stop, workers)

    monkeypatch.setattr(runner, "play_block", stopped)
    code, part = command("tactics --agents greedy,random --deals 80 --out parts --no-plots")
    assert code == 130
    assert "INCOMPLETE: 64 of 80 deals" in part
    monkeypatch.setattr(runner, "play_block", real)
    code, rest = command("tactics --agents greedy,random --deals 80 --out parts --no-plots")
    assert code == 0
    assert rest.replace("parts", "whole") == whole


def test_stopped_before_anything_was_played(command, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "play_block", stopped)
    assert command("tactics --deals 80 --no-plots") == (130, "")


def test_more_deals_add_to_what_was_played(command):
    command("tactics --deals 100 --out here --no-plots")
    _, more = command("tactics --deals 150 --out here --no-plots")
    _, once = command("tactics --deals 150 --out there --no-plots")
    assert more.replace("here", "there") == once
    _, fewer = command("tactics --deals 100 --out here --no-plots")
    assert "200 = 100 deals" in fewer


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--deals 0", "--deals must lie between 1 and 10,000,000, not 0"),
        ("--deals 1000000000000000", "--deals must lie between 1 and 10,000,000, not 1000000000000000"),
        ("--workers 0", "--workers must be at least 1, not 0"),
        ("--workers -2", "--workers must be at least 1, not -2"),
        ("--seed -1", "--seed must lie between"),
        ("--agents nobody", "unknown agent 'nobody'"),
        (
            "--agents human",
            "a measurement plays where nobody can be asked: no human; gosu-rl play seats one",
        ),
        ("--agents greedy,random --players 3", "--agents names 2 agents for 3 players"),
        ("--rules turns_after_pass", "--rules 'turns_after_pass': write it like"),
        ("--rules turns_after_pass=many", "--rules 'turns_after_pass=many': write it like"),
        ("--out occupied", "--out occupied is a file"),
        ("--out foreign", "is of another run"),
    ],
)
def test_bad_input_is_one_clear_line(command, tmp_path, line, words):
    (tmp_path / "occupied").write_text("")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "winrates.csv").write_text("kept\n")
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        command("tactics --no-plots " + line)
    assert "\n" not in str(caught.value)
    assert (tmp_path / "foreign" / "winrates.csv").read_text() == "kept\n"


def test_a_folder_of_another_run_is_refused_until_fresh(command):
    command("tactics --deals 5 --seed 1 --out here --no-plots")
    with pytest.raises(ValueError, match="here holds another run"):
        command("tactics --deals 5 --seed 2 --out here --no-plots")
    code, text = command("tactics --deals 5 --seed 2 --out here --no-plots --fresh")
    assert code == 0
    assert "seed       2" in text


def test_help_shows_examples(capsys):
    parser = argparse.ArgumentParser(prog="gosu-rl")
    winrates.add_parser(parser.add_subparsers())
    with pytest.raises(SystemExit):
        parser.parse_args(["winrates", "--help"])
    shown = capsys.readouterr().out
    assert "gosu-rl winrates tactics --agents greedy --deals 5000" in shown
    assert "default: 5000" in shown
