"""Plays core against model for some minutes: `python -m tests.reference.fuzz --minutes 5 --players 2,3,4 --seed 1 --variants gosu`.

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

from .cases import draw_case
from .gosu_x_cases import draw_x_case
from .gosu_x_lockstep import play_x
from .lockstep import MODELS, play, variant_of
from .trial import Case, MismatchError, Tally

VARIANTS = [*sorted(MODELS), "gosu_x"]


def player_counts(text: str) -> list[int]:
    counts = [int(word) for word in text.split(",") if word.strip() in ("2", "3", "4")]
    if not counts or len(counts) != len(text.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r}: write player counts from 2 to 4, as in 2,3,4")
    return counts


def fuzz(minutes: float, players: list[int], variants: list[str], seed: int, folder: Path) -> Tally:
    """Games without end until the time is over."""
    chance = Random(f"fuzz {seed}")
    tally = Tally()
    start = time.monotonic()
    seconds = minutes * 60
    with tqdm(total=round(seconds), unit="s", bar_format="{l_bar}{bar}| {elapsed} of {total} s{postfix}") as bar:
        while (passed := time.monotonic() - start) < seconds:
            bar.n = int(passed)
            bar.set_postfix_str(f"{tally.games} games, {tally.decisions} decisions", refresh=False)
            bar.refresh()
            for variant in variants:
                if variant == "gosu_x":  # for two
                    tally.add(play_any(draw_x_case(chance), folder))
                    continue
                for count in players:
                    tally.add(play_any(draw_case(chance, count, variant), folder))
    return tally


def play_any(case: Case, folder: Path) -> Tally:
    return play_x(case, folder) if variant_of(case) == "gosu_x" else play(case, folder)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--players", type=player_counts, default=[2, 3, 4])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", help="play one game again, as printed with a mismatch")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if options.case:
                tally = play_any(Case.parse(options.case), Path(folder))
            else:
                tally = fuzz(options.minutes, options.players, options.variants, options.seed, Path(folder))
        except MismatchError as mismatch:
            print(mismatch, file=sys.stderr)
            return 1
    print(f"{tally.games} games, {tally.decisions} decisions, {tally.shuffles} reshuffles: core and model agree")
    print(f"left early (the order of a shuffle does not show): {tally.unresolved}")
    print(f"compared besides: {tally.views} views; worlds drawn from views: {tally.worlds}")
    print("kinds:", ", ".join(f"{kind} {count}" for kind, count in tally.kinds.most_common()))
    print("ends:", ", ".join(f"{reason} {count}" for reason, count in tally.reasons.most_common()))
    for situation, count in sorted(tally.situations.items()):
        print(f"{count:9d}  {situation}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
