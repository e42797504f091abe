"""Who knows what: `hide` turns a state into one player's view, `redeal` fills a view with a uniformly drawn consistent world.

All players see everything but hands, the order of the draw pile, opening discards being picked, and the generator. What makes
unseen cards more than one bag are reshuffles: at a reshuffle the pile is exactly the old discard pile, so every unseen card of an
older **epoch** can only be in a hand. The epoch of every hidden copy is public, and so is the number of unknown cards of each
epoch in every hand; a view keeps those numbers in `hidden` (epochs of the unknown cards, seat by seat, sorted).

Where each player has a deck of his own, nothing of this is needed: `gosu_x/view.py`.

A world is *consistent* if it gives the same view; nothing is concluded from what a player chose to do.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, count, has, lowest, nth_of
from gosu_rl.core.copies import copies_word, of_epoch
from gosu_rl.core.gosu.army import filled
from gosu_rl.core.gosu.state import CARDS
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import clear


@inner
def list_epochs(s, p):
    """Write the epochs of the cards that p does not know in other hands into `hidden`, seat by seat, each seat sorted."""
    end = 0
    for q in range(s.n):
        if q == p:
            continue
        start = end
        for w in range(2):
            word = s.hand[q, w] & ~s.known[q, w]
            while word != ZERO:
                epoch = s.epoch[64 * w + lowest(word)]
                word &= word - ONE
                i = end
                while i > start and s.hidden[i - 1] > epoch:  # insertion sort: a hand has one or two epochs as a rule
                    s.hidden[i] = s.hidden[i - 1]
                    i -= 1
                s.hidden[i] = epoch
                end += 1


@entry
def hide(s, R, p):
    """Blank in place all that seat p cannot know. The state must be a full one."""
    list_epochs(s, p)
    for q in range(s.n):
        if q != p:
            for w in range(2):
                s.hand[q, w] = s.known[q, w]
                s.secret[q, w] = ZERO
    for i in range(CARDS):
        s.deck[i] = -1
    s.rng = ZERO
    if s.mover != p:
        clear(s)
    s.viewer = p


@inner
def unseen(s, R, p):
    """The copies that p cannot place, as two words."""
    low = s.hand[p, 0] | s.discard[0, 0] | s.aside[0, 0] | s.revealed[0, 0]
    high = s.hand[p, 1] | s.discard[0, 1] | s.aside[0, 1] | s.revealed[0, 1]
    for q in range(s.n):
        low |= s.known[q, 0]
        high |= s.known[q, 1]
        slots = U(filled(s, q))
        while slots != ZERO:
            c = np.int64(s.army[q, lowest(slots)])
            slots &= slots - ONE
            if c < 0:  # left empty by a game that ended between discard and arrival (G20)
                continue
            bit = ONE << U(c & 63)
            low |= bit if c < 64 else ZERO
            high |= bit if c >= 64 else ZERO
    return ~low & copies_word(R, 0), ~high & copies_word(R, 1)


@inner
def deduced(s, p, q, low, high):
    """Those of the copies that p, whose view `s` is, cannot place (low, high) which can only be in q's hand, as two words.

    If every place that is known to hold an epoch lies in one hand, so do all unseen copies of that epoch: with two players that
    is the whole older part of the other hand after a reshuffle.
    """
    found_low = found_high = ZERO
    if s.era == 0 and s.ndeck > 0:  # no reshuffle yet: the pile holds all there is
        return found_low, found_high
    start = end = places = 0  # q's part of `hidden`, and how much of it is in use
    for other in range(s.n):
        if other == q:
            start = places
        if other != p:
            places += s.hand_size[other] - count(s.known[other])
        if other == q:
            end = places
    last = -1
    for i in range(start, end):
        epoch = s.hidden[i]
        if epoch == last or (epoch == s.era and s.ndeck > 0):
            continue
        last = epoch
        elsewhere = False
        for j in range(places):
            if s.hidden[j] == epoch and (j < start or j >= end):
                elsewhere = True
        if not elsewhere:
            found_low |= of_epoch(s, low, 0, epoch)
            found_high |= of_epoch(s, high, 1, epoch)
    return found_low, found_high


@entry
def redeal(s, R, seed):
    """Fill a view in place with a world drawn uniformly from those that give the same view; `s` becomes a full state.

    Epoch by epoch the unseen copies are shuffled and dealt to the places that are known to hold that epoch; what is left of the
    present epoch is the draw pile. A view whose numbers do not fit together (no such view comes from `hide`) is left marked
    with `viewer` = -2.
    """
    p = s.viewer
    s.rng = rng.mix(U(seed), rng.STREAM_WORLD)
    low, high = unseen(s, R, p)
    dealt = 0
    for epoch in range(s.era + 1):
        k = 0
        for w in range(2):
            word = low if w == 0 else high
            while word != ZERO:
                c = 64 * w + lowest(word)
                word &= word - ONE
                if s.epoch[c] == epoch:
                    s.deck[k] = c
                    k += 1
        rng.shuffle(s, s.deck, k)
        place = 0
        for q in range(s.n):
            if q == p:
                continue
            for _ in range(s.hand_size[q] - count(s.known[q])):
                if s.hidden[place] == epoch and k > 0:
                    k -= 1
                    add(s.hand[q], s.deck[k])
                    dealt += 1
                place += 1
        if k != (s.ndeck if epoch == s.era else 0) or (epoch == s.era and dealt != place):
            s.viewer = -2
            return
    for i in range(s.ndeck, CARDS):
        s.deck[i] = -1
    for i in range(CARDS):
        s.hidden[i] = -1
    pick_secretly(s, p)
    s.rng = rng.mix(rng.bits(s), rng.STREAM_PLAY)
    s.viewer = -1


@inner
def pick_secretly(s, p):
    """Draw the others' opening discards, as many as they have picked, from their hands (T3)."""
    for q in range(s.n):
        if q == p:
            continue
        for _ in range(s.picked[q]):
            c = nth_of(s.hand[q], rng.below(s, s.hand_size[q]))
            while has(s.secret[q], c):
                c = nth_of(s.hand[q], rng.below(s, s.hand_size[q]))
            add(s.secret[q], c)
