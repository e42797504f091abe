"""Whom the learner meets in self-play: himself, his past selves, and a league of fixed agents.

Every game belongs to one arrangement from its deal to its end: in a game of self-play the learner holds all seats; in the others he
holds one, drawn anew for every game, and one opponent holds the rest. Only the learner's own decisions are learned from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gosu_rl.envs.vector import VectorEnv
from gosu_rl.learning.config import PoolConfig
from gosu_rl.learning.seated import Seated
from gosu_rl.nets.network import act

SELF = -1  # nobody but the learner sits in the game
ALL_SEATS = -1


class Opponents:
    """The arrangement of N games. `restart(which)` draws it anew for games that begin."""

    def __init__(self, env: VectorEnv, config: PoolConfig, build: Callable[[], torch.nn.Module], device: torch.device):
        self.env, self.config, self.device = env, config, device
        self._build = build
        self.past: list[dict[str, torch.Tensor]] = []  # weights, oldest first
        self._networks: dict[int, torch.nn.Module] = {}  # place in `past` -> network in evaluation mode
        # Of each game, whom the learner meets, SELF, 0 … for a past self, from config.size on for the league; and his seat.
        self.opponent = np.full(env.num_envs, SELF, np.int64)
        self.seat = np.full(env.num_envs, ALL_SEATS, np.int64)
        self.league = [Seated(env, spec) for spec in config.agents]
        self._leaving = 0  # place in `past` of the oldest, whose place the next one takes

    @property
    def needed(self) -> bool:
        """Whether anybody but the learner ever plays."""
        return self.config.past > 0 or self.config.league > 0

    def restart(self, which: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Draw the arrangement of the games in bool[N] `which`, which are about to begin: nobody sits in them any more."""
        if not self.needed:
            return
        games = np.flatnonzero(which)
        lot, pick = rng.random(len(games)), rng.random(len(games))
        seats = rng.integers(self.env.players, size=len(games))
        past = (lot < self.config.past) & (len(self.past) > 0)
        league = (lot >= self.config.past) & (lot < self.config.past + self.config.league)
        chosen = np.full(len(games), SELF)
        chosen[past] = (pick[past] * len(self.past)).astype(np.int64)
        chosen[league] = self.config.size + (pick[league] * len(self.config.agents)).astype(np.int64)
        self.opponent[games] = chosen
        self.seat[games] = np.where(chosen == SELF, ALL_SEATS, seats)
        for one in self.league:
            one.leave(games.tolist())

    def learner_moves(self, mover: NDArray[np.integer]) -> NDArray[np.bool_]:
        """bool[N]: the learner is to decide."""
        return (self.seat == ALL_SEATS) | (self.seat == mover)

    def act(
        self,
        actions: NDArray[np.int64],
        observation: torch.Tensor,
        mask: torch.Tensor,
        mover: NDArray[np.integer],
        generator: torch.Generator,
    ) -> None:
        """Write the opponents' actions into `actions` int64[N], where the learner is not to decide.

        `observation` [N, D] and `mask` bool[N, A] lie where the networks do; `generator` draws the past selves' actions.
        """
        theirs = ~self.learner_moves(mover)
        for one in np.unique(self.opponent[theirs]).tolist():
            which = theirs & (self.opponent == one)
            if one < self.config.size:
                index = torch.from_numpy(np.flatnonzero(which))
                with torch.inference_mode():
                    chosen = act(self._network(one), observation[index], mask[index], generator)[0]
                actions[which] = chosen.cpu().numpy()
                continue
            agents = self.league[one - self.config.size]
            actions[which] = agents.act(np.flatnonzero(which), mover, self.env.current.mask)

    def remember(self, network: torch.nn.Module) -> None:
        """Keep a snapshot of the learner; beyond `size`, the oldest makes room.

        Games against the one that leaves go on against the one that takes its place.
        """
        weights = {name: value.detach().clone() for name, value in network.state_dict().items()}
        if len(self.past) < self.config.size:
            self.past.append(weights)
            return
        place = self._leaving
        self.past[place] = weights
        self._networks.pop(place, None)
        self._leaving = (place + 1) % self.config.size

    def _network(self, place: int) -> torch.nn.Module:
        network = self._networks.get(place)
        if network is None:
            network = self._networks[place] = self._build().to(self.device).eval()
            network.load_state_dict(self.past[place])
        return network

    def close(self) -> None:
        """All agents of the league leave."""
        for one in self.league:
            one.close()

    # ---- checkpoints

    def state(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Tensors and plain data that `restore` takes.

        Agents of the league that are written in Python are not kept: in games that run they begin anew, with the same seed.
        """
        tensors = {f"past.{k}.{name}": value for k, one in enumerate(self.past) for name, value in one.items()}
        plain = {
            "past": len(self.past),
            "leaving": self._leaving,
            "opponent": self.opponent.tolist(),
            "seat": self.seat.tolist(),
        }
        return tensors, plain

    def restore(self, tensors: dict[str, torch.Tensor], plain: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.past = []
        for k in range(plain["past"]):
            head = f"past.{k}."
            self.past.append({name[len(head) :]: value for name, value in tensors.items() if name.startswith(head)})
        self._networks.clear()
        self.close()
        self._leaving = plain["leaving"]
        self.opponent = np.array(plain["opponent"], np.int64)
        self.seat = np.array(plain["seat"], np.int64)
