"""Words for error messages about card files: values shown on one line, and the nearest name to a mistyped one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """`"; did you mean 'Fire'?"` when one of the known words is close, else an empty string."""
    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold()[:80], folded, n=1, cutoff=0.6)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def quoted(value: object, limit: int = 60) -> str:
    """A value of a card file as it may stand in a one-line message: escaped, and cut when it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"  # as TOML writes it
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"  # printing thousands of digits is refused by Python itself
    if isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'table'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
