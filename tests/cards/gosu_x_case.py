"""What is played and then compared for one card of the packaged Gosu X set (test_every_gosu_x_card.py)."""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """A position (the words of p0 and p1, with their lines, then what is common), labels to play, and facts that then hold."""

    p0: str
    p1: str
    labels: tuple[str, ...]
    facts: dict[str, Any]
    now: str = ""
    removed: str = ""
