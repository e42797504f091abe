"""Worker processes: Ctrl-C is not for them, not even while they still start."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from gosu_rl.arena.workers import born_deaf

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of a process group")

# The main module is imported by each worker, too, and then takes its time. Which of the pools starts the workers stands in {way}.
SCRIPT = """
import sys, time
if __name__ == "__mp_main__":
    print("importing\\n", end="", flush=True)  # in one piece: the other worker says it too
    time.sleep(1.5)

def deals(part):
    raise AssertionError("no deal is to be played")

if __name__ == "__main__":
    from pathlib import Path
    from gosu_rl.arena import impact, pool, runner
    from gosu_rl.arena.job import Task
    from gosu_rl.arena.plan import GameSpec, Plan
    import numpy as np
    plan = Plan(GameSpec("tactics", 2), ("random", "greedy"), 3)
    game = plan.spec.make()
    nobody = lambda outcome: None
    class Nowhere:
        def add(self, *rows): pass
    try:
        {way}
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""
WAYS = {
    "tournament": "pool.play_jobs(Task(plan.spec, plan.names, game.card_set.hash), [], 2, nobody)",
    "impact": "impact._in_workers(deals, [range(1)] * 4, 2, nobody)",
    "winrates": "runner._play_in_workers(game, plan, Nowhere(), np.arange(4), 2, nobody)",
}


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_while_workers_start_is_heard_by_the_parent_alone(tmp_path, way):
    (tmp_path / "main.py").write_text(SCRIPT.format(way=WAYS[way]))
    process = subprocess.Popen(
        [sys.executable, "main.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout.readline() == "importing\n", process.stderr.read()
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does: parent and workers all get it
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert [line for line in err.splitlines() if not line.startswith("gosu_rl: compiling")] == []
    assert process.returncode == 0
    assert out.split()[-1] == "stopped"


def test_ctrl_c_meanwhile_is_raised_at_the_end_and_the_mask_is_as_before():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    blocked = []

    def press():
        with born_deaf():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            blocked.extend(signal.pthread_sigmask(signal.SIG_BLOCK, set()))

    with pytest.raises(KeyboardInterrupt):
        press()
    assert signal.SIGINT in blocked
    assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == before
