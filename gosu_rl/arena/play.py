"""One game between agents, from the deal to its record.

An agent gets `state.view(seat)` and nothing else, so it cannot see what its seat may not know; the full state never
leaves this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gosu_rl.agents import Agent, AgentError, agent_seed, make_agent
from gosu_rl.agents.protocol import FailedAgentError
from gosu_rl.arena.side_by_side import Moves, Question, alone
from gosu_rl.core.position import whole
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
    seed = whole(seed, "seed")  # before an agent gets one made of it
    names = [agent_name(one) for one in agents] if names is None else list(names)
    seated: dict[int, Agent] = {}
    try:
        seat_agents(game, dict(enumerate(agents)), seed, seated)
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
                raise _failed(error, names[seat], seat, state) from error
            recorder.apply(_checked(answer, names[seat], seat, state))
        if watch is not None:
            watch(state)
        return recorder.finish()
    finally:
        close_agents(seated)


def agent_name(agent: str | Callable[[], Agent] | Agent) -> str:
    """What a record calls an agent: its spec, or `module:Class`."""
    if isinstance(agent, str):
        return agent
    named = agent if hasattr(agent, "__qualname__") else type(agent)
    return f"{named.__module__}:{named.__qualname__}"


def seat_agents(
    game: Any, agents: Mapping[int, str | Callable[[], Agent] | Agent], seed: int, seated: dict[int, Agent]
) -> None:
    """Make and reset the agents, in order of seats, into `seated`, where those that were made stay if one cannot be.

    Raises AgentError for what is no agent or sits in two seats, FailedAgentError when a `reset` raises.
    """
    for seat, given in agents.items():
        if isinstance(given, str):
            agent = make_agent(given)
        elif isinstance(given, type) or not isinstance(given, Agent):
            if not callable(given):
                raise AgentError(f"seat {seat}: {given!r} is neither a spec, nor an agent, nor makes one")
            agent = given()
        else:
            agent = given
        if any(agent is other for other in seated.values()):
            raise AgentError(
                f"seat {seat}: {agent_name(agent)} sits in another seat already; every seat wants its own agent"
            )
        seated[seat] = agent
        try:
            agent.reset(game, seat, agent_seed(seed, seat))
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            raise FailedAgentError.told(agent_name(given), f" in seat {seat}, being reset", error) from error


def close_agents(seated: dict[int, Agent]) -> None:
    """Call `close()` of those that have it, and let all of them go."""
    for agent in seated.values():
        if callable(close := getattr(agent, "close", None)):
            close()
    seated.clear()


def choice(agent: Agent, name: str, seat: int, state: Any) -> int:
    """What the agent in the seat to move does, shown its view and no more.

    Raises AgentError, which names the legal actions, for one that is not legal; FailedAgentError when `act` raises.
    """
    try:
        answer = agent.act(state.view(seat))
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        raise _failed(error, name, seat, state) from error
    return _checked(answer, name, seat, state)


def _failed(error: BaseException, name: str, seat: int, state: Any) -> FailedAgentError:
    return FailedAgentError.told(name, f" in seat {seat} at decision {state.decisions} ({state.kind})", error)


def _checked(answer: Any, name: str, seat: int, state: Any) -> int:
    """The answer as an action; AgentError where it is not legal."""
    legal = state.legal
    try:
        action = whole(answer, "an action")
    except ValueError:
        action = -1
    if action not in legal:
        labels = state.legal_labels
        shown = ", ".join(f"{a} ({label})" for a, label in zip(legal, labels, strict=True))
        raise AgentError(
            f"agent {name!r} in seat {seat} returned {answer!r} at decision {state.decisions} ({state.kind}), which is not "
            f"legal; legal: {shown}"
        )
    return action
