"""The design of a measurement: which games are played, in which order, with which seeds.

A *deal* is a seed. Every deal is played once for each *seating* (who sits where) and each *first holder* (the seat
given the Advantage card; the deal stays the same, T46). These games are one block. Nothing here depends on how many
workers play or how the work is cut, so neither do the results.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gosu_rl
from gosu_rl.agents import AgentError, make_agent
from gosu_rl.core.position import whole


@dataclass(frozen=True)
class GameSpec:
    """All that is needed to make the same `Game` in another process."""

    variant: str
    players: int
    cards: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        """The `Game`; ValueError or OSError where variant, players, card file or rules are wrong."""
        return gosu_rl.game(self.variant, players=self.players, cards=self.cards, rules=dict(self.rules) or None)


@dataclass(frozen=True)
class Plan:
    """Who plays which games. `agents` names one agent (self-play) or one for each seat; `seed` decides all deals."""

    spec: GameSpec
    agents: tuple[str, ...]
    seed: int

    def __post_init__(self) -> None:
        players = self.spec.players
        if len(self.agents) not in (1, players):
            raise ValueError(
                f"--agents names {len(self.agents)} agents for {players} players; "
                f"name one (it plays all seats) or {players}"
            )
        if any(not name for name in self.agents):
            raise ValueError("--agents holds an empty name; write it like greedy,random")
        check_seed(self.seed)

    @property
    def players(self) -> int:
        """Number of seats; also the number of first holders."""
        return self.spec.players

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The distinct agents, in the order given."""
        return tuple(dict.fromkeys(self.agents))

    @cached_property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """All different ways to seat the agents, one agent a seat; a single one in self-play."""
        seats = self.agents if len(self.agents) == self.players else self.agents * self.players
        return tuple(dict.fromkeys(itertools.permutations(seats)))

    @cached_property
    def seated(self) -> NDArray[np.int64]:
        """int64[seatings, players]: index into `names` of who sits where."""
        return np.array([[self.names.index(name) for name in seating] for seating in self.seatings])

    @property
    def games_per_deal(self) -> int:
        """Games in one block: seatings x first holders."""
        return len(self.seatings) * self.players

    def deal_seeds(self, start: int, stop: int) -> NDArray[np.uint64]:
        """uint64[stop - start]: the seeds of deals start…stop-1; the same however many deals are asked for."""
        return deal_seeds(self.seed, start, stop)

    def identity(self, game: Any) -> dict[str, Any]:
        """What must agree for two runs to be parts of one: everything but the number of deals and the workers."""
        return {
            "variant": self.spec.variant,
            "players": self.players,
            "cards": f"{game.card_set.name}@{game.card_set.hash}",
            "rules": dict(sorted(dict(game.rules).items())),
            "agents": list(self.agents),
            "seed": self.seed,
            "behaviour": fingerprint(game),
            **networks_fact(game, self.names),
        }

    def run_name(self, game: Any) -> str:
        """A folder name that tells runs of different identity apart."""
        who = re.sub(r"[^A-Za-z0-9=.]+", "-", "-".join(self.agents)).strip("-")[:40]
        text = json.dumps(self.identity(game), sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"winrates-{self.spec.variant}-{self.players}p-{who}-{digest}"


def deal_seeds(seed: int, start: int, stop: int) -> NDArray[np.uint64]:
    """uint64[stop - start]: the seeds of deals start…stop-1 of a run with `seed`."""
    words = np.arange(start, stop, dtype=np.uint64)
    base = np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    return _mix(base + (words + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))


def check_no_human(spec: str, what: str) -> None:
    """ValueError where `spec` is a person at the terminal."""
    if spec.strip().partition(":")[0] == "human":
        raise ValueError(f"{what} plays where nobody can be asked: no human; gosu-rl play seats one")


def check_seed(seed: int) -> None:
    """ValueError where `seed` is not one."""
    if not 0 <= whole(seed, "--seed") < 2**63:
        raise ValueError(f"--seed must lie between 0 and 2^63 - 1, not {seed}")


def fingerprint(game: Any) -> str:
    """Twelve hex digits over a few games between every compiled policy.

    Changed rules or a changed greedy change them, so games from before the change are not mixed with later ones.
    Agents written in Python are not covered, but for their networks (`networks`).
    """
    seeds = np.arange(1, 65, dtype=np.uint64)
    digest = hashlib.sha256(repr(game.result_dtype).encode())
    for policy in sorted(game.policies):
        digest.update(policy.encode())
        rows = game.play_many([policy] * game.players, seeds, workers=1)
        for name in rows.dtype.names:  # field by field: gaps between aligned fields may hold anything
            digest.update(rows[name].tobytes())
    return digest.hexdigest()[:12]


def networks(game: Any, specs: Sequence[str]) -> dict[str, str]:
    """What the play of agents hangs on beside their specs: spec -> fingerprint of its network, for those that have one.

    Raises AgentError where a network cannot play `game`. Agents that cannot be made are told of elsewhere.
    """
    found = {}
    for spec in specs:
        try:
            agent = make_agent(spec)
        except AgentError:
            continue
        if callable(own := getattr(agent, "fingerprint", None)) and (text := own(game)):
            found[spec] = str(text)
    return found


def networks_fact(game: Any, specs: Sequence[str]) -> dict[str, Any]:
    """The entry of `networks` in the identity of a run; none where no agent has one."""
    found = networks(game, specs)
    return {"networks": found} if found else {}


def check_networks(game: Any, known: Mapping[str, str]) -> None:
    """ValueError where a network is no longer the one that a run began with."""
    if known and (now := networks(game, tuple(known))) != known:
        changed = next(spec for spec in known if now.get(spec) != known[spec])
        raise ValueError(f"the network of {changed!r} was changed while it was being measured; run again")


def agent_seed(deal_seed: int, seat: int, seating: int) -> int:
    """The seed of the agent in a seat: the same for every first holder, so that games differ by the card alone."""
    words = [int(deal_seed) & 0xFFFFFFFF, int(deal_seed) >> 32, seat, seating]
    return int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64: neighbouring numbers come out unrelated, different ones stay different."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
