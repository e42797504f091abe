"""Turns of Gosu X: whose turn is next, what a pass leaves to the other, and additional turns.

A turn counts when it begins (X20), not when it ends as in the other games.
"""

from __future__ import annotations

from gosu_rl.core.gosu.state import AFTER, TURN
from gosu_rl.core.gosu_x.counts import rule_number
from gosu_rl.core.gosu_x.rules import W_TURNS
from gosu_rl.core.gosu_x.targets import can_gain_turn
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import push


@inner
def clear_tally(s):
    """ "This turn" begins or ends (X55)."""
    for q in range(2):
        for k in range(5):
            s.tally[q, k] = 0


@inner
def end_turn(s):
    """The active player's turn has ended; if it was the last that a pass had left to him, he is out (X20)."""
    p = s.active
    s.in_turn = 0
    s.taken[p] += 1
    s.turns += 1
    clear_tally(s)
    if s.turns_left[p] == 0:
        s.passed[p] = 1


@inner
def begin_turn(s, R, p, regular):
    """Player p is to act. The turn counts (X20), "this turn" begins (X55), and what follows the action lies below it (X19)."""
    s.active = p
    s.regular = regular
    s.in_turn = 1
    if s.turns_left[p] > 0:
        s.turns_left[p] -= 1
    clear_tally(s)
    if s.taken[p] >= R.max_turns_per_round:
        s.capped += 1
    push(s, AFTER, p, 0, 0, 0, 0)
    push(s, TURN, p, 0, 0, 0, 0)


@inner
def next_turn(s, R):
    """Open the next turn: an additional one, if turns are left (X20), else that of who is still in (T36). False: nobody is."""
    after = s.in_turn  # 0 at the start of a round, when the active player himself is next
    if s.in_turn != 0:
        end_turn(s)
    if s.extra > 0 and s.turns_left[s.active] != 0:
        s.extra -= 1
        begin_turn(s, R, s.active, 0)
        return True
    s.extra = 0
    for k in range(2):
        q = (s.active + after + k) % 2
        if s.turns_left[q] != 0:
            begin_turn(s, R, q, 1)
            return True
    return False


@inner
def gain_turn(s, who):
    """An additional turn after this one, if that means anything (X4, X53)."""
    if can_gain_turn(s, who):
        s.extra = 1


@inner
def pass_turn(s, R, p):
    """Player p is out of the round; if he is the first, the other has so many turns more (X4, X20)."""
    s.passed[p] = 1
    s.turns_left[p] = 0
    if s.active == p:
        s.extra = 0
    if s.passed[1 - p] == 0:
        s.limit = rule_number(s, R, p, W_TURNS, R.turns_after_pass)
        s.turns_left[1 - p] = s.limit


@inner
def follow_limit(s, R):
    """What changes the limit after a pass changes the turns that are left at once (X20). `limit` less `turns_left` stays the number
    of turns played, also where that is more than a limit which has become smaller."""
    for q in range(2):
        if s.passed[1 - q] != 0 and s.passed[q] == 0 and s.turns_left[q] >= 0:
            limit = rule_number(s, R, 1 - q, W_TURNS, R.turns_after_pass)
            if s.limit < 0:  # a position text need not say it
                s.limit = limit
            played = s.limit - s.turns_left[q]
            s.turns_left[q] = max(0, limit - played)
            s.limit = max(limit, played)
