"""One thing wrong with a card set, as the checkers report it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a set: the card or other entry it is about (None: the set as a whole), the field, and the way out."""

    message: str
    card: Any = None
    field: str = ""

    def at(self, place: str) -> str:
        """The whole line; `place` names the file, and the card of a card's fault."""
        if self.card is not None:
            return f"{place}, {self.field}: {self.message}"
        return f"{place}: {self.field}: {self.message}" if self.field else f"{place}: {self.message}"
