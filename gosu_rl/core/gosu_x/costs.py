"""What a turn of Gosu X may do: which cards can be played or shifted and for how much, tokens, Force of Will."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, emit, lowest
from gosu_rl.core.copies import face_of, faces_word
from gosu_rl.core.gosu.actions import PASS
from gosu_rl.core.gosu.army import clans_in_row, face_in, face_up, filled, row_mask, size
from gosu_rl.core.gosu.state import COLUMNS
from gosu_rl.core.gosu_x.counts import all_compare, keyword_of, rule_number, tokens_on
from gosu_rl.core.gosu_x.decks import covered, unknown_in_hand
from gosu_rl.core.gosu_x.rules import (
    K_RECRUITER,
    K_SECRET,
    K_VETERAN,
    K_WILL,
    TEXT_ACTIVATE,
    W_CLAN_COST,
    W_SHIFT,
    WILL_IF,
)
from gosu_rl.core.jit import inner


@inner
def next_to_recruiter(s, R, q):
    """Whether the next Troop comes to the immediate right of a face-up Recruiter (X6, X32)."""
    slot = s.rows[q, 0] - 1
    return slot >= 0 and (s.trapped[q] >> slot) & 1 == 0 and keyword_of(R, s.army[q, slot], K_RECRUITER)


@inner
def new_clan_cost(s, R, q):
    """Discards for a Troop of a clan that none of q's face-up Troops has; the first Troop is free (X6)."""
    if clans_in_row(s, R, q, 0) == 0 or next_to_recruiter(s, R, q):
        return 0
    return rule_number(s, R, q, W_CLAN_COST, R.new_clan_cost)


@inner
def play_cost(s, R, q, f):
    """Cards to discard for playing face f, or -1 where the rules forbid it."""
    row = R.level[f] - 1
    if s.rows[q, row] == COLUMNS:
        return -1
    clan = 1 << R.clan[f]
    troops = clans_in_row(s, R, q, 0)
    if row == 0:
        return 0 if troops & clan != 0 else new_clan_cost(s, R, q)
    if s.rows[q, row] >= s.rows[q, row - 1] or troops & clan == 0:
        return -1
    if row == 2 and clans_in_row(s, R, q, 1) & clan == 0:
        return -1
    return 0


@inner
def shift_cost(s, R, q, slot):
    """Cards to discard for shifting the face-up card in a slot, Wonder apart; -1 if it cannot be shifted (X7, X34)."""
    cost = R.mutation[face_in(s, R, q, slot)]
    if cost < 0:
        return -1
    return max(0, rule_number(s, R, q, W_SHIFT, cost) - tokens_on(s, q, slot))


@inner
def affordable(s, q, cost, cards):
    """Whether q can pay a cost out of so many cards, the Wonder token helping (X33)."""
    return cost >= 0 and cost - (1 if s.wonder == q and cost > 0 else 0) <= cards


@inner
def shiftable_slots(s, R, q, f, cards):
    """Slots of the cards that face f may replace, paid out of so many cards; Secret shift only for one of the discard pile."""
    mask = 0
    slots = row_mask(s, q, R.level[f] - 1) & ~s.trapped[q]
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        old = face_in(s, R, q, slot)
        if (R.replaces[old, f >> 6] >> U(f & 63)) & ONE != ZERO and affordable(s, q, shift_cost(s, R, q, slot), cards):
            mask |= 1 << slot
    return mask


@inner
def secret_slots(s, R, q):
    """Slots of q's face-up cards with Secret shift."""
    mask = 0
    slots = face_up(s, q)
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        if keyword_of(R, s.army[q, slot], K_SECRET):
            mask |= 1 << slot
    return mask


@inner
def allow_cards_of_turn(s, R, p):
    """Cards that p may name (X34, T47)."""
    spare = s.hand_size[p] - 1
    troops, heroes = clans_in_row(s, R, p, 0), clans_in_row(s, R, p, 1)
    n1, n2, n3 = s.rows[p, 0], s.rows[p, 1], s.rows[p, 2]
    clans = 0
    if n1 < COLUMNS:
        clans = 255 if affordable(s, p, new_clan_cost(s, R, p), spare) else troops
    if n2 < n1:
        clans |= troops << 8
    if n3 < n2:
        clans |= (troops & heroes) << 16
    play0 = play1 = take0 = take1 = ZERO
    for clan in range(R.clans):
        for level in range(1, 4):
            if (clans >> (8 * level - 8 + clan)) & 1 != 0:
                play0 |= R.clan_faces[clan, 0] & R.level_faces[level, 0]
                play1 |= R.clan_faces[clan, 1] & R.level_faces[level, 1]
    secret = secret_slots(s, R, p)
    slots = face_up(s, p)
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        f = face_in(s, R, p, slot)
        cost = shift_cost(s, R, p, slot)
        if affordable(s, p, cost, spare):
            play0 |= R.replaces[f, 0]
            play1 |= R.replaces[f, 1]
        if (secret >> slot) & 1 != 0 and affordable(s, p, cost, s.hand_size[p]):
            take0 |= R.replaces[f, 0]
            take1 |= R.replaces[f, 1]
    low, high = s.hand[p, 0], s.hand[p, 1]
    emit(s.legal, faces_word(R, low, high, 0) & play0, R.o_play)
    emit(s.legal, faces_word(R, low, high, 1) & play1, R.o_play + 64)
    low, high = s.discard[p, 0], s.discard[p, 1]
    emit(s.legal, faces_word(R, low, high, 0) & take0, R.o_take)
    emit(s.legal, faces_word(R, low, high, 1) & take1, R.o_take + 64)


@inner
def activatable_slots(s, R, p):
    """Slots of p's face-up cards that can bear one more token and do something for it (X30)."""
    mask = 0
    slots = face_up(s, p)
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        f = face_in(s, R, p, slot)
        useful = R.prog[f, TEXT_ACTIVATE] != 0 or (R.keywords[f] >> K_VETERAN) & 1 != 0
        if useful and tokens_on(s, p, slot) < R.icons[f]:
            mask |= 1 << slot
    return mask


@inner
def may_pass(s, p):
    """Nobody passes first with tokens in hand (X3)."""
    return s.tokens[p] == 0 or s.passed[1 - p] != 0


@inner
def allow_turn(s, R, p):
    """The actions of a turn; after very many turns in a round only those that lead to its end (T44)."""
    if s.taken[p] < R.max_turns_per_round:
        allow_cards_of_turn(s, R, p)
        emit(s.legal, U(activatable_slots(s, R, p) if s.tokens[p] > 0 else 0), R.o_activate)
        allow_will(s, R, p)
    tokens = 1 if s.tokens[p] == 1 else 3 if s.tokens[p] > 1 else 0
    if s.taken[p] >= R.max_turns_per_round and may_pass(s, p):
        tokens = 0
    emit(s.legal, U(tokens), R.o_token)
    if may_pass(s, p):
        emit(s.legal, ONE, PASS)


# ------------------------------------------------------------------------------------------------ Force of Will


@inner
def will_holds(s, R, q, f):
    """Whether the requirement of face f, which has Force of Will, is met for q."""
    return all_compare(s, R, R.prog[f, WILL_IF], q, f)


@inner
def allow_will(s, R, q):
    """Cards of q's hand whose requirement is met."""
    for w in range(2):
        word = faces_word(R, s.hand[q, 0], s.hand[q, 1], w) & R.keyword_faces[K_WILL, w]
        while word != ZERO:
            f = 64 * w + lowest(word)
            word &= word - ONE
            if will_holds(s, R, q, f):
                emit(s.legal, ONE, R.o_will + R.wills[f])


@inner
def could_will(s, R, q):
    """Whether by public knowledge q could hold a card whose requirement is met (X31)."""
    if s.hand_size[q] == 0 or R.will_faces == 0:
        return False
    low, high = s.known[q, 0], s.known[q, 1]
    if unknown_in_hand(s, q) > 0:
        hidden_low, hidden_high = covered(s, R, q)
        low |= hidden_low & ~(s.pinned[0, 0] | s.sunk[0, 0])
        high |= hidden_high & ~(s.pinned[0, 1] | s.sunk[0, 1])
    for w in range(2):
        word = faces_word(R, low, high, w) & R.keyword_faces[K_WILL, w]
        while word != ZERO:
            f = 64 * w + lowest(word)
            word &= word - ONE
            if will_holds(s, R, q, f):
                return True
    return False


@inner
def room(s, q):
    """Mask of the levels (bit 0: Troops) of which another card finds a place in q's army (X35)."""
    n1, n2, n3 = s.rows[q, 0], s.rows[q, 1], s.rows[q, 2]
    return (1 if n1 < COLUMNS else 0) | (2 if n2 < n1 else 0) | (4 if n3 < n2 else 0)


@inner
def army_count(s, q):
    """Cards in q's army, captured ones too."""
    return size(filled(s, q))


@inner
def level_of(R, c):
    """Row of a copy's level, from 0."""
    return R.level[face_of(R, c)] - 1
