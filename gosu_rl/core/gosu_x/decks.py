"""Decks of one's own (Gosu X): the draft's split, shuffles, draws, and who knows which place in a deck.

Seat q's deck lies in `deck` from DECK * q on, its top at DECK * q + ndecks[q] - 1; how it lay after its last shuffle stays in
`epoch` (copy + 1), for the log. What texts show of it are places in `shown`, which move with the cards. `pinned` holds the copies
in decks whose place is known, to both players (0) or to the owner alone (1); a shuffle clears it, but what both knew is known to
lie in the deck (`sunk`) until a card is drawn that they do not both see. When by such knowledge all unknown cards of a player
must be in his hand, because his deck has none, the hand becomes known (X11; the other knows the 45 cards).
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, count, has, lowest, popcount, remove
from gosu_rl.core.gosu.army import filled
from gosu_rl.core.gosu.piles import discard_hand, hand_copy, leave_hand
from gosu_rl.core.gosu.state import CARDS, DECK, TEXT
from gosu_rl.core.gosu_x.rules import C_DISCARDED, C_DRAWN
from gosu_rl.core.jit import inner

BOTH, OWNER = 0, 1  # of `pinned`
DRAWN, DISCARDED = C_DRAWN - 16, C_DISCARDED - 16  # places in `tally`
TALLY_MOST = 99


@inner
def own_copies(s, R, q, w):
    """Word w of the copies that are q's, by the clans he drafted."""
    word = ZERO
    for k in range(R.clans):
        if (s.clans[q] >> k) & 1 != 0:
            word |= R.clan_copies[k, w]
    return word


@inner
def note(s, q, what, k):
    """Count something that happened in this turn (X55)."""
    s.tally[q, what] = min(TALLY_MOST, s.tally[q, what] + k)


@inner
def split_decks(s, R):
    """The draft is over: each deck is what its player drafted, in the order of the one shuffle of all cards."""
    for i in range(CARDS):  # `hidden`, which full states do not need, holds the order meanwhile
        s.hidden[i] = s.deck[i]
        s.deck[i] = -1
    for q in range(2):
        low, high = own_copies(s, R, q, 0), own_copies(s, R, q, 1)
        for i in range(R.copies):
            c = np.int64(s.hidden[i])
            if ((low if c < 64 else high) >> U(c & 63)) & ONE != ZERO:
                s.deck[DECK * q + s.ndecks[q]] = c
                s.ndecks[q] += 1
        s.shuffled[q] = 1
        note_order(s, q)
    for i in range(CARDS):
        s.hidden[i] = -1
    s.shuffles += 1


@inner
def note_order(s, q):
    """q's deck has just been shuffled."""
    for i in range(DECK * q, DECK * q + DECK):
        s.epoch[i] = s.deck[i] + 1


@inner
def texts_at_work(s):
    """How many texts have begun and not ended."""
    at_work = 0
    for k in range(s.sp):
        if s.stack[k, 0] == TEXT:
            at_work += 1
    return at_work


@inner
def end_showing(s, q):
    """Texts of q's show none of the cards of his deck any more: it is shuffled."""
    d = 0
    for k in range(s.sp):
        if s.stack[k, 0] == TEXT:
            if s.stack[k, 1] == q:
                s.shown[d] = ZERO
            d += 1


@inner
def follow(s, q, i, j):
    """A card of q's deck goes from place i to place j (-1: from elsewhere, or out of the deck); what texts show follows."""
    d = 0
    for k in range(s.sp):
        if s.stack[k, 0] == TEXT:
            marks = s.shown[d]
            if s.stack[k, 1] == q and marks != ZERO:
                mark = ZERO
                if i >= 0:
                    mark = (marks >> U(i)) & ONE
                    marks = marks & ((ONE << U(i)) - ONE) | marks >> U(i + 1) << U(i)
                if j >= 0:
                    marks = marks & ((ONE << U(j)) - ONE) | mark << U(j) | marks >> U(j) << U(j + 1)
                s.shown[d] = marks
            d += 1


@inner
def lift(s, q, i):
    """The card at place i leaves q's deck, and those above it move down; returns the copy."""
    base = DECK * q
    c = np.int64(s.deck[base + i])
    top = s.ndecks[q] - 1
    for j in range(i, top):
        s.deck[base + j] = s.deck[base + j + 1]
    s.deck[base + top] = -1
    s.ndecks[q] = top
    follow(s, q, i, -1)
    return c


@inner
def lay_under(s, q, c, i, j):
    """Copy c takes place j of q's deck, and the cards from there to place i, from which it comes, move up."""
    base = DECK * q
    for k in range(i, j, -1):
        s.deck[base + k] = s.deck[base + k - 1]
    s.deck[base + j] = c


@inner
def unpin(s, c):
    """Copy c leaves its deck, or its place is not known any more."""
    remove(s.pinned[0], c)
    remove(s.pinned[1], c)


@inner
def shuffle_deck(s, R, q):
    """Shuffle q's deck; what was known of places is gone, but not that these cards lie in it."""
    base = DECK * q
    n = s.ndecks[q]
    end_showing(s, q)
    for i in range(n):
        c = s.deck[base + i]
        if has(s.pinned[0], c):
            add(s.sunk[0], c)
        unpin(s, c)
    part = s.deck[base : base + DECK]
    rng.shuffle(s, part, n)
    note_order(s, q)
    s.shuffled[q] += 1
    s.shuffles += 1


@inner
def into_deck(s, q, low, high):
    """Put copies on q's deck, to be shuffled."""
    for w in range(2):
        word = low if w == 0 else high
        while word != ZERO:
            s.deck[DECK * q + s.ndecks[q]] = 64 * w + lowest(word)
            word &= word - ONE
            s.ndecks[q] += 1


@inner
def refill(s, R, q):
    """A card is needed and the deck is empty: the discard pile becomes the deck (X11)."""
    low, high = s.discard[q, 0], s.discard[q, 1]
    s.discard[q, 0] = ZERO
    s.discard[q, 1] = ZERO
    if low | high != ZERO:
        into_deck(s, q, low, high)
        shuffle_deck(s, R, q)


@inner
def can_draw(s, q):
    """Whether a draw would find a card."""
    return s.ndecks[q] > 0 or (s.discard[q, 0] | s.discard[q, 1]) != ZERO


@inner
def eliminate(s, q):
    """Where every card left in q's deck lies in a place known to both, what is unknown of his cards can only be in his hand."""
    for i in range(s.ndecks[q]):
        c = s.deck[DECK * q + i]
        if not has(s.pinned[0], c) and not has(s.sunk[0], c):
            return
    for w in range(2):
        s.known[q, w] |= s.hand[q, w]


@inner
def surface(s, R, c):
    """Both see copy c of a deck, of which they did not know the place: of those that they knew to be in there, one of its face has
    turned up. If only its twin was known so, c stands for it: nobody can tell them apart."""
    if has(s.pinned[0], c):
        return
    twin = c + R.faces if c < R.faces else c - R.faces
    if has(s.sunk[0], c):
        remove(s.sunk[0], c)
    elif twin < R.copies and has(s.sunk[0], twin):
        remove(s.sunk[0], twin)


@inner
def take_from_deck(s, R, q, i, shown):
    """The card at place i of q's deck goes to his hand; `shown`: both see it. Those above it move down; returns the copy."""
    c = lift(s, q, i)
    add(s.hand[q], c)
    s.hand_size[q] += 1
    if shown or has(s.pinned[0], c):
        add(s.known[q], c)
        surface(s, R, c)
    else:  # it might be any card that is only known to be in the deck
        for w in range(2):
            s.sunk[0, w] &= ~own_copies(s, R, q, w)
    unpin(s, c)
    eliminate(s, q)  # at this very moment: a deck may be made anew before the action is over
    return c


@inner
def is_shown(s, i):
    """Whether the innermost text shows the card at place i of its owner's deck."""
    d = texts_at_work(s) - 1
    return d >= 0 and (s.shown[d] >> U(i)) & ONE != ZERO


@inner
def shown_now(s):
    """How many cards the innermost text shows."""
    d = texts_at_work(s) - 1
    return popcount(s.shown[d]) if d >= 0 else 0


@inner
def forget_shown(s, q, open_):
    """One of the cards that q looks at is to go, and the other does not see from where: he loses the places that he knew there. If
    he sees which card it is (`open_`), he still knows that the others lie in the deck. The only one that is shown hides nothing."""
    if shown_now(s) == 1:
        return
    for i in range(s.ndecks[q]):
        c = s.deck[DECK * q + i]
        if is_shown(s, i) and has(s.pinned[0], c):
            remove(s.pinned[BOTH], c)
            add(s.pinned[OWNER], c)
            if open_:
                add(s.sunk[0], c)


@inner
def draw_own(s, R, q, k):
    """Player q draws k cards, or as many as there are; returns how many. The discard pile is shuffled in when a card is needed."""
    drawn = 0
    for _ in range(k):
        if s.ndecks[q] == 0:
            refill(s, R, q)
        if s.ndecks[q] == 0:
            break
        take_from_deck(s, R, q, s.ndecks[q] - 1, False)
        drawn += 1
    note(s, q, DRAWN, drawn)
    return drawn


@inner
def redraw_own(s, R, q):
    """The shown hand goes back, the deck is shuffled, and as many cards are drawn as the opening has (X2, X18)."""
    into_deck(s, q, s.hand[q, 0], s.hand[q, 1])
    for w in range(2):
        s.hand[q, w] = ZERO
        s.known[q, w] = ZERO
    s.hand_size[q] = 0
    shuffle_deck(s, R, q)
    draw_own(s, R, q, R.deal)
    s.tally[q, DRAWN] = 0  # there is no turn yet (X55)


@inner
def show_top(s, R, q, k, who):
    """The top k cards of q's deck are turned up for both, or looked at by their owner: their places are known. Returns how many."""
    k = min(k, s.ndecks[q])
    for i in range(s.ndecks[q] - k, s.ndecks[q]):
        c = s.deck[DECK * q + i]
        if who == BOTH:
            surface(s, R, c)
            add(s.pinned[BOTH], c)
            remove(s.pinned[OWNER], c)
        elif not has(s.pinned[BOTH], c):
            add(s.pinned[OWNER], c)
    s.shown[texts_at_work(s) - 1] = ((ONE << U(k)) - ONE) << U(s.ndecks[q] - k)
    if who == BOTH:
        eliminate(s, q)
    return k


@inner
def move_shown_below(s, q):
    """The shown cards go under q's deck in their order, the topmost of them on top of the others; what is known of them stays."""
    j = 0
    for i in range(s.ndecks[q]):
        if is_shown(s, i):
            lay_under(s, q, s.deck[DECK * q + i], i, j)
            follow(s, q, i, j)
            j += 1


@inner
def discard_shown(s, R, q):
    """The shown cards go to q's discard pile."""
    for i in range(s.ndecks[q] - 1, -1, -1):
        if is_shown(s, i):
            c = lift(s, q, i)
            surface(s, R, c)
            unpin(s, c)
            add(s.discard[q], c)
    eliminate(s, q)


@inner
def put_on_deck(s, q, c, below):
    """Copy c goes from q's hand on or under his deck, face down: only q knows its place, and of the hand that is left the other
    knows nothing any more, since it might be one of those he knew (X56)."""
    n = s.ndecks[q]
    remove(s.hand[q], c)
    s.hand_size[q] -= 1
    for w in range(2):
        s.known[q, w] = ZERO
    lay_under(s, q, c, n, 0 if below != 0 else n)
    if below != 0:
        follow(s, q, -1, 0)
    s.ndecks[q] = n + 1
    add(s.pinned[1], c)
    eliminate(s, q)


@inner
def unknown_in_hand(s, q):
    """Cards of q's hand that the other does not know."""
    return s.hand_size[q] - count(s.known[q])


@inner
def shown_words(s, q):
    """The cards of q's deck that the innermost text, one of his, shows, as far as the viewer of a view sees them: two words."""
    low = high = ZERO
    for i in range(s.ndecks[q]):
        c = s.deck[DECK * q + i]
        if c >= 0 and is_shown(s, i):
            bit = ONE << U(c & 63)
            low |= bit if c < 64 else ZERO
            high |= bit if c >= 64 else ZERO
    return low, high


@inner
def covered(s, R, q):
    """Those of q's copies that do not lie open on the table: they are in his hand or in his deck. Two words."""
    low = own_copies(s, R, q, 0) & ~(s.discard[q, 0] | s.removed[0, 0] | s.aside[0, 0])
    high = own_copies(s, R, q, 1) & ~(s.discard[q, 1] | s.removed[0, 1] | s.aside[0, 1])
    slots = filled(s, q)
    while slots != 0:
        c = np.int64(s.army[q, lowest(U(slots))])
        slots &= slots - 1
        bit = ~(ONE << U(c & 63))
        low &= bit if c < 64 else ~ZERO
        high &= bit if c >= 64 else ~ZERO
    return low, high


@inner
def deck_words(s, R, q):
    """The cards of q's deck, as two words: what is covered and not in his hand, so that his own view says it too."""
    low, high = covered(s, R, q)
    return low & ~s.hand[q, 0], high & ~s.hand[q, 1]


@inner
def place_in_deck(s, q, c):
    """Where copy c lies in q's deck, counted from the bottom; -1: nowhere."""
    for i in range(s.ndecks[q]):
        if s.deck[DECK * q + i] == c:
            return i
    return -1


@inner
def move_to_pile(s, q, c):
    """Copy c goes from q's hand to his pile."""
    leave_hand(s, q, c)
    add(s.discard[q], c)
    note(s, q, DISCARDED, 1)


@inner
def discard_own(s, R, q, f):
    """Player q discards a card of face f from the hand to his own pile."""
    move_to_pile(s, q, hand_copy(s, R, q, f))


@inner
def discard_whole_hand(s, q):
    """All of q's hand goes to his own pile."""
    note(s, q, DISCARDED, s.hand_size[q])
    discard_hand(s, q, q)
