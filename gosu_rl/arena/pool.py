"""Games on all cores of this machine: a worker process each, one game at a time or, where agents share a network, many.

Whatever an agent does, it costs the game it does it in. A worker that dies, or that is killed because an agent thinks
for longer than the limit, is replaced, and its game is told as spoiled, with the agent that was thinking. If it had many
games, they are played again one by one, to find that game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from gosu_rl.arena.job import Job, Outcome, Task, bunches, compile_for, play_bunch, play_job, spoiled
from gosu_rl.arena.plan import check_networks
from gosu_rl.arena.side_by_side import WIDTH
from gosu_rl.arena.workers import born_deaf, start_worker

BUNCH = 4 * WIDTH  # games a worker is given at once where they are played side by side
GRACE = 1.0  # seconds beyond the limit before a worker is killed: an agent that is only late tells of itself
LOOK = 0.25  # seconds between two looks at the clocks
Take = Callable[[Outcome], None]


class PoolError(ValueError):
    """Workers that cannot play at all."""


def play_jobs(task: Task, jobs: Iterable[Job], workers: int, take: Take) -> None:
    """Play `jobs` in order over `workers` processes; `take` gets every outcome in this process as games end.

    On KeyboardInterrupt games that have ended are still handed to `take`, then it is raised again. Raises PoolError
    when workers cannot start, or whatever `take` raises; all workers are gone when it returns.
    """
    jobs = list(jobs)
    waiting = bunches(task, jobs, max(1, min(BUNCH, -(-len(jobs) // workers))))
    crew: list[_Worker] = []
    try:
        crew.extend(_Worker(task) for _ in range(workers))
        _run(task, waiting, crew, take)
    except KeyboardInterrupt:
        for worker in crew:
            worker.hand_in(take)
        raise
    finally:
        for worker in crew:
            worker.stop()


def _run(task: Task, waiting: Iterator[list[Job]], crew: list[_Worker], take: Take) -> None:
    again: list[Job] = []  # out of bunches that a worker has died over
    while True:
        for worker in [one for one in crew if one.ready and not one.jobs]:
            jobs = [again.pop(0)] if again else next(waiting, None)
            if jobs is not None:
                worker.begin(jobs)
            elif not any(one.together and one.jobs for one in crew):  # else their games may have to be played again
                crew.remove(worker)
                worker.stop()
        if not crew:
            return
        handles = [handle for worker in crew for handle in (worker.pipe, worker.process.sentinel)]
        wait(handles, LOOK if task.move_limit else None)
        for index, worker in enumerate(crew):
            worker.hand_in(take)
            if worker.process.is_alive() and not worker.late():
                continue
            worker.hand_in(take)  # it may have answered between the two looks
            if worker.jobs and worker.together:
                again += worker.jobs
            elif worker.jobs:
                take(worker.give_up())
            elif not worker.ready:
                raise PoolError(
                    f"a worker process ended (exit code {worker.process.exitcode}) before its first game; "
                    "out of memory? Try fewer --workers"
                )
            worker.stop()
            crew[index] = _Worker(task)


class _Worker:
    """One process, and what it is doing."""

    def __init__(self, task: Task) -> None:
        context = get_context("spawn")
        self.limit = task.move_limit
        self.clock = context.Array("d", 2, lock=False)  # [seat, thinking since]
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(task, theirs, self.clock), daemon=False)
        with born_deaf():
            self.process.start()
        theirs.close()
        self.ready = False
        self.jobs: list[Job] = []  # that it has not handed in yet
        self.together = False  # whether they were given to it to be played side by side

    def begin(self, jobs: list[Job]) -> None:
        self.jobs, self.together = list(jobs), len(jobs) > 1
        try:
            self.pipe.send(jobs)
        except OSError:
            return  # it has died meanwhile, which `_run` sees next

    def hand_in(self, take: Take) -> None:
        """Take what the worker has sent."""
        while True:
            try:
                if not self.pipe.poll():
                    return
                what, value = self.pipe.recv()
            except (EOFError, OSError):
                return  # it has died; `_run` sees that by itself
            if what == "error":
                raise PoolError(value)
            if what == "ready":
                self.ready = True
            else:
                self.jobs = [job for job in self.jobs if (job.deal, job.slot) != (value.deal, value.slot)]
                take(value)

    def late(self) -> bool:
        since = self.clock[1]
        return bool(self.limit and since and time.monotonic() - since > self.limit + GRACE)

    def give_up(self) -> Outcome:
        """End the process and say what became of its game."""
        (job,), seat, thinking = self.jobs, int(self.clock[0]), self.clock[1] > 0
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
            return spoiled(job, seat, f"did not answer within {self.limit:g} s")
        self.process.join()
        why = f"the process it ran in died (exit code {self.process.exitcode})"
        return spoiled(job, seat if thinking else None, why)

    def stop(self) -> None:
        self.pipe.close()
        if (self.process.is_alive() and self.jobs) or not self.ready:
            self.process.kill()
        self.process.join()


def _work(task: Task, pipe: Connection, clock: Any) -> None:
    """What a worker does: make the game, say so, play what it is given until the pipe closes."""
    start_worker()
    try:
        game = task.make()
        compile_for(game, task.agents)
        pipe.send(("ready", None))
        while True:
            jobs = pipe.recv()
            check_networks(game, task.networks)
            played = [play_job(task, game, jobs[0], clock)] if len(jobs) == 1 else play_bunch(task, game, jobs)
            for outcome in played:
                pipe.send(("outcome", outcome))
    except (EOFError, BrokenPipeError, ConnectionError):
        return  # nobody wants more games
    except Exception as error:
        pipe.send(("error", f"{type(error).__name__}: {' '.join(str(error).split())}"))
