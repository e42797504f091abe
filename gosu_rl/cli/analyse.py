"""`gosu-rl analyse`: what a search thinks of a position or of the moves of a recorded game."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

EXAMPLES = """examples:
  gosu-rl analyse position.txt                                 a position as print(state) writes it (docs/positions.md)
  gosu-rl analyse games.jsonl --move 41 --plot move.png        decision 41 of a record (its field "n")
  gosu-rl analyse games.jsonl --game 3 --seat 1                a review: every decision of seat 1 in the third game
  gosu-rl analyse - --agent mcts:sims=20000,rollout=greedy     a position from standard input, a longer search

The search sees what the player to move may know and nothing else, also where the file shows all. Visits say how sure it is, the
win share what it expects; the win share of an action with few visits means little."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the parsers of `gosu-rl`."""
    parser = subparsers.add_parser(
        "analyse",
        help="what a search thinks of a position, or of the moves of a record",
        description="Search a decision from the mover's view; print visits and win share of each action.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a position text, a record (JSON Lines), or - for a position on stdin"
    )
    parser.add_argument(
        "--agent", default="mcts:sims=2000", metavar="SPEC", help="who searches (default: mcts:sims=2000)"
    )
    parser.add_argument("--game", type=int, metavar="N", help="the N-th game of a record file, from 1 (default: 1)")
    parser.add_argument("--move", type=int, metavar="K", help="decision K of the record, from 0; left out: all of them")
    parser.add_argument("--seat", type=int, metavar="P", help="only decisions of seat P (from 0)")
    parser.add_argument(
        "--top", type=int, default=10, metavar="N", help="show the N most visited actions (default: 10)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the search (default: 1)")
    parser.add_argument("--cards", metavar="FILE", help="the card file of the game, if it is not the variant's own")
    parser.add_argument("--plot", metavar="FILE.png", help="also draw visits and win shares into this picture")
    parser.add_argument("--json", action="store_true", help="print plain data, all actions, and no board")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Search and print; ValueError, OSError for bad input."""
    if args.top < 1:
        raise ValueError(f"--top must be at least 1, not {args.top}")
    if args.plot and not args.plot.lower().endswith(".png"):
        raise ValueError(f"--plot {args.plot}: the picture is a PNG; give it a name that ends in .png")
    text = sys.stdin.read() if args.file == "-" else _text(Path(args.file))
    if text.lstrip().startswith("{"):
        return _record(args)
    for option in ("game", "move"):
        if getattr(args, option) is not None:
            raise ValueError(f"--{option} is for records, and {_named(args.file)} is a position")

    from gosu_rl.arena import analysis

    moment = analysis.from_text(text, _named(args.file), args.cards)
    if args.seat is not None and args.seat != moment.view.mover:
        raise ValueError(f"{_named(args.file)}: p{moment.view.mover} is to decide, not p{args.seat}")
    return _one(args, moment)


def _record(args: argparse.Namespace) -> int:
    from gosu_rl.arena import analysis
    from gosu_rl.core.record import Record, RecordError

    if args.file == "-":
        raise ValueError("standard input holds a record; records are read from files: name the file")
    records = Record.read_all(args.file)
    number = 1 if args.game is None else args.game
    if not 1 <= number <= len(records):
        raise RecordError(f"{args.file}: has no game {number}; it holds games 1 to {len(records)}")
    record = records[number - 1]
    if args.move is not None:
        return _one(args, analysis.one_of_record(record, args.move, args.cards, args.seat))
    if args.plot:
        raise ValueError("--plot draws one decision; name it with --move")
    return _all(args, analysis.from_record(record, args.cards, args.seat))


def _one(args: argparse.Namespace, moment: Any) -> int:
    from gosu_rl.arena import analysis, cells
    from gosu_rl.arena.report import write
    from gosu_rl.core.files import check_writable
    from gosu_rl.envs.ansi import render

    if args.plot:
        check_writable(args.plot)  # or after the thinking
    thought = analysis.think(moment, args.agent, args.seed)
    if args.plot:
        write(Path(args.plot), analysis.as_png(thought, args.top, args.agent))
    if args.json:
        print(json.dumps(analysis.as_data(thought), indent=1, ensure_ascii=False))
        return 0
    print(moment.view.game.card_set.banner)
    print(render(moment.view, color=sys.stdout.isatty()))
    print()
    print(cells.as_text(analysis.as_table(thought, args.top)), end="")
    if args.plot:
        print(f"\npicture: {args.plot}")
    return 0


def _all(args: argparse.Namespace, moments: Any) -> int:
    from tqdm import tqdm

    from gosu_rl.arena import analysis, cells

    if not moments:
        raise ValueError(f"{args.file}: holds no decision with more than one legal action")
    bar = tqdm(moments, unit=" decisions", disable=None, desc="analyse")
    thoughts = [analysis.think(moment, args.agent, args.seed) for moment in bar]
    if args.json:
        print(json.dumps([analysis.as_data(one) for one in thoughts], indent=1, ensure_ascii=False))
    else:
        print(cells.as_text(analysis.review(thoughts)), end="")
    return 0


def _named(file: str) -> str:
    return "standard input" if file == "-" else file


def _text(path: Path) -> str:
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a position text or a record file")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file; positions and records are UTF-8") from None
