"""`gosu-rl compile`, and what it says where it cannot work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gosu_rl.cli import main
from gosu_rl.core import jit


def gosu_rl(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gosu_rl", *words], env={**os.environ, **environment}, capture_output=True, text=True
    )


@pytest.mark.skipif(not jit.JIT, reason="with NUMBA_DISABLE_JIT=1 nothing is compiled")
def test_compile_says_how_much_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for words in (["compile"], ["compile", "--all"]):
        assert main(words) == 0
        told = capsys.readouterr()
        assert told.out.endswith(f"kept in {jit.cache_folder()}\n")
        assert told.out.count("\n") == 1
        assert "100%" in told.err
        counts.append(int(told.out.split()[0]))
    assert 8 <= counts[0] <= counts[1]


@pytest.mark.nojit
def test_without_the_compiler_there_is_nothing_to_do() -> None:
    done = gosu_rl("compile", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 2
    assert done.stderr == "gosu-rl: error: NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it\n"


@pytest.mark.nojit
def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done = gosu_rl("compile", NUMBA_DISABLE_JIT="0", GOSU_RL_CACHE_DIR=str(file))
    assert done.returncode == 2
    assert done.stderr.startswith("gosu-rl: error: ")
    assert str(file) in done.stderr
    assert jit.CACHE_VARIABLE in done.stderr
    assert done.stderr.count("\n") == 1
    done = gosu_rl("replay", str(file), GOSU_RL_CACHE_DIR=str(file))
    assert done.stderr == f"gosu-rl: error: {file}:1: holds no game\n"
    done = gosu_rl("info", GOSU_RL_CACHE_DIR=str(file))
    assert done.returncode == 0
    assert "0 files" in done.stdout
    assert file.read_bytes() == b""
