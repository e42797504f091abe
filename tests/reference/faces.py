"""Reads a card file (docs/architecture.md, "Card files") for the reference model, without any code of gosu_rl."""

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

    @property
    def label(self) -> str:
        return f"{self.name} X" if self.x else self.name


def read_faces(path: str | Path) -> dict[str, Face]:
    """All faces of a card file by label, in file order.

    Raises NotImplementedError for sets whose powers are programs, which this model does not know.
    """
    data: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    if data.get("powers"):
        raise NotImplementedError(f"{path}: the reference model knows the seven powers of the rulebook only")
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
        )
        faces[face.label] = face
    return faces
