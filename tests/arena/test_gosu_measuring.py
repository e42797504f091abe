"""GOSU in the measuring commands: win rates, which cards win, a tournament; and the token has its name."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.cli import main


def test_win_rates_speak_of_the_advantage_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rates"
    assert main(["winrates", "gosu", "--deals", "40", "--players", "3", "--no-plots", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Effect of being given the Advantage token (same deals, Advantage token given to another seat)" in told
    assert "Advantage token still with the first holder" in told
    assert "Advantage card" not in told
    written = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix in (".txt", ".csv"))
    assert "Advantage card" not in written
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert "gosu" in json.dumps(result)


def test_impact_of_gosus_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "impact"
    assert main(["cards", "impact", "gosu", "--deals", "60", "--no-plots", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Dealt among the opening 7" in told
    with (folder / "impact.csv").open(encoding="utf-8") as file:
        cards = {row["card"] for row in csv.DictReader(file)}
    assert cards == {card.label for card in gosu_rl.game("gosu").card_set.cards}
    with (folder / "clans.csv").open(encoding="utf-8") as file:
        assert {row["clan"] for row in csv.DictReader(file)} == {"Ancient", "Alpha", "Dark", "Méka", "Fire"}


def test_a_tournament_of_gosu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "random,greedy,mcts:sims=5", "--deals", "3", "--no-plots", "--workers", "1"]
    assert main(["tournament", "gosu", *words, "--out", str(tmp_path / "t")]) == 0
    assert "gosu" in capsys.readouterr().out
