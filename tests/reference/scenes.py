"""Sets up positions for scripted tests of the model: plain goblins of all clans, and cards of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from .gosu import GosuGame
from .model import ReferenceGame
from .table import Goblin
from .tactics import TacticsGame

CLANS = ("Fire", "Dark", "Alpha", "Méka", "Ancient")
STRENGTH = {1: 2, 2: 3, 3: 5}


def card(name: str, clan: str, level: int, **fields: Any) -> dict[str, Any]:
    """An entry of a card file."""
    return {"name": name, "clan": clan, "level": level, "strength": STRENGTH[level], **fields}


def plain_cards() -> list[dict[str, Any]]:
    """Five goblins of each clan and level, without powers: Bakutos `Fire b1` (two copies), `Fire h1`, `Fire o1` ..."""
    return [
        card(f"{clan} {letter}{number}", clan, level, copies=2 if level == 1 else 1)
        for clan in CLANS
        for level, letter in ((1, "b"), (2, "h"), (3, "o"))
        for number in range(1, 6)
    ]


def scene(
    folder: Path,
    hands: Sequence[Sequence[str]],
    armies: Sequence[Sequence[Sequence[str]]] = (),
    *,
    special: Sequence[dict[str, Any]] = (),
    pile: Sequence[str] = ("Alpha o5", "Alpha o4", "Alpha o3", "Alpha o2"),
    discards: Sequence[str] = (),
    points: Sequence[int] = (),
    advantage: int = 0,
    rules: dict[str, int] | None = None,
    shuffle: Callable[[list[str]], list[str]] = list,
    powers: dict[str, list[str]] | None = None,
) -> ReferenceGame:
    """A game before the first turn of round 1, which is the Advantage holder's.

    A game of Tactics, or of GOSU if `powers` are given (programs by name).
    `armies` are rows 1 to 3 of each seat, `*` before a trapped card. Cards not mentioned are not in the game; a
    face may be used more often than it has copies.
    """
    entries = [*special, *plain_cards()]
    path = folder / "scene.toml"
    data: dict[str, Any] = {"format": 1, "card": entries}
    if powers is not None:
        data |= {"set": {"variant": "gosu"}, "powers": powers}
    path.write_text(tomli_w.dumps(data), encoding="utf-8")
    labels = [
        entry["name"] + (" X" if entry.get("x") else "") for entry in entries for _ in range(entry.get("copies", 1))
    ]
    players = len(hands)
    numbers = {"deal": 1} | ({"keep": 1} if powers is None else {}) | (rules or {})
    game: ReferenceGame = (TacticsGame if powers is None else GosuGame)(
        path, players, [[label] for label in labels[:players]], labels[players:], advantage, shuffle, numbers
    )
    for _ in range(players - 1):
        game.apply("keep")
    table = game.table
    for seat, hand in zip(table.seats, hands, strict=True):
        seat.hand[:] = hand
    for seat, army in zip(table.seats, armies, strict=False):
        for row, names in enumerate(army):
            seat.army[row] = [Goblin(table.faces[name.lstrip("*")], name.startswith("*")) for name in names]
    for seat, score in zip(table.seats, points, strict=False):
        seat.points = score
    table.draw_pile, table.discard_pile = list(pile), list(discards)
    game.apply("keep")
    return game


def apply_all(game: ReferenceGame, *labels: str) -> ReferenceGame:
    for label in labels:
        game.apply(label)
    return game


def rows(game: ReferenceGame, seat: int) -> list[list[str]]:
    """The army as labels, `*` before a trapped card."""
    army: list[list[tuple[str, bool]]] = game.as_dict()["players"][seat]["army"]
    return [[("*" if trapped else "") + label for label, trapped in row] for row in army]
