"""`gosu-rl cards impact`: which cards and clans of a set win; the tool a designer opens first."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from gosu_rl.cli.draft import add_draft, with_draft
from gosu_rl.core.cards.load import load

SORTS = ("dealt", "kept", "held", "played", "army", "name")
EXAMPLES = """examples:
  gosu-rl cards impact tactics
  gosu-rl cards impact gosu --deals 2000
  gosu-rl cards impact gosu_x --draft random --deals 2000
  gosu-rl cards impact epic_death --players 3 --deals 2000
  gosu-rl cards impact mine.toml --players 3 --deals 20000 --out runs/mine
  gosu-rl cards impact tactics --agents mcts:sims=200 --deals 300 --sort played
  gosu-rl report runs/mine                 the same as one HTML page

The first table is about cards *dealt* in the opening hand: chance decides who has them, so it says what a card does. The others
are about cards kept, held, played, in the army at the end: players choose these, and whoever is winning plays more cards. A dot
marks what stands out after the correction for reading all cards at once. docs/measuring.md has more."""


def add_parser(subparsers: Any) -> None:
    """Add `impact` to the subcommands of `gosu-rl cards`."""
    parser = subparsers.add_parser(
        "impact",
        help="measure which cards and clans win",
        description="Play deals and say of each card how seats fare that are dealt it, keep, hold, play it, end with it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("set", metavar="NAME-or-FILE", help="a packaged set, or a path that ends in .toml")
    parser.add_argument(
        "--agents", default="greedy", metavar="A[,B…]", help="one agent for all seats, or one a seat (default: greedy)"
    )
    parser.add_argument(
        "--deals", type=int, default=5000, metavar="N", help="deals, each a game per seat (default: 5000)"
    )
    parser.add_argument("--players", type=int, default=2, metavar="N", help="number of players (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="decides all deals and all luck (default: 1)")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="K=V", help="change a number of the rules; may be repeated"
    )
    add_draft(parser)
    parser.add_argument("--sort", choices=SORTS, default="dealt", help="order of the cards (default: dealt)")
    parser.add_argument("--workers", type=int, metavar="N", help="processor cores to use (default: all)")
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default: runs/impact-…)")
    parser.add_argument("--no-plots", action="store_true", help="write no picture")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, print the tables, write the files. 0 when complete, 130 when stopped; ValueError, OSError for bad input."""
    # Here and not above: the other subcommands of `cards` need neither compiler nor statistics.
    from tqdm import tqdm

    from gosu_rl.agents import split_specs
    from gosu_rl.arena import cells, impact, impact_result, result
    from gosu_rl.arena.plan import GameSpec, Plan
    from gosu_rl.arena.report import write
    from gosu_rl.arena.runner import check_agents
    from gosu_rl.arena.workers import cores
    from gosu_rl.cli.measuring import checked_deals, parse_rules

    checked_deals(args.deals)
    workers = cores() if args.workers is None else args.workers
    if workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")
    variant = load(args.set).variant
    spec = GameSpec(variant, args.players, args.set, with_draft(parse_rules(args.rules), args.draft, variant))
    game = spec.make()
    plan = Plan(spec, split_specs(args.agents), args.seed)
    check_agents(game, plan)
    folder = Path(args.out) if args.out else Path("runs") / _run_name(game, plan)
    _claim(folder)
    try:
        with tqdm(total=args.deals, unit=" deals", disable=None, desc="impact") as bar:
            games, complete = impact.play(plan, args.deals, workers, bar.update)
    except KeyboardInterrupt:
        print("stopped before the first deal was finished; nothing to show", file=sys.stderr)
        return 130
    found = impact_result.make_result(game, plan, games, _command(args), args.deals, args.sort, not args.no_plots)
    folder.mkdir(parents=True, exist_ok=True)
    for (name, _), table in zip(impact_result.files_of(game), found.tables, strict=True):
        write(folder / name, cells.as_csv(table))
    if not args.no_plots:
        write(folder / impact_result.PICTURE, impact_result.as_png(game, plan, games, found, args.sort))
    write(folder / result.FILE_NAME, result.as_json(found, game))
    print(_head(found))
    print("\n".join(cells.as_text(table) for table in found.tables))
    written = [name for name, _ in impact_result.files_of(game)] + ([] if args.no_plots else [impact_result.PICTURE])
    print(f"files: {folder}/ {' '.join(written)} {result.FILE_NAME}")
    print(f"one page of it all: gosu-rl report {shlex.quote(str(folder))}")
    return 0 if complete else 130


def _head(found: Any) -> str:
    import textwrap

    lines = [found.title, f"  {'cards':10} {found.banner}"]
    for name, text in found.facts:
        if name not in ("agents", "players"):
            lines += textwrap.wrap(text, 105, initial_indent=f"  {name:10} ", subsequent_indent=" " * 13)
    lines.append(f"  {'command':10} {found.command}")
    lines += [f"  {found.incomplete}"] if found.incomplete else []
    return "\n".join(lines) + "\n"


def _run_name(game: Any, plan: Any) -> str:
    who = re.sub(r"[^A-Za-z0-9=.]+", "-", "-".join(plan.agents)).strip("-")[:40]
    changed = "".join(f"-{name}={number}" for name, number in sorted(game.rule_changes.items()))
    return f"impact-{game.card_set.name}-{game.card_set.hash[:8]}-{plan.players}p-{who}-seed{plan.seed}{changed}"


def _claim(folder: Path) -> None:
    """ValueError where the results would overwrite what is not a result of this command."""
    from gosu_rl.arena import result, result_file

    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--out {folder} is a file; name a folder")
    other = folder / result.FILE_NAME
    if other.exists() and (kind := result_file.read(other).kind) != "impact":
        raise ValueError(f"{folder} holds a run of gosu-rl {kind}; name another --out")


def _command(args: argparse.Namespace) -> str:
    words = ["gosu-rl", "cards", "impact", args.set, "--agents", args.agents, "--players", args.players]
    words += ["--deals", args.deals, "--seed", args.seed]
    for rule in args.rules:
        words += ["--rules", rule]
    words += ["--draft", args.draft] if args.draft is not None else []
    words += ["--sort", args.sort] if args.sort != "dealt" else []
    words += ["--out", args.out] if args.out else []
    return shlex.join(map(str, words))
