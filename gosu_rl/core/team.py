"""A few threads that stay, for compiled loops that let go of the GIL: handing over a job costs some 10 us, a new thread 100.

Why not numba's own threads (`prange`): numba's work queue ends the whole process when two Python threads enter it at once, and its
OpenMP layer does so in a forked child. Threads of Python do neither.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any

Job = tuple[Callable[..., Any], tuple[Any, ...]]
Done = SimpleQueue[BaseException | None]  # one entry a job
Inbox = SimpleQueue[tuple[Job, Done] | None]


class Team:
    """`run` does jobs side by side: the first in the calling thread, each other one in a thread of its own that waits for the next.

    The threads start with the first use, end when the team is no longer in use, and start anew in a forked process.
    """

    def __init__(self, size: int):
        self._size = size
        self._process = 0
        self._inboxes: list[Inbox] = []

    def run(self, jobs: Sequence[Job]) -> None:
        """Do as many jobs as the team has members; returns, or raises what one of them raised, when all are done."""
        if self._process != os.getpid():
            self._start()
        done: Done = SimpleQueue()  # a new one, lest a run that was interrupted leave its answers to this one
        for inbox, job in zip(self._inboxes, jobs[1:], strict=True):
            inbox.put((job, done))
        raised: BaseException | None = None
        try:
            function, arguments = jobs[0]
            function(*arguments)
        except BaseException as error:
            raised = error
        for _ in self._inboxes:
            raised = done.get() or raised
        if raised is not None:
            raise raised

    def _start(self) -> None:
        self._process = os.getpid()
        self._inboxes = [SimpleQueue() for _ in range(self._size - 1)]
        for inbox in self._inboxes:  # in a copy of this context: NumPy keeps there whether it warns of overflows
            Thread(target=copy_context().run, args=(_work, inbox), daemon=True, name="gosu_rl team").start()
        weakref.finalize(self, _dismiss, self._inboxes)


def _work(inbox: Inbox) -> None:
    while (given := inbox.get()) is not None:
        (function, arguments), done = given
        raised = None
        try:
            function(*arguments)
        except BaseException as error:
            raised = error
        del given, function, arguments  # or the arrays in them would be kept until the next job comes
        done.put(raised)
        del raised, done


def _dismiss(inboxes: list[Inbox]) -> None:
    for inbox in inboxes:
        inbox.put(None)
