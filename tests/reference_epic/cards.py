"""Reads a card file of Epic Death (docs/cards.md, "Epic Death") for the reference model, without any code of gosu_rl."""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Space = tuple[int, int]  # row and column in the layout, from 1

TERRAINS = ("Woods", "River", "Wall", "Town")
SIGNS = {"+": "Woods", "~": "River", "#": "Wall", "T": "Town"}
MOST_SPACES = 60  # E51


def label_of(space: Space) -> str:
    return f"{space[0]}.{space[1]}"


def space_of(label: str) -> Space:
    row, _, column = label.partition(".")
    return int(row), int(column)


@dataclass(frozen=True)
class Step:
    """One step of a card: its word, and what stands behind the word."""

    text: str
    word: str
    number: int  # 0 if there is none
    what: str  # of `choose` and `take_back`: whom, which
    condition: str = ""  # what stands between `if` and the colon


def step_of(text: str) -> Step:
    condition, order = "", text
    if text.startswith("if "):
        condition, _, order = text.removeprefix("if ").partition(": ")
    word, _, rest = order.partition(" ")
    is_number = rest.lstrip("+-").isdigit()
    return Step(text, word, int(rest) if is_number else 0, "" if is_number else rest, condition)


def steps_of(texts: Iterable[str]) -> tuple[Step, ...]:
    return tuple(step_of(text) for text in texts)


@dataclass(frozen=True)
class GoblinCard:
    """A Hero, a Machine or an Action."""

    name: str
    kind: str
    copies: int
    value: int  # a Hero's Attack, a Machine's value
    cost: int  # a Hero's cost in tokens, a Machine's crew
    trait: str
    when: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Leader:
    name: str
    ability: tuple[Step, ...]
    when: tuple[str, ...]
    trait: str


@dataclass(frozen=True)
class Land:
    name: str
    terrain: str
    copies: int
    defense: int
    value: int  # Victory Points and reinforcements
    effects: tuple[Step, ...]  # icons from top to bottom, then the text (E15)
    needs: str
    epic: bool


@dataclass(frozen=True)
class Layout:
    """The shape of a battlefield."""

    name: str
    terrain: dict[Space, str]
    starts: dict[int, tuple[Space, ...]]  # number of players -> spaces

    def neighbours(self, space: Space) -> list[Space]:
        row, column = space
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [place for place in around if place in self.terrain]

    def distances(self, *origins: Space) -> dict[Space, int]:
        """Steps from the nearest of `origins`, for every space that can be reached."""
        found = dict.fromkeys(origins, 0)
        queue = deque(origins)
        while queue:
            space = queue.popleft()
            for place in self.neighbours(space):
                if place not in found:
                    found[place] = found[space] + 1
                    queue.append(place)
        return found

    @property
    def towns(self) -> list[Space]:
        return [space for space, terrain in self.terrain.items() if terrain == "Town"]


@dataclass(frozen=True)
class CardSet:
    cards: dict[str, GoblinCard]  # faces of two copies first, then the others, each in the order of the file
    leaders: dict[str, Leader]
    lands: dict[str, Land]
    layouts: tuple[Layout, ...]

    def has_window(self, window: str) -> bool:
        """Is there an Action for this window in the set (E30, E31)?"""
        return any(window in card.when for card in self.cards.values())


def read_layout(data: dict[str, Any]) -> Layout:
    terrain: dict[Space, str] = {}
    letters: dict[str, Space] = {}
    for row, line in enumerate(data["rows"], 1):
        for column, sign in enumerate(line.split(), 1):
            if sign == ".":
                continue
            if sign[0] in SIGNS:
                terrain[row, column] = SIGNS[sign]
            else:
                letters[sign[0]] = (row, column)
                terrain[row, column] = SIGNS[sign[1:] or "+"]
    starts = {
        int(players): tuple(letters[letter] for letter in word if letter != " ")
        for players, word in data["starts"].items()
    }
    return Layout(data["name"], terrain, starts)


def read_layout_file(text: str) -> Layout:
    """A layout written down as text: a name, rows, and for each number of players its starts."""
    data: dict[str, Any] = {"name": "", "rows": [], "starts": {}}
    for line in text.splitlines():
        word, colon, rest = line.partition(":")
        if not line.strip() or line.startswith(";"):
            continue
        if colon and word == "name":
            data["name"] = rest.strip()
        elif colon and word.startswith("starts "):
            data["starts"][word.removeprefix("starts ")] = rest.strip()
        else:
            data["rows"].append(line)
    return read_layout(data)


def layout_fault(layout: Layout, lands: Iterable[Land]) -> str:
    """What E51 has against a layout; empty if nothing."""
    if not layout.towns:
        return "no Town"
    if len(layout.terrain) > MOST_SPACES:
        return "too many spaces"
    if len(layout.distances(layout.towns[0])) < len(layout.terrain):
        return "a space that cannot be reached"
    steps = layout.distances(*layout.towns)
    for players, starts in layout.starts.items():
        if len(set(starts)) != players or len(starts) != players:
            return f"not {players} starts"
    if len({steps[start] for starts in layout.starts.values() for start in starts}) > 1:
        return "unequal distances"
    for terrain in TERRAINS:
        cards = sum(land.copies for land in lands if land.terrain == terrain)
        if cards < list(layout.terrain.values()).count(terrain):
            return f"too few {terrain} cards"
    return ""


def card_set(data: dict[str, Any]) -> CardSet:
    """The set that a card file's data describes."""
    cards = [
        GoblinCard(
            name=card["name"],
            kind=card["kind"],
            copies=card.get("copies", 1),
            value=card.get("value", 0),
            cost=card.get("cost", 0),
            trait=card.get("trait", ""),
            when=tuple(card.get("when", ())),
            steps=steps_of(card.get("steps", ())),
        )
        for card in data["card"]
    ]
    leaders = [
        Leader(
            leader["name"], steps_of(leader.get("ability", ())), tuple(leader.get("when", ())), leader.get("trait", "")
        )
        for leader in data["leader"]
    ]
    lands = [
        Land(
            name=land["name"],
            terrain=land["terrain"],
            copies=land.get("copies", 1),
            defense=land["defense"],
            value=land["value"],
            effects=steps_of([*land.get("icons", ()), *land.get("text", ())]),
            needs=land.get("needs", ""),
            epic=land.get("epic", True),
        )
        for land in data["land"]
    ]
    return CardSet(
        cards={card.name: card for card in sorted(cards, key=lambda card: -card.copies)},
        leaders={leader.name: leader for leader in leaders},
        lands={land.name: land for land in lands},
        layouts=tuple(read_layout(layout) for layout in data["layout"]),
    )


def read_card_set(path: str | Path) -> CardSet:
    return card_set(tomllib.loads(Path(path).read_text(encoding="utf-8")))
