"""What the draft of Gosu X decides: win shares by clan, by pairs and trios of clans in a deck, by tiles, by the first pick.

Every figure is a ratio of sums over games with its interval over deals, as all of `winrates`; docs/measuring.md says what each of
them estimates. A combination that was in no game gets no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gosu_rl.core.cards.texts import CLANS

if TYPE_CHECKING:
    from gosu_rl.arena.winrates import Games, Measure

CLAN = "Win share by clan"
PAIR = "Win share by pair of clans in a deck"
TRIO = "Win share by trio of clans in a deck"
AGAINST = "Win share by clan against clan"
TILE = "Win share of the first player by active tile"
TILES = "Win share of the first player by both active tiles"
FIRST_PICK = "Win share of the first player by his first pick"
PICKED_FIRST = "Clans picked first"
DRAFTED = "Clans drafted by either player"
OF_FIRST = np.array([True, False, False, True, True, False])  # which of the six picks are the first player's (X1)


def clan_measures(games: Games) -> Iterator[Measure]:
    """All measures about clans; none of a game without a draft."""
    if "picks" not in (games.rows.dtype.names or ()) or not games.rows["picks"].any():
        return
    has, tiles = decks(games)
    good = games.good
    share, seats = games.share, good[..., None] & np.ones(2, bool)
    yield from _by(games, CLAN, 1, share, seats, has)
    yield from _by(games, PAIR, 2, share, seats, has)
    yield from _by(games, TRIO, 3, share, seats, has)
    for one, other in permutations(range(len(CLANS)), 2):
        counts = seats & has[..., one] & has[..., ::-1, other]
        if counts.any():
            label = f"{CLANS[one]} against {CLANS[other]}"
            yield games.ratio(AGAINST, label, "share", share * counts, counts, 0.5, "decks")
    first = np.einsum("dshh->dsh", share)
    yield from _by(games, TILE, 1, first, good, tiles, "games")
    yield from _by(games, TILES, 2, first, good, tiles, "games")
    picked = games.rows["picks"][..., 0, None] == np.arange(1, len(CLANS) + 1)
    yield from _by(games, FIRST_PICK, 1, first, good, picked, "games")
    shares: list[tuple[str, NDArray[np.bool_], float]] = [(PICKED_FIRST, picked, 1 / 8), (DRAFTED, ~tiles, 6 / 8)]
    for table, chosen, fair in shares:
        for k, clan in enumerate(CLANS):
            yield games.ratio(table, clan, "share", chosen[..., k] & good, good, fair)


def decks(games: Games) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(bool[d, s, h, seats, clans]: whose deck has which clan, bool[d, s, h, clans]: whose tile is active from the draft on)."""
    picks = games.rows["picks"].astype(np.int64)
    taken = picks[..., None] == np.arange(1, len(CLANS) + 1)  # [d, s, h, picks, clans]
    first, second = taken[..., OF_FIRST, :].any(-2), taken[..., ~OF_FIRST, :].any(-2)
    holder = np.arange(2)
    has = np.where((holder[:, None] == np.arange(2))[..., None], first[..., None, :], second[..., None, :])
    return has, ~taken.any(-2)


def _by(
    games: Games, table: str, number: int, share: NDArray, counted: NDArray, having: NDArray, what: str = "decks"
) -> Iterator[Measure]:
    """A line for each combination of `number` clans that all are in `having`."""
    for chosen in combinations(range(len(CLANS)), number):
        counts = counted & having[..., list(chosen)].all(-1)
        if counts.any():
            label = " + ".join(CLANS[k] for k in chosen)
            yield games.ratio(table, label, "share", share * counts, counts, 0.5, what)
