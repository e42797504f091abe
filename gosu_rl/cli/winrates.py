"""`gosu-rl winrates`: who wins from which seat, and what the Advantage card is worth."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from gosu_rl.arena import runner
from gosu_rl.arena.plan import GameSpec, Plan, split_agents
from gosu_rl.arena.plots import as_png
from gosu_rl.arena.report import Run, as_csv, as_json, as_text, write
from gosu_rl.arena.store import FILE_NAME, Store
from gosu_rl.arena.winrates import measure

EXAMPLES = """examples:
  gosu-rl winrates tactics --agents greedy --deals 5000
      the default players in self-play: each deal is played once with the Advantage card given to each seat
  gosu-rl winrates tactics --agents greedy,random --deals 2000
      one against the other; each deal is also played with the seats swapped
  gosu-rl winrates tactics --agents greedy --players 4 --cards mine.toml --rules turns_after_pass=2
      your own cards, your own rules
  gosu-rl winrates tactics --agents package.module:MyAgent,greedy --deals 500 --workers 8
      an agent of your own, in worker processes

The same command goes on where it was stopped; with more --deals it adds to what was played.
docs/measuring.md explains what is measured and how."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the parsers of `gosu-rl`."""
    parser = subparsers.add_parser(
        "winrates",
        help="measure win rates by seat and the worth of the Advantage card",
        description="Play deals with the Advantage card given to each seat in turn; report who wins, with intervals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("variant", help="the game, e.g. tactics")
    parser.add_argument(
        "--agents", default="greedy", metavar="A[,B…]", help="one agent for all seats, or one a seat (default: greedy)"
    )
    parser.add_argument("--players", type=int, default=2, metavar="N", help="number of players (default: 2)")
    parser.add_argument(
        "--deals", type=int, default=5000, metavar="N", help="deals; each is several games (default: 5000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="decides all deals and all luck (default: 1)")
    parser.add_argument("--cards", metavar="FILE", help="a card set of your own (TOML); default: the variant's")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="K=V", help="change a number of the rules; may be repeated"
    )
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default: runs/winrates-…)")
    parser.add_argument("--workers", type=int, metavar="N", help="processor cores to use (default: all)")
    parser.add_argument("--fresh", action="store_true", help="forget games already played into --out and begin anew")
    parser.add_argument("--no-plots", action="store_true", help="write no picture")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, print the table, write the files. 0 when complete, 130 when stopped; ValueError, OSError for bad input."""
    if args.deals < 1:
        raise ValueError(f"--deals must be at least 1, not {args.deals}")
    workers = cores() if args.workers is None else args.workers
    if workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")
    spec = GameSpec(args.variant, args.players, args.cards, parse_rules(args.rules))
    game = spec.make()
    plan = Plan(spec, split_agents(args.agents), args.seed)
    runner.check_agents(game, plan)
    identity = plan.identity(game)
    folder = Path(args.out) if args.out else Path("runs") / plan.run_name(game)
    store = _open(folder, identity, game, plan, args.fresh)

    total = args.deals * plan.games_per_deal
    with tqdm(total=total, unit=" games", disable=None, smoothing=0.05, desc="winrates") as bar:
        finished = runner.play(
            game, plan, store, args.deals, workers, lambda deals: bar.update(deals * plan.games_per_deal)
        )
    rows, there = store.load(args.deals)
    # Of a run that was stopped, only deals before the first gap count: those behind it ended early as they were short.
    whole = args.deals if there.all() else int(np.argmin(there))
    if whole == 0:
        print("stopped before the first deal was finished; nothing to show", file=sys.stderr)
        return 130
    facts = Run(
        title=_title(plan, game),
        banner=game.card_set.banner,
        command=_command(args),
        identity=identity,
        deals=whole,
        wanted=args.deals,
        seatings=len(plan.seatings),
        games_per_deal=plan.games_per_deal,
    )
    measures = measure(plan, rows[:whole], game.reasons)
    text = as_text(facts, measures)
    write(folder / "winrates.txt", text)
    write(folder / "winrates.csv", as_csv(measures))
    write(folder / "winrates.json", as_json(facts, measures))
    if not args.no_plots:
        write(folder / "winrates.png", as_png(facts, measures))
    print(text)  # last: whoever reads it may go away early, as `head` does
    if not args.no_plots:
        print(f"picture: {folder / 'winrates.png'}")
    print(f"tables:  {folder / 'winrates.txt'}, .csv, .json; every game: {folder / FILE_NAME}")
    return 0 if finished else 130


def parse_rules(texts: list[str]) -> dict[str, int]:
    """{"turns_after_pass": 2} from ["turns_after_pass=2"]; several in one text are parted by commas."""
    rules: dict[str, int] = {}
    for item in (item for text in texts for item in text.split(",")):
        name, equals, number = item.partition("=")
        try:
            rules[name.strip()] = int(number)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise ValueError(f"--rules {item!r}: write it like turns_after_pass=3, with a whole number")
    return rules


def _open(folder: Path, identity: dict[str, Any], game: Any, plan: Plan, fresh: bool) -> Store:
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--out {folder} is a file; name a folder")
    games = folder / FILE_NAME
    if fresh:
        games.unlink(missing_ok=True)
    if not games.exists() and not fresh and (foreign := sorted(folder.glob("winrates.*"))):
        raise ValueError(f"{foreign[0]} is of another run; name another --out, or --fresh to replace it")
    return Store(folder, identity, game.result_dtype, (len(plan.seatings), plan.players))


def _title(plan: Plan, game: Any) -> str:
    who = f"{plan.names[0]} in self-play" if len(plan.names) == 1 else " against ".join(plan.agents)
    return f"Win rates in {game.card_set.variant}, {plan.players} players: {who}"


def _command(args: argparse.Namespace) -> str:
    words = ["gosu-rl", "winrates", args.variant, "--agents", args.agents, "--players", args.players]
    words += ["--deals", args.deals, "--seed", args.seed]
    words += ["--cards", args.cards] if args.cards else []
    for rule in args.rules:
        words += ["--rules", rule]
    words += ["--out", args.out] if args.out else []
    return shlex.join(map(str, words))


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
