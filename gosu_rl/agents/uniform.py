"""The agent `random`: every legal action is equally likely."""

from __future__ import annotations

import random
from typing import Any


class Random:
    """Uniform over `view.legal`, from a generator of its own that `reset` seeds."""

    def reset(self, game: Any, seat: int, seed: int) -> None:
        self._rng = random.Random(seed)

    def act(self, view: Any) -> int:
        return int(self._rng.choice(view.legal))
