"""`gosu-rl bench learn`: what is measured is what a run does, and it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from learning_cases import small

from gosu_rl.cli import main
from gosu_rl.learning import bench
from gosu_rl.learning.config import read

SIZES = [
    "rollout.games=8",
    "rollout.steps=16",
    "ppo.minibatch=32",
    "network.hidden=[8]",
    "machine.threads=1",
    "machine.device=cpu",
]


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def test_a_bound_and_a_ratio() -> None:
    turn = bench.Turn(inference=60_000.0, update=15_000.0, end_to_end=9_000.0)
    assert turn.bound == pytest.approx(12_000.0)
    assert turn.ratio == pytest.approx(0.75)
    turns = [turn, bench.Turn(1.0, 1.0, 1.0), bench.Turn(1.0, 1.0, 0.5)]
    assert bench.median(turns, "ratio") == 1.0


def test_sizes_are_those_of_the_config_that_comes_with_the_project() -> None:
    ours = read(None, ["budget.samples=1", *bench.WORDS])
    project = read(Path(__file__).parents[2] / "configs" / "tactics_ppo.yaml")
    assert ours.network.hidden == (256, 256)
    assert ours.ppo.epochs == 4
    assert (ours.rollout, ours.ppo.minibatch, ours.game) == (project.rollout, project.ppo.minibatch, project.game)


@pytest.mark.parametrize("words", [[], ["ppo.critic=privileged", "pool.past=0.5"]])
def test_every_turn_is_one_batch_of_the_real_trainer(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    batches = []
    one_batch = bench.Trainer._one_batch

    def counted(self: bench.Trainer, history: object) -> object:
        batches.append(self.folder)
        return one_batch(self, history)  # type: ignore[arg-type]

    monkeypatch.setattr(bench.Trainer, "_one_batch", counted)
    heard: list[bench.Turn] = []
    found = bench.measure(small(*words, "evaluation.deals=3", "budget.minutes=5"), 2, heard.append)
    assert found == heard
    assert len(found) == 2
    assert len(batches) == 3  # one warms up
    assert not batches[0].exists()
    for turn in found:
        assert turn.inference > 0
        assert turn.update > 0
        assert turn.bound < min(turn.inference, turn.update)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gosu_rl.cli.bench_learn.QUICK_TURNS", 2)
    path = tmp_path / "b.json"
    assert main(["bench", "learn", *SIZES[1:], "--quick", SIZES[0], "--json", str(path)]) == 0
    told = capsys.readouterr().out
    assert "network mlp [8], 4 epochs, minibatches of 32; 8 games x 16 decisions a batch; 2 batches" in told
    data = json.loads(path.read_text(encoding="utf-8"))
    assert len(data["turns"]) == 2
    assert data["config"]["network"]["hidden"] == [8]
    assert data["about"]["device"] == "cpu"
    for turn in data["turns"]:
        assert turn["ratio"] == pytest.approx(turn["end_to_end"] / turn["bound"])
    assert told.splitlines()[-1].split()[-1] == f"{data['medians']['ratio']:.2f}"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["lern"], "bench measures games, or with 'learn' training, not 'lern'"),
        (["learn", "ppo.epoch=3"], "did you mean ppo.epochs"),
        (["learn", "--variant", "chess"], "unknown variant 'chess'"),
        (["learn", "--json", "{folder}"], "{folder}: Is a directory"),
    ],
)
def test_what_cannot_be_measured(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *(word.format(folder=tmp_path) for word in words)]) == 2
    told = capsys.readouterr()
    assert message.format(folder=tmp_path) in told.err
    assert told.err.count("\n") == 1
