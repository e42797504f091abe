"""`gosu-rl train`: what it prints and leaves, how it is stopped, and what it refuses in one line."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from gosu_rl.cli import main
from gosu_rl.learning import checkpoint, history
from gosu_rl.learning.config import read

WORDS = [
    "budget.samples=256", "rollout.games=4", "rollout.steps=16", "ppo.minibatch=32", "network.hidden=[8]",
    "evaluation.deals=2", "evaluation.agents=[random]", "machine.device=cpu", "machine.threads=1",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def error_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a refused command says."""
    assert main(["train", *words]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("gosu-rl: error: "), told
    assert told.err.count("\n") == 1
    return told.err.removeprefix("gosu-rl: error: ").rstrip("\n")


def test_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "quick.yaml"
    config.write_text("seed: 5\nppo: {epochs: 1}\n", encoding="utf-8")
    folder = tmp_path / "a run"
    assert main(["train", "--config", str(config), *WORDS, "ppo.epochs=2", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"# {folder}/config.yaml\nseed: 5\n")
    assert "ppo: {epochs: 2, minibatch: 32," in told  # the whole config is printed at the start
    assert "weights, on cpu" in told
    assert told.count("against random") == 2
    assert f"done: {folder}/policy.safetensors" in told
    assert f"--agents ppo:'{folder}',greedy" in told
    assert {one.name for one in folder.iterdir()} == {
        "config.yaml", "checkpoint.safetensors", "policy.safetensors", "history.jsonl", "curves.png", "tensorboard",
    }  # fmt: skip
    assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert read(folder / "config.yaml").seed == 5

    # A second one does not touch the first unasked, and may go on with it or forget it.
    assert "holds a run already; go on with --resume, begin anew with --fresh" in error_of(
        [*WORDS, "--out", str(folder)], capsys
    )
    assert main(["train", "--resume", "--out", str(folder), "budget.samples=512"]) == 0
    assert checkpoint.load(folder / "checkpoint.safetensors")[1]["counters"]["batch"] == 8
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["train", *WORDS, "--fresh", "--out", str(folder)]) == 0
    assert read(folder / "config.yaml").seed == 1
    assert [r["batch"] for r in history.read(folder / "history.jsonl") if r["kind"] == "batch"] == [1, 2, 3, 4]
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_fresh_keeps_the_old_run_when_the_new_one_cannot_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert main(["train", *WORDS, "--out", str(folder)]) == 0
    before = {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}
    for word in ("game.players=9", "ppo.minibatch=x", "begin=nowhere", "evaluation.agents=nobody", "game.players=6"):
        error_of([*WORDS, word, "--fresh", "--out", str(folder)], capsys)
    assert {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()} == before


def test_ctrl_c_keeps_the_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    before = signal.getsignal(signal.SIGINT)

    def press() -> None:
        while not (folder / "history.jsonl").exists() or (folder / "history.jsonl").read_bytes().count(b"\n") < 3:
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    assert main(["train", *WORDS, "budget.samples=100000000", "--out", str(folder)]) == 130
    presser.join()
    assert signal.getsignal(signal.SIGINT) == before
    told = capsys.readouterr()
    assert "stopping after this batch" in told.err
    assert f"stopped: {folder}/policy.safetensors" in told.out
    assert f"go on with: gosu-rl train --resume --out {folder}" in told.out
    at = checkpoint.load(folder / "checkpoint.safetensors")[1]["counters"]["batch"]
    assert at == max(r["batch"] for r in history.read(folder / "history.jsonl")) >= 2
    assert main(["train", "--resume", "--out", str(folder), f"budget.samples={64 * (at + 2)}"]) == 0
    assert checkpoint.load(folder / "checkpoint.safetensors")[1]["counters"]["batch"] == at + 2


def test_settings_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--settings"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert any(line.startswith("ppo.learning_rate ") and "0.001 -> 0.0001" in line for line in told)
    assert any(line.startswith("evaluation.agents ") and "['random', 'greedy']" in line for line in told)
    assert len(told) > 40


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "without --config a budget is needed"),
        (["--config", "{tmp}/none.yaml"], "{tmp}/none.yaml: No such file or directory"),
        (["--config", "{tmp}"], "{tmp}: Is a directory"),
        (["budget.samples=1", "ppo.epoch=2"], "'ppo.epoch=2': unknown setting 'ppo.epoch'; did you mean ppo.epochs"),
        (["budget.samples=1", "rollout.games=1", "rollout.steps=16"], "ppo.minibatch=2048 is more than a batch holds"),
        (["budget.samples=0"], "budget: give budget.samples or budget.minutes"),
        (["budget.samples=1", "game.variant=chess"], "unknown variant 'chess'; there are: tactics"),
        (["budget.samples=1", "game.players=5"], "tactics"),
        (["budget.samples=1", "--out", "{tmp}/file"], "--out {tmp}/file is a file; name a folder"),
        (["budget.samples=1", "--out", "{tmp}/file/x"], "{tmp}/file/x: Not a directory"),
        (["budget.samples=1", "--fresh", "--out", "{tmp}"], "--fresh would clear {tmp}, which holds no run"),
        (["--resume"], "--resume wants the folder of the run"),
        (
            ["--resume", "--out", "{tmp}/none"],
            "{tmp}/none holds no checkpoint.safetensors, so there is nothing to resume",
        ),
        (["--resume", "--out", "{tmp}", "--config", "c.yaml"], "--resume takes the run's own config"),
        (["--resume", "--fresh", "--out", "{tmp}"], "--resume and --fresh contradict each other"),
        (["budget.samples=1", "pool.league=0.5", "pool.agents=gredy"], "unknown agent 'gredy'"),
        (["budget.samples=1", "machine.device=cuda:99"], "machine.device=cuda:99: this torch sees"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    told = error_of([word.format(tmp=tmp_path) for word in words], capsys)
    assert message.format(tmp=tmp_path) in told
    assert {one.name for one in tmp_path.iterdir()} == {"file"}  # nothing was begun


def test_a_checkpoint_of_other_settings_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert main(["train", *WORDS, "--out", str(folder)]) == 0
    resume = ["--resume", "--out", str(folder)]
    told = error_of([*resume, "ppo.epochs=9", "game.players=3"], capsys)
    assert f"{folder}/checkpoint.safetensors is of another run: " in told
    assert "game.players (was 2, is 3); ppo.epochs (was 3, is 9)" in told
    assert read(folder / "config.yaml").ppo.epochs == 3
    data = (folder / "checkpoint.safetensors").read_bytes()
    (folder / "checkpoint.safetensors").write_bytes(data[:1000])
    assert "checkpoint.safetensors is broken off or damaged" in error_of(resume, capsys)
    (folder / "checkpoint.safetensors").write_bytes(data)
    (folder / "config.yaml").unlink()
    assert error_of(resume, capsys) == f"{folder}/config.yaml: No such file or directory"


@pytest.mark.parametrize("package", ["torch", "tensorboard", "yaml"])
def test_what_is_not_installed_is_named_with_the_way_out(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("gosu_rl.learning", "gosu_rl.nets", "torch.utils.tensorboard"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.partition(".")[0] == package and package != "torch"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    told = error_of([*WORDS, "--out", str(tmp_path / "run")], capsys)
    assert (
        told == f"training needs the Python package '{package}', which is not installed: pip install 'gosu_rl[train]'"
    )


def test_divergence_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = error_of([*WORDS, "ppo.value=1e39", "--out", str(tmp_path / "run")], capsys)
    assert told.startswith("training has diverged (total, ")
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()
