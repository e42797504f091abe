"""Tossing: tokens, crews and Heroes, and what comes back afterwards (E19, E20, E24, E43, E47)."""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.copies import face_of
from gosu_rl.core.epic_death.armies import drop_card, faces_of, gain, lose_loose, pick_copy, total_of, traits
from gosu_rl.core.epic_death.field import single
from gosu_rl.core.epic_death.rules import HEALER
from gosu_rl.core.epic_death.state import AFTER_TOSS, COINS, HERO, IN_FRAY, ON_LAND, TOKEN
from gosu_rl.core.epic_death.state import TOSS as TOSS_CHOICE
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push


@inner
def coin(s):
    """Toss one coin: 1 alive, 0 dead. Everybody sees it."""
    alive = rng.bits(s) >> U(63)
    if s.ncoins < 64 * COINS:
        s.coins[s.ncoins >> 6] |= alive << U(s.ncoins & 63)
        s.ncoins += 1
    return 1 if alive != ZERO else 0


@inner
def toss_loose(s, q, k):
    """Toss k loose tokens of q's together; the dead go to the pool."""
    dead = 0
    for _ in range(k):
        dead += 1 - coin(s)
    lose_loose(s, q, dead)
    s.fallen[q] += dead


@inner
def toss_crew(s, q, c):
    """Toss one crew token of Machine c that has not been tossed yet."""
    if coin(s) == 1:
        s.tossed[c] += 1
    else:
        s.crew[c] -= 1
        s.pool += 1
        s.fallen[q] += 1


@inner
def toss_all_crew(s, R, q):
    """Toss every crew token that has not been tossed, Machine by Machine (E47)."""
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            for _ in range(s.crew[c] - s.tossed[c]):
                toss_crew(s, q, c)


@inner
def forget_tossed(s, q):
    """The tosses of q's are over: every token may be tossed again."""
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            s.tossed[64 * w + lowest(word)] = 0
            word &= word - ONE


@inner
def epic_toss(s, R, q):
    """Toss all tokens and crew of q's; whether all are dead (E20)."""
    toss_loose(s, q, s.tokens[q])
    toss_all_crew(s, R, q)
    forget_tossed(s, q)
    return s.tokens[q] + total_of(s, R, q, TOKEN) == 0


# The stages of a TOSSES frame (who, left, stage): loose tokens, Heroes one by one, crew, the end.
LOOSE, HEROES, CREW_TOKENS, AFTER = range(4)


@inner
def toss_on(s, R):
    """Carry the TOSSES frame on top a bit further."""
    top = s.sp - 1
    who = s.stack[top, 1]
    left = s.stack[top, 2]
    stage = s.stack[top, 3]
    if stage == LOOSE:
        k = min(s.tokens[who], left)
        with_loose = s.tokens[who] > 0
        with_crew = total_of(s, R, who, TOKEN) > 0
        toss_loose(s, who, k)
        left -= k
        if with_loose and s.fight == ON_LAND:
            left -= total_of(s, R, who, HERO)  # Heroes cover their Attack without a toss
        to_crew = with_loose or (
            s.fight == IN_FRAY and with_crew
        )  # in a Fray Heroes are tossed by who has no token at all
        s.stack[top, 2] = max(0, left)
        s.stack[top, 3] = CREW_TOKENS if to_crew else HEROES
    elif stage == HEROES:
        faces = faces_of(s, R, who, HERO)
        if left <= 0 or faces == ZERO:
            s.stack[top, 3] = CREW_TOKENS
        elif single(faces):
            toss_hero(s, R, who, lowest(faces))
        else:
            push(s, TOSS_CHOICE, who, HERO, 0, 0, 0)
    elif stage == CREW_TOKENS:
        untossed = faces_of(s, R, who, TOKEN)
        there = total_of(s, R, who, TOKEN) - tossed_crew(s, who)
        if left <= 0 or untossed == ZERO:
            s.stack[top, 3] = AFTER
        elif left >= there:
            toss_all_crew(s, R, who)
            s.stack[top, 3] = AFTER
        elif single(untossed):
            toss_from(s, R, who, lowest(untossed))
        else:
            push(s, TOSS_CHOICE, who, TOKEN, 0, 0, 0)
    else:
        pop(s)
        forget_tossed(s, who)
        if s.fight == ON_LAND and s.fallen[who] > 0 and traits(s, R, who) & HEALER != 0:
            toss_again(s, who, 1)
        if R.saves != 0 and s.fallen[who] > 0 and s.hand_size[who] > 0:
            push(s, AFTER_TOSS, who, 0, 0, 0, 0)


@inner
def tossed_crew(s, q):
    """Crew tokens of q's that have been tossed in the tosses going on."""
    total = 0
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            total += min(s.tossed[c], s.crew[c])  # a Hero has no crew
    return total


@inner
def toss_hero(s, R, q, f):
    """A symbolic toss for a Hero of face f; the TOSSES frame on top counts its Attack."""
    c = pick_copy(s, R, q, f, HERO)
    s.stack[s.sp - 1, 2] -= R.value[face_of(R, c)]
    if coin(s) == 1:
        s.tossed[c] = 1
    else:
        drop_card(s, q, c)


@inner
def toss_from(s, R, q, f):
    """Toss a crew token of a Machine of face f; the TOSSES frame on top counts it."""
    s.stack[s.sp - 1, 2] -= 1
    toss_crew(s, q, pick_copy(s, R, q, f, TOKEN))


@inner
def come_back(s, q, k):
    """Up to k tokens of q's that died come back, loose (E43)."""
    k = min(k, s.fallen[q])
    k = min(k, s.pool)
    s.fallen[q] -= k
    gain(s, q, k)


@inner
def toss_again(s, q, k):
    """Up to k tokens of q's that died are tossed once more; who lives comes back, loose."""
    k = min(k, s.fallen[q])
    k = min(k, s.pool)
    alive = 0
    for _ in range(k):
        alive += coin(s)
    come_back(s, q, alive)
