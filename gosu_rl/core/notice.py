"""What a first compile tells: a line on stderr while code is being compiled, so that nobody takes the wait for a hang."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from numba.core import config, event

SPINNER = "|/-\\"
RARE = 20_000  # new objects between two garbage collections while code is compiled, which makes objects by the million
_QUIET = nullcontext()
_notice_lock = threading.RLock()
_notice_depth = 0
_compiling_since = 0.0  # when numba began to compile in the block that is watched; 0: all came from the disk so far
_notice_written = False  # into a file or a pipe, where one line a process is enough


def compiling(function: Any = None, patience: float = 1.0) -> AbstractContextManager[None]:
    """Say on stderr, once, that code is being compiled if that takes longer than `patience` seconds in the block.

    With a `function` (an entry or loop) that has its machine code already nothing is watched, which costs nothing.
    """
    return _QUIET if config.DISABLE_JIT or (function is not None and function.overloads) else _announced(patience)


class _CompileWatch(event.Listener):
    """Numba tells of real compiles only, not of code that it loads from the disk."""

    def on_start(self, event: Any) -> None:
        global _compiling_since
        _compiling_since = _compiling_since or time.monotonic()

    def on_end(self, event: Any) -> None:
        """Nothing: one compile follows another."""


if not config.DISABLE_JIT:
    event.register("numba:compile", _CompileWatch())


@contextmanager
def _announced(patience: float) -> Iterator[None]:
    global _notice_depth, _compiling_since
    with _notice_lock:
        _notice_depth += 1
        outermost = _notice_depth == 1
        if outermost:
            _compiling_since = 0.0
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(done, patience), daemon=True)
    thresholds = gc.get_threshold()
    if outermost:
        teller.start()
        gc.set_threshold(
            thresholds[0] and max(thresholds[0], RARE), *thresholds[1:]
        )  # 0: whoever switched it off meant it
    try:
        yield
    finally:
        with _notice_lock:
            _notice_depth -= 1
        done.set()
        if outermost:
            gc.set_threshold(*thresholds)
            teller.join()


def _tell(done: threading.Event, patience: float) -> None:
    global _notice_written
    while not _compiling_since or time.monotonic() - _compiling_since < patience:
        if done.wait(0.1):
            return
    start = _compiling_since
    text = "gosu_rl: compiling a part of the game core; it is kept for next time ('gosu-rl compile --all' does all at once)"
    if not sys.stderr.isatty():
        if not _notice_written:
            _notice_written = True
            print(text, file=sys.stderr, flush=True)
        return
    for turn in range(1_000_000):
        print(f"\r{text} {SPINNER[turn % 4]} {time.monotonic() - start:3.0f} s", end="", file=sys.stderr, flush=True)
        if done.wait(0.2):
            break
    print(f"\r{text}: done in {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
