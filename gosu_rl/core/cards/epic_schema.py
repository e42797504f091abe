"""What a card set of Epic Death is, once read: Goblin cards, Leaders, Lands and layouts of the field.

Faces of Goblin cards are `cards`, so that whatever asks any set for its faces and copies finds them; Leaders, Lands and layouts
stand beside them. Reading lies in `epic_load.py`, checking in `epic_check.py`, layouts in `layouts.py`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

from gosu_rl.core.cards.schema import CardSet

KINDS = ("action", "machine", "hero")
TERRAINS = ("Woods", "River", "Wall", "Town")
NEEDS = ("hero", "machine")
MENUS = ("a", "b", "d")
WINDOWS = (*MENUS, "combat", "fray", "toss", "answer")  # when an Action may be played
TRAITS = (  # what always holds for the owner (docs/cards.md)
    "forager", "pathfinder", "free crew", "healer", "big pockets", "brawler", "woodsman", "ferryman", "sapper", "recruiter",
    "rear guard",
)  # fmt: skip


@dataclass(frozen=True)
class GoblinCard:
    """One face of the Goblin deck."""

    name: str
    kind: str
    copies: int = 1
    value: int = 0  # a Machine's value, a Hero's Attack
    cost: int = 0  # a Machine's crew, a Hero's cost in tokens
    trait: str = ""
    when: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The text that names this face everywhere."""
        return self.name


@dataclass(frozen=True)
class Leader:
    """A Leader: a trait that always holds, or an ability for certain menus."""

    name: str
    trait: str = ""
    ability: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The text that names this Leader everywhere."""
        return self.name


@dataclass(frozen=True)
class Land:
    """One face of the Lands."""

    name: str
    terrain: str
    copies: int = 1
    defense: int = 0
    value: int = 0  # Victory Points and reinforcements
    icons: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    needs: str = ""
    epic: bool = True
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The text that names this face everywhere."""
        return self.name


@dataclass(frozen=True)
class Layout:
    """A field: rows of marks divided by blanks, and the letters of the starts for each number of players (layouts.py)."""

    name: str
    rows: tuple[str, ...]
    starts: Mapping[str, str] = field(default_factory=dict)  # "2" -> "ac"
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name."""
        return self.name


TABLE_FIELDS = {
    "card": ("name", "kind", "copies", "value", "cost", "trait", "when", "steps"),
    "leader": ("name", "trait", "ability", "when"),
    "land": ("name", "terrain", "copies", "defense", "value", "icons", "text", "needs", "epic"),
    "layout": ("name", "rows", "starts"),
}
ALL_FIELDS = tuple(dict.fromkeys(name for names in TABLE_FIELDS.values() for name in names))
Entry = GoblinCard | Leader | Land | Layout
_TABLE_OF: dict[type, str] = {GoblinCard: "card", Leader: "leader", Land: "land", Layout: "layout"}


@dataclass(frozen=True, repr=False)
class EpicSet(CardSet):
    """All cards and layouts of Epic Death."""

    cards: tuple[GoblinCard, ...] = ()  # type: ignore[assignment] # faces of another game, with what every face has
    leaders: tuple[Leader, ...] = ()
    lands: tuple[Land, ...] = ()
    layouts: tuple[Layout, ...] = ()

    def __repr__(self) -> str:
        counts = f"{self.copies} Goblin cards, {len(self.leaders)} Leaders, {self.land_copies} Lands"
        return f"<EpicSet {self.name}@{self.hash}, {counts}>"

    @property
    def land_copies(self) -> int:
        """Number of Lands."""
        return sum(land.copies for land in self.lands)

    @property
    def fields(self) -> tuple[str, ...]:
        return ALL_FIELDS

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (*self.cards, *self.leaders, *self.lands, *self.layouts)

    def fields_of(self, entry: object) -> tuple[str, ...]:
        return TABLE_FIELDS[_TABLE_OF[type(entry)]]

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits over everything that changes play."""
        rows = []
        for entry in self.entries:
            row = asdict(entry)
            del row["provenance"]
            rows.append([_TABLE_OF[type(entry)], row])
        text = json.dumps([self.variant, rows], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def with_layout(self, layout: Layout) -> EpicSet:
        """This set with one more layout behind the others."""
        return replace(self, layouts=(*self.layouts, layout))
