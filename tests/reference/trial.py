"""A game that the compiled core and a reference model play side by side: what makes it, what it went through, how they differ.

The lock-steps of all games (`lockstep.py`, `gosu_x_lockstep.py`, and `lockstep.py` of reference_epic) are written with these.
"""

from __future__ import annotations

import difflib
import pprint
import shlex
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

RECENT = 12  # decisions shown with a mismatch
VIEW_EVERY = 3  # decisions, on average, between two views compared
WORLD_EVERY = 12  # and between two worlds drawn


@dataclass(frozen=True)
class Case:
    """Everything that makes one game; `command` replays it."""

    fuzzer: ClassVar[str] = "tests.reference.fuzz"

    players: int
    style: str  # a shape of card sets that is drawn here, "sample" (the toolkit's own sampler), or a packaged set
    set_seed: int
    seed: int
    policy: str
    rules: tuple[tuple[str, int | str], ...] = ()  # all numbers, but for `draft` of Gosu X

    @property
    def command(self) -> str:
        words = [f"{self.players}", self.style, f"{self.set_seed}", f"{self.seed}", self.policy]
        words += [f"{name}={number}".replace(",", ";") for name, number in self.rules]
        return f"python -m {self.fuzzer} --case {shlex.quote(','.join(words))}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads what `command` writes behind `--case`."""
        players, style, set_seed, seed, policy, *rules = text.split(",")
        numbers = [rule.partition("=") for rule in rules]
        return cls(
            int(players),
            style,
            int(set_seed),
            int(seed),
            policy,
            tuple((name, int(n) if n.lstrip("-").isdigit() else n.replace(";", ",")) for name, _, n in numbers),
        )


class MismatchError(AssertionError):
    """Core and model differ; the message says how, after what, and how to see it again."""


@dataclass
class Tally:
    """What the games went through."""

    games: int = 0
    decisions: int = 0
    shuffles: int = 0
    unresolved: int = 0  # games left early, where the core does not show all of its chance (see the lock-steps)
    views: int = 0
    worlds: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    situations: Counter[str] = field(default_factory=Counter)  # in which rulings decided something (`Table.saw`)

    def add(self, other: Tally) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def mismatch(case: Case, log: list[str], what: str) -> MismatchError:
    """The error to raise, after the decisions of the log."""
    recent = "\n".join(log[-RECENT:])
    return MismatchError(f"{case}\nagain: {case.command}\nlast decisions:\n{recent}\n{what}")


def difference(wanted: dict[str, Any], found: dict[str, Any]) -> str:
    """The lines in which the model's and the core's position differ."""
    lines = difflib.unified_diff(
        pprint.pformat(wanted, width=160).splitlines(),
        pprint.pformat(found, width=160).splitlines(),
        "model",
        "core",
        n=3,
        lineterm="",
    )
    return "\n".join(lines)


def round_fractions(position: dict[str, Any]) -> None:
    """So that a third is a third however it was reached."""
    for name in ("returns", "shares"):
        if position[name] is not None:
            position[name] = [round(float(number), 9) for number in position[name]]


def face_fault(core: Any, wanted: dict[str, Any]) -> str:
    """What the attributes of the core's state say otherwise than the model's position; empty if nothing."""
    face = {
        "mover": core.mover, "kind": core.kind, "over": core.over, "reason": core.reason,
        "decisions": core.decisions, "round": core.round, "advantage": core.advantage,
    }  # fmt: skip
    for name, value in face.items():
        if value != wanted[name]:
            return f"s.{name} is {value!r}, the model has {wanted[name]!r}"
    if core.over and any(
        [round(float(number), 9) for number in getattr(core, name)] != wanted[name] for name in ("returns", "shares")
    ):
        return "s.returns or s.shares differ from the model's"
    if core.truncated != (wanted["reason"] == "truncated"):
        return f"s.truncated is {core.truncated}, the model's reason {wanted['reason']!r}"
    return ""
