"""Networks: from a mover's observation to logits of his actions, in his own frame, and the return he may expect.

`net(observation float32[B, D])` is `(logits float32[B, A], value float32[B])`: logits are not masked, and in the mover's own frame
(`game.relative_actions`); the value lies in [-1, 1]. Two kinds:

* `mlp`: fully connected layers over the whole vector;
* `cards`: the same, and beside it scores of cards and army slots by shared weights. What an observation says of one face (in hand,
  in the discard pile, in an army …) is a short row, and all rows go through the same small layer, so that what is learned of naming
  or discarding one card serves for all of them; army slots likewise. Both kinds are measured in docs/learning.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

Network = Callable[..., tuple[Tensor, Tensor]]  # a module, or what torch.compile makes of one
KINDS = {"mlp": {"kind", "hidden"}, "cards": {"kind", "hidden", "card_width", "ranges"}}


class Layout(Protocol):
    """What a network must know of an observation: its size, and named sections (name, start, stop, meaning)."""

    @property
    def size(self) -> int: ...
    @property
    def sections(self) -> tuple[tuple[str, int, int, str], ...]: ...


def network_config(game: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The plain config of a network for `game`, from settings of any kind of network: `kind`, `hidden`, `card_width`."""
    kind = settings["kind"]
    config = {name: settings[name] for name in KINDS.get(kind, {"kind"}) if name in settings}
    config["hidden"] = list(config.get("hidden", ()))
    if kind == "cards":
        config["ranges"] = [list(one) for one in game.action_ranges]
    return config


def build_network(spec: Layout, num_actions: int, config: Mapping[str, Any]) -> nn.Module:
    """A network with fresh weights, in the manner of `config`, which it keeps as `.config`.

    Raises ValueError for an unknown kind, an entry that the kind does not take, and widths that are none.
    """
    kind = config.get("kind")
    if kind not in KINDS:
        raise ValueError(f"unknown kind of network {kind!r}; there are: {', '.join(KINDS)}")
    if unknown := set(config) - KINDS[kind]:
        takes = ", ".join(sorted(KINDS[kind] - {"kind"}))
        raise ValueError(f"unknown entry {sorted(unknown)[0]!r} for a network of kind {kind}; it takes: {takes}")
    hidden = config.get("hidden", (256, 256))
    if not isinstance(hidden, (list, tuple)) or not all(type(width) is int and width > 0 for width in hidden):
        raise ValueError(f"hidden must be a list of layer widths such as [256, 256], not {hidden!r}")
    if kind == "mlp":
        return MLP(spec.size, num_actions, hidden)
    width = config.get("card_width", 32)
    if type(width) is not int or width < 1:
        raise ValueError(f"card_width must be a whole number above 0, not {width!r}")
    return Cards(spec, num_actions, hidden, width, config.get("ranges", ()))


class MLP(nn.Module):
    """Fully connected layers with ReLU, one head of logits, one tanh head of the value; orthogonal weights, biases 0."""

    def __init__(self, size: int, num_actions: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self.config: dict[str, Any] = {"kind": "mlp", "hidden": list(hidden)}
        widths = [size, *hidden]
        layers: list[nn.Module] = []
        for before, after in itertools.pairwise(widths):
            layers += [_linear(before, after, math.sqrt(2.0)), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.policy = _linear(widths[-1], num_actions, 0.01)  # nearly uniform at first
        self.value = _linear(widths[-1], 1, 0.1)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        features = self.body(observation)
        return self.policy(features), self.value(features).squeeze(-1).tanh()


class Cards(MLP):
    """An MLP whose logits of cards and slots get a second part, by weights that all cards, and all slots, share."""

    def __init__(
        self, spec: Layout, num_actions: int, hidden: Sequence[int], width: int, ranges: Sequence[Sequence[Any]]
    ) -> None:
        super().__init__(spec.size, num_actions, hidden)
        self.config = {
            "kind": "cards",
            "hidden": list(hidden),
            "card_width": width,
            "ranges": [list(one) for one in ranges],
        }
        sections = {name: (start, stop) for name, start, stop, _ in spec.sections}
        if "hand" not in sections or not ranges:
            raise ValueError(
                "a network of kind cards needs an observation with a section 'hand', and the action ranges"
            )
        faces = sections["hand"][1] - sections["hand"][0]
        features = hidden[-1] if hidden else spec.size
        # Rows of faces: every section that says something of each face.
        self.by_face = [at for name, at in sections.items() if at[1] - at[0] == faces and not name.startswith("player")]
        self.faces, self.card_width = faces, width
        self.card_row = nn.Linear(len(self.by_face), width, bias=False)
        self.card_place = nn.Parameter(0.1 * torch.randn(faces, width))  # what the face itself is
        self.card_context = nn.Linear(features, width)
        self.card_blocks = [(first, end) for _, first, end in ranges if end - first == faces]
        self.card_score = _linear(width, max(1, len(self.card_blocks)), 0.01)
        # Rows of army slots: sections army_0, army_1 …, as many slots each as a player has targets.
        self.armies = [at for name, at in sections.items() if name.startswith("army_") and name[5:].isdigit()]
        named = {name: (first, end) for name, first, end in ranges}
        first, end = named.get("target", (0, 0))
        self.slots = (end - first) // max(1, len(self.armies))
        self.slot_blocks = [(first, end)] if self.slots else []
        self.slot_blocks += [at for name, at in named.items() if name == "replace" and at[1] - at[0] == self.slots]
        if self.slots:
            self.slot_row = nn.Linear((self.armies[0][1] - self.armies[0][0]) // self.slots, width, bias=False)
            self.slot_place = nn.Parameter(torch.zeros(len(self.armies), self.slots, width))
            self.slot_context = nn.Linear(features, len(self.armies) * width)
            self.slot_score = _linear(width, len(self.slot_blocks), 0.01)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        features = self.body(observation)
        logits, rows = self.policy(features), observation.shape[0]
        cards = torch.stack([observation[:, first:end] for first, end in self.by_face], 2)
        cards = self.card_row(cards) + self.card_place + self.card_context(features)[:, None]
        card_scores = self.card_score(torch.relu(cards))  # [B, faces, blocks]
        added = torch.zeros_like(logits)
        for k, (first, end) in enumerate(self.card_blocks):
            added[:, first:end] = card_scores[:, :, k]
        if self.slots:
            armies = torch.stack([observation[:, first:end] for first, end in self.armies], 1)
            armies = armies.view(rows, len(self.armies), self.slots, -1)
            context = self.slot_context(features).view(rows, len(self.armies), 1, self.card_width)
            slot_scores = self.slot_score(torch.relu(self.slot_row(armies) + self.slot_place + context))
            for k, (first, end) in enumerate(
                self.slot_blocks
            ):  # targets: all armies, own first; replacements: the own one
                added[:, first:end] = slot_scores[..., k].flatten(1)[:, : end - first]
        return logits + added, self.value(features).squeeze(-1).tanh()


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities [B, A] over the legal actions (bool[B, A]); a very negative number where an action is illegal."""
    return torch.log_softmax(logits.masked_fill(~mask, -1e9), 1)


def act(
    network: Network, observation: Tensor, mask: Tensor, generator: torch.Generator, hidden: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw an action for each row: action int64[B], its log-probability [B], the value as the network gives it.

    `hidden` is what a privileged critic is shown besides (`nets/privileged.py`).
    """
    logits, value = network(observation) if hidden is None else network(observation, hidden)
    policy = log_policy(logits.float(), mask)
    # The largest of log p + Gumbel noise is a draw from p; -log of an exponential is Gumbel. One pass, no cumulative sums.
    noise = torch.empty_like(policy).exponential_(generator=generator).log()
    action = torch.where(mask, policy - noise, -torch.inf).argmax(1)
    return action, policy.gather(1, action[:, None])[:, 0], value


def _linear(before: int, after: int, gain: float) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
