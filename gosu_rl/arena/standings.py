"""What the games of a tournament say: standings, payoffs, seats, cycles, times, and what went wrong.

Every share has its interval over deals (`stats.ratio`): games on one deal are not independent. docs/measuring.md says
what each figure estimates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena import cycles
from gosu_rl.arena.job import Outcome
from gosu_rl.arena.plan import deal_seeds
from gosu_rl.arena.ratings import Rating, anchor_of, rate
from gosu_rl.arena.stats import Interval, ratio
from gosu_rl.arena.tables import Cell, Figure, Table
from gosu_rl.arena.winrates import REASONS

SHARE = (0.0, 1.0)
FAILURES_SHOWN = 5  # of each agent
MARKS = {"": "", "at least": "≥ ", "at most": "≤ "}


@dataclass(frozen=True)
class Played:
    """The games that count, unpacked. Letters in shapes: g games, a agents, n seats."""

    agents: Sequence[str]
    seed: int
    outcomes: Sequence[Outcome]  # all, truncated and spoiled ones too
    deals: NDArray[np.int64]  # [g]
    seating: NDArray[np.int64]  # [g, n]
    share: NDArray[np.float64]  # [g, n]
    holder: NDArray[np.int64]  # [g]; -1 where it is not known

    @classmethod
    def read(cls, agents: Sequence[str], seed: int, outcomes: Sequence[Outcome], forfeit: bool = False) -> Played:
        """Unpack. Truncated and spoiled games do not count; with `forfeit` who spoiled a game loses it to the others."""
        players = len(outcomes[0].seating)
        rows = []
        for one in outcomes:
            shares = np.array(one.shares)
            if one.failure is not None:
                if not forfeit or one.failed_seat is None or one.failed_seat < 0:
                    continue
                shares = np.full(players, 1 / (players - 1))
                shares[one.failed_seat] = 0.0
            elif one.truncated:
                continue
            rows.append((one.deal, one.seating, shares, one.holder))
        return cls(
            agents,
            seed,
            outcomes,
            np.array([row[0] for row in rows], np.int64),
            np.array([row[1] for row in rows], np.int64).reshape(-1, players),
            np.array([row[2] for row in rows], np.float64).reshape(-1, players),
            np.array([row[3] for row in rows], np.int64),
        )

    @property
    def players(self) -> int:
        return self.seating.shape[1]

    def at_table(self) -> NDArray[np.int64]:
        """int[g, a]: seats of each agent in each game."""
        return np.stack([(self.seating == one).sum(1) for one in range(len(self.agents))], 1)

    def won(self) -> NDArray[np.float64]:
        """float[g, a]: share of the win of each agent."""
        return np.stack([(self.share * (self.seating == one)).sum(1) for one in range(len(self.agents))], 1)

    def ratio(self, y: NDArray, x: NDArray) -> Interval:
        """Interval of Σ y / Σ x over deals; one entry a game."""
        if not len(self.deals):
            return ratio([], [], SHARE)
        up, down = (np.bincount(self.deals, weights=values.astype(np.float64)) for values in (y, x))
        return ratio(up, down, SHARE)


def payoff(played: Played) -> list[list[Interval | None]]:
    """[i][j]: of what i and j win at a table where both sit, the part that i wins, by seat. None on the diagonal.

    With two seats: the win share of i against j. With more: how often i, given that i or j wins; even is 1/2.
    """
    seats, won = played.at_table(), played.won()
    each = won / np.maximum(seats, 1)
    size = len(played.agents)
    matrix: list[list[Interval | None]] = [[None] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if i != j:
                both = (seats[:, i] > 0) & (seats[:, j] > 0)
                matrix[i][j] = played.ratio(each[:, i] * both, (each[:, i] + each[:, j]) * both)
    return matrix


def estimates(matrix: list[list[Interval | None]]) -> NDArray[np.float64]:
    """float[a, a] of a payoff matrix, 1/2 on the diagonal and NaN where two never met."""
    return np.array([[0.5 if cell is None else cell.estimate for cell in row] for row in matrix])


def ratings(played: Played) -> list[Rating]:
    """A rating an agent; `random` is 0 where it plays, else the mean is."""
    return rate(played.at_table(), played.won(), played.deals, anchor_of(played.agents), played.seed)


def order(played: Played, rated: Sequence[Rating]) -> list[int]:
    """Agents by rating, best first."""
    return sorted(range(len(rated)), key=lambda one: (-np.nan_to_num(rated[one].interval.estimate), one))


def tables(played: Played) -> list[Table]:
    """All tables, in the order of the report."""
    rated = ratings(played)
    ranks = order(played, rated)
    parts = [_standings(played, rated, ranks), _payoff(played, ranks), _circle(played, ranks), _seats(played, ranks)]
    parts += [_card(played, ranks), _times(played, ranks), _games(played)]
    if any(one.failure is not None for one in played.outcomes):
        parts += [_blame(played), _failures(played)]
    return parts


def _standings(played: Played, rated: Sequence[Rating], ranks: Sequence[int]) -> Table:
    seats, won = played.at_table(), played.won()
    rows: list[list[Cell]] = []
    for one in ranks:
        share = played.ratio(won[:, one], seats[:, one])
        shared = (won[:, one] > 0) & (played.share.max(1) < 0.999)
        rows.append(
            [
                played.agents[one],
                Figure(rated[one].interval, "rating", MARKS[rated[one].bound]),
                Figure(share),
                int((seats[:, one] > 0).sum()),
                int(shared.sum()),
            ]
        )
    model = "Bradley–Terry" if played.players == 2 else "Plackett–Luce"
    zero = "random = 0" if anchor_of(played.agents) is not None else "mean = 0"
    note = f"rating: {model} on the scale of Elo, {zero}; fair win share {100 / played.players:.1f} %"
    return Table("Standings", ("agent", "rating", "win share a seat", "games", "wins shared"), rows, note)


def _payoff(played: Played, ranks: Sequence[int]) -> Table:
    matrix = payoff(played)
    rows: list[list[Cell]] = []
    for i in ranks:
        cells: list[Cell] = []
        for j in ranks:
            cell = matrix[i][j]
            cells.append(None if cell is None else Figure(cell))
        rows.append([played.agents[i], *cells])
    words = "win share of the row" if played.players == 2 else "of what the two win, the part of the row"
    columns = ("row against column", *(played.agents[one] for one in ranks))
    return Table("Payoff", columns, rows, f"{words}; even is 50 %", compact=True)


def _circle(played: Played, ranks: Sequence[int]) -> Table:
    met = [one for one in ranks if (played.seating == one).any()]
    matrix = estimates(payoff(played))[np.ix_(met, met)]
    lottery, alpha = cycles.maximal_lottery(matrix), cycles.alpha_rank(matrix)
    weights = {one: (float(lottery[at]), float(alpha[at])) for at, one in enumerate(met)}
    rows: list[list[Cell]] = [
        [played.agents[one], *(Figure.of(weight, "share") for weight in weights.get(one, (float("nan"),) * 2))]
        for one in ranks
    ]
    best = [met[one] for one in cycles.beaten_by_none(matrix)]
    note = "they beat each other in a circle"
    if best:
        names = " and ".join(played.agents[one] for one in best)
        note = f"{names} {'loses' if len(best) == 1 else 'lose'} against none"
    return Table("Who would be chosen", ("agent", "maximal lottery", "α-rank"), rows, note)


def _seats(played: Played, ranks: Sequence[int]) -> Table:
    rows: list[list[Cell]] = []
    for one in [*ranks, None]:
        here = np.ones_like(played.seating, np.bool_) if one is None else played.seating == one
        cells = [
            Figure(played.ratio(played.share[:, seat] * here[:, seat], here[:, seat])) for seat in range(played.players)
        ]
        rows.append(["all" if one is None else played.agents[one], *cells])
    columns = ("agent", *(f"seat {seat}" for seat in range(played.players)))
    return Table("Win share by seat", columns, rows, f"fair {100 / played.players:.1f} %", compact=True)


def _card(played: Played, ranks: Sequence[int]) -> Table:
    known = played.holder >= 0
    given = (np.arange(played.players) == played.holder[:, None]) & known[:, None]
    rows: list[list[Cell]] = []
    for one in [*ranks, None]:
        here = np.ones_like(given) if one is None else played.seating == one
        cells = [
            Figure(played.ratio((played.share * mask).sum(1), mask.sum(1)))
            for mask in (here & given, here & ~given & known[:, None])
        ]
        rows.append(["all" if one is None else played.agents[one], *cells])
    note = "dealt by the deal (T46); `gosu-rl winrates` measures the card by itself"
    return Table("Win share by Advantage card", ("agent", "given the card", "not given it"), rows, note, compact=True)


def _times(played: Played, ranks: Sequence[int]) -> Table:
    taken: list[list[NDArray[np.float32]]] = [[] for _ in played.agents]
    for outcome in played.outcomes:
        who = np.array(outcome.seating)[outcome.movers.astype(np.int64)] if len(outcome.movers) else np.zeros(0)
        for one in set(outcome.seating):
            taken[one].append(outcome.seconds[who == one])
    rows: list[list[Cell]] = []
    for one in ranks:
        seconds = np.concatenate(taken[one]) if taken[one] else np.zeros(0, np.float32)
        numbers = [float("nan")] * 4
        if len(seconds):
            numbers = [float(seconds.mean(dtype=np.float64)), *map(float, np.quantile(seconds, [0.5, 0.95, 1.0]))]
        rows.append([played.agents[one], len(seconds), *(Figure.of(number, "seconds") for number in numbers)])
    note = "decisions with more than one legal action; differs from run to run"
    return Table("Time a move", ("agent", "decisions", "mean", "median", "p95", "longest"), rows, note)


def _games(played: Played) -> Table:
    finished = [one for one in played.outcomes if one.failure is None and not one.truncated]
    shared = sum(0 < max(one.shares) < 0.999 for one in finished)
    rows: list[list[Cell]] = [
        ["finished", len(finished)],
        ["… with a shared win (T21)", shared],
        ["truncated, left out (T45)", sum(one.truncated for one in played.outcomes)],
        ["spoiled by an agent", sum(one.failure is not None for one in played.outcomes)],
    ]
    for reason, count in sorted(Counter(one.reason for one in finished).items(), key=lambda pair: -pair[1]):
        rows.append([f"won by: {REASONS.get(reason, reason)}", count])
    if finished:
        for name in ("rounds", "decisions"):
            mean = float(np.mean([getattr(one, name) for one in finished]))
            rows.append([f"{name} a game, mean", Figure.of(mean, "number")])
    return Table("Games", ("", "games"), rows)


def _blame(played: Played) -> Table:
    seats = Counter(one for outcome in played.outcomes for one in set(outcome.seating))
    count: Counter[int] = Counter()
    for outcome in played.outcomes:
        if outcome.failure is not None:
            known = outcome.failed_seat is not None and outcome.failed_seat >= 0
            count[outcome.seating[outcome.failed_seat] if known and outcome.failed_seat is not None else -1] += 1
    rows: list[list[Cell]] = [
        ["not known which" if one < 0 else played.agents[one], number, seats[one] if one >= 0 else None]
        for one, number in count.most_common()
    ]
    return Table("Spoiled games by agent", ("agent", "spoiled", "of games"), rows)


def _failures(played: Played) -> Table:
    spoiled = [one for one in played.outcomes if one.failure is not None]
    rows: list[list[Cell]] = []
    shown: Counter[str] = Counter()
    for one in spoiled:
        seat = one.failed_seat
        known = seat is not None and seat >= 0
        who = played.agents[one.seating[seat]] if known and seat is not None else "not known which"
        shown[who] += 1
        if shown[who] > FAILURES_SHOWN:
            continue
        seed = str(deal_seeds(played.seed, one.deal, one.deal + 1)[0])
        others = " ; ".join(played.agents[agent] for agent in one.seating)
        rows.append([f"deal {one.deal}, game {one.slot}", who, str(seat) if known else None, seed, others, one.failure])
    note = "to see one again: gosu_rl.play(game, [agents by seat], seed=SEED)"
    if len(spoiled) > len(rows):
        note += f"; the first {FAILURES_SHOWN} of each agent"
    return Table("Spoiled games", ("game", "agent", "seat", "seed", "agents by seat", "what happened"), rows, note)
