"""What the measuring commands have in common: their options, the folder of a run, and the command to repeat it."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gosu_rl.agents import split_specs
from gosu_rl.arena.plan import GameSpec
from gosu_rl.arena.result import FILE_NAME as RESULT_NAME
from gosu_rl.arena.store import FILE_NAME, remove
from gosu_rl.arena.workers import cores
from gosu_rl.cli.draft import add_draft, with_draft
from gosu_rl.core.variants import variants

MOST_DEALS = 10_000_000


def add_options(parser: argparse.ArgumentParser, folder: str) -> None:
    """Game, seed, output and workers; `folder` is how default folders begin."""
    parser.add_argument("variant", help=f"the game: {', '.join(variants())}")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="number of players (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="decides all deals and all luck (default: 1)")
    parser.add_argument("--cards", metavar="FILE", help="a card set of your own (TOML); default: the variant's")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="K=V", help="change a number of the rules; may be repeated"
    )
    add_draft(parser)
    parser.add_argument("--out", metavar="DIR", help=f"folder of the results (default: runs/{folder}-…)")
    parser.add_argument("--workers", type=int, metavar="N", help="processor cores to use (default: all)")
    parser.add_argument("--fresh", action="store_true", help="forget games already played into --out and begin anew")
    parser.add_argument("--no-plots", action="store_true", help="write no picture")


def game_spec(args: argparse.Namespace) -> GameSpec:
    """The game that the options ask for; ValueError for a malformed rule."""
    return GameSpec(
        args.variant, args.players, args.cards, with_draft(parse_rules(args.rules), args.draft, args.variant)
    )


def agents(texts: Sequence[str] | None, default: str) -> tuple[str, ...]:
    """The agents of one or several `--agents`."""
    return split_specs(texts if texts else default)


def joined(specs: Sequence[str]) -> str:
    """Specs as one text that `split_specs` takes apart again."""
    commas = ",".join(specs)
    return commas if ";" not in commas and split_specs(commas) == tuple(specs) else "; ".join(specs) + ";"


def workers(args: argparse.Namespace) -> int:
    """Number of worker processes; ValueError for less than one."""
    number = cores() if args.workers is None else args.workers
    if number < 1:
        raise ValueError(f"--workers must be at least 1, not {number}")
    return int(number)


def run_folder(args: argparse.Namespace, default: str, written: str) -> Path:
    """The folder of the run. `written` is a pattern of the files it will hold.

    ValueError where they are there already without the games they came from: they are somebody else's.
    """
    folder = Path(args.out) if args.out else Path("runs") / default
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--out {folder} is a file; name a folder")
    if args.fresh:
        remove(folder)
    elif not (folder / FILE_NAME).exists():
        foreign = sorted([*folder.glob(written), *folder.glob(RESULT_NAME)])
        if foreign:
            raise ValueError(f"{foreign[0]} is of another run; name another --out, or --fresh to replace it")
    return folder


def command_line(args: argparse.Namespace, name: str, more: Sequence[object]) -> str:
    """The command that repeats the run: `more` are the words of this command's own options."""
    words: list[object] = ["gosu-rl", name, args.variant, *more, "--seed", args.seed]
    words += ["--cards", args.cards] if args.cards else []
    for rule in args.rules:
        words += ["--rules", rule]
    words += ["--draft", args.draft] if args.draft is not None else []
    words += ["--out", args.out] if args.out else []
    return shlex.join(map(str, words))


WORDED = ("draft", "layout")  # rules that may be a word, a name or a path


def parse_rules(texts: list[str]) -> dict[str, Any]:
    """{"turns_after_pass": 2} from ["turns_after_pass=2"]; several in one text are parted by commas.

    "none" stays a word, and so do what names a layout (docs/cards.md) and who drafts: draft=random, or draft=fixed: and clans,
    which takes the rest of its text.
    """
    rules: dict[str, Any] = {}
    for item in (item for text in texts for item in _items(text)):
        name, equals, number = item.partition("=")
        if name.strip() in WORDED and number.strip() and not number.strip().isdecimal():
            rules[name.strip()] = number.strip()
            continue
        try:
            rules[name.strip()] = "none" if number.strip().casefold() == "none" else int(number)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise ValueError(f"--rules {item!r}: write it like turns_after_pass=3, with a whole number")
    return rules


def _items(text: str) -> list[str]:
    """The parts between commas; those behind `draft=fixed:` are clans."""
    before, fixed, clans = text.partition("draft=fixed:")
    items = before.split(",")
    return [*items[:-1], items[-1] + fixed + clans]


def checked_deals(deals: int) -> int:
    """`--deals`, if it is a number of deals that memory and a life can hold."""
    if not 1 <= deals <= MOST_DEALS:
        raise ValueError(f"--deals must lie between 1 and {MOST_DEALS:,}, not {deals}")
    return deals
