"""A draw pile that is filled from a discard pile, and the shuffle that each hidden card comes from.

After a reshuffle the pile is the old discard pile and nothing else, so every unseen card of an older **epoch** lies in a hand. The
epoch of every copy is public; a kernel renumbers the epochs that hands still hold, then calls `fill_from_discards`.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, lowest
from gosu_rl.core.jit import inner


@inner
def fill_from_discards(s):
    """Shuffle the discard pile into the empty draw pile; its cards come from epoch `era` from now on."""
    k = 0
    for w in range(2):
        word = s.discard[0, w]
        s.discard[0, w] = ZERO
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            s.deck[k] = c
            s.epoch[c] = s.era
            k += 1
    for i in range(k, s.deck.size):
        s.deck[i] = -1
    rng.shuffle(s, s.deck, k)
    s.ndeck = k
    s.shuffles += 1
