"""`gosu-rl winrates`: who wins from which seat, and what it is worth to begin (in Tactics and GOSU: to hold the Advantage card)."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from gosu_rl.arena import clan_plots, result, runner, skills
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.plots import as_png
from gosu_rl.arena.precision import next_size, reached
from gosu_rl.arena.report import Run, as_csv, as_json, as_tables, as_text, write
from gosu_rl.arena.result import Result
from gosu_rl.arena.store import FILE_NAME, Store
from gosu_rl.arena.winrates import Measure, measure
from gosu_rl.arena.wording import worded, worded_measures
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

DEALS, MOST_DEALS = 5000, 100_000
CLANS_PNG = "clans.png"
EXAMPLES = """what is given to each seat in turn on the same deals, and what is measured besides seats, ends and lengths of games:
  tactics      the Advantage card: who holds it begins the round and wins ties; battles that it decides
  gosu         the Advantage token: the same in GOSU (2010)
  gosu_x       being the first player, who drafts and begins first; clans, pairs and trios of clans, tiles, first pick, Wonder token
  epic_death   the first turn; how the Leaders fare

examples:
  gosu-rl winrates tactics --agents greedy --deals 5000
      the default players in self-play: each deal is played once with the Advantage card given to each seat
  gosu-rl winrates tactics --agents greedy,random --deals 2000
      one against the other; each deal is also played with the seats swapped
  gosu-rl winrates tactics --agents greedy --players 4 --cards mine.toml --rules turns_after_pass=2
      your own cards, your own rules
  gosu-rl winrates tactics --agents package.module:MyAgent,greedy --deals 500 --workers 8
      an agent of your own, in worker processes
  gosu-rl winrates gosu_x --draft random --deals 5000
      Gosu X with clans by lot: win rates by clan, pair and trio of clans, tiles, first pick, Wonder token, a heat map
  gosu-rl winrates gosu_x --draft "fixed:Justice,Galmi,Phoenix,Tomorrow,Goan Sul,Xi'an"
      one match-up; in quotes, because clans have a blank and an apostrophe in their names
  gosu-rl winrates tactics --skills random,greedy,mcts:sims=100 --precision 0.01
      self-play at several levels of skill, each until the first holder's win share is known to ± 1 point
  gosu-rl winrates gosu --agents greedy,random --rules turns_after_pass=10,full_army=16
      GOSU (2010) with the rule of tournaments and without the win of fifteen goblins
  gosu-rl winrates epic_death --players 4 --rules layout=long --deals 2000
      Epic Death on the long field: by seat, by Leader, by who begins

The same command goes on where it was stopped; with more --deals it adds to what was played.
docs/measuring.md explains what is measured and how."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the parsers of `gosu-rl`."""
    parser = subparsers.add_parser(
        "winrates",
        help="measure who wins: by seat, by who begins or holds the Advantage card, by clan (gosu_x), by Leader (epic_death)",
        description="Play each deal once for every seat, that seat beginning; report who wins, with intervals.\n"
        "To begin means to hold the Advantage card or token (tactics, gosu), to be the first player (gosu_x), to have the first\n"
        "turn (epic_death).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser, "winrates")
    parser.add_argument(
        "--agents",
        "--agent",
        action="append",
        metavar="A[,B…]",
        help="one agent for all seats, or one a seat, parted by commas (or by ;) (default: greedy)",
    )
    parser.add_argument(
        "--skills", action="append", metavar="A,B[,C…]", help="self-play of each of these agents, and one table of all"
    )
    parser.add_argument("--deals", type=int, metavar="N", help=f"deals; each is several games (default: {DEALS})")
    parser.add_argument(
        "--precision",
        type=float,
        metavar="P",
        help="play until the win share of the seat that begins is known to ± P (0.01: 1 point)",
    )
    parser.add_argument(
        "--max-deals",
        type=int,
        metavar="N",
        help=f"with --precision: give up after so many deals (default: {MOST_DEALS:,})",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, print the table, write the files. 0 when complete, 130 when stopped; ValueError, OSError for bad input."""
    _check(args)
    crew, spec = workers(args), game_spec(args)
    game = spec.make()
    if args.skills:
        return _run_skills(args, spec, game, crew)
    plan = Plan(spec, agents(args.agents, "greedy"), args.seed)
    runner.check_agents(game, plan)
    folder = run_folder(args, plan.run_name(game), "winrates.*")
    done = _measured(args, game, plan, folder, crew, _command(args, "--agents", plan.agents))
    if done is None:
        return _nothing()
    shown = worded_measures(done.measures, game.variant)
    print(as_text(done.facts, shown))  # last: whoever reads it may go away early, as `head` does
    if not args.no_plots:
        print(f"picture: {folder / 'winrates.png'}" + (f", {folder / CLANS_PNG}" if game.variant == "gosu_x" else ""))
    print(f"tables:  {folder / 'winrates.txt'}, .csv, .json, {result.FILE_NAME}; every game: {folder / FILE_NAME}")
    return 0 if done.finished else 130


def _run_skills(args: argparse.Namespace, spec: GameSpec, game: Any, crew: int) -> int:
    """Self-play at each level in a folder of its own, below the folder of the comparison."""
    levels = agents(args.skills, "")
    if len(set(levels)) < len(levels) or len(levels) < 2:
        raise ValueError("--skills wants at least two different agents, like random,greedy")
    plans = [Plan(spec, (level,), args.seed) for level in levels]
    for plan in plans:
        runner.check_agents(game, plan)
    folder = Path(args.out) if args.out else Path("runs") / skills.run_name(plans, game)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--out {folder} is a file; name a folder")
    if (folder / FILE_NAME).exists():
        raise ValueError(f"{folder} holds a single run; name another --out")
    names = [
        f"{number}-{re.sub(r'[^A-Za-z0-9=.]+', '-', level).strip('-')[:40]}" for number, level in enumerate(levels, 1)
    ]
    command = _command(args, "--skills", levels)
    runs: list[skills.Level] = []
    finished = True
    for level, plan, name in zip(levels, plans, names, strict=True):
        below = argparse.Namespace(**{**vars(args), "out": str(folder / name)})
        below_folder = run_folder(below, "", "winrates.*")
        alone = _command(below, "--agents", plan.agents)
        done = _measured(args, game, plan, below_folder, crew, alone) if finished else None
        if done is not None:
            runs.append(skills.Level(level, done.facts, done.measures))
            finished = done.finished
        elif finished:
            finished = False
    if not runs:
        return _nothing()
    missing = [level for level in levels if level not in {one.name for one in runs}]
    incomplete = "; ".join(f"{one.name}: {one.facts.incomplete}" for one in runs if one.facts.incomplete)
    if missing:
        incomplete += ("; " if incomplete else "") + f"INCOMPLETE: not played yet: {', '.join(missing)}"
    files = [(f"{name}/{result.FILE_NAME}", f"win rates of {one.name}") for name, one in zip(names, runs, strict=False)]
    plots = [] if args.no_plots else [("skills.png", worded("Worth of the Advantage card by skill", game.variant))]
    whole = skills.as_result(runs, game, spec, args.seed, command, incomplete, plots, files)
    text = result.as_text(whole)
    write(folder / "skills.txt", text)
    write(folder / result.FILE_NAME, result.as_json(whole, game))
    write(folder / "skills.csv", skills.as_csv(whole))
    if not args.no_plots:
        write(folder / "skills.png", skills.as_png(runs, whole))
    print(text)
    if not args.no_plots:
        print(f"picture: {folder / 'skills.png'}")
    print(f"tables:  {folder / 'skills.txt'}, .csv, {result.FILE_NAME}; each level: {folder / '[1-9]-*'}")
    return 0 if finished else 130


@dataclass(frozen=True)
class _Done:
    facts: Run
    measures: list[Measure]
    finished: bool


def _measured(args: argparse.Namespace, game: Any, plan: Plan, folder: Path, crew: int, command: str) -> _Done | None:
    """Play one run into its folder and write its files; None where it was stopped before its first deal."""
    identity = plan.identity(game)
    with Store(folder, identity, game.result_dtype, (len(plan.seatings), plan.players)) as store:
        if args.precision is None:
            deals = DEALS if args.deals is None else args.deals
            finished = _play(game, plan, store, 0, deals, crew)
            note = ""
        else:
            deals, finished, note = _play_until(args, game, plan, store, crew)
        rows, there = store.load(deals)
    # Of a run that was stopped, only deals before the first gap count: those behind it ended early as they were short.
    whole = deals if there.all() else int(np.argmin(there))
    if whole == 0:
        return None
    facts = Run(
        title=_title(plan, game),
        banner=game.card_set.banner,
        command=command,
        identity=identity,
        deals=whole,
        wanted=deals,
        seatings=len(plan.seatings),
        games_per_deal=plan.games_per_deal,
        note=note,
    )
    measures = measure(plan, rows[:whole], game.endings)
    shown = worded_measures(measures, game.variant)
    write(folder / "winrates.txt", as_text(facts, shown))
    write(folder / "winrates.csv", as_csv(shown))
    write(folder / "winrates.json", as_json(facts, shown))
    plots = []
    if not args.no_plots:
        write(folder / "winrates.png", as_png(facts, measures))
        plots = [("winrates.png", "Win rates")]
        if clan_plots.has_clans(measures):
            write(folder / CLANS_PNG, clan_plots.as_png(facts, measures))
            plots.append((CLANS_PNG, "Win shares by pairs of clans"))
    files = [
        ("winrates.txt", "the tables as text"),
        ("winrates.csv", "every figure"),
        ("winrates.json", "every figure"),
        (FILE_NAME, "every game"),
    ]
    whole_run = Result(
        "winrates", facts.title, facts.banner, command, identity, facts.words(), as_tables(shown), plots, files,
        facts.incomplete,
    )  # fmt: skip
    write(folder / result.FILE_NAME, result.as_json(whole_run, game))
    return _Done(facts, measures, finished)


def _play(game: Any, plan: Plan, store: Store, before: int, deals: int, crew: int) -> bool:
    """Play up to `deals` deals, of which `before` have been shown as progress already."""
    size = plan.games_per_deal
    with tqdm(total=(deals - before) * size, unit=" games", disable=None, smoothing=0.05, desc="winrates") as bar:
        skipped = before

        def progress(done: int) -> None:
            nonlocal skipped
            old, skipped = skipped, max(0, skipped - done)
            bar.update((done - (old - skipped)) * size)

        return runner.play(game, plan, store, deals, crew, progress)


def _play_until(args: argparse.Namespace, game: Any, plan: Plan, store: Store, crew: int) -> tuple[int, bool, str]:
    """Play in steps until the interval is narrow enough: (deals, not stopped by the user, what to say about it).

    The steps follow from the games alone, so a run that was interrupted takes the same ones.
    """
    most = MOST_DEALS if args.max_deals is None else args.max_deals
    before, deals = 0, next_size(0, float("nan"), args.precision, most)
    while True:
        if not _play(game, plan, store, before, deals, crew):
            return deals, False, ""
        rows, _ = store.load(deals)
        width = reached(plan, rows, game.reasons)
        wanted = worded(f"± {100 * args.precision:g} points for the first holder", game.variant)
        if width <= args.precision:
            return deals, True, f"played until {wanted}: ± {100 * width:.2f} reached"
        if deals >= most:
            return deals, True, f"NOT REACHED: {wanted}; ± {100 * width:.2f} after {deals:,} deals (--max-deals)"
        before, deals = deals, next_size(deals, width, args.precision, most)


def _check(args: argparse.Namespace) -> None:
    if args.deals is not None:
        checked_deals(args.deals)
    if args.skills and args.agents:
        raise ValueError("--skills and --agents exclude each other: --skills measures each agent in self-play")
    if args.precision is None:
        if args.max_deals is not None:
            raise ValueError("--max-deals goes with --precision; without it use --deals")
        return
    if args.deals is not None:
        raise ValueError("--deals and --precision exclude each other; --max-deals limits --precision")
    if not 0 < args.precision < 0.5:
        raise ValueError(f"--precision must lie between 0 and 0.5, like 0.01 for 1 point, not {args.precision:g}")
    if args.max_deals is not None and args.max_deals < 2:
        raise ValueError(f"--max-deals must be at least 2, not {args.max_deals}")


def _title(plan: Plan, game: Any) -> str:
    who = f"{plan.names[0]} in self-play" if len(plan.names) == 1 else " against ".join(plan.agents)
    return f"Win rates in {game.card_set.variant}, {plan.players} players: {who}"


def _command(args: argparse.Namespace, option: str, specs: tuple[str, ...]) -> str:
    words: list[object] = [option, joined(specs), "--players", args.players]
    if args.precision is None:
        words += ["--deals", DEALS if args.deals is None else args.deals]
    else:
        words += ["--precision", f"{args.precision:g}"]
        words += [] if args.max_deals is None else ["--max-deals", args.max_deals]
    return command_line(args, "winrates", words)


def _nothing() -> int:
    print("stopped before the first deal was finished; nothing to show", file=sys.stderr)
    return 130
