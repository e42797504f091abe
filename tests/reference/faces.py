"""Reads a card file (docs/cards.md) for the reference model, without any code of gosu_rl."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ALL_SIDES = ("left", "right", "above", "below")


@dataclass(frozen=True)
class Face:
    """What is printed on a card."""

    name: str
    clan: str
    level: int  # 1 Bakuto, 2 Hero, 3 Ozeki
    x: bool
    copies: int
    strength: int
    mutation: int | None  # cards to pay; None: cannot mutate; 0 is a cost (T10)
    zombie: bool
    enter: tuple[str, ...]
    link: tuple[str, ...]
    mutate: tuple[str, ...]
    links: tuple[str, ...]  # the sides on which its link powers listen (T28)
    activate: tuple[str, ...]  # powers for an activation token (G3)
    departure: tuple[str, ...]  # powers for each mutation of another goblin of the army, before the arrival (G7)
    rule: tuple[str, ...]  # how it bends the rules for its owner (G8)
    win: tuple[str, ...]  # conditions that win while all hold (G8, G16)
    names: tuple[str, ...]  # the cards that its powers and its condition speak of

    @property
    def label(self) -> str:
        return f"{self.name} X" if self.x else self.name


@dataclass(frozen=True)
class CardFile:
    """What the model needs of a card file."""

    variant: str
    faces: dict[str, Face]  # by label, in file order
    programs: dict[str, tuple[str, ...]]  # the steps of each power, where the file defines them (GOSU)


def read_cards(path: str | Path) -> CardFile:
    """All faces and programs of a card file.

    Raises NotImplementedError for a set of Tactics that defines powers: the model knows the rulebook's seven.
    """
    data: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    variant = data.get("set", {}).get("variant", "tactics")
    programs = {name: tuple(steps) for name, steps in data.get("powers", {}).items()}
    if programs and variant == "tactics":
        raise NotImplementedError(f"{path}: the reference model of Tactics knows the seven powers of the rulebook only")
    faces = {}
    for card in data["card"]:
        face = Face(
            name=card["name"],
            clan=card["clan"],
            level=card["level"],
            x=card.get("x", False),
            copies=card.get("copies", 1),
            strength=card["strength"],
            mutation=card.get("mutation"),
            zombie=card.get("zombie", False),
            enter=tuple(card.get("enter", ())),
            link=tuple(card.get("link", ())),
            mutate=tuple(card.get("mutate", ())),
            links=tuple(card.get("links", ALL_SIDES)),
            activate=tuple(card.get("activate", ())),
            departure=tuple(card.get("departure", ())),
            rule=tuple(card.get("rule", ())),
            win=tuple(card.get("win", ())),
            names=tuple(card.get("names", ())),
        )
        faces[face.label] = face
    return CardFile(variant, faces, programs)
