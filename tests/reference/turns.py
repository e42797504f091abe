"""One turn: what a player may name, recruiting and mutating. What both variants have in common, and where they part."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .faces import Face
from .flow import Choices, Decision
from .table import ROW_LENGTH, Goblin, Place, Table, ask_discards, slot_label


class Turns(ABC):
    """The part of a game that plays a card. The last methods are the ones in which the variants differ."""

    table: Table

    # --- what may be done --------------------------------------------------------------------------------------

    def nameable(self, player: int) -> set[str]:
        """The labels that name a card: those with a use that can be paid (T47).

        A set without them is also what lets a player redraw at a new round of Tactics (T43).
        """
        table = self.table
        hand, discards = set(table.seats[player].hand), set(table.discard_pile)
        labels = {f"play {card}" for card in hand if self.uses(player, table.faces[card], False)}
        return labels | {f"take {card}" for card in discards if self.uses(player, table.faces[card], True)}

    def uses(self, player: int, face: Face, from_discard: bool) -> set[str]:
        """What the card can be used for, payments included; for a card still in the hand or in the discard pile."""
        seat = self.table.seats[player]
        payers = len(seat.hand) - (0 if from_discard else 1)  # the named card itself does not pay (T47)
        labels = set()
        if not from_discard and self.can_recruit(player, face) and self.recruit_cost(player, face) <= payers:
            labels.add("recruit")
        for column, goblin in enumerate(seat.army[face.level - 1]):
            if self.can_replace(player, goblin, face, from_discard) and self.mutation_cost(player, goblin) <= payers:
                labels.add(f"replace {slot_label((player, face.level - 1, column))}")
                self.table.saw(
                    "T47 a zombie's replacement paid with the last card",
                    from_discard and 0 < self.mutation_cost(player, goblin) == payers,
                )
        return labels

    def can_recruit(self, player: int, face: Face) -> bool:
        """There is a place for it, and the clan rule of Heroes and Ozekis holds (T9).

        Trapped goblins count as cards, never as a clan.
        """
        table = self.table
        seat = table.seats[player]
        row = face.level - 1
        if len(seat.army[row]) == ROW_LENGTH:
            table.saw("T40 a full row takes no recruit")
            return False
        lower_rows = range(row)
        enough_below = row == 0 or len(seat.army[row]) < len(seat.army[row - 1])
        clan_below = all(seat.has_clan(lower, face.clan) for lower in lower_rows)
        if enough_below and row:
            trapped = sum(goblin.trapped for goblin in seat.army[row - 1])
            table.saw(
                "T9 trapped goblins count in number",
                clan_below and len(seat.army[row - 1]) - trapped <= len(seat.army[row]),
            )
            printed = all(any(goblin.face.clan == face.clan for goblin in seat.army[lower]) for lower in lower_rows)
            table.saw("T9 trapped goblins have no clan", printed and not clan_below)
            table.saw("T9 no Hero or Ozeki without its clan below", not printed)
        return enough_below and (clan_below or self.ignores_clans(player))

    def recruit_cost(self, player: int, face: Face) -> int:
        """Bakutos only: free for an empty army or beside a face-up Bakuto of the clan, else two cards (T8)."""
        table = self.table
        seat = table.seats[player]
        if face.level > 1 or not seat.goblins or seat.has_clan(0, face.clan):
            table.saw("T8 the first Bakuto of an army destroyed is free again", not seat.goblins and seat.turns_taken)
            return 0
        table.saw(
            "T8 all others of the clan are trapped", any(goblin.face.clan == face.clan for goblin in seat.army[0])
        )
        return table.rules["new_clan_cost"]

    def can_replace(self, player: int, goblin: Goblin, face: Face, from_discard: bool) -> bool:
        """Face up, with a printed cost, another name: a Bakuto and its X share one; the level is the row's (T10).

        Only a zombie mutates into a card of the discard pile. No clan rule, no recruiting cost (T47).
        """
        old = goblin.face
        able = old.mutation is not None and (not from_discard or self.is_zombie(player, goblin))
        self.table.saw("T10 a trapped goblin does not mutate", able and goblin.trapped and old.name != face.name)
        self.table.saw("T10 the same name is no replacement", able and old.name == face.name)
        return able and not goblin.trapped and old.name != face.name

    # --- doing it ----------------------------------------------------------------------------------------------

    def play_card(self, player: int, label: str) -> Choices:
        """The named card, then its use, then payments, then the arrival (T11, G7, T47)."""
        table = self.table
        verb, _, card = label.partition(" ")
        face = table.faces[card]
        labels = self.uses(player, face, from_discard=verb == "take")
        if verb == "play":
            table.leave_hand(player, card)
        else:
            table.discard_pile.remove(card)  # so no zombie comes from its own payment (T11)
        table.set_aside.append(card)
        table.changed()

        if len(labels) == 1:
            table.saw("T42 not asked: one use")
            use = next(iter(labels))
        else:
            use = yield Decision(player, "use", frozenset(labels))

        if use == "recruit":
            table.saw("T8 a Bakuto of a new clan", self.recruit_cost(player, face))
            yield from ask_discards(table, player, "pay", self.recruit_cost(player, face))
            table.set_aside.remove(card)
            newcomer = Goblin(face)
            table.seats[player].army[face.level - 1].append(newcomer)  # leftmost empty place (T40)
            yield from self.arrive(player, newcomer, mutated=None)
        else:
            place = (player, face.level - 1, int(use.rpartition(".")[2]) - 1)
            mutated = table.at(place)
            table.saw("T10 a mutation that costs nothing", self.mutation_cost(player, mutated) == 0)
            table.saw("T11 a zombie mutation", verb == "take")
            table.saw(
                "T47 a mutation against the clan rule",
                not all(table.seats[player].has_clan(row, face.clan) for row in range(face.level - 1)),
            )
            yield from ask_discards(table, player, "pay", self.mutation_cost(player, mutated))
            yield from self.replace(place, mutated, face)

    def put_in_place(self, place: Place, face: Face) -> Goblin:
        """The card set aside takes the slot of a mutated goblin."""
        player, row, column = place
        self.table.set_aside.remove(face.label)
        newcomer = Goblin(face)
        self.table.seats[player].army[row][column] = newcomer
        return newcomer

    # --- what the variants do each in its way ------------------------------------------------------------------

    def mutation_cost(self, player: int, goblin: Goblin) -> int:
        assert goblin.face.mutation is not None
        return goblin.face.mutation

    def is_zombie(self, player: int, goblin: Goblin) -> bool:
        return goblin.face.zombie

    def ignores_clans(self, player: int) -> bool:
        """Heroes and Ozekis are recruited without their clan below."""
        return False

    @abstractmethod
    def replace(self, place: Place, mutated: Goblin, face: Face) -> Choices:
        """What follows the payment of a mutation."""

    @abstractmethod
    def arrive(self, player: int, newcomer: Goblin, mutated: Goblin | None) -> Choices:
        """What an arrival sets off; the newcomer lies in its slot already."""
