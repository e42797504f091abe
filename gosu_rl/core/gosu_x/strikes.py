"""What texts do to cards in armies (Gosu X): capture, release, destroy, sacrifice and so on, tokens; the AIM frame."""

from __future__ import annotations

from gosu_rl.core.bits import U, add, lowest
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.army import size
from gosu_rl.core.gosu.piles import take_known
from gosu_rl.core.gosu.state import COLUMNS, SLOTS, TEXT
from gosu_rl.core.gosu_x.costs import army_count
from gosu_rl.core.gosu_x.counts import DONE, GONE, OWED, THAT_SHIFT, tokens_on, with_bounty
from gosu_rl.core.gosu_x.decks import note
from gosu_rl.core.gosu_x.entering import RESOLVED, start_text
from gosu_rl.core.gosu_x.rules import (
    TEXT_ALWAYS,
    X_BOUNTY,
    X_CAPTURE,
    X_DESTROY,
    X_ETHEREAL,
    X_MOVE_BOUNTY,
    X_RELEASE,
    X_REMOVE,
    X_RESOLVE,
    X_RETURN,
)
from gosu_rl.core.gosu_x.targets import aim_slots, declinable, text_at
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop

CAPTURED_COUNT, DESTROYED_COUNT, LOST_COUNT = 0, 1, 4  # places in `tally`


@inner
def drop_tokens(s, q, slot):
    """What lies on a card that is captured or leaves: Activation tokens are spent, the others go beside the board (X23)."""
    s.spent[q] += tokens_on(s, q, slot)
    keep = ~(1 << slot)
    s.marked[q] &= keep
    s.marked2[q] &= keep
    s.ether[q] &= keep
    if s.bounty == SLOTS * q + slot:
        s.bounty = -1


@inner
def leave_army(s, q, slot):
    """An OPEN card leaves q's army; its row stays packed. Returns the copy."""
    c = s.army[q, slot]
    for k in range(s.sp):  # should it come back, it is a new card for the texts at work (X51)
        if s.stack[k, 0] == TEXT:
            if s.stack[k, 3] == c:
                s.stack[k, 4] |= GONE
            if (s.stack[k, 5] >> THAT_SHIFT) & 127 == c + 1:
                s.stack[k, 5] &= ~(127 << THAT_SHIFT)
    drop_tokens(s, q, slot)
    s.army[q, slot] = -1
    s.rows[q, slot // COLUMNS] -= 1
    s.trapped[q] &= ~(1 << slot)
    return c


@inner
def sacrifice(s, q, slot):
    """Player q sacrifices an OPEN card: neither destroyed nor captured (X24)."""
    c = leave_army(s, q, slot)
    add(s.discard[q], c)


@inner
def hit(s, R, op, who, q, slot):
    """Do to the card in a slot of q's what a text of who's says: capture, release, destroy, return, remove, sacrifice."""
    if op == X_CAPTURE or op == X_DESTROY:
        if q != who and (with_bounty(s, R, q) >> slot) & 1 != 0:
            s.stack[text_at(s), 4] += OWED  # X24, X54
        note(s, who, CAPTURED_COUNT if op == X_CAPTURE else DESTROYED_COUNT, 1)
        note(s, q, LOST_COUNT, 1)
    if op == X_CAPTURE:
        drop_tokens(s, q, slot)
        s.trapped[q] |= 1 << slot
    elif op == X_RELEASE:
        s.trapped[q] &= ~(1 << slot)
    elif op == X_RETURN:
        take_known(s, q, leave_army(s, q, slot))
    elif op == X_REMOVE:
        add(s.removed[0], leave_army(s, q, slot))
    else:
        add(s.discard[q], leave_army(s, q, slot))


@inner
def hit_every(s, R, row, k):
    """A step with "every": the set is fixed first, then all at once; the highest slots first, so that rows stay packed (X29)."""
    who = s.stack[k, 1]
    zero = aim_slots(s, R, row, who, k, 0)
    one = aim_slots(s, R, row, who, k, 1)
    for slot in range(SLOTS - 1, -1, -1):
        if (zero >> slot) & 1 != 0:
            hit(s, R, R.code[row, 0], who, 0, slot)
        if (one >> slot) & 1 != 0:
            hit(s, R, R.code[row, 0], who, 1, slot)
    if zero | one != 0:
        s.stack[k, 5] |= DONE


@inner
def aim_at(s, R, q, slot):
    """A target of the AIM frame on top is chosen."""
    top = s.sp - 1
    row = s.stack[top, 2]
    op = R.code[row, 0]
    s.stack[top, 3] -= 1
    s.stack[top, 4] = 0
    if s.stack[top, 3] <= 0:
        pop(s)
    k = text_at(s)
    who = s.stack[k, 1]
    c = s.army[q, slot]
    s.stack[k, 5] = (s.stack[k, 5] & ~(127 << THAT_SHIFT)) | DONE | (c + 1) << THAT_SHIFT
    if op == X_RESOLVE:
        start_text(s, R, who, c, RESOLVED, R.prog[face_of(R, c), TEXT_ALWAYS])
    elif op == X_BOUNTY or op == X_MOVE_BOUNTY:
        s.bounty = SLOTS * q + slot
    elif op == X_ETHEREAL:
        s.ether[q] |= 1 << slot
    else:
        hit(s, R, op, who, q, slot)


@inner
def aim_settles(s, R):
    """Answer the AIM frame on top where public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    row = s.stack[top, 2]
    chooser = s.stack[top, 1]
    k = text_at(s)
    zero = aim_slots(s, R, row, chooser, k, 0)
    one = aim_slots(s, R, row, chooser, k, 1)
    targets = size(zero) + size(one)
    first = s.stack[top, 4]
    price = first != 0 and declinable(R, row, 1) and not declinable(R, row, 0)
    if targets == 0 or (price and army_count(s, chooser) < s.stack[top, 3]):
        pop(s)
        return True
    if targets > 1 or declinable(R, row, first):
        return False
    if zero != 0:
        aim_at(s, R, 0, lowest(U(zero)))
    else:
        aim_at(s, R, 1, lowest(U(one)))
    return True
