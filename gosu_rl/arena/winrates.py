"""What the games of a run say: who wins from which seat, and what the Advantage card is worth.

Every figure is a ratio of sums over games with its interval over deals (`stats.ratio`). docs/measuring.md says what
each of them estimates, and what it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena.clans import clan_measures
from gosu_rl.arena.plan import Plan
from gosu_rl.arena.stats import Interval, paired, ratio

SHARE, EFFECT, NUMBER = "share", "effect", "number"
BOUNDS = {SHARE: (0.0, 1.0), EFFECT: (-1.0, 1.0), NUMBER: None}


@dataclass(frozen=True)
class Measure:
    """One figure. `table` and `label` name it; `unit` is share (0…1), effect (difference of shares) or number.

    `games` is how many games (`counted`: or seats of games, or battles) it rests on; `fair` is the value if nothing
    mattered, where there is one.
    """

    table: str
    label: str
    unit: str
    interval: Interval
    games: int
    fair: float | None = None
    counted: str = "games"


@dataclass(frozen=True)
class Games:
    """All games of whole blocks, unpacked. Letters in shapes: d deals, s seatings, h first holders, n seats."""

    plan: Plan
    reasons: Sequence[str]
    rows: NDArray  # [d, s, h]
    share: NDArray[np.float64]  # [d, s, h, n]
    good: NDArray[np.bool_]  # [d, s, h], False where truncated

    @classmethod
    def read(cls, plan: Plan, rows: NDArray, reasons: Sequence[str]) -> Games:
        """Check that the games are those that the plan asked for (ValueError if not), and unpack them."""
        n = plan.players
        if rows.shape[1:] != (len(plan.seatings), n) or not len(rows):
            raise ValueError(f"games of shape {rows.shape} are not whole deals of {len(plan.seatings)} x {n} games")
        if (rows["first_holder"] != np.arange(n)).any():
            raise ValueError("the games were not begun by the holders they were to be begun by")
        good = ~rows["truncated"]
        share = rows["share"][..., :n].astype(np.float64)
        share = np.where(
            share > 0, 1 / np.maximum(np.round(1 / np.maximum(share, 0.1)), 1), 0.0
        )  # 1/3 in full precision
        if not np.allclose(share.sum(-1)[good], 1):
            raise ValueError("a finished game's shares do not add up to one")
        return cls(plan, reasons, rows, share * good[..., None], good)

    def per_deal(self, values: NDArray) -> NDArray[np.float64]:
        """float64[d]: sums over everything but the deal."""
        return values.reshape(len(values), -1).sum(1, dtype=np.float64)

    def ratio(
        self,
        table: str,
        label: str,
        unit: str,
        y: NDArray,
        x: NDArray,
        fair: float | None = None,
        counted: str = "games",
    ) -> Measure:
        """The measure `Σ y / Σ x`; y and x have one entry a game (or a battle), x is 0 for what does not count."""
        up, down = self.per_deal(y), self.per_deal(x)
        return Measure(table, label, unit, ratio(up, down, BOUNDS[unit]), int(down.sum()), fair, counted)


def measure(plan: Plan, rows: NDArray, reasons: Sequence[str]) -> list[Measure]:
    """All measures of whole blocks `rows[deal, seating, holder]`, in the order of the report.

    `reasons` names the endings by their number in `rows`; those that cannot be are "" there (`Game.endings`) and left out.
    Truncated games count nowhere but in "truncated games" (T45); win shares are 1/w for each of w winners (T21).
    """
    games = Games.read(plan, rows, reasons)
    parts: list[Callable[[Games], Iterator[Measure]]] = [
        _agents, _seats, _positions, _holders, _card, _leaders, clan_measures, _battles, _play,
    ]  # fmt: skip
    return [one for part in parts for one in part(games)]


def _agents(games: Games) -> Iterator[Measure]:
    names, n = games.plan.names, games.plan.players
    if len(names) == 1:
        return
    for index, name in enumerate(names):
        here = games.plan.seated == index  # [s, n]
        counts = games.good[..., None] & here[None, :, None, :]
        # One agent may hold several seats of a game: its mean share a seat.
        yield games.ratio("Win share by agent", name, SHARE, games.share * counts, counts, 1 / n, "seats")
    for index, name in enumerate(names):
        for given, word in ((True, "given the card"), (False, "not given the card")):
            holds = np.eye(n, dtype=bool) == given  # [h, n]
            counts = games.good[..., None] & (games.plan.seated == index)[None, :, None, :] & holds[None, None]
            yield games.ratio(
                "Win share by agent and card", f"{name}, {word}", SHARE, games.share * counts, counts, 1 / n
            )


def _seats(games: Games) -> Iterator[Measure]:
    n = games.plan.players
    for seat in range(n):
        yield games.ratio("Win share by seat", f"seat {seat}", SHARE, games.share[..., seat], games.good, 1 / n)


def _positions(games: Games) -> Iterator[Measure]:
    n = games.plan.players
    for place in range(n):
        seat = (np.arange(n) + place) % n  # [h]
        share = np.take_along_axis(games.share, seat[None, None, :, None], -1)[..., 0]
        label = f"{_ordinal(place)} to move" + (" (given the card)" if place == 0 else "")
        yield games.ratio("Win share by place in the first round", label, SHARE, share, games.good, 1 / n)


def _holders(games: Games) -> Iterator[Measure]:
    n = games.plan.players
    table = "Win share of the first holder"
    own = np.einsum("dshh->dsh", games.share)
    yield games.ratio(table, "any seat", SHARE, own, games.good, 1 / n)
    for seat in range(n):
        yield games.ratio(table, f"seat {seat}", SHARE, own[:, :, seat], games.good[:, :, seat], 1 / n)
    table = "Win share of a seat when another is given the card"
    without = games.good[..., None] & ~np.eye(n, dtype=bool)
    yield games.ratio(table, "any seat", SHARE, games.share * without, without, 1 / n, "seats")
    for seat in range(n):
        counts = without[..., seat]
        yield games.ratio(table, f"seat {seat}", SHARE, games.share[..., seat] * counts, counts, 1 / n)


def _card(games: Games) -> Iterator[Measure]:
    """Win share of a seat when given the card minus when another seat is given it, same deals and seatings."""
    n = games.plan.players
    table = "Effect of being given the card (same deals, card given to another seat)"
    whole = games.good.all(axis=(1, 2))  # a deal with a truncated game has no pair to compare
    given = np.einsum("dshh->dsh", games.share).mean(1)  # [d, n]
    total = games.share.mean(1).sum(1)  # [d, n]: over all holders
    other = (total - given) / (n - 1)
    given[~whole] = other[~whole] = np.nan
    count = int(whole.sum()) * games.plan.games_per_deal
    both = paired(given.mean(1), other.mean(1), BOUNDS[EFFECT])
    yield Measure(table, "any seat", EFFECT, both, count, 0.0)
    for seat in range(n):
        effect = paired(given[:, seat], other[:, seat], BOUNDS[EFFECT])
        yield Measure(table, f"seat {seat}", EFFECT, effect, count, 0.0)


def _leaders(games: Games) -> Iterator[Measure]:
    """Win share of the seats that were dealt each Leader; nothing of a game without Leaders."""
    if "leader" not in (games.rows.dtype.names or ()):
        return
    n = games.plan.players
    dealt = games.rows["leader"][..., :n]
    for number, name in enumerate(leader_names(games.plan)):
        counts = games.good[..., None] & (dealt == number)
        yield games.ratio("Win share by Leader", name, SHARE, games.share * counts, counts, 1 / n, "seats")


def leader_names(plan: Plan) -> list[str]:
    """The Leaders of the plan's card set, in their order."""
    return [leader.label for leader in plan.spec.make().card_set.leaders]


def _battles(games: Games) -> Iterator[Measure]:
    """Who wins Great Battles, and what decides them; nothing of a game without them."""
    if "battles" not in (games.rows.dtype.names or ()):
        return
    n, rows = games.plan.players, games.rows
    fought = rows["battles"].astype(np.int64)
    most = int(fought.max(where=games.good, initial=0))
    if most > rows["battle_holder"].shape[-1]:
        raise ValueError(f"a game of {most} battles has more than a result row can hold")
    took = np.arange(most) < fought[..., None]
    took &= games.good[..., None]  # [d, s, h, battles]
    held = took & (rows["battle_holder"][..., :most] >= 0)  # of Gosu X's Wonder token nobody may be the owner
    holder = np.clip(rows["battle_holder"][..., :most], 0, n - 1).astype(np.int64)
    top = rows["battle_top"][..., :most].astype(np.int64)
    scored = (rows["battle_scored"][..., :most] >> holder) & 1
    tied = np.bitwise_count(top) > 1
    by_card = tied & (((top >> holder) & 1) == 1)
    kept = holder == np.arange(n)[:, None]
    won_game = np.take_along_axis(games.share, holder, -1)
    columns: list[tuple[str, NDArray, NDArray, float | None]] = [
        ("Battles won by the holder", scored, held, 1 / n),
        ("Games won by who holds the card at that battle", won_game, held, 1 / n),
        ("Card still with the first holder", kept & held, took, None),
        ("Battles tied at the top", tied, took, None),
        ("Battles decided by the card", by_card & held, took, None),
    ]
    if games.plan.spec.variant == "gosu_x":
        columns.append(("Battles without an owner of the Wonder token", ~held, took, None))
    for table, values, among, fair in columns:
        yield games.ratio(table, "all battles", SHARE, values * among, among, fair, "battles")
        for battle in range(most):
            here = among[..., battle]
            yield games.ratio(table, f"battle {battle + 1}", SHARE, values[..., battle] * here, here, fair, "battles")


def _play(games: Games) -> Iterator[Measure]:
    """How long games are, how they end, and what went wrong."""
    rows, good, n = games.rows, games.good, games.plan.players
    every = np.ones_like(good)
    for name in ("rounds", "turns", "decisions", "battles"):
        if name not in (rows.dtype.names or ()):
            continue
        values = rows[name].astype(np.int64)
        yield games.ratio("A game", f"{name}, mean", NUMBER, values * good, good)
        if name != "battles" and good.any():
            for label, level in (("median", 0.5), ("95th percentile", 0.95)):
                number = float(np.quantile(values[good], level))
                nowhere = Interval(number, float("nan"), float("nan"), int(good.any(axis=(1, 2)).sum()))
                yield Measure("A game", f"{name}, {label}", NUMBER, nowhere, int(good.sum()))
    points = rows["points"][..., :n].astype(np.int64)
    wins = games.share > 0
    for name, seats in (("a winner", wins), ("a loser", ~wins & good[..., None])):
        yield games.ratio("Victory Points at the end", name, NUMBER, points * seats, seats, counted="seats")
    for index, reason in enumerate(games.reasons):
        if reason not in ("", "truncated", *UNUSED.get(games.plan.spec.variant, ())):
            yield games.ratio("Won by", REASONS.get(reason, reason), SHARE, good & (rows["reason"] == index), good)
    yield games.ratio("Won by", "(shared wins among them)", SHARE, good & (wins.sum(-1) > 1), good)
    for first, last in _bands(int(rows["rounds"].max(where=good, initial=0))):
        label = f"{first} round" + ("s" if first > 1 else "") if first == last else f"{first} to {last} rounds"
        here = (rows["rounds"] >= first) & (rows["rounds"] <= last)
        yield games.ratio("Games that last", label, SHARE, good & here, good)
    if "capped" in (rows.dtype.names or ()):
        capped = rows["capped"].astype(np.int64)
        yield games.ratio("Limits", "games with a turn forced to pass (T44)", SHARE, good & (capped > 0), good)
        yield games.ratio("Limits", "turns forced to pass, a game (T44)", NUMBER, capped * good, good)
    yield games.ratio("Limits", "truncated games, left out above (T45)", SHARE, ~good, every)


MOST_ROWS = 16  # of the table "Games that last"
REASONS = {
    "points": "third Victory Point",
    "fifteen": "fifteen goblins",
    "nine": "nine goblins of one clan",
    "condition": "an Ôzeki's condition",
    "fifth_token": "fifth Activation token",
    "goan_sul": "Goan Sul, at a battle",
    "justice": "Justice, by her tiles",
    "towns": "most points when the last Town fell",
}
UNUSED = {"gosu_x": ("nine",)}  # reasons of the kernel that end no game of a variant


def _bands(most: int) -> list[tuple[int, int]]:
    """Numbers of rounds, first and last of each row: one a row, or in long games equally many a row."""
    width = 1 if most <= MOST_ROWS else next(w for w in (2, 5, 10, 20, 50, 100, most) if most <= MOST_ROWS * w)
    return [(first, first + width - 1) for first in range(1, most + 1, width)]


def _ordinal(place: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[place]
