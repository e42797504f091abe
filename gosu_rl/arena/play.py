"""One game between agents, from the deal to its record.

An agent gets `state.view(seat)` and nothing else, so it cannot see what its seat may not know; the full state never
leaves this file.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from gosu_rl.agents import Agent, AgentError, agent_seed, make_agent
from gosu_rl.agents.protocol import FailedAgentError
from gosu_rl.arena.side_by_side import Moves, Question, alone
from gosu_rl.core.record import Record, Recorder


def play(
    game: Any,
    agents: Sequence[str | Callable[[], Agent] | Agent],
    seed: int,
    advantage: int | None = None,
    watch: Callable[[Any], None] | None = None,
    names: Sequence[str] | None = None,
) -> Record:
    """Play one game of `game` from `seed` and return its record.

    `agents` names one player a seat: a spec string, a class or other callable that makes an agent, or an agent. Each is
    reset with `agent_seed(seed, seat)`, so the record is a function of game, agents and seed. `advantage` gives the
    Advantage card to that seat on the same deal (T46). `watch(state)` is called with the state before every decision
    and once at the end. `names` is what the record calls them, one a seat; left out: their specs or classes.

    An agent with a method `close()` has it called when the game is over or given up.

    Raises AgentError when an agent cannot be made or returns an action that is not legal, naming agent, seat, decision
    and the legal actions; FailedAgentError when something is raised inside one.
    """
    return alone(record_moves(game, agents, seed, advantage, watch, names))


def record_moves(
    game: Any,
    agents: Sequence[str | Callable[[], Agent] | Agent],
    seed: int,
    advantage: int | None = None,
    watch: Callable[[Any], None] | None = None,
    names: Sequence[str] | None = None,
) -> Moves[Record]:
    """The game that `play` plays, for `side_by_side` to play among others."""
    if isinstance(agents, str) or len(agents) != game.players:
        given = 1 if isinstance(agents, str) else len(agents)
        raise AgentError(f"a game of {game.players} players wants {game.players} agents, one a seat; given: {given}")
    names = [agent_name(one) for one in agents] if names is None else list(names)
    seated: list[Agent] = []
    try:
        _seat(game, agents, seed, seated)
        state = game.new(seed=seed) if advantage is None else game.new(seed=seed, advantage=advantage)
        recorder = Recorder(game, state, seed=seed, advantage=advantage, agents=names)
        while not state.over:
            if watch is not None:
                watch(state)
            seat = state.mover
            try:
                answer = yield Question(seated[seat], state.view(seat))
            except AgentError:
                raise
            except (Exception, SystemExit) as error:
                where = f" in seat {seat} at decision {recorder.decisions} ({state.kind})"
                raise FailedAgentError.told(names[seat], where, error) from error
            recorder.apply(_checked(answer, names[seat], seat, state, recorder.decisions))
        if watch is not None:
            watch(state)
        return recorder.finish()
    finally:
        for agent in seated:
            if callable(close := getattr(agent, "close", None)):
                close()


def agent_name(agent: str | Callable[[], Agent] | Agent) -> str:
    """What a record calls an agent: its spec, or `module:Class`."""
    if isinstance(agent, str):
        return agent
    named = agent if hasattr(agent, "__qualname__") else type(agent)
    return f"{named.__module__}:{named.__qualname__}"


def _seat(game: Any, agents: Sequence[str | Callable[[], Agent] | Agent], seed: int, seated: list[Agent]) -> None:
    """Make and reset the agents, in order of seats, into `seated`."""
    for seat, given in enumerate(agents):
        if isinstance(given, str):
            agent = make_agent(given)
        elif isinstance(given, type) or not isinstance(given, Agent):
            if not callable(given):
                raise AgentError(f"seat {seat}: {given!r} is neither a spec, nor an agent, nor makes one")
            agent = given()
        else:
            agent = given
        if any(agent is other for other in seated):
            raise AgentError(
                f"seat {seat}: {agent_name(agent)} sits in another seat already; every seat wants its own agent"
            )
        seated.append(agent)
        try:
            agent.reset(game, seat, agent_seed(seed, seat))
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            raise FailedAgentError.told(agent_name(given), f" in seat {seat}, being reset", error) from error


def _checked(answer: Any, name: str, seat: int, state: Any, number: int) -> int:
    """The answer as an action; AgentError where it is not legal."""
    legal = state.legal
    try:
        action = operator.index(answer)
    except TypeError:
        action = -1
    if action not in legal:
        labels = state.legal_labels
        shown = ", ".join(f"{a} ({label})" for a, label in zip(legal, labels, strict=True))
        raise AgentError(
            f"agent {name!r} in seat {seat} returned {answer!r} at decision {number} ({state.kind}), which is not "
            f"legal; legal: {shown}"
        )
    return action
