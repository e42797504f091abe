"""One row about one game: who won, how, how long it took, and what happened at each Great Battle.

`note(state, row, moment)` is called when the game begins, after every action, and when it has ended; it is the same function for
compiled loops and for Python ones.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core.gosu.state import SEATS
from gosu_rl.core.jit import JIT, entry

BATTLES = 16  # battles kept; no game of four players can have more than nine unless points_to_win is raised

_small = "i1" if JIT else "i8"
RESULT = np.dtype(
    [
        ("seed", "u8"),
        ("first_holder", _small),
        ("share", "f4", (SEATS,)),
        ("truncated", "?"),
        ("reason", _small),
        ("rounds", "i2"),
        ("turns", "i4"),
        ("decisions", "i4"),
        ("capped", "i4"),
        ("points", _small, (SEATS,)),
        ("picks", _small, (6,)),  # Gosu X: clan + 1 of each pick of the draft
        ("battles", _small),
        ("battle_holder", _small, (BATTLES,)),
        ("battle_top", _small, (BATTLES,)),
        ("battle_scored", _small, (BATTLES,)),
    ],
    align=True,
)

FIRST, LATER = 0, 1


@entry
def note(s, row, moment):
    """Bring a result row up to date with a state."""
    if moment == FIRST:
        row.first_holder = s.adv
        row.battles = 0
        for i in range(BATTLES):
            row.battle_holder[i] = -1
    if s.battles > row.battles and s.battles <= BATTLES:  # at most one battle between two decisions
        i = s.battles - 1
        row.battle_holder[i] = s.adv if s.picks[0] == 0 else s.battle_wonder  # in Gosu X the owner of the Wonder token
        row.battle_top[i] = s.battle_top
        row.battle_scored[i] = s.battle_scored
        row.battles = s.battles
    if s.over != 0:
        winners = 0
        for q in range(s.n):
            winners += s.win[q]
        for q in range(s.n):
            row.share[q] = s.win[q] / max(1, winners)
            row.points[q] = s.points[q]
        row.truncated = s.over == 2
        row.reason = s.reason
        row.rounds = s.rnd
        row.turns = s.turns
        row.decisions = s.decisions
        row.capped = s.capped
        for k in range(6):
            row.picks[k] = s.picks[k]
