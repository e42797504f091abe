"""How worker processes come into the world and leave it, whatever they work at.

Ctrl-C at a terminal goes to every process there. It is the parent's business alone: a worker must not hear it, neither while it
works nor while its interpreter still starts and imports, where it would end in a traceback on the user's screen.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from typing import Any


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def born_deaf() -> Iterator[None]:
    """Processes spawned inside have SIGINT blocked from their first moment on, by the signal mask that they inherit.

    A Ctrl-C meanwhile waits in this process and is raised at the end. Where there are no signal masks (Windows) nothing is done.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would end with SIGINT no longer blocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_worker() -> None:
    """What a worker process does first: it ignores Ctrl-C, dies with its parent, and leaves the other cores to other workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # what an agent starts gets a usual mask
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=[parent], daemon=True).start()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes share the cores already


def _die_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
