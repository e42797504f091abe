"""Plays core against model for some minutes: `python -m tests.reference_epic.fuzz --minutes 5 --players 2,3,4,6 --seed 1`.

Stops at the first difference with exit code 1 and the command that plays that one game again (`--case ...`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tqdm import tqdm

from tests.reference.trial import MismatchError, Tally

from .card_sets import STYLES
from .cases import draw_case
from .lockstep import Case, play


def player_counts(text: str) -> list[int]:
    counts = [int(word) for word in text.split(",") if word.strip() in ("2", "3", "4", "5", "6")]
    if not counts or len(counts) != len(text.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r}: write player counts from 2 to 6, as in 2,4,6")
    return counts


def style_names(text: str) -> list[str]:
    styles = text.split(",")
    if unknown := [style for style in styles if style not in STYLES]:
        raise argparse.ArgumentTypeError(f"no such style: {', '.join(unknown)}; there are {', '.join(STYLES)}")
    return styles


def fuzz(minutes: float, players: list[int], seed: int, folder: Path, styles: list[str] | None = None) -> Tally:
    """Games without end until the time is over, with sets of these styles (None: of all)."""
    chance = Random(f"fuzz {seed}")
    tally = Tally()
    start = time.monotonic()
    seconds = minutes * 60
    with tqdm(total=round(seconds), unit="s", bar_format="{l_bar}{bar}| {elapsed} of {total} s{postfix}") as bar:
        while (passed := time.monotonic() - start) < seconds:
            bar.n = int(passed)
            bar.set_postfix_str(f"{tally.games} games, {tally.decisions} decisions", refresh=False)
            bar.refresh()
            for count in players:
                tally.add(play(draw_case(chance, count, chance.choice(styles) if styles else ""), folder))
    return tally


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--players", type=player_counts, default=[2, 3, 4, 5, 6])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--styles", type=style_names, help="of card_sets.py, as in newer,drill; left out: all")
    parser.add_argument("--case", help="play one game again, as printed with a mismatch")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if options.case:
                tally = play(Case.parse(options.case), Path(folder))
            else:
                tally = fuzz(options.minutes, options.players, options.seed, Path(folder), options.styles)
        except MismatchError as mismatch:
            print(mismatch, file=sys.stderr)
            return 1
    print(f"{tally.games} games, {tally.decisions} decisions, {tally.shuffles} reshuffles: core and model agree")
    early = "two reshuffles in one decision, a new Machine tossed at once, alike cards known to different players"
    print(f"left early ({early}): {tally.unresolved}")
    print(f"compared besides: {tally.views} views; worlds drawn from views: {tally.worlds}")
    print("kinds:", ", ".join(f"{kind} {count}" for kind, count in tally.kinds.most_common()))
    print("ends:", ", ".join(f"{reason} {count}" for reason, count in tally.reasons.most_common()))
    for situation, count in sorted(tally.situations.items()):
        print(f"{count:9d}  {situation}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
