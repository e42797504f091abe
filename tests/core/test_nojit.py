"""The same sources, compiled and as plain Python, in any process: the same games, position by position."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from law_cases import PLAYERS, game, walk

from gosu_rl.core import jit
from gosu_rl.core.game import GameState

GAMES = [("small", 0, "eager"), ("small", 1, "brisk"), ("bare", 2, "hoarder"), ("tactics", 3, "brisk")]
MOST = 60  # decisions of each game; plain Python takes some milliseconds for one


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(state: GameState) -> str:
    """Everything that the record holds, whatever the widths of its fields: numbers as text, field by field."""
    record = state.record[0]
    return json.dumps([[name, record[name].tolist()] for name in state.game.state_dtype.names])


def trace(players: int) -> list[str]:
    """A line for every position of some games: what is asked, and digests of the record, the views and what is drawn from them."""
    lines = []
    for cards, seed, style in GAMES:
        one = game(cards, players)
        for state in walk(one.new(seed), style, Random(seed), most=MOST):
            view = state.view(state.mover if not state.over else 0)
            line = [state.kind, state.mover, state.legal, digest(plain(state)), digest(str(state)), digest(plain(view))]
            if state.decisions % 7 == 0:
                line += [digest(plain(view.determinize(seed))), digest(state.observation(0).tobytes().hex())]
                line += [one.choose(view, policy, 9) for policy in one.policies if not state.over]
            lines.append(json.dumps(line))
    return lines


def traced_elsewhere(**settings: str) -> list[str]:
    """The same of games of two, three and four players, from a process of its own."""
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), *sys.path]), **settings}
    code = "import test_nojit; print(*(line for n in test_nojit.PLAYERS for line in test_nojit.trace(n)), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled here")
@pytest.mark.parametrize("settings", [{"NUMBA_DISABLE_JIT": "1"}, {}], ids=["plain Python", "compiled"])
def test_games_are_the_same_in_another_process_compiled_and_not(settings: dict[str, str]) -> None:
    here = [line for players in PLAYERS for line in trace(players)]
    assert len(here) > 450
    for mine, other in zip(here, traced_elsewhere(**settings), strict=True):
        assert mine == other


@pytest.mark.nojit
@pytest.mark.parametrize("players", PLAYERS)
def test_playouts_and_games_between_policies_run_either_way(players: int) -> None:
    one = game("bare", players)
    rows = one.playouts(2, seed=1)
    assert rows.shares.sum(axis=1) == pytest.approx([1, 1])
    results = one.play_many(["greedy"] + ["random"] * (players - 1), [5, 6])
    assert results["share"].sum(axis=1) == pytest.approx([1, 1])
    assert results["decisions"].min() > 5
