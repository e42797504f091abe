"""The reference model of Gosu X, written to be read: here the game from top to bottom, the draft and the turns.

It is made from the rulebook, the rulings X1 to X59 and the contract of texts (docs/cards.md), and shares nothing with
`gosu_rl` but the format of the card file. One generator is the game from top to bottom: it yields each decision that
it puts and is sent the label chosen. Chance comes from outside: the first player, each shuffle of a deck, and the
lots after a tied Battle. Playing, shifting and Force of Will stand in `gosu_x_plays.py`, Battle and Song in
`gosu_x_battle.py`, texts in `gosu_x_texts.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from .flow import Choices, Decision, Flow
from .gosu_x_battle import XBattle
from .gosu_x_counts import in_force, number_in_force
from .gosu_x_plays import XPlays
from .gosu_x_table import ThisTurn, XTable
from .gosu_x_texts import run_text
from .gosu_x_words import CLANS, XCardFile, read_x_cards
from .table import slot_label

DRAFT_ORDER = (0, 1, 1, 0, 0, 1)  # first player, other, other, first, first, other (X1, X17)
CARDS_FOR_TOKENS = {1: 1, 2: 3}


class GosuXGame(XPlays, XBattle, Flow):
    """One game.

    `cards` is a card file or what `read_x_cards` made of one; `first` the first player; `shuffle(seat, labels)` is given
    the sorted labels that become the seat's deck and returns them in their new order, top first; `lots()` says after a
    tie who begins the next round. `picks`: the draft, if it is not for the players to decide. `rules` overrides
    `DEFAULT_RULES`.
    """

    DEFAULT_RULES: ClassVar[dict[str, int]] = {
        "deal": 7,
        "hand_target": 7,
        "hand_limit": 7,
        "tokens": 2,
        "token_limit": 4,
        "turns_after_pass": 3,
        "points_to_win": 2,
        "full_army": 15,
        "new_clan_cost": 2,
        "max_mulligans": 10,
        "max_turns_per_round": 60,
        "max_decisions": 4_000,
    }

    def __init__(
        self,
        cards: str | Path | XCardFile,
        first: int,
        shuffle: Callable[[int, list[str]], list[str]],
        lots: Callable[[], int],
        rules: Mapping[str, int] | None = None,
        picks: Sequence[str] | None = None,
    ) -> None:
        self.cards = cards if isinstance(cards, XCardFile) else read_x_cards(cards)
        self.rules = self.DEFAULT_RULES | dict(rules or {})
        self.table = XTable(self.cards, first, shuffle, self.rules)
        self.lots = lots
        self._picks = picks
        self._begin(self._game(), 2, self.rules["max_decisions"])

    # --- what the tests see ------------------------------------------------------------------------------------

    def turns_left(self, player: int) -> int | None:
        """The turns that the player may still begin in this round; None: nobody has passed (X20)."""
        table, seat = self.table, self.table.seats[player]
        if seat.passed:
            return 0
        if not table.seats[1 - player].passed:
            return None
        limit = number_in_force(table, 1 - player, "turns_after_pass", self.rules["turns_after_pass"])
        return max(0, limit - seat.turns_begun)

    def as_dict(self, viewer: int | None = None) -> dict[str, Any]:
        """The position as plain data, in the shape of docs/rulings-gosu-x.md, or as `viewer` may see it."""
        table = self.table
        shown_to_all = [self._seat_as_dict(player, viewer) for player in range(2)]
        bounty = table.place_of(table.bounty_card)
        return {
            "round": table.round,
            "mover": self.mover,
            "kind": self.kind,
            "first": table.first,
            "active": table.active,
            "advantage": table.advantage,
            "decisions": self.decisions,
            "over": self.over,
            "reason": self.reason,
            "viewer": viewer,
            "players": shown_to_all,
            "draw_pile_size": sum(len(seat.deck) for seat in table.seats),
            "discard_pile": sorted(label for seat in table.seats for label in seat.discard_pile),
            "set_aside": sorted(table.set_aside),
            "power": None if self.over else table.power,
            "returns": self.returns,
            "shares": self.shares,
            "wonder": table.wonder,
            "bounty": None if bounty is None else f"p{bounty[0]} {slot_label(bounty)}",
            "tiles": sorted(table.tiles),
            "draft": list(table.draft),
            "removed": sorted(label for seat in table.seats for label in seat.removed),
            "shown": 0 if self.over else table.shown_now(),
            "additional": table.additional,
        }

    def _seat_as_dict(self, player: int, viewer: int | None) -> dict[str, Any]:
        table, seat = self.table, self.table.seats[player]
        mine = viewer in (None, player)
        slots = {slot_label(place): table.at(place) for place in table.places(player)}
        return {
            "hand": sorted(seat.hand if mine else seat.known),
            "hand_size": len(seat.hand),
            "known": sorted(seat.known),
            "points": seat.points,
            "turns_left": self.turns_left(player),
            "passed": seat.passed,
            "extra_turns": int(seat.extra_turn),
            "turns_taken": seat.turns_taken,
            "army": [[(card.face.label, card.captured) for card in row] for row in seat.army],
            "clans": sorted(seat.clans),
            "deck": [
                card.label if viewer is None or card.both or (mine and card.owner) else None for card in seat.deck
            ],
            "deck_size": len(seat.deck),
            "pile_order": list(seat.pile_order) if viewer is None else [],
            "shuffles": seat.shuffles,
            "discard_pile": sorted(seat.discard_pile),
            "tokens": {
                "ready": seat.ready,
                "spent": seat.spent,
                "locked": seat.locked,
                "on": {slot: card.tokens for slot, card in slots.items() if card.tokens},
            },
            "ethereal": sorted(slot for slot, card in slots.items() if card.ethereal),
            "this_turn": dict(vars(seat.this_turn)),
        }

    # --- the game ----------------------------------------------------------------------------------------------

    def _game(self) -> Choices:
        yield from self._draft()
        for player in (self.table.first, 1 - self.table.first):
            yield from self._redraws(player)
        while True:
            yield from self._round()
            yield from self._song(self._great_battle())

    def _draft(self) -> Choices:
        """1-2-2-1; the tiles of the two clans left are active; each player's clans are his deck (X1, X17)."""
        table = self.table
        for number, order in enumerate(DRAFT_ORDER):
            player = table.first if order == 0 else 1 - table.first
            if self._picks is None:
                labels = frozenset(f"pick {clan}" for clan in CLANS if clan not in table.draft)
                answer = yield Decision(player, "draft", labels)
                clan = answer.removeprefix("pick ")
            else:
                clan = self._picks[number]
            table.draft.append(clan)
            table.seats[player].clans.append(clan)
        table.turn_tiles(clan for clan in CLANS if clan not in table.draft)
        for player, seat in enumerate(table.seats):
            faces = [face for face in table.faces.values() if face.clan in seat.clans]
            table.new_deck(player, [face.label for face in faces for _ in range(face.copies)])
        for player in range(2):
            table.draw(player, self.rules["deal"])

    def _redraws(self, player: int) -> Choices:
        """Asked in every case; with two Troops or more only "keep" is legal (X2, X18)."""
        table, seat = self.table, self.table.seats[player]
        redraws = 0
        while True:
            troops = sum(table.faces[label].level == 1 for label in seat.hand)
            able = bool(seat.hand) and troops <= 1 and redraws < self.rules["max_mulligans"]
            table.saw("X18 put with keep alone", not able)
            answer = yield Decision(player, "mulligan", frozenset({"keep", "redraw"} if able else {"keep"}))
            if answer == "keep":
                return
            table.saw("X2 a hand is shown, shuffled back and drawn anew")
            redraws += 1
            count = len(seat.hand)
            cards = seat.hand + [card.label for card in seat.deck]
            seat.hand, seat.known, seat.surely = [], [], Counter()  # what was shown is forgotten (X18)
            table.new_deck(player, cards)
            table.draw(player, count)

    # --- a round -----------------------------------------------------------------------------------------------

    def _is_out(self, player: int) -> bool:
        return self.turns_left(player) == 0

    def _round(self) -> Choices:
        table = self.table
        player: int | None = table.first
        additional = False
        while player is not None:
            yield from self._turn(player, additional)
            seat = table.seats[player]
            won, seat.extra_turn = seat.extra_turn, False
            table.saw("X20 an additional turn won on the last turn is lost", won and self._is_out(player))
            if won and not self._is_out(player):  # right after the turn that gave it (X4)
                additional = True
                continue
            additional = False
            if self._is_out(player) and not seat.passed:  # out as if he had passed
                table.saw("X20 out of turns without a pass")
                seat.passed = True
            player = next((other for other in (1 - player, player) if not self._is_out(other)), None)

    def _turn(self, player: int, additional: bool) -> Choices:
        """Action, all its effects, Force of Will window, hand limit (X19)."""
        table, seat = self.table, self.table.seats[player]
        table.active, table.additional = player, additional
        for other in table.seats:
            other.this_turn = ThisTurn()
        if table.seats[1 - player].passed:
            seat.turns_begun += 1
            table.saw("X20 an additional turn counts after a pass", additional)
        while True:
            answer = yield Decision(player, "turn", frozenset(self._menu(player)))
            verb, _, what = answer.partition(" ")
            if verb != "will":
                break
            table.saw("X31 Force of Will in the own turn")
            yield from self._use_will(player, what)
            if seat.passed:  # by its effect: the turn is over (X59)
                table.saw("X59 a pass by Force of Will ends the turn")
                break
        if verb == "pass":
            table.saw("X21 no turn is left for the other, either", table.seats[1 - player].passed)
            table.pass_round(player)
        elif verb in ("play", "take"):
            yield from self._play(player, verb, what)
        elif verb == "spend":
            self._spend(player, int(what))
        elif verb == "activate":
            yield from self._activate(player, what)
        yield from self._will_window(1 - player)
        yield from self._hand_limit(player)
        seat.turns_taken += 1
        for other in table.seats:
            other.this_turn = ThisTurn()

    def _menu(self, player: int) -> set[str]:
        table, seat = self.table, self.table.seats[player]
        able_to_pass = table.may_pass(player)
        table.saw("X3 no first pass with tokens in hand", not able_to_pass)
        table.saw("X3 a pass with tokens after the opponent's", able_to_pass and seat.ready)
        worn_out = seat.turns_taken >= self.rules["max_turns_per_round"]
        table.saw("T44 too many turns", worn_out)
        spending = {f"spend {count}" for count in CARDS_FOR_TOKENS if count <= seat.ready}  # legal in any case (X22)
        if worn_out:
            return {"pass"} if able_to_pass else spending
        labels = {"pass"} if able_to_pass else set()
        labels |= {f"play {card}" for card in set(seat.hand) if self._uses(player, table.faces[card], False)}
        labels |= {f"take {card}" for card in set(seat.discard_pile) if self._uses(player, table.faces[card], True)}
        labels |= spending
        labels |= {f"will {card}" for card in self._usable_wills(player)}
        for place in table.places(player):
            card = table.at(place)
            able = seat.ready > 0 and card.face.icons > 0
            table.saw("X30 icons on a face-down card are dead", able and card.captured)
            table.saw("X30 no more tokens than icons", able and card.tokens >= card.face.icons)
            if able and not card.captured and card.tokens < card.face.icons:
                labels.add(f"activate {slot_label(place)}")
        return labels

    def _spend(self, player: int, count: int) -> None:
        """One token for a card, two for three (X22); with Galmi's tile two also give an additional turn (X48)."""
        table, seat = self.table, self.table.seats[player]
        seat.ready -= count
        seat.spent += count
        table.saw("X22 tokens for cards that are not there", not table.can_draw(player))
        seat.this_turn.drawn += table.draw(player, CARDS_FOR_TOKENS[count])
        if count == 2 and in_force(table, player, "two_tokens_extra_turn"):
            gained = table.gain_extra_turn(player)
            table.saw("X48 two tokens give an additional turn", gained)
            table.saw("X48 but not in an additional turn", not gained)

    def _activate(self, player: int, slot: str) -> Choices:
        table, seat = self.table, self.table.seats[player]
        card = next(table.at(place) for place in table.places(player) if slot_label(place) == slot)
        seat.ready -= 1
        card.tokens += 1
        table.saw("X30 a second token on a card", card.tokens > 1)
        table.saw("X30 a Veteran is turned", card.has("veteran"))
        table.saw("X30 a text on entering only", card.face.on == "entering")
        if card.face.text and card.face.on != "entering":
            table.saw("X28 no Echo for a token", card.has("echo"))
            yield from run_text(table, player, card.face, card)

    def _hand_limit(self, player: int) -> Choices:
        """At the end of the acting player's turn, his choice (X5, X19)."""
        table, seat = self.table, self.table.seats[player]
        limit = number_in_force(table, player, "hand_limit", self.rules["hand_limit"])
        other = table.seats[1 - player]
        table.saw("X5 the other's hand may be larger", len(other.hand) > limit)
        table.saw("X5 another limit", limit != self.rules["hand_limit"] and len(seat.hand) > limit)
        table.saw("X19 the limit after an additional turn", table.additional and len(seat.hand) > limit)
        while len(seat.hand) > limit:
            if not limit:
                table.discard(player, seat.hand[0])
                continue
            answer = yield Decision(player, "discard", frozenset(f"discard {card}" for card in seat.hand))
            table.discard(player, answer.removeprefix("discard "))
