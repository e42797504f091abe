"""Conditions: what "if" in a power asks, and what makes an Ôzeki win outright.

A condition is one number, its place in CONDITIONS + 16 × its operand (rules.py). All are public facts.
"""

from __future__ import annotations

from gosu_rl.core.bits import U, count, lowest, popcount
from gosu_rl.core.cards.powers import CONDITIONS
from gosu_rl.core.gosu.army import clans_in_army, face_in, filled, row_mask
from gosu_rl.core.gosu.rules import BONUS, END, WIN
from gosu_rl.core.gosu.state import CONDITION
from gosu_rl.core.gosu.turns import finish
from gosu_rl.core.jit import inner

# In the order of CONDITIONS.
BEHIND, ADVANTAGE, HAND, FOES_HAND, PILE, ARMY, FOES_ARMY, CLANS_UP, FOES_TRAPPED, NAMES = range(10)
assert len(CONDITIONS) == 10


@inner
def army_size(s, q):
    """Goblins in an army, trapped ones too."""
    return s.rows[q, 0] + s.rows[q, 1] + s.rows[q, 2]


@inner
def behind(s, q):
    """Whether some opponent has more Victory Points (G6)."""
    most = s.points[q]
    for other in range(s.n):
        most = max(most, s.points[other])
    return most > s.points[q]


@inner
def amount(s, q, x):
    """The number "n (+m)" for player q at this moment (G6, G18)."""
    n = x % BONUS
    return n + x // BONUS if x >= BONUS and behind(s, q) else n


@inner
def holds(s, R, q, condition):
    """Whether a condition holds for player q."""
    which = condition % 16
    bound = condition // 16
    if which == BEHIND:
        return behind(s, q)
    if which == ADVANTAGE:
        return s.adv == q
    if which == HAND:
        return s.hand_size[q] >= bound
    if which == PILE:
        return count(s.discard[0]) >= bound
    if which == ARMY:
        return army_size(s, q) >= bound
    if which == CLANS_UP:
        return popcount(U(clans_in_army(s, R, q))) >= bound
    if which == NAMES:
        return has_names(s, R, q, bound)
    most_cards = 0
    most_goblins = 0
    trapped = 0
    for other in range(s.n):
        if other != q:
            most_cards = max(most_cards, s.hand_size[other])
            most_goblins = max(most_goblins, army_size(s, other))
            trapped += popcount(U(s.trapped[other] & goblins(s, other)))
    if which == FOES_HAND:
        return most_cards <= bound
    if which == FOES_ARMY:
        return most_goblins <= bound
    return trapped >= bound


@inner
def goblins(s, q):
    """Slots with a goblin in them: not one that waits for the replacement of a mutation (G20)."""
    slots = filled(s, q)
    rest = slots
    while rest != 0:
        slot = lowest(U(rest))
        rest &= rest - 1
        if s.army[q, slot] < 0:
            slots &= ~(1 << slot)
    return slots


@inner
def has_names(s, R, q, group):
    """Whether a copy of every face of a list of names is in q's army, face up or trapped (G16)."""
    missing0, missing1 = R.clan_faces[group, 0], R.clan_faces[group, 1]
    slots = goblins(s, q)
    while slots != 0:
        f = face_in(s, R, q, lowest(U(slots)))
        slots &= slots - 1
        bit = U(1) << U(f & 63)
        if f < 64:
            missing0 &= ~bit
        else:
            missing1 &= ~bit
    return missing0 | missing1 == U(0)


@inner
def check_conditions(s, R):
    """The game ends if a face-up Ôzeki's conditions of winning hold (G8); the active player's first, then clockwise (G16)."""
    for k in range(s.n):
        q = (s.active + k) % s.n
        slots = row_mask(s, q, 2) & ~s.trapped[q]
        while slots != 0:
            row = R.prog[face_in(s, R, q, lowest(U(slots))), WIN]
            slots &= slots - 1
            if row != 0 and all_hold(s, R, q, row):
                s.win[q] = 1
                finish(s, CONDITION)
                return


@inner
def all_hold(s, R, q, row):
    """Whether all conditions of the program at `row` hold."""
    while R.code[row, 0] != END:
        if not holds(s, R, q, R.code[row, 2]):
            return False
        row += 1
    return True
