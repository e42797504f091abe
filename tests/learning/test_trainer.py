"""The training loop: what a run leaves behind, that every setting acts, that measuring disturbs nothing, and how it fails."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
import torch
from learning_cases import kept, same, small, train, weights

import gosu_rl
from gosu_rl.core import files
from gosu_rl.learning import checkpoint, history
from gosu_rl.learning import trainer as trainer_module
from gosu_rl.learning.config import PoolConfig, PPOConfig, read
from gosu_rl.learning.ppo import DivergedError
from gosu_rl.learning.schedule import Schedule
from gosu_rl.learning.trainer import Trainer
from gosu_rl.nets.policy_file import load_policy

QUICK = ("game.rules.points_to_win=1", "game.rules.max_turns_per_round=4")


def records(folder: Path, kind: str = "batch") -> list[dict[str, Any]]:
    return [one for one in history.read(folder / history.FILE_NAME) if one["kind"] == kind]


def test_a_run_leaves_a_player_and_all_that_is_known_of_it(tmp_path: Path) -> None:
    words = [*QUICK, "evaluation.deals=5", "evaluation.batches=2", "evaluation.agents=random,greedy"]
    trainer = Trainer(small(*words), tmp_path, command="gosu-rl train …")
    lines: list[str] = []
    progress: list[float] = []
    report = trainer.run(tell=lines.append, progress=lambda now, losses: progress.append(now.progress))
    assert report.complete
    assert progress == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert read(tmp_path / "config.yaml") == trainer.config
    names = {one.name for one in tmp_path.iterdir()}
    assert names == {"config.yaml", "checkpoint.safetensors", "policy.safetensors", "history.jsonl", "tensorboard"}

    batches = records(tmp_path)
    assert [one["batch"] for one in batches] == [1, 2, 3]
    assert [one["samples"] for one in batches] == [128, 256, 384]
    assert batches[-1]["episodes"] > 0
    assert all(one["length"] is None or 2 < one["length"] < 300 for one in batches)
    assert [one["batch"] for one in records(tmp_path, "evaluation")] == [0, 2, 3]
    assert len(lines) == 3
    assert "against random" in lines[0]
    assert "greedy" in lines[0]

    policy = load_policy(tmp_path / "policy.safetensors")
    policy.check(trainer.game)
    assert same(weights(policy.network), weights(trainer.network))
    about = policy.meta["about"]
    assert about["command"] == "gosu-rl train …"
    assert about["samples"] == 384
    assert [one["against"] for one in about["strength"]] == ["random", "greedy"]
    assert all(
        one["samples"] == 384 and 0 <= one["low"] <= one["share"] <= one["high"] <= 1 for one in about["strength"]
    )
    assert [one.agent for one in report.measured] == ["random", "greedy"]


def test_schedules_reach_the_optimizer_and_the_history(tmp_path: Path) -> None:
    words = [
        "ppo.learning_rate=8e-3 -> 1e-3",
        "ppo.entropy=0.1 -> 0.0 cosine",
        "ppo.clip=0.3 -> 0.1 until 0.5",
        "ppo.magnet=0 -> 1",
    ]
    trainer = Trainer(small(*words, "budget.samples=512"), tmp_path)
    rates = []
    trainer.run(progress=lambda now, losses: rates.append(now.optimizer.param_groups[0]["lr"]))
    ppo = trainer.config.ppo
    for k, one in enumerate(records(tmp_path)):
        progress = k / 4  # of the budget, when the batch began
        assert rates[k] == one["pull"]["learning_rate"] == pytest.approx(ppo.learning_rate.at(progress))
        assert one["pull"]["entropy"] == pytest.approx(0.05 * (1 + math.cos(math.pi * progress)))
        assert one["pull"]["clip"] == pytest.approx([0.3, 0.2, 0.1, 0.1][k])
        assert one["pull"]["magnet"] == pytest.approx(progress)
    assert len(rates) == 4


# ------------------------------------------------------------------------------------------------ every setting acts

CHANGES = {
    "epochs": ["ppo.epochs=3"],
    "minibatch": ["ppo.minibatch=64"],
    "learning_rate": ["ppo.learning_rate=2e-3"],
    "clip": ["ppo.clip=0.001"],
    "entropy": ["ppo.entropy=0.5"],
    "lam": ["ppo.lam=0.5"],
    "value": ["ppo.value=0.1"],
    "max_norm": ["ppo.max_norm=1e-4"],
    "target_kl": ["ppo.target_kl=1e-9"],
    "magnet": ["ppo.magnet=0.5"],
    "magnet_rate": ["ppo.magnet=0.5", "ppo.magnet_rate=0.1"],
    "critic": ["ppo.critic=privileged"],
    "average": ["ppo.average=0.5"],
}
POOL_CHANGES = {
    "past": ["pool.past=0.9", "pool.every=1"],
    "league": ["pool.league=0.9", "pool.agents=greedy"],
    "agents": ["pool.league=0.9", "pool.agents=random"],
    "every": ["pool.past=0.9", "pool.every=2"],
    "size": ["pool.past=0.9", "pool.every=1", "pool.size=1"],
}
RATES = ("ppo.learning_rate=3e-3", "budget.samples=640", *QUICK)


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, torch.Tensor]]:
    """The player that each change of the settings leads to."""
    found = {}
    for name, words in {"": [], **CHANGES, **POOL_CHANGES}.items():
        folder = tmp_path_factory.mktemp(f"run_{name}")
        train(folder, *RATES, *words)
        found[name] = weights(load_policy(folder / "policy.safetensors").network)
    return found


def test_no_setting_is_forgotten_here() -> None:
    assert set(CHANGES) == {one.name for one in dataclasses.fields(PPOConfig)}
    assert set(POOL_CHANGES) == {one.name for one in dataclasses.fields(PoolConfig)}


@pytest.mark.parametrize("name", [*CHANGES, *POOL_CHANGES])
def test_every_setting_changes_what_is_learned(name: str, players: dict[str, dict[str, torch.Tensor]]) -> None:
    others = [other for other in players if other != name]
    assert set(players[name]) == set(players[""])  # a plain network plays, whatever it was trained with
    assert all(torch.isfinite(one).all() for one in players[name].values())
    assert not any(same(players[name], players[other]) for other in others)


def test_the_same_seed_gives_the_same_player(tmp_path: Path, players: dict[str, dict[str, torch.Tensor]]) -> None:
    train(tmp_path / "a", *RATES)
    assert same(weights(load_policy(tmp_path / "a" / "policy.safetensors").network), players[""])
    train(tmp_path / "b", *RATES, "seed=2")
    assert not same(weights(load_policy(tmp_path / "b" / "policy.safetensors").network), players[""])


def test_measuring_changes_nothing(tmp_path: Path) -> None:
    """Weights, optimizer, generators, games: the same with and without evaluation."""
    pool = ["pool.past=0.5", "pool.every=1", *QUICK]
    train(tmp_path / "without", *pool)
    train(tmp_path / "with", *pool, "evaluation.deals=3", "evaluation.batches=1", "evaluation.temperature=1")
    (a, one), (b, other) = kept(tmp_path / "without"), kept(tmp_path / "with")
    assert same(a, b)
    assert one["order"] == other["order"]
    assert one["opponents"] == other["opponents"]
    assert [r["batch"] for r in records(tmp_path / "with", "evaluation")] == [0, 1, 2, 3]
    assert records(tmp_path / "without", "evaluation") == []


def test_averaged_weights_are_the_player_and_the_mean_at_first(tmp_path: Path) -> None:
    trainer = Trainer(small("ppo.average=0.9"), tmp_path)
    seen = []
    trainer.run(progress=lambda now, losses: seen.append(weights(now.network)))
    player = load_policy(tmp_path / "policy.safetensors").network
    for name, value in player.state_dict().items():
        mean = sum(one[name] for one in seen) / len(seen)
        assert torch.allclose(value, mean, atol=1e-6)
    assert not same(weights(player), weights(trainer.network))


def test_the_magnet_follows(tmp_path: Path) -> None:
    trainer = Trainer(small("ppo.magnet=0.1", "ppo.magnet_rate=0.25"), tmp_path)
    slow = [weights(trainer.network)]

    def note(now: Trainer, losses: Any) -> None:
        assert now.magnet is not None
        wanted = {name: 0.75 * slow[-1][name] + 0.25 * one for name, one in now.network.state_dict().items()}
        found = weights(now.magnet)
        assert all(torch.allclose(found[name], wanted[name], atol=1e-6) for name in wanted)
        slow.append(found)

    trainer.run(progress=note)
    assert len(slow) == 4
    assert Trainer(small("ppo.magnet=0.1"), tmp_path / "u").magnet is None  # the uniform policy


def test_the_pool_grows_by_the_clock_of_batches(tmp_path: Path) -> None:
    trainer = Trainer(small("budget.samples=1024", "pool.past=0.5", "pool.every=3", "pool.size=2", *QUICK), tmp_path)
    sizes = []
    trainer.run(progress=lambda now, losses: sizes.append(len(now.opponents.past)))
    assert sizes == [1, 1, 1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    "words",
    [
        ("game.players=4", "evaluation.deals=2", "evaluation.agents=greedy"),
        ("game.players=3", "ppo.critic=privileged", "pool.past=0.5", "pool.every=1"),
        ("network.kind=cards", "network.card_width=4"),
        ("network.hidden=[]",),
        ("machine.mixed=true", "ppo.magnet=0.1"),
        ("pool.league=1", "pool.agents=greedy", "game.players=4"),
        (
            "rollout.games=1",
            "rollout.steps=2",
            "ppo.minibatch=2",
            "budget.samples=6",
            "pool.league=1",
            "pool.agents=greedy",
        ),
        ("game.rules.max_decisions=3",),  # all games are cut off
    ],
)
def test_all_kinds_of_runs_train(tmp_path: Path, words: tuple[str, ...]) -> None:
    trainer = train(tmp_path, *words)
    assert all(torch.isfinite(one).all() for one in trainer.network.parameters())
    load_policy(tmp_path / "policy.safetensors").check(trainer.game)
    again = Trainer(trainer.config, tmp_path, resume=True)
    assert same(weights(again.network), weights(trainer.network))


def test_cards_of_ones_own(tmp_path: Path) -> None:
    exported = Path(gosu_rl.__file__).parent / "core" / "cards" / "sets" / "tactics.toml"
    cards = tmp_path / "mine.toml"
    cards.write_text(exported.read_text(encoding="utf-8").replace("Cinder Nipper", "Cinder Gnawer"), encoding="utf-8")
    trainer = train(tmp_path / "run", f"game.cards={cards}")
    assert load_policy(tmp_path / "run" / "policy.safetensors").meta["cards"]["hash"] == trainer.game.card_set.hash
    assert trainer.game.card_set.hash != gosu_rl.game("tactics").card_set.hash


def test_a_run_may_begin_from_a_player(tmp_path: Path) -> None:
    train(tmp_path / "first")
    begin = f"begin={tmp_path / 'first'}"
    trainer = Trainer(small(begin), tmp_path / "second")
    assert same(weights(trainer.network), weights(load_policy(tmp_path / "first" / "policy.safetensors").network))
    trainer.run()
    (tmp_path / "first" / "policy.safetensors").unlink()
    again = Trainer(small(begin), tmp_path / "second", resume=True)  # needs it no more
    assert same(weights(again.network), weights(trainer.network))
    with pytest.raises(ValueError, match=r"its network is .*'hidden': \[12\].* the config's .*\[13\]"):
        Trainer(small(f"begin={tmp_path / 'second'}", "network.hidden=[13]"), tmp_path / "third")


def test_a_compiled_network_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the C++ that inductor would write and compile for half a minute; what it is given is the same."""
    compiled = torch.compile
    monkeypatch.setattr(torch, "compile", lambda network: compiled(network, backend="eager"))
    trainer = train(tmp_path / "compiled", "machine.compile=true", "pool.past=0.5", "pool.every=1")
    assert trainer.acting is not trainer.network
    train(tmp_path / "plain", "pool.past=0.5", "pool.every=1")
    (a, _), (b, _) = kept(tmp_path / "compiled"), kept(tmp_path / "plain")
    assert set(a) == set(b)
    assert same(
        {name: a[name] for name in a if name.startswith("network.")},
        {name: b[name] for name in b if name.startswith("network.")},
    )


# ------------------------------------------------------------------------------------------------ budgets and evaluation


def test_a_budget_in_minutes(tmp_path: Path) -> None:
    trainer = train(tmp_path, "budget.samples=0", "budget.minutes=0.01", "evaluation.deals=2", "evaluation.minutes=0")
    assert 0.01 <= trainer.counters.minutes < 0.5
    assert [one["batch"] for one in records(tmp_path, "evaluation")] == [0, trainer.counters.batch]


def test_the_first_budget_that_is_reached_ends_the_run(tmp_path: Path) -> None:
    assert train(tmp_path, "budget.samples=200", "budget.minutes=100").counters.samples == 256


def test_an_evaluation_that_is_due_at_the_end_is_made_once(tmp_path: Path) -> None:
    words = ["evaluation.deals=2", "evaluation.batches=3", "evaluation.agents=random"]
    train(tmp_path, *words)
    assert [one["batch"] for one in records(tmp_path, "evaluation")] == [0, 3]
    train(tmp_path, *words, resume=True)  # nothing is left to do, and nothing is done
    assert [one["batch"] for one in records(tmp_path, "evaluation")] == [0, 3]
    assert len(load_policy(tmp_path / "policy.safetensors").meta["about"]["strength"]) == 1


def test_an_evaluation_that_was_given_up_is_made_up_for(tmp_path: Path) -> None:
    words = [*QUICK, "evaluation.deals=4", "evaluation.batches=0", "evaluation.agents=random"]
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 6

    report = Trainer(small(*words), tmp_path).run(stop=stop)
    assert not report.complete
    assert report.measured == ()
    assert report.counters.batch == 0
    train(tmp_path, *words, resume=True)
    assert [one["batch"] for one in records(tmp_path, "evaluation")] == [0, 3]


def test_stopping_keeps_the_batch_and_going_on_ends_the_same(tmp_path: Path) -> None:
    words = ["pool.past=0.5", "pool.every=1", "ppo.average=0.9", "budget.samples=640", *QUICK]
    straight = train(tmp_path / "straight", *words)
    stopped = Trainer(small(*words), tmp_path / "stopped")
    done = []
    report = stopped.run(stop=lambda: len(done) == 2, progress=lambda now, losses: done.append(now.counters.batch))
    assert not report.complete
    assert done == [1, 2]
    resumed = train(tmp_path / "stopped", *words, resume=True)
    assert same(kept(tmp_path / "straight")[0], kept(tmp_path / "stopped")[0])
    assert straight.counters.episodes == resumed.counters.episodes
    assert [one["batch"] for one in records(tmp_path / "stopped")] == [1, 2, 3, 4, 5]


def test_going_on_for_longer(tmp_path: Path) -> None:
    train(tmp_path)
    trainer = train(tmp_path, "budget.samples=640", resume=True)
    assert trainer.counters.batch == 5
    assert [one["batch"] for one in records(tmp_path)] == [1, 2, 3, 4, 5]
    assert read(tmp_path / "config.yaml").budget.samples == 640


# ------------------------------------------------------------------------------------------------ failures


def test_divergence_is_told_and_the_last_checkpoint_stays(tmp_path: Path) -> None:
    train(tmp_path)
    before = (tmp_path / "checkpoint.safetensors").read_bytes(), (tmp_path / "policy.safetensors").read_bytes()
    trainer = Trainer(small("budget.samples=10000"), tmp_path, resume=True)
    trainer.network.value.bias.data[:] = torch.nan
    with pytest.raises(
        DivergedError, match=r"training has diverged .*learning rate .*; the last checkpoint is as it was"
    ):
        trainer.run()
    assert (
        (tmp_path / "checkpoint.safetensors").read_bytes(),
        (tmp_path / "policy.safetensors").read_bytes(),
    ) == before
    assert train(tmp_path, resume=True).counters.batch == 3


def test_a_weight_of_the_loss_that_no_number_can_bear(tmp_path: Path) -> None:
    with pytest.raises(DivergedError):
        train(tmp_path, "ppo.value=1e39")
    _, plain = checkpoint.load(tmp_path / "checkpoint.safetensors")
    assert plain["counters"]["batch"] == 0  # the one of the very beginning


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["machine.checkpoint_minutes=0", "budget.samples=10000"]
    trainer = Trainer(small(*words), tmp_path)
    written = files.Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if trainer.counters.batch == 2 and "checkpoint" in self.name:
            written(self, data[: len(data) // 2])
            raise OSError(28, os.strerror(28), os.fspath(self))
        return written(self, data)

    monkeypatch.setattr(files.Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left") as caught:
        trainer.run()
    assert caught.value.filename == str(tmp_path / "checkpoint.safetensors")
    monkeypatch.undo()
    assert checkpoint.load(tmp_path / "checkpoint.safetensors")[1]["counters"]["batch"] == 1
    assert not list(tmp_path.glob("*.part"))
    straight = train(tmp_path / "straight")
    resumed = train(tmp_path, "budget.samples=384", resume=True)
    # The budget was another one, and with it the learning rate of the first batch only: that of progress 0.
    assert resumed.counters.batch == straight.counters.batch


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    trainer = Trainer(small(), tmp_path / name)
    with pytest.raises(OSError, match=r"File exists|Not a directory"):
        trainer.run()


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("game.variant=chess", "unknown variant 'chess'"),
        ("game.players=6", "players"),
        ("game.rules.deel=1", "deel"),
        ("game.cards=/no/such.toml", "such.toml"),
        ("machine.device=tpu", "machine.device=tpu: use cpu, cuda"),
        ("machine.device=meta", "machine.device=meta: use cpu, cuda"),
        ("begin=/no/such", "/no/such"),
    ],
)
def test_what_a_game_or_machine_cannot_serve(tmp_path: Path, word: str, message: str) -> None:
    with pytest.raises((ValueError, OSError), match=message) as caught:
        Trainer(small(word), tmp_path / "run")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_no_cuda(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"machine.device=cuda: this torch sees 0 CUDA devices; use cpu or auto"):
        Trainer(small("machine.device=cuda"), tmp_path / "run")
    assert trainer_module.device_of("auto") == torch.device("cpu")


# ------------------------------------------------------------------------------------------------ history


def test_tensorboard_holds_what_is_promised(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    train(tmp_path, *QUICK, "evaluation.deals=2", "evaluation.batches=0", "evaluation.agents=random")
    events = accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    tags = set(events.Tags()["scalars"])
    assert {
        "loss/total", "loss/policy", "loss/value", "loss/entropy", "loss/kl", "loss/clipped", "loss/explained", "loss/gradient",
        "game/decisions", "share/random", "schedule/learning_rate", "schedule/entropy", "schedule/clip", "schedule/magnet",
        "speed/env samples per s", "speed/model samples per s", "speed/learn samples per s", "speed/samples per s",
    } <= tags  # fmt: skip
    batches = records(tmp_path)
    for tag, name in (("loss/kl", "kl"), ("loss/entropy", "entropy"), ("loss/total", "total")):
        told = [(one.step, one.value) for one in events.Scalars(tag)]
        assert told == [(one["batch"], pytest.approx(one[name], rel=1e-5)) for one in batches]
    speeds = [one.value for one in events.Scalars("speed/env samples per s")]
    assert speeds == pytest.approx([128 / one["seconds"]["env"] for one in batches], rel=1e-4)
    assert [one.step for one in events.Scalars("share/random")] == [0, 3]
    for one in batches:
        assert sum(one["seconds"].values()) <= one["took"] * 1.001
        assert one["total"] == pytest.approx(
            one["policy"] + 0.5 * one["value"] - one["pull"]["entropy"] * one["entropy"], abs=1e-6
        )


def test_a_resumed_run_forgets_what_was_written_after_its_checkpoint(tmp_path: Path) -> None:
    train(tmp_path)
    path = tmp_path / "history.jsonl"
    whole = path.read_text(encoding="utf-8")
    later = {**[one for one in records(tmp_path) if one["kind"] == "batch"][-1], "batch": 4, "samples": 1}
    path.write_text(whole + json.dumps(later) + '\n{"kind": "ba', encoding="utf-8")
    train(tmp_path, "budget.samples=512", resume=True)
    assert [one["batch"] for one in records(tmp_path)] == [1, 2, 3, 4]
    assert path.read_text(encoding="utf-8").startswith(whole)
    assert records(tmp_path)[-1]["samples"] == 512


def test_a_history_that_is_none(tmp_path: Path) -> None:
    train(tmp_path)
    path = tmp_path / "history.jsonl"
    lines = path.read_bytes().splitlines()
    for odd in (b"\xff\xfe", b"3", b'{"batch": 1}', b"no"):
        path.write_bytes(b"\n".join([lines[0], odd, lines[1]]) + b"\n")
        with pytest.raises(ValueError, match=r"history.jsonl, line 2 is no record of a training run; .*--fresh"):
            train(tmp_path, "budget.samples=512", resume=True)


def test_schedule_objects_are_what_the_config_says() -> None:
    assert small("ppo.entropy=0.25").ppo.entropy == Schedule(0.25, 0.25)
