"""What every game of the model is: one generator that yields each decision that it puts and is sent the label chosen.

Here stands what tests and lock-step ask of it: who decides what, what is legal, how it ended.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass


@dataclass(frozen=True)
class Decision:
    """One choice that the game puts to one player."""

    mover: int
    kind: str
    legal: frozenset[str]


Choices = Generator[Decision, str, None]  # a piece of the game: yields decisions, is sent the labels chosen


class GameWon(Exception):  # noqa: N818 - no error: it ends the game from wherever the winning change is made
    """Someone has won; the game ends at this very moment, before any pending power (T38)."""

    def __init__(self, winners: list[int], reason: str) -> None:
        super().__init__(reason)
        self.winners = winners
        self.reason = reason


class Flow:
    """A game in play; whoever makes one calls `_begin` once everything is on the table."""

    decisions: int
    reason: str
    shares: list[float] | None

    def _begin(self, flow: Choices, players: int, max_decisions: int) -> None:
        self.decisions = 0
        self.reason = ""
        self.shares = None
        self._players = players
        self._max_decisions = max_decisions
        self._flow = flow
        self._decision: Decision | None = None
        self._advance(None)

    # --- what the tests see ------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.shares is not None

    @property
    def mover(self) -> int:
        return -1 if self._decision is None else self._decision.mover

    @property
    def kind(self) -> str:
        return "over" if self._decision is None else self._decision.kind

    @property
    def legal(self) -> set[str]:
        return set() if self._decision is None else set(self._decision.legal)

    @property
    def returns(self) -> list[float] | None:
        """Zero-sum: a winner alone among n gets 1, the others -1/(n-1); all 0 for a truncated game (T21, T24)."""
        if self.shares is None:
            return None
        n = len(self.shares)
        if self.reason == "truncated":
            return [0.0] * n
        return [(n * share - 1) / (n - 1) for share in self.shares]

    def apply(self, label: str) -> None:
        if label not in self.legal:
            raise ValueError(f"{label!r} is not legal; legal are {sorted(self.legal)}")
        self.decisions += 1
        self._advance(label)

    def _advance(self, label: str | None) -> None:
        try:
            self._decision = next(self._flow) if label is None else self._flow.send(label)
        except GameWon as end:
            self._decision = None
            self.reason = end.reason
            self.shares = [(1 / len(end.winners) if p in end.winners else 0.0) for p in range(self._players)]
            return
        if self.decisions >= self._max_decisions:  # put and taken without an end (T45)
            self._decision = None
            self.reason = "truncated"
            self.shares = [0.0] * self._players
