"""Greedy in Gosu X: what each legal action is worth in "strength points", one decision ahead.

Hands are filled up after every round, so a card in the hand is worth less than one in the army, and turns are what is scarce.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, lowest, popcount
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.actions import ACCEPT, DECLINE, PASS, RECRUIT, REDRAW, REGAIN_SPENT, SPEND_TWO
from gosu_rl.core.gosu.army import clans_in_row, face_in, face_up, filled, free, size
from gosu_rl.core.gosu.state import (
    AIM,
    CARD,
    CLAN,
    DISCARD,
    DRAFT,
    MAY,
    MODE,
    PAY,
    REGAIN,
    SLOTS,
    SONG,
    TURN,
    USE,
    WILL,
)
from gosu_rl.core.gosu_x.costs import affordable, play_cost, secret_slots, shift_cost
from gosu_rl.core.gosu_x.counts import amount_of, ethereal, rule_number
from gosu_rl.core.gosu_x.moves import will_face
from gosu_rl.core.gosu_x.rules import (
    FLAG_EVERY,
    FLAG_OTHER,
    FLAG_TO,
    K_ECHO,
    K_VETERAN,
    K_WONDROUS,
    TEXT_ACTIVATE,
    TEXT_ALWAYS,
    TEXT_ENTER,
    V_SOURCE,
    V_TO,
    W_TWO_TOKENS,
    X_BOUNTY,
    X_CAPTURE,
    X_DESTROY,
    X_DISCARD,
    X_DRAW,
    X_ETHEREAL,
    X_EXTRA,
    X_FETCH,
    X_IF,
    X_INTO_PLAY,
    X_JUMP,
    X_KEEP,
    X_MOVE_BOUNTY,
    X_PASS,
    X_PUT,
    X_RELEASE,
    X_REMOVE,
    X_REMOVE_PILE,
    X_RESOLVE,
    X_RETRIEVE,
    X_RETURN,
    X_SACRIFICE,
    X_TAKE_BACK,
    X_TAKE_WONDER,
    X_TOKEN_BACK,
    X_UNLOCK,
    X_WIN,
)
from gosu_rl.core.gosu_x.targets import text_at
from gosu_rl.core.gosu_x.values import army_value, value_at
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.weighing import best_legal

HELD = 0.7  # a card in the hand
TOKEN = 0.3  # an Activation token kept ready: it comes back in the next round
UNWANTED = -100.0


@inner
def step_value(s, R, p, row, c, flags):
    """What the step at `row` of a text of p's card c is worth to p now."""
    op = R.code[row, 0]
    n = amount_of(s, R, R.code[row, 2], p, c, flags)
    many = min(n, 3)
    foe = 1 - p
    kind = R.code[row, 4]
    if op == X_DRAW:
        if kind & FLAG_OTHER != 0:
            return -HELD * n
        return HELD * (max(0, n - s.hand_size[p]) if kind & FLAG_TO != 0 else n)
    if op == X_DISCARD:
        if kind & FLAG_OTHER != 0:
            return 0.6 * max(0, s.hand_size[foe] - n if kind & FLAG_TO != 0 else min(n, s.hand_size[foe]))
        return -HELD * max(0, s.hand_size[p] - n if kind & FLAG_TO != 0 else n)
    if op == X_SACRIFICE:
        q = foe if kind & FLAG_OTHER != 0 else p
        cards = size(filled(s, q))
        lost = max(0, cards - n if kind & FLAG_TO != 0 else min(n, cards))
        return (1.8 if q == foe else -1.8) * lost
    if op == X_CAPTURE:
        targets = size(face_up(s, foe) & ~ethereal(s, R, foe))
        return 2.2 * (targets if kind & FLAG_EVERY != 0 else min(many, targets))
    if op == X_DESTROY or op == X_REMOVE:
        targets = size(free(s, foe) & ~ethereal(s, R, foe))
        return 2.0 * min(3 if kind & FLAG_EVERY != 0 else many, targets)
    if op == X_RELEASE:
        return 2.0 * min(5 if kind & FLAG_EVERY != 0 else many, size(filled(s, p) & s.trapped[p]))
    if op == X_RETURN:
        return 0.8
    if op == X_EXTRA:
        return 1.8
    if op == X_UNLOCK:
        return 3.0 if s.locked[p] > 0 else 50.0
    if op == X_WIN:
        return 50.0
    if op == X_KEEP or op == X_FETCH or op == X_TAKE_BACK or op == X_RETRIEVE:
        return 1.0 * many
    if op == X_INTO_PLAY:
        return 2.0
    if op == X_TOKEN_BACK:
        return 0.9 if s.spent[p] > 0 or s.marked[p] | s.marked2[p] != 0 else 0.0
    if op == X_TAKE_WONDER:
        return 1.0 if s.wonder != p else 0.0
    if op == X_RESOLVE:
        return 1.2
    if op == X_PUT:
        return -0.4 * n
    return 0.3 if op == X_BOUNTY or op == X_MOVE_BOUNTY or op == X_ETHEREAL else 0.0


@inner
def text_value(s, R, p, row, c):
    """What the text at `row` of p's card c is worth now; of blocks the part that would be carried out, of a choice its first."""
    total = 0.0
    if row == 0:
        return total
    while R.code[row, 0] != 0:
        op = R.code[row, 0]
        if op == X_IF:
            left = amount_of(s, R, R.code[row, 2], p, c, 0)
            right = amount_of(s, R, R.code[row, 3], p, c, 0)
            sign = R.code[row, 4]
            holds = left > right or (left == right and sign <= 2) if sign == 0 or sign == 4 else left <= right
            if not holds:
                row = R.code[row, 1]
                continue
        elif op == X_JUMP:
            row = R.code[row, 1]
            continue
        elif op <= X_WIN:
            total += step_value(s, R, p, row, c, 0)
        row += 1
    return max(-3.0, total)


@inner
def lasting_value(s, R, p, f):
    """What face f adds beyond its strength while it lies in p's army: activation, Veteran, values."""
    value = 0.4 * max(0.0, text_value(s, R, p, R.prog[f, TEXT_ACTIVATE], f)) if R.icons[f] > 0 else 0.0
    if (R.keywords[f] >> K_VETERAN) & 1 != 0:
        value += 0.5 * R.strength[f]
    for k in range(R.n_values):
        if R.values[k, V_SOURCE] == f:
            value += 1.0 + (0.7 * max(0, value_at(s, R, k, p, f)) if R.values[k, V_TO] == 0 else 0.5)
    return value


@inner
def entering_value(s, R, p, f):
    """What face f brings on entering p's army."""
    value = R.strength[f] + lasting_value(s, R, p, f)
    text = text_value(s, R, p, R.prog[f, TEXT_ENTER], f)
    value += text * (1.8 if (R.keywords[f] >> K_ECHO) & 1 != 0 and text > 0 else 1.0)
    if (R.keywords[f] >> K_WONDROUS) & 1 != 0 and s.wonder != p:
        value += 1.0
    return value


@inner
def keep_value(s, R, p, f):
    """What face f is worth in p's hand."""
    value = (
        0.5 * R.strength[f]
        + 0.6 * max(0.0, text_value(s, R, p, R.prog[f, TEXT_ALWAYS], f))
        + 0.5 * lasting_value(s, R, p, f)
    )
    mine = (clans_in_row(s, R, p, 0) >> R.clan[f]) & 1 != 0
    if R.level[f] == 1:
        value += 1.4 if mine or s.rows[p, 0] == 0 else 0.4
        if s.rows[p, 0] == 5:
            value -= 1.5
    elif mine:
        value += 1.4
    else:
        for w in range(2):
            word = R.clan_faces[R.clan[f], w] & R.level_faces[1, w] & s.hand[p, w]
            value += 0.5 * popcount(word)
        value -= 0.4 * R.level[f]
    return value


@inner
def play_value(s, R, p, f):
    """What playing face f brings, less its cost; a Troop of a new clan lets in others of its clan."""
    cost = play_cost(s, R, p, f)
    if not affordable(s, p, cost, s.hand_size[p] if s.kind == USE else s.hand_size[p] - 1):
        return UNWANTED
    value = entering_value(s, R, p, f) - 0.8 * HELD * cost
    if R.level[f] == 1 and (clans_in_row(s, R, p, 0) >> R.clan[f]) & 1 == 0:
        for w in range(2):
            value += 0.7 * popcount(R.clan_faces[R.clan[f], w] & ~R.level_faces[1, w] & s.hand[p, w])
    return value


@inner
def shift_value(s, R, p, f, slot, from_pile):
    """What shifting the card in a slot to face f brings; UNWANTED where it cannot be done."""
    old = face_in(s, R, p, slot)
    fits = (
        R.level[old] == R.level[f]
        and (s.trapped[p] >> slot) & 1 == 0
        and (R.replaces[old, f >> 6] >> U(f & 63)) & ONE != ZERO
    )
    cost = shift_cost(s, R, p, slot) if fits else -1
    cards = s.hand_size[p] if from_pile or s.kind == USE else s.hand_size[p] - 1
    if not fits or not affordable(s, p, cost, cards) or (from_pile and (secret_slots(s, R, p) >> slot) & 1 == 0):
        return UNWANTED
    kept = R.strength[old] + lasting_value(s, R, p, old)
    return entering_value(s, R, p, f) - kept - 0.8 * HELD * cost - (0.0 if from_pile else 0.5 * HELD)


@inner
def best_shift(s, R, p, f, from_pile):
    """The best slot's `shift_value`."""
    best = UNWANTED
    slots = face_up(s, p)
    while slots != 0:
        best = max(best, shift_value(s, R, p, f, lowest(U(slots)), from_pile))
        slots &= slots - 1
    return best


@inner
def turn_value(s, R, p, action):
    """What an action of a turn brings. Whoever leads after the other's pass passes, too."""
    if action >= R.o_will:
        f = will_face(R, action)
        return text_value(s, R, p, R.prog[f, TEXT_ALWAYS], f) - 0.5
    if action == PASS:
        return pass_value(s, R, p)
    if action >= R.o_activate:
        slot = action - R.o_activate
        f = face_in(s, R, p, slot)
        value = text_value(s, R, p, R.prog[f, TEXT_ACTIVATE], s.army[p, slot]) - TOKEN
        return value + (R.strength[f] if (R.keywords[f] >> K_VETERAN) & 1 != 0 else 0)
    if action >= R.o_token:
        two = action == R.o_token + SPEND_TWO
        value = 3 * HELD - 2 * TOKEN if two else HELD - TOKEN
        return value + (1.5 if two and rule_number(s, R, p, W_TWO_TOKENS, 0) > 0 else 0.0)
    if action >= R.o_take:
        return best_shift(s, R, p, action - R.o_take, True)
    f = action - R.o_play
    return max(play_value(s, R, p, f), best_shift(s, R, p, f, False))


@inner
def pass_value(s, R, p):
    """Passing is worth the turns it leaves the other: nothing much when he is out and weaker, little otherwise."""
    foe = 1 - p
    if s.passed[foe] != 0:
        return 1.5 if army_value(s, R, p) > army_value(s, R, foe) else -0.5
    return 0.2 if army_value(s, R, p) >= army_value(s, R, foe) + 6 else -1.0


@inner
def worth_at(s, R, q, slot):
    """What the card in a slot is worth to its owner, face up."""
    f = face_in(s, R, q, slot)
    return R.strength[f] + lasting_value(s, R, q, f) + 0.1


@inner
def aim_value(s, R, p, q, slot, op):
    """What aiming a step at a slot brings to p."""
    worth = worth_at(s, R, q, slot)
    captured = (s.trapped[q] >> slot) & 1 != 0
    sign = -1.0 if q == p else 1.0
    if op == X_RELEASE:
        return -sign * worth
    if op == X_BOUNTY or op == X_MOVE_BOUNTY:
        return 0.1 * sign * worth
    if op == X_ETHEREAL:
        return -sign * worth
    if op == X_RESOLVE:
        f = face_in(s, R, q, slot)
        return 0.1 + text_value(s, R, p, R.prog[f, TEXT_ALWAYS], s.army[q, slot])
    if captured:
        worth *= 0.3
    if op == X_RETURN:
        return sign * worth * 0.7
    return sign * worth * (1.0 if op == X_CAPTURE else 1.05)


@inner
def may_value(s, R, p):
    """What accepting an offer brings: Echo what the text brings once more, a step what it is worth."""
    top = s.sp - 1
    k = text_at(s)
    c = s.stack[k, 3]
    if s.stack[top, 2] == 1:
        return text_value(s, R, p, R.prog[face_of(R, c), TEXT_ENTER], c)
    if s.stack[top, 2] == 2:
        return HELD
    row = s.stack[k, 2] - 1
    if R.code[row, 0] == X_PASS:
        return pass_value(s, R, p)
    return 0.2 + step_value(s, R, p, row, c, s.stack[k, 5])


@inner
def clan_value(s, R, p, clan):
    """What a clan is worth to be chosen: what the other's OPEN cards of it are worth more than one's own."""
    total = 0.0
    for q in range(2):
        slots = free(s, q) & face_up(s, q)
        while slots != 0:
            slot = lowest(U(slots))
            slots &= slots - 1
            if R.clan[face_in(s, R, q, slot)] == clan:
                total += worth_at(s, R, q, slot) if q != p else -worth_at(s, R, q, slot)
    return total


@inner
def draft_value(R, clan):
    """What a clan is worth in the draft: the strength and the texts of its cards, roughly."""
    total = 0.0
    for f in range(R.faces):
        if R.clan[f] == clan:
            total += R.strength[f] + (0.5 if R.prog[f, TEXT_ALWAYS] != 0 else 0.0)
    return total


@inner
def action_value(s, R, p, kind, action):
    """Greedy's score of one legal action; declining and keeping are worth nothing."""
    top = s.sp - 1
    if kind == TURN:
        return turn_value(s, R, p, action)
    if kind == PAY or kind == DISCARD:
        if action == DECLINE:
            return -1.2  # an optional discard is a price for something
        return 0.0 if kind == PAY and action == R.o_wonder else -keep_value(s, R, p, action - R.o_discard) * 0.5
    if action == DECLINE:
        return 0.0
    if kind == USE:
        f = face_of(R, s.stack[top, 2])
        if action == RECRUIT:
            return play_value(s, R, p, f)
        return shift_value(s, R, p, f, action - R.o_replace, s.stack[top, 3] != 0)
    if kind == DRAFT:
        return draft_value(R, action - R.o_pick)
    if kind == WILL:
        f = will_face(R, action)
        return text_value(s, R, p, R.prog[f, TEXT_ALWAYS], f) - 0.5
    if kind == MAY:
        return may_value(s, R, p) if action == ACCEPT else 0.0
    if kind == AIM or kind == SONG:
        op = X_SACRIFICE if kind == SONG else R.code[s.stack[top, 2], 0]
        return aim_value(s, R, p, (action - R.o_target) // SLOTS, (action - R.o_target) % SLOTS, op)
    if kind == CARD:
        op = R.code[s.stack[top, 2], 0]
        worth = keep_value(s, R, p, action - R.o_take)
        return -worth if op == X_PUT or op == X_REMOVE_PILE else worth
    if kind == CLAN:
        return clan_value(s, R, p, action - R.o_pick)
    if kind == MODE:
        k = text_at(s)
        return text_value(s, R, p, R.code[s.stack[top, 2], 2 + action - R.o_option], s.stack[k, 3])
    if kind == REGAIN:
        if action == R.o_token + REGAIN_SPENT:
            return 1.0
        slot = (action - R.o_target) % SLOTS
        return 1.0 + text_value(s, R, p, R.prog[face_in(s, R, p, slot), TEXT_ACTIVATE], s.army[p, slot])
    return 1.0 if action == REDRAW else 0.0


best_action = best_legal(action_value)


@entry
def choose_greedy(s, R, word):
    """The legal action with the best score; ties fall by the random word."""
    return best_action(s, R, word)
