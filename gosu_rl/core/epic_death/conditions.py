"""What stands between `if` and the colon of a step: looked at when the step is reached, about its subject (E62)."""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, lowest
from gosu_rl.core.copies import face_of
from gosu_rl.core.epic_death.armies import all_tokens, defense
from gosu_rl.core.epic_death.rules import (
    ALWAYS,
    AT_LEAST,
    AT_MOST,
    HERO_CARD,
    IF_ATTACKER,
    IF_DEFENDER,
    IF_DEFENSE,
    IF_HAND,
    IF_HEROES,
    IF_MACHINES,
    IF_NEEDS,
    IF_PILE,
    IF_TERRAIN,
    IF_TOKENS,
    MACHINE_CARD,
)
from gosu_rl.core.epic_death.state import NO_FIGHT, ON_LAND
from gosu_rl.core.jit import inner


@inner
def holds(s, R, row, q):
    """Whether the condition of a row of code holds for player q."""
    condition = R.code[row, 3]
    number = R.code[row, 5]
    if condition == ALWAYS:
        return True
    if condition == IF_TERRAIN:
        return R.terrain[s.at[q]] == number
    if condition == IF_ATTACKER:
        return s.fight != NO_FIGHT and s.attacker == q
    if condition == IF_DEFENDER:
        return s.fight != NO_FIGHT and s.defender == q
    if condition == IF_NEEDS or condition == IF_DEFENSE:
        if s.fight != ON_LAND:
            return False
        land = s.land[s.at[s.attacker]]
        if land < 0:
            return False
        if condition == IF_NEEDS:
            return R.needs[land] == number + 1
        return compares(defense(s, R, s.attacker), R.code[row, 4], number)
    return compares(quantity(s, R, condition, q), R.code[row, 4], number)


@inner
def compares(value, comparison, number):
    """Whether a value is at least, at most or exactly some number."""
    if comparison == AT_LEAST:
        return value >= number
    if comparison == AT_MOST:
        return value <= number
    return value == number


@inner
def quantity(s, R, condition, q):
    """The number that a condition is about, of player q."""
    if condition == IF_TOKENS:
        return all_tokens(s, R, q)
    if condition == IF_HEROES:
        return cards_in_play(s, R, q, HERO_CARD)
    if condition == IF_MACHINES:
        return cards_in_play(s, R, q, MACHINE_CARD)
    if condition == IF_HAND:
        return s.hand_size[q]
    if condition == IF_PILE:
        return R.worth[s.pile[q, s.piled[q] - 1]] if s.piled[q] > 0 else 0
    ahead = 1  # IF_RANK
    for p in range(s.n):
        if s.points[p] > s.points[q]:
            ahead += 1
    return ahead


@inner
def cards_in_play(s, R, q, sort):
    """Heroes or Machines of q's that are in play, with crew or without."""
    total = 0
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            if R.card_sort[face_of(R, c)] == sort:
                total += 1
    return total
