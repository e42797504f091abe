"""Speed of `VectorEnv`: decisions a second by the clock, because threads share the work; and pgx beside it where it is installed.

What counts is `step` alone: the mover's real view is made, observation and mask are written, games that end are dealt anew. Its
actions come from `policy_actions("random")` between the steps; "choices included" counts the time for those too, and that
is what the peer is compared with. The peer is the loop as pgx users write it: one jitted function that draws a random legal
action, steps, writes the observation and resets (`pgx.experimental.auto_reset`), vectorised over the games, on JAX's CPU
device with all its threads. pgx has no card game of this kind; Sparrow Mahjong and backgammon are its small games with chance.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from gosu_rl.arena.bench import Effort, Figure, tables

SIZES = (1, 16, 64, 1024, 4096)
THREADS = (1, 2)
TABLES = (2, 4)
PEERS = ("sparrow_mahjong", "backgammon")
PEER_GAMES = 1024
WITH_CHOICES = "choices included"
SPREAD = 60  # steps before the measuring, so that the games are no longer in step with one another


def measure(variant: str, effort: Effort, told: Callable[[Figure], None]) -> None:
    """Every number of players, games and threads that makes sense; `told(figure)` is called as each is done."""
    from gosu_rl.core.vector import PARALLEL_FROM

    for players in tables(variant, TABLES):
        for games in SIZES:
            for threads in THREADS:
                if threads == 1 or games >= PARALLEL_FROM:
                    alone, together = steps(variant, players, games, threads, effort)
                    told(alone)
                    if games == PEER_GAMES:
                        told(together)


def title(variant: str, players: int, games: int, threads: int) -> str:
    """The name of a figure."""
    return f"{variant} {players}p, VectorEnv, {games} games, {threads} thread{'s' if threads > 1 else ''}"


def steps(variant: str, players: int, games: int, threads: int, effort: Effort) -> tuple[Figure, Figure]:
    """Random games in a batch: steps alone, and choices included."""
    from gosu_rl.envs.vector import VectorEnv

    env = VectorEnv(variant, games, players=players, relative=True, threads=threads)
    env.reset(seed=1)
    for _ in range(SPREAD):
        env.step(env.policy_actions("random"))
    alone, together, busy = [], [], []
    for _ in range(effort.repeats):
        count, spent, used, begun = 0, 0.0, 0.0, time.perf_counter()
        while spent < effort.seconds:
            actions = env.policy_actions("random")
            before, start = time.process_time(), time.perf_counter()
            env.step(actions)
            spent += time.perf_counter() - start
            used += time.process_time() - before
            count += games
        alone.append(count / spent)
        together.append(count / (time.perf_counter() - begun))
        busy.append(count / used)
    name = title(variant, players, games, threads)
    return (
        Figure(name, "decisions / s", tuple(alone), f"{statistics.median(busy):,.0f} / CPU-s"),
        Figure(f"{name}, {WITH_CHOICES}", "decisions / s", tuple(together)),
    )


def peer_available() -> bool:
    """Whether pgx can be imported."""
    try:
        import pgx.experimental  # noqa: F401
    except ImportError:
        return False
    return True


def measure_peer(effort: Effort, told: Callable[[Figure], None]) -> None:
    """pgx's games; compiling them takes a minute."""
    for name in PEERS:
        told(_peer(name, effort))


def _peer(name: str, effort: Effort) -> Figure:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def one(state: Any, key: Any) -> Any:
        drawn, rest = jax.random.split(key)
        action = jax.random.categorical(drawn, jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf))
        return step(state, action, rest)

    cpu = jax.devices("cpu")[0]
    with jax.default_device(cpu):
        all_at_once = jax.jit(jax.vmap(one))
        split = jax.jit(lambda key: jax.random.split(key, PEER_GAMES))
        keys = split(jax.random.key(1))
        state = jax.block_until_ready(jax.jit(jax.vmap(env.init))(keys))
        for _ in range(SPREAD):
            keys = split(keys[0])
            state = all_at_once(state, keys)
        jax.block_until_ready(state)
        rates = []
        for _ in range(effort.repeats):
            count, begun = 0, time.perf_counter()
            while (spent := time.perf_counter() - begun) < effort.seconds:
                keys = split(keys[0])
                state = jax.block_until_ready(all_at_once(state, keys))
                count += PEER_GAMES
            rates.append(count / spent)
    return Figure(f"pgx {name}, {PEER_GAMES} games", "decisions / s", tuple(rates), f"{WITH_CHOICES}, all threads")
