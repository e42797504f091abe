"""The log of a game: kept while it is played, written as JSON Lines, read back, and shown as one seat knew it.

A game is a run of lines, each a JSON object whose `line` says what it is:

    header      format, variant, players, cards (name, hash, reconstruction), rules, seed, advantage, agents
    deal        hands (by seat), draw_pile (top first), holder of the Advantage card, or who begins; and what else a game deals
    decision    n (from 0), player, kind, legal (labels), chosen (label)
    chance      n of the decision that led to it, event ("shuffle"), number (from 1), order of the new pile, top first;
                null, with the reason in `why`, where a second shuffle in the same step has overtaken it;
                or the event "toss" with its coins ("+-": alive, dead), "theft" with its cards, or "drop"
                with the cards discarded at random
    result      returns, shares, reason, points, rounds, decisions, truncated

A file may hold many games, one after another. docs/records.md says more; record_file.py reads and checks, replay.py
plays again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gosu_rl.core.files import write_whole

FORMAT = 1  # raised when a line changes its meaning or a required field comes or goes
OVERTAKEN = "shuffled again in the same step"  # `why` of a shuffle whose order is not known
HIDDEN_DEALS = ("field", "box")  # of a deal: Lands that lie face down or are left out
Line = Mapping[str, Any]


class RecordError(ValueError):
    """A record that cannot be read or that its game does not bear out; the message names file, line and decision."""


@dataclass(frozen=True)
class Record:
    """The full log of one game, or what one seat may know of it (`seat` is then not None)."""

    lines: tuple[Line, ...]
    source: str = field(default="record", compare=False)  # the file it was read from
    first_line: int = field(default=1, compare=False)  # the number of its header in that file

    @property
    def header(self) -> Line:
        return self.lines[0]

    @property
    def deal(self) -> Line:
        return self.lines[1]

    @property
    def result(self) -> Line:
        return self.lines[-1]

    @property
    def decisions(self) -> list[Line]:
        return [line for line in self.lines if line["line"] == "decision"]

    @property
    def seed(self) -> int | None:
        return self.header["seed"]

    @property
    def seat(self) -> int | None:
        """Whose record it is, or None for a full one."""
        return self.header.get("seat")

    @property
    def returns(self) -> list[float]:
        return list(self.result["returns"])

    @property
    def hash(self) -> str:
        """SHA-256 over the lines with sorted keys, 64 hex digits: equal games have equal hashes on any machine."""
        text = "".join(
            json.dumps(line, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n" for line in self.lines
        )
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def text(self) -> str:
        """The record as JSON Lines."""
        return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in self.lines)

    def where(self, index: int) -> str:
        """`file:line` of one line of this record."""
        return f"{self.source}:{self.first_line + index}"

    def write(self, path: str | Path) -> None:
        """Make a file of this one game; a file already there is replaced in one step."""
        write_whole(path, self.text.encode())

    def append(self, path: str | Path) -> None:
        """Add this game to a file of games, which is made if it is not there.

        Raises RecordError when the file breaks off inside a line, as after a crash: the game would be lost in it.
        """
        with Path(path).open("ab+") as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    raise RecordError(f"{path}: the last line is broken off; mend the file before adding games to it")
            file.write(self.text.encode())

    @staticmethod
    def read_all(path: str | Path) -> list[Record]:
        """All games of a file. Raises RecordError (file and line) for anything but whole records of this format."""
        from gosu_rl.core.record_file import read_records

        return read_records(path)

    @staticmethod
    def read(path: str | Path) -> Record:
        """The one game of a file. Raises RecordError as `read_all` does, and when the file holds several games."""
        records = Record.read_all(path)
        if len(records) != 1:
            raise RecordError(f"{path}: holds {len(records)} games, not one; read them with Record.read_all")
        return records[0]

    def for_seat(self, seat: int) -> Record:
        """The record as `seat` may know it: what he cannot know is None.

        Blank are the seed, the other hands and the draw pile of the deal, the legal labels of others (T42), the opening
        picks of others (T3: once play goes on, a `reveal` line shows every seat's picks, sorted, since their order
        stays hidden), and the order of a reshuffled pile, of which only the composition is public (`cards`, sorted).
        """
        if self.seat is not None:
            raise RecordError(f"{self.source}: is the record of seat {self.seat} already; take the full record")
        players = self.header["players"]
        if not 0 <= seat < players:
            raise RecordError(f"seat {seat} is not in a game of {players}; seats are 0 to {players - 1}")
        picks: list[list[str]] = [[] for _ in range(players)]
        hidden = False  # picks have been made that are not yet open
        shown: list[Line] = []
        for line in self.lines:
            if hidden and line["line"] == "decision" and line["kind"] not in ("mulligan", "opening"):
                shown.append({"line": "reveal", "n": line["n"] - 1, "picks": [sorted(labels) for labels in picks]})
                hidden = False
            shown.append(_as_known_to(seat, line))
            if line.get("kind") == "opening":
                picks[line["player"]].append(line["chosen"])
                hidden = True
        return Record(tuple(shown), f"{self.source} for seat {seat}")


class Recorder:
    """Keeps the record of a game while `apply` plays it on `state`."""

    def __init__(
        self,
        game: Any,
        state: Any,
        *,
        seed: int | None,
        advantage: int | None = None,
        agents: Sequence[str] = (),
    ) -> None:
        """`state` is the game's first position, as `game.new(seed, advantage)` gives it; `agents` names one a seat."""
        self._state = state
        self._labels = game.labels
        self.decisions = 0
        self.lines: list[Line] = [_header(game, seed, advantage, agents), _deal(state)]

    def question(self) -> dict[str, Any]:
        """The decision line of the present position, without the choice."""
        state = self._state
        return {
            "line": "decision",
            "n": self.decisions,
            "player": int(state.mover),
            "kind": state.kind,
            "legal": list(state.legal_labels),
        }

    def apply(self, action: int | str) -> None:
        """Play `action` (id or label) and log it with the shuffles it brought.

        Raises ValueError for an illegal one, which changes neither the state nor the record.
        """
        state, line = self._state, self.question()
        shuffles = state.shuffles
        state.apply(action)
        line["chosen"] = action if isinstance(action, str) else self._labels[action]
        self.lines.append(line)
        for number in range(shuffles + 1, state.shuffles + 1):
            shuffle: dict[str, Any] = {"line": "chance", "n": self.decisions, "event": "shuffle", "number": number}
            # A state keeps the order of its last shuffle only. Several in one step need a discard pile that fills
            # and empties between them; the earlier ones then stay without their order, and say so.
            if number == state.shuffles:
                shuffle["order"] = list(state.pile_order)
            else:
                shuffle.update(order=None, why=OVERTAKEN)
            self.lines.append(shuffle)
        for event in state.game.kernel.chance(state):
            self.lines.append({"line": "chance", "n": self.decisions, **event})
        self.decisions += 1

    def finish(self) -> Record:
        """The whole record. Raises RecordError while the game is not over."""
        state = self._state
        if not state.over:
            raise RecordError(f"the game is not over: seat {state.mover} has a decision to take ({state.kind})")
        result = {
            "line": "result",
            "returns": [float(value) + 0.0 for value in state.returns],  # + 0.0 turns -0.0 into 0.0
            "shares": [float(value) for value in state.shares],
            "reason": state.reason,
            "points": [int(points) for points in state.points],
            "rounds": int(state.round),
            "decisions": self.decisions,
            "truncated": bool(state.truncated),
        }
        return Record((*self.lines, result))


def _header(game: Any, seed: int | None, advantage: int | None, agents: Sequence[str]) -> Line:
    cards = game.card_set
    return {
        "line": "header",
        "format": FORMAT,
        "variant": game.variant,
        "players": int(game.players),
        "cards": {"name": cards.name, "hash": cards.hash, "reconstruction": bool(cards.is_reconstruction)},
        "rules": {name: value if value is None else int(value) for name, value in sorted(game.rules.items())},
        "seed": None if seed is None else int(seed),
        "advantage": None if advantage is None else int(advantage),
        "agents": list(agents) or ["?"] * int(game.players),
    }


def _deal(state: Any) -> Line:
    position = state.as_dict()
    return {
        "line": "deal",
        "hands": [list(player["hand"]) for player in position["players"]],
        "draw_pile": list(position["draw_pile"]),
        "holder": int(position["advantage"]),
        **state.game.kernel.dealt(state),
    }


def _as_known_to(seat: int, line: Line) -> Line:
    kind = line["line"]
    if kind == "header":
        return {**line, "seed": None, "seat": seat}
    if kind == "deal":
        hands = [hand if owner == seat else None for owner, hand in enumerate(line["hands"])]
        return {**line, "hands": hands, "draw_pile": None, **{name: None for name in HIDDEN_DEALS if name in line}}
    if kind == "chance" and line["event"] in ("toss", "drop"):
        return line
    if kind == "chance" and line["event"] == "theft":
        return line if seat in line["between"] else {**line, "cards": None}
    if kind == "chance":
        order = line["order"]
        return {**line, "order": None, "cards": None if order is None else sorted(order)}
    if kind == "decision" and line["player"] != seat:
        # What others chose is public at once (T47), but for the opening picks.
        return {**line, "legal": None, "chosen": None if line["kind"] == "opening" else line["chosen"]}
    return line
