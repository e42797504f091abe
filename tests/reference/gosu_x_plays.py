"""Gosu X: playing a card, shifting one for another, paying for it; Force of Will.

Part of `GosuXGame` (`gosu_x.py`), to whose table and rules it speaks.
"""

from __future__ import annotations

from collections import Counter

from .flow import Choices, Decision
from .gosu_x_counts import Speaker, number_in_force, shift_change
from .gosu_x_run import DECLINE
from .gosu_x_table import Card, XTable
from .gosu_x_texts import enter, run_text
from .gosu_x_words import XFace
from .table import slot_label

FORCE = "force of will"


class XPlays:
    """Cards that come from a hand, or by Secret shift from the discard pile."""

    table: XTable
    rules: dict[str, int]

    def _uses(self, player: int, face: XFace, from_pile: bool) -> dict[str, int]:
        """What the card can be used for, with the cost of each use; only what can be paid."""
        table, seat = self.table, self.table.seats[player]
        payers = len(seat.hand) - (0 if from_pile else 1)
        costs = {}
        if not from_pile and self._may_play(player, face):
            costs["recruit"] = self._cost_of_playing(player, face)
        for column, card in enumerate(seat.army[face.level - 1]):
            able = (
                card.face.shift is not None
                and card.face.name != face.name
                and (card.has("secret shift") or not from_pile)
            )
            table.saw("X34 a captured card is not shifted", able and card.captured)
            table.saw("X34 not by the same name", card.face.name == face.name and card.face.shift is not None)
            table.saw("X34 the same stem, another name", able and card.face.stem == face.stem)
            if able and not card.captured:
                assert card.face.shift is not None
                printed = card.face.shift + shift_change(table, player)
                table.saw("X7 a cost made smaller by tokens", card.tokens and printed > 0)
                costs[f"replace {slot_label((player, face.level - 1, column))}"] = max(0, printed - card.tokens)
        wonder = table.wonder == player
        table.saw(
            "X33 payable with the Wonder token alone",
            wonder and any(cost == payers + 1 for cost in costs.values()),
        )
        return {use: cost for use, cost in costs.items() if cost <= payers or (wonder and 0 < cost <= payers + 1)}

    def _may_play(self, player: int, face: XFace) -> bool:
        """A slot, and below Heroes and Immortals their clan (X35)."""
        table, seat = self.table, self.table.seats[player]
        row = face.level - 1
        clans = all(seat.has_clan(lower, face.clan) for lower in range(row))
        table.saw("X35 a row of five is full", len(seat.army[row]) == 5)
        table.saw(
            "X35 not more cards than in the row below", clans and len(seat.army[row]) < 5 and not seat.has_room(row)
        )
        printed = all(any(card.face.clan == face.clan for card in seat.army[lower]) for lower in range(row))
        table.saw("X35 a captured card has no clan", printed and not clans)
        return clans and seat.has_room(row)

    def _cost_of_playing(self, player: int, face: XFace) -> int:
        """Troops of a new clan cost two discards, but not the first, nor beside a Recruiter (X6, X32)."""
        table, seat = self.table, self.table.seats[player]
        troops = seat.army[0]
        if face.level > 1 or seat.has_clan(0, face.clan):
            return 0
        if all(card.captured for card in troops):
            table.saw("X6 free: all Troops are captured", troops)
            return 0
        if troops[-1].has("recruiter"):
            table.saw("X32 free beside a Recruiter")
            return 0
        table.saw("X32 a captured Recruiter", "recruiter" in troops[-1].face.keywords)
        return number_in_force(table, player, "new_clan_cost", self.rules["new_clan_cost"])

    def _play(self, player: int, verb: str, label: str) -> Choices:
        """The named card, its use, the payment, and then it enters (T47, X34)."""
        table, seat = self.table, self.table.seats[player]
        face = table.faces[label]
        uses = self._uses(player, face, from_pile=verb == "take")
        if verb == "play":
            table.leave_hand(player, label)
        else:
            table.saw("X34 a Secret shift")
            seat.discard_pile.remove(label)
        table.set_aside.append(label)
        use = next(iter(uses)) if len(uses) == 1 else (yield Decision(player, "use", frozenset(uses)))
        yield from self._pay(player, uses[use])
        table.set_aside.remove(label)
        card = Card(face)
        row = seat.army[face.level - 1]
        if use == "recruit":
            row.append(card)
        else:
            column = int(use.rpartition(".")[2]) - 1
            table.saw(
                "X34 a shift against the clan rule", not all(seat.has_clan(r, face.clan) for r in range(face.level - 1))
            )
            table.saw("X26 an Ethereal card is shifted", row[column].has("ethereal"))
            table.tokens_off(player, row[column])
            seat.discard_pile.append(row[column].face.label)
            row[column] = card
        yield from enter(table, player, card)

    def _pay(self, player: int, cost: int) -> Choices:
        """Discards one by one; before the first one the Wonder token may take the place of one (X33)."""
        table, seat = self.table, self.table.seats[player]
        wonder = cost > 0 and table.wonder == player
        if wonder and cost > len(seat.hand):
            table.wonder, wonder, cost = None, False, cost - 1
        while cost:
            if cost == len(seat.hand) and not wonder:
                for label in list(seat.hand):
                    table.discard(player, label)
                return
            labels = {f"discard {card}" for card in seat.hand} | ({"spend wonder"} if wonder else set())
            answer = yield Decision(player, "pay", frozenset(labels))
            if answer == "spend wonder":
                table.saw("X33 the Wonder token is spent")
                table.wonder = None
            else:
                table.discard(player, answer.removeprefix("discard "))
            wonder = False
            cost -= 1

    # --- Force of Will -----------------------------------------------------------------------------------------

    def _requirement_holds(self, player: int, face: XFace) -> bool:
        speaker = Speaker(self.table, player, face)
        return FORCE in face.keywords and all(speaker.holds(condition) for condition in face.will)

    def _usable_wills(self, player: int) -> set[str]:
        return {
            card for card in self.table.seats[player].hand if self._requirement_holds(player, self.table.faces[card])
        }

    def _could_hold_will(self, player: int) -> bool:
        """By public knowledge: known cards of the hand, or, with an unknown card in it, any that is nowhere else."""
        table, seat = self.table, self.table.seats[player]
        possible = Counter(seat.known)
        unknown = Counter(seat.hand) - Counter(seat.known)
        if unknown:
            possible += unknown + Counter(card.label for card in seat.deck if not card.both) - seat.surely
        able = any(self._requirement_holds(player, table.faces[label]) for label in possible)
        known_of = any(
            self._requirement_holds(player, face) for face in table.faces.values() if face.clan in seat.clans
        )
        table.saw("X31 no window: such a card cannot be in the hand", seat.hand and known_of and not able)
        return able

    def _use_will(self, player: int, label: str) -> Choices:
        table = self.table
        table.discard(player, label)
        yield from run_text(table, player, table.faces[label], None)

    def _will_window(self, player: int) -> Choices:
        """In the other's turn, after the action's effects, until declined (X15, X31)."""
        table, seat = self.table, self.table.seats[player]
        used = False
        while seat.hand and self._could_hold_will(player):
            labels = frozenset(f"will {card}" for card in self._usable_wills(player))
            table.saw("X31 a window for a hand without such a card", not labels)
            answer = yield Decision(player, "will", labels | DECLINE)
            if answer == "decline":
                break
            table.saw("X31 Force of Will in the other's turn")
            table.saw("X31 used again in one window", used)
            table.saw("X21 Force of Will by who has passed", seat.passed)
            used = True
            yield from self._use_will(player, answer.removeprefix("will "))
