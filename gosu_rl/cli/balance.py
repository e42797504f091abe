"""`gosu-rl cards balance`: which cards and clans of a set win."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gosu_rl.core.cards.load import load

EXAMPLES = """examples:
  gosu-rl cards balance tactics --deals 2000
  gosu-rl cards balance mine.toml --players 3 --csv mine.csv

"Wins when dealt" is what a card does, diluted by nine others: the deal is random. "Wins when played" is not: who is
winning plays more cards; compare it with the average line. docs/measuring.md has more."""


def add_parser(subparsers: Any) -> None:
    """Add `balance` to the subcommands of `gosu-rl cards`."""
    parser = subparsers.add_parser(
        "balance",
        help="measure which cards and clans win",
        description="Play an agent against itself and print, for each clan and card, how those fare who have it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("set", metavar="NAME-or-FILE", help="a packaged set, or a path that ends in .toml")
    parser.add_argument(
        "--deals", type=int, default=1000, metavar="N", help="deals, each a game per seat (default: 1000)"
    )
    parser.add_argument("--players", type=int, default=2, metavar="N", help="number of players (default: 2)")
    parser.add_argument("--agent", default="greedy", help="who plays (default: greedy)")
    parser.add_argument("--seed", type=int, default=1, help="decides all deals and all luck (default: 1)")
    parser.add_argument("--workers", type=int, metavar="N", help="processor cores to use (default: all)")
    parser.add_argument("--csv", metavar="FILE", help="also write the cards' table, with all limits")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play and print the two tables; ValueError, OSError for bad input."""
    # Here and not above: the other subcommands of `cards` need neither compiler nor statistics.
    from tqdm import tqdm

    from gosu_rl.arena import balance
    from gosu_rl.arena.plan import GameSpec
    from gosu_rl.arena.report import write
    from gosu_rl.cli.measuring import cores

    if args.deals < 1:
        raise ValueError(f"--deals must be at least 1, not {args.deals}")
    workers = cores() if args.workers is None else args.workers
    if workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")
    spec = GameSpec(load(args.set).variant, args.players, args.set)
    game = spec.make()
    with tqdm(total=args.deals, unit=" deals", disable=None, desc="balance") as bar:
        games = balance.play(spec, args.agent, args.deals, args.seed, workers, bar.update)
    print(f"{game.card_set.banner}; {args.agent} in self-play, seed {args.seed}\n")
    print(balance.as_text(game, games))
    if args.csv:
        write(Path(args.csv), balance.as_csv(game, games))
        print(f"cards with all limits: {args.csv}")
    return 0
