"""Sets of cards in an observation, by face; and the two numbers that it is made of."""

from __future__ import annotations

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U
from gosu_rl.core.copies import twins_word
from gosu_rl.core.jit import inner

NOTHING, HALF = np.float32(0.0), np.float32(0.5)


@inner
def write_faces(R, low, high, out, k):
    """Half a point a copy at `k` + face for the copies of a set; returns the next place.

    Whole words of 64 faces at a time, whatever cards there are: no branch to mispredict. So up to 63 zeros are written beyond, and
    what stands there has to come later; the sections of armies, which are longer than that, come last.
    """
    for w in range((R.faces + 63) >> 6):
        firsts = (low if w == 0 else high) & R.face_bits[w]
        twins = twins_word(R, low, high, w)
        part = out[
            k + 64 * w : k + 64 * w + 64
        ]  # a slice, for the compiler to see that no place is counted from the end
        for f in range(64):
            first = HALF if (firsts >> U(f)) & ONE != ZERO else NOTHING
            twin = HALF if (twins >> U(f)) & ONE != ZERO else NOTHING
            part[f] = first + twin
    return k + R.faces
