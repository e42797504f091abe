"""How many deals a wanted precision takes.

The half-width of the interval for the first holder's win share falls as one over the root of the number of deals. A
first batch says how wide it is; the next size follows from that, and so on until it is narrow enough. The sizes depend
on the games alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from numpy.typing import NDArray

from gosu_rl.arena.plan import Plan
from gosu_rl.arena.winrates import measure

FIRST = 200  # deals of the first batch
MARGIN = 1.05  # the width is an estimate itself
LEAST_STEP = 1.1  # or many small steps would each look whether chance has made the interval narrow


def next_size(deals: int, width: float, wanted: float, most: int) -> int:
    """Deals to play in all, when `deals` of them gave the half-width `width`; no more than `most`."""
    if deals == 0:
        return min(FIRST, most)
    needed = deals * (width / wanted) ** 2 * MARGIN if math.isfinite(width) else 2.0 * deals
    return min(most, max(math.ceil(deals * LEAST_STEP), math.ceil(needed)))


def reached(plan: Plan, rows: NDArray, reasons: Sequence[str]) -> float:
    """Half-width of the first holder's win share; infinite where there is none yet."""
    for one in measure(plan, rows, reasons):
        if (one.table, one.label) == ("Win share of the first holder", "any seat"):
            width = one.interval.half_width
            return width if math.isfinite(width) else math.inf
    raise ValueError("the measures hold no win share of the first holder; this is a fault of gosu_rl")
