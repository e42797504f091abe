"""How fast a run learns, beside the bound that its two heavy parts set together.

Choosing actions (the network without gradients) and learning from them (the update) have to be done for every sample, one after the
other, so no run can be faster than 1 / (1 / inference + 1 / update). What the real trainer reaches of that shows what all the rest
costs: games, advantages, copying, history.

The three are measured in turn, batch by batch, because a shared machine wavers by a quarter within a minute; the ratio is that of
each turn. Seconds are those of the clock; with one thread on the CPU, of the processor, so that waiting for a neighbour does not
count.
"""

from __future__ import annotations

import dataclasses
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import torch

from gosu_rl.learning.config import Config
from gosu_rl.learning.ppo import Losses, Pull, Samples, update
from gosu_rl.learning.returns import advantages
from gosu_rl.learning.trainer import Trainer
from gosu_rl.nets.network import act

# What is measured unless a config says otherwise; sizes of the rollout are the defaults, as in configs/tactics_ppo.yaml.
WORDS = ("network.kind=mlp", "network.hidden=[256,256]", "ppo.epochs=4")


@dataclass(frozen=True)
class Turn:
    """One batch of each, in samples (decisions collected) a second."""

    inference: float
    update: float
    end_to_end: float

    @property
    def bound(self) -> float:
        """What inference and update alone would allow."""
        return 1.0 / (1.0 / self.inference + 1.0 / self.update)

    @property
    def ratio(self) -> float:
        """End to end over the bound."""
        return self.end_to_end / self.bound


def measure(config: Config, turns: int, told: Callable[[Turn], None] | None = None) -> list[Turn]:
    """Train for `turns` batches, after one that warms up, and measure the parts alone between them; `told` hears of each turn.

    Evaluation and the config's budget are left out of it. ValueError as from `Trainer`.
    """
    size = config.rollout.games * config.rollout.steps
    config = dataclasses.replace(
        config,
        budget=dataclasses.replace(config.budget, samples=(turns + 1) * size, minutes=0.0),
        evaluation=dataclasses.replace(config.evaluation, deals=0),
    )
    found: list[Turn] = []
    with tempfile.TemporaryDirectory(prefix="gosu_rl_bench_") as folder:
        parts = _Parts(config, Path(folder))
        parts.inference()
        parts.update()
        left = parts.clock()

        def after_a_batch(trainer: Trainer, losses: Losses) -> None:
            nonlocal left
            spent = parts.clock() - left
            if trainer.counters.batch > 1:
                found.append(Turn(size / parts.inference(), size / parts.update(), size / spent))
                if told:
                    told(found[-1])
            left = parts.clock()

        Trainer(config, Path(folder)).run(progress=after_a_batch)
    return found


def median(turns: list[Turn], what: str) -> float:
    """The middle of one property of all turns."""
    return statistics.median(getattr(one, what) for one in turns)


class _Parts:
    """One batch, and what is done with it: as in a run, by the same functions. Each method returns the seconds it took."""

    def __init__(self, config: Config, folder: Path) -> None:
        self.trainer = trainer = Trainer(config, folder)  # never run, so it writes nothing
        self.batch = batch = trainer.collector.collect(trainer.acting, trainer.generator, trainer.rng)
        found = advantages(batch.reward, batch.ended, batch.mover, batch.value, config.ppo.lam, batch.choice)
        self.samples = Samples(batch, found, trainer.device)
        self.pull = Pull.at(config.ppo, 0.0)
        alone = config.machine.threads == 1 and trainer.device.type == "cpu"
        self.clock: Callable[[], float] = process_time if alone else perf_counter

    def inference(self) -> float:
        """Choose an action for every row of the batch."""
        trainer, batch, device = self.trainer, self.batch, self.trainer.device
        mixed = trainer.config.machine.mixed
        trainer.network.eval()
        began = self.clock()
        for t in range(len(batch.observation)):
            with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=mixed):
                hidden = None if batch.hidden is None else batch.hidden[t].to(device)
                seen, mask = batch.observation[t].to(device), batch.mask[t].to(device)
                act(trainer.acting, seen, mask, trainer.generator, hidden)[0].cpu()
        return self.clock() - began

    def update(self) -> float:
        """All passes over the batch."""
        trainer, config = self.trainer, self.trainer.config
        trainer.network.train()
        began = self.clock()
        update(
            trainer.acting, list(trainer.network.parameters()), trainer.optimizer, self.samples, config.ppo, self.pull,
            trainer.rng, trainer.magnet, config.machine.mixed,
        )  # fmt: skip
        return self.clock() - began
