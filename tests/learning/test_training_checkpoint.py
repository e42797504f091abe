"""Checkpoints: what is written is read again, and everything else is refused in one line that names the file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import given
from hypothesis import strategies as st
from learning_cases import same, small, train

import gosu_rl
from gosu_rl.learning import checkpoint
from gosu_rl.learning.checkpoint import CheckpointError
from gosu_rl.learning.config import from_tree
from gosu_rl.learning.trainer import Trainer
from gosu_rl.nets.checksum import checksum


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    tensors = {
        "a": torch.randn(3, 4).T,  # not contiguous
        "b": torch.tensor([True, False]),
        "c": torch.arange(5, dtype=torch.int64)[::2],
        "d": torch.zeros(0),
        "e": torch.tensor(3.5),
        "f": torch.arange(7, dtype=torch.uint8),
    }
    plain = {"n": 2**127 + 1, "f": 0.1, "t": ["ô", None, True], "order": np.random.default_rng(3).bit_generator.state}
    path = tmp_path / "x.safetensors"
    checkpoint.save(path, tensors, plain)
    found, told = checkpoint.load(path)
    assert same(found, {name: one.contiguous() for name, one in tensors.items()})
    assert told == {"format": checkpoint.FORMAT, **plain}
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@given(st.binary(max_size=40))
def test_arrays_survive(data: bytes) -> None:
    arrays = {
        "bytes": np.frombuffer(data, np.uint8), "words": np.array([2**64 - 1, 0, 5], np.uint64),
        "flags": np.array([True, False]), "reals": np.array([[1.5]], np.float32), "whole": np.array([-3], np.int32),
    }  # fmt: skip
    arrays = {name: array.copy() for name, array in arrays.items()}
    found = checkpoint.restore_arrays("env", checkpoint.array_tensors("env", arrays) | {"environment": torch.zeros(1)})
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_adam_goes_on_as_if_nothing_had_happened() -> None:
    def fresh() -> tuple[torch.nn.Linear, torch.optim.Adam]:
        torch.manual_seed(1)
        layer = torch.nn.Linear(3, 2)
        return layer, torch.optim.Adam(
            [*layer.parameters(), torch.nn.Parameter(torch.zeros(1))]
        )  # one never has a gradient

    def step(layer: torch.nn.Linear, adam: torch.optim.Adam, number: int) -> None:
        adam.zero_grad()
        layer(torch.full((1, 3), float(number))).sum().backward()
        adam.step()

    layer, adam = fresh()
    for number in range(3):
        step(layer, adam, number)
    tensors = {name: one.clone() for name, one in checkpoint.optimizer_tensors(adam).items()}
    weights = {name: one.clone() for name, one in layer.state_dict().items()}
    step(layer, adam, 7)
    other, again = fresh()
    other.load_state_dict(weights)
    checkpoint.restore_optimizer(again, tensors)
    step(other, again, 7)
    assert same(dict(other.state_dict()), dict(layer.state_dict()))


# ------------------------------------------------------------------------------------------------ refusals


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    train(folder)
    return folder


def refused(path: Path, message: str) -> None:
    with pytest.raises(CheckpointError, match=message) as caught:
        checkpoint.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("part", [0.0, 0.001, 0.02, 0.5, 0.999])
def test_a_file_that_is_broken_off(run: Path, tmp_path: Path, part: float) -> None:
    data = (run / checkpoint.FILE_NAME).read_bytes()
    path = tmp_path / "x"
    path.write_bytes(data[: int(part * len(data))])
    refused(path, "broken off or damaged")


def test_a_byte_that_has_changed_is_noticed_wherever_it_is(run: Path, tmp_path: Path) -> None:
    data = (run / checkpoint.FILE_NAME).read_bytes()
    path = tmp_path / "x"
    rng = np.random.default_rng(5)
    header = int.from_bytes(data[:8], "little")
    places = [*range(12), *rng.integers(8, 8 + header, 30), *rng.integers(8 + header, len(data), 10), len(data) - 1]
    for place in map(int, places):
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        refused(path, ".")


def test_other_files(run: Path, tmp_path: Path) -> None:
    refused(tmp_path / "none", "no checkpoint can be read .*No such file")
    refused(tmp_path, "no checkpoint can be read .*Is a directory")
    path = tmp_path / "x"
    path.write_text("seed: 1\n" * 100, encoding="utf-8")
    refused(path, "broken off or damaged")
    path.write_bytes(safetensors.torch.save({"a": torch.zeros(2)}))
    refused(path, "no checkpoint of gosu_rl")
    path.write_bytes((run / "policy.safetensors").read_bytes())
    refused(path, "no checkpoint of gosu_rl")
    tensors = {"a": torch.zeros(2)}
    text = json.dumps({"format": 99})
    path.write_bytes(
        safetensors.torch.save(tensors, {checkpoint.PLAIN: text, checkpoint.DIGEST: checksum(text, tensors)})
    )
    refused(path, "has format 99, and this gosu_rl reads format 1")
    path.write_bytes(safetensors.torch.save(tensors, {checkpoint.PLAIN: text, checkpoint.DIGEST: "0" * 64}))
    refused(path, "does not match its own checksum")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("game.players=3", r"game.players \(was 2, is 3\)"),
        ("game.rules.points_to_win=1", r"game.rules.points_to_win \(was None, is 1\)"),
        ("seed=2", r"seed \(was 1, is 2\)"),
        ("network.hidden=[13]", r"network.hidden \(was \[12\], is \[13\]\)"),
        ("rollout.games=16", r"rollout.games \(was 8, is 16\)"),
        ("ppo.learning_rate=1e-3", r"ppo.learning_rate \(was 0.001 -> 0.0001, is 0.001\)"),
        ("ppo.critic=privileged", r"ppo.critic \(was own, is privileged\)"),
        ("ppo.average=0.9", r"ppo.average \(was 0.0, is 0.9\)"),
        ("pool.past=0.5", r"pool.past \(was 0.0, is 0.5\)"),
    ],
)
def test_a_checkpoint_of_another_config(run: Path, word: str, told: str) -> None:
    with pytest.raises(
        CheckpointError, match=f"is of another run: {told}; when a run goes on only budget, evaluation, machine"
    ):
        Trainer(small(word), run, resume=True)


def test_budget_evaluation_and_machine_may_change(run: Path) -> None:
    words = ["budget.samples=1000", "evaluation.deals=3", "evaluation.agents=random", "machine.checkpoint_minutes=1"]
    trainer = Trainer(small(*words), run, resume=True)
    assert trainer.counters.batch == 3
    assert trainer.progress == pytest.approx(0.384)


def test_cards_that_have_changed(tmp_path: Path) -> None:
    """The config names the same file, but other cards are in it."""
    cards = tmp_path / "mine.toml"
    exported = Path(gosu_rl.__file__).parent / "core" / "cards" / "sets" / "tactics.toml"
    text = exported.read_text(encoding="utf-8")
    cards.write_text(text, encoding="utf-8")
    train(tmp_path / "run", f"game.cards={cards}")
    changed = text.replace("Cinder Nipper", "Cinder Gnawer")
    assert changed != text
    cards.write_text(changed, encoding="utf-8")
    with pytest.raises(
        CheckpointError, match="does not fit this config: the snapshot is of other games than these: cards"
    ):
        Trainer(small(f"game.cards={cards}"), tmp_path / "run", resume=True)


def tampered(run: Path, folder: Path, drop: str = "", **plain: object) -> None:
    """A whole checkpoint (its checksum fits) in which something is missing or other."""
    tensors, told = checkpoint.load(run / checkpoint.FILE_NAME)
    folder.mkdir()
    kept = {name: one for name, one in tensors.items() if not drop or not name.startswith(drop)}
    told = {name: value for name, value in (told | plain).items() if value is not None}
    checkpoint.save(folder / checkpoint.FILE_NAME, kept, told)


@pytest.mark.parametrize("drop", ["network.policy", "generator", "env.states", "env.about"])
def test_a_checkpoint_that_lacks_something(run: Path, tmp_path: Path, drop: str) -> None:
    tampered(run, tmp_path / "other", drop)
    with pytest.raises(CheckpointError, match="does not fit this config") as caught:
        Trainer(small(), tmp_path / "other", resume=True)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["counters", "order", "opponents", "measured", "device"])
@pytest.mark.parametrize("value", [None, {}, 7])
def test_a_checkpoint_whose_plain_part_is_odd(run: Path, tmp_path: Path, name: str, value: object) -> None:
    if (name, value) in (("measured", {}), ("device", {}), ("device", 7)):
        pytest.skip("means something: nothing measured, another device")
    tampered(run, tmp_path / "other", **{name: value})
    if (name, value) == ("counters", {}):  # all counters have defaults; it begins to count anew
        assert Trainer(small(), tmp_path / "other", resume=True).counters.batch == 0
        return
    with pytest.raises(CheckpointError, match="does not fit this config"):
        Trainer(small(), tmp_path / "other", resume=True)


def test_a_checkpoint_with_a_config_of_another_version(run: Path, tmp_path: Path) -> None:
    _, told = checkpoint.load(run / checkpoint.FILE_NAME)
    config = told["config"]
    assert from_tree(config, "x") == small()
    config["ppo"]["momentum"] = 0.9
    tampered(run, tmp_path / "other", config=config)
    with pytest.raises(ValueError, match=r"unknown setting 'ppo.momentum'"):
        Trainer(small(), tmp_path / "other", resume=True)


def test_another_device_goes_on_with_new_numbers(run: Path, tmp_path: Path) -> None:
    tampered(run, tmp_path / "other", device="cuda")
    trainer = Trainer(small(), tmp_path / "other", resume=True)
    straight = Trainer(small(), run, resume=True)
    assert not torch.equal(trainer.generator.get_state(), straight.generator.get_state())
    assert same(dict(trainer.network.state_dict()), dict(straight.network.state_dict()))
