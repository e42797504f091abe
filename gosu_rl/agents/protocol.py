"""What an agent is: two methods and some optional ones, and nothing but views to look at.

    class Mine:
        def reset(self, game, seat, seed): ...      # before a game: remember what you need, seed your generator
        def act(self, view): return view.legal[0]   # one decision: an action id out of view.legal

An agent is made afresh for every seat and every game. It never holds a full state: `act` gets `state.view(seat)`, in
which all that the seat cannot know is blank.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

from gosu_rl.core.position import whole


class AgentError(ValueError):
    """An agent that cannot be made, or that did something the game does not allow."""


class FailedAgentError(AgentError):
    """An exception inside an agent, told with the agent and the place; `__cause__` is that exception."""

    @classmethod
    def told(cls, name: str, where: str, error: BaseException) -> FailedAgentError:
        """To be raised `from error`."""
        text = " ".join(str(error).split())
        return cls(f"agent {name!r}{where}: {type(error).__name__}{': ' if text else ''}{text}")


@runtime_checkable
class Agent(Protocol):
    """The two methods every agent has. What else one may have is optional.

    * `act_batch(views) -> list[int]`: see `act_batch` below;
    * `company` and the static method `act_together(agents, views) -> list[int]`: see `act_together` below;
    * `fingerprint(game) -> str`: what its play hangs on beside its spec, such as the weights of a network;
    * `close()`: its game is over or given up.
    """

    def reset(self, game: Any, seat: int, seed: int) -> None:
        """Get ready for one game of `game` in `seat` (0 … n-1); all randomness of the agent comes from `seed`."""

    def act(self, view: Any) -> int:
        """The id of one of `view.legal`. `view.viewer` is the agent's seat, and it is that seat's move."""


def act_batch(agent: Agent, views: Sequence[Any]) -> list[int]:
    """One action id a view: by the agent's own `act_batch` where it has one, else by `act`, view after view.

    Raises AgentError when the agent's own `act_batch` returns another number of actions than it got views.
    """
    own = getattr(agent, "act_batch", None)
    if own is None:
        return [_action(agent.act(view), f"{type(agent).__name__}.act") for view in views]
    actions = [_action(answer, f"{type(agent).__name__}.act_batch") for answer in own(views)]
    if len(actions) != len(views):
        raise AgentError(f"{type(agent).__name__}.act_batch got {len(views)} views and returned {len(actions)} actions")
    return actions


def _action(answer: Any, where: str) -> int:
    """An answer as an int; AgentError for what is no whole number (1.7 is not action 1, nor is True)."""
    try:
        return whole(answer, "an action")
    except ValueError as error:
        raise AgentError(f"{where}: {error}") from None


def company_of(agent: Agent) -> Hashable | None:
    """Who can decide with an agent that has been reset, in one call: all of its class with an equal `company`; None: nobody."""
    own = getattr(agent, "company", None)
    return None if own is None else (type(agent), own)


def act_together(agents: Sequence[Agent], views: Sequence[Any]) -> list[int]:
    """One action an agent, each from its own view, by the `act_together` of their class; all must be of one company.

    Many games are played side by side that way, agents that share a network asking it once. Every agent must answer as its `act`
    would, its generator moved on as by `act`. Raises AgentError when another number of actions comes back.
    """
    answers = type(agents[0]).act_together(agents, views)  # type: ignore[attr-defined]
    actions = [_action(answer, f"{type(agents[0]).__name__}.act_together") for answer in answers]
    if len(actions) != len(agents):
        raise AgentError(
            f"{type(agents[0]).__name__}.act_together got {len(agents)} agents and returned {len(actions)} actions"
        )
    return actions


def agent_seed(seed: int, seat: int) -> int:
    """The seed an agent gets in a game: eight bytes of a hash of both.

    They are the first of the SHA-256 of the text `gosu_rl agent SEED SEAT`, big end first, without the lowest bit.

    A hash, so that neither the seats of one game nor the games of neighbouring seeds share a stream, and so that an
    agent's randomness has nothing in common with the deal. In 0 … 2**63 - 1.
    """
    digest = hashlib.sha256(f"gosu_rl agent {int(seed)} {int(seat)}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
