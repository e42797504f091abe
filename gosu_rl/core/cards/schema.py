"""What a card and a card set are, once read from a TOML file.

The dataclasses here carry meaning only; reading and checking live in `load.py` and `check.py`, drawing sets at random
in `sample*.py`, and turning a set into the integer tables of the kernel in `gosu_rl.core.gosu.rules`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

TRIGGERS = ("enter", "link", "mutate")
ALL_TRIGGERS = (*TRIGGERS, "activate", "departure")  # of all variants; FIELDS says which of them a variant has
# How an Ôzeki bends the rules for its owner while it lies face up (G8, G24; docs/cards.md).
BENDS = (
    "long reach", "rich tokens", "round draw", "all zombies", "cheap mutation", "held fast", "strange allies", "spare token",
    "double victory", "wins ties",
)  # fmt: skip
SIDES = ("left", "right", "above", "below")
PROVENANCES = ("rulebook", "published", "reconstructed")
COMPOSITIONS = ("rulebook", "free")


class CardFileError(ValueError):
    """A card file that cannot be used; the message names the file, the card and the field."""


@dataclass(frozen=True)
class Card:
    """One face of a set."""

    name: str
    clan: str
    level: int
    x: bool = False
    copies: int = 1
    strength: int = 0
    mutation: int | None = None
    zombie: bool = False
    enter: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    mutate: tuple[str, ...] = ()
    links: tuple[str, ...] = SIDES
    activate: tuple[str, ...] = ()
    departure: tuple[str, ...] = ()  # whenever another goblin of the army is mutated, before its replacement comes (G7)
    rule: tuple[str, ...] = ()  # words of BENDS; in Gosu X rules as docs/cards.md lists them
    win: tuple[str, ...] = ()  # conditions that win while all hold; in Gosu X at the Battle
    names: tuple[str, ...] = ()  # the cards that its powers and its condition name
    # -- Gosu X (docs/cards.md, texts.py)
    shift: int | None = None  # shift cost; None: it cannot be shifted
    icons: int = 0  # Activation icons
    keywords: tuple[str, ...] = ()
    text: tuple[str, ...] = ()  # the steps of its one text
    on: str = ""  # "entering" or "activation": the only time when the text is resolved (X30)
    will: tuple[str, ...] = ()  # conditions of Force of Will
    value: tuple[str, ...] = ()  # what it adds to military values
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The text that names this face everywhere: actions, prints, records."""
        return f"{self.name} X" if self.x else self.name

    @property
    def stem(self) -> str:
        """The name without what stands in brackets: cards of one stem share a name, but are not identical (Gosu X)."""
        return self.name.partition(" (")[0]


@dataclass(frozen=True)
class Tile:
    """The active side of a clan's Immortal tile (Gosu X): works for both players while it is active."""

    clan: str
    rule: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    win: tuple[str, ...] = ()


_BLANK = Card("", "", 0)


@dataclass(frozen=True, repr=False)
class CardSet:
    """All faces of a variant, doubled faces first (see docs/architecture.md, Card files)."""

    name: str
    variant: str
    title: str
    version: str
    composition: str
    cards: tuple[Card, ...]
    powers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    path: str = field(default="", compare=False)  # where it was read from; no part of what the set is
    tiles: tuple[Tile, ...] = ()  # of Gosu X

    def __post_init__(self) -> None:
        ordered = sorted(self.cards, key=lambda card: -card.copies)  # stable: file order within a group
        object.__setattr__(self, "cards", tuple(ordered))

    def __repr__(self) -> str:
        return f"<CardSet {self.name}@{self.hash}, {self.copies} cards of {len(self.cards)} faces>"

    @property
    def copies(self) -> int:
        """Number of physical cards."""
        return sum(card.copies for card in self.cards)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that a card of this variant has."""
        return FIELDS.get(self.variant, CARD_FIELDS)

    @property
    def entries(self) -> tuple[Any, ...]:
        """Everything in the set that has fields with a provenance: its faces, and what other games have besides."""
        return self.cards

    def fields_of(self, entry: Any) -> tuple[str, ...]:
        """The fields that one entry has."""
        return self.fields

    @property
    def provenances(self) -> list[str]:
        """Where every field of every entry comes from, one word of PROVENANCES a field."""
        return [self.field_provenance(entry, name) for entry in self.entries for name in self.fields_of(entry)]

    @property
    def is_reconstruction(self) -> bool:
        """True unless every field of every card is a rulebook or a published fact."""
        return "reconstructed" in self.provenances

    def field_provenance(self, card: Any, name: str) -> str:
        """Where one field of one card comes from: a word of PROVENANCES."""
        return card.provenance.get(name, self.provenance.get(name, "reconstructed"))

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits over everything that changes play (not notes, sources or provenance)."""
        rows = []
        for card in self.cards:
            row = asdict(card)
            del row["provenance"]
            for name in set(row) - set(CARD_FIELDS):  # fields that came later change no hash where they are not used
                if row[name] == getattr(_BLANK, name):
                    del row[name]
            rows.append(row)
        parts: list[object] = [self.variant, rows, dict(self.powers)]
        if self.tiles:
            parts.append([asdict(tile) for tile in self.tiles])
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def banner(self) -> str:
        """One line for reports: name, version, hash and whether it is a reconstruction."""
        kind = "a reconstruction, not the published cards" if self.is_reconstruction else "published cards"
        return f"{self.title} ({self.name}@{self.hash}; {kind})"


CARD_FIELDS = (
    "name",
    "clan",
    "level",
    "x",
    "copies",
    "strength",
    "mutation",
    "zombie",
    "enter",
    "link",
    "mutate",
    "links",
)
FIELDS = {
    "tactics": CARD_FIELDS,
    "gosu": (
        "name",
        "clan",
        "level",
        "copies",
        "strength",
        "mutation",
        "zombie",
        "enter",
        "mutate",
        "activate",
        "departure",
        "rule",
        "win",
        "names",
    ),
    "gosu_x": (
        "name",
        "clan",
        "level",
        "copies",
        "strength",
        "shift",
        "icons",
        "keywords",
        "text",
        "on",
        "will",
        "value",
        "rule",
        "win",
    ),
}
