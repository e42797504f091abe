"""The command where streams are closed, full or speak ASCII only, and where its files cannot be written."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gosu_rl import cli


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = f"{shlex.quote(sys.executable)} -m gosu_rl {line}"
    environment = {**os.environ, **variables}
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=environment, timeout=120)


@pytest.mark.parametrize("line", ["cards list >&-", "cards export tactics >&-", "--version >&-", "cards list <&-"])
def test_a_closed_stream_is_no_fault(line: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_with_stderr_closed_is_still_2() -> None:
    assert shell("cards show nosuch 2>&-").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line() -> None:
    done = shell("cards show tactics >/dev/full")
    assert done.returncode == 2
    assert done.stderr == "gosu-rl: error: [Errno 28] No space left on device\n"


def test_letters_that_the_terminal_lacks_become_question_marks() -> None:
    done = shell("cards show tactics", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "M?ka" in done.stdout


def test_out_of_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def greedy(words: list[str]) -> int:
        raise MemoryError("Unable to allocate 185. PiB")

    monkeypatch.setattr(cli, "_run", greedy)
    assert cli.main(["info"]) == 2
    assert capsys.readouterr().err.startswith("gosu-rl: error: out of memory")


@pytest.mark.parametrize("name", ["", ".", "no/such/folder/r.jsonl"])
def test_a_record_that_cannot_be_written_is_told_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["play", "tactics", "--seats", "random,random", "--record", name]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
