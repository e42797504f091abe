"""One row about one game: who won, how long it took, and with which Leaders.

`note(state, row, moment)` is called when the game begins, after every action, and when it has ended.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core.epic_death.state import SEATS
from gosu_rl.core.jit import JIT, entry

_small = "i1" if JIT else "i8"
RESULT = np.dtype(
    [
        ("seed", "u8"),
        ("first_holder", _small),  # who began
        ("share", "f4", (SEATS,)),
        ("truncated", "?"),
        ("reason", _small),
        ("rounds", "i2"),
        ("turns", "i4"),
        ("decisions", "i4"),
        ("points", "i2", (SEATS,)),
        ("lands", _small, (SEATS,)),
        ("leader", _small, (SEATS,)),
    ],
    align=True,
)

FIRST, LATER = 0, 1


@entry
def note(s, row, moment):
    """Bring a result row up to date with a state."""
    if moment == FIRST:
        row.first_holder = s.adv
        for q in range(s.n):
            row.leader[q] = s.leader[q]
    if s.over != 0:
        winners = 0
        for q in range(s.n):
            winners += s.win[q]
        for q in range(s.n):
            row.share[q] = s.win[q] / max(1, winners)
            row.points[q] = s.points[q]
            row.lands[q] = s.piled[q]
        row.truncated = s.over == 2
        row.reason = s.reason
        row.rounds = s.rnd
        row.turns = s.turns
        row.decisions = s.decisions
