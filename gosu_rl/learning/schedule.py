"""Numbers that change while a run goes on: the learning rate, the entropy bonus, the clip range, the pull of the magnet.

A schedule is a function of progress (0 at the start, 1 at the end of the budget). In a config it is a number, or a text:

    3e-4                             the same all the time
    1e-3 -> 1e-4                     from the first to the second, in a straight line
    1e-3 -> 1e-4 cosine              the same ends, along half a cosine
    1e-3 -> 1e-4 until 0.5           there after half of the budget, and constant from then on
    1e-3 -> 1e-4 cosine until 0.5    both
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

SHAPES = ("linear", "cosine")
_TEXT = re.compile(r"(?P<first>\S+)\s*->\s*(?P<last>\S+?)(?:\s+(?P<shape>[a-z]+))??(?:\s+until\s+(?P<until>\S+))?\s*")


@dataclass(frozen=True)
class Schedule:
    """A number over progress: from `first` to `last` along `shape`, reached at progress `until`. ValueError for anything else."""

    first: float
    last: float
    shape: str = "linear"
    until: float = 1.0

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"knows no shape {self.shape!r}; there are {', '.join(SHAPES)}")
        if not 0.0 < self.until <= 1.0:
            raise ValueError(f"must be done 'until' a progress above 0 and up to 1, not {self.until}")
        if not (math.isfinite(self.first) and math.isfinite(self.last)):
            raise ValueError(f"wants finite numbers, not {self.first:g} and {self.last:g}")

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
        found = _TEXT.fullmatch(value.strip()) if isinstance(value, str) else None
        try:
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                raise ValueError
            if found is None:
                first, last, until = float(value), float(value), 1.0
            else:
                first, last, until = float(found["first"]), float(found["last"]), float(found["until"] or 1.0)
        except (ValueError, OverflowError):
            raise ValueError(f"wants a number or a schedule such as '1e-3 -> 1e-4', not {value!r}") from None
        if found is None or first == last:
            return cls(first, last)
        return cls(first, last, found["shape"] or "linear", until)

    def __str__(self) -> str:
        # repr, not a rounded number: a config is kept as text, and a resumed run reads its schedules from there.
        if self.first == self.last:
            return repr(self.first)
        shape = "" if self.shape == "linear" else f" {self.shape}"
        return f"{self.first!r} -> {self.last!r}{shape}" + ("" if self.until == 1.0 else f" until {self.until!r}")

    def values(self) -> tuple[float, float]:
        """Both ends."""
        return self.first, self.last
