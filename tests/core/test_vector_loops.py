"""The loops over N games on games of a napkin's size, and the threads that share them."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from tiny_game import ASK, EAST, GUESS, SAFE, SHARE, TAKE, WEST, WESTWARD, tiny

from gosu_rl.core import jit, solo, vector
from gosu_rl.core.bits import U
from gosu_rl.core.many import game_seeds
from gosu_rl.core.team import Team
from gosu_rl.core.vector import PARALLEL_FROM, Batch


def dealt(batch: Batch, seed: int = 1) -> Batch:
    batch.seeds[:] = game_seeds(seed, len(batch.seeds))
    batch.deal()
    return batch


def acted(batch: Batch, *actions: int) -> int:
    return batch.step(np.array(actions, np.int64))


def test_shared_victories_pay_what_the_formula_says() -> None:
    batch = dealt(Batch(tiny(3), 4))
    assert acted(batch, EAST, EAST, WEST, WEST) == -1
    assert batch.mover.tolist() == [1] * 4
    assert not batch.rewards.any()
    assert acted(batch, TAKE, SHARE, TAKE, SHARE) == -1
    assert batch.rewards.tolist() == [[-0.5, 1, -0.5], [1, -0.5, -0.5], [-0.5, -0.5, 1], [0.25, 0.25, -0.5]]
    assert batch.terminated.tolist() == [True] * 4
    assert not batch.truncated.any()
    assert batch.length.tolist() == [2] * 4
    assert batch.mover.tolist() == [0] * 4  # of the next games
    assert acted(batch, EAST, EAST, EAST, EAST) == -1
    assert not batch.rewards.any()
    assert not batch.terminated.any()
    assert not batch.length.any()


def test_seeds_follow_one_another_and_bring_other_deals() -> None:
    batch = dealt(Batch(tiny(2, ask=1), 64))
    seeds = batch.seeds.copy()
    coins = batch.S["coin"].copy()
    acted(batch, *[ASK] * 64)
    acted(batch, *batch.mask.argmax(axis=1))
    assert batch.length.tolist() == [2] * 64
    assert batch.seeds.tolist() == [vector.next_seed(U(seed)) for seed in seeds.tolist()]
    assert len(set(batch.seeds.tolist()) | set(seeds.tolist())) == 128
    assert 0 < (batch.S["coin"] != coins).sum() < 64


def test_what_a_mover_is_shown_leaves_out_the_coin() -> None:
    batch = dealt(Batch(tiny(2, ask=1), 64))
    assert batch.observation[:, 1].tolist() == [-1] * 64
    acted(batch, *[ASK] * 64)
    assert batch.mover.tolist() == [1] * 64
    assert batch.observation[:, 1].tolist() == batch.S["coin"].tolist()


def test_an_illegal_action_stops_all_games() -> None:
    for threads in (1, 2):
        batch = dealt(Batch(tiny(2), 64, threads=threads))
        before = batch.S.tobytes()
        for wrong in (TAKE, -1, 9, 64, 10**6, -(2**63)):
            actions = [SAFE] * 60 + [wrong, GUESS, wrong, SAFE]
            assert acted(batch, *actions) == 60
            assert batch.S.tobytes() == before


def test_a_learner_meets_the_policies_in_their_order() -> None:
    """In Bargain seat 0 goes first; its left neighbour answers."""
    highest = solo.SoloBatch(tiny(3), 1, ["highest", "lowest"], seat=0)
    highest.deal()
    highest.step(np.array([EAST]))
    assert highest.rewards.tolist() == [1.0]  # shared
    lowest = solo.SoloBatch(tiny(3), 1, ["lowest", "highest"], seat=0)
    lowest.deal()
    lowest.step(np.array([EAST]))
    assert lowest.rewards.tolist() == [-0.5]  # taken
    second = solo.SoloBatch(tiny(3), 1, ["lowest", "highest"], seat=1)  # seat 0 plays highest: west
    second.deal()
    assert second.S["kind"].tolist() == [WESTWARD]
    second.step(np.array([SHARE]))
    assert second.rewards.tolist() == [0.25]
    with pytest.raises(ValueError, match="always ends before the learner's first decision"):
        solo.SoloBatch(tiny(3), 1, ["lowest", "lowest"], seat=2).deal()


def test_drawn_seats_are_even_and_the_batch_uses_them() -> None:
    seeds = game_seeds(3, 6000)
    seats = [solo.drawn_seat(seed, 3) for seed in seeds]
    assert np.bincount(seats).tolist() == pytest.approx([2000] * 3, abs=150)
    batch = solo.SoloBatch(tiny(2, ask=1), 6000, ["highest"])  # "ask" is the highest action: seat 1 gets its turn
    batch.seeds[:] = seeds
    batch.deal()
    assert batch.seats.tolist() == [solo.drawn_seat(seed, 2) for seed in seeds]


# ------------------------------------------------------------------------------------------------ threads


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled here")
def test_the_loops_let_go_of_the_lock() -> None:
    for one in (vector.step_part, vector.deal_games, vector.choose_games, solo.step_solos, solo.deal_solos):
        assert one.targetoptions["nogil"] is True


def test_a_team_works_side_by_side() -> None:
    """Three jobs that wait for one another: done one after another they would wait for ever."""
    meeting, team = threading.Barrier(3, timeout=60), Team(3)
    seen: list[int] = []

    def job(number: int) -> None:
        meeting.wait()
        seen.append(threading.get_ident())

    for _ in range(3):
        team.run([(job, (number,)) for number in range(3)])
    assert len(seen) == 9
    assert len(set(seen)) == 3  # the same threads every time
    assert threading.get_ident() in seen


def test_games_are_really_shared_out() -> None:
    batch = Batch(tiny(2), 4 * PARALLEL_FROM, threads=4)
    parts: list[tuple[int, int, int]] = []
    meeting = threading.Barrier(4, timeout=60)

    def part(first: int, end: int, t: int) -> None:
        meeting.wait()
        parts.append((first, end, t))

    batch.share(None, part)
    assert sorted(parts) == [(t * PARALLEL_FROM, (t + 1) * PARALLEL_FROM, 2 * t) for t in range(4)]


def test_few_games_are_not_worth_a_thread() -> None:
    batch = Batch(tiny(2), PARALLEL_FROM - 1, threads=4)
    parts: list[tuple[int, int, int]] = []
    batch.share(None, lambda first, end, t: parts.append((first, end, t)))
    assert parts == [(0, PARALLEL_FROM - 1, 0)]
    assert batch.team is None


@pytest.mark.parametrize("where", [0, 1])
def test_an_error_in_any_thread_comes_out_when_all_are_done(where: int) -> None:
    team, done = Team(2), []

    def job(number: int) -> None:
        if number == where:
            raise KeyError("lost")
        time.sleep(0.05)
        done.append(number)

    with pytest.raises(KeyError, match="lost"):
        team.run([(job, (0,)), (job, (1,))])
    assert done == [1 - where]
    team.run([(done.append, (7,)), (done.append, (8,))])
    assert sorted(done[1:]) == [7, 8]


def test_threads_end_with_their_team() -> None:
    team = Team(2)
    team.run([(int, ()), (int, ())])
    mine = [thread for thread in threading.enumerate() if thread.name == "gosu_rl team"]
    assert mine
    before = set(mine)
    other = Team(3)
    other.run([(int, ())] * 3)
    new = [t for t in threading.enumerate() if t.name == "gosu_rl team" and t not in before]
    assert len(new) == 2
    del other
    gc.collect()
    for thread in new:
        thread.join(timeout=60)
        assert not thread.is_alive()


FORK = """
import os, warnings
import numpy as np
warnings.simplefilter("ignore")  # newer Pythons warn of forks beside threads
from gosu_rl.core.vector import PARALLEL_FROM
from gosu_rl.envs import VectorEnv
env = VectorEnv("tactics", PARALLEL_FROM, threads=2)
env.reset(seed=1)
pid = os.fork()
answer = env.step(env.policy_actions("random")).observation.sum()
if pid == 0:
    os._exit(0 if answer > 0 else 1)
print(os.waitpid(pid, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_gets_threads_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0"]
