"""Agents that do what agents should not do, and one that always does it in its seat's first game of a deal."""

import os
import random
import sys
import time


class First:
    """Takes the first legal action."""

    def reset(self, game, seat, seed):
        self.seed = seed

    def act(self, view):
        return view.legal[0]


class Last(First):
    def act(self, view):
        return view.legal[-1]


class Raises(First):
    """Breaks down in one game out of some, the same ones always."""

    def act(self, view):
        if self.seed % 4 == 0:
            raise ZeroDivisionError("so it goes")
        return view.legal[0]


class Illegal(First):
    def act(self, view):
        return -5


class Exits(First):
    def act(self, view):
        sys.exit("enough")


class Dies(First):
    """Takes its process with it."""

    def act(self, view):
        if self.seed % 4 == 0:
            os._exit(9)
        return view.legal[0]


class Hangs(First):
    """Never answers in one game out of some."""

    def act(self, view):
        while self.seed % 4 == 0:
            time.sleep(0.05)
        return view.legal[0]


class Late(First):
    def act(self, view):
        time.sleep(0.05)
        return view.legal[0]


class Slow(First):
    """Slow enough that a run can be killed in the middle."""

    def act(self, view):
        time.sleep(0.002)
        return view.legal[self.seed % len(view.legal)]


class Friend:
    """Decides in company as it does alone: by a generator of its own."""

    calls = 0  # of act_together, in this process
    company = "friends"

    def reset(self, game, seat, seed):
        self.rng, self.seed, self.closed = random.Random(seed), seed, False

    def act(self, view):
        return self.rng.choice(view.legal)

    def close(self):
        self.closed = True

    @classmethod
    def act_together(cls, agents, views):
        cls.calls += 1
        return [agent.act(view) for agent, view in zip(agents, views, strict=True)]


class Rival(Friend):
    """Of another company."""

    company = "rivals"


class Loner(Friend):
    """Has the method, but no company in this game."""

    company = None


class Faint(Friend):
    """Breaks down in one game out of some, which spoils the answer of all who ask together; draws nothing before it does."""

    company = "faint"

    def act(self, view):
        if self.seed % 4 == 0:
            raise ZeroDivisionError("so it goes")
        return super().act(view)

    @classmethod
    def act_together(cls, agents, views):
        if any(agent.seed % 4 == 0 for agent in agents):
            raise ZeroDivisionError("so it goes with all")
        return super().act_together(agents, views)


class Short(Friend):
    """Answers for too few of them."""

    company = "short"

    @classmethod
    def act_together(cls, agents, views):
        return []


class Deadly(Friend):
    """Takes its process with it in one game out of some."""

    company = "deadly"

    def act(self, view):
        if self.seed % 4 == 0:
            os._exit(9)
        return super().act(view)


class Unmade:
    def __init__(self):
        raise RuntimeError("no model file")

    def reset(self, game, seat, seed): ...

    def act(self, view): ...
