"""The command line itself: exit codes, one-line errors, and a help text that loads no compiler."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import types
from typing import Any

import pytest

import gosu_rl
from gosu_rl import cli


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A subcommand `probe` that does what the test says."""

    def install(do: Any) -> None:
        module = types.ModuleType("gosu_rl.cli.probe")

        def add_parser(subparsers: Any) -> None:
            parser = subparsers.add_parser("probe")
            parser.add_argument("--count", type=int, default=0)
            parser.set_defaults(run=do)

        module.add_parser = add_parser  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "gosu_rl.cli.probe", module)
        monkeypatch.setitem(cli.COMMANDS, "probe", "for a test")

    return install


def raising(error: BaseException) -> Any:
    def do(arguments: argparse.Namespace) -> int:
        raise error

    return do


def test_the_exit_code_is_the_commands(command: Any) -> None:
    command(lambda arguments: arguments.count)
    assert cli.main(["probe", "--count", "1"]) == 1
    command(lambda arguments: None)
    assert cli.main(["probe"]) == 0


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("file.toml: no\n such card"), "gosu-rl: error: file.toml: no such card\n"),
        (
            FileNotFoundError(2, "No such file or directory", "x.jsonl"),
            "gosu-rl: error: x.jsonl: No such file or directory\n",
        ),
        (OSError("disk trouble"), "gosu-rl: error: disk trouble\n"),
        (ModuleNotFoundError("No module named 'a.b'", name="a.b"), "the Python package 'a' is not installed"),
    ],
)
def test_a_users_error_is_one_line(
    command: Any, capsys: pytest.CaptureFixture[str], error: Exception, line: str
) -> None:
    command(raising(error))
    assert cli.main(["probe"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert line in told.err
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err


@pytest.mark.parametrize("words", [["--debug", "probe"], ["probe", "--debug"]])
def test_debug_shows_the_traceback(command: Any, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    command(raising(ValueError("here")))
    assert cli.main(words) == 2
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert told.endswith("gosu-rl: error: here\n")


def test_a_fault_of_ours_is_not_hidden(command: Any) -> None:
    command(raising(KeyError("a bug")))
    with pytest.raises(KeyError):
        cli.main(["probe"])


def test_an_interrupt_is_130(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(raising(KeyboardInterrupt()))
    assert cli.main(["probe"]) == 130
    assert capsys.readouterr().err == "gosu-rl: interrupted\n"


def test_wrong_words_are_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert cli.main(["nosuchcommand"]) == 2
    assert "nosuchcommand" in capsys.readouterr().err
    assert cli.main(["info", "--nosuchoption"]) == 2
    told = capsys.readouterr().err
    assert told == "gosu-rl: error: unrecognized arguments: --nosuchoption (see gosu-rl --help)\n"
    assert cli.main(["compile", "--al"]) == 2  # no abbreviations
    assert "--al" in capsys.readouterr().err
    assert cli.main(["replay", "--game", "x", "file"]) == 2
    told = capsys.readouterr().err
    assert told == "gosu-rl replay: error: argument --game: invalid int value: 'x' (see gosu-rl replay --help)\n"


def test_a_command_without_its_module_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.COMMANDS, "absent", "has no module")
    assert cli.main(["absent"]) == 2
    assert "the command 'absent' is not part of this installation" in capsys.readouterr().err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    for name, about in cli.COMMANDS.items():
        assert name in text
        assert " ".join(about.split()[:3]) in text


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(f"gosu_rl.cli.{name}")
    assert cli.main([name, "--help"]) == 0
    assert f"usage: gosu-rl {name}" in capsys.readouterr().out


def test_help_loads_no_compiler() -> None:
    program = "import sys; from gosu_rl.cli import main; main(['--help']); print(*sorted(sys.modules), file=sys.stderr)"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(out.stderr.split())
    assert loaded.isdisjoint({"numba", "numpy", "matplotlib", "pettingzoo", "gymnasium", "torch"})
    assert "replay" in out.stdout


def test_python_m_gosu_rl_is_the_same_command() -> None:
    out = subprocess.run([sys.executable, "-m", "gosu_rl", "--version"], capture_output=True, text=True, check=True)
    assert out.stdout == f"gosu-rl {gosu_rl.__version__}\n"


def test_a_reader_that_leaves_is_no_error() -> None:
    program = (
        "import sys, types, gosu_rl.cli as cli\n"
        "m = types.ModuleType('gosu_rl.cli.probe')\n"
        "def run(a):\n"
        "    for i in range(100000): print('line', i)\n"
        "m.add_parser = lambda s: s.add_parser('probe').set_defaults(run=run)\n"
        "sys.modules['gosu_rl.cli.probe'] = m; cli.COMMANDS['probe'] = ''\n"
        "sys.exit(cli.main(['probe']))\n"
    )
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=writing, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(writing)
        os.read(reading, 100)
        os.close(reading)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 141
    assert told == ""
