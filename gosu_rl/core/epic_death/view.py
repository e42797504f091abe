"""Who knows what: `hide` turns a state into one player's view, `redeal` fills a view with a uniformly drawn consistent world.

Hidden are other hands but for what the viewer can place (`known`), the order of the deck, face-down Lands that he has not
looked at, the Lands in the box, and the generator. Two things are more than one bag:

- **Goblin cards.** Cards of another epoch than the deck's can only be in hands (core/deck.py, piles.py). A view keeps in
  `hidden` the epochs of the cards that it does not know, for each class of hands between which a theft may have moved one
  (`mixed`, piles.py): classes by number, each sorted. A redeal spreads each class's epochs over the unknown places of
  its hands, then deals the unseen copies epoch by epoch.
- **Lands.** Unseen Lands of one terrain are one bag over field and box.

A world is *consistent* if it gives the same view; nothing is concluded from what a player chose to do.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, count, lowest
from gosu_rl.core.copies import copies_word
from gosu_rl.core.epic_death.state import CARDS, LANDS, SPACES, THEFTS
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import clear


@inner
def list_epochs(s, p):
    """Write the epochs of the cards that p does not know into `hidden`, class by class of hands, each class sorted."""
    end = 0
    for group in range(s.n):
        start = end
        for q in range(s.n):
            if q == p or s.mixed[q] != group:
                continue
            for w in range(2):
                word = s.hand[q, w] & ~s.known[p, w]
                while word != ZERO:
                    epoch = s.epoch[64 * w + lowest(word)]
                    word &= word - ONE
                    i = end
                    while (
                        i > start and s.hidden[i - 1] > epoch
                    ):  # insertion sort: a class has few cards and fewer epochs
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
                s.hand[q, w] &= s.known[p, w]
    for q in range(s.n):
        if q != p:
            for w in range(2):  # what others know is known of p's own cards and of those that p can place
                s.known[q, w] &= s.hand[p, w] | s.known[p, w]
    for i in range(CARDS):
        s.deck[i] = -1
    unseen = s.lands & ~s.face_up & ~s.peeked[p]
    while unseen != ZERO:
        s.land[lowest(unseen)] = -1
        unseen &= unseen - ONE
    for i in range(THEFTS):
        s.stolen[i] = -1
    s.nstolen = 0
    s.rng = ZERO
    if s.mover != p:
        clear(s)
    s.viewer = p


@inner
def unseen_word(s, R, w):
    """Word w of the Goblin cards that the viewer cannot place; hands of a view hold only what he can."""
    seen = s.discard[0, w] | s.aside[0, w]
    for q in range(s.n):
        seen |= s.hand[q, w] | s.army[q, w]
    return ~seen & copies_word(R, w)


@inner
def unknown_in(s, q):
    """Cards of q's hand that the viewer does not know."""
    return s.hand_size[q] - count(s.hand[q])


@entry
def redeal(s, R, seed):
    """Fill a view in place with a world drawn uniformly from those that give the same view; `s` becomes a full state.

    A view whose numbers do not fit together (no such view comes from `hide`) is left marked with `viewer` = -2.
    """
    p = s.viewer
    s.rng = rng.mix(U(seed), rng.STREAM_WORLD)
    if not redeal_lands(s, R) or not redeal_cards(s, R, p):
        s.viewer = -2
        return
    for i in range(s.ndeck, CARDS):
        s.deck[i] = -1
    for i in range(CARDS):
        s.hidden[i] = -1
    s.rng = rng.mix(rng.bits(s), rng.STREAM_PLAY)
    s.viewer = -1


@inner
def redeal_cards(s, R, p):
    """Deal the unseen Goblin cards into hands and deck; whether the numbers fit."""
    low, high = unseen_word(s, R, 0), unseen_word(s, R, 1)
    total = spread_epochs(s, p)
    dealt = 0
    # Those taken back, the older ones, and last the deck's own: what is left of it is the deck.
    for i in range(-1, s.era + 1):
        epoch = i if i >= 0 else s.era + 1
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
        for place in range(total):
            if s.hidden[place] == epoch and k > 0:
                k -= 1
                s.hidden[place] = -2 - s.deck[k]  # the copy that goes to this place; no epoch is negative
                dealt += 1
        if k != (s.ndeck if epoch == s.era else 0):
            return False
    if dealt != total:
        return False
    hand_out(s, p)
    return True


@inner
def hand_out(s, p):
    """Move the copies in `hidden` into the unknown places of the hands, in the order in which they were listed."""
    place = 0
    for group in range(s.n):
        for q in range(s.n):
            if q != p and s.mixed[q] == group:
                for _ in range(unknown_in(s, q)):  # counted once, before the hand grows
                    add(s.hand[q], -2 - s.hidden[place])
                    place += 1


@inner
def spread_epochs(s, p):
    """Shuffle the epochs of each class of hands over its unknown places; returns how many places there are."""
    start = 0
    for group in range(s.n):
        k = 0
        for q in range(s.n):
            if q != p and s.mixed[q] == group:
                k += unknown_in(s, q)
        for i in range(k - 1, 0, -1):
            j = rng.below(s, i + 1)
            epoch = s.hidden[start + i]
            s.hidden[start + i] = s.hidden[start + j]
            s.hidden[start + j] = epoch
        start += k
    return start


@inner
def redeal_lands(s, R):
    """Shuffle the unseen Lands of each terrain over the face-down spaces that the viewer does not know; whether there are
    enough."""
    seen = ZERO
    hidden = ZERO
    for space in range(SPACES):
        if s.land[space] >= 0:
            seen |= ONE << U(s.land[space])
        elif (s.lands >> U(space)) & ONE != ZERO:
            hidden |= ONE << U(space)
    for q in range(s.n):
        for i in range(s.piled[q]):
            seen |= ONE << U(s.pile[q, i])
    for terrain in range(4):
        k = 0
        for copy in range(R.lands):
            if R.terrain_of[copy] == terrain and (seen >> U(copy)) & ONE == ZERO and k < LANDS:
                s.deck[k] = copy
                k += 1
        rng.shuffle(s, s.deck, k)
        spaces = hidden
        while spaces != ZERO:
            space = lowest(spaces)
            spaces &= spaces - ONE
            if R.terrain[space] == terrain:
                if k == 0:
                    return False
                k -= 1
                s.land[space] = s.deck[k]
    return True
