"""What a position of Gosu X is worth to a player: the leaf value of tree search."""

from __future__ import annotations

import math

from gosu_rl.core.bits import U, lowest
from gosu_rl.core.gosu.army import face_in, filled
from gosu_rl.core.gosu_x.values import army_value
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.weighing import win_share

# Logistic regression on who won games between greedy players with random drafts (experiments/fit_evaluation.py: 9,316 positions,
# log loss 0.57 against 0.69 for knowing nothing).
POINTS, ARMY, CAPTURED, IN_HAND, READY, UNLOCKED, WONDER, PASSED = 0.97, 0.132, 0.041, 0.14, 0.37, 0.25, 0.28, -0.54


@inner
def prospects(s, R, q):
    """How well q stands, on an exponential scale: Supremacy tokens, army, hand, tokens, whether he is out of the round."""
    army = ARMY * army_value(s, R, q)
    slots = filled(s, q) & s.trapped[q]
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        army += CAPTURED * R.strength[face_in(s, R, q, slot)]
    stock = IN_HAND * s.hand_size[q] + READY * s.tokens[q] + UNLOCKED * (R.token_limit - R.tokens - s.locked[q])
    stock += WONDER if s.wonder == q else 0.0
    return math.exp(POINTS * s.points[q] + army + stock + (PASSED if s.passed[q] != 0 else 0.0))


share_of = win_share(prospects)


@entry
def evaluate(s, R, seat):
    """The win share, in millionths, that a seat can expect in a position that is not over: its part of all prospects."""
    return share_of(s, R, seat)
