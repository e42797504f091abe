"""What is legal in the decisions of Gosu X."""

from __future__ import annotations

from gosu_rl.core.bits import U, emit
from gosu_rl.core.copies import face_of, faces_word
from gosu_rl.core.gosu.actions import ACCEPT, DECLINE, KEEP_HAND, RECRUIT, REDRAW, REGAIN_SPENT
from gosu_rl.core.gosu.army import clans_in_army, free
from gosu_rl.core.gosu.legal import allow_slots
from gosu_rl.core.gosu.state import (
    AIM,
    CARD,
    CLAN,
    DISCARD,
    DRAFT,
    MAY,
    MODE,
    MULLIGAN,
    PAY,
    REGAIN,
    SONG,
    TURN,
    USE,
    WILL,
)
from gosu_rl.core.gosu_x.costs import allow_turn, allow_will, play_cost, secret_slots, shiftable_slots
from gosu_rl.core.gosu_x.counts import copies_of, filter_faces
from gosu_rl.core.gosu_x.rules import X_INTO_PLAY
from gosu_rl.core.gosu_x.targets import aim_slots, card_faces, declinable, fitting_faces, is_secret, text_at
from gosu_rl.core.jit import inner
from gosu_rl.core.legal_set import allow

HAND_WORD = 0  # put_into_play hand


@inner
def fill_legal(s, R, op, who):
    """Add the legal actions of the decision on top of the stack."""
    top = s.sp - 1
    if op == TURN:
        allow_turn(s, R, who)
    elif op == DRAFT:
        emit(s.legal, U(s.tiles), R.o_pick)
    elif op == MULLIGAN:
        allow(s, KEEP_HAND)
        if s.stack[top, 2] < R.max_mulligans and s.hand_size[who] > 0 and troops_in_hand(s, R, who) < 2:
            allow(s, REDRAW)
    elif op == USE:
        emit(s.legal, U(replaceable(s, R, who)), R.o_replace)
        if playable(s, R, who):
            allow(s, RECRUIT)
    elif op == PAY or op == DISCARD:
        allow_hand(s, R, op, who)
    elif op == WILL:
        allow_will(s, R, who)
        allow(s, DECLINE)
    elif op == MAY:
        allow(s, ACCEPT)
        allow(s, DECLINE)
    elif op == AIM:
        row = s.stack[top, 2]
        k = text_at(s)
        for q in range(2):
            allow_slots(s, R, q, aim_slots(s, R, row, who, k, q))
        if declinable(R, row, s.stack[top, 4]):
            allow(s, DECLINE)
    elif op == CARD:
        allow_choice(s, R)
    elif op == CLAN:
        emit(s.legal, U(clans_in_army(s, R, 0) | clans_in_army(s, R, 1)), R.o_pick)
    elif op == MODE:
        emit(s.legal, U((1 << R.code[s.stack[top, 2], 1]) - 1), R.o_option)
    elif op == SONG:
        allow_slots(s, R, who, free(s, who))
    elif op == REGAIN:
        allow_slots(s, R, who, s.marked[who] | s.marked2[who])
        if s.spent[who] > 0:
            allow(s, R.o_token + REGAIN_SPENT)
        if declinable(R, s.stack[top, 2], 1):
            allow(s, DECLINE)


@inner
def troops_in_hand(s, R, q):
    """Troops in q's hand, copies counted."""
    low, high = s.hand[q, 0], s.hand[q, 1]
    return copies_of(R, low, high, 0, R.level_faces[1, 0]) + copies_of(R, low, high, 1, R.level_faces[1, 1])


@inner
def replaceable(s, R, who):
    """Slots whose card the named card may replace."""
    top = s.sp - 1
    slots = shiftable_slots(s, R, who, face_of(R, s.stack[top, 2]), s.hand_size[who])
    return slots & secret_slots(s, R, who) if s.stack[top, 3] != 0 else slots


@inner
def playable(s, R, who):
    """Whether the named card may be played."""
    top = s.sp - 1
    if s.stack[top, 3] != 0:
        return False
    cost = play_cost(s, R, who, face_of(R, s.stack[top, 2]))
    help_ = 1 if cost > 0 and s.wonder == who else 0
    return cost >= 0 and cost - help_ <= s.hand_size[who]


@inner
def allow_hand(s, R, op, who):
    """Cards that may be discarded: for a cost, beside the Wonder token (X33); or for an effect, which may say which."""
    top = s.sp - 1
    row = s.stack[top, 3] if op == DISCARD else 0
    if op == DISCARD or s.stack[top, 2] <= s.hand_size[who]:
        for w in range(2):
            word = faces_word(R, s.hand[who, 0], s.hand[who, 1], w)
            if row > 0:
                k = text_at(s)
                word &= filter_faces(R, R.code[row, 3], s.stack[k, 3], s.stack[k, 5], w)
            emit(s.legal, word, R.o_discard + 64 * w)
    if op == PAY and s.stack[top, 3] != 0 and s.wonder == who:
        allow(s, R.o_wonder)
    if row > 0 and s.stack[top, 4] != 0:
        allow(s, DECLINE)


@inner
def allow_choice(s, R):
    """Cards for the CARD frame on top; "decline" if it is optional, or where others cannot know that nothing fits."""
    top = s.sp - 1
    row = s.stack[top, 2]
    k = text_at(s)
    for w in range(2):
        emit(s.legal, card_faces(s, R, row, k, w), R.o_take + 64 * w)
    if declinable(R, row, s.stack[top, 4]) or (is_secret(s, R, row, k) and may_leave(s, R, row, k)):
        allow(s, DECLINE)


@inner
def may_leave(s, R, row, k):
    """Whether a choice among cards that others do not see can be left: nothing fits, or it is one from the hand into play."""
    return fitting_faces(s, R, row, k) == 0 or (R.code[row, 0] == X_INTO_PLAY and R.code[row, 1] == HAND_WORD)
