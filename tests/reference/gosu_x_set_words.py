"""Draws filters, amounts and conditions of Gosu X by chance, in the grammar of docs/cards.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from .gosu_x_words import CLANS

KEYWORDS = ("bounty", "echo", "ethereal", "recruiter", "secret shift", "veteran", "wondrous")


class Words:
    """Writes what stands in braces and behind `if`."""

    chance: Random
    clans: Sequence[str]  # those with cards
    odd: bool  # whether rare words are written too

    def pick(self, words: Sequence[str]) -> str:
        return self.chance.choice(words)

    def odds(self, share: float) -> bool:
        return self.chance.random() < share

    def filter(self, words: Sequence[str] = ("own", "other", "")) -> str:
        """For cards in armies."""
        if self.odd and self.odds(0.25):
            return self._odd_filter(words)
        found = [self.pick(words)]
        if self.odds(0.55):
            levels = ["troop", "hero", "immortal", "troop hero"]
            places = ["left", "right", "above", "below", "row", "column", "left right", "above row", "mirror", "open"]
            kinds = ["icons", "tokens", "no-tokens", "bounty", "not-self", "self", f"keyword:{self._keyword()}"]
            clans = ["clan:self", f"clan:{self.pick(CLANS)}", f"stem:{self.pick(self.clans)}_Troop"]
            found.append(self.pick([*levels, *levels, *places, *kinds, *clans]).replace("Goan Sul", "Goan_Sul"))
        return " ".join(word for word in found if word)

    def _odd_filter(self, words: Sequence[str]) -> str:
        first, clan = (clan.replace(" ", "_") for clan in (self.clans[0], self.pick(self.clans)))
        rare = [
            "keyword:force_of_will",
            "keyword:secret_shift",
            f"name:{clan}_Troop_(a)",
            f"clan:{clan} open",
            "up open",
        ]
        rare += [
            "captured open",
            "troop row",
            "left right above below",
            "mirror captured",
            "row column",
            "icons no-tokens",
        ]
        rare += [
            f"stem:{first}_Troop stem:{clan}_Troop",
            f"keyword:{self._keyword()} hero",
            "mirror up",
            "bounty captured",
        ]
        return " ".join(word for word in (self.pick(words), self.pick(rare)) if word)

    def _keyword(self) -> str:
        return self.pick(KEYWORDS).replace(" ", "_")

    def braces(self, words: Sequence[str] = ("own", "other", "")) -> str:
        inside = self.filter(words)
        return " {" + inside + "}" if inside else ""

    def print_filter(self, share: float = 0.6) -> str:
        """For cards in hands and piles."""
        if not self.odds(share):
            return ""
        if self.odd and self.odds(0.3):
            clan = self.pick(self.clans).replace(" ", "_")
            return (
                " {" + self.pick([f"clan:{clan}", f"name:{clan}_Troop_(a)", "keyword:secret_shift", "clan:self"]) + "}"
            )
        words = ["troop", "hero", "immortal", "icons", "clan:self", f"keyword:{self._keyword()}", "troop hero"]
        return " {" + self.pick(words) + "}"

    def count(self, events: bool = True) -> str:
        """`events`: also of this turn; not in values, for there is no turn at the Battle (X55)."""
        other = self.pick(["", "", "other."])
        words = ["hand", "pile", "tokens", "spent", "placed", "clans", "supremacy", "wonder", "deck/4", "triples"]
        if self.odd and self.odds(0.3):
            rare = ["token_count", "passed", "active", "#pile{hero}", "deck/9", "hand*2", "captured*2", "tokens*3"]
            return f"{other}{self.pick(rare)}"
        what = ["captured", "destroyed", "drawn", "discarded", "lost"]
        events = events or self.odd
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
            if self.odd:
                return condition
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
