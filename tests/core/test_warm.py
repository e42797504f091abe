"""Compiling ahead of time: it covers everything, and nothing compiles after it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from numba.core import event

from gosu_rl.core import guided, jit, notice, playout, search, variants, warm

needs_jit = pytest.mark.skipif(not jit.JIT, reason="with NUMBA_DISABLE_JIT=1 nothing is compiled")

# Everything a user can do, with every type of number that may come along; prints specialisations before and after.
USE = """
import json, sys
import numpy as np
import gosu_rl
from gosu_rl.core import jit, warm
from gosu_rl.core.guided_tree import GuidedManner, GuidedTree
from gosu_rl.core.tree import Manner
from gosu_rl.core.replay import replay
from gosu_rl.core.tally import CardLog, tally_many
from gosu_rl.arena.solo import SoloEnv
from gosu_rl.envs import VectorEnv, decision_word, next_seed
from gosu_rl.envs.solo_vector import SoloVectorEnv
getattr(warm, sys.argv[1])()
before = jit.specialisations()
for variant, players in (("tactics", 2), ("tactics", 3), ("tactics", 4), ("epic_death", 2), ("epic_death", 5)):  # both kernels
    game = gosu_rl.game(variant, players=players)
    state = game.new(seed=np.int32(3), advantage=np.int8(1))
    for number in (int, np.int64, np.int32, np.int16, np.uint8, np.uint64):
        state.mask
        state.view(np.int32(1)).legal
        state.apply(number(min(state.legal)))
    replay(gosu_rl.play(game, ["random"] * players, seed=5))
    if sys.argv[1] == "compile_all":
        replay(gosu_rl.play(game, ["greedy"] * players, seed=5, advantage=0))
        game.parse(str(state)), game.parse(str(state.view(0)))
        world = state.view(1).determinize(seed=np.uint64(2**63))
        for spec in ("mcts:sims=20,rollout=greedy,depth=3,threads=2", "mcts:sims=20,method=pimc,worlds=2", "mcts:ms=5"):
            agent = gosu_rl.make_agent(spec)
            agent.reset(game, world.mover, 1)
            agent.act(world.view(world.mover))
        world.observation(np.uint8(0)), state.view(1).observation(1)
        tree = GuidedTree(game, 4000, np.int32(4))
        how = GuidedManner(Manner(rollout="greedy", depth=3), True, 0.5, 4)
        judge = lambda seen: (np.zeros((len(seen), game.num_actions), np.float32), np.zeros(len(seen), np.float32))
        tree.grow(world.view(world.mover), 30, 1, how, judge)
        log = game.log(world)
        log.note(world.apply(world.legal[0]))
        game.playouts(np.int32(600), seed=-1, workers=2)
        game.play_many(["greedy", "random"] * (players // 2) + ["greedy"] * (players % 2), range(600), workers=2)
        game.play_many(["random"] * players, np.arange(5, dtype=np.int8)[::2], advantage=np.zeros(3, np.int8))
        tally_many(game, ["random"] * players, np.arange(5, dtype=np.int8)[::2], np.zeros(3, np.int8), workers=2)
        state = game.new(seed=4)
        cards = CardLog(game, state)
        cards.before(state, state.legal[0])
        cards.after(state.apply(np.int8(state.legal[0])))
        for games, threads in ((3, 1), (80, 2)):
            env = VectorEnv(game, np.int32(games), relative=True, seed=-5, threads=threads)
            env.reset(), env.reset(seed=np.int8(3)), env.mask_bits(), env.restore(env.snapshot())
            env.step(env.policy_actions("random").astype(np.int16)), env.policy_actions("greedy", np.arange(games) > 1)
            next_seed(np.int8(-3)), decision_word(5, np.int32(2))
            learners = SoloVectorEnv(variant, games, players, seat="random", threads=threads)
            mask = learners.reset(seed=2)[1]["action_mask"]
            learners.step(mask.argmax(axis=1).astype(np.int32))
            SoloEnv(variant, players).reset(seed=3)
print(json.dumps([before, jit.specialisations()]))
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache root of its own with everything compiled."""
    warm.compile_all()
    root = tmp_path_factory.mktemp("cache")
    shutil.copytree(jit.cache_folder(), root / jit.cache_folder().name)
    return root


@needs_jit
def test_everything_is_covered(compiled: Path) -> None:
    kernels = {kernel.name: kernel for kernel in variants.KERNELS.values()}.values()
    count = jit.specialisations()
    for kernel in kernels:
        for function in (*kernel.functions.values(), *kernel.policies.values()):
            assert count[f"{function.py_func.__module__}.{function.py_func.__name__}"] == 1
    for module, least in ((playout.__name__, 12), (search.__name__, 2), (guided.__name__, 4)):
        loops = {name: number for name, number in count.items() if name.startswith(f"{module}.")}
        assert len(loops) >= least
    assert [name for name, number in count.items() if number == 0 and name.startswith("gosu_rl.")] == []


@needs_jit
@pytest.mark.parametrize("how", ["compile_all", "compile_game"])
def test_nothing_compiles_afterwards(compiled: Path, how: str) -> None:
    (folder,) = compiled.iterdir()
    before = names(folder)
    assert any(name.endswith(".nbc") for name in before)
    written = {name: (folder / name).stat().st_mtime_ns for name in before}
    out = subprocess.run(
        [sys.executable, "-c", USE, how],
        env={**os.environ, jit.CACHE_VARIABLE: str(compiled)},
        capture_output=True,
        text=True,
        check=True,
    )
    first, last = json.loads(out.stdout)
    assert first == last
    assert (0 in first.values()) == (how == "compile_game")
    assert names(folder) == before
    assert {name: (folder / name).stat().st_mtime_ns for name in before} == written


@pytest.mark.parametrize("compile_them", [warm.compile_game, warm.compile_all])
def test_progress_counts_every_step(compile_them: object) -> None:
    told: list[tuple[int, int, str]] = []
    count = compile_them(lambda *step: told.append(step))  # type: ignore[operator]
    steps = len(told) - 1
    assert [done for done, _, _ in told] == list(range(steps + 1))
    assert {total for _, total, _ in told} == {steps}
    assert told[-1] == (steps, steps, "")
    assert len({what for _, _, what in told}) == steps + 1
    assert (count >= steps // 2) == jit.JIT


class Terminal:
    """A stderr that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def compile_slowly(times: int) -> None:
    for _ in range(times):
        told = event.trigger_event("numba:compile")  # what numba says when it compiles, and not when it loads
        with notice.compiling(patience=0.01), notice.compiling(patience=0.01), told:
            time.sleep(0.3)


@needs_jit
def test_a_file_is_told_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(notice, "_notice_written", False)
    compile_slowly(3)
    told = capsys.readouterr().err
    assert told.startswith("gosu_rl: compiling a part of the game core")
    assert told.count("\n") == 1


@needs_jit
def test_a_terminal_is_told_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    compile_slowly(2)
    assert terminal.text.count(": done in 0 s\n") == 2
    assert terminal.text.count("\n") == 2


@needs_jit
def test_slow_loading_is_no_compiling(capsys: pytest.CaptureFixture[str]) -> None:
    with notice.compiling(patience=0.01):
        time.sleep(0.3)
    assert capsys.readouterr().err == ""


def test_what_is_quick_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with notice.compiling():
        pass
    assert capsys.readouterr().err == ""
