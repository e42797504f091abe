"""Who knows what where each player has a deck of his own (Gosu X).

The two decks are public as sets of 45 cards, so what a player cannot see of the other's cards lies in the other's hand or at an
unknown place of his deck: one bag a player. Known are the cards of a hand that were shown (`known`), and places in a deck that both
players know or, of his own deck, the viewer (`pinned`). During the draft nobody knows anything of the order of the cards.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, count, has, lowest
from gosu_rl.core.gosu.state import CARDS, DECK
from gosu_rl.core.gosu_x.decks import BOTH, OWNER, deck_words, own_copies
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import clear


@entry
def hide(s, R, p):
    """Blank in place all that seat p cannot know, as `gosu.view.hide`: the hand, places in decks, which of p's the other knows."""
    for w in range(2):
        s.hand[1 - p, w] = s.known[1 - p, w]
        s.pinned[OWNER, w] &= own_copies(s, R, p, w)
    for i in range(CARDS):
        q = i // DECK
        c = s.deck[i]
        seen = i - DECK * q < s.ndecks[q] and (has(s.pinned[BOTH], c) or (q == p and has(s.pinned[OWNER], c)))
        if not seen:
            s.deck[i] = -1
        s.epoch[i] = 0
    s.rng = ZERO
    if s.mover != p:
        clear(s)
    s.viewer = p


@inner
def unseen_of(s, R, p, q):
    """Those of q's copies that p, whose view `s` is, cannot place, as two words."""
    low, high = deck_words(s, R, q)  # and those cards of another's hand that p does not know
    for i in range(s.ndecks[q]):
        c = np.int64(s.deck[DECK * q + i])
        if c >= 0:
            bit = ~(ONE << U(c & 63))
            low &= bit if c < 64 else ~ZERO
            high &= bit if c >= 64 else ~ZERO
    return low, high


@entry
def redeal(s, R, seed):
    """Fill a view in place with a world drawn uniformly from those that give the same view, as `gosu.view.redeal`."""
    s.rng = rng.mix(U(seed), rng.STREAM_WORLD)
    deal_unseen(s, R, s.viewer)
    s.rng = rng.mix(rng.bits(s), rng.STREAM_PLAY)


@inner
def deal_unseen(s, R, p):
    """Give every card that p cannot place to a place that p does not know; `viewer` = -2 where their numbers do not agree."""
    if s.picks[5] == 0:
        for c in range(R.copies):
            s.deck[c] = c
        rng.shuffle(s, s.deck, R.copies)
        s.viewer = -1
        return
    for q in range(2):
        low, high = unseen_of(s, R, p, q)
        k = gather(s, low & ~s.sunk[0, 0], high & ~s.sunk[0, 1], 0)
        rng.shuffle(s, s.hidden, k)
        for _ in range(s.hand_size[q] - count(s.hand[q])):
            k -= 1
            if k >= 0:
                add(s.hand[q], s.hidden[k])
        if k < 0:
            s.viewer = -2
            return
        k = gather(s, low & s.sunk[0, 0], high & s.sunk[0, 1], k)
        rng.shuffle(s, s.hidden, k)
        for i in range(DECK * q, DECK * q + s.ndecks[q]):
            if s.deck[i] < 0:
                k -= 1
                s.deck[i] = s.hidden[max(k, 0)]
        if k != 0:
            s.viewer = -2
            return
    for i in range(CARDS):
        s.hidden[i] = -1
    s.viewer = -1


@inner
def gather(s, low, high, k):
    """Write the copies of two words into `hidden`, which a full state does not need, from place k on; returns the next place."""
    for w in range(2):
        word = low if w == 0 else high
        while word != ZERO:
            s.hidden[k] = 64 * w + lowest(word)
            word &= word - ONE
            k += 1
    return k
