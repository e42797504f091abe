"""`gosu-rl compile`: fill the cache of compiled code, so that the first game of a session starts at once."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import active_children, get_context
from threading import TIMEOUT_MAX
from typing import Any

from gosu_rl.arena.workers import born_deaf, cores, start_worker

EXAMPLES = """examples:
  gosu-rl compile            what gosu-rl play and a loop over game.new(...) need
  gosu-rl compile --all      also what win rates, tournaments, environments and searches need
  GOSU_RL_CACHE_DIR=/path/to/cache gosu-rl compile --all
      keep it there; set the same variable when you play
  gosu-rl compile --all --workers 1
      one process at a time, where memory is short (each takes up to a gigabyte)"""
MOST_WORKERS = 4  # more would wait for the function that takes longest


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "compile",
        help="compile the core now",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--all", action="store_true", help="every function; by default those that a game needs")
    parser.add_argument(
        "--workers", type=int, metavar="N", help=f"processes (default: a core each, at most {MOST_WORKERS})"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from gosu_rl.core import jit

    if not jit.JIT:
        raise ValueError("NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it")
    if trouble := jit.cache_trouble():
        raise ValueError(trouble)

    workers = min(cores(), MOST_WORKERS) if arguments.workers is None else arguments.workers
    if workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")

    from gosu_rl.core import warm  # not before: it would warn of the same

    begun = time.perf_counter()
    with tqdm(unit="step", bar_format="{l_bar}{bar:20}| {n}/{total} {elapsed}") as bar:

        def told(done: int, steps: int, what: str) -> None:
            bar.total = steps
            bar.set_description(what or "done", refresh=False)
            bar.update(done - bar.n)
            bar.refresh()

        if workers > 1:
            _compile_side_by_side(arguments.all, workers, told)
        count = (warm.compile_all if arguments.all else warm.compile_game)(told if workers == 1 else None)
    print(f"{count} functions ready in {time.perf_counter() - begun:.1f} s; kept in {jit.cache_folder()}")
    return 0


def _compile_side_by_side(everything: bool, workers: int, told: Callable[[int, int, str], None]) -> None:
    """Take the steps in `workers` processes, which leave their code in the cache."""
    from gosu_rl.core import warm

    names = [[name for name, _ in stage] for stage in warm.stages(everything)]
    total, done = sum(map(len, names)), 0
    told(done, total, names[0][0])
    pool = ProcessPoolExecutor(workers, get_context("spawn"), start_worker)
    try:
        for number, stage in enumerate(names):
            with born_deaf():
                running = [pool.submit(_take_step, everything, number, k) for k in range(len(stage))]
            for future in as_completed(running):
                done += 1
                told(done, total, future.result() if done < total else "")
    except BrokenProcessPool:
        raise ValueError(
            "a compiling process died (out of memory?); what it had finished is kept: run again with --workers 1"
        ) from None
    except BaseException:
        for process in active_children():  # a compile cannot be told to stop
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _take_step(everything: bool, stage: int, k: int) -> str:
    """Compile one step in a worker; its name."""
    from gosu_rl.core import notice

    name, take = _steps(everything)[stage][k]
    with notice.compiling(patience=TIMEOUT_MAX):
        take()
    return name


@cache
def _steps(everything: bool) -> Any:
    from gosu_rl.core import warm

    return warm.stages(everything)
