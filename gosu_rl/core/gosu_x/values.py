"""Military value in Gosu X: what each card and each army is worth at the Battle (X43)."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.gosu.army import face_in, face_up
from gosu_rl.core.gosu.state import FACES
from gosu_rl.core.gosu_x.counts import all_compare, amount_of, has_card, select, with_keyword
from gosu_rl.core.gosu_x.rules import K_VETERAN, TO_ARMY, TO_SELF, V_AMOUNT, V_FILTER, V_IF, V_SIGN, V_SOURCE, V_TO
from gosu_rl.core.jit import inner


@inner
def value_at(s, R, k, who, c):
    """What value row k of who's card c (-1: a tile) adds now; 0 where its condition does not hold."""
    row = R.values[k, V_IF]
    if row != 0 and not all_compare(s, R, row, who, c):
        return 0
    return R.values[k, V_SIGN] * amount_of(s, R, R.values[k, V_AMOUNT], who, c, 0)


@inner
def standing_values(s, R):
    """Mask of the value rows whose card lies face up in an army, or whose tile is active."""
    mask = ZERO
    for k in range(R.n_values):
        source = R.values[k, V_SOURCE]
        if source >= FACES:
            there = (s.tiles >> (source - FACES)) & 1
        else:
            there = has_card(s, R, 0, source) + has_card(s, R, 1, source)
        if there > 0:
            mask |= ONE << U(k)
    return mask


@inner
def army_value(s, R, q):
    """Military value of q's army: each face-up card with what changes it, Veterans with a token twice (X43), then army bonuses."""
    standing = standing_values(s, R)
    veterans = with_keyword(s, R, q, K_VETERAN) & (s.marked[q] | s.marked2[q])
    total = 0
    slots = face_up(s, q)
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        f = face_in(s, R, q, slot)
        value = R.strength[f]
        rest = standing
        while rest != ZERO:
            k = lowest(rest)
            rest &= rest - ONE
            to = R.values[k, V_TO]
            if to == TO_SELF:
                if R.values[k, V_SOURCE] == f:
                    value += value_at(s, R, k, q, s.army[q, slot])
            elif to != TO_ARMY:
                value += value_from_others(s, R, k, q, slot)
        value = max(0, value)
        total += 2 * value if (veterans >> slot) & 1 != 0 else value
    while standing != ZERO:
        k = lowest(standing)
        standing &= standing - ONE
        if R.values[k, V_TO] == TO_ARMY:
            total += army_bonus(s, R, k, q)
    return total


@inner
def value_from_others(s, R, k, q, slot):
    """What value row k ("each …") adds to the card in a slot of q's, from every face-up copy of its card in both armies."""
    total = 0
    for who in range(2):
        sources = face_up(s, who)
        while sources != 0:
            at = lowest(U(sources))
            sources &= sources - 1
            if face_in(s, R, who, at) == R.values[k, V_SOURCE]:
                c = s.army[who, at]
                if (select(s, R, R.values[k, V_FILTER], who, c, 0, q) >> slot) & 1 != 0:
                    total += value_at(s, R, k, who, c)
    return total


@inner
def army_bonus(s, R, k, q):
    """What value row k ("army …") adds to q's total: from a tile, or from each face-up copy of its card."""
    source = R.values[k, V_SOURCE]
    if source >= FACES:
        return value_at(s, R, k, q, -1)
    total = 0
    slots = face_up(s, q)
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        if face_in(s, R, q, slot) == source:
            total += value_at(s, R, k, q, s.army[q, slot])
    return total
