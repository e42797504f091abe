"""A critic that sees the other seats' hands, for training only.

Advantages are estimated against what a position is really worth, which is less noisy than what the mover can know of it (asymmetric
actor-critic, Pinto et al. 2018). The policy never sees more than its own view; and beside the critic the network's own value head
goes on learning from the own view, since that is what plays, and what a search may be guided by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from gosu_rl.nets.network import MLP


class Privileged(nn.Module):
    """`net(observation[B, D], hidden[B, H])` is `(logits[B, A], values[B, 2])`: the critic's value, and that of the own view."""

    def __init__(self, plain: nn.Module, size: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self.plain = plain
        self.critic = MLP(size, 1, hidden)

    def forward(self, observation: Tensor, hidden: Tensor | None = None) -> tuple[Tensor, Tensor]:
        logits, own = self.plain(observation)
        if hidden is None:  # at play: as if the critic were not there
            return logits, own
        return logits, torch.stack([self.critic(torch.cat([observation, hidden], 1))[1], own], 1)


def with_privileged_critic(network: nn.Module, game: Any, hidden: Sequence[int]) -> Privileged:
    """The network with a critic of its own beside it; `.plain` is the network that plays."""
    return Privileged(network, game.observation_size + hidden_size(game), hidden)


def hidden_size(game: Any) -> int:
    """H: how many numbers tell of the other seats' hands (`VectorEnv.hidden_hands`)."""
    hand = game.observation_spec.slice("hand")
    return (game.players - 1) * (hand.stop - hand.start)
