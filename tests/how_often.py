"""How many times more games the tests play that could play any number of them: `make test` once, `make test-bounds` more."""

from __future__ import annotations

import os

TIMES = "GOSU_RL_REFERENCE_TIMES"  # environment variable; `make test-bounds` sets it


def times(text: str) -> int:
    """What that variable says. Raises ValueError where it is no whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise ValueError(f"{TIMES}={text!r}: write a whole number from 1 on")
    return int(text)


def times_more() -> int:
    """The number in force: 1 if the variable is not set."""
    return times(os.environ.get(TIMES, "1"))
