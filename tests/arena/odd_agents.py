"""Agents that do what agents should not do, and one that always does it in its seat's first game of a deal."""

import os
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


class Unmade:
    def __init__(self):
        raise RuntimeError("no model file")

    def reset(self, game, seat, seed): ...

    def act(self, view): ...
