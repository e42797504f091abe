"""`gosu-rl compile`: fill the cache of compiled code, so that the first game of a session starts at once."""

from __future__ import annotations

import argparse
import time
from typing import Any


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("compile", help="compile the core now", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every entry point; by default those that a game needs")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from gosu_rl.core import jit

    begun = time.perf_counter()
    last = begun

    def told(what: str) -> None:
        nonlocal last
        now = time.perf_counter()
        print(f"{now - last:7.1f} s  {what}", flush=True)
        last = now

    count = jit.compile_all(told) if arguments.all else jit.compile_game(told)
    print(f"{count} functions ready in {time.perf_counter() - begun:.1f} s; kept in {jit.cache_folder()}")
    return 0
