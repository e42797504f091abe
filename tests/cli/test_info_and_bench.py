"""`gosu-rl info` and `gosu-rl bench --quick`."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import numpy as np
import pytest

from gosu_rl.arena.bench import Effort, Figure, rate
from gosu_rl.cli import main


def test_info_names_versions_and_cache(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["info"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert rows["python"] == platform.python_version()
    assert rows["numpy"] == np.__version__
    assert "files" in rows["cached"]
    assert Path(rows["cache"]).is_absolute()


def test_a_rate_counts_what_was_done_and_not_the_first_call() -> None:
    calls: list[int] = []

    def once(repeat: int) -> float:
        calls.append(repeat)
        sum(range(20_000))
        return 10.0

    figure = rate("counting", "things / CPU-s", once, Effort(repeats=3, seconds=0.02))
    assert calls[0] == 0
    assert set(calls[1:]) == {1, 2, 3}
    assert len(figure.values) == 3
    assert all(value > 0 for value in figure.values)
    assert Figure("three", "", (3.0, 1.0, 2.0)).median == 2.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--variant", "nope"], "unknown variant 'nope'; there are: tactics, gosu, gosu_x, epic_death"),
        (["--json", "{folder}"], "{folder}: Is a directory"),
        (["--json", "{folder}/none/x.json"], "{folder}/none/x.json: No such file or directory"),
    ],
)
def test_bench_refuses_before_it_measures(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--quick", *(word.format(folder=tmp_path) for word in words)]) == 2
    told = capsys.readouterr()
    assert told.err == f"gosu-rl: error: {message.format(folder=tmp_path)}\n"
    assert told.out == ""


@pytest.mark.slow
@pytest.mark.long
def test_bench_measures_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gosu_rl.envs.tactics_v0")
    path = tmp_path / "bench.json"
    assert main(["bench", "--quick", "--json", str(path)]) == 0
    told = capsys.readouterr().out
    data = json.loads(path.read_text(encoding="utf-8"))
    names = [figure["name"] for figure in data["figures"]]
    for players in (2, 3, 4):
        assert f"tactics {players}p, compiled random games" in names
        assert f"tactics {players}p, Python loop over GameState" in names
    for players in (2, 4):
        assert f"tactics {players}p, ISMCTS, whole games" in names
    for players in (2, 4):
        for games, threads in (
            (1, "1 thread"),
            (64, "1 thread"),
            (1024, "2 threads"),
            (1024, "2 threads, choices included"),
        ):
            assert f"tactics {players}p, VectorEnv, {games} games, {threads}" in names
    assert not any(name.startswith("pgx") for name in names)  # not in a quick run, it compiles for a minute
    for figure in data["figures"]:
        assert figure["name"] in told
        assert all(value > 0 for value in figure["values"])
    assert data["about"]["python"] == platform.python_version()
