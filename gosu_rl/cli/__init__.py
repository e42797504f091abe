"""The command `gosu-rl`: a table of subcommands, each in a file of its own, and one place where errors become a line.

A subcommand's module has `add_parser(subparsers)`, which adds its parser and sets
`run=function(arguments) -> int | None` on it. Only the module of the subcommand that is asked for is imported, so that
`gosu-rl --help` loads no compiler.
Exit codes: 0 done, 1 done with a negative answer (a check that failed), 2 an error, 130 interrupted, 141 the reader of
the output went away.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

COMMANDS = {
    "play": "play a game at the terminal",
    "replay": "check a record against the rules, or show it",
    "analyse": "what a search thinks of a position, or of the moves of a record",
    "winrates": "measure who wins: by seat, by who begins (Advantage card), by agent, clan, Leader",
    "tournament": "agents against each other: payoffs, ratings, times",
    "report": "one page of a run: HTML or Markdown",
    "cards": "list, check, sample card sets; measure which cards win",
    "train": "learn a game by self-play",
    "exploit": "train a best response to an agent",
    "bench": "measure speed on this machine",
    "compile": "compile the core now, so that nothing waits for it later",
    "info": "versions, machine and cache folder",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in words
    _usable_streams()
    shown = warnings.showwarning
    warnings.showwarning = _warn
    try:
        try:
            return _run([word for word in words if word != "--debug"])
        finally:
            sys.stdout.flush()
    except SystemExit as leaving:  # argparse, which has said what was wrong
        return leaving.code if isinstance(leaving.code, int) else 2
    except KeyboardInterrupt:
        print("gosu-rl: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Python flushes stdout once more when it ends; give it somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (ValueError, OSError, ImportError, MemoryError) as error:
        if debug:
            traceback.print_exc()
        print(f"gosu-rl: error: {_one_line(error)}", file=sys.stderr)
        return 2
    finally:
        warnings.showwarning = shown


def _usable_streams() -> None:
    """What the surroundings may lack: an open stream (`>&-`), or letters like ô (`LC_ALL=C`), for which a `?` will do."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - to the end of the process
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as one line; where in whose code it arose is nothing to a user of the command."""
    print(f"gosu-rl: warning: {message}", file=sys.stderr)


def _run(words: list[str]) -> int:
    wanted = next((word for word in words if not word.startswith("-")), None)
    arguments = _arguments(_parser(wanted), words)
    code = arguments.run(arguments)
    return 0 if code is None else int(code)


def _arguments(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """The words taken apart. KEY=VALUE words may stand anywhere, though argparse gives up a list of words at the first option."""
    arguments, rest = parser.parse_known_args(words)
    settings = getattr(arguments, "settings_given", None)
    if rest and (settings is None or any(word.startswith("-") or "=" not in word for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if settings is not None:
        arguments.settings_given = [*settings, *rest]
    return arguments


def _parser(wanted: str | None) -> argparse.ArgumentParser:
    """The whole parser; only the subcommand `wanted` has its arguments, the others are there for the help text."""
    parser = _Parser(prog="gosu-rl", description="Goblin card games for AI research: play, measure, check.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error (anywhere on the line)")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name, about in COMMANDS.items():
        if name == wanted:
            _module(name).add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=about, add_help=False)
    return parser


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"gosu_rl.cli.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"gosu_rl.cli.{name}":
            raise
        raise ValueError(f"the command {name!r} is not part of this installation (no module {error.name})") from error


class _Parser(argparse.ArgumentParser):
    """Takes options in full only, so that a new one cannot change what an old command line means; errors are one line."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {' '.join(message.split())} (see {self.prog} --help)\n")


class _Version(argparse.Action):
    """`--version`, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from gosu_rl.cli.info import package_version

        print(f"gosu-rl {package_version('gosu_rl')}")
        parser.exit()


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{os.fspath(error.filename)}: {error.strerror}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"the Python package {error.name.partition('.')[0]!r} is not installed, and this command needs it"
    if isinstance(error, MemoryError):
        return f"out of memory; ask for less at once ({error})" if str(error) else "out of memory; ask for less at once"
    return " ".join(str(error).split()) or type(error).__name__
