"""Approximate best responses: a player trained against one frozen agent, and what he wins from it.

His win share is a lower bound on what the best of all responses would win (Timbers et al., "Approximate exploitability", 2022):
training may have found too little, never too much. It is measured on deals that neither training nor its evaluations saw, with the
weights that training ended with, so nothing is chosen by looking at the result. `learning/exact.py` has the exact figure for games
small enough to be enumerated.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import gosu_rl
from gosu_rl.arena.result import provenance
from gosu_rl.arena.stats import Interval
from gosu_rl.core.files import write_whole
from gosu_rl.learning import yardstick
from gosu_rl.learning.config import Config, ConfigError, GameConfig, read
from gosu_rl.nets.lookup import policy_for, shared
from gosu_rl.nets.policy_file import PolicyError

FILE_NAME = "exploitability.json"
FRESH = 0x5EED  # sets the deals of the final measure apart from all others of the same seed


@dataclass(frozen=True)
class Bound:
    """How a response fared against an agent who sat in all other seats; `share` is the response's win share a game."""

    agent: str
    variant: str
    players: int
    cards: dict[str, Any]
    share: Interval
    deals: int
    seed: int
    samples: int
    minutes: float

    @property
    def fair(self) -> float:
        """What a player no better than the agent wins."""
        return 1.0 / self.players

    @property
    def gain(self) -> Interval:
        """The lower bound on exploitability, as a return in [-1, 1]: what the response wins a game, 0 being even."""
        n, one = self.players, self.share
        estimate, low, high = ((n * value - 1) / (n - 1) for value in (one.estimate, one.low, one.high))
        return Interval(estimate, low, high, one.blocks)


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
    given = [f"budget.minutes={minutes!r}", f"seed={seed}", f"game.variant={variant}", f"game.players={players}"]
    config = read(path, [*given, *words])
    if config.budget.minutes <= 0 and not config.budget.samples:
        raise ConfigError(f"--minutes must be above 0, not {minutes:g}")
    if begin:
        network = _network_of(begin, config.game)
        config = dataclasses.replace(config, begin=begin, network=dataclasses.replace(config.network, **network))
    return dataclasses.replace(
        config,
        pool=dataclasses.replace(config.pool, past=0.0, league=1.0, agents=(agent,)),
        evaluation=dataclasses.replace(config.evaluation, agents=(agent,)),
    )


def measure(
    agent: str,
    folder: Path,
    spec: GameConfig,
    deals: int,
    seed: int,
    progress: Callable[[int], object] = lambda games: None,
) -> Bound:
    """Let the player in `folder` meet `agent` over fresh paired deals, each from every seat. `progress(k)`: k more games."""
    game = _game(spec)
    policy = shared(folder / "policy.safetensors")
    policy.check(game)
    fresh = int(np.random.SeedSequence([seed, FRESH]).generate_state(1, np.uint64)[0] >> np.uint64(1))
    found = yardstick.measure(
        policy.network, game, agent, deals, fresh, progress=lambda games: (progress(games), None)[1]
    )
    about = policy.meta["about"]
    return Bound(
        agent, game.variant, game.players, provenance(game.card_set), found.share, deals, seed,
        int(about.get("samples", 0)), float(about.get("minutes", 0.0)),
    )  # fmt: skip


def write(folder: Path, bound: Bound) -> None:
    """Put the bound into the folder's `exploitability.json`."""
    figures = {**dataclasses.asdict(bound), "exploitability_at_least": dataclasses.asdict(bound.gain)}
    write_whole(folder / FILE_NAME, (json.dumps(figures, indent=1, default=str) + "\n").encode())


def as_text(bound: Bound) -> str:
    """What was found, in a few lines."""
    share, gain = bound.share, bound.gain
    return "\n".join(
        [
            f"Best response to {bound.agent}  [{bound.variant}, {bound.players} players, cards {bound.cards['name']}@"
            f"{bound.cards['hash']}{', a reconstruction' if bound.cards['reconstruction'] else ''}]",
            f"  trained on     {bound.samples:,} decisions in {bound.minutes:.1f} minutes",
            f"  wins           {share.estimate:.1%} [{share.low:.1%}, {share.high:.1%}] of its games"
            f" ({bound.deals} fresh deals, every seat; {bound.fair:.1%} would be even)",
            f"  exploitability at least {gain.estimate:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}] as a return; "
            + (
                "a better response may exist"
                if gain.low > 0
                else "not shown to be above 0: train longer, or --begin better"
            ),
        ]
    )


def _game(spec: GameConfig) -> Any:
    return gosu_rl.game(spec.variant, players=spec.players, cards=spec.cards or None, rules=dict(spec.rules) or None)


def _network_of(begin: str, spec: GameConfig) -> dict[str, Any]:
    """The settings of the network that a player has."""
    try:
        network = policy_for(begin.removeprefix("ppo:"), _game(spec)).meta["network"]
    except PolicyError as error:
        raise ConfigError(f"--begin {begin}: {error}") from None
    kept = {name: value for name, value in network.items() if name in ("kind", "hidden", "card_width")}
    kept["hidden"] = tuple(kept["hidden"])
    return kept
