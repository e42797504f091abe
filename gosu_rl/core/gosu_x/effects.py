"""Texts of Gosu X at work: one small interpreter over rows of code (`rules.py`).

A TEXT frame (who, row, copy, how, flags) walks through the text of one card. A row that needs a choice pushes the decision's frame
and stops; the frame is popped when it is settled (`strikes.py`, `choices.py`, `tokens.py`), and the TEXT goes on. At the end come
the Bounty draws that are owed and, if the card has it, the question of Echo (X24, X28).
"""

from __future__ import annotations

from gosu_rl.core.bits import ZERO
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.army import clans_in_army, find
from gosu_rl.core.gosu.state import AIM, CARD, CLAN, DEEPEST, DISCARD, MAY, MODE, REGAIN
from gosu_rl.core.gosu.turns import finish
from gosu_rl.core.gosu_x.costs import army_count, may_pass
from gosu_rl.core.gosu_x.counts import (
    CLAN_SHIFT,
    DONE,
    ECHOED,
    GONE,
    HOW,
    LOOKED,
    OWED,
    SHOWS,
    compares,
    keyword_of,
    memory,
)
from gosu_rl.core.gosu_x.decks import (
    BOTH,
    OWNER,
    can_draw,
    discard_shown,
    draw_own,
    move_shown_below,
    show_top,
    shown_now,
    texts_at_work,
)
from gosu_rl.core.gosu_x.entering import ENTERING, mark_done
from gosu_rl.core.gosu_x.rules import (
    FLAG_BOTH,
    FLAG_EVERY,
    FLAG_MAY,
    FLAG_OTHER,
    FLAG_TO,
    K_ECHO,
    TEXT_ENTER,
    X_CLAN,
    X_DISCARD,
    X_DRAW,
    X_EXTRA,
    X_FLIP,
    X_IF,
    X_IF_DONE,
    X_JUMP,
    X_LOOK,
    X_MODE,
    X_PASS,
    X_PUT,
    X_RESOLVE,
    X_REST,
    X_RETURN_WONDER,
    X_REVEAL,
    X_SACRIFICE,
    X_TAKE_WONDER,
    X_TOKEN_BACK,
    X_UNLOCK,
    X_WIN,
)
from gosu_rl.core.gosu_x.strikes import hit_every
from gosu_rl.core.gosu_x.targets import (
    can_gain_turn,
    card_choice_open,
    could_do,
    could_move,
    declinable,
    is_aim,
    is_card_choice,
    step_amount,
    text_at,
    tile_takes_ethereal,
    tiles_to_flip,
    touches,
)
from gosu_rl.core.gosu_x.tokens import unlock
from gosu_rl.core.gosu_x.turns import gain_turn, pass_turn
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push

OPTIONAL, ECHO, BOUNTY_DRAW = range(3)  # what a FLAG_MAY frame asks


@inner
def text_step(s, R):
    """Carry out one row of the TEXT frame on top of the stack."""
    k = s.sp - 1
    row = s.stack[k, 2]
    op = R.code[row, 0]
    if op == 0:
        end_text(s, R, k)
        return
    s.stack[k, 2] = row + 1
    who = s.stack[k, 1]
    if op == X_IF:
        if not compares(s, R, row, who, s.stack[k, 3], memory(s, k)):
            s.stack[k, 2] = R.code[row, 1]
    elif op == X_IF_DONE:
        if s.stack[k, 5] & DONE == 0:
            s.stack[k, 2] = R.code[row, 1]
    elif op == X_JUMP:
        s.stack[k, 2] = R.code[row, 1]
    elif op == X_MODE:
        push(s, MODE, who, row, 0, 0, 0)
    else:
        s.stack[k, 5] &= ~DONE
        if asks_first(R, row):
            ask(s, R, row, k)
        else:
            do_step(s, R, row, k)


@inner
def asks_first(R, row):
    """Whether the step at `row` is optional and can be declined only as a whole: other choices have "decline" beside them."""
    flags = R.code[row, 4]
    op = R.code[row, 0]
    if flags & FLAG_MAY == 0:
        return False
    if op == X_SACRIFICE or op == X_DISCARD:
        return flags & (FLAG_OTHER | FLAG_BOTH) != 0
    return flags & FLAG_EVERY != 0 or not (is_aim(op) or is_card_choice(op) or op == X_TOKEN_BACK)


@inner
def ask(s, R, row, k):
    """Ask whether the step at `row` is to be carried out: each player who is to act, the controller first; nobody if it could
    change nothing."""
    who = s.stack[k, 1]
    op = R.code[row, 0]
    if op == X_DRAW or op == X_DISCARD or op == X_SACRIFICE:
        n = step_amount(s, R, row, k)
        for i in range(1, -1, -1):
            q = who if i == 0 else 1 - who
            if touches(R, row, who, q) and could_move(s, R, row, k, q, n):
                push(s, MAY, q, OPTIONAL, n, 0, 0)
    elif could_do(s, R, row, k):
        push(s, MAY, who, OPTIONAL, 0, 0, 0)


@inner
def may_settles(s, R):
    """Drop the question on top if what the other player has done meanwhile leaves nothing to draw, discard or sacrifice (T42)."""
    top = s.sp - 1
    if s.stack[top, 3] == 0:
        return False
    k = text_at(s)
    if could_move(s, R, s.stack[k, 2] - 1, k, s.stack[top, 1], s.stack[top, 3]):
        return False
    pop(s)
    return True


@inner
def end_text(s, R, k):
    """A text is carried out and shows nothing any more: the Bounty draws, then Echo, then it goes."""
    who = s.stack[k, 1]
    c = s.stack[k, 3]
    if s.stack[k, 5] & SHOWS != 0:
        s.shown[texts_at_work(s) - 1] = ZERO
        s.stack[k, 5] &= ~SHOWS
    if s.stack[k, 4] >= OWED:
        s.stack[k, 4] -= OWED
        if can_draw(s, who):
            push(s, MAY, who, BOUNTY_DRAW, 0, 0, 0)
        return
    if s.stack[k, 4] & HOW == ENTERING and s.stack[k, 5] & ECHOED == 0 and keyword_of(R, c, K_ECHO):
        s.stack[k, 5] |= ECHOED
        slot = find(s, who, c)
        if slot >= 0 and (s.trapped[who] >> slot) & 1 == 0 and s.stack[k, 4] & GONE == 0:  # X51
            push(s, MAY, who, ECHO, 0, 0, 0)
            return
    pop(s)


@inner
def answer_may(s, R, accepted):
    """An optional step, an Echo or a Bounty draw is taken or left. A step for both players has one amount, worked out before."""
    what = s.stack[s.sp - 1, 2]
    who = s.stack[s.sp - 1, 1]
    n = s.stack[s.sp - 1, 3]
    pop(s)
    if not accepted:
        return
    k = text_at(s)
    row = s.stack[k, 2] - 1
    if what == BOUNTY_DRAW:
        draw_own(s, R, who, 1)
    elif what == ECHO:
        s.stack[k, 2] = R.prog[face_of(R, s.stack[k, 3]), TEXT_ENTER]
        s.stack[k, 5] = ECHOED
    elif R.code[row, 0] <= X_SACRIFICE:
        act(s, R, row, k, who, n if n > 0 else step_amount(s, R, row, k))
    else:
        do_step(s, R, row, k)


@inner
def do_step(s, R, row, k):
    """Carry out the step at `row` of the text in frame k, or put its choice."""
    op = R.code[row, 0]
    flags = R.code[row, 4]
    who = s.stack[k, 1]
    n = step_amount(s, R, row, k)
    if op == X_DRAW or op == X_DISCARD or op == X_SACRIFICE:
        for i in range(2):  # draws: the controller first; frames of his choices lie above those of the opponent's
            q = who if (i == 0) == (op == X_DRAW) else 1 - who
            if touches(R, row, who, q) and could_move(s, R, row, k, q, n):
                act(s, R, row, k, q, n)
    elif is_aim(op):
        if flags & FLAG_EVERY != 0:
            hit_every(s, R, row, k)
        elif n > 0 and (op != X_RESOLVE or texts_at_work(s) < DEEPEST):
            push(s, AIM, who, row, n, 1, 0)
    elif is_card_choice(op):
        short = op == X_PUT and flags & FLAG_MAY != 0 and s.hand_size[who] < n  # a price is paid in full or not at all
        if n > 0 and card_choice_open(s, R, row, k) and not short:
            push(s, CARD, who, row, n, 1, 0)
    elif op == X_TOKEN_BACK:
        if n > 0:
            push(s, REGAIN, who, row, n, 0, 0)
    else:
        do_silent(s, R, op, row, k, n)


@inner
def act(s, R, row, k, q, n):
    """Player q draws, or is to discard or sacrifice, for the step at `row`: n cards, or up or down to n."""
    flags = R.code[row, 4]
    if R.code[row, 0] == X_DRAW:
        if draw_own(s, R, q, max(0, n - s.hand_size[q]) if flags & FLAG_TO != 0 else n) > 0:
            s.stack[k, 5] |= DONE
        return
    if R.code[row, 0] == X_SACRIFICE:
        push(s, AIM, q, row, army_count(s, q) - n if flags & FLAG_TO != 0 else n, 1, 0)
        return
    optional = declinable(R, row, 1)
    push(
        s,
        DISCARD,
        q,
        s.hand_size[q] - n if flags & FLAG_TO != 0 else n,
        row if optional else 0,
        1 if optional else 0,
        0,
    )
    if not optional:
        mark_done(s)


@inner
def do_silent(s, R, op, row, k, n):
    """Steps without targets."""
    who = s.stack[k, 1]
    done = True
    if op == X_REVEAL or op == X_LOOK:
        done = show_top(s, R, who, n, BOTH if op == X_REVEAL else OWNER) > 0
        s.stack[k, 5] = (s.stack[k, 5] & ~LOOKED) | SHOWS | (LOOKED if op == X_LOOK else 0)
    elif op == X_REST:
        done = shown_now(s) > 0
        rest_to(s, R, who, R.code[row, 1])
    elif op == X_EXTRA:
        done = can_gain_turn(s, who)
        gain_turn(s, who)
    elif op == X_UNLOCK:
        unlock(s, who)
    elif op == X_TAKE_WONDER:
        done = s.wonder != who
        s.wonder = who
    elif op == X_RETURN_WONDER:
        done = s.wonder == who
        if done:
            s.wonder = -1
    elif op == X_FLIP:
        done = flip_tiles(s, R, tiles_to_flip(s, R, who))
    elif op == X_CLAN:
        s.stack[k, 5] &= ~(15 << CLAN_SHIFT)
        done = False
        if clans_in_army(s, R, 0) | clans_in_army(s, R, 1) != 0:
            push(s, CLAN, who, 0, 0, 0, 0)
    elif op == X_PASS:
        done = s.passed[who] == 0 and may_pass(s, who)
        if done:
            pass_turn(s, R, who)
    elif op == X_WIN:
        s.win[who] = 1
        finish(s, R.code[row, 1])
        return
    if done and s.over == 0:  # an unlocked token may have ended the game, and its stack with it
        s.stack[k, 5] |= DONE


@inner
def rest_to(s, R, who, place):
    """The shown cards that are left: on top (as they lie), under the deck, or to the discard pile."""
    if place == 1:
        move_shown_below(s, who)
    elif place == 2:
        discard_shown(s, R, who)
    s.shown[texts_at_work(s) - 1] = ZERO


@inner
def flip_tiles(s, R, mask):
    """Tiles become active at once (X48); Ethereal tokens go to the tile that uses them (X57)."""
    if mask == 0:
        return False
    s.tiles |= mask
    if tile_takes_ethereal(s, R):
        for q in range(2):
            s.ether[q] = 0
    return True
