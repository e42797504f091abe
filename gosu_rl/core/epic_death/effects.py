"""What cards, Lands and abilities do: one small interpreter over rows of code (`rules.py`), and what each choice made for
them does.

A RUN frame (who, row, source, index, subject) walks through a program. A row that needs a choice pushes the decision's frame and
stops; the frame is popped when it is answered, and the RUN goes on.
"""

from __future__ import annotations

from gosu_rl.core.copies import faces_word
from gosu_rl.core.epic_death.armies import drop_card, gain, lose_loose, pick_copy, turn_off
from gosu_rl.core.epic_death.combat import fighting, take_conquest
from gosu_rl.core.epic_death.conditions import holds
from gosu_rl.core.epic_death.field import space_bit
from gosu_rl.core.epic_death.maneuvers import break_off, swap_armies
from gosu_rl.core.epic_death.piles import discard_random, draw, steal_card, take_back
from gosu_rl.core.epic_death.rules import (
    END,
    OP_ATTACK,
    OP_CANCEL,
    OP_CHOOSE,
    OP_DEFENSE,
    OP_DISCARD,
    OP_DISCARD_RANDOM,
    OP_DRAW,
    OP_GAIN,
    OP_GUARD,
    OP_KILL_TOSS,
    OP_LOSE,
    OP_LOSE_HERO,
    OP_LOSE_MACHINE,
    OP_MACHINE_OFF,
    OP_MOVE,
    OP_NO_COMBAT,
    OP_NO_REQUIREMENT,
    OP_PEEK,
    OP_RETOSS,
    OP_RETREAT_NOW,
    OP_SAVE,
    OP_STEAL_CARD,
    OP_STEAL_CONQUEST,
    OP_STEAL_TOKEN,
    OP_SWAP_ARMIES,
    OP_SWAP_LANDS,
    OP_TAKE_BACK,
    OP_TURN_UP,
)
from gosu_rl.core.epic_death.state import (
    DISCARD,
    FOR_ANY,
    FOR_CARD,
    FOR_CONQUEST,
    FOR_FIGHTER,
    FOR_OTHER,
    FOR_TOKEN,
    FROM_CARD,
    HERO,
    LOSE,
    MACHINE,
    OFF,
    ON_LAND,
    PEEK,
    RUN,
    STEP,
    SWAP_LAND,
    TAKE,
    TOKEN,
    TURN_UP,
    VICTIM,
)
from gosu_rl.core.epic_death.tosses import come_back, toss_again
from gosu_rl.core.epic_death.windows import cancel_below
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push


@inner
def run(s, R):
    """Carry out one row of the RUN frame on top of the stack."""
    top = s.sp - 1
    who = s.stack[top, 1]
    row = s.stack[top, 2]
    subject = s.stack[top, 5]
    op = R.code[row, 0]
    x = R.code[row, 1]
    s.stack[top, 2] = row + 1
    if op == END:
        pop(s)
    elif not holds(s, R, row, subject):  # the step is left out
        return
    elif op == OP_GAIN:
        gain(s, subject, x)
    elif op == OP_LOSE:
        loose = min(x, s.tokens[subject])
        lose_loose(s, subject, loose)
        if x > loose:
            push(s, LOSE, subject, TOKEN, x - loose, 0, 0)
    elif op == OP_DRAW:
        draw(s, subject, x)
    elif op == OP_DISCARD:
        push(s, DISCARD, subject, x, 0, 0, 0)
    elif op == OP_LOSE_HERO:
        push(s, LOSE, subject, HERO, 1, 0, 0)
    elif op == OP_LOSE_MACHINE:
        push(s, LOSE, subject, MACHINE, 1, 0, 0)
    elif op == OP_STEAL_TOKEN:
        push(s, VICTIM, who, FOR_TOKEN, x, 0, 0)
    elif op == OP_STEAL_CARD:
        push(s, VICTIM, who, FOR_CARD, 1, 0, 0)
    elif op == OP_STEAL_CONQUEST:
        push(s, VICTIM, who, FOR_CONQUEST, 1, 0, 0)
    elif op == OP_CHOOSE:
        push(s, VICTIM, who, x, 0, 0, 0)
    elif op == OP_MOVE:
        push(s, STEP, who, subject, x - 1, 0, 0)
    elif op == OP_PEEK:
        push(s, PEEK, who, subject, 0, 0, 0)
    elif op == OP_TAKE_BACK:
        push(s, TAKE, subject, x, subject, 0, 0)
    elif op == OP_ATTACK:
        if fighting(s, subject):
            s.attack_plus[subject] += x
    elif op == OP_DEFENSE:
        if s.fight == ON_LAND:  # it may have been broken off by this very card
            s.defense_plus += x
    elif op == OP_NO_REQUIREMENT:
        if s.fight == ON_LAND:
            s.open_door = 1
    elif op == OP_SAVE:
        come_back(s, subject, x)
    elif op == OP_RETOSS:
        toss_again(s, subject, x)
    elif op == OP_CANCEL:
        cancel_below(s)
    elif op == OP_DISCARD_RANDOM:
        discard_random(s, R, subject, x)
    else:
        bend(s, R, op, who, subject, x)


@inner
def bend(s, R, op, who, subject, x):
    """The steps that bend the course of a combat, of the field or of the turn (E55 to E64)."""
    if op == OP_MACHINE_OFF:
        if s.fight == ON_LAND:
            push(s, OFF, who, 0, 0, 0, 0)
    elif op == OP_KILL_TOSS:
        if fighting(s, subject):
            s.extra_tosses[subject] += x
    elif op == OP_RETREAT_NOW:
        if s.fight == ON_LAND:
            break_off(s)
    elif op == OP_SWAP_ARMIES:
        swap_armies(s, who, subject)
    elif op == OP_TURN_UP:
        push(s, TURN_UP, who, subject, 0, 0, 0)
    elif op == OP_SWAP_LANDS:
        push(s, SWAP_LAND, who, 0, 0, 0, 0)
    elif op == OP_NO_COMBAT:
        s.no_combat[subject] = 1
    elif op == OP_GUARD:
        s.guarded[subject] = 1


@inner
def victims(s):
    """Mask of the seats that may be named in the VICTIM decision on top."""
    top = s.sp - 1
    who = s.stack[top, 1]
    purpose = s.stack[top, 2]
    by_action = s.stack[top - 1, 0] == RUN and s.stack[top - 1, 3] == FROM_CARD
    mask = 0
    for q in range(s.n):
        if (
            q == who and purpose != FOR_ANY and purpose != FOR_FIGHTER
        ):  # who must name another cannot name himself (E33)
            continue
        if (
            (purpose == FOR_TOKEN and s.tokens[q] == 0)
            or (purpose == FOR_CARD and s.hand_size[q] == 0)
            or (purpose == FOR_CONQUEST and s.piled[q] == 0)
            or (purpose == FOR_FIGHTER and not fighting(s, q))
        ):
            continue
        if by_action and q != who and s.guarded[q] != 0:  # E61
            continue
        mask |= 1 << q
    return mask


@inner
def name_victim(s, R, q):
    """Player q is named by the VICTIM decision on top."""
    top = s.sp - 1
    who = s.stack[top, 1]
    purpose = s.stack[top, 2]
    amount = s.stack[top, 3]
    pop(s)
    if purpose == FOR_TOKEN:
        k = min(amount, s.tokens[q])
        s.tokens[q] -= k
        s.tokens[who] += k
    elif purpose == FOR_CARD:
        steal_card(s, R, who, q)
    elif purpose == FOR_CONQUEST:
        take_conquest(s, R, who, q)
    elif purpose >= FOR_OTHER:
        s.stack[s.sp - 1, 5] = q  # the subject of the RUN below


@inner
def nobody_named(s, R):
    """Nobody can be named in the VICTIM decision on top: what was about him, up to the next `choose`, is left out (E61)."""
    purpose = s.stack[s.sp - 1, 2]
    pop(s)
    if purpose >= FOR_OTHER:
        top = s.sp - 1
        while R.code[s.stack[top, 2], 0] != END and R.code[s.stack[top, 2], 0] != OP_CHOOSE:
            s.stack[top, 2] += 1


@inner
def lose_face(s, R, f):
    """The LOSE decision on top: a Hero or Machine is discarded, or a crew token goes."""
    top = s.sp - 1
    who = s.stack[top, 1]
    what = s.stack[top, 2]
    s.stack[top, 3] -= 1
    if s.stack[top, 3] == 0:
        pop(s)
    c = pick_copy(s, R, who, f, what)
    if what == TOKEN:
        s.crew[c] -= 1
        s.pool += 1
    else:
        drop_card(s, who, c)


@inner
def takeable(s, R, sort):
    """Faces of the discard pile of one sort of card (-1: any), as one word."""
    found = faces_word(R, s.discard[0, 0], s.discard[0, 1], 0)
    return found if sort < 0 else found & R.sort_faces[sort]


@inner
def take(s, R, f):
    """The TAKE decision on top is answered."""
    owner = s.stack[s.sp - 1, 3]
    pop(s)
    take_back(s, R, owner, f)


@inner
def machine_off(s, R, f):
    """The OFF decision on top is answered: that Machine does not count in this combat."""
    pop(s)
    turn_off(s, R, s.attacker, f)


@inner
def look_at(s, space):
    """The PEEK decision on top is answered: its player knows that Land now."""
    who = s.stack[s.sp - 1, 1]
    pop(s)
    s.peeked[who] |= space_bit(space)
