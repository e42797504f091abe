"""What the tests of learning share: runs of a second, and agents that write down what is done with them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from gosu_rl.learning import checkpoint
from gosu_rl.learning.config import Config, read
from gosu_rl.learning.trainer import Trainer

SMALL = (
    "budget.samples=384", "rollout.games=8", "rollout.steps=16", "ppo.minibatch=32", "ppo.epochs=2", "network.hidden=[12]",
    "evaluation.deals=0", "machine.device=cpu", "machine.threads=1", "machine.checkpoint_minutes=1000",
)  # fmt: skip


def small(*words: str) -> Config:
    """Three batches of 128 decisions, unless `words` say otherwise."""
    return read(None, [*SMALL, *words])


def train(folder: Path, *words: str, resume: bool = False) -> Trainer:
    """A small run, done."""
    trainer = Trainer(small(*words), folder, resume=resume)
    assert trainer.run().complete
    return trainer


def weights(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in module.state_dict().items()}


def same(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    """Equal names, and all tensors equal bit for bit."""
    return set(a) == set(b) and all(torch.equal(a[name], b[name]) for name in a)


def kept(folder: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """What the checkpoint of a run holds, without the time that it took and what it is called."""
    tensors, plain = checkpoint.load(folder / checkpoint.FILE_NAME)
    for name in ("minutes", "evaluated_minutes"):
        plain["counters"].pop(name)
    plain.pop("config")
    return tensors, plain


def experiment(name: str) -> ModuleType:
    """A script of experiments/ as a module."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[2] / "experiments" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # where its dataclasses look for their types
        spec.loader.exec_module(module)
    return sys.modules[name]


class Noted:
    """Plays the first legal action, and writes down its life: `learning_cases:Noted`."""

    lives: list[Noted] = []  # noqa: RUF012 - of all of them; tests clear it

    def __init__(self) -> None:
        self.seat, self.seed, self.decisions, self.closed = -1, -1, [], 0
        Noted.lives.append(self)

    def reset(self, game: Any, seat: int, seed: int) -> None:
        self.seat, self.seed = seat, seed

    def act(self, view: Any) -> int:
        assert view.viewer == view.mover == self.seat
        self.decisions.append(view.as_dict()["decisions"])
        return view.legal[0]

    def close(self) -> None:
        self.closed += 1


class Cheat:
    """Answers with an action that is never legal."""

    def reset(self, game: Any, seat: int, seed: int) -> None:
        self.seat = seat

    def act(self, view: Any) -> int:
        return next(a for a in range(view.game.num_actions) if a not in view.legal)


class Broken:
    """Fails when asked."""

    def reset(self, game: Any, seat: int, seed: int) -> None:
        pass

    def act(self, view: Any) -> int:
        raise RuntimeError("no idea")
