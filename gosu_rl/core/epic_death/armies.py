"""Armies: tokens, crews, Heroes, Machines, traits, and what they are worth in a fight."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, add, has, lowest, remove
from gosu_rl.core.copies import face_of
from gosu_rl.core.epic_death.rules import (
    BRAWLER,
    FERRYMAN,
    FREE_CREW,
    HERO_CARD,
    MACHINE_CARD,
    RECRUITER,
    RIVER,
    SAPPER,
    WALL,
    WOODS,
    WOODSMAN,
)
from gosu_rl.core.epic_death.state import HERO, IN_FRAY, MACHINE, TOKEN
from gosu_rl.core.jit import inner


@inner
def gain(s, q, k):
    """Up to k tokens come from the pool to q's Army (E13)."""
    k = min(k, s.pool)
    s.tokens[q] += k
    s.pool -= k


@inner
def lose_loose(s, q, k):
    """k loose tokens of q's go back to the pool."""
    s.tokens[q] -= k
    s.pool += k


@inner
def works(s, c):
    """Whether Machine c counts: it has crew, and no Action has turned it off (E17, E55)."""
    return s.crew[c] > 0 and not has(s.off[0], c)


@inner
def traits(s, R, q):
    """Mask of the traits that hold for q: the Leader's, the Heroes', and but for Frays those of Machines that count (E49)."""
    mask = R.leader_trait[s.leader[q]]
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            f = face_of(R, c)
            if R.card_sort[f] == HERO_CARD or (works(s, c) and s.fight != IN_FRAY):
                mask |= R.trait[f]
    return mask


@inner
def total_of(s, R, q, what):
    """Sum over q's Army: of the Heroes' printed Attack, of the values of the Machines that count, or of the crew."""
    total = 0
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            f = face_of(R, c)
            if what == TOKEN:
                total += s.crew[c]
            elif what == HERO:
                total += R.value[f] if R.card_sort[f] == HERO_CARD else 0
            elif works(s, c):
                total += R.value[f]
    return total


@inner
def all_tokens(s, R, q):
    """Loose tokens and crew."""
    return s.tokens[q] + total_of(s, R, q, TOKEN)


@inner
def attack(s, R, q):
    """Attack of q's Army in the fight going on: against a Land crew does not count, in a Fray it does (E18, E23)."""
    total = s.tokens[q] + total_of(s, R, q, HERO) + s.attack_plus[q]
    if s.fight == IN_FRAY:
        total += total_of(s, R, q, TOKEN) + (1 if traits(s, R, q) & BRAWLER != 0 else 0)
    return max(0, total)


@inner
def defense(s, R, q):
    """Defense of the Land under q's Army as it is for that Army: less its crewed Machines (E17, E18)."""
    land = s.land[s.at[q]]
    terrain = R.terrain_of[land]
    mask = traits(s, R, q)
    total = R.defense[land] + s.defense_plus - total_of(s, R, q, MACHINE)
    if (
        (terrain == WOODS and mask & WOODSMAN != 0)
        or (terrain == RIVER and mask & FERRYMAN != 0)
        or (terrain == WALL and mask & SAPPER != 0)
    ):
        total -= 1
    return max(0, total)


@inner
def has_hero(s, R, q):
    """Whether a Hero of q's is in play."""
    return faces_of(s, R, q, HERO) != ZERO


@inner
def has_crewed(s, R, q):
    """Whether a Machine of q's counts."""
    return working_machines(s, R, q) != ZERO


@inner
def working_machines(s, R, q):
    """Faces of q's Machines that count, as one word."""
    found = ZERO
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            if works(s, c):  # a Hero has no crew
                found |= ONE << U(face_of(R, c))
    return found


@inner
def hero_cost(s, R, q, f):
    """Tokens that a Hero costs q."""
    cost = R.cost[f]
    return cost - 1 if cost > 1 and traits(s, R, q) & RECRUITER != 0 else cost


@inner
def crew_cost(s, R, q, f):
    """Loose tokens that a Machine's crew costs q: one less where the pool gives one (trait "free crew")."""
    free = s.freed[q] == 0 and s.pool > 0 and traits(s, R, q) & FREE_CREW != 0
    return R.cost[f] - 1 if free else R.cost[f]


@inner
def put_crew(s, R, q, c):
    """Machine c of q's gets its whole printed crew."""
    f = face_of(R, c)
    cost = crew_cost(s, R, q, f)
    if cost < R.cost[f]:
        s.freed[q] = 1
        s.pool -= 1
    s.tokens[q] -= cost
    s.crew[c] = R.cost[f]


@inner
def drop_card(s, q, c):
    """A Hero or Machine of q's is discarded; its crew goes to the pool."""
    remove(s.army[q], c)
    remove(s.off[0], c)
    add(s.discard[0], c)
    s.pool += s.crew[c]
    s.crew[c] = 0
    s.tossed[c] = 0


@inner
def spare(s, R, c, what):
    """What copy c has of what is asked for: 1 for a Hero not tossed, 1 for a Machine, crew not tossed for tokens."""
    hero = R.card_sort[face_of(R, c)] == HERO_CARD
    if what == HERO:
        return 1 if hero and s.tossed[c] == 0 else 0
    if what == MACHINE:
        return 0 if hero else 1
    return s.crew[c] - s.tossed[c]


@inner
def faces_of(s, R, q, what):
    """Faces of q's Army that are Heroes not tossed, Machines, or Machines with crew not tossed, as one word."""
    found = ZERO
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            if spare(s, R, c, what) > 0:
                found |= ONE << U(face_of(R, c))
    return found


@inner
def empty_machines(s, R, q):
    """Faces of q's Machines without crew that loose tokens can crew now."""
    found = ZERO
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            f = face_of(R, c)
            if R.card_sort[f] == MACHINE_CARD and s.crew[c] == 0 and crew_cost(s, R, q, f) <= s.tokens[q]:
                found |= ONE << U(f)
    return found


@inner
def pick_copy(s, R, q, f, what):
    """Which of q's copies of face f is meant: for crew the one with more to toss or lose, to be lost the one with less crew,
    to be crewed (what = -1) the empty one (E46)."""
    twin = f + R.faces
    first = f if (s.army[q, f >> 6] >> U(f & 63)) & ONE != ZERO else -1
    second = -1
    if twin < R.copies and (s.army[q, twin >> 6] >> U(twin & 63)) & ONE != ZERO:
        second = twin
    if first < 0 or second < 0:
        return max(first, second)
    if what == TOKEN:
        return second if spare(s, R, second, TOKEN) > spare(s, R, first, TOKEN) else first
    if what == HERO:
        return first if s.tossed[first] == 0 else second
    return second if s.crew[second] < s.crew[first] else first


@inner
def turn_off(s, R, q, f):
    """A Machine of q's of face f counts no more in this combat; of two alike the one with less crew (E55)."""
    twin = f + R.faces
    first = has(s.army[q], f) and works(s, f)
    second = twin < R.copies and has(s.army[q], twin) and works(s, twin)
    add(s.off[0], twin if second and (not first or s.crew[twin] < s.crew[f]) else f)


@inner
def drop_empty(s, R, q):
    """All Machines of q's without crew are discarded (E17)."""
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            if R.card_sort[face_of(R, c)] == MACHINE_CARD and s.crew[c] == 0:
                drop_card(s, q, c)
