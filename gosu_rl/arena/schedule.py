"""Who meets whom, and who sits where: the seatings of every deal of a tournament.

*full*: every deal is played by all seat assignments. Of at least as many agents as seats these are all ordered choices
of that many; of fewer agents, all assignments in which not everybody is the same.

*balanced*: for many agents, where that would be too many games a deal. Agents are put on a circle. A deal takes one
*pattern* (which agents meet, up to turning the circle) and turns it all the way round, so that in every deal all agents
play equally often; each meeting is played once for every turn of the table, so that each agent gets every hand of the
deal. Over a *cycle* of deals the patterns make all pairs meet equally often. A tournament plays whole cycles.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FULL_UP_TO = 60  # games a deal; beyond it `auto` takes the balanced schedule
MODES = ("auto", "full", "balanced")
Seating = tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """Seatings by deal; `agents` and `players` are numbers, `mode` one of MODES. ValueError where they do not fit."""

    agents: int
    players: int
    mode: str = "auto"

    def __post_init__(self) -> None:
        if self.agents < 2:
            raise ValueError(f"a tournament wants at least two different agents, not {self.agents}")
        if self.mode not in MODES:
            raise ValueError(f"there is no schedule {self.mode!r}; there are {', '.join(MODES)}")
        if self.mode == "balanced" and self.agents <= self.players:
            raise ValueError(
                f"the balanced schedule wants more agents than seats; {self.agents} agents for {self.players} seats "
                "are few enough for the full one"
            )

    @cached_property
    def kind(self) -> str:
        """`full` or `balanced`."""
        if self.mode != "auto":
            return self.mode
        if self.agents <= self.players:
            return "full"
        count = int(np.prod(np.arange(self.agents - self.players + 1, self.agents + 1)))
        return "full" if count <= FULL_UP_TO else "balanced"

    @property
    def cycle(self) -> int:
        """Deals after which all pairs have met equally often."""
        return 1 if self.kind == "full" else len(self._patterns)

    def whole(self, deals: int) -> int:
        """`deals`, rounded up to whole cycles."""
        return -(-deals // self.cycle) * self.cycle

    def seatings(self, deal: int) -> tuple[Seating, ...]:
        """The games of one deal: for each, the number of the agent in every seat. Depends on `deal` alone."""
        if self.kind == "full":
            return self._all
        pattern = self._patterns[deal % self.cycle]
        # Who sits left of whom changes from cycle to cycle, through all orders round a table.
        around = list(itertools.permutations(range(1, self.players)))
        order = (0, *around[(deal // self.cycle) % len(around)])
        return tuple(
            tuple(group[order[(seat + turn) % self.players]] for seat in range(self.players))
            for group in _turned(pattern, self.agents)
            for turn in range(self.players)
        )

    def meetings(self, deals: int) -> NDArray[np.int64]:
        """int64[agents, agents]: games of deals 0…deals-1 in which two agents sit at the same table."""
        count = np.zeros((self.agents, self.agents), np.int64)
        for deal in range(deals):
            for seating in self.seatings(deal):
                count[np.ix_(sorted(set(seating)), sorted(set(seating)))] += 1
        np.fill_diagonal(count, 0)
        return count

    @cached_property
    def _all(self) -> tuple[Seating, ...]:
        if self.agents >= self.players:
            return tuple(itertools.permutations(range(self.agents), self.players))
        words = itertools.product(range(self.agents), repeat=self.players)
        return tuple(word for word in words if len(set(word)) > 1)

    @cached_property
    def _patterns(self) -> tuple[Seating, ...]:
        """A short list of patterns over which all pairs meet equally often.

        How often a pattern, turned all the way round, lets two agents meet depends on their distance on the circle
        alone. Patterns are added so that these counts stay as level as can be; when they are level the cycle is
        complete. It ends at the latest with the last pattern: all patterns together are all groups.
        """
        rest = {}
        for group in itertools.combinations(range(1, self.agents), self.players - 1):
            turned = _turned((0, *group), self.agents)
            if turned[0] not in rest:
                rest[turned[0]] = _by_distance(turned, self.agents)
        total = np.zeros(self.agents // 2, np.int64)
        chosen: list[Seating] = []
        while not chosen or np.ptp(total):
            best = min(rest, key=lambda pattern: (int(np.ptp(total + rest[pattern])), pattern))
            total += rest.pop(best)
            chosen.append(best)
        return tuple(chosen)


def _turned(pattern: Seating, agents: int) -> list[Seating]:
    """All different groups got by turning the circle, sorted; the first one names the pattern."""
    return sorted({tuple(sorted((one + step) % agents for one in pattern)) for step in range(agents)})


def _by_distance(groups: list[Seating], agents: int) -> NDArray[np.int64]:
    """int64[agents // 2]: how many of the groups hold both agent 0 and agent d, for d = 1 …"""
    return np.array([sum(0 in group and d in group for group in groups) for d in range(1, agents // 2 + 1)])
