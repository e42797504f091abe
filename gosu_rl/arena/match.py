"""One game between agents written in Python.

An agent is asked with `act(view)` and gets nothing but the view of its seat, so it cannot see what its player cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gosu_rl.agents import AgentError, make_agent
from gosu_rl.agents.protocol import FailedAgentError
from gosu_rl.arena.plan import agent_seed
from gosu_rl.arena.side_by_side import Moves, Question, alone


class Stopped(Exception):  # noqa: N818  not an error: somebody asked for the end
    """Raised inside a game when `stop()` turns true."""


def seat_agents(game: Any, specs: Sequence[str], seed: int, seating: int = 0) -> list[Any]:
    """A fresh agent a seat, reset with a seed of its own (`plan.agent_seed`)."""
    agents = []
    for seat, spec in enumerate(specs):
        agent = make_agent(spec)
        try:
            agent.reset(game, seat, agent_seed(seed, seat, seating))
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            raise FailedAgentError.told(spec, f" in seat {seat}, deal seed {seed}, being reset", error) from error
        agents.append(agent)
    return agents


def play_game(
    game: Any,
    agents: Sequence[Any],
    seed: int,
    advantage: int | None = None,
    watch: Callable[[Any, int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> np.void:
    """Play one game to its end and return its row of `game.result_dtype`.

    `agents` have been reset, one a seat. `advantage` is the seat given the Advantage card, None: drawn (T46).
    `watch(state, seat, action)` is called before every action, and once more with seat and action -1 when the game is
    over. An agent with a method `close()` has it called at the end. Raises ValueError naming the agent, seat and deal
    when an agent chooses what is not legal, FailedAgentError when something is raised inside one, `Stopped` when
    `stop()` says so.
    """
    return alone(game_moves(game, agents, seed, advantage, watch, stop))


def game_moves(
    game: Any,
    agents: Sequence[Any],
    seed: int,
    advantage: int | None = None,
    watch: Callable[[Any, int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Moves[np.void]:
    """The game that `play_game` plays, for `side_by_side` to play among others."""
    try:
        state = game.new(seed=seed) if advantage is None else game.new(seed=seed, advantage=advantage)
        log = game.log(state)
        while not state.over:
            if stop is not None and stop():
                raise Stopped
            seat = state.mover
            try:
                action = yield Question(agents[seat], state.view(seat))
            except AgentError:
                raise
            except (Exception, SystemExit) as error:
                where = f" in seat {seat}, deal seed {seed}, decision {state.decisions}"
                raise FailedAgentError.told(type(agents[seat]).__name__, where, error) from error
            if watch is not None:
                watch(state, seat, action)
            try:
                state.apply(action)
            except ValueError as error:
                name = type(agents[seat]).__name__
                raise ValueError(
                    f"agent {name} in seat {seat}, deal seed {seed}, decision {state.decisions}: {error}"
                ) from None
            log.note(state)
    finally:
        for agent in agents:
            if callable(close := getattr(agent, "close", None)):
                close()
    if watch is not None:
        watch(state, -1, -1)
    row = log.row.copy()
    row["seed"] = seed
    return row
