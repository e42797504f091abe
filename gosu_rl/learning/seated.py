"""Fixed agents in some seats of a vector env: whom the learner is measured against, and the league he trains with.

A compiled policy of the game (`random`, `greedy`) decides in all games in one call, and so do trained networks; any other agent
is asked view by view. Agents see views only, are made afresh for every seat and episode, and get their seed from the episode's.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gosu_rl.agents import Agent, AgentError, act_together, agent_seed, company_of, make_agent
from gosu_rl.agents.protocol import FailedAgentError
from gosu_rl.arena.plan import check_no_human
from gosu_rl.core.game import Game
from gosu_rl.envs.vector import VectorEnv


class Seated:
    """All agents of one spec in an env."""

    def __init__(self, env: VectorEnv, spec: str) -> None:
        self.env, self.spec = env, spec
        self._policy = spec if spec in env.game.policies else None
        self._agents: dict[tuple[int, int], Agent] = {}  # (game, seat) -> the agent of the episode that runs

    def act(self, games: NDArray[np.intp], movers: NDArray[np.integer], mask: NDArray[Any]) -> NDArray[np.int64]:
        """What the movers do in `games`, in the frame of `mask` [N, A]; `movers` [N] holds the seats to move of all games.

        AgentError names the agent and the place where one fails or answers with an action that is not legal.
        """
        if self._policy is not None:
            which = np.zeros(self.env.num_envs, np.bool_)
            which[games] = True
            return self.env.policy_actions(self._policy, which)[games]
        places = games.tolist()
        agents = [self._agent(game, int(movers[game])) for game in places]
        return np.array(
            [
                self._own(game, answer, mask)
                for game, answer in zip(places, self._answers(places, movers, agents), strict=True)
            ],
            np.int64,
        )

    def leave(self, games: Sequence[int]) -> None:
        """These games' episodes are over."""
        for game in games:
            for seat in range(self.env.players):
                _close(self._agents.pop((game, seat), None))

    def close(self) -> None:
        """All leave."""
        while self._agents:
            _close(self._agents.popitem()[1])

    def _agent(self, game: int, seat: int) -> Agent:
        agent = self._agents.get((game, seat))
        if agent is None:
            agent = seat_agent(self.env.game, self.spec, seat, agent_seed(int(self.env.seeds[game]), seat))
            self._agents[game, seat] = agent
        return agent

    def _answers(self, games: list[int], movers: NDArray[np.integer], agents: list[Agent]) -> list[Any]:
        answers: list[Any] = [None] * len(agents)
        groups: dict[Any, list[int]] = {}  # company -> its places in `agents`; who has none is alone
        for k, agent in enumerate(agents):
            groups.setdefault(company_of(agent) or k, []).append(k)
        try:
            for company, members in groups.items():
                views = [self.env.view(games[k]) for k in members]
                if isinstance(company, int):
                    answers[members[0]] = agents[members[0]].act(views[0])
                    continue
                for k, answer in zip(members, act_together([agents[k] for k in members], views), strict=True):
                    answers[k] = answer
            return answers
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            seats = sorted({int(movers[game]) for game in games})
            raise FailedAgentError.told(self.spec, f" in seats {seats}", error) from error

    def _own(self, game: int, answer: Any, mask: NDArray[Any]) -> int:
        """An answer in the frame of the mask; AgentError where it is not legal."""
        with suppress(TypeError, ValueError):
            action = self.env.own_action(game, answer)
            if mask[game, action]:
                return action
        state = self.env.state(game)
        legal = ", ".join(f"{a} ({label})" for a, label in zip(state.legal, state.legal_labels, strict=True))
        raise AgentError(
            f"agent {self.spec!r} in seat {state.mover} returned {answer!r} ({state.kind}), which is not legal; legal: {legal}"
        )


def seat_agent(game: Game, spec: str, seat: int, seed: int) -> Agent:
    """A new agent, ready to play in a seat; AgentError where it cannot be made, or cannot play this game."""
    agent = make_agent(spec)
    try:
        agent.reset(game, seat, seed)
    except AgentError:
        _close(agent)
        raise
    except (Exception, SystemExit) as error:
        _close(agent)
        raise FailedAgentError.told(spec, f" in seat {seat}, being reset", error) from error
    return agent


def check_agents(game: Game, specs: Sequence[str]) -> None:
    """AgentError for the first spec that cannot play this game: better before a run than in the middle of it."""
    for spec in specs:
        check_no_human(spec, "training")
        if spec not in game.policies:
            _close(seat_agent(game, spec, 0, 1))


def _close(agent: Agent | None) -> None:
    if callable(close := getattr(agent, "close", None)):
        close()
