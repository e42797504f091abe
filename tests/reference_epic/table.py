"""What lies on the table: Armies, Lands, hands and piles, and the plain questions that the rules ask about them.

Nothing here decides anything: choices are put by `actions.py`, `combat.py`, `moves.py` and `turns.py`, which yield a
`Decision` and are sent the label chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .cards import CardSet, Land, Layout, Space, Step


@dataclass(frozen=True)
class Decision:
    """One choice that the game puts to one player."""

    mover: int
    kind: str
    legal: frozenset[str]


Choices = Generator[Decision, str, None]  # a piece of the game: yields decisions, is sent the labels chosen
Answer = Generator[Decision, str, str]  # a choice among names: yields a decision at most, returns the name


class Chance(Protocol):
    """Where everything comes from that nobody decides."""

    def shuffle(self, cards: list[str]) -> list[str]:
        """The order of a new draw pile of these cards, top first."""

    def coin(self) -> bool:
        """One toss of a token: does it live?"""

    def steal(self, hand: list[str]) -> str:
        """Which card of a hand is stolen."""

    def drop(self, hand: list[str]) -> str:
        """Which card of a hand is discarded at random."""


class GameOver(Exception):  # noqa: N818 - no error: it ends the game in the middle of whatever is going on (E10)
    """The last Town on the field has been conquered."""


@dataclass(eq=False)  # two copies of one card are still two cards
class Card:
    """A card in a hand."""

    name: str
    knowers: set[int] = field(default_factory=set)  # other players who know that it is there (E44, E45)
    since: int = 0  # how often the pile had been reshuffled when it came to a hand


@dataclass(eq=False)
class Machine:
    """A Machine in an Army, with its crew and how many of them have been tossed in the tosses going on."""

    name: str
    crew: int = 0
    tossed: int = 0
    is_off: bool = False  # for the rest of the combat (E55)


@dataclass
class Seat:
    """One player's things."""

    leader: str
    hand: list[Card]
    tokens: int  # loose ones
    space: Space
    back: Space | None = None  # from where the Army came to its space (E22)
    heroes: list[str] = field(default_factory=list)
    machines: list[Machine] = field(default_factory=list)
    conquest: list[str] = field(default_factory=list)  # bottom first
    ability_used: bool = False
    free_crew_used: bool = False
    fought: set[int] = field(default_factory=set)  # in Frays of this turn (E26)
    no_combat: bool = False  # the next Phase C is skipped (E60)
    guarded: bool = False  # until the next turn begins (E61)

    @property
    def crew(self) -> int:
        return sum(machine.crew for machine in self.machines)

    @property
    def working(self) -> list[Machine]:
        """Machines that count: with crew (E17), and not switched off (E55)."""
        return [machine for machine in self.machines if machine.crew and not machine.is_off]


@dataclass
class Plot:
    """A Land on the field."""

    name: str
    face_up: bool = False
    peeked: set[int] = field(default_factory=set)


@dataclass
class Combat:
    """The combat or Fray going on, and what was changed for it alone (E18)."""

    kind: str  # land, fray
    fighters: list[int]
    space: Space
    attack_change: Counter[int] = field(default_factory=Counter)
    defense_change: int = 0
    needs_nothing: bool = False
    extra_tosses: Counter[int] = field(default_factory=Counter)  # (E56)
    fallen: Counter[int] = field(default_factory=Counter)  # tokens that died and have not come back (E43)


class Table:
    """The whole position, apart from the decision that is being put."""

    def __init__(
        self,
        cards: CardSet,
        layout: Layout,
        rules: Mapping[str, int],
        seats: list[Seat],
        field_lands: dict[Space, str],
        draw_pile: list[str],
        first: int,
        chance: Chance,
    ) -> None:
        self.cards = cards
        self.layout = layout
        self.rules = rules
        self.seats = seats
        self.field = {space: Plot(name) for space, name in field_lands.items()}
        self.draw_pile = list(draw_pile)  # top first
        self.pile_order = list(draw_pile)  # as it was at the last shuffle
        self.shuffles = 0
        self.discard_pile: list[str] = []
        self.set_aside: list[str] = []  # Actions announced and not yet done (E39)
        self.chance = chance
        self.first = self.active = first
        self.round = 1
        self.phase = "A"
        self.frayed = False  # the active Army, in this turn before its combat, and it has not gone on since (E38)
        self.combat: Combat | None = None
        self.effect: tuple[str, Step, int] | None = None  # card, step, subject
        self.coins: list[bool] = []  # of the decision being carried out
        self.stolen: list[str] = []
        self.dropped: list[str] = []  # discarded at random
        self.blurred = 0  # times that the model could not tell which of two alike cards left a hand
        self.seen: Counter[str] = Counter()  # situations met, each named by its ruling (`saw`)
        self.pool = rules["all_tokens"] - sum(seat.tokens for seat in seats)

    def saw(self, situation: str, really: object = True) -> None:
        """Notes that a ruling had something to decide, so that the tests can tell what their games went through."""
        if really:
            self.seen[situation] += 1

    def clockwise(self, start: int) -> list[int]:
        return [(start + step) % len(self.seats) for step in range(len(self.seats))]

    def others(self, player: int) -> list[int]:
        return self.clockwise(player)[1:]

    # --- tokens ------------------------------------------------------------------------------------------------

    def gain(self, player: int, count: int) -> None:
        """The pool pays as long as it has tokens, and owes nothing (E13)."""
        self.saw("E13 the pool runs dry", count > self.pool)
        count = min(count, self.pool)
        self.pool -= count
        self.seats[player].tokens += count

    def spend(self, player: int, count: int) -> None:
        """Loose tokens to the pool."""
        if count > self.seats[player].tokens:
            raise AssertionError(f"p{player} has no {count} loose tokens")
        self.seats[player].tokens -= count
        self.pool += count

    def lose_crew(self, machine: Machine) -> None:
        machine.crew -= 1
        self.pool += 1

    def toss(self) -> bool:
        alive = self.chance.coin()
        self.coins.append(alive)
        return alive

    # --- cards on their way ------------------------------------------------------------------------------------

    @property
    def can_draw(self) -> int:
        """How many cards there are to be drawn."""
        return len(self.draw_pile) + len(self.discard_pile)

    def draw(self, player: int, count: int) -> None:
        """The pile is refilled when a card is wanted from an empty one, not before (E14)."""
        for _ in range(count):
            if not self.draw_pile:
                self._refill()
            if not self.draw_pile:
                self.saw("E14 nothing left to draw")
                return
            self.seats[player].hand.append(Card(self.draw_pile.pop(0), since=self.shuffles))

    def _refill(self) -> None:
        if not self.discard_pile:
            return
        order = list(self.chance.shuffle(sorted(self.discard_pile)))
        if sorted(order) != sorted(self.discard_pile):
            raise ValueError(f"the new draw pile {sorted(order)} is not the discard pile {sorted(self.discard_pile)}")
        self.draw_pile = order
        self.pile_order = list(order)
        self.discard_pile = []
        self.shuffles += 1
        self.saw("E14 refilled when a card is wanted")
        self.saw("E39 an Action set aside stays out of a reshuffle", self.set_aside)

    def leave_hand(self, player: int, name: str) -> Card:
        """Of alike cards the one leaves first of which more players know (E45)."""
        alike = [card for card in self.seats[player].hand if card.name == name]
        most = max(len(card.knowers) for card in alike)
        known = [card for card in alike if len(card.knowers) == most]
        self.saw("E45 of alike cards the better known leaves first", len(known) < len(alike))
        if any(card.knowers != known[0].knowers for card in known):
            self.saw("E45 of alike cards known to different players a random one leaves")
            self.blurred += 1
        card = min(known, key=lambda card: card.since)
        self.seats[player].hand.remove(card)
        return card

    def discard(self, player: int, name: str) -> None:
        self.leave_hand(player, name)
        self.discard_pile.append(name)

    def take_back(self, player: int, name: str) -> None:
        """From the discard pile, which lies face up: all know of the card (E44)."""
        self.discard_pile.remove(name)
        self.seats[player].hand.append(Card(name, set(self.others(player)), self.shuffles))
        self.saw("E44 a card taken back is known to all")

    def discard_random(self, player: int) -> None:
        """A random card of the hand; all see which (E54)."""
        hand = self.seats[player].hand
        self.saw("E54 a random card is discarded of several", len({card.name for card in hand}) > 1)
        name = self.chance.drop(sorted(card.name for card in hand))
        self.dropped.append(name)
        card = self._leave_at_random(player, name)
        self.saw("E54 a random discard of a card that others know of", card.knowers)
        self.saw("E54 nothing is forgotten at a random discard", any(rest.knowers for rest in hand))
        self.discard_pile.append(card.name)

    def _leave_at_random(self, player: int, name: str) -> Card:
        """Each card of the hand was as likely as any other: nobody can tell which of alike ones it was (E45)."""
        hand = self.seats[player].hand
        alike = {frozenset(card.knowers) for card in hand if card.name == name}
        self.saw("E45 of alike cards one goes at random that is better known", len(alike) > 1)
        if len(alike) == 1:  # a random one of them goes: which of them is of an older shuffle is not told from names
            twins = [card for card in hand if card.name == name]
            for card in twins:
                card.since = max(twin.since for twin in twins)
        return self.leave_hand(player, name)

    def steal_card(self, thief: int, victim: int) -> None:
        """Known to both; all others forget what they knew of the hand, unless it was one card (E45)."""
        hand = self.seats[victim].hand
        was_one = len(hand) == 1
        name = self.chance.steal(sorted(card.name for card in hand))
        self.stolen.append(name)
        card = self._leave_at_random(victim, name)
        if was_one:
            self.saw("E45 the only card is stolen and who knew of it still does", card.knowers - {thief})
        else:
            card.knowers.clear()
            for rest in hand:
                self.saw("E45 others forget what they knew of the victim's hand", rest.knowers - {thief})
                self.saw("E45 the thief remembers the rest of the victim's hand", thief in rest.knowers)
                rest.knowers &= {thief}
        card.knowers = (card.knowers - {thief}) | {victim}
        self.seats[thief].hand.append(card)

    # --- Armies ------------------------------------------------------------------------------------------------

    def army_at(self, space: Space, besides: int | None = None) -> int | None:
        """Who stands there, `besides` not counted."""
        for player, seat in enumerate(self.seats):
            if seat.space == space and player != besides:
                return player
        return None

    def land_at(self, space: Space) -> Land | None:
        plot = self.field.get(space)
        return None if plot is None else self.cards.lands[plot.name]

    def has_trait(self, player: int, trait: str) -> bool:
        """Of the Leader, a Hero, or a Machine with crew, which nobody can use in a Fray; the same trait never adds up (E49)."""
        seat = self.seats[player]
        crewed = [machine.name for machine in seat.working]
        in_fray = self.combat is not None and self.combat.kind == "fray"
        self.saw(
            "E49 no trait of a Machine in a Fray",
            in_fray and trait in [self.cards.cards[name].trait for name in crewed],
        )
        names = [*seat.heroes, *([] if in_fray else crewed)]
        holders = [self.cards.leaders[seat.leader].trait, *(self.cards.cards[name].trait for name in names)]
        idle = [machine for machine in seat.machines if not machine.crew]
        if any(self.cards.cards[machine.name].trait == trait for machine in idle):
            self.saw("E49 a trait of a Machine without crew", trait not in holders)
        off = [machine for machine in seat.machines if machine.crew and machine.is_off]
        if any(self.cards.cards[machine.name].trait == trait for machine in off):
            self.saw("E55 a trait of a Machine that is off", trait not in holders)
        self.saw("E49 the same trait twice", holders.count(trait) > 1)
        return trait in holders

    def hero_attack(self, player: int) -> int:
        return sum(self.cards.cards[name].value for name in self.seats[player].heroes)

    def add_hero(self, player: int, name: str) -> None:
        self.seats[player].heroes.append(name)

    def lose_hero(self, player: int, name: str) -> None:
        self.seats[player].heroes.remove(name)
        self.discard_pile.append(name)

    def lose_machine(self, player: int, machine: Machine) -> None:
        """What it carries goes to the pool (E17)."""
        self.saw("E17 a Machine is discarded with its crew", machine.crew)
        self.seats[player].machines.remove(machine)
        self.pool += machine.crew
        self.discard_pile.append(machine.name)

    def end_combat(self) -> None:
        """Whatever held for this combat or Fray alone is over (E18, E55)."""
        for seat in self.seats:
            for machine in seat.machines:
                machine.is_off = False
        self.combat = None

    # --- points ------------------------------------------------------------------------------------------------

    def points(self, player: int) -> int:
        return sum(self.cards.lands[name].value for name in self.seats[player].conquest)

    @property
    def towns_left(self) -> int:
        return sum(self.cards.lands[plot.name].terrain == "Town" for plot in self.field.values())


def ask(table: Table, mover: int, kind: str, word: str, names: Iterable[str], note: str = "") -> Answer:
    """Puts the choice of one of several names; the only one is taken without a question (E48). At least one is needed."""
    options = set(names)
    if len(options) == 1:
        table.saw("E48 one answer: not asked")
        return options.pop()
    table.saw(note, note)
    answer = yield Decision(mover, kind, frozenset(f"{word} {name}" for name in options))
    return answer.removeprefix(f"{word} ")
