"""Steps about the field and the course of the turn: Armies that go several spaces or change places, Lands that are turned up or
change places, a combat that is broken off (E57, E58, E59, E63, E64)."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.epic_death.combat import BROKEN_OFF, retreat
from gosu_rl.core.epic_death.field import occupied, other_there, send, show, space_bit
from gosu_rl.core.epic_death.state import ASKING, COMBAT, STEP, SWAP_WITH
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push


@inner
def move_to(s, space):
    """The STEP decision on top is answered: the Army goes there, and may go on unless it met another Army."""
    top = s.sp - 1
    who = s.stack[top, 1]
    army = s.stack[top, 2]
    more = s.stack[top, 3]
    pop(s)
    if army == s.active:
        s.frayed = 0  # a Fray of this turn is left behind (E38)
    if more > 0 and other_there(s, army, space) < 0:
        push(s, STEP, who, army, more - 1, 1, 0)
    send(s, army, space)


@inner
def swap_armies(s, a, b):
    """Two Armies change places; there is no Fray, and neither has a space to retreat to."""
    if a == b:
        return
    there = s.at[a]
    s.at[a] = s.at[b]
    s.at[b] = there
    s.back[a] = -1
    s.back[b] = -1
    if a == s.active or b == s.active:
        s.frayed = 0


@inner
def break_off(s):
    """The combat going on is over without tosses, and the active Army retreats; whoever was to be asked is not."""
    k = s.sp - 1
    while s.stack[k, 0] != COMBAT:
        if s.stack[k, 0] == ASKING:
            s.stack[k, 3] = s.n  # all have declined
        k -= 1
    s.stack[k, 2] = BROKEN_OFF
    retreat(s, s.stack[k, 1])


@inner
def turn_up(s, space):
    """The TURN_UP decision on top is answered: that Land lies face up."""
    pop(s)
    show(s, space)


@inner
def lying_idle(s, R, terrain):
    """Face-down Lands of a terrain on which no Army stands."""
    found = ZERO
    left = s.lands & ~s.face_up & ~occupied(s)
    while left != ZERO:
        space = lowest(left)
        left &= left - ONE
        if R.terrain[space] == terrain:
            found |= space_bit(space)
    return found


@inner
def swappable(s, R):
    """Face-down Lands without an Army that could change places with another of their terrain."""
    found = ZERO
    for terrain in range(4):
        idle = lying_idle(s, R, terrain)
        if idle & (idle - ONE) != ZERO:  # two or more
            found |= idle
    return found


@inner
def swappable_with(s, R, first):
    """The Lands with which the one on space `first` may change places."""
    return lying_idle(s, R, R.terrain[first]) & ~space_bit(first)


@inner
def choose_first(s, space):
    """The SWAP_LAND decision on top is answered: with which one that Land changes places is asked next."""
    who = s.stack[s.sp - 1, 1]
    pop(s)
    push(s, SWAP_WITH, who, space, 0, 0, 0)


@inner
def swap_lands(s, b):
    """The SWAP_WITH decision on top is answered: two Lands change places, and with them who has looked at them."""
    a = s.stack[s.sp - 1, 2]
    pop(s)
    land = s.land[a]
    s.land[a] = s.land[b]
    s.land[b] = land
    for q in range(s.n):
        differ = ((s.peeked[q] >> U(a)) ^ (s.peeked[q] >> U(b))) & ONE
        s.peeked[q] ^= (differ << U(a)) | (differ << U(b))
