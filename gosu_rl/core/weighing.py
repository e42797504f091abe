"""What a kernel's judgement is used for, the same in every kernel: the best of the legal actions, and the win share of a seat.

The judgement itself is a kernel's own function. It is built in, not passed on: code that was given a function is not kept on disk.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.jit import inner
from gosu_rl.core.rng import GOLDEN, scramble


def best_legal(action_value: Any) -> Any:
    """Make `best(s, R, word)`: the mover's legal action with the best `action_value(s, R, seat, kind, action)`.

    Ties fall by the random word.
    """

    @inner
    def best(s, R, word):
        p = s.mover
        highest = -1000.0
        choice = -1
        ties = 0
        for w in range(s.legal.size):
            bits = s.legal[w]
            while bits != ZERO:
                action = 64 * w + lowest(bits)
                bits &= bits - ONE
                value = action_value(s, R, p, s.kind, action)
                if value > highest:
                    highest = value
                    choice = action
                    ties = 1
                elif value == highest:
                    ties += 1
                    word = scramble(word + GOLDEN)
                    if (word >> U(33)) % U(ties) == ZERO:
                        choice = action
        return choice

    return best


def win_share(prospects: Any) -> Any:
    """Make `share(s, R, seat)`: the part, in millionths, of a seat in what `prospects(s, R, seat)` says of all players.

    Prospects are on an exponential scale.
    """

    @inner
    def share(s, R, seat):
        total = 0.0
        mine = 0.0
        for q in range(s.n):
            part = prospects(s, R, q)
            total += part
            if q == seat:
                mine = part
        return np.int64(1e6 * mine / total)

    return share
