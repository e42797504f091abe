"""Cards on the move between hands, the draw pile and the discard pile.

T20 and T39: an empty pile is refilled before a draw, and one that a draw empties, at once; in GOSU only when a card is wanted
(G10). T48: of several copies of a face in a hand one that all know goes first; among the others a toss-up decides, and nobody
learns from it.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, count, has, lowest, move_all, popcount, remove
from gosu_rl.core.deck import fill_from_discards
from gosu_rl.core.gosu.state import SEATS
from gosu_rl.core.jit import inner


@inner
def hand_copy(s, R, q, f):
    """The copy of face f that leaves q's hand (T48): a known one first, else a fair choice; never a secret pick."""
    twin = f + R.faces
    first = has(s.hand[q], f) and not has(s.secret[q], f)
    second = twin < R.copies and has(s.hand[q], twin) and not has(s.secret[q], twin)
    if first and second:
        known_first = has(s.known[q], f)
        if known_first != has(s.known[q], twin):
            return f if known_first else twin
        return f if rng.bits(s) >> U(63) == ZERO else twin
    return f if first else twin


@inner
def leave_hand(s, q, c):
    """Copy c leaves q's hand, in public."""
    remove(s.hand[q], c)
    remove(s.known[q], c)
    s.hand_size[q] -= 1


@inner
def discard_face(s, R, q, f):
    """Player q discards a card of face f from the hand."""
    c = hand_copy(s, R, q, f)
    leave_hand(s, q, c)
    add(s.discard[0], c)


@inner
def discard_hand(s, q, pile):
    """The whole hand of q goes to a discard pile (0 where all share one)."""
    move_all(s.hand[q], s.discard[pile])
    for w in range(2):
        s.known[q, w] = ZERO
    s.hand_size[q] = 0


@inner
def take_known(s, q, c):
    """Copy c, which everybody sees, comes into q's hand (Vision, Return)."""
    add(s.hand[q], c)
    add(s.known[q], c)
    s.hand_size[q] += 1


@inner
def renumber_epochs(s, R):
    """Keep only the epochs that some hidden card in a hand still has, numbered from 0; returns the next free number.

    The set of such epochs is public (it follows from the counts that everybody can keep), so renumbering tells nothing.
    """
    fresh = 0
    for old in range(s.era + 1):
        used = False
        for q in range(s.n):
            for w in range(2):
                word = s.hand[q, w] & ~s.known[q, w]
                while word != ZERO:
                    c = 64 * w + lowest(word)
                    word &= word - ONE
                    if s.epoch[c] == old:
                        s.epoch[c] = fresh
                        used = True
        if used:
            fresh += 1
    return fresh


@inner
def reshuffle(s, R):
    """Shuffle the discard pile into the empty draw pile (T20); nothing happens when that is empty too."""
    if count(s.discard[0]) == 0:
        return
    s.era = renumber_epochs(s, R)
    fill_from_discards(s)


@inner
def take_top(s, R, q, k):
    """Take k cards, or as many as there are, from the pile into q's hand; q = -1: turn them up among the revealed cards.

    An empty pile is refilled before a card is taken, and one that this empties at once if the game says so (T39, G10).
    """
    for i in range(k + 1 if k > 0 else 0):
        if s.ndeck == 0 and (i < k or R.eager_piles != 0):
            reshuffle(s, R)
        if s.ndeck == 0 or i == k:
            return
        s.ndeck -= 1
        c = s.deck[s.ndeck]
        if q < 0:
            add(s.revealed[0], c)
        else:
            add(s.hand[q], c)
            s.hand_size[q] += 1


@inner
def draw(s, R, q, k):
    """Player q draws k cards, or as many as there are."""
    take_top(s, R, q, k)


@inner
def reveal(s, R, k):
    """Turn up to k cards from the pile for all to see (T18)."""
    take_top(s, R, -1, k)


@inner
def cards_to_draw(s):
    """Whether a draw or a reveal would find a card."""
    return s.ndeck > 0 or (s.discard[0, 0] | s.discard[0, 1]) != ZERO


@inner
def reveal_picks(s):
    """All opening discards are turned over at once (T3)."""
    for q in range(SEATS):
        for w in range(2):
            s.hand[q, w] &= ~s.secret[q, w]
            s.discard[0, w] |= s.secret[q, w]
            s.hand_size[q] -= popcount(s.secret[q, w])
            s.secret[q, w] = ZERO
        s.picked[q] = 0
