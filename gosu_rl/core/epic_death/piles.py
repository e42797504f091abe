"""Goblin cards on the move between hands, deck and discard pile, and who knows where a hidden card is (E14, E44, E45).

`known[p]` holds the copies in other hands that p can place: cards taken from the discard pile, and what was stolen between p and
another. Epochs (core/deck.py) say which hidden cards cannot lie in the deck: those of an older shuffle, and those taken back from
the discard pile since the last one, whose epoch is `era + 1` until the next. A theft hides from others which epoch moved, so hands
between which that may be unclear are put into one class, `mixed`, and a view tells only the epochs of a class as a whole.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, count, has, lowest, nth_of, remove
from gosu_rl.core.copies import copy_in, face_of
from gosu_rl.core.deck import fill_from_discards
from gosu_rl.core.epic_death.state import DROPS, THEFTS
from gosu_rl.core.jit import inner


@inner
def knowers(s, c):
    """How many players know in whose hand copy c is, its owner apart."""
    k = 0
    for q in range(s.n):
        if has(s.known[q], c):
            k += 1
    return k


@inner
def hand_copy(s, R, q, f):
    """The copy of face f that leaves q's hand: the one that more players know of, of equals a random one (E45, T48)."""
    twin = f + R.faces
    first = has(s.hand[q], f)
    second = twin < R.copies and has(s.hand[q], twin)
    if first and second:
        more = knowers(s, f) - knowers(s, twin)
        if more != 0:
            return f if more > 0 else twin
        return f if rng.bits(s) >> U(63) == ZERO else twin
    return f if first else twin


@inner
def forget(s, c):
    """Copy c has left its hand in public: nobody need remember it."""
    for p in range(s.n):
        remove(s.known[p], c)


@inner
def leave_hand(s, q, c):
    """Copy c leaves q's hand, in public."""
    remove(s.hand[q], c)
    forget(s, c)
    s.hand_size[q] -= 1
    if s.hand_size[q] == 0:
        set_apart(s, q)


@inner
def discard_face(s, R, q, f):
    """Player q discards a card of face f from the hand."""
    c = hand_copy(s, R, q, f)
    leave_hand(s, q, c)
    add(s.discard[0], c)


@inner
def discard_hand(s, q):
    """The whole hand of q goes to the discard pile."""
    while s.hand_size[q] > 0:
        c = nth_of(s.hand[q], 0)
        leave_hand(s, q, c)
        add(s.discard[0], c)


@inner
def discard_random(s, R, q, k):
    """Up to k random cards of q's hand are discarded, one after the other, for all to see; alike ones as in a theft (E45, E54)."""
    for _ in range(min(k, s.hand_size[q])):
        c = hand_copy(s, R, q, face_of(R, nth_of(s.hand[q], rng.below(s, s.hand_size[q]))))
        leave_hand(s, q, c)
        add(s.discard[0], c)
        if s.ndropped < DROPS:
            s.dropped[s.ndropped] = c
            s.ndropped += 1


@inner
def cards_left(s):
    """Cards that can still be drawn: deck and discard pile together."""
    return s.ndeck + count(s.discard[0])


@inner
def renumber_epochs(s):
    """Keep only the epochs that some card in a hand still has, numbered from 0; returns the next free number.

    Which epochs the hands hold is public, so renumbering tells nothing.
    """
    fresh = 0
    for old in range(s.era + 2):  # the last are those taken back
        found = False
        for q in range(s.n):
            for w in range(2):
                word = s.hand[q, w]
                while word != ZERO:
                    c = 64 * w + lowest(word)
                    word &= word - ONE
                    if s.epoch[c] == old:
                        s.epoch[c] = fresh
                        found = True
        if found:
            fresh += 1
    return fresh


@inner
def draw(s, q, k):
    """Player q draws k cards, or as many as there are; an empty deck takes in the discard pile when a card is wanted (E14)."""
    for _ in range(k):
        if s.ndeck == 0:
            if count(s.discard[0]) == 0:
                return
            s.era = renumber_epochs(s)
            fill_from_discards(s)
        s.ndeck -= 1
        add(s.hand[q], s.deck[s.ndeck])
        s.hand_size[q] += 1


@inner
def take_back(s, R, q, f):
    """A card of face f comes from the discard pile to q's hand, for all to see (E44).

    It was not shuffled in again, so it is not in the deck even when it is forgotten (E45): it gets an epoch of its own.
    """
    c = copy_in(R, s.discard[0], f)
    remove(s.discard[0], c)
    add(s.hand[q], c)
    s.hand_size[q] += 1
    s.epoch[c] = s.era + 1
    for p in range(s.n):
        if p != q:
            add(s.known[p], c)


@inner
def steal_card(s, R, thief, victim):
    """A random card of the victim's hand goes to the thief; the others forget what they knew of that hand (E45).

    Every card is as likely as any other. Of alike cards nobody can tell which it was, so the one that more know of goes.
    """
    m = s.hand_size[victim]
    c = hand_copy(s, R, victim, face_of(R, nth_of(s.hand[victim], rng.below(s, m))))
    if s.nstolen < THEFTS:
        s.stolen[s.nstolen] = c
        s.nstolen += 1
    if m > 1:
        for p in range(s.n):
            if p != thief and p != victim:
                for w in range(2):
                    s.known[p, w] &= ~s.hand[victim, w]
    if several_epochs(s, victim):
        mix(s, thief, victim)
    remove(s.hand[victim], c)
    s.hand_size[victim] -= 1
    add(s.hand[thief], c)
    s.hand_size[thief] += 1
    remove(s.known[thief], c)
    add(s.known[victim], c)
    if s.hand_size[victim] == 0:
        set_apart(s, victim)


@inner
def several_epochs(s, q):
    """Whether the hands of q's class hold cards of more than one epoch (which all can work out)."""
    seen = -1
    for p in range(s.n):
        if s.mixed[p] != s.mixed[q]:
            continue
        for w in range(2):
            word = s.hand[p, w]
            while word != ZERO:
                epoch = s.epoch[64 * w + lowest(word)]
                word &= word - ONE
                if seen >= 0 and epoch != seen:
                    return True
                seen = epoch
    return False


@inner
def mix(s, a, b):
    """The hands of a's and b's classes become one class; its number is that of its lowest seat."""
    new = min(s.mixed[a], s.mixed[b])
    old = max(s.mixed[a], s.mixed[b])
    for q in range(s.n):
        if s.mixed[q] == old:
            s.mixed[q] = new


@inner
def set_apart(s, q):
    """An empty hand is a class of its own; the rest of its class is numbered by its lowest seat."""
    old = s.mixed[q]
    new = -1
    for p in range(s.n):
        if p != q and s.mixed[p] == old:
            if new < 0:
                new = p
            s.mixed[p] = new
    s.mixed[q] = q
