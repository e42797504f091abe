"""Games between agents written in Python: alone, in worker processes, stopped, crashed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fake_game import FakeGame, FakeSpec

from gosu_rl.arena import runner
from gosu_rl.arena.match import Stopped, play_game, seat_agents
from gosu_rl.arena.plan import Plan, agent_seed
from gosu_rl.arena.store import Store

CHOOSER, CHEAT, CRASH = "fake_game:Chooser", "fake_game:Cheat", "fake_game:Crash"


def open_store(folder, plan):
    return Store(folder, {"seed": plan.seed}, FakeGame().result_dtype, (len(plan.seatings), plan.players))


def test_agents_see_views_only_and_are_seeded_by_deal_seat_and_seating():
    game = FakeGame(players=3)
    agents = seat_agents(game, [CHOOSER] * 3, 5, seating=2)  # each asserts in act() that it got its own view
    row = play_game(game, agents, 5, advantage=1)
    assert row["first_holder"] == 1
    expected = np.random.default_rng(agent_seed(5, 1, 2)).integers(3, size=2)[1]
    assert agents[1].random.integers(3) == expected


def test_watch_sees_every_action_and_the_end():
    game, seen = FakeGame(players=3), []
    play_game(
        game, seat_agents(game, [CHOOSER] * 3, 5), 5, 0, watch=lambda s, seat, a: seen.append((s.decisions, seat, a))
    )
    assert [one[:2] for one in seen] == [(0, 0), (1, 1), (2, 2), (3, -1)]
    assert all(one[2] in (0, 1, 2) for one in seen[:3])


def test_an_illegal_action_names_agent_seat_and_deal():
    game = FakeGame()
    with pytest.raises(ValueError, match="agent Cheat in seat 1, deal seed 12, decision 1: 7 is not legal") as caught:
        play_game(game, seat_agents(game, [CHOOSER, CHEAT], 12), 12, 0)
    assert "\n" not in str(caught.value)


def test_agents_are_closed_however_a_game_ends():
    game, closed = FakeGame(), []
    for specs in ([CHOOSER, CHOOSER], [CHOOSER, CHEAT]):
        agents = seat_agents(game, specs, 12)
        agents[0].close = lambda: closed.append(1)
        try:
            play_game(game, agents, 12, 0)
        except ValueError:
            closed.append(2)
    assert closed == [1, 1, 2]


def test_a_game_can_be_stopped():
    game = FakeGame()
    with pytest.raises(Stopped):
        play_game(game, seat_agents(game, [CHOOSER] * 2, 1), 1, 0, stop=lambda: True)


@pytest.mark.slow
def test_workers_change_nothing(tmp_path):
    game, plan = FakeGame(), Plan(FakeSpec("tactics", 2), (CHOOSER, CHOOSER + ":"), 3)
    alone, together = open_store(tmp_path / "1", plan), open_store(tmp_path / "2", plan)
    done = []
    assert runner.play(game, plan, alone, 12, 1, done.append)
    assert runner.play(game, plan, together, 12, 2, done.append)
    assert sum(done) == 24
    rows, there = together.load(12)
    assert there.all()
    assert (rows == alone.load(12)[0]).all()
    assert len(plan.seatings) == 2
    assert (rows[:, 0]["share"] != rows[:, 1]["share"]).any()


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "words"), [(CHEAT, "agent Cheat in seat 0"), (CRASH, "a worker process died")])
def test_what_goes_wrong_in_a_worker_is_one_clear_line(tmp_path, agent, words):
    game, plan = FakeGame(), Plan(FakeSpec("tactics", 2), (agent,), 3)
    with pytest.raises(ValueError, match=words) as caught:
        runner.play(game, plan, open_store(tmp_path, plan), 4, 2, lambda _: None)
    assert "\n" not in str(caught.value)


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import time
import fake_game
from fake_game import FakeGame, FakeSpec
from gosu_rl.arena import runner
from gosu_rl.arena.plan import Plan
from gosu_rl.arena.store import Store
from pathlib import Path

if __name__ == "__main__":
    plan = Plan(FakeSpec("tactics", 2), ("slow_agent:Slow",), 3)
    store = Store(Path({folder!r}), {{"seed": 3}}, FakeGame().result_dtype, (1, 2))
    finished = runner.play(FakeGame(), plan, store, 1000, 2, lambda n: print("deals", n, flush=True))
    print("finished" if finished else "stopped", int(store.load(1000)[1].sum()), flush=True)
"""
SLOW = """
import time
from fake_game import Chooser

class Slow(Chooser):
    def act(self, view):
        time.sleep(0.02)
        return super().act(view)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to a process group")
def test_ctrl_c_stops_workers_and_keeps_what_was_played(tmp_path):
    (tmp_path / "slow_agent.py").write_text(SLOW)
    (tmp_path / "main.py").write_text(SCRIPT.format(tests=str(Path(__file__).parent), folder=str(tmp_path / "run")))
    process = subprocess.Popen(
        [sys.executable, "main.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        lines = [process.stdout.readline() for _ in range(4)]
        assert lines == ["deals 0\n"] + ["deals 1\n"] * 3, process.stderr.read()
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does: parent and workers all get it
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    word, kept = out.splitlines()[-1].split()
    assert word == "stopped"
    assert 3 <= int(kept) < 1000
    assert "Traceback" not in err
