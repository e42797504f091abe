"""Gosu X, decision by decision: what is settled without asking, and what an action does.

`step` is the entry. What is legal stands in `menus.py`; what
decisions do to armies, decks and tokens in `effects.py` and the files that it names.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, add, lowest, remove
from gosu_rl.core.copies import copy_in, face_of
from gosu_rl.core.gosu.actions import ACCEPT, DECLINE, PASS, RECRUIT, REDRAW, REGAIN_SPENT
from gosu_rl.core.gosu.army import clans_in_army, free, size
from gosu_rl.core.gosu.piles import hand_copy, leave_hand
from gosu_rl.core.gosu.state import (
    AFTER,
    AIM,
    AUTO,
    CARD,
    CLAN,
    COLUMNS,
    DECKS,
    DIRGE,
    DISCARD,
    DRAFT,
    MAY,
    MODE,
    MULLIGAN,
    PAY,
    PLACE,
    REGAIN,
    SLOTS,
    SONG,
    TEXT,
    TURN,
    TURNS,
    USE,
    WILL,
)
from gosu_rl.core.gosu.turns import stop_long
from gosu_rl.core.gosu_x.choices import choice_settles, choose_card, end_choice
from gosu_rl.core.gosu_x.costs import could_will, play_cost, shift_cost
from gosu_rl.core.gosu_x.counts import CLAN_SHIFT, DONE, rule_number, tokens_on
from gosu_rl.core.gosu_x.decks import discard_own, discard_whole_hand, draw_own, redraw_own
from gosu_rl.core.gosu_x.draft import form_decks, pick_clan
from gosu_rl.core.gosu_x.effects import answer_may, may_settles, text_step
from gosu_rl.core.gosu_x.entering import ACTIVATION, enter, mark_done, start_text, use_will
from gosu_rl.core.gosu_x.menus import fill_legal, playable, replaceable
from gosu_rl.core.gosu_x.rules import K_WILL, TEXT_ACTIVATE, W_HAND, W_TWO_TOKENS
from gosu_rl.core.gosu_x.song import battle, check_full, dirge
from gosu_rl.core.gosu_x.strikes import aim_at, aim_settles, drop_tokens, sacrifice
from gosu_rl.core.gosu_x.targets import text_at
from gosu_rl.core.gosu_x.tokens import put_tokens, regain_settles, token_back
from gosu_rl.core.gosu_x.turns import follow_limit, gain_turn, next_turn, pass_turn
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import clear, nothing
from gosu_rl.core.stack import pop, push


@entry
def step(s, R, action):
    """Carry out an action (below 0: none) and run to the next decision or the end."""
    if action >= 0:
        s.decisions += 1
        resolve(s, R, action)
    advance(s, R)
    stop_long(s, R)


@inner
def advance(s, R):
    """Run automatic frames and answer what public facts leave no choice in (T42), until a decision is to be put."""
    while s.over == 0:
        follow_limit(s, R)
        check_full(s, R)  # after every change (X41)
        if s.over != 0:
            break
        top = s.sp - 1
        op = s.stack[top, 0]
        if op >= AUTO:
            automatic(s, R, op)
        elif not settled(s, R, op):
            clear(s)
            fill_legal(s, R, op, s.stack[top, 1])
            if not nothing(s):
                s.mover = s.stack[top, 1]
                s.kind = op
                return
            pop(s)  # nothing can be chosen, so the step does nothing (T42)
    clear(s)


@inner
def automatic(s, R, op):
    """Carry out a frame that needs no choice."""
    if op == TEXT:
        text_step(s, R)
    elif op == TURNS:
        if not next_turn(s, R):
            battle(s, R)
    elif op == PLACE:
        place(s, R)
    elif op == AFTER:
        after_turn(s, R)
    elif op == DIRGE:
        dirge(s, R)
    elif op == DECKS:
        form_decks(s, R)


@inner
def after_turn(s, R):
    """What follows the action of a turn: the other player's Force of Will, then the hand limit (X19, X31)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if s.stack[top, 2] == 0:
        if could_will(s, R, 1 - who):
            push(s, WILL, 1 - who, 0, 0, 0, 0)
        else:
            s.stack[top, 2] = 1
        return
    pop(s)
    excess = s.hand_size[who] - rule_number(s, R, who, W_HAND, R.hand_limit)
    if excess > 0:
        push(s, DISCARD, who, excess, 0, 0, 0)


@inner
def place(s, R):
    """The named card, paid for, takes its slot; a card that it replaces goes to the discard pile first (X34)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    slot = s.stack[top, 3]
    pop(s)
    old = s.army[who, slot]
    if old >= 0:
        drop_tokens(s, who, slot)
        add(s.discard[who], old)
    else:
        s.rows[who, slot // COLUMNS] += 1
    remove(s.aside[0], c)
    enter(s, R, who, c, slot)


@inner
def settled(s, R, op):
    """Answer the decision on top if public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if op == PAY or op == DISCARD:
        return discard_settles(s, R, op, who)
    if op == USE:
        slots = replaceable(s, R, who)
        if size(slots) + (1 if playable(s, R, who) else 0) == 1:
            use(s, R, RECRUIT if slots == 0 else R.o_replace + lowest(U(slots)))
            return True
    elif op == AIM:
        return aim_settles(s, R)
    elif op == CARD:
        return choice_settles(s, R)
    elif op == REGAIN:
        return regain_settles(s, R)
    elif op == SONG:
        slots = free(s, who)
        if s.stack[top, 2] <= 0 or slots == 0:
            pop(s)
            return True
        if size(slots) == 1:
            s.stack[top, 2] -= 1
            sacrifice(s, who, lowest(U(slots)))
            return True
    elif op == CLAN:
        clans = clans_in_army(s, R, 0) | clans_in_army(s, R, 1)
        if size(clans) == 1:
            choose_clan(s, lowest(U(clans)))
            return True
    elif op == MAY:
        return may_settles(s, R)
    elif op == TURN and s.passed[who] != 0:  # a text has passed for him (X59)
        pop(s)
        return True
    return False


@inner
def discard_settles(s, R, op, who):
    """A payment or forced discard that is done, or takes the whole hand; or that only the Wonder token makes possible."""
    top = s.sp - 1
    left = s.stack[top, 2]
    if left <= 0 or (op == DISCARD and s.hand_size[who] == 0):
        pop(s)
        return True
    wonder = op == PAY and s.stack[top, 3] != 0 and s.wonder == who
    if op == DISCARD and s.stack[top, 4] != 0:
        return False
    if wonder and left <= s.hand_size[who]:
        return False
    if wonder:
        spend_wonder(s)
        return True
    if left >= s.hand_size[who]:
        discard_whole_hand(s, who)
        pop(s)
        return True
    return False


@inner
def resolve(s, R, action):
    """Do what a legal action says, by the kind of decision on top."""
    top = s.sp - 1
    op = s.stack[top, 0]
    who = s.stack[top, 1]
    if op == TURN:
        take_turn(s, R, who, action)
    elif op == PAY or op == DISCARD:
        pay(s, R, op, who, action)
    elif op == USE:
        use(s, R, action)
    elif op == MULLIGAN:
        if action == REDRAW:
            s.stack[top, 2] += 1
            redraw_own(s, R, who)
        else:
            pop(s)
    elif op == DRAFT:
        pop(s)
        pick_clan(s, who, action - R.o_pick)
    elif op == MAY:
        answer_may(s, R, action == ACCEPT)
    elif op == CLAN:
        choose_clan(s, action - R.o_pick)
    elif op == MODE:
        row = s.stack[top, 2]
        pop(s)
        s.stack[s.sp - 1, 2] = R.code[row, 2 + action - R.o_option]
    elif op == WILL:
        pop(s)
        if action == DECLINE:
            s.stack[s.sp - 1, 2] = 1
        else:
            use_will(s, R, who, will_face(R, action))
    elif op == CARD:
        if action == DECLINE:
            end_choice(s, R)
        else:
            choose_card(s, R, action - R.o_take)
    elif action == DECLINE:
        pop(s)
    elif op == REGAIN:
        token_back(s, R, action == R.o_token + REGAIN_SPENT, (action - R.o_target) % SLOTS)
    elif op == AIM:
        aim_at(s, R, (action - R.o_target) // SLOTS, (action - R.o_target) % SLOTS)
    elif op == SONG:
        s.stack[top, 2] -= 1
        sacrifice(s, who, (action - R.o_target) % SLOTS)


@inner
def will_face(R, action):
    """The face that a `will` action names."""
    for w in range(2):
        word = R.keyword_faces[K_WILL, w]
        while word != ZERO:
            f = 64 * w + lowest(word)
            word &= word - ONE
            if R.wills[f] == action - R.o_will:
                return f
    return -1


@inner
def choose_clan(s, clan):
    """A clan is chosen for the text below."""
    pop(s)
    k = text_at(s)
    s.stack[k, 5] |= (clan + 1) << CLAN_SHIFT | DONE


@inner
def take_turn(s, R, who, action):
    """Pass, name a card, spend tokens, put one on a card; or use Force of Will, which leaves the turn open (X31)."""
    if action >= R.o_will:
        use_will(s, R, who, will_face(R, action))
        return
    pop(s)
    if action == PASS:
        pass_turn(s, R, who)
    elif action < R.o_take:
        c = hand_copy(s, R, who, action - R.o_play)
        leave_hand(s, who, c)
        add(s.aside[0], c)
        push(s, USE, who, c, 0, 0, 0)
    elif action < R.o_discard:
        c = copy_in(R, s.discard[who], action - R.o_take)
        remove(s.discard[who], c)
        add(s.aside[0], c)
        push(s, USE, who, c, 1, 0, 0)
    elif action < R.o_activate:
        k = 1 + action - R.o_token
        s.tokens[who] -= k
        s.spent[who] += k
        draw_own(s, R, who, 2 * k - 1)
        if k == 2 and rule_number(s, R, who, W_TWO_TOKENS, 0) > 0:
            gain_turn(s, who)  # X48
    else:
        slot = action - R.o_activate
        s.tokens[who] -= 1
        put_tokens(s, who, slot, tokens_on(s, who, slot) + 1)
        c = s.army[who, slot]
        start_text(s, R, who, c, ACTIVATION, R.prog[face_of(R, c), TEXT_ACTIVATE])


@inner
def use(s, R, action):
    """What the named card is for: payment comes first, then it takes its slot (X34)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    f = face_of(R, c)
    if action == RECRUIT:
        row = R.level[f] - 1
        slot = COLUMNS * row + s.rows[who, row]
        cost = play_cost(s, R, who, f)
    else:
        slot = action - R.o_replace
        cost = shift_cost(s, R, who, slot)
    pop(s)
    push(s, PLACE, who, c, slot, 0, 0)
    if cost > 0:
        push(s, PAY, who, cost, 1, 0, 0)


@inner
def pay(s, R, op, who, action):
    """A card of a cost or of a forced or optional discard, or the Wonder token in its place; an optional one may be declined."""
    top = s.sp - 1
    if action == DECLINE:
        pop(s)
    elif op == PAY and action == R.o_wonder:
        spend_wonder(s)
    else:
        s.stack[top, 2] -= 1
        if op == PAY:
            s.stack[top, 3] = 0
        elif s.stack[top, 3] > 0:
            s.stack[top, 4] = 0
            mark_done(s)
        discard_own(s, R, who, action - R.o_discard)


@inner
def spend_wonder(s):
    """The Wonder token goes back to the board: one discard less (X33)."""
    top = s.sp - 1
    s.stack[top, 2] -= 1
    s.stack[top, 3] = 0
    s.wonder = -1
