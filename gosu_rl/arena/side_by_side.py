"""Games between agents, one by one or many side by side, from the same description of a game.

A game is written as a generator that yields a `Question` for every decision and gets the answer sent in, or what was raised inside
the agent thrown in; it returns its result. So there is one place that says how a game goes, and two ways to ask:

* `alone` asks each agent by itself;
* `side_by_side` keeps many games going and asks all agents of one company (`agents.protocol.company_of`: they share a network)
  in one call. That is worth it where a network answers 64 questions in little more time than one.

Every agent of every game has a generator of its own, so both ways play the same games.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple, TypeVar

from gosu_rl.agents import Agent, AgentError, act_together, company_of, make_agent

WIDTH = 64  # games side by side; more of them gain little (docs/agents.md)
COMPANY, QUICK, SLOW = "company", "quick", "slow"
Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class Question(NamedTuple):
    """A decision to be taken: whose, and what he sees."""

    agent: Agent
    view: Any


Moves = Generator[Question, int, Result]
Answer = int | BaseException  # an action, or what the agent raised


def alone(moves: Moves[Result]) -> Result:
    """Play one game to its end. Raises whatever the game raises of what an agent did."""
    with closing(moves):
        try:
            question = next(moves)
            while True:
                answer = _ask(question)
                question = moves.throw(answer) if isinstance(answer, BaseException) else moves.send(answer)
        except StopIteration as end:
            result: Result = end.value
            return result


def side_by_side(games: Iterable[tuple[Key, Moves[Result]]], width: int = WIDTH) -> Iterator[tuple[Key, Result]]:
    """Play games, up to `width` of them at a time, and give (its key, its result) of each as it ends.

    Keys must differ. A game that raises ends all of them: what it raises is raised here, the others are closed.
    """
    waiting = iter(games)
    going: dict[Key, Moves[Result]] = {}
    asked: dict[Key, Question] = {}
    try:
        while True:
            while len(going) < width and (new := next(waiting, None)) is not None:
                key, going[key] = new[0], new[1]
                try:
                    asked[key] = next(new[1])
                except StopIteration as end:
                    del going[key]
                    yield key, end.value
            if not going:
                return
            keys = list(asked)
            for key, answer in zip(keys, _ask_all([asked[key] for key in keys]), strict=True):
                moves = going[key]
                try:
                    asked[key] = moves.throw(answer) if isinstance(answer, BaseException) else moves.send(answer)
                except StopIteration as end:
                    del going[key], asked[key]
                    yield key, end.value
    finally:
        for moves in going.values():
            moves.close()


def pace(game: Any, spec: str) -> str:
    """COMPANY for an agent that decides with others in one call, QUICK for a compiled policy, SLOW for any other."""
    if spec in game.policies:
        return QUICK
    try:
        return COMPANY if hasattr(type(make_agent(spec)), "act_together") else SLOW
    except (Exception, SystemExit):  # an agent that cannot be made costs games, and is told there
        return SLOW


def can_share(paces: Iterable[str]) -> bool:
    """Whether games between agents of these paces gain by being played side by side, and lose nothing.

    An agent that thinks for itself for long, or that may break down, shall keep no other games waiting.
    """
    found = set(paces)
    return COMPANY in found and SLOW not in found


def _ask(question: Question) -> Answer:
    try:
        return question.agent.act(question.view)
    except (Exception, SystemExit) as error:
        return error


def _ask_all(questions: Sequence[Question]) -> list[Answer]:
    """An answer a question. Where a company cannot answer together its agents are asked one by one, to find who is to blame."""
    companies: dict[Hashable, list[int]] = {}
    for number, question in enumerate(questions):
        company = company_of(question.agent)
        companies.setdefault(("nobody else", number) if company is None else company, []).append(number)
    answers: list[Answer] = [AgentError("was not asked")] * len(questions)
    for numbers in companies.values():
        members = [questions[number] for number in numbers]
        together: Sequence[Answer] | None = None
        if len(members) > 1:
            try:
                together = act_together([one.agent for one in members], [one.view for one in members])
            except (Exception, SystemExit):
                together = None
        for number, answer in zip(numbers, together or map(_ask, members), strict=True):
            answers[number] = answer
    return answers
