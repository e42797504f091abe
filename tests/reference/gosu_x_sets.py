"""Draws card files of Gosu X for the reference tests: texts, conditions, values and rules by chance, in many shapes.

Everything follows the grammar of docs/cards.md; no set has the game's composition. The small sets make reshuffles,
captures, Echo with Bounty, texts inside texts and the seldom victories common. What the contract leaves open (a
`that` after a card has been put into play, several `song` rules ...) is not written into them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import tomli_w

from .gosu_x_words import CLANS

LEVEL_WORDS = ("Troop", "Hero", "Lord")


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
    "x-holes": Shape(3, 3, 2, EVERY, clans=5),  # three clans without a card
}
KEYWORDS = ("bounty", "echo", "ethereal", "recruiter", "secret shift", "veteran", "wondrous")


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


class Writer:
    """Writes cards, texts and conditions by chance."""

    def __init__(self, chance: Random, shape: Shape, clans: Sequence[str]) -> None:
        self.clans = clans
        self.chance = chance
        self.shape = shape
        self.wills = 0
        self.songs = 0

    def pick(self, words: Sequence[str]) -> str:
        return self.chance.choice(words)

    def odds(self, share: float) -> bool:
        return self.chance.random() < share

    # --- cards and tiles ---------------------------------------------------------------------------------------

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
        if level > 1 and self.odds(0.2):
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

    # --- filters, counts, conditions ---------------------------------------------------------------------------

    def filter(self, words: Sequence[str] = ("own", "other", "")) -> str:
        """For cards in armies."""
        found = [self.pick(words)]
        if self.odds(0.55):
            levels = ["troop", "hero", "immortal", "troop hero"]
            places = ["left", "right", "above", "below", "row", "column", "left right", "above row", "mirror", "open"]
            kinds = ["icons", "tokens", "no-tokens", "bounty", "not-self", "self", f"keyword:{self._keyword()}"]
            clans = ["clan:self", f"clan:{self.pick(CLANS)}", f"stem:{self.pick(self.clans)}_Troop"]
            found.append(self.pick([*levels, *levels, *places, *kinds, *clans]).replace("Goan Sul", "Goan_Sul"))
        return " ".join(word for word in found if word)

    def _keyword(self) -> str:
        return self.pick(KEYWORDS).replace(" ", "_")

    def braces(self, words: Sequence[str] = ("own", "other", "")) -> str:
        inside = self.filter(words)
        return " {" + inside + "}" if inside else ""

    def print_filter(self, share: float = 0.6) -> str:
        """For cards in hands and piles."""
        if not self.odds(share):
            return ""
        words = ["troop", "hero", "immortal", "icons", "clan:self", f"keyword:{self._keyword()}", "troop hero"]
        return " {" + self.pick(words) + "}"

    def count(self, events: bool = True) -> str:
        """`events`: also of this turn; not in values, for there is no turn at the Battle (X55)."""
        other = self.pick(["", "", "other."])
        words = ["hand", "pile", "tokens", "spent", "placed", "clans", "supremacy", "wonder", "deck/4", "triples"]
        what = ["captured", "destroyed", "drawn", "discarded", "lost"]
        armies = ["#{" + self.filter(("own", "other")) + "}", "#{own up}", "#{other captured}"]
        return self.pick(
            [
                f"{other}{self.pick(words)}",
                *([f"{other}{self.pick(what)}"] if events else []),
                *armies,
                "#pile{troop}",
                "tiles",
                "round",
            ]
        )

    def amount(self, most: int = 2) -> str:
        if self.odds(0.75):
            return str(self.chance.randint(1, most))
        return self.pick(
            [f"{self.count()} max 2", "hand/2 max 2", f"{self.count()}+1 max 3", f"{self.count()}-1 max 2"]
        )

    def condition(self) -> str:
        simple = ["wonder", "passed", "other.passed", "active", "additional", "not wonder", "not active"]
        sign = self.pick([">=", "<=", "=", "!=", ">", "<"])
        parts = [
            self.pick(simple),
            f"{self.count()} >= {self.chance.randint(1, 3)}",
            f"{self.count()} {sign} {self.chance.randint(0, 4)}",
            f"#{{own up}} {sign} #{{other up}}",
            f"hand {sign} other.hand",
            f"not #{{{self.filter()}}}",
            f"{self.pick(['lost', 'captured', 'destroyed', 'drawn', 'discarded'])} >= 1",
        ]
        first = self.pick(parts)
        return f"{first} and {self.pick(parts)}" if self.odds(0.15) else first

    def lasting(self) -> str:
        """For values: not about this turn."""
        while True:
            condition = self.condition()
            words = re.findall(r"[a-z_]+", re.sub(r"\{[^}]*\}", "", condition))
            if not {"captured", "destroyed", "drawn", "discarded", "lost"} & set(words):
                return condition

    def placeless(self) -> str:
        """For Force of Will: the card is in the hand."""
        places = ("left", "right", "above", "below", "row", "column", "mirror", "self}", "self ")
        while True:
            condition = self.condition()
            if not any(word in condition for word in places) or "clan:self" in condition:
                return condition

    # --- texts -------------------------------------------------------------------------------------------------

    def text(self) -> list[str]:
        """What is looked at is not counted, so `#shown` and `look` do not meet."""
        while True:
            lines = self._draft_text()
            words = " ".join(lines)
            if ("#shown" not in words or "look" not in words) and len(lines) <= 14:
                return lines

    def _draft_text(self) -> list[str]:
        chance = self.chance
        steps = [step for _ in range(chance.choice([1, 1, 2, 2, 3])) for step in self.part()]
        shape = chance.random()
        if shape < 0.18:
            more = self.part()
            return [f"if {self.condition()}", *steps, *(["else", *more] if self.odds(0.4) else []), "end", *self.part()]
        if shape < 0.3:
            return ["choose_one", *steps, "or", *self.part(), *(["or", *self.part()] if self.odds(0.4) else []), "end"]
        if shape < 0.45:
            return [*self.price(), "if_done", *steps, *(["else", *self.part()] if self.odds(0.4) else [])]
        return steps

    def price(self) -> list[str]:
        number = self.chance.choice([1, 1, 2])
        paid = ["may discard 1 {troop}", f"may discard {number}", f"may sacrifice {number}", "may sacrifice 1 {troop}"]
        if "deck" in self.shape.steps:
            paid += [f"may put_on_deck {self.pick(['top', 'bottom'])} {number}", "may remove_pile 1", "may fetch 1"]
        if "token" in self.shape.steps:
            paid += ["may return_wonder", "may take_wonder", "may token_back"]
        return [
            self.pick([*paid, "may destroy {other}", "may capture {own}", "may draw 1", "discard 1", "capture {other}"])
        ]

    def part(self) -> list[str]:
        return list(getattr(self, f"_{self.pick(self.shape.steps)}")())

    def _hand(self) -> list[str]:
        may = self.pick(["", "", "may "])
        who = self.pick(["", "", "other ", "both "])
        return self.chance.choice(
            [
                [f"{may}draw {self.amount(3)}"],
                [f"{who}draw {self.amount()}"],
                [f"{who}discard {self.amount()}"],
                [f"{may}discard {self.chance.randint(1, 2)}"],
                ["may discard 1" + (self.print_filter(1.0))],
                ["other discard to hand"],
                [f"draw to {self.chance.randint(3, 6)}"],
                ["both discard to 3"],
                ["put_into_play hand" + self.print_filter()],
            ]
        )

    def _deck(self) -> list[str]:
        may, number = self.pick(["", "", "may "]), self.chance.randint(1, 4)
        rest = self.chance.choice([[], ["rest_to top"], ["rest_to bottom"], ["rest_to bottom"], ["rest_to discard"]])
        show = self.pick(["reveal", "reveal", "look", "look"]) + f" {number}"
        return self.chance.choice(
            [
                [
                    show,
                    f"{may}keep {self.pick(['1', '1', '2'])}{self.print_filter().replace('clan:self', 'icons')}",
                    *rest,
                ],
                [show, f"{may}keep 1{self.print_filter().replace('clan:self', 'hero')}", *rest],
                [show, f"{may if show.startswith('reveal') else ''}put_into_play shown{self.print_filter()}", *rest],
                [f"reveal {number}", "if #shown{troop} >= 2", "draw 1", "end", *rest],
                [show, *rest],
                [f"{may}fetch {self.pick(['1', '1', '2'])}{self.print_filter()}"],
                [f"{may}put_on_deck {self.pick(['top', 'bottom'])} {self.chance.randint(1, 2)}"],
                [f"put_on_deck top {self.chance.randint(1, 2)}", f"draw {self.amount()}"],
                [f"put_on_deck {self.pick(['top', 'bottom'])} 1"],
                [f"draw {self.amount(3)}"],
            ]
        )

    def _pile(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}take_back {self.amount()}{self.print_filter()}"],
                [f"{may}remove_pile {self.amount(3)}{self.print_filter(0.3)}"],
                [f"{may}retrieve {self.amount()}{self.print_filter(0.3)}"],
                [f"{may}put_into_play pile{self.print_filter()}"],
                [f"{may}return{self.braces()}"],
                [f"{may}remove{self.braces()}"],
            ]
        )

    def _army(self) -> list[str]:
        may = self.pick(["", "", "may "])
        verb = self.pick(["capture", "capture", "destroy", "destroy", "release", "release", "return", "remove"])
        return self.chance.choice(
            [
                [f"{may}{verb} {self.amount()}{self.braces()}"],
                [f"{may}{verb}{self.braces()}"],
                [f"{may}{verb}{self.braces()}"],
                [f"{may}{verb} every{self.braces()}"],
                [f"{self.pick(['', 'other ', 'both '])}sacrifice {self.amount()}"],
                ["other sacrifice to #{own}"],
                ["choose_clan", f"{verb} every {{clan:chosen}}"],
                ["choose_clan", f"{may}{verb} 2 {{clan:chosen}}"],
                ["capture {other}", "may release {that}"],
                [f"{may}release {{own}}", "resolve {that}"],
            ]
        )

    def _captive(self) -> list[str]:
        may = self.pick(["", "may "])
        return self.chance.choice(
            [
                ["capture {own not-self}"],
                ["capture {own not-self}", "capture {other}"],
                [f"{may}capture 2 {{other}}"],
                ["capture every {own not-self}", "capture every {other}"],
                ["release every"],
                ["release every {other}"],
                ["may release every"],
                [f"{may}destroy {{captured}}"],
                [f"{may}destroy 2 {{captured other}}"],
                ["place_bounty {other}", "capture {bounty}"],
            ]
        )

    def _bounty(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}place_bounty{self.braces()}"],
                [f"{may}move_bounty{self.braces()}"],
                ["place_bounty {other}", "capture {bounty other}"],
                [f"{may}place_ethereal{self.braces()}"],
                ["capture {bounty}"],
                ["destroy every {bounty other}"],
                ["capture every {other}"],
                [f"destroy {self.amount()} {{bounty}}"],
                ["place_bounty {other}"],
            ]
        )

    def _inner(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}resolve{self.braces(('own', ''))}"],
                ["resolve {troop}"],
                [f"{may}put_into_play pile{self.print_filter()}"],
                ["put_into_play hand" + self.print_filter(0.3)],
                ["reveal 2", f"{may}put_into_play shown", "rest_to bottom"],
            ]
        )

    def _token(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}token_back {self.amount()}"],
                [f"{may}token_back"],
                [f"{may}take_wonder"],
                [f"{may}return_wonder"],
                [f"if {self.condition()}", f"{may}unlock", "end"],
                ["place_ethereal" + self.braces()],
                ["draw 1"],
            ]
        )

    def _turn(self) -> list[str]:
        may = self.pick(["", "", "may "])
        return self.chance.choice(
            [
                [f"{may}extra_turn"],
                [f"{may}extra_turn"],
                [f"{may}pass"],
                ["pass"],
                ["token_back", "extra_turn"],
                ["draw 1"],
            ]
        )

    def _tile(self) -> list[str]:
        return self.chance.choice([["flip_tiles"], ["may flip_tiles"], ["place_ethereal"], ["draw tiles max 3"]])
