"""Judging a position that is not over: the win share that each seat can expect, where a rollout of search is cut off.

Shares are the softmax over seats of a score, a weighted sum of what all see of an Army and its conquest pile. The weights are a
multinomial logistic regression on who won games of greedy players and of tree searches, by `experiments/fit_epic_evaluation.py`;
what they do for the tree search, and why greedy games alone will not do, is told in docs/search.md.
"""

from __future__ import annotations

import math

from gosu_rl.core.bits import ONE, ZERO, lowest
from gosu_rl.core.copies import face_of
from gosu_rl.core.epic_death.rules import HERO_CARD
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.weighing import win_share

# What one more of each adds to the score.
POINT = 0.189  # Victory Points
GOBLIN, CREW = 0.075, 0.130  # loose tokens, tokens on Machines
ATTACK, MACHINE = 0.097, 0.071  # printed Attack of Heroes, values of crewed Machines
CARD = 0.040  # cards in the hand
STEP = -0.045  # steps from the Army to the nearest Town of the layout


@inner
def army_score(s, R, q):
    """What the Heroes, crewed Machines and crew of q's Army add to its score: one look at each card."""
    total = 0.0
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            f = face_of(R, c)
            if R.card_sort[f] == HERO_CARD:
                total += ATTACK * R.value[f]
            elif s.crew[c] > 0:
                total += MACHINE * R.value[f] + CREW * s.crew[c]
    return total


@inner
def prospects(s, R, q):
    """How well player q stands, on an exponential scale."""
    rest = POINT * s.points[q] + GOBLIN * s.tokens[q] + CARD * s.hand_size[q] + STEP * R.far[s.at[q]]
    return math.exp(rest + army_score(s, R, q))


share_of = win_share(prospects)


@entry
def evaluate(s, R, seat):
    """The win share, in millionths, that a seat can expect in a position that is not over: its part of all prospects."""
    return share_of(s, R, seat)
