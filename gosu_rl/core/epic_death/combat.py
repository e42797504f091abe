"""Combat against a Land (E5, E15–E21) and Frays (E23–E27), stage by stage, as the frames COMBAT and FRAY.

COMBAT (who, stage, won, defense) and FRAY (attacker, defender, stage, origin, outcome) wait on the stack while Actions, crews and
tosses are decided above them.
"""

from __future__ import annotations

from gosu_rl.core.bits import ZERO
from gosu_rl.core.epic_death.armies import all_tokens, attack, defense, gain, has_crewed, has_hero, traits
from gosu_rl.core.epic_death.field import send, show, space_bit
from gosu_rl.core.epic_death.rules import NEEDS_HERO, NEEDS_MACHINE, REAR_GUARD, TOWN
from gosu_rl.core.epic_death.state import (
    CREW,
    EPIC,
    FLEE,
    FROM_LAND,
    IN_FRAY,
    NO_FIGHT,
    ON_LAND,
    RUN,
    SEATS,
    TOSSES,
    TOWNS,
)
from gosu_rl.core.epic_death.tosses import come_back, epic_toss
from gosu_rl.core.epic_death.windows import open_windows
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push

BEGIN, ASK, GIVE_CREW, COMPARE, CASUALTIES, OUTCOME, BROKEN_OFF = range(7)  # stages of a combat
OPEN, CLASH, PART = range(3)  # stages of a Fray
ATTACKER_WINS, DEFENDER_WINS, TIE = range(3)


@inner
def begin_fight(s, sort, attacker, defender):
    """Start a combat or Fray: what Actions changed in an earlier one is over (E18)."""
    s.fight = sort
    s.attacker = attacker
    s.defender = defender
    s.defense_plus = 0
    s.open_door = 0
    for q in range(SEATS):
        s.attack_plus[q] = 0
        s.fallen[q] = 0
        s.extra_tosses[q] = 0
    for w in range(2):
        s.off[0, w] = ZERO


@inner
def end_fight(s):
    """No combat or Fray is going on."""
    begin_fight(s, NO_FIGHT, -1, -1)


@inner
def requirement_met(s, R, q):
    """Whether q's Army has what the Land asks for (E16)."""
    needs = R.needs[s.land[s.at[q]]]
    if s.open_door != 0:
        return True
    if needs == NEEDS_HERO:
        return has_hero(s, R, q)
    if needs == NEEDS_MACHINE:
        return has_crewed(s, R, q)
    return True


@inner
def combat(s, R):
    """Carry the COMBAT frame on top to its next stage."""
    top = s.sp - 1
    who = s.stack[top, 1]
    stage = s.stack[top, 2]
    land = s.land[s.at[who]]
    s.stack[top, 2] = stage + 1
    if stage == BEGIN:
        begin_fight(s, ON_LAND, who, -1)
        show(s, s.at[who])
        push(s, RUN, who, R.land_prog[land], FROM_LAND, land, who)
    elif stage == ASK:
        open_windows(s)
    elif stage == GIVE_CREW:
        push(s, CREW, who, 0, 0, 0, 0)
    elif stage == COMPARE:
        compare(s, R, who, top, land)
    elif stage == CASUALTIES:
        push(s, TOSSES, who, s.stack[top, 4] + s.extra_tosses[who], 0, 0, 0)
    elif stage == BROKEN_OFF:
        pop(s)
    else:
        won = s.stack[top, 3] != 0
        pop(s)
        if won:
            end_fight(s)
            conquer(s, R, who)
        else:
            if traits(s, R, who) & REAR_GUARD != 0:
                come_back(s, who, 1)
            retreat(s, who)


@inner
def retreat(s, who):
    """The combat of who's Army is over without a victory: back to where it came from; who stands on his start stays (E22)."""
    end_fight(s)
    if s.back[who] >= 0:
        send(s, who, s.back[who])


@inner
def compare(s, R, who, top, land):
    """Attack against Defense; the loser may declare Epic Death if he is weak enough (E5)."""
    power = attack(s, R, who)
    needed = defense(s, R, who)
    met = requirement_met(s, R, who)
    s.stack[top, 3] = 1 if met and power >= needed else 0
    s.stack[top, 4] = needed
    if met and 2 * power < needed and all_tokens(s, R, who) > 0 and R.epic[land] != 0:
        push(s, EPIC, who, 0, 0, 0, 0)


@inner
def try_epic_death(s, R, who):
    """Epic Death has been declared; the COMBAT frame is on top (E20)."""
    if epic_toss(s, R, who):
        top = s.sp - 1
        s.stack[top, 3] = 1
        s.stack[top, 2] = OUTCOME  # no other toss


@inner
def conquer(s, R, q):
    """The Land under q's Army is conquered: card, reinforcements, and the end with the last Town (E10, E21)."""
    space = s.at[q]
    land = s.land[space]
    gain(s, q, R.worth[land])
    s.pile[q, s.piled[q]] = land
    s.piled[q] += 1
    s.points[q] += R.worth[land]
    s.land[space] = -1
    s.lands &= ~space_bit(space)
    s.face_up &= ~space_bit(space)
    s.back[q] = -1
    if R.terrain[space] == TOWN:
        s.towns -= 1
        if s.towns == 0:
            end_game(s, R)


@inner
def end_game(s, R):
    """Most points win; tied, most Lands; tied, most tokens; still tied, all of them (E7, E34)."""
    best = -1
    for q in range(s.n):
        best = max(best, standing(s, R, q))
    for q in range(s.n):
        s.win[q] = 1 if standing(s, R, q) == best else 0
    finish(s, TOWNS)


@inner
def standing(s, R, q):
    """One number that orders players as E7 does."""
    return (s.points[q] * 1000 + s.piled[q]) * 1000 + all_tokens(s, R, q)


@inner
def finish(s, reason):
    """The game is over."""
    s.reason = reason
    s.over = 1 if reason == TOWNS else 2
    s.mover = -1
    s.kind = 0


# ------------------------------------------------------------------------------------------------ Frays


@inner
def fray(s, R):
    """Carry the FRAY frame on top to its next stage (E23)."""
    top = s.sp - 1
    attacker = s.stack[top, 1]
    defender = s.stack[top, 2]
    stage = s.stack[top, 3]
    s.stack[top, 3] = stage + 1
    if stage == OPEN:
        s.fought[attacker] |= 1 << defender
        s.fought[defender] |= 1 << attacker
        if s.phase < 2 and (attacker == s.active or defender == s.active):
            s.frayed = 1
        begin_fight(s, IN_FRAY, attacker, defender)
        open_windows(s)
    elif stage == CLASH:
        clash(s, R, top, attacker, defender)
    else:
        origin = s.stack[top, 4]
        outcome = s.stack[top, 5]
        pop(s)
        end_fight(s)
        if outcome == TIE:
            send(s, attacker, origin)
        else:
            push(s, FLEE, defender if outcome == ATTACKER_WINS else attacker, 0, 0, 0, 0)


@inner
def clash(s, R, top, attacker, defender):
    """Compare, move conquest cards, and let both toss, the attacker first (E24, E25)."""
    a = attack(s, R, attacker)
    d = attack(s, R, defender)
    if a > d:
        s.stack[top, 5] = ATTACKER_WINS
        take_conquest(s, R, attacker, defender)
    elif d > a:
        s.stack[top, 5] = DEFENDER_WINS
        take_conquest(s, R, defender, attacker)
    else:
        s.stack[top, 5] = TIE
        swap_conquests(s, R, attacker, defender)
    weaker = min(a, d)
    for_defender = weaker + s.extra_tosses[defender]
    for_attacker = weaker + s.extra_tosses[attacker]
    if for_defender > 0:
        push(s, TOSSES, defender, for_defender, 0, 0, 0)
    if for_attacker > 0:
        push(s, TOSSES, attacker, for_attacker, 0, 0, 0)


@inner
def lift(s, R, q):
    """Take the top card off q's conquest pile; -1 if it is empty."""
    if s.piled[q] == 0:
        return -1
    s.piled[q] -= 1
    land = s.pile[q, s.piled[q]]
    s.pile[q, s.piled[q]] = -1
    s.points[q] -= R.worth[land]
    return land


@inner
def lay(s, R, q, land):
    """Put a card on top of q's conquest pile; nothing for -1."""
    if land >= 0:
        s.pile[q, s.piled[q]] = land
        s.piled[q] += 1
        s.points[q] += R.worth[land]


@inner
def take_conquest(s, R, winner, loser):
    """The top card of one pile goes on top of another."""
    lay(s, R, winner, lift(s, R, loser))


@inner
def swap_conquests(s, R, a, b):
    """Both top cards change piles at the same time (E25)."""
    from_a = lift(s, R, a)
    from_b = lift(s, R, b)
    lay(s, R, a, from_b)
    lay(s, R, b, from_a)


@inner
def fighting(s, q):
    """Whether q's Army is in the combat or Fray going on."""
    return s.fight != NO_FIGHT and (q == s.attacker or q == s.defender)
