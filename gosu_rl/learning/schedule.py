"""Numbers that change while a run goes on: the learning rate, the entropy bonus, the clip range, the pull of the magnet.

A schedule is a function of progress (0 at the start, 1 at the end of the budget). In a config it is a number, or a text:

    3e-4                 the same all the time
    1e-3 -> 1e-4         from the first to the second, in a straight line
    1e-3 -> 1e-4 cosine  the same ends, along half a cosine
    1e-3 -> 1e-4 until 0.5   there after half of the budget, and constant from then on
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

SHAPES = ("linear", "cosine")
_TEXT = re.compile(r"(?P<first>\S+)\s*->\s*(?P<last>\S+?)(?:\s+(?P<shape>[a-z]+))??(?:\s+until\s+(?P<until>\S+))?\s*")


@dataclass(frozen=True)
class Schedule:
    """A number over progress: from `first` to `last` along `shape`, reached at progress `until`."""

    first: float
    last: float
    shape: str = "linear"
    until: float = 1.0

    def at(self, progress: float) -> float:
        """The value at a progress of 0 … 1 (beyond 1: the last value)."""
        part = min(1.0, max(0.0, progress / self.until))
        if self.shape == "cosine":
            part = (1.0 - math.cos(math.pi * part)) / 2.0
        return self.first + (self.last - self.first) * part

    @classmethod
    def parse(cls, value: object) -> Schedule:
        """From what a config holds; ValueError, without the key's name, for anything else."""
        if isinstance(value, Schedule):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return cls(float(value), float(value))
        if not isinstance(value, str):
            raise ValueError(f"wants a number or a schedule such as '1e-3 -> 1e-4', not {value!r}")
        found = _TEXT.fullmatch(value.strip())
        try:
            if found is None:
                return cls(float(value), float(value))
            shape, until = found["shape"] or "linear", float(found["until"] or 1.0)
            schedule = cls(float(found["first"]), float(found["last"]), shape, until)
        except ValueError:
            raise ValueError(f"wants a number or a schedule such as '1e-3 -> 1e-4', not {value!r}") from None
        if shape not in SHAPES:
            raise ValueError(f"knows no shape {shape!r}; there are {', '.join(SHAPES)}")
        if not 0.0 < until <= 1.0:
            raise ValueError(f"must be done 'until' a progress above 0 and up to 1, not {until}")
        return schedule

    def __str__(self) -> str:
        if self.first == self.last:
            return f"{self.first:g}"
        shape = "" if self.shape == "linear" else f" {self.shape}"
        return f"{self.first:g} -> {self.last:g}{shape}" + ("" if self.until == 1.0 else f" until {self.until:g}")

    def values(self) -> tuple[float, float]:
        """Both ends."""
        return self.first, self.last
