"""`gosu-rl tournament` as it is typed: files, kill -9, Ctrl-C, Ray."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from how_often import times_more

from gosu_rl.arena.job import play_job
from gosu_rl.arena.plan import GameSpec
from gosu_rl.arena.standings import Played, tables
from gosu_rl.arena.tables import as_data
from gosu_rl.arena.tournament import Task, Tournament
from gosu_rl.cli import main
from gosu_rl.core.record import Record

HERE = Path(__file__).parent
pytestmark = pytest.mark.slow
SLOW = ("random", "odd_agents:Slow")


def command(*words):
    return [sys.executable, "-m", "gosu_rl", "tournament", "tactics", *map(str, words)]


def started(folder, *words):
    paths = [str(HERE), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command(*words), cwd=folder, env=environment, start_new_session=True, **pipes)


def until_games(process, file, least):
    """Wait until the results file has grown by some games; its journal grows with each."""
    journal, end = file.with_name(file.name + "-wal"), time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        if journal.exists() and journal.stat().st_size > least:
            return
        time.sleep(0.02)
    pytest.fail(f"no games: {process.communicate()[1]}")


def without_times(data):
    return [table for table in data["tables"] if table["title"] != "Time a move"]


def expected(agents, deals, seed):
    """The tables of an undisturbed run, played here."""
    tournament = Tournament(GameSpec("tactics", 2), agents, seed, deals)
    game = tournament.spec.make()
    task = Task(tournament.spec, agents, game.card_set.hash)
    outcomes = [play_job(task, game, job) for job in tournament.jobs()]
    data = {"tables": [as_data(table) for table in tables(Played.read(agents, seed, outcomes))]}
    return json.loads(json.dumps(without_times(data)))


def test_killed_at_any_moment_and_run_again_ends_with_the_same_table(tmp_path, monkeypatch, capsys):
    """Killed once in the middle; where there is time, once more when it has just gone on."""
    words = ["--agents", ",".join(SLOW), "--deals", 8, "--seed", 6, "--workers", 2, "--out", "run", "--no-plots"]
    file = tmp_path / "run" / "games.sqlite"
    for least in (60_000, 20_000)[: times_more()]:
        process = started(tmp_path, *words)
        until_games(process, file, least)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not (tmp_path / "run" / "result.json").exists()
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", "tactics", *map(str, words)]) == 0
    out = capsys.readouterr().out
    data = json.loads((tmp_path / "run" / "result.json").read_text())
    assert data["complete"] is True
    assert without_times(data) == expected(SLOW, 8, 6)
    assert "16 on 8 deals" in out


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to a process group")
def test_ctrl_c_shows_what_is_done_and_the_same_command_goes_on(tmp_path):
    words = ["--agents", ",".join(SLOW), "--deals", 40, "--seed", 6, "--workers", 2, "--out", "run", "--no-plots"]
    process = started(tmp_path, *words)
    until_games(process, tmp_path / "run" / "games.sqlite", 90_000)
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does: parent and workers all get it
    out, err = process.communicate(timeout=100)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "of 40 deals; the same command goes on from here" in out
    data = json.loads((tmp_path / "run" / "result.json").read_text())
    assert data["complete"] is False
    assert data["incomplete"].startswith("INCOMPLETE: ")
    deals = int(data["incomplete"].split()[1])
    assert 1 <= deals < 40
    assert without_times(data) == expected(SLOW, deals, 6)


def test_files_of_a_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = "tournament tactics --agents random --agent greedy,mcts:sims=5,c=0.9 --deals 3 --workers 1 --out here"
    assert main([*line.split(), "--records", "all.jsonl"]) == 0
    text = capsys.readouterr().out
    folder = tmp_path / "here"
    assert text.startswith((folder / "tournament.txt").read_text())
    for words in ("full: every deal by all 6 seat assignments", "18 on 3 deals", "random = 0", "a reconstruction"):
        assert words in text
    data = json.loads((folder / "result.json").read_text())
    assert (data["format"], data["kind"], data["complete"]) == (1, "tournament", True)
    assert data["command"] == (
        "gosu-rl tournament tactics --agents random,greedy,mcts:sims=5,c=0.9 --players 2 --deals 3 --seed 1 --out here"
    )
    assert data["cards"]["reconstruction"] is True
    assert [table["title"] for table in data["tables"]][:2] == ["Standings", "Payoff"]
    assert {row[0] for row in data["tables"][0]["rows"]} == {"random", "greedy", "mcts:sims=5,c=0.9"}
    for plot in data["plots"]:
        assert (folder / plot["file"]).read_bytes().startswith(b"\x89PNG")
    assert len(data["plots"]) == 2
    for file in data["files"]:
        assert (folder / file["file"]).exists()
    rows = list(csv.DictReader((folder / "tournament.csv").open()))
    greedy = next(row for row in rows if row["table"] == "Standings" and row["row"] == "greedy")
    assert (greedy["column"], greedy["unit"]) == ("rating", "rating")
    records = Record.read_all("all.jsonl")
    assert len(records) == 18
    assert records[0].header["agents"] == ["random", "greedy"]
    # Again: nothing is played, the same table. Another tournament: refused.
    assert main(line.split()) == 0
    assert without_times(json.loads((folder / "result.json").read_text())) == without_times(data)
    assert main([*line.split(), "--seed", "2"]) == 2
    assert "here holds another run (seed 1, not 2); name another --out, or --fresh" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--agents random", "at least two different agents"),
        ("--agents random,nobody", "unknown agent 'nobody'"),
        ("--agents random,greedy --deals 0", "--deals must lie between 1 and 10,000,000, not 0"),
        ("--agents random,greedy --players 3 --schedule balanced", "more agents than seats"),
        ("--agents random,greedy --no-records --records x", "give one of them"),
        ("--agents random,greedy --out foreign", "is of another run"),
    ],
)
def test_bad_input_is_one_clear_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "result.json").write_text("{}")
    assert main(["tournament", "tactics", *words.split()]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_ray_without_a_cluster_is_one_clear_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert (
        main(
            ["tournament", "tactics", "--agents", "random,greedy", "--deals", "1", "--ray", "127.0.0.1:1", "--out", "r"]
        )
        == 2
    )
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("gosu-rl: error: ")
    assert "pip install 'gosu_rl[ray]'" in error or "no Ray cluster at '127.0.0.1:1'" in error


def test_a_ray_cluster_plays_the_same_games(tmp_path, monkeypatch):
    """On a local cluster of two workers, started and stopped here."""
    pytest.importorskip("ray", reason="ray is not installed (pip install 'gosu_rl[ray]'); the same games run on it")
    from ray.cluster_utils import Cluster

    # Its workers are new processes, which find the package and the agents of the tests by this.
    paths = [str(HERE), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        agents = ("random", "odd_agents:Raises", "odd_agents:Dies")
        words = ["--agents", ",".join(agents), "--deals", 3, "--seed", 2, "--ray", cluster.address, "--out", "run"]
        process = started(tmp_path, *words, "--no-plots")
        out, err = process.communicate(timeout=280)
        assert process.returncode == 0, err
    finally:
        cluster.shutdown()
    assert "18 on 3 deals" in out
    data = json.loads((tmp_path / "run" / "result.json").read_text())
    found = {table["title"]: table for table in without_times(data)}
    local = {table["title"]: table for table in expected(("random", "odd_agents:Raises"), 3, 2)}
    payoffs = (
        found["Payoff"]["columns"].index("odd_agents:Raises"),
        local["Payoff"]["columns"].index("odd_agents:Raises"),
    )
    shares = [
        next(row for row in table["Payoff"]["rows"] if row[0] == "random")[column]
        for table, column in zip((found, local), payoffs, strict=True)
    ]
    assert shares[0] == shares[1]  # the same games, so the same figure
    blame = {row[0]: row[1] for row in found["Spoiled games by agent"]["rows"]}
    assert blame.get("odd_agents:Raises", 0) > 0
