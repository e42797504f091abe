"""A look at what the tree search finds: an analysis of one view, and its numbers without the time it took."""

from __future__ import annotations

from gosu_rl.agents.mcts import MCTS, Analysis
from gosu_rl.core.game import GameState


def analysis(view: GameState, seed: int = 1, **parameters: object) -> Analysis:
    """What `mcts` with these parameters finds for the player to move."""
    agent = MCTS(**parameters)  # type: ignore[arg-type]
    agent.reset(view.game, view.mover, 1)
    return agent.analyse(view, seed)


def plain(found: Analysis) -> list[object]:
    """All of an Analysis but the time it took."""
    arrays = (found.actions, found.visits, found.values, found.available)
    return [*(one.tolist() for one in arrays), found.iterations, found.decisions]
