"""The measurements behind the defaults of the agent `mcts` and the tables of docs/search.md.

Every line of MATCHES is one match between two agents, a tournament of the arena: each deal is played by all seat
assignments, deals are the sample. Games are kept in SQLite files below --store as they end, so the script may be killed
at any moment and goes on where it was; matches played already cost nothing. After every match the table is written
anew to --results as CSV and JSON.

    python experiments/mcts_sweep.py --deals 60                        # all matches, 60 deals each
    python experiments/mcts_sweep.py --deals 400 ladder --only 3200    # more deals for one of them
    python experiments/mcts_sweep.py --deals 0                         # the table of what has been played

The deals of a match come from --seed alone: matches with the same number of players are played on the same deals, which
makes differences between rows sharper than their intervals say.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from tqdm import tqdm

from gosu_rl.arena import stats
from gosu_rl.arena.game_store import GameStore
from gosu_rl.arena.job import Outcome
from gosu_rl.arena.plan import GameSpec
from gosu_rl.arena.tournament import Tournament, play, whole_deals

HERE = Path(__file__).resolve().parent
BASE = "mcts:sims=400"  # the defaults at the budget at which variants are compared
LADDER = (50, 200, 800, 3200)


@dataclass(frozen=True)
class Match:
    """`agent` against `other` in one seat or all others' seats of a game of `players`."""

    group: str
    agent: str
    other: str
    players: int = 2


def matches() -> Iterator[Match]:
    """All matches, the most wanted first."""
    yield Match("greedy", BASE, "greedy")
    for low, high in pairwise(LADDER):
        yield Match("ladder", f"mcts:sims={high}", f"mcts:sims={low}")
    yield Match("method", BASE, f"{BASE},method=pimc")
    yield Match("method", f"{BASE},method=redetermine", BASE)
    yield Match("greedy", "mcts:sims=3200", "greedy")
    for c in (0.1, 0.4, 0.7, 1.0):
        yield Match("c", f"{BASE},c={c}", BASE)
    for rollout, depth in (
        ("random", -1),
        ("random", 10),
        ("greedy", 0),
        ("greedy", 5),
        ("greedy", 20),
        ("greedy", -1),
    ):
        yield Match("rollout", f"{BASE},rollout={rollout},depth={depth}", BASE)
    for sims in LADDER[:2]:
        yield Match("greedy", f"mcts:sims={sims}", "greedy")
    yield Match("rollout", f"{BASE},rollout=random,depth=-1", "greedy")
    for players in (3, 4):
        yield Match("table", BASE, "greedy", players)
        yield Match("table", f"{BASE},rollout=random,depth=-1", "greedy", players)


@dataclass(frozen=True)
class Row:
    """A match as measured: win share of `agent` among all shares of both, with its 95 % limits over deals.

    With more than two players an agent holds different numbers of seats; the share is that of the games in which it holds
    one seat and the other all the rest, and `even` is what equal players would get. `ms` are milliseconds a decision.
    """

    group: str
    agent: str
    other: str
    players: int
    deals: int
    games: int
    share: float
    low: float
    high: float
    even: float
    ms: float
    other_ms: float


def measured(match: Match, deals: int, outcomes: list[Outcome]) -> Row | None:
    """The row of a match; None without a whole deal."""
    if not deals:
        return None
    won, shared = np.zeros(deals), np.zeros(deals)
    spent: tuple[list[float], list[float]] = ([], [])
    for outcome in outcomes:
        if outcome.failure is not None:
            raise ValueError(f"{match.agent} v {match.other}, deal {outcome.deal}: {outcome.failure}")
        for agent in (0, 1):
            sits = [seat for seat, one in enumerate(outcome.seating) if one == agent]
            spent[agent].extend(outcome.seconds[np.isin(outcome.movers, sits)].tolist())
        if outcome.seating.count(0) == 1:
            won[outcome.deal] += outcome.shares[outcome.seating.index(0)]
            shared[outcome.deal] += sum(outcome.shares)
    interval = stats.ratio(won, shared, bounds=(0.0, 1.0))
    ms = [round(1000 * float(np.mean(seconds)), 3) for seconds in spent]
    limits = [round(one, 4) for one in (interval.estimate, interval.low, interval.high)]
    even = round(1 / match.players, 4)
    return Row(match.group, match.agent, match.other, match.players, deals, len(outcomes), *limits, even, *ms)


def run(match: Match, deals: int, seed: int, store: Path, workers: int) -> Row | None:
    """Play what is missing of a match and measure all that is there; `deals` 0 plays nothing."""
    spec = GameSpec("tactics", match.players)
    game = spec.make()
    tournament = Tournament(spec, (match.agent, match.other), seed, max(1, deals))
    folder = store / tournament.run_name(game)
    if not deals and not folder.exists():
        return None
    with GameStore(folder, tournament.identity(game)) as games:
        if deals:
            label = f"{match.agent} v {match.other}, {match.players}p"
            with tqdm(total=tournament.games, unit=" games", desc=label, disable=None) as bar:
                if not play(game, tournament, games, workers, bar.update, records=False):
                    raise KeyboardInterrupt
        everything = Tournament(spec, tournament.agents, seed, 1_000_000)
        whole, outcomes = whole_deals(everything, games.games(everything.deals))
    return measured(match, whole, outcomes)


def line(row: Row) -> str:
    """A match in words."""
    return (
        f"{row.group:8} {row.players}p  {row.agent} v {row.other}: "
        f"{100 * row.share:.1f} % ({100 * row.low:.1f} … {100 * row.high:.1f}), {row.deals} deals, "
        f"{row.ms:.1f} and {row.other_ms:.1f} ms a decision"
    )


def write(rows: list[Row], folder: Path, seed: int, name: str = "mcts_sweep") -> None:
    """The table as CSV and JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    table = [asdict(row) for row in rows]
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(Row.__dataclass_fields__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    text = json.dumps({"seed": seed, "rows": table}, indent=1)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", help="groups of matches to play (default: all)")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="of these, matches with TEXT in the first agent's spec"
    )
    parser.add_argument("--deals", type=int, default=60, help="deals a match (default: 60); 0 plays nothing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--store", type=Path, default=Path("runs/mcts_sweep"), help="folder for the games")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder for the table")
    arguments = parser.parse_args()
    known = {match.group for match in matches()}
    if wrong := set(arguments.groups) - known:
        parser.error(f"no group {', '.join(sorted(wrong))}; there are {', '.join(sorted(known))}")
    rows = {match: run(match, 0, arguments.seed, arguments.store, 1) for match in matches()}
    try:
        for match in matches():
            if match.group in (arguments.groups or known) and arguments.only in match.agent and arguments.deals:
                rows[match] = run(match, arguments.deals, arguments.seed, arguments.store, arguments.workers)
                write([row for row in rows.values() if row], arguments.results, arguments.seed)
            if (row := rows[match]) is not None:
                print(line(row), flush=True)
        write([row for row in rows.values() if row], arguments.results, arguments.seed)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")


if __name__ == "__main__":
    main()
