"""Powers: one small interpreter over rows of code (`rules.py`), and what each choice made for a power does.

A RUN frame (who, row, copy, trigger) walks through the powers of one card for one trigger. A row that needs a choice pushes the
decision's frame and stops; the frame is popped when answered and the RUN goes on.
"""

from __future__ import annotations

from gosu_rl.core.bits import U, add, move_all, popcount, remove
from gosu_rl.core.gosu.actions import REGAIN_SPENT
from gosu_rl.core.gosu.army import clans_in_army, remove_free, stands
from gosu_rl.core.gosu.conditions import amount, holds
from gosu_rl.core.gosu.legal import fill_legal, nothing, revealed_alike, revealed_count
from gosu_rl.core.gosu.piles import cards_to_draw, copy_in, draw, face_of, reveal, take_known
from gosu_rl.core.gosu.rules import (
    ACTIVATE,
    BEGIN,
    CLANS,
    END,
    MUTATE,
    OP_ADVANTAGE,
    OP_DESTROY,
    OP_DRAW,
    OP_DRAW_CLANS,
    OP_DROP,
    OP_EXTRA,
    OP_FEWEST,
    OP_HALF,
    OP_IF,
    OP_OFFER,
    OP_POINT,
    OP_REGAIN,
    OP_REVEAL,
    OP_SWAP,
    OP_TAKE_BACK,
    OP_TRAP,
    OP_VICTIM,
)
from gosu_rl.core.gosu.state import (
    DESTROY,
    DISCARD,
    KEEP,
    OFFER,
    REGAIN,
    RETURN,
    RUN,
    SLOTS,
    SWAP,
    SWAP_WITH,
    TRAP,
    VICTIM,
    pop,
    push,
)
from gosu_rl.core.gosu.turns import check_army, check_points
from gosu_rl.core.jit import inner

MOST_EXTRA = 32_000  # more than the turns a round can have (T44); zombies that cost nothing can win over a hundred


@inner
def start_powers(s, R, who, c, trigger):
    """Push the powers that copy c has for a trigger; nothing if it has none."""
    row = R.prog[face_of(R, c), trigger]
    if row != 0:
        push(s, RUN, who, row, c, trigger, 0)


@inner
def put_choice(s, R, who, c, row):
    """Put the choice of the step at `row` of copy c's powers on the stack; False if it is a step without one."""
    op = R.code[row, 0]
    x = R.code[row, 1]
    if op == OP_DESTROY:
        push(s, DESTROY, who, x, 0, 0, 0)
    elif op == OP_TRAP:
        push(s, TRAP, who, x, R.code[row, 2], 0, 0)
    elif op == OP_SWAP:
        push(s, SWAP, who, 0, 0, 0, 0)
    elif op == OP_VICTIM:
        push(s, VICTIM, who, amount(s, who, x), 0, 0, 0)
    elif op == OP_TAKE_BACK:  # any card, one of the card's clan (T19), or one that the card names
        group = -1 if x == 0 else R.clan[face_of(R, c)] if x == 1 else x - 2 + CLANS
        push(s, RETURN, who, group, 0, 0, 0)
    elif op == OP_REGAIN:
        push(s, REGAIN, who, 0, 0, 0, 0)
    else:
        return False
    return True


@inner
def has_target(s, R, who, c, row):
    """Whether the step at `row` puts a choice that has a target now."""
    if not put_choice(s, R, who, c, row):
        return False
    fill_legal(s, R)
    pop(s)
    return not nothing(s)


@inner
def could_change(s, R, who, c, row):
    """Whether the power of copy c whose offer stands before `row` could change anything, by public facts (T30). Up to the first
    step that could, none has changed a thing, so all are judged by the position as it is."""
    while True:
        op = R.code[row, 0]
        if op == END or op == BEGIN:
            return False
        if op == OP_DRAW or op == OP_REVEAL or op == OP_FEWEST:
            if cards_to_draw(s):
                return True
        elif op == OP_DRAW_CLANS:
            if cards_to_draw(s) and clans_in_army(s, R, who) != 0:
                return True
        elif op == OP_HALF:
            for q in range(s.n):
                if s.hand_size[q] > 1:
                    return True
        elif op == OP_DROP:
            if s.hand_size[who] > 0:
                return True
        elif op == OP_IF:
            if not holds(s, R, who, R.code[row, 2]):
                return False
        elif op == OP_ADVANTAGE or op == OP_EXTRA or op == OP_POINT or has_target(s, R, who, c, row):
            return True  # the Advantage powers are never skipped (T29)
        row += 1


@inner
def run(s, R):
    """Carry out one row of the RUN frame on top of the stack."""
    top = s.sp - 1
    who = s.stack[top, 1]
    row = s.stack[top, 2]
    c = s.stack[top, 3]
    op = R.code[row, 0]
    x = R.code[row, 1]
    y = R.code[row, 2]
    s.stack[top, 2] = row + 1
    if op == END:
        pop(s)
    elif op == BEGIN:
        if s.stack[top, 4] != MUTATE and not stands(s, who, c):  # T26
            pop(s)
    elif op == OP_OFFER:
        if s.stack[top, 4] == ACTIVATE:  # placing the token has said yes (G21)
            return
        if could_change(s, R, who, c, row + 1):
            push(s, OFFER, who, 0, 0, 0, 0)
        else:
            s.stack[top, 2] = x
    elif op == OP_HALF:  # numbers are fixed before the first discard; clockwise from the active player (T16, T31)
        for k in range(s.n - 1, -1, -1):
            q = (who + k) % s.n
            push(s, DISCARD, q, s.hand_size[q] // 2, 0, 0, 0)
    elif op == OP_DRAW:
        draw(s, R, who, amount(s, who, x))
    elif op == OP_DRAW_CLANS:  # T17
        draw(s, R, who, popcount(U(clans_in_army(s, R, who))))
    elif op == OP_REVEAL:
        reveal(s, R, x)
        push(s, KEEP, who, amount(s, who, y), 0, 0, 0)
    elif op == OP_FEWEST:  # T33
        fewest = s.points[0]
        for q in range(s.n):
            fewest = min(fewest, s.points[q])
        for k in range(s.n):
            q = (who + k) % s.n
            if s.points[q] == fewest:
                draw(s, R, q, x)
    elif op == OP_ADVANTAGE:
        s.adv = who
    elif op == OP_EXTRA:  # T34; in GOSU not after the last turn that counts (G19)
        if R.counts_extra == 0 or s.turns_left[who] != 0:
            s.extra = min(s.extra + x, MOST_EXTRA)
    elif op == OP_IF:
        if not holds(s, R, who, y):
            s.stack[top, 2] = x
    elif op == OP_POINT:
        s.points[who] += x
        check_points(s, R)
    elif op == OP_DROP:
        push(s, DISCARD, who, x, 0, 0, 0)
    else:
        put_choice(s, R, who, c, row)


@inner
def decline_offer(s, R):
    """The OFFER on top is declined: the RUN below goes on behind that power (T29)."""
    pop(s)
    top = s.sp - 1
    s.stack[top, 2] = R.code[s.stack[top, 2] - 1, 1]


@inner
def destroy(s, R, q, slot):
    """A free goblin is destroyed (T15)."""
    pop(s)
    add(s.discard[0], s.army[q, slot])
    remove_free(s, q, slot)


@inner
def trap_or_release(s, R, q, slot):
    """A face-up goblin is trapped, a trapped one released, which may win (T38)."""
    pop(s)
    s.trapped[q] ^= 1 << slot
    check_army(s, R, q)


@inner
def first_of_swap(s, q, slot):
    """The first card of a swap is chosen; its partner comes next."""
    who = s.stack[s.sp - 1, 1]
    pop(s)
    push(s, SWAP_WITH, who, q, slot, 0, 0)


@inner
def swap(s, q, slot):
    """Swap two cards of one row; a trapped one stays trapped, nobody comes into play (T15)."""
    other = s.stack[s.sp - 1, 3]
    pop(s)
    c = s.army[q, slot]
    s.army[q, slot] = s.army[q, other]
    s.army[q, other] = c
    s.trapped[q] = swap_bits(s.trapped[q], slot, other)
    s.marked[q] = swap_bits(s.marked[q], slot, other)  # a token moves with its card (G11)


@inner
def swap_bits(mask, i, j):
    """A mask with two of its bits exchanged."""
    return mask ^ (1 << i) ^ (1 << j) if (mask >> i) & 1 != (mask >> j) & 1 else mask


@inner
def hit(s, q):
    """Player q is named for a forced discard."""
    left = s.stack[s.sp - 1, 2]
    pop(s)
    push(s, DISCARD, q, left, 0, 0, 0)


@inner
def keep_revealed(s, R, f):
    """A revealed card goes to the hand; after the last one the others are discarded."""
    top = s.sp - 1
    c = copy_in(R, s.revealed[0], f)
    remove(s.revealed[0], c)
    take_known(s, s.stack[top, 1], c)
    s.stack[top, 2] -= 1


@inner
def keep_settles(s, R):
    """Finish the KEEP frame on top where public facts leave one answer (T42); True if it is done."""
    top = s.sp - 1
    who = s.stack[top, 1]
    left = s.stack[top, 2]
    if left > 0 and revealed_count(s) > left and not revealed_alike(s, R):
        return False
    for f in range(R.faces):
        c = copy_in(R, s.revealed[0], f)
        while c >= 0 and left > 0:
            remove(s.revealed[0], c)
            take_known(s, who, c)
            left -= 1
            c = copy_in(R, s.revealed[0], f)
    move_all(s.revealed[0], s.discard[0])
    pop(s)
    return True


@inner
def take_back(s, R, f):
    """A card of the discard pile goes to the hand of the power's owner."""
    who = s.stack[s.sp - 1, 1]
    pop(s)
    c = copy_in(R, s.discard[0], f)
    remove(s.discard[0], c)
    take_known(s, who, c)


@inner
def regain(s, R, action):
    """A token is ready again: a spent one, or one from a card, which may then be used anew (G11)."""
    who = s.stack[s.sp - 1, 1]
    pop(s)
    if action == R.o_token + REGAIN_SPENT:
        s.spent[who] -= 1
    else:
        s.marked[who] &= ~(1 << ((action - R.o_target) % SLOTS))
    s.tokens[who] += 1
