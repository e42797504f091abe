"""One game of a tournament, from its place in the schedule to its outcome; the same function on any machine.

What an agent does wrong (an exception, an illegal action, an answer too late, a wrong constructor) spoils this game and
is told with the agent's seat. Anything else that goes wrong is a fault of the package and is raised.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gosu_rl.agents import Agent, AgentError, act_together, company_of, make_agent
from gosu_rl.agents.protocol import FailedAgentError
from gosu_rl.agents.specs import is_own
from gosu_rl.arena.plan import GameSpec
from gosu_rl.arena.play import record_moves
from gosu_rl.arena.side_by_side import Moves, alone, can_share, side_by_side


@dataclass(frozen=True)
class Task:
    """What all games of a tournament share; small enough to be sent to any worker. `move_limit` in seconds, 0: none.

    `networks` are the fingerprints of the agents' networks; `paces` those of the agents (`side_by_side.pace`), empty: games are
    played one by one.
    """

    spec: GameSpec
    agents: tuple[str, ...]
    card_hash: str
    move_limit: float = 0.0
    records: bool = True
    networks: Mapping[str, str] = field(default_factory=dict)
    paces: tuple[str, ...] = ()

    def make(self) -> Any:
        """The game; ValueError where the card file is no longer the one the tournament began with."""
        game = self.spec.make()
        if game.card_set.hash != self.card_hash:
            raise ValueError(f"{self.spec.cards} was changed while it was being measured; run again")
        return game


@dataclass(frozen=True)
class Job:
    """One game: which deal and which of its seatings; `seating` has the number of the agent in every seat."""

    deal: int
    slot: int
    seed: int
    seating: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a game went. `shares` are 1/w for each of w winners (T21), zeros in a truncated or spoiled game.

    `movers` int8[k] and `seconds` float32[k]: who took each decision with more than one legal action, and how long.
    `failure` is None, or what the agent in `failed_seat` did wrong (-1: not known which one it was).
    """

    deal: int
    slot: int
    seating: tuple[int, ...]
    holder: int
    shares: tuple[float, ...]
    truncated: bool
    reason: str
    rounds: int
    decisions: int
    failed_seat: int | None
    failure: str | None
    movers: NDArray[np.int8]
    seconds: NDArray[np.float32]
    record: str | None


class Clock:
    """Who is thinking since when. `shown`, if given, is kept up to date for others to see: [seat, since], since 0: nobody.

    `since` is read from `time.monotonic`, which all processes of a machine share.
    """

    def __init__(self, limit: float, shown: MutableSequence[float] | None = None) -> None:
        self.limit = limit
        self.shown = [0.0, 0.0] if shown is None else shown
        self.asked: int | None = None
        self.inside = False
        self.movers: list[int] = []
        self.seconds: list[float] = []

    def start(self, seat: int) -> float:
        """An agent begins to think."""
        self.asked, self.inside = seat, True
        self.shown[0] = seat
        self.shown[1] = now = time.monotonic()
        return now

    def stop(self, began: float) -> float:
        """It has answered; returns the seconds it took."""
        took = time.monotonic() - began
        self.inside = False
        self.shown[1] = 0.0
        return took


class Timed:
    """An agent with a clock beside it."""

    def __init__(self, spec: str, seat: int, clock: Clock) -> None:
        began = clock.start(seat)
        self._agent: Agent = make_agent(spec)
        clock.stop(began)
        self._spec, self._seat, self._clock = spec, seat, clock

    def reset(self, game: Any, seat: int, seed: int) -> None:
        began = self._clock.start(seat)
        self._agent.reset(game, seat, seed)
        self._clock.stop(began)

    def act(self, view: Any) -> int:
        clock = self._clock
        began = clock.start(self._seat)
        action = self._agent.act(view)
        took = clock.stop(began)
        self._keep(view, took)
        if clock.limit and took > clock.limit:
            raise AgentError(f"took {took:.2f} s for a move; the limit is {clock.limit:g} s")
        return action

    @property
    def company(self) -> Hashable | None:
        """Whom the agent itself can decide with."""
        return company_of(self._agent)

    @staticmethod
    def act_together(agents: Sequence[Timed], views: Sequence[Any]) -> list[int]:
        """An action an agent; the time is shared out evenly among those who had a choice or not. No limit is kept here."""
        began = time.monotonic()
        actions = act_together([one._agent for one in agents], views)
        each = (time.monotonic() - began) / len(agents)
        for agent, view in zip(agents, views, strict=True):
            agent._keep(view, each)
        return actions

    def _keep(self, view: Any, took: float) -> None:
        if len(view.legal) > 1:  # a forced move tells nothing about the agent
            self._clock.movers.append(self._seat)
            self._clock.seconds.append(took)

    def close(self) -> None:
        close = getattr(self._agent, "close", None)
        if callable(close):
            close()


def play_job(task: Task, game: Any, job: Job, shown: MutableSequence[float] | None = None) -> Outcome:
    """Play one game of `task`. `shown` is the clock's face (see `Clock`)."""
    return alone(_job_moves(task, game, job, shown))


def bunches(task: Task, jobs: Iterable[Job], size: int) -> Iterator[list[Job]]:
    """The jobs in bunches: up to `size` games that can be played side by side, or one game by itself.

    In order, but for games that wait until their bunch is full. With a limit for moves every game is by itself.
    """
    bunch: list[Job] = []
    for job in jobs:
        if task.move_limit or not task.paces or not can_share(task.paces[one] for one in job.seating):
            yield [job]
            continue
        bunch.append(job)
        if len(bunch) == size:
            yield bunch
            bunch = []
    if bunch:
        yield bunch


def play_bunch(task: Task, game: Any, jobs: Sequence[Job]) -> Iterator[Outcome]:
    """Play games of `task` side by side; an outcome each as they end, the same as `play_job` gives but for the times."""
    for _, outcome in side_by_side((job, _job_moves(task, game, job, None)) for job in jobs):
        yield outcome


def _job_moves(task: Task, game: Any, job: Job, shown: MutableSequence[float] | None) -> Moves[Outcome]:
    specs = [task.agents[one] for one in job.seating]
    clock = Clock(task.move_limit, shown)
    try:
        agents = [Timed(spec, seat, clock) for seat, spec in enumerate(specs)]
        record = yield from record_moves(game, agents, job.seed, names=specs)
    except (Exception, SystemExit) as error:
        if not clock.inside and not isinstance(error, AgentError):
            raise  # not in an agent: a fault of the package
        clock.shown[1] = 0.0
        return spoiled(job, clock.asked, _in_words(error), clock)
    result = record.result
    shares = tuple(float(share) for share in result["shares"])
    return Outcome(
        job.deal,
        job.slot,
        job.seating,
        int(record.deal["holder"]),
        (0.0,) * len(shares) if result["truncated"] else shares,
        bool(result["truncated"]),
        result["reason"],
        result["rounds"],
        result["decisions"],
        None,
        None,
        np.array(clock.movers, np.int8),
        np.array(clock.seconds, np.float32),
        record.text if task.records else None,
    )


def spoiled(job: Job, seat: int | None, failure: str, clock: Clock | None = None) -> Outcome:
    """The outcome of a game that the agent in `seat` (None: not known which) did not let come to its end."""
    return Outcome(
        job.deal,
        job.slot,
        job.seating,
        -1,
        (0.0,) * len(job.seating),
        False,
        "",
        0,
        0,
        -1 if seat is None else seat,
        failure,
        np.array(clock.movers if clock else [], np.int8),
        np.array(clock.seconds if clock else [], np.float32),
        None,
    )


def compile_for(game: Any, agents: Sequence[str]) -> None:
    """Let each agent of the package take one decision: compiles (or loads) what the games need.

    Agents by others are left alone: what they do wrong shall cost a game, not the run.
    """
    state = first_choice(game)
    for spec in agents:
        if is_own(spec):
            agent = make_agent(spec)
            agent.reset(game, state.mover, 0)
            state.copy().apply(agent.act(state.view(state.mover)))


def first_choice(game: Any) -> Any:
    """The first position of some game in which there is more than one legal action: a forced move says nothing."""
    state = game.new(seed=0)
    while len(state.legal) == 1:
        state.apply(state.legal[0])
    return state


def _in_words(error: BaseException) -> str:
    if isinstance(error, FailedAgentError) and error.__cause__ is not None:
        error = error.__cause__  # the outcome names agent and game already
    text = " ".join(str(error).split())
    if isinstance(error, AgentError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
