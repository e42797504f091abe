"""The update: masked PPO with a clipped surrogate, an entropy bonus and, where wanted, a magnet.

Schulman et al., "Proximal Policy Optimization Algorithms" (2017). The magnet is a divergence from a slow policy, as in Sokota et
al., "A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games" (2023): in a
two-player zero-sum game it keeps self-play from running round in circles. Illegal actions have no probability and no gradient.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from gosu_rl.learning.config import PPOConfig
from gosu_rl.learning.returns import Advantages
from gosu_rl.learning.rollout import Batch
from gosu_rl.nets.network import Network, log_policy

MEANS = (
    "total",
    "policy",
    "value",
    "entropy",
    "magnet",
    "kl",
    "clipped",
    "gradient",
)  # of Losses, in the order of the sums


class DivergedError(ValueError):
    """Training has come to numbers that are not finite."""


@dataclass(frozen=True)
class Losses:
    """Means over the gradient steps of one update."""

    total: float = (
        0.0  # what was made smaller: policy + value weight * value - entropy weight * entropy + magnet weight * magnet
    )
    policy: float = 0.0
    value: float = 0.0
    entropy: float = 0.0
    magnet: float = 0.0
    kl: float = 0.0  # from the policy that acted to the new one (estimator k3 of Schulman's note)
    clipped: float = 0.0  # share of samples whose ratio left the clip range
    gradient: float = 0.0  # norm before it was cut
    passes: int = 0
    explained: float = 0.0  # share of the targets' variance that the values of the batch had explained


@dataclass(frozen=True)
class Pull:
    """The numbers of an update that schedules decide."""

    learning_rate: float
    clip: float
    entropy: float
    magnet: float

    @classmethod
    def at(cls, config: PPOConfig, progress: float) -> Pull:
        """What the schedules say at a progress of 0 … 1."""
        return cls(
            config.learning_rate.at(progress),
            config.clip.at(progress),
            config.entropy.at(progress),
            config.magnet.at(progress),
        )


class Samples:
    """The decisions of a batch that are learned from: the learner's own, with a successor, and not forced.

    A forced decision (one legal action) has no policy gradient; it is left out, its reward having reached the decisions before
    it through the advantages.
    """

    def __init__(self, batch: Batch, found: Advantages, device: torch.device):
        self.batch, self.device = batch, device
        self.rows = np.flatnonzero(found.complete & batch.learner & batch.choice)
        flat = found.advantage.ravel()[self.rows]
        self._mean, self._deviation = (float(flat.mean()), float(flat.std()) + 1e-8) if len(flat) else (0.0, 1.0)
        self._advantage = torch.from_numpy(found.advantage.ravel())
        self._target = torch.from_numpy(found.target.ravel())
        targets = found.target.ravel()[self.rows]
        values = batch.value.ravel()[self.rows]
        spread = float(targets.var()) if len(targets) else 0.0
        self.explained = 1.0 - float((targets - values).var()) / spread if spread > 0 else float("nan")

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator[tuple[torch.Tensor, ...]]:
        """Random parts of about `size` rows, all equally large up to one: observation, mask, action, log_prob, advantage
        (normalised over the batch), target, hidden hands (or an empty tensor)."""
        rows = rng.permutation(self.rows)
        batch = self.batch
        observation, mask = batch.observation.flatten(0, 1), batch.mask.flatten(0, 1)
        for part in np.array_split(rows, max(1, round(len(rows) / size))) if len(rows) else ():
            i = torch.from_numpy(part)
            hidden = torch.empty(0) if batch.hidden is None else batch.hidden.flatten(0, 1)[i]
            taken = (
                observation[i], mask[i], batch.action.flatten()[i], batch.log_prob.flatten()[i],
                (self._advantage[i] - self._mean) / self._deviation, self._target[i], hidden,
            )  # fmt: skip
            yield tuple(one.to(self.device, non_blocking=True) for one in taken)


def update(
    network: Network,
    weights: list[nn.Parameter],
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    config: PPOConfig,
    pull: Pull,
    rng: np.random.Generator,
    magnet: nn.Module | None = None,
    mixed: bool = False,
) -> Losses:
    """Some passes over the samples; changes the network's `weights` and the optimizer in place.

    `magnet` is the slow policy, None for the uniform one. `mixed`: bfloat16 where torch deems it safe. Raises DivergedError when
    losses or weights are no longer finite numbers.
    """
    for group in optimizer.param_groups:
        group["lr"] = pull.learning_rate
    totals = np.zeros(len(MEANS))
    kl_at = MEANS.index("kl")
    steps = passes = 0
    for _ in range(config.epochs):
        passes += 1
        divergence = parts = 0.0
        for observation, mask, action, old, advantage, target, hidden in samples.minibatches(config.minibatch, rng):
            with torch.autocast(observation.device.type, torch.bfloat16, enabled=mixed):
                logits, value = network(observation, hidden) if hidden.numel() else network(observation)
            policy = log_policy(logits.float(), mask)
            new = policy.gather(1, action[:, None])[:, 0]
            ratio = (new - old).exp()
            bounded = ratio.clamp(1.0 - pull.clip, 1.0 + pull.clip)
            policy_loss = -torch.min(ratio * advantage, bounded * advantage).mean()
            # One value, or a privileged critic's and the own view's side by side: both learn the same targets.
            value_loss = (value.float().view(len(target), -1) - target[:, None]).square().mean(0).sum()
            legal = torch.where(mask, policy, 0.0)
            entropy = -(policy.exp() * legal).sum(1).mean()
            loss = policy_loss + config.value * value_loss - pull.entropy * entropy
            magnet_loss = torch.zeros((), device=loss.device)
            if pull.magnet > 0.0:
                magnet_loss = _divergence(policy, legal, mask, magnet, observation)
                loss = loss + pull.magnet * magnet_loss
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(weights, config.max_norm)
            with torch.no_grad():
                kl = (ratio - 1.0 - (new - old)).mean()
                outside = ((ratio - 1.0).abs() > pull.clip).float().mean()
                told = (loss, policy_loss, value_loss, entropy, magnet_loss, kl, outside, norm)
                figures = torch.stack(told).tolist()  # one wait for the device
            if not all(map(math.isfinite, figures)):
                raise DivergedError(_diverged(dict(zip(MEANS, figures, strict=True)), pull))
            optimizer.step()
            totals += figures
            steps += 1
            divergence, parts = divergence + figures[kl_at], parts + 1
        if config.target_kl > 0.0 and parts and divergence / parts > config.target_kl:
            break
    if not all(bool(torch.isfinite(one).all()) for one in weights):
        raise DivergedError(_diverged({"weights": math.nan}, pull))
    means = dict(zip(MEANS, (totals / max(1, steps)).tolist(), strict=True))
    return Losses(**means, passes=passes, explained=samples.explained)


def _diverged(figures: dict[str, float], pull: Pull) -> str:
    names = ", ".join(name for name, number in figures.items() if not math.isfinite(number))
    return (
        f"training has diverged ({names}: not finite) at learning rate {pull.learning_rate:g}; the last checkpoint is as it "
        "was; begin anew with a smaller ppo.learning_rate or ppo.max_norm"
    )


def _divergence(
    policy: torch.Tensor, legal: torch.Tensor, mask: torch.Tensor, magnet: nn.Module | None, observation: torch.Tensor
) -> torch.Tensor:
    """Mean KL(policy, magnet); against the uniform policy it is the log of the number of legal actions less the entropy."""
    if magnet is None:
        return ((policy.exp() * legal).sum(1) + mask.sum(1).float().log()).mean()
    with torch.no_grad():
        slow = torch.where(mask, log_policy(magnet(observation)[0].float(), mask), 0.0)
    return (policy.exp() * (legal - slow)).sum(1).mean()


def follow(slow: nn.Module, fast: nn.Module, rate: float) -> None:
    """Move every weight of `slow` by `rate` of the way to `fast`."""
    with torch.no_grad():
        for mine, theirs in zip(slow.parameters(), fast.parameters(), strict=True):
            mine.lerp_(theirs, rate)
