"""What may be done: the legal set of the decision on top of the stack.

Whether a decision is put at all depends on public facts only (E48); `step.py` sees to that. What is legal in it may depend on the
mover's own hand.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, emit, lowest
from gosu_rl.core.copies import faces_word
from gosu_rl.core.epic_death.actions import (
    ABILITY,
    DECLINE,
    DONE,
    DRAW_NONE,
    EPIC_DEATH,
    FIGHT,
    PASS,
    STAY,
)
from gosu_rl.core.epic_death.armies import crew_cost, empty_machines, faces_of, hero_cost, working_machines
from gosu_rl.core.epic_death.effects import takeable, victims
from gosu_rl.core.epic_death.field import hidden_near, nearest_free, open_near
from gosu_rl.core.epic_death.maneuvers import swappable, swappable_with
from gosu_rl.core.epic_death.rules import HERO_CARD, MACHINE_CARD, W_A, W_ANSWER, W_B, W_COMBAT, W_D, W_FRAY, W_TOSS
from gosu_rl.core.epic_death.state import (
    AFTER_TOSS,
    ANSWER,
    CREW,
    DISCARD,
    EPIC,
    FLEE,
    LOSE,
    MARCH,
    MUSTER,
    OFF,
    ON_LAND,
    PEEK,
    REGROUP,
    REINFORCE,
    STEP,
    SWAP_LAND,
    SWAP_WITH,
    TAKE,
    TOSS,
    TURN_UP,
    VICTIM,
    WINDOW,
)
from gosu_rl.core.epic_death.turns import can_reinforce, march_spaces, may_use_ability
from gosu_rl.core.jit import inner
from gosu_rl.core.legal_set import allow, clear


@inner
def hand_faces(s, R, q):
    """Faces of q's hand, as one word."""
    return faces_word(R, s.hand[q, 0], s.hand[q, 1], 0)


@inner
def affordable(s, R, q, faces):
    """Those of some faces of Heroes and Machines that loose tokens can pay for."""
    found = ZERO
    while faces != ZERO:
        f = lowest(faces)
        faces &= faces - ONE
        cost = hero_cost(s, R, q, f) if R.card_sort[f] == HERO_CARD else crew_cost(s, R, q, f)
        if cost <= s.tokens[q]:
            found |= ONE << U(f)
    return found


@inner
def picks(s, R):
    """Faces that the CREW, OFF, TOSS or LOSE decision on top chooses from, as one word."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if s.stack[top, 0] == CREW:
        return empty_machines(s, R, who)
    if s.stack[top, 0] == OFF:
        return working_machines(s, R, s.attacker)
    return faces_of(s, R, who, s.stack[top, 2])


@inner
def spaces(s, R):
    """Spaces that the decision on top chooses from; none for one that is not about spaces."""
    top = s.sp - 1
    op = s.stack[top, 0]
    who = s.stack[top, 1]
    if op == MARCH:
        return march_spaces(s, R, who, s.stack[top, 2])
    if op == STEP:
        return R.near[s.at[s.stack[top, 2]]]
    if op == PEEK or op == TURN_UP:
        return hidden_near(s, R, s.stack[top, 2])
    if op == SWAP_LAND:
        return swappable(s, R)
    if op == SWAP_WITH:
        return swappable_with(s, R, s.stack[top, 2])
    if op == FLEE:
        near = open_near(s, R, who) if s.stack[top, 2] == 0 else ZERO
        return near if near != ZERO else nearest_free(s, R, who)
    return ZERO


@inner
def window_of(s, op):
    """The window that a decision is, as an index of WINDOWS."""
    if op == MUSTER:
        return W_A
    if op == MARCH:
        return W_B
    if op == REGROUP:
        return W_D
    if op == ANSWER:
        return W_ANSWER
    if op == AFTER_TOSS:
        return W_TOSS
    return W_COMBAT if s.fight == ON_LAND else W_FRAY


@inner
def allow_cards(s, R, who, op):
    """Cards that may be played: Actions of the window, and in Phase A Heroes and Machines that can be paid for."""
    hand = hand_faces(s, R, who)
    playable = hand & R.window_faces[window_of(s, op)]
    if op == MUSTER:
        playable |= affordable(s, R, who, hand & (R.sort_faces[HERO_CARD] | R.sort_faces[MACHINE_CARD]))
    emit(s.legal, playable, R.o_play)


@inner
def fill_legal(s, R):
    """Write the legal set of the decision on top."""
    clear(s)
    top = s.sp - 1
    op = s.stack[top, 0]
    who = s.stack[top, 1]
    if op == REINFORCE:
        for k in range(can_reinforce(s, R) + 1):
            allow(s, DRAW_NONE + k)
    elif op == MUSTER or op == REGROUP or op == MARCH:
        allow(s, STAY if op == MARCH else DONE)
        emit(s.legal, spaces(s, R), R.o_space)
        if op != MARCH or s.stack[top, 2] == 0:
            allow_cards(s, R, who, op)
            if may_use_ability(s, R, who):
                allow(s, ABILITY)
    elif op == WINDOW or op == ANSWER or op == AFTER_TOSS:
        allow(s, PASS)
        allow_cards(s, R, who, op)
    elif op == CREW:
        allow(s, DECLINE)
        emit(s.legal, picks(s, R), R.o_pick)
    elif op == EPIC:
        allow(s, EPIC_DEATH)
        allow(s, FIGHT)
    elif op == TOSS or op == LOSE or op == OFF:
        emit(s.legal, picks(s, R), R.o_pick)
    elif op == DISCARD:
        emit(s.legal, hand_faces(s, R, who), R.o_discard)
    elif op == VICTIM:
        emit(s.legal, U(victims(s)), R.o_player)
    elif op == TAKE:
        emit(s.legal, takeable(s, R, s.stack[top, 2]), R.o_take)
    else:
        if op == STEP and s.stack[top, 4] != 0:
            allow(s, STAY)
        emit(s.legal, spaces(s, R), R.o_space)
