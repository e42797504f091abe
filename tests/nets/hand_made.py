"""Policy files made by hand, so that what the network thinks is known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import torch

import gosu_rl
from gosu_rl.core.game import Game
from gosu_rl.nets.network import build_network
from gosu_rl.nets.policy_file import save_policy

torch.set_num_threads(1)


@cache
def tactics(players: int = 2) -> Game:
    return gosu_rl.game("tactics", players=players)


def drawn(
    path: Path, game: Game | None = None, seed: int = 1, hidden: tuple[int, ...] = (32,), sharp: float = 30.0
) -> str:
    """A network with random weights and firm opinions (`sharp`); its spec."""
    game = game or tactics()
    torch.manual_seed(seed)
    net = build_network(game.observation_spec, game.num_actions, {"kind": "mlp", "hidden": list(hidden)})
    with torch.no_grad():
        net.policy.weight *= sharp
        net.value.weight *= sharp
    save_policy(path, net, game, {"made": "by drawing"})
    return f"ppo:{path}"


def linear(
    path: Path,
    game: Game,
    wants: Mapping[str, float] | None = None,
    worth: Mapping[tuple[str, int], float] | None = None,
) -> str:
    """A network without hidden layers: logits by label (0 for all others), the value tanh of a sum over
    (section, number in it) of the observation, times weights. Its spec."""
    net = build_network(game.observation_spec, game.num_actions, {"kind": "mlp", "hidden": []})
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        for label, logit in (wants or {}).items():
            net.policy.bias[game.action(label)] = logit
        for (section, number), weight in (worth or {}).items():
            net.value.weight[0, game.observation_spec.slice(section).start + number] = weight
    save_policy(path, net, game, {"made": "by hand"})
    return f"ppo:{path}"
