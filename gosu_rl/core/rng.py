"""The generator that lives in a state: splitmix64, one uint64 of memory.

Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (OOPSLA 2014). Bounded numbers follow Lemire, "Fast random
integer generation in an interval" (2019), on 32 bits, so they are unbiased. Everything is exact integer arithmetic: the same on
every machine, compiled or not.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core.bits import U
from gosu_rl.core.jit import inner

GOLDEN = U(0x9E3779B97F4A7C15)
M1 = U(0xBF58476D1CE4E5B9)
M2 = U(0x94D049BB133111EB)
LOW32 = U(0xFFFFFFFF)
TWO32 = U(0x100000000)

# Streams: one seed gives independent generators for what must not disturb each other (T46).
STREAM_DEAL = U(1)
STREAM_HOLDER = U(2)
STREAM_PLAY = U(3)
STREAM_WORLD = U(4)
STREAM_CHOICE = U(5)
STREAM_EPISODE = U(6)
STREAM_SEAT = U(7)
STREAM_DRAFT = U(8)


@inner
def scramble(z):
    """The output function of splitmix64: a bijection of uint64."""
    z = (z ^ (z >> U(30))) * M1
    z = (z ^ (z >> U(27))) * M2
    return z ^ (z >> U(31))


@inner
def mix(seed, stream):
    """A generator state from a seed and the number of a stream."""
    return scramble(scramble(seed + GOLDEN) + stream * GOLDEN)


@inner
def bits(state):
    """The next 64 random bits of the generator in `state.rng`."""
    state.rng = state.rng + GOLDEN
    return scramble(state.rng)


@inner
def below(state, n):
    """A uniform number of 0 .. n-1, for 0 < n < 2**31."""
    bound = U(n)
    product = (bits(state) >> U(32)) * bound
    if (product & LOW32) < bound:
        threshold = (TWO32 - bound) % bound
        while (product & LOW32) < threshold:
            product = (bits(state) >> U(32)) * bound
    return np.int64(product >> U(32))


@inner
def shuffle(state, cards, n):
    """Shuffle the first n entries of an array in place (Fisher-Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(state, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
