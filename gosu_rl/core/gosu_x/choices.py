"""What texts do to cards of piles, decks and hands (Gosu X): the CARD frame, from which one card after another is chosen."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, add, has, lowest, remove
from gosu_rl.core.gosu.piles import hand_copy, leave_hand, take_known
from gosu_rl.core.gosu.state import COLUMNS
from gosu_rl.core.gosu_x.costs import level_of
from gosu_rl.core.gosu_x.counts import DONE, LOOKED, copies_of, first_of
from gosu_rl.core.gosu_x.decks import eliminate, forget_shown, place_in_deck, put_on_deck, shuffle_deck, take_from_deck
from gosu_rl.core.gosu_x.entering import enter
from gosu_rl.core.gosu_x.rules import F_CLAN, F_GROUP, X_FETCH, X_INTO_PLAY, X_KEEP, X_PUT, X_REMOVE_PILE, X_RETRIEVE
from gosu_rl.core.gosu_x.targets import (
    PILE,
    SHOWN,
    card_choice_open,
    card_faces,
    declinable,
    fitting_faces,
    is_secret,
    place_words,
    text_at,
)
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop


@inner
def choose_card(s, R, f):
    """Face f is chosen for the CARD frame on top."""
    top = s.sp - 1
    row = s.stack[top, 2]
    op = R.code[row, 0]
    who = s.stack[top, 1]
    s.stack[top, 3] -= 1
    s.stack[top, 4] = 0
    k = text_at(s)
    s.stack[k, 5] |= DONE
    secret = is_secret(s, R, row, k)
    low, high = place_words(s, R, row, who)
    c = (
        hand_copy(s, R, who, f)
        if op == X_PUT or (op == X_INTO_PLAY and R.code[row, 1] == 0)
        else the_copy(s, R, op, who, first_of(R, low, high, f), low, high)
    )
    if op == X_KEEP:
        shown = not secret or R.filters[R.code[row, 3], F_GROUP] >= 0 or R.filters[R.code[row, 3], F_CLAN] != 0
        if secret:
            forget_shown(s, who, shown)
        take_from_deck(s, R, who, place_in_deck(s, who, c), shown)
    elif op == X_FETCH:
        take_from_deck(s, R, who, place_in_deck(s, who, c), True)
    elif op == X_PUT:
        put_on_deck(s, who, c, R.code[row, 1])
    elif op == X_INTO_PLAY:
        put_into_play(s, R, row, who, c)
    else:
        remove(s.removed[0] if op == X_RETRIEVE else s.discard[who], c)
        if op == X_REMOVE_PILE:
            add(s.removed[0], c)
        else:
            take_known(s, who, c)


@inner
def the_copy(s, R, op, who, c, low, high):
    """Copy c of a set, or its twin in it if that lies higher in who's deck: of two alike the topmost is taken. From a deck that is
    searched, and shuffled then, the one whose place both know: for all that the other sees, it has gone."""
    twin = c + R.faces if c < R.faces else c
    if twin >= R.copies or ((low if twin < 64 else high) >> U(twin & 63)) & ONE == ZERO:
        return c
    if op == X_FETCH and has(s.pinned[0], c) != has(s.pinned[0], twin):
        return c if has(s.pinned[0], c) else twin
    return twin if place_in_deck(s, who, twin) > place_in_deck(s, who, c) else c


@inner
def put_into_play(s, R, row, who, c):
    """Copy c leaves where it lies and enters the leftmost empty slot of its row (X39). The CARD frame on top is done with."""
    pop(s)
    if R.code[row, 1] == PILE:
        remove(s.discard[who], c)
    elif R.code[row, 1] == SHOWN:
        if s.stack[text_at(s), 5] & LOOKED != 0:
            forget_shown(s, who, True)
        take_from_deck(s, R, who, place_in_deck(s, who, c), True)
        leave_hand(s, who, c)
    else:
        leave_hand(s, who, c)
    level = level_of(R, c)
    slot = COLUMNS * level + s.rows[who, level]
    s.rows[who, level] += 1
    enter(s, R, who, c, slot)


@inner
def end_choice(s, R):
    """The CARD frame on top is done with or declined; a deck that was searched is shuffled, if it was not optional to search it."""
    top = s.sp - 1
    row = s.stack[top, 2]
    who = s.stack[top, 1]
    searched = R.code[row, 0] == X_FETCH and not (declinable(R, row, 1) and s.stack[top, 4] != 0)
    pop(s)
    if searched:
        shuffle_deck(s, R, who)
        eliminate(s, who)


@inner
def choice_settles(s, R):
    """Answer the CARD frame on top where public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    row = s.stack[top, 2]
    left = s.stack[top, 3]
    k = text_at(s)
    if left <= 0 or not card_choice_open(s, R, row, k):
        end_choice(s, R)
        return True
    op = R.code[row, 0]
    if declinable(R, row, s.stack[top, 4]):
        return False
    if is_secret(s, R, row, k):
        if op != X_PUT or s.hand_size[s.stack[top, 1]] > 1:
            return False
    elif fitting_faces(s, R, row, k) > 1 and fitting_copies(s, R, row, k) > left:
        return False
    zero = card_faces(s, R, row, k, 0)
    choose_card(s, R, lowest(zero) if zero != ZERO else 64 + lowest(card_faces(s, R, row, k, 1)))
    return True


@inner
def fitting_copies(s, R, row, k):
    """How many copies may be chosen for the step at `row`."""
    low, high = place_words(s, R, row, s.stack[k, 1])
    zero = copies_of(R, low, high, 0, card_faces(s, R, row, k, 0))
    return zero + copies_of(R, low, high, 1, card_faces(s, R, row, k, 1))
