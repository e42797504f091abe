"""How fast this machine plays: measured rates of the compiled core, the Python loop, the AEC environment and start-up.

Every rate is measured several times and reported with all its values, because a shared machine wavers by a quarter.
"Per CPU-second" counts the processor time of the process, so that waiting for a neighbour does not count.
The peers to compare with are in bench_peers.py.
"""

from __future__ import annotations

import importlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Figure:
    """One measured thing: `values` holds one number a repeat, in `unit`."""

    name: str
    unit: str
    values: tuple[float, ...]
    note: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.values)


@dataclass(frozen=True)
class Effort:
    """How long to measure: repeats of each figure, and CPU-seconds that one repeat should take at least."""

    repeats: int = 5
    seconds: float = 1.0


QUICK = Effort(repeats=3, seconds=0.25)


def rate(name: str, unit: str, once: Callable[[int], float], effort: Effort, note: str = "") -> Figure:
    """Measure how many things a CPU-second `once` does; `once(repeat)` does some and returns how many it did.

    One call that is not counted comes first: it compiles what has to be compiled.
    """
    once(0)
    values = []
    for repeat in range(1, effort.repeats + 1):
        done, begun = 0.0, time.process_time()
        while (spent := time.process_time() - begun) < effort.seconds:
            done += once(repeat)
        values.append(done / spent)
    return Figure(name, unit, tuple(values), note)


# ---------------------------------------------------------------------------------------------- our games


def compiled_playouts(variant: str, players: int, effort: Effort) -> Figure:
    """Random games wholly in compiled code, dealing included."""
    game = _game(variant, players)
    seeds = iter(range(1, 1_000_000_000, 2000))

    def once(_: int) -> float:
        return float(game.playouts(2000, seed=next(seeds), workers=1).decisions.sum())

    return rate(f"{variant} {players}p, compiled random games", "decisions / CPU-s", once, effort)


def state_loop(variant: str, players: int, effort: Effort) -> Figure:
    """Random games by a Python loop over GameState: `legal` as a list, `apply` by id."""
    game = _game(variant, players)
    rng = random.Random(1)

    def once(repeat: int) -> float:
        state = game.new(seed=rng.getrandbits(60))
        decisions = 0
        while not state.over:
            legal = state.legal
            state.apply(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return rate(f"{variant} {players}p, Python loop over GameState", "decisions / CPU-s", once, effort)


def aec_loop(variant: str, players: int, effort: Effort) -> Figure:
    """Random games through the raw AEC environment: observe (vector and mask), choose from the mask, step."""
    # Here, because everything above needs neither gymnasium nor pettingzoo.
    env = importlib.import_module(f"gosu_rl.envs.{variant}_v0").raw_env(num_players=players)
    rng = random.Random(1)

    def once(repeat: int) -> float:
        env.reset(seed=rng.getrandbits(30))
        steps = 0
        while env.agents:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
        return steps

    return rate(
        f"{variant} {players}p, raw AEC environment", "steps / CPU-s", once, effort, "closing steps not counted"
    )


def policy_games(variant: str, players: int, policy: str, effort: Effort) -> Figure:
    """Whole games between copies of one compiled policy."""
    game = _game(variant, players)
    seeds = iter(range(1, 1_000_000_000, 200))

    def once(_: int) -> float:
        first = next(seeds)
        return len(game.play_many([policy] * players, np.arange(first, first + 200, dtype=np.uint64), workers=1))

    return rate(f"{variant} {players}p, {policy} in every seat", "games / CPU-s", once, effort)


SIMULATIONS = 200  # a search, here and with the peers
OPENING, WHOLE = "first decisions", "whole games"


def searches(variant: str, players: int, where: str, effort: Effort) -> Figure:
    """Information-set tree search with one random playout to the end an iteration, all counted that a move costs.

    `where` says which positions are searched: OPENING the first choice of 20 deals; WHOLE 40 decisions spread evenly
    over eight games between greedy players.
    """
    from gosu_rl.agents.mcts import MCTS

    game = _game(variant, players)
    agent = MCTS(sims=SIMULATIONS, rollout="random", depth=-1)
    agent.reset(game, 0, 1)
    views = []
    for seed in range(20 if where == OPENING else 8):
        found: list[Any] = []
        state = game.new(seed)
        while not state.over and not (found and where == OPENING):
            view = state.view(state.mover)
            if len(view.legal) > 1:
                found.append(view)
            state.apply(game.choose(view, "greedy", seed + state.decisions))
        views += [found[k * len(found) // 5] for k in range(5)] if where == WHOLE else found
    played = [agent.analyse(view, 0).decisions for view in views]

    def once(repeat: int) -> float:
        for k, view in enumerate(views):
            agent.analyse(view, 1000 * repeat + k)
        return SIMULATIONS * len(views)

    mean = sum(played) / (SIMULATIONS * len(views))
    note = f"full random playouts, {mean:.1f} decisions each with those in the tree"
    return rate(f"{variant} {players}p, ISMCTS, {where}", "simulations / CPU-s", once, effort, note)


def sizes(variant: str, players: int) -> list[Figure]:
    """Bytes of the state record, and how many machine-code versions the busiest compiled entry has (1 is right)."""
    from gosu_rl.core import jit

    game = _game(variant, players)
    counts = [count for count in jit.specialisations().values() if count]
    return [
        Figure(f"{variant} {players}p, state record", "bytes", (float(game.state_dtype.itemsize),)),
        Figure("compiled entries in this process", "functions", (float(len(counts)),)),
        Figure("specialisations of the busiest entry", "versions", (float(max(counts, default=0)),)),
    ]


def tables(variant: str, wanted: Sequence[int]) -> tuple[int, ...]:
    """Those of the numbers of players that a variant can be played with."""
    from gosu_rl.core.variants import KERNELS

    low, high = KERNELS[variant].players
    return tuple(players for players in wanted if low <= players <= high)


def _game(variant: str, players: int) -> Any:
    import gosu_rl

    return gosu_rl.game(variant, players=players)


# ---------------------------------------------------------------------------------------------- start-up

_START = """
import time
import gosu_rl
game = gosu_rl.game({variant!r}, players={players})
state = game.new(seed=1)
state.apply(state.legal[0])
print(time.process_time(), flush=True)
from gosu_rl.core.warm import compile_all
compile_all()
print(time.process_time(), flush=True)
"""


def starts(variant: str, players: int, effort: Effort) -> list[Figure]:
    """From starting Python to the first decision, and until everything is compiled: cold, then warm.

    Seconds by the clock are what a user waits for; on a shared machine they count the neighbours too, so the processor time of
    the process stands beside them. Cold is measured once, with an empty cache folder of its own; warm as often as the effort
    says, with that folder. Raises OSError if a process fails.
    """
    program = _START.format(variant=variant, players=players)
    with tempfile.TemporaryDirectory(prefix="gosu_rl_bench_") as folder:
        cold = [_start_once(program, folder)]
        warm = [_start_once(program, folder) for _ in range(effort.repeats)]
    return [
        Figure(f"{start} start {goal}", unit, tuple(once[k] for once in runs), note)
        for start, runs, goals, note in (
            ("cold", cold, ("to the first decision", "until all is compiled"), "empty cache folder"),
            ("warm", warm, ("to the first decision", "until all is loaded"), ""),
        )
        for k, goal, unit in (
            (0, goals[0], "s"),
            (1, f"{goals[0]}, processor", "CPU-s"),
            (2, goals[1], "s"),
            (3, f"{goals[1]}, processor", "CPU-s"),
        )
    ]


def _start_once(program: str, cache_folder: str) -> list[float]:
    """Clock and processor seconds at each line that the program prints; it prints its processor time, twice."""
    environment = {**os.environ, "GOSU_RL_CACHE_DIR": cache_folder}
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        moments = [(time.perf_counter() - begun, float(line)) for line in process.stdout]
        trouble = process.stderr.read()
    if process.returncode or len(moments) != 2:
        last = trouble.strip().splitlines()[-1:] or ["nothing on stderr"]
        raise OSError(f"the process that measures start-up failed (exit code {process.returncode}): {last[0]}")
    return [*moments[0], *moments[1]]
