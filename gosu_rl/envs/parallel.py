"""Any game of this package as a PettingZoo parallel environment: every agent hands in an action at every step.

The games are turn-based, so only the action of the player to move counts; what the others hand in is ignored, and need
not be there. Their action mask is all zeros (`action_space.sample(mask)` then gives 0), and
`infos[agent]["active_agent"]` names the player to move, as in PettingZoo's own `turn_based_aec_to_parallel`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from gosu_rl.envs.table import Observation, TableEnv


class ParallelGame(TableEnv, ParallelEnv):
    """One decision a step; all agents observe every step and leave together at the end.

    Rewards are 0 until the last step, which brings every agent its return. Arguments and attributes: `TableEnv`.
    """

    def __init__(
        self,
        variant: str,
        version: int,
        num_players: int = 2,
        cards: str | None = None,
        rules: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        TableEnv.__init__(self, variant, version, num_players, cards, rules, render_mode, max_cycles)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal the next game; returns observations and infos of all agents. Seeds: as `AECGame.reset`."""
        self._deal(seed, options)
        self.agents = self.possible_agents.copy()
        if self.render_mode == "human":
            self.render()
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the decision of the player to move; returns observations, rewards, terminations, truncations, infos.

        Raises:
            ValueError: the mover's action is missing or not legal (the message names those that are); nothing changed.
        """
        position = self._running()
        if not self.agents:
            raise ValueError(f"{self.metadata['name']}: the game is over for every agent; call reset()")
        mover = self.possible_agents[position.mover]
        if mover not in actions:
            raise ValueError(f"{mover} is to move, and no action of {mover} was given; nothing was changed")
        self._apply(actions[mover])
        over, truncated = position.over, bool(position.truncated)
        rewards = dict(zip(self.agents, map(float, position.returns), strict=True)) if over else self._each(0.0)
        result = (
            self._observations(), rewards, self._each(over and not truncated), self._each(truncated), self._infos(),
        )  # fmt: skip
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return result

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.possible_agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        mover = self._position.mover
        active = self.possible_agents[mover] if mover >= 0 else None
        return {agent: {"active_agent": active} for agent in self.possible_agents}

    def _each(self, value: Any) -> dict[str, Any]:
        return dict.fromkeys(self.possible_agents, value)
