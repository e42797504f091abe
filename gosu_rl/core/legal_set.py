"""The legal set of a state, `s.legal`: actions as bits of uint64 words."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, nth, popcount
from gosu_rl.core.jit import inner
from gosu_rl.core.rng import GOLDEN, LOW32, TWO32, scramble


@inner
def clear(s):
    """Empty the legal set."""
    for w in range(s.legal.size):
        s.legal[w] = ZERO


@inner
def allow(s, action):
    """Add one action."""
    s.legal[action >> 6] |= ONE << U(action & 63)


@inner
def nothing(s):
    """Whether no action is legal."""
    rest = ZERO
    for w in range(s.legal.size):
        rest |= s.legal[w]
    return rest == ZERO


@inner
def legal_count(s):
    """Number of legal actions."""
    k = 0
    for w in range(s.legal.size):
        k += popcount(s.legal[w])
    return k


@inner
def nth_legal(s, k):
    """The k-th (from 0) legal action."""
    for w in range(s.legal.size):
        here = popcount(s.legal[w])
        if k < here:
            return 64 * w + nth(s.legal[w], k)
        k -= here
    return -1


@inner
def random_legal(s, word):
    """Every legal action with the same probability (unbiased: rejected words are replaced by scrambling on)."""
    bound = U(legal_count(s))
    product = (word >> U(32)) * bound
    threshold = (TWO32 - bound) % bound
    while (product & LOW32) < threshold:
        word = scramble(word + GOLDEN)
        product = (word >> U(32)) * bound
    return nth_legal(s, product >> U(32))
