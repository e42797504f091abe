"""`gosu-rl compile`: fill the cache of compiled code, so that the first game of a session starts at once."""

from __future__ import annotations

import argparse
import time
from typing import Any

EXAMPLES = """examples:
  gosu-rl compile            what gosu-rl play and a loop over game.new(...) need
  gosu-rl compile --all      also what win rates, tournaments, environments and searches need
  GOSU_RL_CACHE_DIR=/path/to/cache gosu-rl compile --all
      keep it there; set the same variable when you play"""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "compile",
        help="compile the core now",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--all", action="store_true", help="every function; by default those that a game needs")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from gosu_rl.core import jit

    if not jit.JIT:
        raise ValueError("NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it")
    if trouble := jit.cache_trouble():
        raise ValueError(trouble)

    from gosu_rl.core import warm  # not before: it would warn of the same

    begun = time.perf_counter()
    with tqdm(unit="step", bar_format="{l_bar}{bar:20}| {n}/{total} {elapsed}") as bar:

        def told(done: int, steps: int, what: str) -> None:
            bar.total = steps
            bar.set_description(what or "done", refresh=False)
            bar.update(done - bar.n)
            bar.refresh()

        count = (warm.compile_all if arguments.all else warm.compile_game)(told)
    print(f"{count} functions ready in {time.perf_counter() - begun:.1f} s; kept in {jit.cache_folder()}")
    return 0
