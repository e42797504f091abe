"""The games of a tournament on a Ray cluster (extra `ray`): the same job function, one task a game.

Every node needs gosu_rl, the agents and the card file. The store stays on the machine that asked.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterable
from typing import Any

from gosu_rl.arena.job import Job, Outcome, Task, compile_for, play_job, spoiled
from gosu_rl.arena.plan import check_networks
from gosu_rl.arena.pool import GRACE, LOOK, PoolError, Take

AHEAD = 2  # tasks a core that are handed in before an answer must come


def play_jobs_on_ray(address: str, task: Task, jobs: Iterable[Job], take: Take) -> None:
    """Play `jobs` on the cluster at `address` (`auto`: the one this machine belongs to).

    Raises PoolError without ray, without a cluster, or when the workers cannot play; KeyboardInterrupt as
    `pool.play_jobs` does. The cluster itself is left running.
    """
    try:
        import ray
    except ModuleNotFoundError:
        raise PoolError("--ray wants the package ray: pip install 'gosu_rl[ray]'") from None
    _knock(address)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False, ignore_reinit_error=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise _nobody(address, error) from None
    running: dict[Any, Job] = {}
    try:
        remote = ray.remote(num_cpus=1, max_retries=0)(_play)
        shared = ray.put(task)
        room = max(1, int(ray.cluster_resources().get("CPU", 1))) * AHEAD
        waiting = iter(jobs)
        while True:
            while len(running) < room and (job := next(waiting, None)) is not None:
                running[remote.remote(shared, job)] = job
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            for reference in done:
                take(_outcome(ray, reference, running.pop(reference)))
    except KeyboardInterrupt:
        done, _ = ray.wait(list(running), num_returns=len(running), timeout=0) if running else ([], [])
        for reference in done:
            take(_outcome(ray, reference, running.pop(reference)))
        raise
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        ray.shutdown()


def _knock(address: str) -> None:
    """PoolError where nobody listens at host:port; Ray itself would go on asking for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return  # `auto` and the like: Ray finds out by itself, and at once
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except (OSError, OverflowError) as error:
        raise _nobody(address, error) from None


def _nobody(address: str, error: Exception) -> PoolError:
    why = " ".join(str(error).split())[:200]
    return PoolError(f"no Ray cluster at {address!r} ({why}); start one with `ray start --head`, or name its address")


def _outcome(ray: Any, reference: Any, job: Job) -> Outcome:
    try:
        outcome: Outcome = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        raise PoolError(
            f"a worker on Ray cannot play: {type(cause).__name__}: {' '.join(str(cause).split())}"
        ) from None
    except ray.exceptions.WorkerCrashedError:
        return spoiled(job, None, "the Ray worker it ran in died (a crash, or a move far beyond the limit)")
    return outcome


_made: dict[Any, Any] = {}


def _play(task: Task, job: Job) -> Outcome:
    """One game in a Ray worker, which keeps the game it has made for the next one."""
    key = task.card_hash, task.spec.variant, task.spec.players, tuple(sorted(task.spec.rules.items())), task.agents
    game = _made.get(key)
    if game is None:
        game = _made[key] = task.make()
        compile_for(game, task.agents)
    check_networks(game, task.networks)
    clock = [0.0, 0.0]
    if task.move_limit:
        threading.Thread(
            target=_watch, args=[clock, task.move_limit, job_done := threading.Event()], daemon=True
        ).start()
        try:
            return play_job(task, game, job, clock)
        finally:
            job_done.set()
    return play_job(task, game, job, clock)


def _watch(clock: list[float], limit: float, done: threading.Event) -> None:
    """End the process when an agent thinks for much longer than the limit: nobody outside can see its clock."""
    while not done.wait(LOOK):
        if clock[1] and time.monotonic() - clock[1] > limit + GRACE:
            os._exit(1)
