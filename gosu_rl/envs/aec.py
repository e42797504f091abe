"""Any game of this package as a PettingZoo AEC environment: agents act one after another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv

from gosu_rl.envs.table import TableEnv


class AECGame(TableEnv, AECEnv):  # TableEnv first: its spaces and render() are meant
    """One decision a step, by `agent_selection`; the same agent may be asked several times in a row.

    Rewards are 0 until the end. Then every agent gets its return (zero-sum, see `GameState.returns`) at once, all are
    terminated, or all truncated with reward 0 (T24), and each is removed by its own `step(None)`.
    Arguments and attributes: `TableEnv`.
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
        AECEnv.__init__(self)
        TableEnv.__init__(self, variant, version, num_players, cards, rules, render_mode, max_cycles)
        self._playing = False

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the next game; `seed` also seeds the generator from which later resets without a seed draw theirs."""
        position = self._deal(seed, options)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._playing = True
        self.agent_selection = self.possible_agents[position.mover]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Take the decision of `agent_selection`; None for an agent whose game is over.

        Raises:
            ValueError: the action is not legal; the message names those that are, and nothing has changed.
        """
        if not self._playing:
            self._step_after_end(action)
            return
        self._apply(action)
        # Rewards stay 0 until the end, so the dictionaries of the last step are still right and are not rebuilt.
        mover = self._position.mover
        if mover < 0:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[mover]
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        """Every agent is told its return in the same step; none depends on who acts last."""
        self._playing = False
        position = self._position
        truncated = bool(position.truncated)
        for agent, reward in zip(self.agents, position.returns, strict=True):
            self.rewards[agent] = float(reward)
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self._accumulate_rewards()
        self._deads_step_first()

    def _step_after_end(self, action: int | None) -> None:
        self._running()
        if not self.agents:
            raise ValueError(f"{self.metadata['name']}: the game is over for every agent; call reset()")
        self._was_dead_step(action)
