"""What card sets are drawn with: a stream of random numbers that is the same wherever it runs, and names of goblins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

SAMPLER = 1  # raise it with every change that gives other sets for the same seeds

ONSETS = (
    "B",
    "Br",
    "D",
    "Dr",
    "F",
    "G",
    "Gl",
    "Gr",
    "H",
    "J",
    "K",
    "Kr",
    "M",
    "N",
    "P",
    "R",
    "Sk",
    "Sn",
    "T",
    "Tr",
    "V",
    "W",
    "Z",
)
VOWELS = ("a", "e", "i", "o", "u", "aa", "oo", "ee")
MIDDLES = ("bb", "dd", "gg", "kk", "ll", "mm", "nk", "rg", "rk", "sh", "st", "zz")
ENDS = ("a", "ak", "ex", "ib", "ik", "it", "o", "ok", "ul", "up", "ush", "y")

T = TypeVar("T")


class Stream:
    """splitmix64: a stream of 64-bit numbers, the same wherever it runs."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self.state = seed & self.MASK

    def word(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A number of 0 … bound-1, each equally likely (words of the incomplete last stretch are thrown away)."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, drawn by weight."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if left < weight:
                return index
            left -= weight
        raise AssertionError("below() stays under the sum of the weights")

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out


def draw_name(stream: Stream, taken: set[str]) -> str:
    """A goblin's name that is not taken yet; it is taken then."""
    while True:
        name = stream.pick(ONSETS) + stream.pick(VOWELS) + stream.pick(MIDDLES) + stream.pick(ENDS)
        if name not in taken:
            taken.add(name)
            return name
