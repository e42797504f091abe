"""Dealing and stepping: the two functions through which a game moves.

`deal` shuffles and hands out cards and stops there; the first `step(state, rules, START)` runs to the first decision. `step` takes
an action, carries it out, and lets everything run that needs no choice.
"""

from __future__ import annotations

from gosu_rl.core.bits import add, remove
from gosu_rl.core.copies import copy_in, face_of
from gosu_rl.core.gosu.actions import ACCEPT, DECLINE, PASS, RECRUIT, REDRAW
from gosu_rl.core.gosu.army import RICH_TOKENS, bend_rules, drop_token, link_cards, mutation_cost, recruit_cost, size
from gosu_rl.core.gosu.conditions import check_conditions
from gosu_rl.core.gosu.legal import fill_legal, link_slots, swap_partners, use_recruits, use_slots
from gosu_rl.core.gosu.piles import discard_face, discard_hand, draw, hand_copy, leave_hand, reveal_picks
from gosu_rl.core.gosu.powers import (
    decline_offer,
    destroy,
    first_of_swap,
    hit,
    keep_revealed,
    keep_settles,
    regain,
    run,
    start_powers,
    swap,
    take_back,
    trap_or_release,
)
from gosu_rl.core.gosu.rules import ACTIVATE, DEPARTURE, ENTER, LINKS, MUTATE
from gosu_rl.core.gosu.state import (
    ARRIVE,
    AUTO,
    CARDS,
    COLUMNS,
    DESTROY,
    DISCARD,
    KEEP,
    LINK,
    MULLIGAN,
    OFFER,
    OPENING,
    PAY,
    PLACE,
    REFRESH,
    REGAIN,
    RETURN,
    REVEAL_PICKS,
    ROUND,
    RUN,
    SLOTS,
    SWAP,
    SWAP_WITH,
    TRAP,
    TURN,
    TURNS,
    USE,
    VICTIM,
)
from gosu_rl.core.gosu.turns import (
    battle,
    begin_game,
    check_army,
    new_round,
    next_turn,
    pass_turn,
    stop_long,
    tokens_back,
)
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import clear, nothing
from gosu_rl.core.stack import pop, push

START = -1


@entry
def deal(s, R, n, seed, holder):
    """Set up a blank state for n players (T1, T46): seat 0 gets the first cards; `holder` -1 draws who has the Advantage card."""
    begin_game(s, R, n, seed, holder)
    for q in range(n):
        for _ in range(R.deal):
            s.ndeck -= 1
            add(s.hand[q], s.deck[s.ndeck])
        s.hand_size[q] = R.deal
    for i in range(s.ndeck, CARDS):  # the order of the pile is counted from here
        s.deck[i] = -1
    tokens_back(s, R)
    if R.deal > R.keep:
        push(s, REVEAL_PICKS, 0, 0, 0, 0, 0)
        for k in range(n - 1, -1, -1):
            push(s, OPENING, (s.adv + k) % n, R.deal - R.keep, 0, 0, 0)
    for k in range(n - 1, -1, -1):
        push(s, MULLIGAN, (s.adv + k) % n, 0, 0, 0, 0)


@entry
def step(s, R, action):
    """Carry out an action (START: none) and run to the next decision or the end. The action must be legal."""
    if action >= 0:
        s.decisions += 1
        resolve(s, R, action)
    advance(s, R)
    stop_long(s, R)


@inner
def advance(s, R):
    """Run automatic frames and answer what public facts leave no choice in (T42), until a decision is to be put."""
    while s.over == 0:
        if R.watching != 0:  # after every change (G16)
            bend_rules(s, R)
            check_conditions(s, R)
            if s.over != 0:
                break
        top = s.sp - 1
        op = s.stack[top, 0]
        if op >= AUTO:
            automatic(s, R, op)
        elif not settled(s, R, op):
            fill_legal(s, R)
            if not nothing(s):
                s.mover = s.stack[top, 1]
                s.kind = op
                return
            pop(s)  # a power without a target (T30)
    clear(s)


@inner
def automatic(s, R, op):
    """Carry out a frame that needs no choice."""
    if op == RUN:
        run(s, R)
    elif op == TURNS:
        if not next_turn(s, R):
            battle(s, R)
    elif op == PLACE:
        place(s, R)
    elif op == ARRIVE:
        arrive(s, R)
    elif op == REVEAL_PICKS:
        pop(s)
        reveal_picks(s)
    elif op == ROUND:
        new_round(s, R)


@inner
def settled(s, R, op):
    """Answer the decision on top if public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if op == PAY or op == DISCARD or op == OPENING:
        left = s.stack[top, 2]
        if left <= 0:
            pop(s)
            return True
        if op != OPENING and left >= s.hand_size[who]:  # the whole hand must go
            discard_hand(s, who, 0)
            pop(s)
            return True
    elif op == USE:
        slots = use_slots(s, R, who)
        if size(slots) + (1 if use_recruits(s, R, who) else 0) == 1:
            use(s, R, RECRUIT if slots == 0 else R.o_replace + only(slots))
            return True
    elif op == LINK:
        slots = link_slots(s, who)
        if size(slots) == 1:
            follow_link(s, R, who, only(slots))
            return True
    elif op == KEEP:
        return keep_settles(s, R)
    elif op == SWAP_WITH:
        slots = swap_partners(s)
        if size(slots) == 1:
            swap(s, s.stack[top, 2], only(slots))
            return True
    return False


@inner
def only(mask):
    """The lowest slot of a mask."""
    slot = 0
    while (mask >> slot) & 1 == 0:
        slot += 1
    return slot


@inner
def resolve(s, R, action):
    """Do what a legal action says, by the kind of decision on top."""
    top = s.sp - 1
    op = s.stack[top, 0]
    who = s.stack[top, 1]
    if op == TURN:
        take_turn(s, R, who, action)
    elif op == PAY or op == DISCARD:
        s.stack[top, 2] -= 1
        discard_face(s, R, who, action - R.o_discard)
    elif op == OPENING:
        s.stack[top, 2] -= 1
        s.picked[who] += 1
        add(s.secret[who], hand_copy(s, R, who, action - R.o_discard))
    elif op == USE:
        use(s, R, action)
    elif op == OFFER:
        if action == ACCEPT:
            pop(s)
        else:
            decline_offer(s, R)
    elif action == DECLINE:
        pop(s)
    elif op == REGAIN:
        regain(s, R, action)
    elif op == VICTIM:
        hit(s, action - R.o_player)
    elif op == KEEP:
        keep_revealed(s, R, action - R.o_take)
    elif op == RETURN:
        take_back(s, R, action - R.o_take)
    elif op == MULLIGAN or op == REFRESH:
        answer_redraw(s, R, who, action)
    else:
        target(s, R, op, who, (action - R.o_target) // SLOTS, (action - R.o_target) % SLOTS)


@inner
def target(s, R, op, who, q, slot):
    """A slot of q's army is chosen."""
    if op == DESTROY:
        destroy(s, R, q, slot)
    elif op == TRAP:
        trap_or_release(s, R, q, slot)
    elif op == SWAP:
        first_of_swap(s, q, slot)
    elif op == SWAP_WITH:
        swap(s, q, slot)
    else:
        follow_link(s, R, who, slot)


@inner
def answer_redraw(s, R, who, action):
    """Keep the hand, or discard it and draw as many (T2, T23, T41: discard first, then draw, then asked again)."""
    if action == REDRAW:
        s.stack[s.sp - 1, 2] += 1
        k = s.hand_size[who]
        discard_hand(s, who, 0)
        draw(s, R, who, k)
    else:
        pop(s)


@inner
def take_turn(s, R, who, action):
    """Pass, name a card, which is set aside for all to see (T5, T47), or spend activation tokens (G3)."""
    pop(s)
    if action == PASS:
        pass_turn(s, R, who)
    elif action < R.o_take:
        c = hand_copy(s, R, who, action - R.o_play)
        leave_hand(s, who, c)
        add(s.aside[0], c)
        push(s, USE, who, c, 0, 0, 0)
    elif action < R.o_discard:
        c = copy_in(R, s.discard[0], action - R.o_take)
        remove(s.discard[0], c)
        add(s.aside[0], c)
        push(s, USE, who, c, 1, 0, 0)
    elif action < R.o_activate:
        k = 1 + action - R.o_token
        s.tokens[who] -= k
        s.spent[who] += k
        draw(s, R, who, 2 * k - 1 + (1 if s.bent[who] & RICH_TOKENS != 0 else 0))
    else:
        slot = action - R.o_activate
        s.tokens[who] -= 1
        s.marked[who] |= 1 << slot
        start_powers(s, R, who, s.army[who, slot], ACTIVATE)


@inner
def use(s, R, action):
    """What the named card is for: payment comes first, then it takes its slot (T11)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    f = face_of(R, c)
    if action == RECRUIT:
        row = R.level[f] - 1
        slot = COLUMNS * row + s.rows[who, row]
        cost = recruit_cost(s, R, who, f)
    else:
        slot = action - R.o_replace
        cost = mutation_cost(R, face_of(R, s.army[who, slot]), s.bent[who])
    pop(s)
    push(s, PLACE, who, c, slot, 0, 0)
    if cost > 0:
        push(s, PAY, who, cost, 0, 0, 0)


@inner
def place(s, R):
    """The named card takes its slot; what that triggers is fixed now and resolves as T12 says: mutation, arrival, links."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    slot = s.stack[top, 3]
    pop(s)
    old = s.army[who, slot]
    if old >= 0:
        add(s.discard[0], old)
        drop_token(s, who, slot)
        if R.mutates_last != 0:
            s.army[who, slot] = -1  # the slot stays filled (G20), with nothing that has a clan, a value or a power
            s.trapped[who] |= 1 << slot
            push(s, ARRIVE, who, c, slot, old, 0)
            return
    else:
        s.rows[who, slot // COLUMNS] += 1
    remove(s.aside[0], c)
    s.army[who, slot] = c
    push_links(s, R, who, slot)
    start_powers(s, R, who, c, ENTER)
    if old >= 0:
        start_powers(s, R, who, old, MUTATE)
    check_army(s, R, who)


@inner
def arrive(s, R):
    """Between discard and arrival: what the discard sets off in the army, slot by slot; then the replacement comes, its powers
    resolve, and the mutated goblin's last (G7)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    slot = s.stack[top, 3]
    old = s.stack[top, 4]
    for at in range(s.stack[top, 5], SLOTS):
        watcher = s.army[who, at]
        if watcher >= 0 and (s.trapped[who] >> at) & 1 == 0 and R.prog[face_of(R, watcher), DEPARTURE] != 0:
            s.stack[top, 5] = at + 1
            start_powers(s, R, who, watcher, DEPARTURE)
            return
    pop(s)
    remove(s.aside[0], c)
    s.army[who, slot] = c
    s.trapped[who] &= ~(1 << slot)
    start_powers(s, R, who, old, MUTATE)
    start_powers(s, R, who, c, ENTER)


@inner
def push_links(s, R, who, slot):
    """Push one frame with the link cards that the newcomer in `slot` sets off (T13, T25)."""
    sides = link_cards(s, R, who, slot)
    if sides == 0:
        return
    left = s.army[who, slot - 1] if sides & 1 != 0 else -1
    right = s.army[who, slot + 1] if sides & 2 != 0 else -1
    above = s.army[who, slot + COLUMNS] if sides & 4 != 0 else -1
    below = s.army[who, slot - COLUMNS] if sides & 8 != 0 else -1
    push(s, LINK, who, left, right, above, below)


@inner
def follow_link(s, R, who, slot):
    """The link card in `slot` resolves next; it leaves the list of pending ones (T27)."""
    top = s.sp - 1
    c = s.army[who, slot]
    waiting = 0
    for i in range(2, 6):
        if s.stack[top, i] == c:
            s.stack[top, i] = -1
        elif s.stack[top, i] >= 0:
            waiting += 1
    if waiting == 0:
        pop(s)
    start_powers(s, R, who, c, LINKS)
