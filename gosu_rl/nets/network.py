"""The networks: from a mover's observation to a score for each action and the return he may expect.

`net(observation float32[B, D]) -> logits float32[B, A], value float32[B]`. Logits are in the mover's own frame
(`game.relative_actions`), unmasked; the value lies in [-1, 1]. Two kinds:

* `mlp`: fully connected layers over the whole vector;
* `cards`: the same trunk, and beside it scores for cards and army slots by shared weights. All that an observation says of one face
  (in hand, in the discard pile, in an army …) is one short row; every row goes through the same small layer, so what is learned
  of naming or discarding one card serves them all. Army slots likewise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import nn

Sections = Sequence[tuple[str, int, int, str]]


class Spec(Protocol):
    """What is asked of an observation's layout (`game.observation_spec`)."""

    size: int
    sections: tuple[tuple[str, int, int, str], ...]


class Trunk(nn.Module):
    """Hidden layers and the two heads every kind has."""

    def __init__(self, size: int, actions: int, hidden: Sequence[int]):
        super().__init__()
        layers: list[nn.Module] = []
        width = size
        for units in hidden:
            layers += [orthogonal(nn.Linear(width, units), 2**0.5), nn.ReLU()]
            width = units
        self.body = nn.Sequential(*layers)
        self.policy = orthogonal(nn.Linear(width, actions), 0.01)
        self.worth = orthogonal(nn.Linear(width, 1), 1.0)
        self.width = width


class MLP(Trunk):
    """Fully connected."""

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits [B, A] and value [B]."""
        features = self.body(observation)
        return self.policy(features), torch.tanh(self.worth(features))[:, 0]


def orthogonal(layer: nn.Linear, gain: float) -> nn.Linear:
    """Orthogonal weights, no bias: how PPO networks are begun (Andrychowicz et al., 2021, find small last layers help)."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def log_policy(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Log-probabilities [B, A] over the legal actions (bool[B, A]); a very negative number where an action is illegal."""
    return torch.log_softmax(logits.masked_fill(~mask, -1e9), 1)


def act(
    network: nn.Module,
    observation: torch.Tensor,
    mask: torch.Tensor,
    generator: torch.Generator,
    hidden: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Draw an action for each row: action int64[B], its log-probability [B], the value [B]."""
    logits, value = network(observation) if hidden is None else network(observation, hidden)
    policy = log_policy(logits.float(), mask)
    # The largest of log p + Gumbel noise is a draw from p; -log of an exponential is Gumbel. One pass, no cumulative sums.
    noise = torch.empty_like(policy).exponential_(generator=generator).log()
    action = torch.where(mask, policy - noise, -torch.inf).argmax(1)
    return action, policy.gather(1, action[:, None])[:, 0], value


def build_network(spec: Spec, num_actions: int, config: Mapping[str, Any]) -> nn.Module:
    """A network for an observation layout; ValueError for an unknown kind."""
    if config["kind"] == "mlp":
        return MLP(spec.size, num_actions, config["hidden"])
    raise ValueError(f"no network {config['kind']!r}; there are mlp, cards")
