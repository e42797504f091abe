"""Conditions of steps, `if CONDITION: STEP`: looked at when the step is reached, about its subject (E62)."""

from __future__ import annotations

from collections.abc import Callable

from . import combat
from .cards import Land
from .table import Table


def holds(table: Table, subject: int, condition: str) -> bool:
    """Is it so now? No condition always holds."""
    if not condition:
        return True
    word, *rest = condition.split()
    is_met = _looked_at(table, subject, word, rest)
    table.saw(f"E62 {word}: so it is" if is_met else f"E62 {word}: it is not so")
    return is_met


def _looked_at(table: Table, subject: int, word: str, rest: list[str]) -> bool:
    seat = table.seats[subject]
    fighters = [] if table.combat is None else table.combat.fighters
    match word:
        case "terrain":
            return table.layout.terrain[seat.space] == rest[0]
        case "needs":
            land = _land_fought(table)
            table.saw("E62 needs without a combat", land is None)
            return land is not None and land.needs == rest[0]
        case "attacker":  # who moved in; against a Land the active one (E23)
            return fighters[:1] == [subject]
        case "defender":
            return fighters[1:] == [subject]
        case "defense":
            land = _land_fought(table)
            table.saw("E62 defense without a combat", land is None)
            return land is not None and _compared(combat.defense_of(table, table.active, land), rest)
    numbers: dict[str, Callable[[], int]] = {
        "tokens": lambda: seat.tokens + seat.crew,
        "heroes": lambda: len(seat.heroes),
        "machines": lambda: len(seat.machines),
        "hand": lambda: len(seat.hand),
        "pile": lambda: table.cards.lands[seat.conquest[-1]].value if seat.conquest else 0,
        "rank": lambda: 1 + sum(table.points(other) > table.points(subject) for other in table.others(subject)),
    }
    return _compared(numbers[word](), rest)


def _land_fought(table: Table) -> Land | None:
    """The Land of the combat going on; None in a Fray or without any fight."""
    if table.combat is None or table.combat.kind != "land":
        return None
    return table.land_at(table.combat.space)


def _compared(number: int, rest: list[str]) -> bool:
    operator, bound = rest[0], int(rest[1])
    match operator:
        case ">=":
            return number >= bound
        case "<=":
            return number <= bound
        case "=":
            return number == bound
    raise ValueError(f"{operator!r} compares nothing")
