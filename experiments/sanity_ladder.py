"""Does learning work at all? Four rungs, each of which would break for another reason.

1. A game of one move: the parts (rollout, advantages, update, network) fit together.
2. The same when the reward arrives on another's move: it is credited to the decision that earned it. The rung holds a second
   run with an estimator that credits whoever moves last; it must not learn.
3. The same with three players and two moves of others in between.
4. Tactics: more than 95 % against `random` within two minutes on two cores.

    python experiments/sanity_ladder.py                 # all, about three minutes; writes results/sanity_ladder.json
    python experiments/sanity_ladder.py --minutes 0     # without Tactics

The same rungs, shorter, are tests (tests/learning/test_sanity_ladder.py).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from gosu_rl.core.files import write_whole
from gosu_rl.envs.vector import Step
from gosu_rl.learning.config import PoolConfig, PPOConfig, read
from gosu_rl.learning.opponents import Opponents
from gosu_rl.learning.ppo import Pull, Samples, update
from gosu_rl.learning.returns import Advantages, advantages
from gosu_rl.learning.rollout import Batch, Collector
from gosu_rl.learning.schedule import Schedule
from gosu_rl.learning.trainer import Trainer
from gosu_rl.nets.network import build_network

HERE = Path(__file__).resolve().parent
SIGNS = 4
Estimator = Callable[..., Advantages]


class SignGame:
    """N games with the interface of `VectorEnv`: one seat should name the sign it sees; after `after` moves by others it is paid.

    Observation: the sign (while it is to be named), and how many moves were made. Naming it pays +1, any other name -1, and the
    others are paid the opposite, shared. What the others name does not matter. One of the wrong names is illegal.
    """

    def __init__(self, after: int, players: int = 2, games: int = 64, seed: int = 0) -> None:
        self.after, self.players, self.num_envs = after, players, games
        spec = SimpleNamespace(size=SIGNS + after + 1, sections=())
        self.game = SimpleNamespace(
            observation_size=spec.size, observation_spec=spec, num_actions=SIGNS, players=players, policies=()
        )
        self._rng = np.random.default_rng(seed)
        self._observation = np.zeros((games, spec.size), np.float32)
        self._mask = np.zeros((games, SIGNS), np.int8)
        self._sign, self._seat, self._made = (np.zeros(games, np.int64) for _ in range(3))
        self._right = np.zeros(games, np.bool_)
        self._into = self._observation, self._mask
        self._deal(np.ones(games, np.bool_))
        self._show(np.zeros((games, players), np.float32), np.zeros(games, np.bool_))

    @property
    def current(self) -> Step:
        return self._step

    def write_to(self, observation: np.ndarray | None, mask: np.ndarray | None) -> None:
        """As `VectorEnv.write_to`."""
        self._into = (self._observation, self._mask) if observation is None or mask is None else (observation, mask)

    def step(self, actions: np.ndarray) -> Step:
        """One move in every game; a game that ends begins anew."""
        row = np.arange(self.num_envs)
        assert self._step.mask[row, actions].all(), "an illegal action was chosen"
        naming = self._made == 0
        self._right[naming] = actions[naming] == self._sign[naming]
        self._made += 1
        ended = self._made > self.after
        rewards = np.zeros((self.num_envs, self.players), np.float32)
        won = np.where(self._right, 1.0, -1.0)
        rewards[ended] = -won[ended, None] / (self.players - 1)
        rewards[ended, self._seat[ended]] = won[ended]
        self._deal(ended)
        self._show(rewards, ended)
        return self._step

    def _deal(self, which: np.ndarray) -> None:
        count = int(which.sum())
        self._sign[which] = self._rng.integers(SIGNS, size=count)
        self._seat[which] = self._rng.integers(self.players, size=count)
        self._made[which] = 0

    def _show(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        observation, mask = self._into
        row = np.arange(self.num_envs)
        observation[:] = 0.0
        observation[row, self._sign] = self._made == 0
        observation[row, SIGNS + self._made] = 1.0
        mask[:] = 1
        mask[row, (self._sign + 1) % SIGNS] = self._made > 0
        mover = ((self._seat + self._made) % self.players).astype(np.int8)
        length = np.where(ended, self.after + 1, 0).astype(np.int32)
        self._step = Step(observation, mask, mover, rewards, ended, np.zeros(self.num_envs, np.bool_), length)


def crediting_the_last_mover(
    reward: np.ndarray, ended: np.ndarray, mover: np.ndarray, value: np.ndarray, lam: float, choice: np.ndarray
) -> Advantages:
    """The mistake that rung 2 would show: a decision is paid only what its own step pays, and others' moves come between."""
    steps, games, _ = reward.shape
    own = np.take_along_axis(reward, mover[:, :, None], 2)[:, :, 0]
    advantage = np.zeros((steps, games), np.float32)
    for t in range(steps - 1):
        advantage[t] = own[t] + np.where(ended[t], 0.0, value[t + 1]) - value[t]
    complete = np.ones((steps, games), np.bool_)
    complete[-1] = False
    return Advantages(advantage, advantage + value, complete)


@dataclass(frozen=True)
class Rung:
    """How a toy run went: `share` of the signs were named rightly in the last batches, `first` in the first one."""

    name: str
    first: float
    share: float
    batches: int
    seconds: float


def learn(name: str, env: SignGame, estimator: Estimator = advantages, batches: int = 40, seed: int = 1) -> Rung:
    """Train a small network on a toy with the parts that the trainer uses."""
    began = time.perf_counter()
    config = PPOConfig(
        epochs=3, minibatch=256, learning_rate=Schedule.parse("5e-3"), entropy=Schedule.parse("0.01 -> 0")
    )
    torch.manual_seed(seed)
    network = build_network(env.game.observation_spec, SIGNS, {"kind": "mlp", "hidden": [32]})
    optimizer = torch.optim.Adam(network.parameters())
    rng, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    device = torch.device("cpu")
    opponents = Opponents(env, PoolConfig(), lambda: network, device)  # type: ignore[arg-type] # a toy stands in for a VectorEnv
    collector = Collector(env, opponents, 16, device)  # type: ignore[arg-type]
    shares = []
    for k in range(batches):
        batch = collector.collect(network, generator, rng)
        found = estimator(batch.reward, batch.ended, batch.mover, batch.value, config.lam, choice=batch.choice)
        samples = Samples(batch, found, device)
        update(network, list(network.parameters()), optimizer, samples, config, Pull.at(config, k / batches), rng)
        shares.append(_named(env, batch))
    return Rung(name, shares[0], float(np.mean(shares[-5:])), batches, time.perf_counter() - began)


def _named(env: SignGame, batch: Batch) -> float:
    """The share of right names among the games that ended in a batch."""
    namer = (batch.mover - env.after) % env.players  # of the game whose last move this was
    paid = np.take_along_axis(batch.reward, namer[:, :, None], 2)[:, :, 0]
    return float((paid[batch.ended] > 0).mean())


def toys(batches: int = 40) -> list[Rung]:
    """The rungs that are no Tactics."""
    return [
        learn("one move", SignGame(after=0), batches=batches),
        learn("reward on another's move", SignGame(after=1), batches=batches),
        learn(
            "the same, crediting the last mover (must not learn)", SignGame(after=1), crediting_the_last_mover, batches
        ),
        learn("three players, two moves of others", SignGame(after=2, players=3), batches=batches),
    ]


def tactics(minutes: float, deals: int) -> dict[str, Any]:
    """Two-player Tactics with the config of the demo: strength against `random` after some minutes."""
    words = [
        f"budget.minutes={minutes}",
        "evaluation.agents=random",
        f"evaluation.deals={deals}",
        "evaluation.minutes=0",
    ]
    config = read(HERE.parent / "configs" / "tactics_demo.yaml", words)
    with tempfile.TemporaryDirectory(prefix="gosu_rl_ladder_") as folder:
        report = Trainer(config, Path(folder)).run(tell=print)
    share = report.measured[0].share
    return {
        "agent": "random", "share": share.estimate, "low": share.low, "high": share.high, "deals": deals,
        "minutes": report.counters.minutes, "samples": report.counters.samples,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2.0, help="of training on Tactics (default: 2; 0: none)")
    parser.add_argument("--deals", type=int, default=1000, help="paired deals against random (default: 1000)")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "sanity_ladder.json")
    args = parser.parse_args()
    rungs = toys()
    for one in rungs:
        print(f"{one.name:54} right at first {one.first:6.1%}, at the end {one.share:6.1%}  ({one.seconds:.1f} s)")
    data: dict[str, Any] = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, torch {torch.__version__}",
        "toys": [vars(one) for one in rungs],
    }
    if args.minutes > 0:
        data["tactics"] = tactics(args.minutes, args.deals)
        print(f"Tactics against random: {data['tactics']['share']:.1%} of {args.deals} paired deals")
    write_whole(args.results, (json.dumps(data, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
