"""Play the games of a plan that are not in the store yet, over all cores.

Agents that exist in compiled code play through `game.play_many`; any others play in worker processes, one deal a
task, or several where agents share a network and games are played side by side. Either way a finished chunk of deals
goes to the store at once, and stopping (Ctrl-C) loses only what is half played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gosu_rl.agents import make_agent
from gosu_rl.agents.protocol import FailedAgentError
from gosu_rl.arena.match import game_moves, seat_agents
from gosu_rl.arena.plan import Plan, check_networks, check_no_human, networks
from gosu_rl.arena.side_by_side import WIDTH, Moves, alone, can_share, pace, side_by_side
from gosu_rl.arena.store import Store
from gosu_rl.arena.workers import born_deaf, start_worker

CHUNK_SECONDS = 1.0  # how long a compiled chunk should last: as long as one waits after Ctrl-C


def is_compiled(game: Any, plan: Plan) -> bool:
    """Whether all agents of the plan exist in compiled code."""
    return all(name in game.policies for name in plan.names)


def check_agents(game: Any, plan: Plan) -> None:
    """ValueError where a spec names no agent, or one that cannot play this game."""
    for name in plan.names:
        check_no_human(name, "a measurement")
    if not is_compiled(game, plan):
        start_games(game, plan)


def start_games(game: Any, plan: Plan) -> None:
    """Let each agent make the first decision of a game: finds agents that cannot play, and compiles what workers need."""
    for name in plan.names:
        state = game.new(seed=0)
        log = game.log(state)
        while len(state.legal) == 1:  # a forced move asks nothing of a search
            state.apply(state.legal[0])
            log.note(state)
        agent = make_agent(name)
        try:
            agent.reset(game, state.mover, 0)
            state.apply(agent.act(state.view(state.mover)))
        except ValueError as error:
            raise ValueError(f"agent {name!r} cannot play {plan.spec.variant}: {error}") from None
        except (Exception, SystemExit) as error:
            raise FailedAgentError.told(name, f" cannot play {plan.spec.variant}", error) from error
        log.note(state)


def play(game: Any, plan: Plan, store: Store, deals: int, workers: int, progress: Callable[[int], object]) -> bool:
    """Play what is missing of deals 0…deals-1 into the store; `progress(n)` hears of every n deals done.

    Returns False if the user stopped it (Ctrl-C), else True. Deals are played in order, but may end out of it.
    """
    _, there = store.load(deals)
    progress(int(there.sum()))
    missing = np.flatnonzero(~there)
    if not len(missing):
        return True
    try:
        if is_compiled(game, plan):
            _play_compiled(game, plan, store, missing, workers, progress)
        elif workers == 1:
            _play_here(game, plan, store, missing, progress)
        else:
            _play_in_workers(game, plan, store, missing, workers, progress)
    except KeyboardInterrupt:
        return False
    return True


def play_block(game: Any, plan: Plan, start: int, stop: int, workers: int = 1) -> NDArray[Any]:
    """Rows [deal, seating, holder] of deals start…stop-1, played by compiled policies."""
    players, seeds = plan.players, plan.deal_seeds(start, stop)
    rows = np.zeros((stop - start, len(plan.seatings), players), game.result_dtype)
    holders = np.tile(np.arange(players), len(seeds))
    for index, seating in enumerate(plan.seatings):
        games = game.play_many(list(seating), np.repeat(seeds, players), advantage=holders, workers=workers)
        rows[:, index] = games.reshape(len(seeds), players)
    return rows


def play_deals(
    game: Any, plan: Plan, start: int, end: int, stop: Callable[[], bool] | None = None, together: bool = False
) -> NDArray[Any]:
    """Rows [deal, seating, holder] of deals start…end-1, played by agents written in Python, `together` side by side."""
    seeds = plan.deal_seeds(start, end)
    rows = np.zeros((end - start, len(plan.seatings), plan.players), game.result_dtype)
    games = (
        (place, _moves(game, plan, int(seeds[place[0]]), place[1], place[2], stop)) for place in np.ndindex(rows.shape)
    )
    played = side_by_side(games) if together else ((place, alone(moves)) for place, moves in games)
    for place, row in played:
        rows[place] = row
    return rows


def _moves(
    game: Any, plan: Plan, seed: int, seating: int, holder: int, stop: Callable[[], bool] | None
) -> Moves[np.void]:
    """One game, its agents made when it begins."""
    agents = seat_agents(game, plan.seatings[seating], seed, seating)
    return (yield from game_moves(game, agents, seed, holder, stop=stop))


def _play_compiled(
    game: Any, plan: Plan, store: Store, missing: NDArray[np.int64], workers: int, progress: Callable[[int], object]
) -> None:
    size = max(1, 256 // plan.games_per_deal)
    for first, last in _runs(missing):
        start = first
        while start <= last:
            stop = min(start + size, last + 1)
            began = perf_counter()
            store.add(start, play_block(game, plan, start, stop, workers))
            progress(stop - start)
            took = perf_counter() - began
            size = max(1, min(size * 4, int((stop - start) * CHUNK_SECONDS / max(took, 1e-6))))
            start = stop


def _play_here(
    game: Any, plan: Plan, store: Store, missing: NDArray[np.int64], progress: Callable[[int], object]
) -> None:
    together, known = can_share(pace(game, name) for name in plan.names), networks(game, plan.names)
    for start, end in _tasks(missing, _size(plan, together, len(missing), 1)):
        check_networks(game, known)
        store.add(start, play_deals(game, plan, start, end, together=together))
        progress(end - start)


def _play_in_workers(
    game: Any, plan: Plan, store: Store, missing: NDArray[np.int64], workers: int, progress: Callable[[int], object]
) -> None:
    context = get_context("spawn")
    halt = context.Event()
    together, known = can_share(pace(game, name) for name in plan.names), networks(game, plan.names)
    tasks = list(_tasks(missing, _size(plan, together, len(missing), workers)))
    workers = min(workers, len(tasks))
    pool = ProcessPoolExecutor(workers, context, _start_worker, (plan, game.card_set.hash, known, together, halt))
    running: dict[Future, int] = {}
    try:
        for task in tasks:
            with born_deaf():
                running[pool.submit(_worker_deals, *task)] = task[0]
            if len(running) < 2 * workers:
                continue
            _take(wait(running, return_when=FIRST_COMPLETED).done, running, store, progress)
        while running:
            _take(wait(running, return_when=FIRST_COMPLETED).done, running, store, progress)
    except BrokenProcessPool:
        raise ValueError(
            "a worker process died (out of memory, or the agent crashed the interpreter); "
            "games played so far are kept: run the same command again, perhaps with fewer --workers"
        ) from None
    finally:
        halt.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for future in running:  # ended while we were on the way out: keep them too
            if future.done() and not future.cancelled() and future.exception() is None:
                store.add(running[future], future.result())


def _size(plan: Plan, together: bool, deals: int, workers: int) -> int:
    """Deals a task: one, or as many as make a few rounds of games side by side, and some tasks a worker."""
    return max(1, min(2 * WIDTH // plan.games_per_deal, deals // (4 * workers))) if together else 1


def _take(done: set[Future], running: dict[Future, int], store: Store, progress: Callable[[int], object]) -> None:
    for future in done:
        rows = future.result()
        store.add(running.pop(future), rows)
        progress(len(rows))


_worker: dict[str, Any] = {}


def _start_worker(plan: Plan, card_hash: str, known: dict[str, str], together: bool, halt: Any) -> None:
    start_worker()
    game = plan.spec.make()
    _worker.update(plan=plan, game=game, card_hash=card_hash, networks=known, together=together, halt=halt)


def _worker_deals(start: int, end: int) -> NDArray[Any]:
    game, plan = _worker["game"], _worker["plan"]
    if game.card_set.hash != _worker["card_hash"]:
        raise ValueError(f"{plan.spec.cards} was changed while it was being measured; run again")
    check_networks(game, _worker["networks"])
    return play_deals(game, plan, start, end, _worker["halt"].is_set, _worker["together"])


def _tasks(missing: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """(first, end) of runs of at most `size` consecutive deals."""
    for first, last in _runs(missing):
        for start in range(first, last + 1, size):
            yield start, min(start + size, last + 1)


def _runs(missing: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of consecutive numbers."""
    for part in np.split(missing, np.flatnonzero(np.diff(missing) != 1) + 1):
        yield int(part[0]), int(part[-1])
