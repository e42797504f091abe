"""What lies on the table of Gosu X: own decks and discard piles, armies with their tokens, and who knows what.

Nothing here decides anything; see `gosu_x.py` for the game and `gosu_x_texts.py` for what cards do. The model knows
of a card in a deck whether its place is known to both players or to its owner alone (HIDDEN.md of the design; X45,
X56), and of a hand which cards the other player knows to be in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from .flow import GameWon
from .gosu_x_words import CLANS, XCardFile, XFace
from .table import ROW_LENGTH, Place, slot_label

ETHEREAL_TOKENS = 2
DEEPEST = 3  # texts at work at the same time (X52)


@dataclass(eq=False)  # two cards of one face are still two cards
class Card:
    """A card in an army."""

    face: XFace
    captured: bool = False
    tokens: int = 0  # Activation tokens on it
    bounty: bool = False  # the Bounty token lies on it
    ethereal: bool = False  # an Ethereal token lies on it

    def has(self, keyword: str) -> bool:
        """A captured card has no keyword (X36)."""
        return not self.captured and keyword in self.face.keywords

    @property
    def is_bounty(self) -> bool:
        """Keyword and token together are one (X24)."""
        return self.has("bounty") or self.bounty


@dataclass
class DeckCard:
    """A card in a deck, and who knows its place."""

    label: str
    both: bool = False
    owner: bool = False


@dataclass
class ThisTurn:
    """What happened since the turn began (X55)."""

    captured: int = 0  # by texts of the player
    destroyed: int = 0
    drawn: int = 0
    discarded: int = 0
    lost: int = 0  # cards of his army, captured or destroyed


@dataclass
class XSeat:
    """One player's things."""

    clans: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)  # faces of the hand that both players know to be there
    deck: list[DeckCard] = field(default_factory=list)  # top first
    surely: Counter[str] = field(
        default_factory=Counter
    )  # known to both to be in the deck, at a place that a shuffle hid
    pile_order: list[str] = field(default_factory=list)  # the deck at its last shuffle
    shuffles: int = 0
    discard_pile: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    army: list[list[Card]] = field(default_factory=lambda: [[], [], []])
    points: int = 0  # Supremacy tokens
    passed: bool = False
    turns_begun: int = 0  # since the other player has passed (X20)
    turns_taken: int = 0  # in this round
    extra_turn: bool = False  # won and not begun yet
    ready: int = 0
    spent: int = 0
    locked: int = 0
    this_turn: ThisTurn = field(default_factory=ThisTurn)

    @property
    def cards(self) -> list[Card]:
        return [card for row in self.army for card in row]

    @property
    def face_up(self) -> list[Card]:
        return [card for card in self.cards if not card.captured]

    @property
    def placed(self) -> int:
        return sum(card.tokens for card in self.cards)

    def has_face_up(self, card: Card | None) -> bool:
        return any(mine is card for mine in self.face_up)

    def has_clan(self, row: int, clan: str) -> bool:
        """A captured card has no clan."""
        return any(card.face.clan == clan and not card.captured for card in self.army[row])

    def has_room(self, row: int) -> bool:
        """Rows count captured cards too, none gets longer than the one below (X35)."""
        length = len(self.army[row])
        return length < ROW_LENGTH and (row == 0 or length < len(self.army[row - 1]))


@dataclass
class Shown:
    """Cards of a deck that a text reveals, or looks at; each as long as it lies in that deck and no shuffle hides it."""

    owner: int
    cards: list[DeckCard]
    public: bool


class XTable:
    """The whole position, apart from the decision that is being put."""

    def __init__(
        self, cards: XCardFile, first: int, shuffle: Callable[[int, list[str]], list[str]], rules: Mapping[str, int]
    ) -> None:
        self.faces = cards.faces
        self.printed_tiles = cards.tiles
        self.rules = rules
        self.seats = [
            XSeat(ready=rules["tokens"], locked=max(0, rules["token_limit"] - rules["tokens"])) for _ in range(2)
        ]
        self.shuffle = shuffle
        self.draft: list[str] = []
        self.tiles: list[str] = []  # clans whose tile is active
        self.wonder: int | None = None
        self.set_aside: list[str] = []
        self.shown: list[Shown | None] = []  # of each text at work, the innermost last
        self.power: dict[str, str] | None = None
        self.advantage = self.first = self.active = first
        self.additional = False  # the turn is an additional one
        self.round = 1
        self.lead: list[int] = []  # at the Battle: by how much each player's value is greater
        self.seen: Counter[str] = Counter()  # situations met, each named by its ruling (`saw`)

    def saw(self, situation: str, really: object = True) -> None:
        """Notes that a ruling had something to decide, so that the tests can tell what their games went through."""
        if really:
            self.seen[situation] += 1

    @property
    def depth(self) -> int:
        """Texts at work."""
        return len(self.shown)

    # --- hands, decks, piles -----------------------------------------------------------------------------------

    def can_draw(self, player: int) -> bool:
        return bool(self.seats[player].deck or self.seats[player].discard_pile)

    def new_deck(self, player: int, labels: Iterable[str]) -> None:
        """These cards, shuffled, are the player's deck; nobody knows a place in it."""
        seat = self.seats[player]
        wanted = sorted(labels)
        order = list(self.shuffle(player, wanted))
        if sorted(order) != wanted:
            raise ValueError(f"the new deck {sorted(order)} of p{player} is not what is shuffled: {wanted}")
        seat.deck = [DeckCard(label) for label in order]
        seat.pile_order = order
        seat.shuffles += 1
        self.shown = [None if shown and shown.owner == player else shown for shown in self.shown]

    def shuffle_deck(self, player: int) -> None:
        """Places are forgotten, sets are not: what both knew to be in the deck is still there."""
        seat = self.seats[player]
        public = Counter(card.label for card in seat.deck if card.both)
        self.saw("X45 a shuffle hides places that were known", any(card.both or card.owner for card in seat.deck))
        seat.surely += public
        self.new_deck(player, [card.label for card in seat.deck])

    def take_top(self, player: int) -> DeckCard | None:
        """The discard pile is shuffled in only when a card is needed (X11)."""
        seat = self.seats[player]
        if not seat.deck and seat.discard_pile:
            self.saw("X11 an empty deck is made anew when a card is needed")
            self.saw("X45 removed cards stay out of a reshuffle", seat.removed)
            pile, seat.discard_pile = seat.discard_pile, []
            self.new_deck(player, pile)
        if not seat.deck:
            self.saw("X11 no card anywhere")
            return None
        card = seat.deck.pop(0)
        shown = [other for texts in self.shown if texts for other in texts.cards]
        self.saw("X45 a shown card is drawn by an inner text", any(card is other for other in shown))
        return card

    def into_hand(self, player: int, card: DeckCard, openly: bool) -> None:
        """A card of the deck, already taken from it."""
        seat = self.seats[player]
        seat.hand.append(card.label)
        if openly:
            seat.known.append(card.label)
            seat.surely -= Counter({card.label: 1} if not card.both else {})
        else:
            seat.surely.clear()  # any of them may be the card
        self.look_for_empty_deck(player)

    def look_for_empty_deck(self, player: int) -> None:
        """With no card in the deck that one does not know, what the other player does not see must be in the hand
        (HIDDEN.md)."""
        seat = self.seats[player]
        if not Counter(card.label for card in seat.deck if not card.both) - seat.surely:
            self.saw("X45 a hand known because the deck is", seat.deck and len(seat.known) < len(seat.hand))
            seat.known = list(seat.hand)

    def draw(self, player: int, count: int) -> int:
        """Draws as many as there are; returns how many."""
        drawn = 0
        for _ in range(count):
            card = self.take_top(player)
            if card is None:
                break
            self.into_hand(player, card, openly=card.both)
            drawn += 1
        return drawn

    def leave_hand(self, player: int, label: str) -> None:
        """For all to see; of several copies the publicly known one leaves first (T48)."""
        seat = self.seats[player]
        self.saw("T48 of several copies a known one leaves first", 0 < seat.known.count(label) < seat.hand.count(label))
        seat.hand.remove(label)
        if label in seat.known:
            seat.known.remove(label)

    def discard(self, player: int, label: str) -> None:
        self.leave_hand(player, label)
        self.seats[player].discard_pile.append(label)
        self.seats[player].this_turn.discarded += 1

    def take_openly(self, player: int, label: str) -> None:
        self.seats[player].hand.append(label)
        self.seats[player].known.append(label)

    def shown_cards(self, player: int) -> list[DeckCard]:
        """What is shown of this player's own deck."""
        shown = self.shown[-1] if self.shown else None
        if shown is None or shown.owner != player:
            return []
        return [card for card in self.seats[player].deck if any(card is other for other in shown.cards)]

    def shown_now(self) -> int:
        """How many cards are shown: by the innermost of the texts at work that shows some."""
        for shown in reversed(self.shown):
            if shown is not None:
                deck = self.seats[shown.owner].deck
                if number := sum(any(card is other for other in shown.cards) for card in deck):
                    return number
        return 0

    def leave_deck(self, player: int, label: str) -> None:
        """A card of the deck that is shown or searched for goes where all see it; a shown copy first."""
        seat = self.seats[player]
        shown = self.shown_cards(player)
        among = [card for card in shown if card.label == label]
        if among:
            card = among[0]
            known = next((other for other in among if other.both), card)
            card.both, known.both = (
                known.both,
                card.both,
            )  # for all that the other sees, it is the one that he knew there
        else:  # the deck is searched, and shuffled then
            card = max((card for card in seat.deck if card.label == label), key=lambda card: card.both)
        if not card.both:
            seat.surely -= Counter({label: 1})
        seat.deck = [other for other in seat.deck if other is not card]
        self.look_for_empty_deck(player)

    def keep_shown(self, player: int, label: str, openly: bool) -> None:
        """A shown card to the hand."""
        seat = self.seats[player]
        if openly:
            self.leave_deck(player, label)
            self.take_openly(player, label)
        else:
            card = next(card for card in self.shown_cards(player) if card.label == label)
            alone = len(self.shown_cards(player)) == 1
            seat.deck = [other for other in seat.deck if other is not card]
            self.hide_looked_at(player, sunk=False)  # before anything is concluded from what is left
            self.into_hand(player, card, openly=card.both and alone)
        self.hide_looked_at(player, sunk=openly)
        self.look_for_empty_deck(player)

    def hide_looked_at(self, player: int, sunk: bool) -> None:
        """Of cards that one player looks at one has been taken: the other no longer knows which lies where.

        Those that he knew are still in the deck (`sunk`), unless the card was taken in secret and may be one of them.
        """
        if not self.shown or self.shown[-1] is None or self.shown[-1].public:
            return
        for card in self.shown_cards(player):
            self.saw("X45 a choice among places that both knew", card.both)
            if card.both and sunk:
                self.seats[player].surely[card.label] += 1
            card.both = False

    def fetch(self, player: int, label: str) -> None:
        self.leave_deck(player, label)
        self.take_openly(player, label)
        self.look_for_empty_deck(player)

    def put_on_deck(self, player: int, label: str, on_top: bool) -> None:
        """From the hand, face down: the chooser alone knows it, and one of the known cards may have gone (X56)."""
        seat = self.seats[player]
        self.saw("X56 a known hand is known no more", seat.known)
        seat.hand.remove(label)
        seat.known.clear()
        seat.deck.insert(0 if on_top else len(seat.deck), DeckCard(label, owner=True))

    # --- armies ------------------------------------------------------------------------------------------------

    def places(self, player: int | None = None) -> list[Place]:
        """All filled places, of one army or of both."""
        seats = enumerate(self.seats) if player is None else [(player, self.seats[player])]
        return [
            (number, row, column) for number, seat in seats for row in range(3) for column in range(len(seat.army[row]))
        ]

    def at(self, place: Place) -> Card:
        player, row, column = place
        return self.seats[player].army[row][column]

    def place_of(self, card: Card | None) -> Place | None:
        """Where the card lies; None if it is in no army."""
        return next((place for place in self.places() if self.at(place) is card), None)

    def is_open(self, place: Place) -> bool:
        """No card above it nor right of it."""
        player, row, column = place
        army = self.seats[player].army
        return column == len(army[row]) - 1 and (row == 2 or column >= len(army[row + 1]))

    def open_places(self, player: int) -> list[Place]:
        return [place for place in self.places(player) if self.is_open(place)]

    def changed(self) -> None:
        """After every change of an army: fifteen face-up cards win (X12, X36). Raises GameWon."""
        full = [player for player, seat in enumerate(self.seats) if len(seat.face_up) >= self.rules["full_army"]]
        self.saw("X36 captured cards do not count for fifteen", self._full_but_for_captured())
        if full:
            self.saw("X12 fifteen face-up cards win")
            self.saw("X41 one change completes both armies", len(full) > 1)
            raise GameWon([self.active if self.active in full else full[0]], "fifteen")

    def _full_but_for_captured(self) -> bool:
        limit = self.rules["full_army"]
        return any(len(seat.face_up) < limit <= len(seat.cards) for seat in self.seats)

    def tokens_off(self, player: int, card: Card) -> None:
        """The card is captured or leaves the army: Activation tokens are spent, the others lie beside the board (X23)."""
        self.saw("X23 Activation tokens of a card that goes are spent", card.tokens)
        self.saw("X23 the Bounty token goes back beside the board", card.bounty)
        self.saw("X23 an Ethereal token goes back", card.ethereal)
        self.seats[player].spent += card.tokens
        card.tokens = 0
        card.bounty = card.ethereal = False

    def take_out(self, places: Iterable[Place]) -> list[tuple[int, Card]]:
        """OPEN cards leave their armies at the same time; with the seat of each."""
        found = [(place[0], self.at(place)) for place in places]
        for place in places:
            if not self.is_open(place):
                raise AssertionError(f"p{place[0]} {slot_label(place)} is not OPEN")
        for player, card in found:
            self.tokens_off(player, card)
            for row in self.seats[player].army:
                row[:] = [other for other in row if other is not card]
        return found

    # --- tokens and tiles --------------------------------------------------------------------------------------

    @property
    def bounty_card(self) -> Card | None:
        return next((card for seat in self.seats for card in seat.cards if card.bounty), None)

    def ethereal_tokens_left(self) -> int:
        """Justice's tile uses both (X57)."""
        if self.tile_guards():
            return 0
        return ETHEREAL_TOKENS - sum(card.ethereal for seat in self.seats for card in seat.cards)

    def tile_guards(self) -> bool:
        return any(rule.word == "top_open_ethereal" for clan in self.tiles for rule in self.printed_tiles[clan].rule)

    def turn_tiles(self, clans: Iterable[str]) -> None:
        """They become active, at once, for both players and for good (X48)."""
        wanted = set(clans)
        self.tiles += [clan for clan in CLANS if clan in wanted and clan not in self.tiles]
        if self.tile_guards():
            for seat in self.seats:
                for card in seat.cards:
                    self.saw("X57 Justice's tile takes the Ethereal tokens", card.ethereal)
                    card.ethereal = False

    # --- turns -------------------------------------------------------------------------------------------------

    def may_pass(self, player: int) -> bool:
        """Not first while holding Activation tokens; after the opponent's pass he may (X3)."""
        return not self.seats[player].ready or self.seats[1 - player].passed

    def pass_round(self, player: int) -> None:
        """Takes no more turns in this round; an additional turn won is forfeited (X20)."""
        seat = self.seats[player]
        self.saw("X20 a pass forfeits an additional turn", seat.extra_turn)
        seat.passed = True
        seat.extra_turn = False

    def gain_extra_turn(self, player: int) -> bool:
        """Additional turns do not chain (X4), two are one, and only the active player gains one (X21, X53)."""
        seat = self.seats[player]
        self.saw("X4 additional turns do not chain", player == self.active and self.additional)
        self.saw("X53 an additional turn in the other's turn is none", player != self.active)
        self.saw("X53 gained twice is one", seat.extra_turn)
        self.saw("X21 none for who has passed", seat.passed and player == self.active)
        if not self.could_gain_extra_turn(player):
            return False
        seat.extra_turn = True
        return True

    def could_gain_extra_turn(self, player: int) -> bool:
        seat = self.seats[player]
        return player == self.active and not self.additional and not seat.passed and not seat.extra_turn
