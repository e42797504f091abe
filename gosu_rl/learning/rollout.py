"""Collecting experience: N games played side by side, every decision kept with what the learner saw.

The buffers belong to the collector and are filled in place: the vector env writes observations and masks straight into them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
import torch
from numpy.typing import NDArray

from gosu_rl.envs.vector import VectorEnv
from gosu_rl.learning.opponents import Opponents
from gosu_rl.nets.network import Network, act
from gosu_rl.nets.privileged import hidden_size


@dataclass
class Batch:
    """T steps of N games; row t, column i is one decision. The arrays are overwritten by the next batch."""

    observation: torch.Tensor  # float32 [T, N, D]
    mask: torch.Tensor  # bool [T, N, A], in the mover's frame
    action: torch.Tensor  # int64 [T, N]
    log_prob: torch.Tensor  # float32 [T, N], of the policy that acted
    value: NDArray[np.float32]  # [T, N]
    mover: NDArray[np.int64]  # [T, N]
    learner: NDArray[np.bool_]  # [T, N]: the learner's own decisions
    reward: NDArray[np.float32]  # [T, N, P]
    ended: NDArray[np.bool_]  # [T, N]
    hidden: torch.Tensor | None  # float32 [T, N, H]: the other seats' hands, for a privileged critic
    lengths: list[int]  # decisions of the games that ended
    truncated: int  # how many of them were cut off
    seconds: dict[str, float]  # spent in env and model

    @cached_property
    def choice(self) -> NDArray[np.bool_]:
        """bool [T, N]: more than one action was legal."""
        return self.mask.view(torch.int8).sum(2, dtype=torch.int16).numpy() > 1


class Collector:
    """Plays with the network it is given; holds the games between batches.

    `privileged`: the network is also shown the other seats' hands. `mixed`: bfloat16 where torch deems it safe, as in `ppo.update`,
    so that both compute the same probabilities.
    """

    def __init__(
        self,
        env: VectorEnv,
        opponents: Opponents,
        steps: int,
        device: torch.device,
        privileged: bool = False,
        mixed: bool = False,
    ):
        self.env, self.opponents, self.steps, self.device, self.mixed = env, opponents, steps, device, mixed
        games, players = env.num_envs, env.players
        size, actions = env.game.observation_size, env.game.num_actions
        pin = device.type == "cuda"
        self._observation = torch.zeros(steps, games, size, pin_memory=pin)
        self._mask = torch.zeros(steps, games, actions, dtype=torch.int8, pin_memory=pin)
        self._action = torch.zeros(steps, games, dtype=torch.int64)
        self._log_prob = torch.zeros(steps, games)
        self._value = np.zeros((steps, games), np.float32)
        self._mover = np.zeros((steps, games), np.int64)
        self._learner = np.zeros((steps, games), np.bool_)
        self._reward = np.zeros((steps, games, players), np.float32)
        self._ended = np.zeros((steps, games), np.bool_)
        self._hidden: torch.Tensor | None = None
        if privileged:
            self._hidden = torch.zeros(steps, games, hidden_size(env.game), pin_memory=pin)

    def collect(self, network: Network, generator: torch.Generator, rng: np.random.Generator) -> Batch:
        """Play T steps. `generator` draws the networks' actions, `rng` the arrangements."""
        env, opponents = self.env, self.opponents
        lengths: list[int] = []
        truncated, env_seconds, model_seconds = 0, 0.0, 0.0
        now = env.current
        for t in range(self.steps):
            began = perf_counter()
            # The last step of the batch before wrote into arrays of the env's own (see the end of this loop).
            if t == 0:
                self._observation[0].numpy()[...] = now.observation
                self._mask[0].numpy()[...] = now.mask
            self._mover[t] = now.mover
            self._learner[t] = opponents.learner_moves(now.mover)
            if self._hidden is not None:
                self._hidden[t].numpy()[...] = env.hidden_hands()
            thought = perf_counter()
            observation = self._observation[t].to(self.device, non_blocking=True)
            mask = self._mask[t].view(torch.bool).to(self.device, non_blocking=True)
            with torch.inference_mode(), torch.autocast(self.device.type, torch.bfloat16, enabled=self.mixed):
                hidden = None if self._hidden is None else self._hidden[t].to(self.device)
                action, log_prob, value = act(network, observation, mask, generator, hidden)
            self._action[t] = action
            self._log_prob[t] = log_prob
            self._value[t] = value.float().view(len(value), -1)[:, 0].cpu().numpy()
            actions = self._action[t].numpy()
            if opponents.needed:
                opponents.act(actions, observation, mask, now.mover, generator)
            stepped = perf_counter()
            last = t + 1 == self.steps
            if last:
                env.write_to(None, None)
            else:
                env.write_to(self._observation[t + 1].numpy(), self._mask[t + 1].numpy())
            now = env.step(actions)
            self._reward[t] = now.rewards
            ended = now.terminated | now.truncated
            self._ended[t] = ended
            if ended.any():
                lengths += now.length[ended].tolist()
                truncated += int(now.truncated.sum())
                opponents.restart(ended, rng)
            done = perf_counter()
            env_seconds += thought - began + done - stepped
            model_seconds += stepped - thought
        return Batch(
            self._observation, self._mask.view(torch.bool), self._action, self._log_prob, self._value, self._mover,
            self._learner, self._reward, self._ended, self._hidden, lengths, truncated,
            {"env": env_seconds, "model": model_seconds},
        )  # fmt: skip
