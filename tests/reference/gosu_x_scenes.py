"""Sets up positions of Gosu X for scripted tests of the model: plain cards of all clans, and cards of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from .gosu_x import GosuXGame
from .gosu_x_table import Card, DeckCard, XTable
from .gosu_x_words import CLANS

# Seat 0: Galmi, Goan Sul, Justice; seat 1: Phoenix, Tomorrow, Abhilasha; the tiles of Narashima and Xi'an are active.
PICKS = ("Galmi", "Phoenix", "Tomorrow", "Goan Sul", "Justice", "Abhilasha")
STRENGTH = {1: 2, 2: 3, 3: 5}


def x_card(name: str, clan: str, level: int, *text: str, **fields: Any) -> dict[str, Any]:
    """An entry of a card file."""
    entry: dict[str, Any] = {"name": name, "clan": clan, "level": level, "strength": STRENGTH[level], **fields}
    return entry | ({"text": list(text)} if text else {})


def plain_x_cards() -> list[dict[str, Any]]:
    """Cards without texts and shift costs: `Galmi t1` (two copies) to t4, `Galmi h1` to h5, `Galmi i1`, `Galmi i2`."""
    found = []
    for clan in CLANS:
        found += [x_card(f"{clan} t{number}", clan, 1, copies=2) for number in range(1, 5)]
        found += [x_card(f"{clan} h{number}", clan, 2) for number in range(1, 6)]
        found += [x_card(f"{clan} i{number}", clan, 3) for number in range(1, 3)]
    return found


def x_scene(
    folder: Path,
    hands: Sequence[Sequence[str]],
    armies: Sequence[Sequence[Sequence[str]]] = (),
    *,
    special: Sequence[dict[str, Any]] = (),
    tiles: Sequence[dict[str, Any]] = (),
    decks: Sequence[Sequence[str]] = (("Galmi i1", "Galmi i2"), ("Phoenix i1", "Phoenix i2")),
    piles: Sequence[Sequence[str]] = (),
    points: Sequence[int] = (),
    ready: Sequence[int] = (),
    wonder: int | None = None,
    rules: dict[str, int] | None = None,
    shuffle: Callable[[int, list[str]], list[str]] = lambda player, labels: labels,
    lots: Callable[[], int] = lambda: 0,
) -> GosuXGame:
    """A game before the first turn of round 1, which is seat 0's.

    `armies` are rows 1 to 3 of each seat: `*` before a captured card, behind a card `+` for each token, `$` for the
    Bounty token, `~` for an Ethereal token. Tokens on cards are besides those that are `ready` (2). Cards not mentioned
    are not in the game; a card may be used more often than it has copies.
    """
    path = folder / "scene.toml"
    data = {"set": {"variant": "gosu_x"}, "card": [*special, *plain_x_cards()], "tile": list(tiles)}
    path.write_text(tomli_w.dumps(data), encoding="utf-8")
    game = GosuXGame(path, 0, shuffle, lots, rules, PICKS)
    game.apply("keep")
    table = game.table
    for player, seat in enumerate(table.seats):
        seat.hand = list(hands[player])
        seat.deck = [DeckCard(label) for label in decks[player]]
        seat.discard_pile = list(piles[player]) if piles else []
        seat.points = points[player] if points else 0
        seat.ready = ready[player] if ready else seat.ready
        if armies:
            seat.army = [[_card(table, word) for word in row] for row in armies[player]] + [
                [] for _ in range(3 - len(armies[player]))
            ]
    table.wonder = wonder
    game.apply("keep")
    return game


def _card(table: XTable, word: str) -> Card:
    name = word.strip("*+$~")
    marks = word[len(name) + word.startswith("*") :]
    return Card(table.faces[name], word.startswith("*"), marks.count("+"), "$" in marks, "~" in marks)


def play_all(game: GosuXGame, *labels: str) -> GosuXGame:
    for label in labels:
        game.apply(label)
    return game


def x_rows(game: GosuXGame, player: int) -> list[list[str]]:
    """The army as labels, `*` before a captured card."""
    return [[("*" if card.captured else "") + card.face.label for card in row] for row in game.table.seats[player].army]
