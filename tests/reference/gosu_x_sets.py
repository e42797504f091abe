"""Draws card files of Gosu X for the reference tests: texts, conditions, values and rules by chance, in many shapes.

Everything follows the grammar of docs/cards.md; no set has the game's composition. The small sets make reshuffles,
captures, Echo with Bounty, texts inside texts and the seldom victories common. What the contract leaves open (a
`that` after a card has been put into play, several `song` rules ...) is not written into them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import tomli_w

from .gosu_x_set_texts import Texts
from .gosu_x_set_words import KEYWORDS
from .gosu_x_words import CLANS

LEVEL_WORDS = ("Troop", "Hero", "Lord")
TIMERS = (
    "turns_after_pass 0", "turns_after_pass 1", "turns_after_pass 2", "turns_after_pass 5", "turns_after_pass +1",
    "turns_after_pass -1", "turns_after_pass +2", "other turns_after_pass +1", "other turns_after_pass 1", "song 1", "song 2",
    "song +1",
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """How a style draws its cards."""

    troops: int  # faces a clan, two copies each
    heroes: int
    immortals: int
    steps: tuple[str, ...]  # names of groups of steps, drawn from more often the more often they are named
    keywords: tuple[str, ...] = ()  # these on many cards
    text_odds: float = 0.75
    clans: int = 8  # clans with cards
    unlocks: float = 0.3  # of Immortals
    tiles: float = 0.8  # of clans with a tile
    wills: float = 0.15
    odd: bool = False  # rare words too, and this turn's counts in values
    timers: float = 0.0  # of cards of every level: a rule about turns after a pass, or the Song


EVERY = ("hand", "deck", "pile", "army", "token", "turn")
X_SHAPES: dict[str, Shape] = {
    "x-mixed": Shape(2, 2, 1, EVERY),
    "x-large": Shape(4, 4, 2, EVERY),  # 112 copies
    "x-small": Shape(1, 1, 1, EVERY, tiles=1.0),  # decks of twelve
    "x-bounty": Shape(2, 2, 1, ("army", "bounty", "bounty"), ("bounty", "echo", "ethereal")),
    "x-nested": Shape(2, 2, 1, ("inner", "inner", "army", "hand", "turn"), ("echo", "wondrous"), 0.95),
    "x-decks": Shape(1, 2, 1, ("deck", "deck", "pile", "hand"), ("secret shift", "recruiter"), 0.9),
    "x-wills": Shape(2, 2, 1, EVERY, ("force of will",), 0.9, wills=0.6),
    "x-tokens": Shape(2, 2, 1, ("token", "token", "turn"), ("veteran", "wondrous", "recruiter"), 0.8),
    "x-tiles": Shape(1, 1, 2, ("tile", "token", "army"), (), 0.9, tiles=1.0, unlocks=0.6),
    "x-builders": Shape(3, 3, 2, ("hand", "inner"), ("recruiter", "ethereal"), 0.6, unlocks=0.0),  # fifteen face up
    "x-equals": Shape(2, 2, 1, ("token",), (), 0.2, tiles=0.2),  # cards of equal strength: ties
    "x-turns": Shape(2, 2, 1, ("turn", "turn", "hand", "token"), ("wondrous",), 0.9),
    "x-captives": Shape(
        3, 2, 1, ("captive", "captive", "hand"), ("bounty",), 0.9, unlocks=0.0
    ),  # armies released at once
    "x-odd": Shape(2, 2, 1, ("odd", "odd", "odd", "army", "deck", "inner"), ("echo",), 0.95, odd=True),
    "x-timers": Shape(2, 2, 1, ("captive", "turn", "turn", "hand"), (), 0.9, odd=True, timers=0.4),
    "x-holes": Shape(3, 3, 2, EVERY, clans=5),  # three clans without a card
}


def write_x_set(path: Path, style: str, seed: int) -> Path:
    """Writes one card file; the same style and seed give the same file."""
    path.write_text(tomli_w.dumps(draw_x_set(style, seed)), encoding="utf-8")
    return path


def draw_x_set(style: str, seed: int) -> dict[str, Any]:
    """The data of one card file."""
    chance = Random(f"{style} {seed}")
    shape = X_SHAPES[style]
    clans = chance.sample(CLANS, shape.clans)
    writer = Writer(chance, shape, clans)
    cards = []
    for clan in CLANS:
        if clan in clans:
            for level, count in enumerate((shape.troops, shape.heroes, shape.immortals), start=1):
                cards += [writer.card(style, clan, level, number) for number in range(1, count + 1)]
    return {
        "format": 1,
        "set": {
            "name": f"{style}-{seed}",
            "variant": "gosu_x",
            "title": f"Test set {style} {seed}",
            "version": "1",
            "composition": "free",
        },
        "card": cards,
        "tile": [tile for clan in CLANS if (tile := writer.tile(clan)) is not None],
    }


class Writer(Texts):
    """Writes cards and tiles by chance."""

    def __init__(self, chance: Random, shape: Shape, clans: Sequence[str]) -> None:
        self.clans = clans
        self.chance = chance
        self.shape = shape
        self.groups = shape.steps
        self.odd = shape.odd
        self.wills = 0
        self.songs = 0

    def card(self, style: str, clan: str, level: int, number: int) -> dict[str, Any]:
        chance, shape = self.chance, self.shape
        stem = f"{clan} {LEVEL_WORDS[level - 1]}"
        name = (
            f"{stem} ({'abcdefgh'[number - 1]})"
            if self.odds(0.3) or (level, number) == (1, 1)
            else f"{stem} {'ABCDEFGH'[number - 1]}"
        )
        card: dict[str, Any] = {"name": name, "clan": clan, "level": level, "copies": 2 if level == 1 else 1}
        card["strength"] = 2 if style == "x-equals" else chance.choice([0, 1, 2, 2, 3, 3, 5])
        if self.odds(0.75):
            card["shift"] = chance.choice([0, 1, 1, 2, 3])
        keywords = {word for word in KEYWORDS if self.odds(0.08)} | {word for word in shape.keywords if self.odds(0.4)}
        keywords -= {"force of will"} | ({"recruiter"} if level > 1 else set())
        if self.odds(shape.text_odds):
            card["text"] = self.text()
            if self.odds(shape.wills) and self.wills < 20:
                self.wills += 1
                keywords.add("force of will")
                card["will"] = [self.placeless() for _ in range(chance.choice([1, 1, 2]))]
        if level == 3 and self.odds(shape.unlocks):
            card["text"] = ["unlock"] if self.odds(0.3) else [f"if {self.condition()}", "unlock"]
        if style == "x-tiles" and level == 3:
            card["text"] = self.chance.choice([["flip_tiles"], ["flip_tiles", "if tiles >= 4", "win"], ["unlock"]])
        if "shift" not in card:
            keywords.discard("secret shift")
        icons = chance.choice([0, 0, 1, 1, 2, 3]) if style != "x-tokens" else chance.choice([1, 2, 3])
        if "text" not in card:
            keywords.discard("echo")
            icons *= "veteran" in keywords  # a token would do nothing
        elif icons and self.odds(0.2):
            card["on"] = "activation" if "veteran" not in keywords or "echo" in keywords else "entering"
        if card.get("on") == "activation":
            keywords.discard("echo")
        if not icons:
            keywords.discard("veteran")
        card["icons"] = icons
        card["keywords"] = sorted(keywords)
        if self.odds(0.2):
            card["value"] = [self.value()]
        if shape.timers and self.odds(shape.timers):
            card["rule"] = [self.pick(TIMERS)]
        elif level > 1 and self.odds(0.2):
            card["rule"] = [self.rule()]
        if level == 3 and self.odds(0.15):
            card["win"] = [f"lead >= {chance.choice([3, 6, 10])}"]
        return card

    def tile(self, clan: str) -> dict[str, Any] | None:
        """Justice's always guards, so that "Justice's tile" is one by name and by rule (X27, X57)."""
        if clan == "Justice":
            return {"clan": clan, "rule": ["top_open_ethereal"]}
        if not self.odds(self.shape.tiles):
            return None
        kinds: list[dict[str, Any]] = [
            {"rule": ["turns_after_pass 2", "two_tokens_extra_turn"]},
            {"rule": [self.pick(["hand_limit 5", "hand_limit 4", "hand_limit +1", "hand_limit -2"])]},
            {"rule": [self.pick(["new_clan_cost 1", "new_clan_cost +1", "shift_cost -1", "shift_cost +1"])]},
            {"rule": [self.pick(["turns_after_pass 1", "turns_after_pass +1", "two_tokens_extra_turn"])]},
            {"value": [f"army {self.count(False)}"]},
            {"value": [f"army {self.count(False)}"]},
            {"win": [f"lead >= {self.chance.choice([4, 10])}"]},
        ]
        return {"clan": clan} | self.chance.choice(kinds)

    def value(self) -> str:
        amount = self.pick(["1", "2", self.count(False), f"{self.count(False)} max 3", "-1", "-2"])
        scope = self.pick(["", "self ", "each {" + self.filter() + "} "])
        if not amount.startswith("-") and self.odds(0.3):
            scope = "army "
        return f"{scope}{amount}" + (f" if {self.lasting()}" if self.odds(0.5) else "")

    def rule(self) -> str:
        if not self.songs and self.odds(0.2):
            self.songs += 1
            return "song 1"
        return self.pick(
            [
                "hand_limit 4", "hand_limit +2", "other hand_limit 5", "other hand_limit -1", "turns_after_pass 1",
                "turns_after_pass +1", "new_clan_cost 1", "new_clan_cost -1", "other new_clan_cost +1", "shift_cost -1",
                "other shift_cost +1", "two_tokens_extra_turn", "top_open_ethereal",
            ]
        )  # fmt: skip
