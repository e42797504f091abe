"""Actions in their windows: who is asked, announcing, answering, carrying out (E30, E31, E39)."""

from __future__ import annotations

from gosu_rl.core.bits import add, remove
from gosu_rl.core.copies import face_of
from gosu_rl.core.epic_death.piles import hand_copy, leave_hand
from gosu_rl.core.epic_death.state import ACTION, ANSWER, ANSWERS, ASKING, FROM_CARD, IN_FRAY, RUN, WINDOW
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push


@inner
def announce(s, R, q, f):
    """Player q announces an Action of face f: it lies aside until it is done."""
    c = hand_copy(s, R, q, f)
    leave_hand(s, q, c)
    add(s.aside[0], c)
    push(s, ACTION, q, c, 0, 0, 0)


@inner
def carry_out(s, R):
    """Carry the ACTION frame on top a bit further: ask for answers, do its steps, discard it."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    stage = s.stack[top, 3]
    cancelled = s.stack[top, 4] != 0
    s.stack[top, 3] = stage + 1
    if stage == 0:
        if R.cancels != 0:
            push(s, ANSWERS, who, 1, 0, 0, 0)
    elif stage == 1 and not cancelled:
        push(s, RUN, who, R.prog[face_of(R, c)], FROM_CARD, c, who)
    else:
        pop(s)
        remove(s.aside[0], c)
        add(s.discard[0], c)


@inner
def ask_for_answers(s):
    """The ANSWERS frame on top asks the next player with a card in hand, clockwise, until one has cancelled the Action below."""
    top = s.sp - 1
    who = s.stack[top, 1]
    following = s.stack[top, 2]
    if following >= s.n or s.stack[top - 1, 4] != 0:
        pop(s)
        return
    s.stack[top, 2] = following + 1
    q = (who + following) % s.n
    if s.hand_size[q] > 0:
        push(s, ANSWER, q, 0, 0, 0, 0)


@inner
def cancel_below(s):
    """The Action whose cancel is being carried out cancels the Action under it."""
    k = s.sp - 1
    while s.stack[k, 0] != ACTION:
        k -= 1
    k -= 1
    while k >= 0:
        if s.stack[k, 0] == ACTION:
            s.stack[k, 4] = 1
            return
        k -= 1


@inner
def ask_around(s):
    """The ASKING frame on top asks the next player, clockwise; it ends when all have declined in a row (E30)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    following = s.stack[top, 2]
    if s.stack[top, 3] >= s.n:
        pop(s)
        return
    q = (who + following) % s.n
    s.stack[top, 2] = (following + 1) % s.n
    s.stack[top, 3] += 1  # a decline, unless he plays a card
    if s.hand_size[q] > 0 and not kept_out(s, q):
        push(s, WINDOW, q, 0, 0, 0, 0)


@inner
def kept_out(s, q):
    """Whether q may play no Action in the fight going on, since a fighter is guarded against him (E61)."""
    if q == s.attacker or (s.fight == IN_FRAY and q == s.defender):
        return False
    return s.guarded[s.attacker] != 0 or (s.fight == IN_FRAY and s.guarded[s.defender] != 0)


@inner
def play_in_window(s, R, q, f):
    """The WINDOW decision on top is answered by a card: the declines are counted anew."""
    pop(s)
    s.stack[s.sp - 1, 3] = 0
    announce(s, R, q, f)


@inner
def open_windows(s):
    """Ask everybody for Actions before a comparison."""
    push(s, ASKING, s.active, 0, 0, 0, 0)
