"""The agent `greedy`: the game's own compiled heuristic, asked through the same door as any other agent.

The heuristic itself belongs to the kernel (`game.policies` lists it), because whole games between compiled policies run
without Python. Here it gets a view, so nothing hidden can reach it.
"""

from __future__ import annotations

import random
from typing import Any

from gosu_rl.agents.protocol import AgentError


class Greedy:
    """`game.choose(view, "greedy", seed)`, with a fresh seed for every decision to break its ties."""

    def reset(self, game: Any, seat: int, seed: int) -> None:
        if "greedy" not in game.policies:
            offered = ", ".join(game.policies) or "none"
            raise AgentError(f"{game.variant} has no compiled policy called greedy; it offers: {offered}")
        self._game = game
        self._rng = random.Random(seed)

    def act(self, view: Any) -> int:
        return int(self._game.choose(view, "greedy", self._rng.getrandbits(63)))
