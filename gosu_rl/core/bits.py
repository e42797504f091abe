"""Sets of up to 128 cards as two uint64 words, and the bit operations that legal sets are made of.

A set is a row of two words inside a state record (`state.hand[p]`). Every number that meets a word is a `U(...)`: numba 0.68
turns uint64 mixed with int64 into int64, where `>>` and `<` are signed. Shift amounts are `U(...)` for NumPy's sake.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from gosu_rl.core.jit import inner

U = np.uint64
ZERO = U(0)
ONE = U(1)


def popcount(word):
    """Number of set bits of a uint64."""
    return int(word).bit_count()


def lowest(word):
    """Index of the lowest set bit of a uint64 that is not zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


@intrinsic
def _popcount(typing, word):
    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _lowest(typing, word):
    def generate(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), generate


@overload(popcount)
def _(word):
    return lambda word: np.int64(_popcount(word))


@overload(lowest)
def _(word):
    return lambda word: np.int64(_lowest(word))


@inner
def nth(word, k):
    """Index of the k-th (from 0) set bit of a word that has more than k."""
    for _ in range(k):
        word &= word - ONE
    return lowest(word)


@inner
def has(cards, c):
    """Whether copy c is in the set."""
    return (cards[c >> 6] >> U(c & 63)) & ONE != ZERO


@inner
def add(cards, c):
    """Put copy c into the set."""
    cards[c >> 6] |= ONE << U(c & 63)


@inner
def remove(cards, c):
    """Take copy c out of the set."""
    cards[c >> 6] &= ~(ONE << U(c & 63))


@inner
def count(cards):
    """Number of copies in the set."""
    return popcount(cards[0]) + popcount(cards[1])


@inner
def nth_of(cards, k):
    """The k-th (from 0) copy of a set that has more than k."""
    low = popcount(cards[0])
    if k < low:
        return nth(cards[0], k)
    return 64 + nth(cards[1], k - low)


@inner
def move_all(source, target):
    """Put everything of `source` into `target`; `source` becomes empty."""
    for w in range(2):
        target[w] |= source[w]
        source[w] = ZERO


@inner
def emit(words, bits, offset):
    """Or `bits` into a row of words, `offset` bits up; bits that are set must fit."""
    if bits != ZERO:
        w = offset >> 6
        k = U(offset & 63)
        words[w] |= bits << k
        if k != ZERO:
            high = bits >> (U(64) - k)
            if high != ZERO:
                words[w + 1] |= high
