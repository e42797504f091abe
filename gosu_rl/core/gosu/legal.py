"""What may be done: the legal set of the decision on top of the stack.

Whether a decision is put at all depends on public facts only (T42); `step.py` asks `forced` about that. What is legal in it may
depend on the mover's own hand.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, count, emit, lowest
from gosu_rl.core.copies import face_of, faces_word
from gosu_rl.core.gosu.actions import (
    ACCEPT,
    DECLINE,
    KEEP_HAND,
    PASS,
    RECRUIT,
    REDRAW,
    REGAIN_SPENT,
    SPEND_ONE,
    SPEND_TWO,
)
from gosu_rl.core.gosu.army import (
    LONG_REACH,
    face_in,
    face_up,
    filled,
    find,
    free,
    is_zombie,
    mutable_slots,
    mutation_cost,
    recruit_clans,
    recruit_cost,
    row_mask,
    up_to_level,
)
from gosu_rl.core.gosu.piles import cards_to_draw
from gosu_rl.core.gosu.rules import ACTIVATE
from gosu_rl.core.gosu.state import (
    COLUMNS,
    DESTROY,
    DISCARD,
    KEEP,
    LINK,
    MULLIGAN,
    OFFER,
    OPENING,
    PAY,
    REFRESH,
    REGAIN,
    RETURN,
    SLOTS,
    SWAP,
    SWAP_WITH,
    TRAP,
    TURN,
    USE,
    VICTIM,
)
from gosu_rl.core.jit import inner
from gosu_rl.core.legal_set import allow, clear, nothing


@inner
def allow_slots(s, R, q, slots):
    """Add `target` actions for slots of q's army."""
    emit(s.legal, U(slots), R.o_target + SLOTS * q)


@inner
def allow_turn(s, R, p):
    """Cards that p may name: recruits and replacements with a payable use (T5, T47). Without `pass`."""
    spare = s.hand_size[p] - 1
    bent = s.bent[p]
    clans = recruit_clans(s, R, p, spare)
    play0 = play1 = take0 = take1 = ZERO
    for clan in range(R.clans):
        for level in range(1, 4):
            if (clans >> (8 * level - 8 + clan)) & 1 != 0:
                play0 |= R.clan_faces[clan, 0] & R.level_faces[level, 0]
                play1 |= R.clan_faces[clan, 1] & R.level_faces[level, 1]
    slots = face_up(s, p)
    while slots != 0:
        f = face_in(s, R, p, lowest(U(slots)))
        slots &= slots - 1
        cost = mutation_cost(R, f, bent)
        if 0 <= cost <= spare:
            play0 |= R.replaces[f, 0]
            play1 |= R.replaces[f, 1]
        if is_zombie(R, f, bent) and 0 <= cost <= s.hand_size[p]:
            take0 |= R.replaces[f, 0]
            take1 |= R.replaces[f, 1]
    low, high = s.hand[p, 0], s.hand[p, 1]
    emit(s.legal, faces_word(R, low, high, 0) & play0, R.o_play)
    emit(s.legal, faces_word(R, low, high, 1) & play1, R.o_play + 64)
    if take0 | take1 != ZERO:
        low, high = s.discard[0, 0], s.discard[0, 1]
        emit(s.legal, faces_word(R, low, high, 0) & take0, R.o_take)
        emit(s.legal, faces_word(R, low, high, 1) & take1, R.o_take + 64)


@inner
def allow_tokens(s, R, p):
    """Ways of spending activation tokens: for cards while there are any (G12), or on a face-up goblin without one (G3, G11)."""
    if s.tokens[p] == 0:
        return
    if cards_to_draw(s):
        allow(s, R.o_token + SPEND_ONE)
        if s.tokens[p] > 1:
            allow(s, R.o_token + SPEND_TWO)
    slots = face_up(s, p) & ~s.marked[p]
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        if R.prog[face_in(s, R, p, slot), ACTIVATE] != 0:
            allow(s, R.o_activate + slot)


@inner
def allow_cards(s, R, op, who):
    """One card of the own hand, picked opening discards left out; of those revealed (KEEP); or of the discard pile (RETURN)."""
    low, high = s.hand[who, 0] & ~s.secret[who, 0], s.hand[who, 1] & ~s.secret[who, 1]
    offset = R.o_discard
    group = -1
    if op == KEEP:
        low, high = s.revealed[0, 0], s.revealed[0, 1]
        offset = R.o_take
    elif op == RETURN:
        low, high = s.discard[0, 0], s.discard[0, 1]
        offset = R.o_take
        group = s.stack[s.sp - 1, 2]
    for w in range(2):
        word = faces_word(R, low, high, w)
        if group >= 0:
            word &= R.clan_faces[group, w]
        emit(s.legal, word, offset + 64 * w)
    if op == RETURN and not nothing(s):
        allow(s, DECLINE)


@inner
def may_redraw(s, R, op, q, times):
    """Whether q may show and replace the whole hand (T2, T23, T41, T43). Uses the legal set as scratch paper."""
    if times >= R.max_mulligans or s.hand_size[q] == 0:
        return False
    if op == MULLIGAN:
        troops = ZERO
        for w in range(2):
            troops |= faces_word(R, s.hand[q, 0], s.hand[q, 1], w) & R.level_faces[1, w]
        return troops == ZERO
    allow_turn(s, R, q)
    stuck = nothing(s)
    clear(s)
    return stuck


@inner
def link_slots(s, q):
    """Slots of the pending link cards on the top frame that stand face up now (T26, T27)."""
    slots = 0
    for i in range(2, 6):
        c = s.stack[s.sp - 1, i]
        slot = find(s, q, c) if c >= 0 else -1
        if slot >= 0:
            slots |= 1 << slot
    return slots & ~s.trapped[q]


@inner
def use_slots(s, R, q):
    """Slots whose goblin the named card may replace."""
    c = s.stack[s.sp - 1, 2]
    return mutable_slots(s, R, q, face_of(R, c), s.stack[s.sp - 1, 3] != 0)


@inner
def use_recruits(s, R, q):
    """Whether the named card may be recruited; `hand_size` no longer counts it."""
    if s.stack[s.sp - 1, 3] != 0:
        return False
    cost = recruit_cost(s, R, q, face_of(R, s.stack[s.sp - 1, 2]))
    return 0 <= cost <= s.hand_size[q]


@inner
def allow_targets(s, R, op):
    """Targets of destroy, trap and swap in all armies (T15), with `decline` beside them (T30); nothing without a target."""
    level = s.stack[s.sp - 1, 2]
    if s.bent[s.stack[s.sp - 1, 1]] & LONG_REACH != 0:
        level = 3
    for q in range(s.n):
        if op == DESTROY:
            slots = free(s, q) & up_to_level(level)
        elif op == TRAP:
            slots = filled(s, q) & up_to_level(level)
            if s.stack[s.sp - 1, 3] == 0:  # base: only trapping
                slots &= ~s.trapped[q]
        else:
            slots = 0
            for row in range(3):
                if s.rows[q, row] > 1:
                    slots |= row_mask(s, q, row)
        allow_slots(s, R, q, slots)
    if not nothing(s):
        allow(s, DECLINE)


@inner
def swap_partners(s):
    """Slots of the row mates of a swap's first card; the frame holds its seat and slot."""
    slot = s.stack[s.sp - 1, 3]
    return row_mask(s, s.stack[s.sp - 1, 2], slot // COLUMNS) & ~(1 << slot)


@inner
def fill_legal(s, R):
    """Write the legal set of the decision on top of the stack; it stays empty where a power has no target."""
    clear(s)
    op = s.stack[s.sp - 1, 0]
    who = s.stack[s.sp - 1, 1]
    if op == TURN:
        if s.taken[who] < R.max_turns_per_round:  # T44
            allow_turn(s, R, who)
            allow_tokens(s, R, who)
        allow(s, PASS)
    elif op == PAY or op == DISCARD or op == OPENING or op == KEEP or op == RETURN:
        allow_cards(s, R, op, who)
    elif op == USE:
        emit(s.legal, U(use_slots(s, R, who)), R.o_replace)
        if use_recruits(s, R, who):
            allow(s, RECRUIT)
    elif op == OFFER:
        allow(s, ACCEPT)
        allow(s, DECLINE)
    elif op == DESTROY or op == TRAP or op == SWAP:
        allow_targets(s, R, op)
    elif op == SWAP_WITH:
        allow_slots(s, R, s.stack[s.sp - 1, 2], swap_partners(s))
    elif op == LINK:
        allow_slots(s, R, who, link_slots(s, who))
    elif op == VICTIM:
        for q in range(s.n):
            if s.hand_size[q] > 0:
                allow(s, R.o_player + q)
        if not nothing(s):
            allow(s, DECLINE)
    elif op == REGAIN:
        allow_slots(s, R, who, s.marked[who])
        if s.spent[who] > 0:
            allow(s, R.o_token + REGAIN_SPENT)
        if not nothing(s):
            allow(s, DECLINE)
    elif op == MULLIGAN or op == REFRESH:
        redraw = may_redraw(s, R, op, who, s.stack[s.sp - 1, 2])
        allow(s, KEEP_HAND)
        if redraw:
            allow(s, REDRAW)


@inner
def revealed_alike(s, R):
    """Whether all revealed cards are of one face."""
    faces = 0
    for w in range(2):
        word = faces_word(R, s.revealed[0, 0], s.revealed[0, 1], w)
        while word != ZERO:
            word &= word - ONE
            faces += 1
    return faces <= 1


@inner
def revealed_count(s):
    """Number of revealed cards."""
    return count(s.revealed[0])
