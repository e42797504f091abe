"""Ways to choose among legal labels, so that random games reach the seldom kinds of decisions too.

A policy sees the whole model: it only steers the game, it does not have to play fair.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .cards import Space, label_of, space_of
from .model import EpicGame

Policy = Callable[[Random, EpicGame], str]
QUIET = {"pass", "decline", "stay", "done", "fight"}


def uniform(chance: Random, game: EpicGame) -> str:
    return chance.choice(sorted(game.legal))


def eager(chance: Random, game: EpicGame) -> str:
    """Takes whatever does something."""
    legal = sorted(game.legal)
    return chance.choice([label for label in legal if label not in QUIET] or legal)


def _toward(chance: Random, game: EpicGame, targets: list[Space]) -> str:
    """A step nearer to one of the targets."""
    spaces = sorted(label for label in game.legal if label.startswith("space "))
    if not spaces or not targets:
        return eager(chance, game)
    steps = game.table.layout.distances(*targets)
    return min(spaces, key=lambda label: (steps[space_of(label.removeprefix("space "))], chance.random()))


def conqueror(chance: Random, game: EpicGame) -> str:
    """Marches on the next Land, and in the end on the Towns."""
    if game.kind == "march" and chance.random() < 0.9:
        if any(label.startswith("play ") for label in game.legal) and chance.random() < 0.3:
            return eager(chance, game)
        return _toward(chance, game, list(game.table.field))
    return uniform(chance, game) if chance.random() < 0.5 else eager(chance, game)


def brawler(chance: Random, game: EpicGame) -> str:
    """Goes where another Army stands, with every kind of move."""
    others = [seat.space for player, seat in enumerate(game.table.seats) if player != game.mover]
    if game.kind in ("march", "step", "flee") and chance.random() < 0.8:
        crowded = [label for label in sorted(game.legal) if label in {f"space {label_of(space)}" for space in others}]
        return chance.choice(crowded) if crowded else _toward(chance, game, others)
    return uniform(chance, game) if chance.random() < 0.4 else eager(chance, game)


def collector(chance: Random, game: EpicGame) -> str:
    """Draws cards, plays few, fights late: full hands, an empty deck, thefts and discards."""
    if game.kind == "reinforce":
        return max(game.legal)
    if game.kind in ("muster", "march", "regroup", "window") and chance.random() < 0.75:
        return next(label for label in sorted(game.legal) if label in QUIET)
    return eager(chance, game)


def poor(chance: Random, game: EpicGame) -> str:
    """Draws cards, and pays its tokens for Heroes and Machines: Armies without loose tokens."""
    if game.kind == "reinforce" and chance.random() < 0.8:
        return max(game.legal)
    return conqueror(chance, game) if game.kind == "march" else eager(chance, game)


def idler(chance: Random, game: EpicGame) -> str:
    """Declines nearly everything; attacks what it stands on."""
    quiet = sorted(game.legal & QUIET)
    if quiet and chance.random() < 0.85:
        return quiet[0]
    return uniform(chance, game)


POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "eager": eager,
    "conqueror": conqueror,
    "brawler": brawler,
    "collector": collector,
    "poor": poor,
    "idler": idler,
}
