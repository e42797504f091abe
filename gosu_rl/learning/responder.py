"""How a best response to a frozen agent is trained: PPO with that agent in all other seats.

What such a response wins is measured by `response.py`: a lower bound on what the best of all responses would win (Timbers et al.,
"Approximate exploitability", 2022). Training may have found too little, never too much.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import gosu_rl
from gosu_rl.learning.config import Config, ConfigError, GameConfig, read
from gosu_rl.nets.lookup import policy_for
from gosu_rl.nets.policy_file import PolicyError


def training_config(
    agent: str,
    variant: str,
    players: int,
    minutes: float,
    begin: str = "",
    seed: int = 1,
    path: str | None = None,
    words: Sequence[str] = (),
) -> Config:
    """The config of a run whose learner always meets `agent`; file and `words` decide how it learns (ConfigError).

    A response that begins from a player takes over that player's network.
    """
    if not minutes > 0:
        raise ConfigError(f"--minutes must be above 0, not {minutes:g}")
    given = [f"budget.minutes={minutes!r}", f"seed={seed}", f"game.variant={variant}", f"game.players={players}"]
    config = read(path, [*given, *words])
    begin = begin.removeprefix("ppo:")
    if begin:
        network = _network_of(begin, config.game)
        config = dataclasses.replace(config, begin=begin, network=dataclasses.replace(config.network, **network))
    return dataclasses.replace(
        config,
        pool=dataclasses.replace(config.pool, past=0.0, league=1.0, agents=(agent,)),
        evaluation=dataclasses.replace(config.evaluation, agents=(agent,)),
    )


def _game(spec: GameConfig) -> Any:
    return gosu_rl.game(spec.variant, players=spec.players, cards=spec.cards or None, rules=dict(spec.rules) or None)


def _network_of(begin: str, spec: GameConfig) -> dict[str, Any]:
    """The settings of the network that a player has."""
    try:
        network = policy_for(begin, _game(spec)).meta["network"]
    except PolicyError as error:
        raise ConfigError(f"--begin {begin}: {error}") from None
    kept = {name: value for name, value in network.items() if name in ("kind", "hidden", "card_width")}
    kept["hidden"] = tuple(kept["hidden"])
    return kept
