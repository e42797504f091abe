"""Trained players in tournaments and win rates: side by side as one by one, killed or not, and never with a changed network."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hand_made import drawn

from gosu_rl.arena import runner
from gosu_rl.arena.game_store import GameStore
from gosu_rl.arena.job import Job, Task, play_bunch, play_job
from gosu_rl.arena.plan import GameSpec, Plan, check_networks, networks
from gosu_rl.arena.side_by_side import COMPANY, SLOW, pace
from gosu_rl.arena.store import FILE_NAME
from gosu_rl.arena.tournament import Tournament
from gosu_rl.cli import main

SPEC = GameSpec("tactics", 2)


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    drawn(tmp_path / "net.safetensors")
    return "ppo:net.safetensors"


def test_games_are_the_same_in_company(net: str) -> None:
    """64 games of two networks at three temperatures and greedy: every record is that of the game played alone."""
    drawn(Path("other.safetensors"), seed=2)
    agents = (f"{net},temperature=1", f"{net},temperature=0.5", "ppo:other.safetensors,temperature=0", "greedy")
    game = SPEC.make()
    task = Task(SPEC, agents, game.card_set.hash)
    pairs = [(0, 1), (1, 0), (0, 2), (2, 3), (3, 1), (0, 0), (2, 1), (3, 0)]
    jobs = [Job(deal, slot, 90 + deal, pair) for deal in range(8) for slot, pair in enumerate(pairs)]
    together = {(one.deal, one.slot): one.record for one in play_bunch(task, game, jobs)}
    assert together == {(job.deal, job.slot): play_job(task, game, job).record for job in jobs}
    plan = Plan(SPEC, (net, agents[2]), 3)
    together_rows, rows = (runner.play_deals(game, plan, 0, 8, together=together) for together in (True, False))
    assert (together_rows == rows).all()
    assert [pace(game, spec) for spec in (net, f"mcts:sims=3,prior={net}")] == [COMPANY, SLOW]


def table(folder: Path) -> str:
    """The tables of a tournament without its times and its name."""
    lines = (folder / "tournament.csv").read_text().splitlines()
    return "\n".join(line for line in lines if "Time a move" not in line)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_killed_tournament_ends_with_the_same_table(net: str, tmp_path: Path) -> None:
    words = ["tournament", "tactics", "--agents", f"{net},{net},temperature=1,greedy", "--deals", "60"]
    words += ["--workers", "2", "--no-plots", "--no-records"]
    command = [sys.executable, "-m", "gosu_rl", *words, "--out", "killed"]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    tournament = Tournament(SPEC, (net, f"{net},temperature=1", "greedy"), 1, 60)
    end = time.monotonic() + 600
    while time.monotonic() < end and process.poll() is None:
        time.sleep(0.2)
        kept = tmp_path / "killed" / f"{FILE_NAME}-wal"
        if kept.exists() and kept.stat().st_size > 100_000:
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with GameStore(tmp_path / "killed", tournament.identity(SPEC.make())) as store:
        assert 10 < len(store.done()) < tournament.games
    assert main([*words, "--out", "killed"]) == 0
    assert main([*words, "--out", "whole"]) == 0
    assert table(tmp_path / "killed") == table(tmp_path / "whole")


def test_a_network_trained_further_is_another_run(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets a folder of its own, an old one refuses it, and in the middle of a run it is noticed."""
    game = SPEC.make()
    before = networks(game, [net, "greedy", "mcts:sims=3", f"mcts:prior={net}", "nobody"])
    assert list(before) == [net, f"mcts:prior={net}"]
    plan, tournament = Plan(SPEC, (net, "greedy"), 3), Tournament(SPEC, (net, "greedy"), 1, 4)
    names = {plan.run_name(game), tournament.run_name(game)}
    line = [
        "winrates",
        "tactics",
        "--agents",
        f"{net},greedy",
        "--deals",
        "3",
        "--workers",
        "1",
        "--no-plots",
        "--out",
        "run",
    ]
    assert main(line) == 0
    assert main(line) == 0
    check_networks(game, before)
    drawn(tmp_path / "net.safetensors", seed=9)
    os.utime(tmp_path / "net.safetensors", ns=(1, 1))
    with pytest.raises(ValueError, match=rf"the network of '{net}' was changed while it was being measured; run again"):
        check_networks(game, before)
    assert names.isdisjoint({plan.run_name(game), tournament.run_name(game)})
    capsys.readouterr()
    assert main(line) == 2
    said = capsys.readouterr().err
    assert "holds another run (played by other networks, trained further since)" in said
    assert said.count("\n") == 1
    assert "networks" not in Plan(SPEC, ("greedy", "random"), 3).identity(game)


def test_what_a_network_cannot_play_is_told_before_the_first_game(
    net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("winrates", "tournament"):
        assert main([command, "tactics", "--players", "3", "--agents", f"{net},greedy,random", "--out", "x"]) == 2
        said = capsys.readouterr().err
        assert "plays tactics with 2 players, not tactics with 3 players" in said
        assert said.count("\n") == 1
    assert not (tmp_path / "x").exists()
