"""The field: where Armies stand, where they may go, and what happens when they get there (E22, E26, E28, E37)."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, lowest, popcount
from gosu_rl.core.epic_death.state import FLEE, FRAY
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import push


@inner
def space_bit(space):
    """The set of one space."""
    return ONE << U(space)


@inner
def on_land(s, q):
    """Whether q's Army stands on a Land."""
    return s.lands & space_bit(s.at[q]) != ZERO


@inner
def occupied(s):
    """Spaces with an Army."""
    mask = ZERO
    for q in range(s.n):
        mask |= space_bit(s.at[q])
    return mask


@inner
def other_there(s, q, space):
    """The seat whose Army, not q's, stands on a space; -1 if there is none."""
    for other in range(s.n):
        if other != q and s.at[other] == space:
            return other
    return -1


@inner
def has_fought(s, q, other):
    """Whether the two Armies have fought in this turn."""
    return (s.fought[q] >> other) & 1 != 0


@inner
def open_near(s, R, q):
    """Neighbouring spaces into which q's Army may go of its own will: none with an Army that it has fought in this turn (E26)."""
    found = R.near[s.at[q]]
    for other in range(s.n):
        if other != q and has_fought(s, q, other):
            found &= ~space_bit(s.at[other])
    return found


@inner
def nearest_free(s, R, q):
    """The unoccupied spaces that are the fewest steps from q's."""
    taken = occupied(s)
    seen = space_bit(s.at[q])
    frontier = seen
    while frontier != ZERO:
        around = ZERO
        while frontier != ZERO:
            around |= R.near[lowest(frontier)]
            frontier &= frontier - ONE
        frontier = around & ~seen
        seen |= frontier
        if frontier & ~taken != ZERO:
            return frontier & ~taken
    return ZERO


@inner
def settle_army(s, q, space):
    """Put q's Army on a space; it may retreat to where it came from, if it stands on a Land now (E22)."""
    came_from = s.at[q]
    s.at[q] = space
    s.back[q] = came_from if on_land(s, q) else -1


@inner
def send(s, q, space):
    """Bring q's Army to a space: into an occupied one it is a Fray, unless the two have fought in this turn (E26, E37)."""
    other = other_there(s, q, space)
    if other < 0:
        settle_army(s, q, space)
    elif has_fought(s, q, other):
        push(s, FLEE, q, 1, 0, 0, 0)
    else:
        came_from = s.at[q]
        settle_army(s, q, space)
        push(s, FRAY, q, other, 0, came_from, 0)


@inner
def show(s, space):
    """A Land is turned face up; nobody need remember to have looked at it."""
    bit = space_bit(space)
    s.face_up |= bit
    for q in range(s.n):
        s.peeked[q] &= ~bit


@inner
def hidden_near(s, R, q):
    """Face-down Lands beside q's Army."""
    return R.near[s.at[q]] & s.lands & ~s.face_up


@inner
def single(mask):
    """Whether a set has exactly one member."""
    return popcount(mask) == 1
