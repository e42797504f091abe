"""Which cards a filter means, what an amount comes to, whether a condition holds, what rules and values are in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .gosu_x_table import Card, XTable
from .gosu_x_words import Amount, Condition, Filter, Rule, Value, XFace
from .table import Place


@dataclass
class Speaker:
    """Whose words are read: the card, its controller, and what its text has settled so far."""

    table: XTable
    player: int
    face: XFace | None = None  # None: a tile
    card: Card | None = None  # None: it lies in no army (Force of Will, a tile)
    chosen: str | None = None  # the clan chosen
    that: Card | None = None

    # --- filters -----------------------------------------------------------------------------------------------

    def fits_face(self, face: XFace, which: Filter) -> bool:
        """What is printed: for cards in hands and piles, and for face-up cards in armies."""
        if which.levels and face.level not in which.levels:
            return False
        clans = {self._clan(word) for word in which.clans}
        if which.clans and face.clan not in clans:
            return False
        if which.names and face.name not in which.names:
            return False
        if which.stems and face.stem not in which.stems:
            return False
        if "icons" in which.words and not face.icons:
            return False
        return all(keyword in face.keywords for keyword in which.keywords)

    def _clan(self, word: str) -> str | None:
        if word == "self":
            return self.face.clan if self.face else None
        return self.chosen if word == "chosen" else word

    def fits(self, place: Place, which: Filter) -> bool:
        """A captured card has a row and nothing else (X36)."""
        table, card = self.table, self.table.at(place)
        player, row, _ = place
        if which.levels and row + 1 not in which.levels:
            return False
        speaks_of_print = which.clans or which.names or which.stems or which.keywords or "icons" in which.words
        if speaks_of_print and (card.captured or not self.fits_face(card.face, which)):
            return False
        here = table.place_of(self.card) if self.card and not self.card.captured else None
        tests = {
            "own": player == self.player,
            "other": player != self.player,
            "up": not card.captured,
            "captured": card.captured,
            "open": table.is_open(place),
            "self": place == here,
            "not-self": card is not self.card,
            "mirror": here is not None and place == (1 - here[0], here[1], here[2]),
            "that": card is self.that,
            "bounty": card.is_bounty,
            "tokens": card.tokens > 0,
            "no-tokens": card.tokens == 0,
            "icons": not card.captured and card.face.icons > 0,
        }
        if not all(tests[word] for word in which.words):
            return False
        return not which.sides or (here is not None and any(_beside(place, here, side) for side in which.sides))

    def fitting(self, which: Filter, among: list[Place] | None = None) -> list[Place]:
        places = self.table.places() if among is None else among
        return [place for place in places if self.fits(place, which)]

    # --- amounts and conditions --------------------------------------------------------------------------------

    def amount(self, amount: Amount) -> int:
        base = self._count(amount) if amount.word else amount.number
        number = max(0, base * amount.times // amount.over + amount.plus)
        return number if amount.most is None else min(number, amount.most)

    def _count(self, amount: Amount) -> int:
        table, which = self.table, amount.filter
        player = 1 - self.player if amount.other else self.player
        seat = table.seats[player]
        match amount.word:
            case "#":
                return len(self.fitting(which))
            case "#pile":
                return sum(self.fits_face(table.faces[label], which) for label in seat.discard_pile)
            case "#shown":
                now = table.shown[-1] if table.shown else None
                shown = table.shown_cards(player) if now and now.public else []
                return sum(self.fits_face(table.faces[card.label], which) for card in shown)
            case "hand":
                return len(seat.hand)
            case "deck":
                return len(seat.deck)
            case "pile":
                return len(seat.discard_pile)
            case "tokens":
                return seat.ready
            case "spent":
                return seat.spent
            case "placed":
                return seat.placed
            case "token_count":
                return seat.ready + seat.spent + seat.placed
            case "clans":
                return len({card.face.clan for card in seat.face_up})
            case "triples":
                return sum(self._is_triple(player, column) for column in range(len(seat.army[2])))
            case "supremacy":
                return seat.points
            case "tiles":
                return len(table.tiles)
            case "round":
                return table.round
            case "wonder":
                return table.wonder == player
            case "passed":
                return seat.passed
            case "active":
                return table.active == player
            case "additional":
                return table.additional
            case "lead":
                return max(0, table.lead[player]) if table.lead else 0
            case "captured" | "destroyed" | "drawn" | "discarded" | "lost":
                return int(getattr(seat.this_turn, amount.word))
        raise ValueError(f"the reference model knows no count {amount.word!r}")

    def _is_triple(self, player: int, column: int) -> bool:
        """Three face-up cards of one clan in a column."""
        cards = [row[column] for row in self.table.seats[player].army]
        return not any(card.captured for card in cards) and len({card.face.clan for card in cards}) == 1

    def holds(self, condition: Condition) -> bool:
        for part in condition:
            left, right = self.amount(part.left), self.amount(part.right)
            held = {
                ">=": left >= right,
                "<=": left <= right,
                "=": left == right,
                "!=": left != right,
                ">": left > right,
                "<": left < right,
            }[part.sign]
            if not held:
                return False
        return True


def _beside(place: Place, here: Place, side: str) -> bool:
    """Whether `place` lies on that side of `here`, in the same army."""
    if place[0] != here[0] or place == here:
        return False
    up, right = place[1] - here[1], place[2] - here[2]
    return {
        "left": (up, right) == (0, -1),
        "right": (up, right) == (0, 1),
        "above": (up, right) == (1, 0),
        "below": (up, right) == (-1, 0),
        "row": up == 0,
        "column": right == 0,
    }[side]


# --- rules -------------------------------------------------------------------------------------------------------


def rules_for(table: XTable, player: int, word: str) -> Iterator[Rule]:
    """Those in force for the player: of active tiles, of his face-up cards, and of the other's that say "other"."""
    for clan in table.tiles:
        yield from (rule for rule in table.printed_tiles[clan].rule if rule.word == word)
    for number, seat in enumerate(table.seats):
        for card in seat.face_up:
            yield from (rule for rule in card.face.rule if rule.word == word and rule.other == (number != player))


def number_in_force(table: XTable, player: int, word: str, usual: int) -> int:
    """Of several that set it the smallest counts; changes come afterwards; never below 0."""
    rules = list(rules_for(table, player, word))
    sets = [rule.sets for rule in rules if rule.sets is not None]
    return max(0, (min(sets) if sets else usual) + sum(rule.changes for rule in rules))


def shift_change(table: XTable, player: int) -> int:
    return sum(rule.changes for rule in rules_for(table, player, "shift_cost"))


def in_force(table: XTable, player: int, word: str) -> bool:
    return any(True for _ in rules_for(table, player, word))


def is_ethereal(table: XTable, place: Place) -> bool:
    """By keyword, by token, or as the OPEN card of the topmost row under Justice's tile (X26, X27)."""
    player, row, column = place
    card, army = table.at(place), table.seats[player].army
    top = max(number for number in range(3) if army[number])
    on_top = row == top and column == len(army[row]) - 1
    guarded = on_top and in_force(table, player, "top_open_ethereal")
    table.saw("X27 the topmost OPEN card is Ethereal", guarded and not card.ethereal and not card.has("ethereal"))
    table.saw("X27 a captured card is Ethereal", guarded and card.captured)
    return card.ethereal or card.has("ethereal") or guarded


# --- military value ----------------------------------------------------------------------------------------------


def military_value(table: XTable, player: int) -> int:
    """All values at one moment: each card's with its changes, doubled if a Veteran, and the army's (X43)."""
    changes: dict[int, int] = {}
    bonus = 0
    for owner in range(2):
        for card in table.seats[owner].face_up:
            speaker = Speaker(table, owner, card.face, card)
            for entry in card.face.value:
                amount = _entry(speaker, entry)
                if entry.scope == "army":
                    bonus += amount if owner == player else 0
                    continue
                place = table.place_of(card)
                assert place is not None
                for other in [place] if entry.scope == "self" else speaker.fitting(entry.filter):
                    changes[id(table.at(other))] = changes.get(id(table.at(other)), 0) + amount
    for clan in table.tiles:
        bonus += sum(_entry(Speaker(table, player), entry) for entry in table.printed_tiles[clan].value)
    total = bonus
    for card in table.seats[player].face_up:
        value = max(0, card.face.strength + changes.get(id(card), 0))
        veteran = card.has("veteran") and card.tokens > 0
        table.saw("X43 a Veteran with several tokens is doubled once", veteran and card.tokens > 1)
        table.saw("X43 a changed value is doubled", veteran and changes.get(id(card)))
        total += 2 * value if veteran else value
    return total


def _entry(speaker: Speaker, entry: Value) -> int:
    if entry.condition and not speaker.holds(entry.condition):
        return 0
    return entry.sign * speaker.amount(entry.amount)
