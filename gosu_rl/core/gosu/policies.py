"""Players that live in compiled code: uniform random, and greedy, a hand-written player that looks one decision ahead.

A policy is `choose(view, rules, word) -> action`: it sees a view whose mover is the viewer, and gets one random word. Greedy scores
every legal action in "strength points" and takes the best; it uses its word only to break ties.
"""

from __future__ import annotations

import math

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, popcount
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.actions import ACCEPT, DECLINE, PASS, RECRUIT, REDRAW, REGAIN_SPENT
from gosu_rl.core.gosu.army import (
    clans_in_army,
    clans_in_row,
    face_up,
    is_zombie,
    mutation_cost,
    recruit_cost,
    strength,
)
from gosu_rl.core.gosu.conditions import amount, holds
from gosu_rl.core.gosu.rules import (
    ACTIVATE,
    END,
    ENTER,
    LINKS,
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
    OP_POINT,
    OP_REGAIN,
    OP_REVEAL,
    OP_TAKE_BACK,
    OP_TRAP,
    OP_VICTIM,
    WIN,
)
from gosu_rl.core.gosu.state import (
    DESTROY,
    DISCARD,
    KEEP,
    LINK,
    OFFER,
    OPENING,
    PAY,
    REGAIN,
    RETURN,
    SLOTS,
    TRAP,
    TURN,
    USE,
    VICTIM,
)
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import random_legal
from gosu_rl.core.weighing import best_legal, win_share

CARD = 1.0  # what a card in the hand is worth to greedy, in strength points
UNWANTED = -100.0
TOKEN = 0.4  # what is taken off for a token that is spent, so that two for three cards (2.2) go before powers worth less than 2.6
ACTIVATED = 1.5  # what a goblin's power must bring to be worth its token: two tokens buy three cards


@entry
def choose_random(s, R, word):
    """Every legal action with the same probability (unbiased: rejected words are replaced by scrambling on)."""
    return random_legal(s, word)


# ------------------------------------------------------------------------------------------------ greedy


@inner
def powers_value(s, R, p, row):
    """What the powers of the program at `row` are worth to p now."""
    total = 0.0
    if row == 0:
        return total
    foes_strong = 0
    foes_cards = 0
    for q in range(s.n):
        if q != p:
            foes_strong += face_up(s, q)
            foes_cards += s.hand_size[q]
    while R.code[row, 0] != END:
        op = R.code[row, 0]
        x = R.code[row, 1]
        if op == OP_DESTROY and foes_strong != 0:
            total += 2.0 + 0.5 * x
        elif op == OP_TRAP and foes_strong != 0:
            total += 1.5 + 0.5 * x
        elif op == OP_VICTIM and foes_cards > 0:
            total += 0.8 * amount(s, p, x)
        elif op == OP_HALF:
            total += max(0.0, 0.5 * foes_cards / (s.n - 1) - 0.5 * s.hand_size[p])
        elif op == OP_DRAW:
            total += CARD * amount(s, p, x)
        elif op == OP_DRAW_CLANS:
            total += CARD * popcount(U(clans_in_army(s, R, p)))
        elif op == OP_REVEAL:
            total += 1.4 * amount(s, p, R.code[row, 2])
        elif op == OP_TAKE_BACK:
            total += 1.3
        elif op == OP_FEWEST:
            total += 0.2
        elif op == OP_ADVANTAGE and s.adv != p:
            total += 1.0
        elif op == OP_EXTRA:
            total += 1.5 if s.turns_left[p] > 0 else 0.7
        elif op == OP_REGAIN and s.spent[p] + s.marked[p] != 0:
            total += 1.2
        elif op == OP_POINT:
            total += 8.0 * x
        elif op == OP_DROP:
            total -= CARD * min(x, s.hand_size[p])
        elif op == OP_IF and not holds(s, R, p, R.code[row, 2]):
            row = x  # behind this power
            continue
        row += 1
    return total


@inner
def lasting_value(s, R, p, f):
    """What face f is worth beyond its strength as long as it lies in the army: activated powers and what Ôzekis bend (G8)."""
    if R.activation == 0:
        return 0.0
    value = 0.5 * max(0.0, powers_value(s, R, p, R.prog[f, ACTIVATE]) - ACTIVATED)
    if R.bends[f] != 0 or R.prog[f, WIN] != 0:
        value += 1.0
    return value


@inner
def recruit_value(s, R, p, f):
    """What recruiting face f brings: its strength, its powers, the heroes of its clan it lets in, less what it costs."""
    cost = recruit_cost(s, R, p, f)
    value = R.strength[f] + powers_value(s, R, p, R.prog[f, ENTER]) - CARD * cost + lasting_value(s, R, p, f)
    if R.level[f] == 1 and (clans_in_row(s, R, p, 0) >> R.clan[f]) & 1 == 0:
        for w in range(2):
            word = R.clan_faces[R.clan[f], w] & ~R.level_faces[1, w] & s.hand[p, w]
            value += 0.8 * popcount(word)
    return value


@inner
def replace_value(s, R, p, f, slot, from_pile):
    """What replacing the goblin in `slot` by face f brings."""
    old = face_of(R, s.army[p, slot])
    cost = mutation_cost(R, old, s.bent[p])
    value = powers_value(s, R, p, R.prog[old, MUTATE]) + powers_value(s, R, p, R.prog[f, ENTER])
    value += R.strength[f] - R.strength[old] - CARD * cost - (0.0 if from_pile else 0.6 * CARD)
    if R.activation != 0:
        value += lasting_value(s, R, p, f) - lasting_value(s, R, p, old)
    if R.prog[old, MUTATE] != 0:  # once its power is spent, a goblin is worth keeping for another time
        value -= 0.3
    return value


@inner
def keep_value(s, R, p, f):
    """What face f is worth in p's hand."""
    troops = clans_in_row(s, R, p, 0)
    value = 0.6 * R.strength[f] + 0.7 * powers_value(s, R, p, R.prog[f, ENTER]) + (0.3 if R.links[f] != 0 else 0.0)
    value += 0.7 * lasting_value(s, R, p, f)
    mine = (troops >> R.clan[f]) & 1 != 0
    if R.level[f] == 1:
        value += 1.5 if mine or s.rows[p, 0] == 0 else 0.3
        if s.rows[p, 0] == 5:
            value -= 2.0
        if s.rows[p, 0] == 0:
            value += 1.5
    elif mine:
        value += 1.5
    else:  # a leader is worth more beside troopers of its clan in the hand
        for w in range(2):
            word = R.clan_faces[R.clan[f], w] & R.level_faces[1, w] & s.hand[p, w]
            value += 0.5 * popcount(word)
        value -= 0.5 * R.level[f]
    return value


@inner
def name_value(s, R, p, f, from_pile):
    """What naming face f for this turn brings: the better of recruiting it and of its best replacement."""
    best = UNWANTED
    if not from_pile:
        cost = recruit_cost(s, R, p, f)
        if 0 <= cost < s.hand_size[p]:
            best = recruit_value(s, R, p, f)
    row = R.level[f] - 1
    bent = s.bent[p]
    payable = s.hand_size[p] if from_pile else s.hand_size[p] - 1
    for col in range(s.rows[p, row]):
        slot = 5 * row + col
        old = face_of(R, s.army[p, slot])
        fits = (R.replaces[old, f >> 6] >> U(f & 63)) & ONE != ZERO and (s.trapped[p] >> slot) & 1 == 0
        if fits and 0 <= mutation_cost(R, old, bent) <= payable and (not from_pile or is_zombie(R, old, bent)):
            best = max(best, replace_value(s, R, p, f, slot, from_pile))
    return best


@inner
def target_value(s, R, p, q, slot, kind):
    """What destroying or trapping (or releasing) the goblin in a slot brings to p; negative for p's own."""
    f = face_of(R, s.army[q, slot])
    trapped = (s.trapped[q] >> slot) & 1 != 0
    worth = 1.0 * R.strength[f] + (0.2 if R.links[f] != 0 else 0.0) + 0.02 * strength(s, R, q) + 0.3 * s.points[q]
    if kind == TRAP and trapped:
        return worth if q == p else -worth
    if trapped:
        worth *= 0.4
    return worth if q != p else -worth


@inner
def offer_value(s, R, p):
    """What accepting the power on offer brings; only a Discard MAX can hurt its owner."""
    row = s.stack[s.sp - 2, 2]
    if R.code[row, 0] != OP_HALF:
        return 1.0
    mine = s.hand_size[p] // 2
    most = 0
    for q in range(s.n):
        if q != p:
            most = max(most, s.hand_size[q] // 2)
    return most - mine - 0.5


@inner
def token_value(s, R, p, action):
    """What spending activation tokens brings: cards, or the power of a goblin of one's own."""
    if action >= R.o_activate:
        return powers_value(s, R, p, R.prog[face_of(R, s.army[p, action - R.o_activate]), ACTIVATE]) - TOKEN
    k = 1 + action - R.o_token
    return CARD * (2 * k - 1) - TOKEN * k


@inner
def action_value(s, R, p, kind, action):
    """Greedy's score of one legal action; declining, passing and keeping are worth nothing."""
    if action == PASS or action == DECLINE:
        return 0.0
    if kind == TURN:
        if R.activation != 0 and action >= R.o_token:
            return token_value(s, R, p, action)
        if action >= R.o_take:
            return name_value(s, R, p, action - R.o_take, True)
        return name_value(s, R, p, action - R.o_play, False)
    if kind == PAY or kind == DISCARD or kind == OPENING:
        return -keep_value(s, R, p, action - R.o_discard)
    if kind == KEEP or kind == RETURN:
        return keep_value(s, R, p, action - R.o_take)
    if kind == USE:
        f = face_of(R, s.stack[s.sp - 1, 2])
        if action == RECRUIT:
            return recruit_value(s, R, p, f)
        return replace_value(s, R, p, f, action - R.o_replace, s.stack[s.sp - 1, 3] != 0)
    if kind == DESTROY or kind == TRAP:
        return target_value(s, R, p, (action - R.o_target) // SLOTS, (action - R.o_target) % SLOTS, kind)
    if kind == VICTIM:
        q = action - R.o_player
        return UNWANTED if q == p else 1.0 + s.hand_size[q] + 0.5 * s.points[q]
    if kind == OFFER:
        return offer_value(s, R, p) if action == ACCEPT else 0.0
    if kind == LINK:
        return powers_value(s, R, p, R.prog[face_of(R, s.army[p, (action - R.o_target) % SLOTS]), LINKS])
    if kind == REGAIN:
        if action == R.o_token + REGAIN_SPENT:
            return 1.0
        return 1.0 + powers_value(s, R, p, R.prog[face_of(R, s.army[p, (action - R.o_target) % SLOTS]), ACTIVATE])
    if action == REDRAW:
        return 1.0
    return -1.0  # swaps: greedy declines them


best_action = best_legal(action_value)


@entry
def choose_greedy(s, R, word):
    """The legal action with the best score; ties fall by the random word."""
    return best_action(s, R, word)


# ------------------------------------------------------------------------------------------------ judging a position

# Multinomial logistic regressions on who won games between greedy players with 2 to 4 of them (experiments/fit_evaluation.py).
# A row a kind of game: without activation tokens (17,285 positions of Tactics, log loss 0.98 against 1.16 for knowing nothing),
# and with them (29,200 positions of GOSU, 0.90 against 1.15; with the row above 0.92). There a card in the hand counts for more
# than twice as much, since no new round brings others.
POINTS_SQUARED, POINTS_TAKEN, UP, DOWN, IN_HAND, READY, OUT = range(7)
WEIGHTS = np.array(
    [
        [0.43, -0.71, 0.109, 0.14, 0.08, 0.0, -0.36],
        [0.24, -0.21, 0.127, 0.06, 0.20, 0.31, -0.53],
    ]
)


@inner
def prospects(s, R, q):
    """How well q stands, on an exponential scale: points, strength, hand, ready tokens, whether he is out of the round.

    In Tactics a standing army is worth more than a point.
    """
    up = strength(s, R, q)
    down = 0
    for slot in range(SLOTS):
        if (s.trapped[q] >> slot) & 1 != 0:
            down += R.strength[face_of(R, s.army[q, slot])]
    kind = R.activation
    points = s.points[q]
    out = WEIGHTS[kind, OUT] if s.turns_left[q] == 0 else 0.0
    stock = WEIGHTS[kind, IN_HAND] * s.hand_size[q] + WEIGHTS[kind, READY] * s.tokens[q]
    taken = WEIGHTS[kind, POINTS_SQUARED] * points * points + WEIGHTS[kind, POINTS_TAKEN] * points
    return math.exp(taken + WEIGHTS[kind, UP] * up + WEIGHTS[kind, DOWN] * down + stock + out)


share_of = win_share(prospects)


@entry
def evaluate(s, R, seat):
    """The win share, in millionths, that a seat can expect in a position that is not over: its part of all prospects."""
    return share_of(s, R, seat)
