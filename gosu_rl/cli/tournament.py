"""`gosu-rl tournament`: agents against each other, with ratings one can believe."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from gosu_rl.arena import result, tables
from gosu_rl.arena.game_store import GameStore
from gosu_rl.arena.report import write
from gosu_rl.arena.result import Result
from gosu_rl.arena.schedule import MODES
from gosu_rl.arena.standings import Played, ratings
from gosu_rl.arena.standings import tables as standings
from gosu_rl.arena.store import FILE_NAME
from gosu_rl.arena.tournament import Tournament, check_agents, play, whole_deals
from gosu_rl.arena.tournament_plots import heat_map, rating_bars
from gosu_rl.arena.wording import rules_text, worded_tables
from gosu_rl.cli.measuring import (
    add_options,
    agents,
    checked_deals,
    command_line,
    game_spec,
    joined,
    run_folder,
    workers,
)
from gosu_rl.core.files import check_writable

EXAMPLES = """examples:
  gosu-rl tournament tactics --agents random,greedy,mcts:sims=100,mcts:sims=400 --deals 200
  gosu-rl tournament tactics --players 3 --agents greedy --agents package.module:MyAgent --agents random
  gosu-rl tournament tactics --agents 'greedy; pipe:python my_agent.py,limit=5' --deals 50
  gosu-rl tournament gosu --agents random,greedy,mcts:sims=100 --deals 100
  gosu-rl tournament gosu_x --agents greedy,mcts:sims=100 --draft random --deals 100
  gosu-rl tournament epic_death --players 3 --agents random,greedy,mcts:sims=100 --rules layout=long --deals 50

Every deal is played by all seat assignments; many agents play a balanced part of them. The same command goes on where
it was stopped; with more --deals it adds to what was played. docs/measuring.md explains schedule and figures."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the parsers of `gosu-rl`."""
    parser = subparsers.add_parser(
        "tournament",
        help="agents against each other: payoffs, ratings, times",
        description="Play agents against each other on paired deals; report payoffs and ratings with intervals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser, "tournament")
    parser.add_argument(
        "--agents",
        "--agent",
        action="append",
        required=True,
        metavar="A,B[,C…]",
        help="who plays: specs parted by commas (or by ;), or the option repeated",
    )
    parser.add_argument("--deals", type=int, default=200, metavar="N", help="deals, each several games (default: 200)")
    parser.add_argument("--schedule", choices=MODES, default="auto", help="all seat assignments, or a balanced part")
    parser.add_argument(
        "--move-limit", type=float, default=0.0, metavar="SECONDS", help="longest time for a move (default: none)"
    )
    parser.add_argument("--forfeit", action="store_true", help="who spoils a game loses it (default: it is left out)")
    parser.add_argument("--retry-failed", action="store_true", help="play games again that an agent spoiled")
    parser.add_argument("--no-records", action="store_true", help="keep the results of games, not their records")
    parser.add_argument("--records", metavar="FILE", help="also write the records of all games (JSON Lines)")
    parser.add_argument("--ray", metavar="auto|ADDRESS", help="play on a Ray cluster (extra ray)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, print the tables, write the files. 0 when complete, 130 when stopped; ValueError, OSError for bad input."""
    if args.no_records and args.records:
        raise ValueError("--records wants what --no-records leaves out; give one of them")
    crew, spec = workers(args), game_spec(args)
    game = spec.make()
    tournament = Tournament(
        spec, agents(args.agents, ""), args.seed, checked_deals(args.deals), args.schedule, args.move_limit
    )
    check_agents(tournament.agents)
    identity = tournament.identity(game)
    folder = run_folder(args, tournament.run_name(game), "tournament.*")
    if args.records:
        check_writable(args.records)  # or after the last game
    with GameStore(folder, identity) as store:
        if args.retry_failed:
            store.forget_failures()
        with tqdm(total=tournament.games, unit=" games", disable=None, smoothing=0.05, desc="tournament") as bar:
            finished = play(game, tournament, store, crew, bar.update, not args.no_records, args.ray)
        whole, outcomes = whole_deals(tournament, store.games(tournament.deals))
        if args.records:
            write(Path(args.records), "".join(store.records()))
    if not whole:
        print("stopped before the first deal was finished; nothing to show", file=sys.stderr)
        return 130
    played = Played.read(tournament.agents, tournament.seed, outcomes, args.forfeit)
    incomplete = ""
    if whole < tournament.deals:
        incomplete = f"INCOMPLETE: {whole:,} of {tournament.deals:,} deals; the same command goes on from here"
    title = f"Tournament in {game.card_set.variant}, {args.players} players: {len(tournament.agents)} agents"
    facts = _facts(tournament, identity, whole, len(outcomes), args)
    foot = f"{game.card_set.banner}\n{len(outcomes):,} games on {whole:,} deals, seed {args.seed}; 95 % over deals"
    foot += f"\n{incomplete}" if incomplete else ""
    plots = []
    if not args.no_plots:
        rated = ratings(played)
        write(folder / "payoff.png", heat_map(played, rated, title, foot))
        write(folder / "ratings.png", rating_bars(played, rated, title, foot))
        plots = [("ratings.png", "Ratings"), ("payoff.png", "Payoff")]
    files = [
        ("tournament.txt", "the tables as text"),
        ("tournament.csv", "every figure"),
        (FILE_NAME, "every game" + ("" if args.no_records else " with its record")),
    ]
    run_result = Result(
        "tournament",
        title,
        game.card_set.banner,
        _command(args, tournament),
        identity,
        facts,
        worded_tables(standings(played), game.variant),
        plots,
        files,
        incomplete,
    )
    text = result.as_text(run_result)
    write(folder / "tournament.txt", text)
    write(folder / "tournament.csv", tables.as_csv(run_result.tables))
    write(folder / result.FILE_NAME, result.as_json(run_result, game))
    print(text)
    for name, _ in plots:
        print(f"picture: {folder / name}")
    print(f"tables:  {folder / 'tournament.txt'}, .csv, {result.FILE_NAME}; every game: {folder / FILE_NAME}")
    return 0 if finished else 130


def _facts(
    tournament: Tournament, identity: dict[str, Any], whole: int, games: int, args: argparse.Namespace
) -> list[tuple[str, str]]:
    schedule = tournament.schedule
    per_deal = len(schedule.seatings(0))
    if schedule.kind == "full":
        how = f"full: every deal by all {per_deal} seat assignments"
    else:
        meetings = schedule.meetings(tournament.deals)
        each = int(meetings[0, 1])
        how = (
            f"balanced: {per_deal} games a deal, all pairs meet equally often ({each:,} games) over "
            f"{tournament.deals} deals (whole cycles of {schedule.cycle})"
        )
    facts = [
        ("rules", rules_text(identity["rules"])),
        ("schedule", how),
        ("games", f"{games:,} on {whole:,} deals"),
        ("seed", str(tournament.seed)),
        ("intervals", "95 %, one deal = one block; ratings by bootstrap over deals; a shared win counts 1/w"),
    ]
    if args.forfeit:
        facts.append(("spoiled", "an agent that spoils a game loses it to the others (--forfeit)"))
    if tournament.move_limit:
        facts.append(("time", f"at most {tournament.move_limit:g} s a move"))
    return facts


def _command(args: argparse.Namespace, tournament: Tournament) -> str:
    words: list[object] = ["--agents", joined(tournament.agents), "--players", args.players, "--deals", args.deals]
    words += ["--schedule", args.schedule] if args.schedule != "auto" else []
    words += ["--move-limit", f"{args.move_limit:g}"] if args.move_limit else []
    words += ["--forfeit"] if args.forfeit else []
    return command_line(args, "tournament", words)
