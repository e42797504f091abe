"""Sets up positions for scripted tests of the model: a few plain cards, and cards, Lands and fields of the test's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .cards import card_set, label_of, space_of
from .model import RULES, EpicGame
from .table import Card, Machine, Plot, Seat, Table

STRIP = ("a + + + + + T",)  # spaces 1.1 to 1.7
GRID = ("a + + +", "+ + + +", "+ + + T")

PLAIN: tuple[dict[str, Any], ...] = (
    {"name": "Assassin", "kind": "hero", "copies": 2, "value": 2, "cost": 1},
    {"name": "Cavalier", "kind": "hero", "copies": 2, "value": 4, "cost": 3},
    {"name": "Battering Ram", "kind": "machine", "copies": 2, "value": 3, "cost": 1},
    {"name": "Cannon", "kind": "machine", "copies": 2, "value": 5, "cost": 2},
    {"name": "Big Cart", "kind": "machine", "value": 1, "cost": 3},
    {"name": "Cry", "kind": "action", "copies": 2, "when": ["combat", "fray"], "steps": ["attack 2"]},
    {
        "name": "Curse",
        "kind": "action",
        "copies": 2,
        "when": ["combat", "fray"],
        "steps": ["choose fighter", "attack -3"],
    },
    {"name": "Planks", "kind": "action", "copies": 2, "when": ["combat"], "steps": ["defense -2"]},
    {"name": "Shove", "kind": "action", "copies": 2, "when": ["a", "b", "d"], "steps": ["choose other", "move"]},
    {"name": "Walk", "kind": "action", "copies": 2, "when": ["a", "b", "d"], "steps": ["move"]},
    {"name": "Trip", "kind": "action", "copies": 2, "when": ["a", "d"], "steps": ["choose other", "lose 2"]},
    {"name": "Idle", "kind": "action", "copies": 2, "when": ["d"], "steps": ["gain 1"]},
)
WITHOUT = {"name": "Nobody", "ability": [], "when": []}  # a Leader without anything


class Script:
    """Chance as the test wants it: `+` a token that lives, `-` one that dies; shuffles keep the order of names."""

    def __init__(self, coins: str, stolen: Iterable[str]) -> None:
        self.coins = list(coins)
        self.stolen = list(stolen)  # or discarded at random

    def shuffle(self, cards: list[str]) -> list[str]:
        return cards

    def coin(self) -> bool:
        return self.coins.pop(0) == "+"

    def steal(self, hand: list[str]) -> str:
        name = self.stolen.pop(0)
        assert name in hand
        return name

    drop = steal


def land(name: str, defense: int, value: int = 0, terrain: str = "Woods", **fields: Any) -> dict[str, Any]:
    return {"name": name, "terrain": terrain, "defense": defense, "value": value, **fields}


def army(
    space: str,
    tokens: int = 0,
    *,
    back: str | None = None,
    heroes: Sequence[str] = (),
    machines: Sequence[tuple[str, int]] = (),
    hand: Sequence[str] = (),
    conquest: Sequence[str] = (),
    leader: str = "Nobody",
) -> Seat:
    """One player's things; `machines` with their crew."""
    return Seat(
        leader=leader,
        hand=[Card(name) for name in hand],
        tokens=tokens,
        space=space_of(space),
        back=None if back is None else space_of(back),
        heroes=list(heroes),
        machines=[Machine(name, crew) for name, crew in machines],
        conquest=list(conquest),
    )


def scene(
    seats: Sequence[Seat],
    *,
    rows: Sequence[str] = STRIP,
    field: Mapping[str, str] | None = None,
    lands: Sequence[dict[str, Any]] = (),
    cards: Sequence[dict[str, Any]] = (),
    leaders: Sequence[dict[str, Any]] = (),
    coins: str = "",
    stolen: Iterable[str] = (),
    pile: Sequence[str] = (),
    discards: Sequence[str] = (),
    pool: int = 20,
    rules: Mapping[str, int] | None = None,
) -> EpicGame:
    """A game at the beginning of seat 0's turn, whose Phase A brings nothing (`reinforcements` 0, unless `rules` says so).

    `field` says which Lands still lie where (`!` before a face-up one). Cards not mentioned are not in the game; `coins`
    must all be used by the end of the test (`coins_left`).
    """
    data = {
        "card": [*PLAIN, *cards],
        "leader": [WITHOUT, *leaders],
        "land": [*lands, land("Hill", 3, 1), land("Burg", 20, 6, "Town")],
        "layout": [{"name": "scene", "rows": list(rows), "starts": {}}],
    }
    card_file = card_set(data)
    numbers = RULES | {"layout": 1, "reinforcements": 0} | dict(rules or {})
    table = Table(card_file, card_file.layouts[0], numbers, list(seats), {}, list(pile), 0, Script(coins, stolen))
    for space, name in ({} if field is None else field).items():
        table.field[space_of(space)] = Plot(name.lstrip("!"), name.startswith("!"))
    table.discard_pile = list(discards)
    table.pool = pool
    return EpicGame(table, {})


def apply_all(game: EpicGame, *labels: str) -> EpicGame:
    for label in labels:
        game.apply(label)
    return game


def coins_left(game: EpicGame) -> int:
    chance = game.table.chance
    assert isinstance(chance, Script)
    return len(chance.coins)


def where(game: EpicGame) -> list[str]:
    """The spaces of all Armies."""
    return [label_of(seat.space) for seat in game.table.seats]


def crews(game: EpicGame, seat: int = 0) -> list[tuple[str, int]]:
    return [(machine.name, machine.crew) for machine in game.table.seats[seat].machines]
