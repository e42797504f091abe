"""Epic Death in the measuring commands: by seat, by Leader, by layout, with up to six players; and a game on the screen."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import gosu_rl
from gosu_rl.arena import bench, impact
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.winrates import MOST_ROWS, _bands
from gosu_rl.cli import main
from gosu_rl.core.record import Record

SHORT = ["--rules", "layout=short"]


# ------------------------------------------------------------------------------------------------ measuring


@pytest.mark.parametrize(("players", "layout"), [(2, "short"), (6, "long")])
def test_win_rates_by_seat_and_leader(
    players: int, layout: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "rates"
    words = ["--deals", "8", "--players", str(players), "--rules", f"layout={layout}", "--workers", "1"]
    assert main(["winrates", "epic_death", *words, "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Win share by Leader" in told
    assert "Effect of being given the first turn (same deals, first turn given to another seat)" in told
    assert "Great Battle" not in told
    assert f"{players} first players" in told
    assert "Win share of the first player" in told
    with (folder / "winrates.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["table"] == "Win share by seat" for row in rows) == players
    assert sum(row["table"] == "Win share by Leader" for row in rows) == 12
    assert sum(row["table"] == "Games that last" for row in rows) <= MOST_ROWS
    written = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix in (".txt", ".csv"))
    for text in (told, written):
        assert "Advantage" not in text
        assert "holder" not in text
        assert "T45" not in text
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["identity"]["rules"]["layout"] == {"short": 1, "long": 3}[layout]
    assert (folder / "winrates.png").stat().st_size > 10_000
    assert main(["report", str(folder)]) == 0
    page = next(folder.glob("*.html")).read_text(encoding="utf-8")
    assert "Advantage" not in page
    assert "holder" not in page
    assert "Mossback" in page


@pytest.mark.parametrize("most", [1, 5, 16, 17, 40, 333, 4000, 31_000])
def test_bands_of_rounds_hold_every_number_once(most: int) -> None:
    bands = _bands(most)
    assert len(bands) <= MOST_ROWS
    assert [number for first, last in bands for number in range(first, last + 1)][:most] == list(range(1, most + 1))
    assert bands[-1][0] <= most
    if most <= MOST_ROWS:
        assert all(first == last for first, last in bands)


@pytest.mark.parametrize(
    ("players", "agents", "most"), [(3, "random,greedy,mcts:sims=2", 300), (6, "random,greedy", 150)]
)
def test_a_tournament(players: int, agents: str, most: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", agents, "--players", str(players), "--deals", "1", "--rules", f"max_decisions={most}"]
    words += ["--no-plots", "--workers", "1", "--out", str(tmp_path / "t")]
    assert main(["tournament", "epic_death", *words]) == 0
    told = capsys.readouterr().out
    assert "epic_death" in told
    assert "Advantage" not in told
    assert "Win share by first turn" in told


def test_impact_of_the_goblin_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "impact"
    words = ["--deals", "12", "--workers", "1", *SHORT, "--out", str(folder)]
    assert main(["cards", "impact", "epic_death", *words]) == 0
    told = capsys.readouterr().out
    assert "Dealt among the opening 3" in told
    assert "clan" not in told
    with (folder / "impact.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cards = gosu_rl.game("epic_death").card_set.cards
    assert {row["card"]: row["kind"] for row in rows} == {card.label: card.kind for card in cards}
    assert (folder / "impact.png").stat().st_size > 10_000


def test_a_tally_knows_where_cards_were() -> None:
    """Hands of three are dealt; Actions never end in an Army; what ends in one was played; Python counts as compiled code does."""
    spec = GameSpec("epic_death", 3)
    games, _ = impact.play(Plan(spec, ("greedy",), 4), 4)
    slow, _ = impact.play(Plan(spec, ("gosu_rl.agents.greedy:Greedy",), 4), 1)
    kinds = np.array([card.kind for card in spec.make().card_set.cards])
    assert (games.dealt.sum(-1) == 3).all()
    assert (games.kept == games.dealt).all()
    assert (games.held >= games.kept).all()
    assert games.ended[..., kinds == "action"].sum() == 0
    assert games.ended.sum() > 0
    assert ((games.ended > 0) <= (games.played > 0)).all()
    assert games.played[..., kinds == "action"].sum() > 20
    assert slow.dealt.tolist() == games.dealt[:1].tolist()
    assert (slow.held >= slow.kept).all()
    assert ((slow.ended > 0) <= (slow.played > 0)).all()


# ------------------------------------------------------------------------------------------------ a game on the screen


def test_a_person_plays_and_the_game_is_kept_replayed_and_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    monkeypatch.setattr(
        sys, "stdin", io.StringIO("?\n? Cannon\n? Poacher\n? Mossback\nd\nb\nnonsense\n" + "1\n" * 5000)
    )
    words = ["--seats", "human,greedy,random", "--seed", "5", *SHORT, "--record", str(path)]
    assert main(["play", "epic_death", *words]) == 0
    told = capsys.readouterr().out
    for part in (
        "A space of the field reads",
        "Cannon",
        "Poacher",
        "is not one of the",
        "» the game is over",
        "Towns left 0",
    ):
        assert part in told
    shown = [line for line in told.splitlines()[2:] if "> " not in line and not line.startswith("record: ")]
    assert max(map(len, shown)) <= 100
    assert main(["replay", str(path)]) == 0
    assert "agrees" in capsys.readouterr().out
    record = Record.read(path)
    number = next(line["n"] for line in record.decisions if line["player"] == 0 and line["kind"] == "march")
    assert main(["analyse", str(path), "--move", str(number), "--agent", "mcts:sims=20"]) == 0
    told = capsys.readouterr().out
    assert "p0 to decide: march" in told
    assert "chosen" in told


def test_bench_counts_every_thing_for_up_to_six() -> None:
    """One repeat of each figure, the largest table; the command takes its numbers of players from the game."""
    effort = bench.Effort(repeats=1, seconds=0.01)
    for figure in (
        bench.state_loop("epic_death", 6, effort),
        bench.aec_loop("epic_death", 6, effort),
        bench.policy_games("epic_death", 2, "greedy", effort),
    ):
        assert figure.name.startswith("epic_death")
        assert figure.median > 0
