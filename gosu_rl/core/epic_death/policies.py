"""Players that live in compiled code: uniform random, and greedy, a hand-written player that looks one decision ahead.

A policy is `choose(view, rules, word) -> action`: it sees a view whose mover is the viewer, and gets one random word. Greedy
scores every legal action in "tokens", what it hopes to gain, and takes the best; it uses its word only to break ties.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.epic_death.actions import ABILITY, DECLINE, DRAW_NONE, EPIC_DEATH, PASS, STAY
from gosu_rl.core.epic_death.armies import all_tokens, attack, defense, total_of
from gosu_rl.core.epic_death.combat import fighting, requirement_met
from gosu_rl.core.epic_death.conditions import holds
from gosu_rl.core.epic_death.field import other_there
from gosu_rl.core.epic_death.rules import (
    ACTION_CARD,
    END,
    HERO_CARD,
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
    OP_RETOSS,
    OP_RETREAT_NOW,
    OP_SAVE,
    OP_STEAL_CARD,
    OP_STEAL_CONQUEST,
    OP_STEAL_TOKEN,
    OP_SWAP_ARMIES,
    OP_TAKE_BACK,
)
from gosu_rl.core.epic_death.state import (
    ANSWER,
    CREW,
    FOR_CARD,
    FOR_FIGHTER,
    FOR_OTHER,
    HERO,
    MACHINE,
    OFF,
    ON_LAND,
    PEEK,
    REINFORCE,
    RUN,
    STEP,
    SWAP_LAND,
    SWAP_WITH,
    TURN_UP,
)
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import random_legal
from gosu_rl.core.weighing import best_legal

CARD = 0.8  # what a card in the hand is worth, in tokens
HOLD = 0.25  # what keeping an Action for a better moment is worth
FAR_AWAY = 0.8  # how much of a promise is left a step farther away
PATIENCE = 20  # rounds after which greedy begins to attack what it may not beat
BOLDEST = 5.0  # how much it may be short of, then
POINT = 1.3  # what a Victory Point is worth
UNKNOWN_DEFENSE = (4.7, 7.5, 11.0, 22.0)  # what a face-down Land is taken for, by terrain
UNKNOWN_WORTH = (1.3, 2.5, 3.7, 6.3)


@entry
def choose_random(s, R, word):
    """Every legal action with the same probability."""
    return random_legal(s, word)


# ------------------------------------------------------------------------------------------------ what things are worth


@inner
def card_value(R, f):
    """What a card of the hand is worth to keep."""
    if R.card_sort[f] == ACTION_CARD:
        return 0.7
    return 0.6 + 0.3 * (R.value[f] - R.cost[f])


@inner
def strength(s, R, q):
    """Attack of q's Army against a Land, and the values of its crewed Machines, together."""
    return s.tokens[q] + total_of(s, R, q, HERO) + total_of(s, R, q, MACHINE)


@inner
def land_value(s, R, p, space):
    """What attacking the Land on a space promises p; negative where he would be beaten."""
    bit = ONE << U(space)
    terrain = R.terrain[space]
    land = s.land[space]
    needed = UNKNOWN_DEFENSE[terrain]
    worth = UNKNOWN_WORTH[terrain]
    if land >= 0:
        needed = 1.0 * R.defense[land]
        worth = 1.0 * R.worth[land]
        if (R.needs[land] == 1 and total_of(s, R, p, HERO) == 0) or (
            R.needs[land] == 2 and total_of(s, R, p, MACHINE) == 0
        ):
            return -4.0
    elif s.face_up & bit != ZERO:
        return 0.0
    margin = strength(s, R, p) - needed
    if s.pool < R.reinforcements:  # no more to come by waiting
        margin += min(BOLDEST, 0.2 * max(0, s.rnd - PATIENCE))
    tosses = max(0.0, needed - total_of(s, R, p, MACHINE))
    chance = min(1.0, max(0.0, 0.5 + 0.4 * margin))
    return chance * worth * (1.0 + POINT) - 0.5 * min(tosses, 1.0 * s.tokens[p]) - (1.0 - chance) * 1.5


@inner
def best_land(s, R, p, space):
    """The best promise among the Lands on the field, the less the farther they are from a space."""
    best = 0.0
    left = s.lands
    while left != ZERO:
        there = lowest(left)
        left &= left - ONE
        steps = R.steps[space, there]
        if steps > 0:
            best = max(best, land_value(s, R, p, there) * FAR_AWAY ** (steps - 1))
    return best


@inner
def space_value(s, R, p, space):
    """What it is worth to p to have his Army on a space."""
    other = other_there(s, p, space)
    if other >= 0:
        mine = strength(s, R, p) - total_of(s, R, p, MACHINE)
        theirs = strength(s, R, other) - total_of(s, R, other, MACHINE)
        if mine > theirs + 1:
            prize = R.worth[s.pile[other, s.piled[other] - 1]] if s.piled[other] > 0 else 0
            return POINT * prize - 0.5 * theirs + FAR_AWAY * best_land(s, R, p, space)
        return -3.0
    if (s.lands >> U(space)) & ONE != ZERO:
        return land_value(s, R, p, space) + FAR_AWAY * best_land(s, R, p, space)
    return FAR_AWAY * best_land(s, R, p, space)


@inner
def fight_value(s, R, p, change):
    """What changing the balance of the fight going on by `change` in p's favour is worth to p."""
    if s.fight == ON_LAND:
        q = s.attacker
        margin = attack(s, R, q) - defense(s, R, q)
        worth = R.worth[s.land[s.at[q]]] * (1.0 + POINT)
        if not requirement_met(s, R, q):
            return -0.5
        if q == p:
            return worth if margin < 0 <= margin + change else 0.4 * change - 0.4 if margin >= 0 else -0.5
        return worth / (s.n - 1) if margin >= 0 > margin - change else -0.5
    q = s.attacker if s.attacker != p else s.defender
    margin = attack(s, R, p) - attack(s, R, q)
    return 2.0 if margin <= 0 < margin + change else -0.5


@inner
def program_value(s, R, p, row):
    """What the steps from `row` on are worth to p, who plays them."""
    total = 0.0
    against = False  # the steps are about another player
    while R.code[row, 0] != END:
        op = R.code[row, 0]
        x = 1.0 * R.code[row, 1]
        if not against and not holds(s, R, row, p):  # of others it is not known yet whom it will be about
            row += 1
            continue
        sign = -0.35 if against else 1.0  # what an opponent loses is worth less than what one gains
        if op == OP_CHOOSE:
            against = R.code[row, 1] != FOR_FIGHTER or R.code[row + 1, 1] < 0 or R.code[row + 1, 0] == OP_KILL_TOSS
        elif op == OP_GAIN:
            total += sign * min(x, 1.0 * s.pool)
        elif op == OP_LOSE:
            total -= sign * x
        elif op == OP_DRAW:
            total += sign * CARD * x
        elif op == OP_DISCARD or op == OP_DISCARD_RANDOM:
            spare = not against and s.hand_size[p] > R.hand_limit  # what must go anyway
            total -= sign * (0.1 if spare else CARD) * x
        elif op == OP_LOSE_HERO or op == OP_LOSE_MACHINE:
            total += foes_have(s, R, p, HERO if op == OP_LOSE_HERO else MACHINE) if against else -1.5
        elif op == OP_STEAL_TOKEN:
            total += 1.2 * x
        elif op == OP_STEAL_CARD:
            total += 1.2 * CARD
        elif op == OP_STEAL_CONQUEST:
            total += 2.0
        elif op == OP_ATTACK or op == OP_DEFENSE:
            if s.fight == ON_LAND and s.attacker != p:
                total += fight_value(s, R, p, x if op == OP_DEFENSE else -x)
            elif fighting(s, p):
                total += fight_value(s, R, p, -x if op == OP_DEFENSE or against else x)
            else:
                total -= 0.5
        elif op == OP_NO_REQUIREMENT:
            helps = fighting(s, p) and not requirement_met(s, R, p) and attack(s, R, p) >= defense(s, R, p)
            total += 4.0 if helps else -0.3
        elif op == OP_MOVE:
            total += 0.2 if against else best_land(s, R, p, s.at[p]) - 1.0
        elif op == OP_TAKE_BACK:
            total += 0.9
        elif op == OP_SAVE or op == OP_RETOSS:
            back = min(x, 1.0 * s.fallen[p])
            total += back if op == OP_SAVE else 0.5 * back
        elif op == OP_CANCEL:
            total += 0.2
        else:
            total += bending_value(s, R, p, op, x, against)
        row += 1
    return total


@inner
def bending_value(s, R, p, op, x, against):
    """What the steps that bend the course of a combat, of the field or of the turn are worth to p (E55 to E64)."""
    if op == OP_KILL_TOSS:
        return 0.2 * x if against else -0.4 * x
    if op == OP_NO_COMBAT:
        return 0.6 if against else -1.0
    if op == OP_GUARD:
        return -0.4 if against else 0.5
    if op == OP_SWAP_ARMIES:
        return 0.3 if best_land(s, R, p, s.at[p]) < 0.5 else -0.5
    if op == OP_MACHINE_OFF or op == OP_RETREAT_NOW:
        if s.fight != ON_LAND:
            return -0.5
        margin = attack(s, R, s.attacker) - defense(s, R, s.attacker)
        if s.attacker != p:
            change = margin + 1 if op == OP_RETREAT_NOW else total_of(s, R, s.attacker, MACHINE)
            return fight_value(s, R, p, change)
        if op == OP_RETREAT_NOW and margin < 0:
            return 0.4 * min(s.tokens[p], defense(s, R, p))  # the tosses that it saves
        return -2.0
    return 0.3  # Lands turned up or changed


@inner
def foes_have(s, R, p, what):
    """A point if some opponent has a Hero or a crewed Machine."""
    for q in range(s.n):
        if q != p and total_of(s, R, q, what) > 0:
            return 1.0
    return -0.5


@inner
def standing_of(s, R, q):
    """How far ahead a player seems: points, tokens, cards in play."""
    return POINT * s.points[q] + 0.5 * all_tokens(s, R, q) + 0.3 * strength(s, R, q)


# ------------------------------------------------------------------------------------------------ greedy


@inner
def played_value(s, R, p, kind, f):
    """What playing a card of face f is worth in a decision of this kind."""
    if R.card_sort[f] == ACTION_CARD:
        worth = program_value(s, R, p, R.prog[f]) - HOLD
        if kind == ANSWER:  # others' Actions rarely help; in a fight of one's own they hardly ever do
            worth = 0.3 if fighting(s, p) or s.n == 2 else -0.1
        return worth
    if s.tokens[p] - R.cost[f] < 1:
        return -0.5
    if R.card_sort[f] == HERO_CARD:
        return 0.6 + R.value[f] - R.cost[f]
    return 0.2 + R.value[f] - R.cost[f]


@inner
def picked_value(s, R, kind, f):
    """What picking a Hero or Machine of face f is worth in a decision of this kind."""
    if kind == CREW:
        keeps = s.tokens[s.mover] - R.cost[f]
        return R.value[f] - R.cost[f] + 0.1 if keeps >= 0 else -1.0
    if kind == OFF and s.attacker != s.mover:
        return 1.0 * R.value[f]  # another's best
    return -1.0 * R.value[f]  # tossed, lost, turned off: the least valuable first


@inner
def named_value(s, R, p, q):
    """What naming player q is worth to p."""
    top = s.sp - 1
    purpose = s.stack[top, 2]
    worth = standing_of(s, R, q) - (100.0 if q == p else 0.0)
    if purpose == FOR_CARD:
        worth += 0.2 * s.hand_size[q]
    if purpose >= FOR_OTHER and s.stack[top - 1, 0] == RUN:  # the subject of what follows
        row = s.stack[top - 1, 2]
        op = R.code[row, 0]
        helps = op == OP_GAIN or op == OP_DRAW or op == OP_TAKE_BACK or op == OP_GUARD
        helps = helps or (op == OP_ATTACK and R.code[row, 1] > 0)
        if helps:
            return 100.0 if q == p else -worth
        if op == OP_LOSE_HERO:
            worth += 3.0 * total_of(s, R, q, HERO)
        elif op == OP_LOSE_MACHINE:
            worth += 3.0 * total_of(s, R, q, MACHINE)
    return worth


@inner
def stepping_value(s, R, p, army, space):
    """What it is worth to p that an Army, his own or another's, comes to a space."""
    if army != p:
        return -space_value(s, R, army, space) + 0.1 * R.far[space]
    return space_value(s, R, p, space)


@inner
def action_value(s, R, p, kind, action):
    """What an action is worth to p, in tokens."""
    if action < R.o_player:
        if kind == REINFORCE:
            k = action - DRAW_NONE
            cards = 1.2 if s.hand_size[p] < 2 else CARD if s.hand_size[p] < 3 else 0.4
            return k * cards + min(1.0 * R.reinforcements - k, 1.0 * s.pool) - 0.1 * k * k
        if action == ABILITY:
            return program_value(s, R, p, R.leader_prog[s.leader[p]]) + (0.3 if s.hand_size[p] > 3 else 0.0)
        if action == EPIC_DEATH:
            k = all_tokens(s, R, p)
            land = s.land[s.at[p]]
            return R.worth[land] * (1.0 + POINT) * 0.5 ** min(k, 30) - 0.3 * k
        if action == STAY and kind == STEP:  # go no farther
            army = s.stack[s.sp - 1, 2]
            return stepping_value(s, R, p, army, s.at[army])
        if action == STAY:
            return 0.15 + 0.9 * FAR_AWAY * best_land(s, R, p, s.at[p])
        if action == DECLINE or action == PASS:
            return 0.0
        return 0.0
    if action < R.o_space:
        return named_value(s, R, p, action - R.o_player)
    if action < R.o_play:
        space = action - R.o_space
        if kind == PEEK or kind == TURN_UP:
            return -1.0 * R.far[space]
        if kind == SWAP_LAND or kind == SWAP_WITH:  # any
            return 0.0
        return stepping_value(s, R, p, s.stack[s.sp - 1, 2] if kind == STEP else p, space)
    if action < R.o_discard:
        return played_value(s, R, p, kind, action - R.o_play)
    if action < R.o_pick:
        return -card_value(R, action - R.o_discard)
    if action < R.o_take:
        return picked_value(s, R, kind, action - R.o_pick)
    return card_value(R, action - R.o_take)


best_action = best_legal(action_value)


@entry
def choose_greedy(s, R, word):
    """The legal action with the best score; ties fall by the random word."""
    return best_action(s, R, word)
