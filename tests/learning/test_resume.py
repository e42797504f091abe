"""A run that is killed, whenever, and gone on with ends with the same weights, bit for bit, as one that is left in peace."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from learning_cases import SMALL, kept, same

from gosu_rl.cli import main
from gosu_rl.learning import checkpoint, history

BATCHES = 14
WORDS = [
    *SMALL, f"budget.samples={128 * BATCHES}", "machine.checkpoint_minutes=0",  # after every batch
    "pool.past=0.3", "pool.every=3", "pool.size=2", "pool.league=0.3", "pool.agents=[greedy, random]",
    "ppo.average=0.9", "ppo.magnet=0.1", "ppo.magnet_rate=0.05", "ppo.entropy=0.05 -> 0.0 cosine", "ppo.critic=privileged",
    "game.rules.points_to_win=1", "game.rules.max_turns_per_round=5",
    "evaluation.deals=2", "evaluation.batches=9", "evaluation.agents=[greedy]",
]  # fmt: skip


def batches(folder: Path) -> int:
    path = folder / history.FILE_NAME
    return sum(b'"kind": "batch"' in line for line in path.read_bytes().splitlines()) if path.exists() else 0


def wait_for(folder: Path, number: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 400
    while batches(folder) < number:
        assert process.poll() is None, "the run ended too soon"
        assert time.monotonic() < end, "the run does not come on"
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    killed, straight = tmp_path / "killed", tmp_path / "straight"
    command = [sys.executable, "-m", "gosu_rl", "train", *WORDS, "--out", str(killed)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    rng = random.Random()  # another moment in every run of this test: all of them must do
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(killed, rng.randint(1, BATCHES - 8), process)
        time.sleep(0.1 * rng.random())
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    _, plain = checkpoint.load(killed / checkpoint.FILE_NAME)
    at = plain["counters"]["batch"]
    assert 0 < at < BATCHES

    threads = torch.get_num_threads()
    try:
        assert main(["train", "--resume", "--out", str(killed)]) == 0
        assert main(["train", *WORDS, "--out", str(straight)]) == 0
    finally:
        torch.set_num_threads(threads)
    (a, one), (b, other) = kept(killed), kept(straight)
    heads = {name.partition(".")[0] for name in a}
    assert heads == {"network", "average", "magnet", "optimizer", "past", "generator", "env"}
    assert same(a, b), f"killed after batch {at}"
    assert one == other, f"killed after batch {at}"
    told = [(r["kind"], r["batch"]) for r in history.read(killed / history.FILE_NAME)]
    assert told == [(r["kind"], r["batch"]) for r in history.read(straight / history.FILE_NAME)]
    assert [batch for kind, batch in told if kind == "batch"] == list(range(1, BATCHES + 1))


def test_a_run_that_was_killed_before_its_first_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a checkpoint from the beginning."""
    from learning_cases import small, train

    from gosu_rl.learning.trainer import Trainer

    def killed(self: Trainer, history: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "_one_batch", killed)
        with pytest.raises(KeyboardInterrupt):
            Trainer(small(), tmp_path / "killed").run()
    train(tmp_path / "killed", resume=True)
    train(tmp_path / "straight")
    assert same(kept(tmp_path / "killed")[0], kept(tmp_path / "straight")[0])
