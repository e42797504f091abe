"""The agent `pipe`: a program of yours, in any language, that speaks JSON lines over its standard input and output.

A fresh process is started for every game and seat. It reads one line a message and answers decisions with one line:

    <- {"type": "start", "format": 1, "variant": "tactics", "players": 2, "seat": 0, "seed": 123, "rules": {…}}
    <- {"type": "decision", "kind": "turn", "legal": ["pass", "play Ember Whelp"], "ids": [0, 57], "view": {…}}
    -> "play Ember Whelp"          (a label of `legal`, or an id of `ids`, or {"action": either})
    <- {"type": "end"}

`view` is what the seat knows, as `GameState.as_dict()` gives it. What the program writes to standard error is its own
affair, but the last line of it is shown when something goes wrong. An answer that comes too late, that is no JSON or
not legal, or a program that ends before its game does is an `AgentError` that names the program.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import subprocess
import threading
from typing import Any

from gosu_rl.agents.protocol import AgentError

FORMAT = 1
FAREWELL = 1.0  # seconds a program has to end by itself after its game
LONGEST = 1 << 20  # bytes of an answer; a program that writes more without a line feed talks nonsense


class Pipe:
    """Asks the program `command`; `limit` is the longest it may think about a move, in seconds."""

    def __init__(self, command: str, limit: float = 10.0) -> None:
        if not limit > 0:
            raise AgentError(f"pipe: limit must be more than 0 seconds, not {limit:g}")
        try:
            self.words = shlex.split(command, posix=os.name != "nt")
        except ValueError as error:
            raise AgentError(f"pipe: the command {command!r} cannot be split into words: {error}") from None
        if not self.words:
            raise AgentError("pipe wants a command, like 'pipe:python my_agent.py'")
        self.command, self.limit = command, limit
        self._process: subprocess.Popen[bytes] | None = None

    def reset(self, game: Any, seat: int, seed: int) -> None:
        """Start the program and tell it the game; AgentError where it cannot be started."""
        self.close()
        self._game = game
        try:
            process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise AgentError(f"pipe: {self.command!r} cannot be started: {error.strerror or error}") from None
        self._process = process
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._complaint = b""
        self._ears = [
            threading.Thread(target=self._listen, args=[process, self._answers], daemon=True),
            threading.Thread(target=self._overhear, args=[process], daemon=True),
        ]
        for ear in self._ears:
            ear.start()
        self._say(
            {
                "type": "start",
                "format": FORMAT,
                "variant": game.variant,
                "players": game.players,
                "seat": seat,
                "seed": int(seed),
                "rules": dict(game.rules),
            }
        )

    def act(self, view: Any) -> int:
        """Ask for one decision."""
        legal, labels = list(view.legal), list(view.legal_labels)
        if not self._answers.empty() and (line := self._answers.get()):
            raise AgentError(f"pipe: {self.command!r} said {_shown(line)} without being asked")
        self._say(
            {
                "type": "decision",
                "kind": view.kind,
                "legal": labels,
                "ids": [int(action) for action in legal],
                "view": view.as_dict(),
            }
        )
        try:
            line = self._answers.get(timeout=self.limit)
        except queue.Empty:
            self._kill()
            raise AgentError(f"pipe: {self.command!r} did not answer within {self.limit:g} s") from None
        if not line:
            raise self._ended()
        try:
            answer = json.loads(line)
        except ValueError:
            raise AgentError(f"pipe: {self.command!r} answered {_shown(line)}, which is not JSON") from None
        if isinstance(answer, dict):
            answer = answer.get("action")
        if isinstance(answer, str) and answer in labels:
            return int(legal[labels.index(answer)])
        if isinstance(answer, int) and not isinstance(answer, bool) and answer in legal:
            return answer
        raise AgentError(
            f"pipe: {self.command!r} answered {_shown(line)}, which is not legal ({view.kind}); legal: {', '.join(labels)}"
        )

    def close(self) -> None:
        """Say that the game is over, and see that the program ends."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(AgentError):  # gone already, which is what is wanted here
            self._say({"type": "end"})
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError, ConnectionError):
                process.stdin.close()
        try:
            process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self._kill()
        for ear in self._ears:
            ear.join(FAREWELL)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        self._process = None

    def _say(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise AgentError(f"pipe: {self.command!r} is not running; reset it first")
        try:
            process.stdin.write(json.dumps(message, ensure_ascii=False, default=_plain).encode() + b"\n")
            process.stdin.flush()
        except (BrokenPipeError, ConnectionError):
            raise self._ended() from None

    def _ended(self) -> AgentError:
        process = self._process
        assert process is not None
        try:
            code: Any = process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self._kill()
            return AgentError(f"pipe: {self.command!r} closed its output before its game was over")
        self._ears[1].join(FAREWELL)
        last = self._complaint.decode(errors="replace").strip().splitlines()
        return AgentError(
            f"pipe: {self.command!r} ended with exit code {code} before its game was over"
            + (f": {last[-1][:200]}" if last else "")
        )

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @staticmethod
    def _listen(process: subprocess.Popen[bytes], answers: queue.SimpleQueue[bytes]) -> None:
        """Hand every line on; an empty one when the program has closed its output."""
        assert process.stdout is not None
        rest = b""
        while chunk := os.read(process.stdout.fileno(), 1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.strip():
                    answers.put(line)
            if len(rest) > LONGEST:
                answers.put(rest)
                break
        answers.put(b"")

    def _overhear(self, process: subprocess.Popen[bytes]) -> None:
        """Keep the last of what the program writes to standard error."""
        assert process.stderr is not None
        while chunk := os.read(process.stderr.fileno(), 1 << 16):
            self._complaint = (self._complaint + chunk)[-4000:]


def _plain(value: Any) -> Any:
    """Numbers of numpy as numbers."""
    return value.item()


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= 80 else text[:77] + "…")
