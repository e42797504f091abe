"""`gosu-rl compile`, and what it says where it cannot work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
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
    for words in (["compile"], ["compile", "--workers", "1"], ["compile", "--all", "--workers", "2"]):
        assert main(words) == 0
        told = capsys.readouterr()
        assert told.out.endswith(f"kept in {jit.cache_folder()}\n")
        assert told.out.count("\n") == 1
        assert "100%" in told.err
        counts.append(int(told.out.split()[0]))
    assert 8 <= counts[0] == counts[1] <= counts[2]


@pytest.mark.parametrize(("words", "why"), [("0", "at least 1, not 0"), ("-2", "at least 1, not -2")])
def test_workers_must_be_there(words: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", f"--workers={words}"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.skipif(not jit.JIT or sys.platform == "win32", reason="compiles, and sends SIGINT to a process group")
def test_ctrl_c_ends_compiling_in_all_processes_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gosu_rl", "compile", "--all", "--workers", "2"]
    environment = {**os.environ, jit.CACHE_VARIABLE: str(tmp_path)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, start_new_session=True)
    assert process.stderr is not None
    try:
        told = b""
        while b"step" not in told:  # the bar is there, and so are the workers about to be
            told += process.stderr.read1(1000)
            assert process.poll() is None
        time.sleep(3)
        os.killpg(process.pid, signal.SIGINT)
        pressed = time.monotonic()
        err = process.communicate(timeout=60)[1].decode()
    finally:
        process.kill()
    assert process.returncode == 130
    assert time.monotonic() - pressed < 30
    assert err.splitlines()[-1] == "gosu-rl: interrupted"
    assert "Traceback" not in err
    while somebody_left(process.pid):
        assert time.monotonic() - pressed < 30
        time.sleep(0.1)


def somebody_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


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
