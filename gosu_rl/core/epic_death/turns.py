"""The turn: Phases A to D, one after another, as stages of the TURNS frame at the bottom of the stack."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, add
from gosu_rl.core.epic_death.armies import drop_empty, gain, hero_cost, put_crew, traits
from gosu_rl.core.epic_death.field import occupied, on_land, open_near, other_there, send
from gosu_rl.core.epic_death.piles import cards_left, draw, hand_copy, leave_hand
from gosu_rl.core.epic_death.rules import ACTION_CARD, BIG_POCKETS, FORAGER, HERO_CARD, PATHFINDER
from gosu_rl.core.epic_death.state import (
    COMBAT,
    CREW,
    DISCARD,
    FROM_LEADER,
    MARCH,
    MUSTER,
    REGROUP,
    REINFORCE,
    RUN,
)
from gosu_rl.core.epic_death.windows import announce
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push

PHASE_A, PHASE_B, PHASE_C, PHASE_D = range(4)
# Stages of the TURNS frame: what comes next.
DRAWING, MUSTERING, MARCHING, FIGHTING, REGROUPING, REFITTING, DISCARDING, NEXT_TURN = range(8)


@inner
def begin_turn(s):
    """A turn of the active player begins."""
    s.phase = PHASE_A
    s.used = 0
    s.frayed = 0
    s.turns += 1
    s.guarded[s.active] = 0
    for q in range(s.n):
        s.fought[q] = 0
        s.freed[q] = 0


@inner
def turn_on(s, R):
    """Carry the TURNS frame on top to its next stage."""
    top = s.sp - 1
    stage = s.stack[top, 2]
    who = s.active
    s.stack[top, 2] = stage + 1
    if stage == DRAWING:
        begin_turn(s)
        push(s, REINFORCE, who, 0, 0, 0, 0)
    elif stage == MUSTERING:
        push(s, MUSTER, who, 0, 0, 0, 0)
    elif stage == MARCHING:
        s.phase = PHASE_B
        push(s, MARCH, who, 0, 0, 0, 0)
    elif stage == FIGHTING:
        s.phase = PHASE_C
        skipped = s.no_combat[who] != 0
        s.no_combat[who] = 0
        if on_land(s, who) and s.frayed == 0 and not skipped:
            push(s, COMBAT, who, 0, 0, 0, 0)
    elif stage == REGROUPING:
        s.phase = PHASE_D
        push(s, REGROUP, who, 0, 0, 0, 0)
    elif stage == REFITTING:
        push(s, CREW, who, 0, 0, 0, 0)
    elif stage == DISCARDING:
        drop_empty(s, R, who)
        push(s, DISCARD, who, s.hand_size[who] - hand_limit(s, R, who), 0, 0, 0)
    else:
        s.stack[top, 2] = DRAWING
        s.active = (who + 1) % s.n
        if s.active == s.adv:
            s.rnd += 1


@inner
def hand_limit(s, R, q):
    """Cards that q may keep at the end of the turn (E29)."""
    return R.hand_limit + (1 if traits(s, R, q) & BIG_POCKETS != 0 else 0)


@inner
def reinforce(s, R, q, k):
    """Phase A: draw k cards, take a token for each that is not drawn (E2, E12)."""
    draw(s, q, k)
    gain(s, q, R.reinforcements - k)
    if k == 0 and traits(s, R, q) & FORAGER != 0:
        gain(s, q, 1)


@inner
def can_reinforce(s, R):
    """Most cards that may be chosen in Phase A (E12)."""
    return min(R.reinforcements, cards_left(s))


@inner
def play_from_menu(s, R, q, f):
    """A Hero, Machine or Action from the hand, in a menu of the own turn (E12)."""
    if R.card_sort[f] == ACTION_CARD:
        announce(s, R, q, f)
        return
    c = hand_copy(s, R, q, f)
    cost = hero_cost(s, R, q, f)  # before the card is in play: it gives its own trait no discount
    leave_hand(s, q, c)
    if R.card_sort[f] == HERO_CARD:
        s.tokens[q] -= cost
        s.pool += cost
        add(s.army[q], c)
    else:
        put_crew(s, R, q, c)
        add(s.army[q], c)


@inner
def may_use_ability(s, R, q):
    """Whether q, who has a menu before him, may use his Leader's ability (E33)."""
    i = s.leader[q]
    window = 0 if s.phase == PHASE_A else 1 if s.phase == PHASE_B else 2  # a, b, d
    return (
        R.leader_prog[i] != 0
        and s.used == 0
        and (R.leader_when[i] >> window) & 1 != 0
        and s.hand_size[q] >= R.leader_price[i]
    )


@inner
def use_ability(s, R, q):
    """The Leader's ability, once a turn."""
    s.used = 1
    push(s, RUN, q, R.leader_prog[s.leader[q]], FROM_LEADER, s.leader[q], q)


@inner
def march_spaces(s, R, q, second):
    """Spaces to which q's Army may move in Phase B besides staying (E36)."""
    if second != 0:
        return free_ground(s, R, q)
    return ZERO if on_land(s, q) else open_near(s, R, q)


@inner
def free_ground(s, R, q):
    """Neighbouring spaces without a Land and without an Army."""
    return R.near[s.at[q]] & ~s.lands & ~occupied(s)


@inner
def march(s, R, q, space, second):
    """The move of Phase B; a pathfinder on free ground may go on (docs/cards.md)."""
    pop(s)
    free = (s.lands >> U(space)) & ONE == ZERO and other_there(s, q, space) < 0
    s.frayed = 0  # a Fray of this turn is left behind (E38)
    send(s, q, space)
    if free and second == 0 and traits(s, R, q) & PATHFINDER != 0 and free_ground(s, R, q) != ZERO:
        push(s, MARCH, q, 1, 0, 0, 0)
