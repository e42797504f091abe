"""Networks: from a mover's observation to logits of his actions, in his own frame, and the return he may expect."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from torch import Tensor, nn


class Layout(Protocol):
    """What a network must know of an observation: its size, and named sections (name, start, stop, meaning)."""

    @property
    def size(self) -> int: ...
    @property
    def sections(self) -> tuple[tuple[str, int, int, str], ...]: ...


def build_network(spec: Layout, num_actions: int, config: Mapping[str, Any]) -> nn.Module:
    """A network with fresh weights, in the manner of `config`, which it keeps as `.config`.

    `net(observation[B, D])` is `(logits[B, num_actions], value[B])`: logits are not masked, and in the mover's own frame
    (`game.relative_actions`); the value is the mover's expected return, in [-1, 1]. Kinds: `mlp` with `hidden`, the widths of
    its layers. Raises ValueError for any other config.
    """
    kind = config.get("kind")
    if kind != "mlp":
        raise ValueError(f"unknown kind of network {kind!r}; there is: mlp")
    if unknown := set(config) - {"kind", "hidden"}:
        raise ValueError(f"unknown entry {sorted(unknown)[0]!r} for a network of kind mlp; it takes: hidden")
    hidden = config.get("hidden", (256, 256))
    if not isinstance(hidden, (list, tuple)) or not all(type(width) is int and width > 0 for width in hidden):
        raise ValueError(f"hidden must be a list of layer widths such as [256, 256], not {hidden!r}")
    return MLP(spec.size, num_actions, hidden)


class MLP(nn.Module):
    """Fully connected layers with ReLU, one head of logits, one tanh head of the value; orthogonal weights, biases 0."""

    def __init__(self, size: int, num_actions: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self.config = {"kind": "mlp", "hidden": list(hidden)}
        widths = [size, *hidden]
        layers: list[nn.Module] = []
        for before, after in pairwise(widths):
            layers += [_linear(before, after, math.sqrt(2.0)), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.policy = _linear(widths[-1], num_actions, 0.01)  # nearly uniform at first
        self.value = _linear(widths[-1], 1, 0.1)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        features = self.body(observation)
        return self.policy(features), self.value(features).squeeze(-1).tanh()


def _linear(before: int, after: int, gain: float) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
