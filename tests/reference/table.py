"""What lies on the table: hands, piles, armies and counters, and the plain questions that the rules ask about them.

Nothing here decides anything: choices are put by the game (`model.py`, `turns.py`, `tactics.py`, `gosu.py`) and by the
powers, which yield a `Decision` and are sent the label chosen. What differs between the variants is left open here:
when the discard pile is shuffled in (`take_top`), and what wins at once (`changed`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, field

from .faces import Face
from .flow import Choices, Decision, GameWon

ROW_LENGTH = 5  # places in a row of an army

Place = tuple[int, int, int]  # seat, row, column; row and column count from 0 here and from 1 in labels


@dataclass(eq=False)  # two goblins of one face are still two goblins
class Goblin:
    """A card in an army."""

    face: Face
    trapped: bool = False
    token: bool = False  # an activation token lies on it (G11)
    leaving: bool = False  # mutated and discarded, but its replacement is not there yet: only the slot is filled (G20)


@dataclass
class Seat:
    """One player's things."""

    hand: list[str]
    known: list[str] = field(default_factory=list)  # faces of the hand that everybody knows to be there (T48)
    picks: list[str] = field(default_factory=list)  # opening discards chosen, not yet shown (T3)
    army: list[list[Goblin]] = field(default_factory=lambda: [[], [], []])
    points: int = 0
    passed: bool = False
    turns_left: int | None = None  # None: nobody has passed yet in this round (T6)
    turns_taken: int = 0  # in this round, extra turns included (T44)
    extra_turns: int = 0  # won and not begun yet (T7)
    ready: int = 0  # activation tokens before the player (G2)
    spent: int = 0
    held: Counter[str] = field(default_factory=Counter)  # surely in the hand since the last reshuffle (worlds.py)

    @property
    def goblins(self) -> list[Goblin]:
        return [goblin for row in self.army for goblin in row]

    @property
    def face_up(self) -> list[Goblin]:
        return [goblin for goblin in self.goblins if not goblin.trapped and not goblin.leaving]

    @property
    def is_out(self) -> bool:
        """Takes no more regular turns in this round: has passed, or has used up the turns after a pass (T6)."""
        return self.passed or self.turns_left == 0

    def has_clan(self, row: int, clan: str) -> bool:
        """A trapped goblin has no clan."""
        return any(goblin.face.clan == clan and not goblin.trapped for goblin in self.army[row])

    def has_face_up(self, goblin: Goblin) -> bool:
        return any(mine is goblin for mine in self.face_up)


class Table(ABC):
    """The whole position, apart from the decision that is being put."""

    def __init__(
        self,
        faces: dict[str, Face],
        hands: list[list[str]],
        draw_pile: list[str],
        advantage: int,
        shuffle: Callable[[list[str]], list[str]],
        rules: Mapping[str, int],
    ) -> None:
        self.faces = faces
        self.rules = rules
        self.seen: Counter[str] = Counter()  # situations met, each named by its ruling (`saw`)
        self.seats = [Seat(list(hand)) for hand in hands]
        self.draw_pile = list(draw_pile)  # top first
        self.pile_order = list(draw_pile)  # as it was at the last shuffle
        self.shuffles = 0
        self.discard_pile: list[str] = []
        self.set_aside: list[str] = []  # the card named in this turn, or those revealed by a Vision (T39)
        self.advantage = advantage
        self.first = advantage
        self.active = advantage
        self.round = 1
        self.power: dict[str, str] | None = None  # the one being resolved, and its card
        self.shuffle = shuffle

    def saw(self, situation: str, really: object = True) -> None:
        """Notes that a ruling had something to decide, so that the tests can tell what their games went through."""
        if really:
            self.seen[situation] += 1

    def clockwise(self, start: int) -> list[int]:
        return [(start + step) % len(self.seats) for step in range(len(self.seats))]

    # --- cards on their way ------------------------------------------------------------------------------------

    @abstractmethod
    def take_top(self) -> str | None:
        """The top card of the draw pile; None if there is none and no discard pile to shuffle in either."""

    @abstractmethod
    def changed(self, owners: Iterable[int] = ()) -> None:
        """Something has changed, and the armies of `owners` with it: whoever has won by it wins now.

        Raises GameWon.
        """

    def _refill(self) -> None:
        if not self.discard_pile:
            return
        order = list(self.shuffle(sorted(self.discard_pile)))
        if sorted(order) != sorted(self.discard_pile):
            raise ValueError(f"the new draw pile {sorted(order)} is not the discard pile {sorted(self.discard_pile)}")
        self.draw_pile = order
        self.pile_order = list(order)
        self.discard_pile = []
        self.shuffles += 1
        self.saw("T39 a card set aside stays out of a reshuffle", self.set_aside)
        for seat in self.seats:
            seat.held = Counter(seat.hand)

    def can_draw(self) -> bool:
        return bool(self.draw_pile or self.discard_pile)

    def draw(self, player: int, count: int) -> None:
        """With both piles empty drawing stops (T20). What is drawn together is one change (G16)."""
        self.all_draw({player: count})

    def all_draw(self, counts: Mapping[int, int]) -> None:
        """Several draw, one after the other, by one power or at a new round: one change as well (G16)."""
        for player, count in counts.items():
            for _ in range(count):
                card = self.take_top()
                if card is not None:
                    self.seats[player].hand.append(card)
        self.changed()

    def leave_hand(self, player: int, card: str) -> None:
        """The card leaves the hand for all to see; of several copies the publicly known one leaves first (T48)."""
        seat = self.seats[player]
        self.saw("T48 of several copies a known one leaves first", 0 < seat.known.count(card) < seat.hand.count(card))
        seat.hand.remove(card)
        seat.held[card] = max(0, seat.held[card] - 1)
        if card in seat.known:
            seat.known.remove(card)

    def discard_from_hand(self, player: int, *cards: str) -> None:
        for card in cards:
            self.leave_hand(player, card)
            self.discard_pile.append(card)
        self.changed()

    def discard_hand(self, player: int) -> None:
        """All at once: one change (G16)."""
        self.discard_from_hand(player, *self.seats[player].hand)

    def take_openly(self, player: int, card: str) -> None:
        """Into the hand, seen by all (Vision, Return). The caller says when this is a change."""
        self.seats[player].hand.append(card)
        self.seats[player].known.append(card)

    # --- places in the armies ----------------------------------------------------------------------------------

    def places(self, player: int | None = None) -> list[Place]:
        """All filled places, of one army or of all."""
        seats = enumerate(self.seats) if player is None else [(player, self.seats[player])]
        return [
            (number, row, column) for number, seat in seats for row in range(3) for column in range(len(seat.army[row]))
        ]

    def at(self, place: Place) -> Goblin:
        player, row, column = place
        return self.seats[player].army[row][column]

    def place_of(self, player: int, goblin: Goblin) -> Place:
        return next(place for place in self.places(player) if self.at(place) is goblin)

    def is_free(self, place: Place) -> bool:
        """No card lies above it nor right of it."""
        player, row, column = place
        army = self.seats[player].army
        nothing_right = column == len(army[row]) - 1
        nothing_above = row == 2 or column >= len(army[row + 1])
        return nothing_right and nothing_above

    def destroy(self, place: Place) -> None:
        """Only free cards are destroyed, so rows stay left-packed and none grows longer than the one below (T40)."""
        player, row, column = place
        if not self.is_free(place):
            raise AssertionError(f"{slot_label(place)} is not free")
        goblin = self.seats[player].army[row].pop(column)
        self.saw("T15 a trapped goblin destroyed", goblin.trapped)
        self.saw("T15 an own goblin destroyed", player == self.active)
        self.token_comes_off(player, goblin)
        self.discard_pile.append(goblin.face.label)
        self.changed([player])

    def token_comes_off(self, player: int, goblin: Goblin) -> None:
        """The card leaves the army; a token on it is spent (G11)."""
        if goblin.token:
            self.saw("G11 the token of a card that leaves is spent")
            goblin.token = False
            self.seats[player].spent += 1

    def swap(self, one: Place, other: Place) -> None:
        """Two cards of one row change places; what lies on them moves along (G11)."""
        row = self.seats[one[0]].army[one[1]]
        row[one[2]], row[other[2]] = row[other[2]], row[one[2]]
        self.changed([one[0]])

    def turn_over(self, place: Place) -> None:
        """Traps a goblin or releases it."""
        self.at(place).trapped = not self.at(place).trapped
        self.changed([place[0]])

    def gain_points(self, points: Mapping[int, int]) -> None:
        """Victory Points for one or several at once; who has enough then wins, all of them together (T21, G13)."""
        for player, count in points.items():
            self.seats[player].points += count
        winners = [player for player in points if self.seats[player].points >= self.rules["points_to_win"]]
        if winners:
            self.saw("T21 several win by points", len(winners) > 1)
            raise GameWon(winners, "points")
        self.changed()


def slot_label(place: Place) -> str:
    """`r.c`"""
    return f"{place[1] + 1}.{place[2] + 1}"


def target_label(place: Place) -> str:
    """`target pN r.c`"""
    return f"target p{place[0]} {slot_label(place)}"


def ask_place(
    mover: int, kind: str, places: list[Place], extra: Collection[str] = ()
) -> Generator[Decision, str, Place | None]:
    """Puts the choice of one of several places; None for an answer that is no place (`extra`, beside the places)."""
    by_label = {target_label(place): place for place in places}
    if len(by_label) == 1 and not extra:
        return places[0]  # nothing to ask (T42)
    answer = yield Decision(mover, kind, frozenset(by_label) | frozenset(extra))
    return by_label.get(answer)


def ask_discards(table: Table, player: int, kind: str, count: int) -> Choices:
    """`count` cards of a hand, or all of a smaller one, one a decision; if the whole hand goes nothing is asked (T42)."""
    hand = table.seats[player].hand
    for remaining in range(min(count, len(hand)), 0, -1):
        if remaining == len(hand):
            table.saw("T42 not asked: the whole hand must go")
            table.discard_hand(player)
            return
        answer = yield Decision(player, kind, frozenset(f"discard {card}" for card in hand))
        table.discard_from_hand(player, answer.removeprefix("discard "))
