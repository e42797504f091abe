"""Whatever goes wrong inside an agent is one line that names agent and place, with the cause behind it."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl import cli
from gosu_rl.agents.protocol import AgentError, FailedAgentError

SOURCE = """
import sys
class Fine:
    def reset(self, game, seat, seed): self.asked = 0
    def act(self, view):
        self.asked += 1
        if self.asked > 3: self.fail()
        return view.legal[0]
class Breaks(Fine):
    def fail(self): raise KeyError("two\\nlines")
class Leaves(Fine):
    def fail(self): sys.exit(0)
class BadReset(Fine):
    def reset(self, game, seat, seed): raise RuntimeError("no reset")
class BadInit(Fine):
    def __init__(self): raise RuntimeError("no init")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"failing_{random.randrange(10**9)}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    (tmp_path / f"{name}_bad.py").write_text("raise RuntimeError('no import')\n")
    (tmp_path / f"{name}_worse.py").write_text("def f(:\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return name


FAILURES = [
    ("{}:Breaks", "decision", "KeyError: 'two"),
    ("{}:Leaves", "decision", "SystemExit: 0"),
    ("{}:BadReset", "reset|cannot play", "RuntimeError: no reset"),
    ("{}:BadInit", "cannot be made", "RuntimeError: no init"),
    ("{}_bad:X", "importing", "RuntimeError: no import"),
    ("{}_worse:X", "importing", "SyntaxError: "),
]


@pytest.mark.parametrize(("spec", "place", "error"), FAILURES)
def test_play_tells_agent_and_place(module: str, spec: str, place: str, error: str) -> None:
    game = gosu_rl.game("tactics")
    with pytest.raises(FailedAgentError, match=place) as caught:
        gosu_rl.play(game, [spec.format(module), "random"], seed=1)
    assert error in str(caught.value)
    assert spec.format(module) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("spec", "error", "workers"),
    [(spec, error, "1") for spec, _, error in FAILURES[:4]]
    + [pytest.param(*FAILURES[0][::2], "2", marks=[pytest.mark.slow, pytest.mark.long]),
       pytest.param(*FAILURES[1][::2], "2", marks=pytest.mark.slow)],
)  # fmt: skip
def test_winrates_is_one_line(
    module: str, capsys: pytest.CaptureFixture[str], spec: str, error: str, workers: str
) -> None:
    words = ["winrates", "tactics", "--agents", spec.format(module), "--deals", "1", "--no-plots", "--out", "o"]
    assert cli.main([*words, "--workers", workers]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("gosu-rl: error: agent ")
    assert error in last


def test_somebody_who_leaves_the_table_is_one_line(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended:
        def readline(self) -> str:
            return ""

    monkeypatch.setattr(sys, "stdin", Ended())
    with pytest.raises(AgentError, match="the input ended") as caught:
        gosu_rl.play(gosu_rl.game("tactics"), ["human", "random"], seed=1)
    assert "\n" not in str(caught.value)


@pytest.mark.nojit
@pytest.mark.parametrize("parameter", ["sims", "ms", "depth", "worlds", "threads"])
def test_the_search_has_an_upper_limit(parameter: str) -> None:
    with pytest.raises(ValueError, match=f"{parameter} must be .* or less"):
        gosu_rl.make_agent(f"mcts:{parameter}=99999999999999999999")
