"""The reference model of Gosu X: draft, turns, Force of Will, the Great Battle and the Song, written to be read.

It is made from the rulebook, the rulings X1 to X59 and the contract of texts (docs/cards.md), and shares nothing with
`gosu_rl` but the format of the card file. One generator is the game from top to bottom: it yields each decision that
it puts and is sent the label chosen. Chance comes from outside: the first player, each shuffle of a deck, and the
lots after a tied Battle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from .flow import Choices, Decision, Flow, GameWon
from .gosu_x_counts import Speaker, in_force, military_value, number_in_force, rules_for, shift_change
from .gosu_x_table import Card, ThisTurn, XTable
from .gosu_x_texts import DECLINE, enter, run_text, victory_name
from .gosu_x_words import CLANS, XCardFile, XFace, read_x_cards
from .table import ask_place, slot_label

DRAFT_ORDER = (0, 1, 1, 0, 0, 1)  # first player, other, other, first, first, other (X1, X17)
CARDS_FOR_TOKENS = {1: 1, 2: 3}
FORCE = "force of will"


class GosuXGame(Flow):
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
            "shown": table.shown_now(),
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

    # --- playing and shifting ----------------------------------------------------------------------------------

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

    # --- the end of a round ------------------------------------------------------------------------------------

    def _great_battle(self) -> int:
        """Special victories, then the Supremacy tokens (X13, X16, X42, X43). Returns who begins the next round."""
        table = self.table
        values = [military_value(table, player) for player in range(2)]
        table.lead = [values[0] - values[1], values[1] - values[0]]
        self._special_victories()
        self._more_sacrifices = [
            sum((rule.sets or 0) + rule.changes for rule in rules_for(table, player, "song")) for player in range(2)
        ]
        table.lead = []
        if values[0] != values[1]:
            winners = [int(values[1] > values[0])]
        else:
            table.saw("X13 a tie broken by the Wonder token", table.wonder is not None)
            table.saw("X13 a tie without the Wonder token", table.wonder is None)
            winners = [0, 1] if table.wonder is None else [table.wonder]
        for winner in winners:
            table.seats[winner].points += 1
        champions = [player for player in winners if table.seats[player].points >= self.rules["points_to_win"]]
        if champions:
            table.saw("X13 both reach the last token together", len(champions) > 1)
            raise GameWon(champions, "points")
        table.advantage = 1 - winners[0] if len(winners) == 1 else self.lots()
        return table.advantage

    def _special_victories(self) -> None:
        """Whose conditions, of cards face up or of active tiles, all hold; looked at before the token is given (X42)."""
        table = self.table
        met = []
        for player, seat in enumerate(table.seats):
            cards = [card for card in seat.face_up if card.face.win]
            tiles = [table.printed_tiles[clan] for clan in table.tiles if table.printed_tiles[clan].win]
            by_card = [card for card in cards if all(map(Speaker(table, player, card.face, card).holds, card.face.win))]
            by_tile = [tile for tile in tiles if all(map(Speaker(table, player).holds, tile.win))]
            table.saw("X42 a condition that does not hold at the Battle", len(by_card) < len(cards))
            table.saw("X42 card and tile together", by_card and by_tile)
            table.saw("X16 won by a lead, with the card", by_card)
            table.saw("X16 won by a lead, with the tile", by_tile)
            if by_card or by_tile:
                clans = [card.face.clan for card in by_card] + [tile.clan for tile in by_tile]
                met.append((player, victory_name(clans[0])))
        if met:
            winner, reason = next((one for one in met if one[0] == table.active), met[0])
            raise GameWon([winner], reason)

    def _song(self, loser: int) -> Choices:
        """Song for the Dead (X14, X44)."""
        table = self.table
        for seat in table.seats:
            for card in seat.cards:
                table.saw("X44 a captured card is released", card.captured)
                card.captured = False
        full = [player for player, seat in enumerate(table.seats) if len(seat.face_up) >= self.rules["full_army"]]
        if full:
            table.saw("X41 fifteen in the Song")
            table.saw("X41 both complete in the Song", len(full) > 1)
            raise GameWon(full, "fifteen")
        for player in (1 - loser, loser):
            yield from self._sacrifices(player)
        for player, seat in enumerate(table.seats):
            limit = number_in_force(table, player, "hand_limit", self.rules["hand_limit"])
            table.saw("X44 drawn beyond the hand limit", self.rules["hand_target"] > limit)
            table.saw("X44 more than seven stay", len(seat.hand) > self.rules["hand_target"])
            table.draw(player, max(0, self.rules["hand_target"] - len(seat.hand)))
        for seat in table.seats:
            table.saw("X44 tokens come back from cards", seat.placed)
            seat.ready += seat.spent + seat.placed
            seat.spent = 0
            for card in seat.cards:
                card.tokens = 0
            seat.passed, seat.extra_turn = False, False
            seat.turns_begun = seat.turns_taken = 0
        table.wonder = None
        table.additional = False
        table.round += 1
        table.first = table.active = loser

    def _sacrifices(self, player: int) -> Choices:
        """Half of the cards then in the army, rounded up, and one more for Goan Sul (X42, X44), one by one."""
        table, seat = self.table, self.table.seats[player]
        more = max(0, self._more_sacrifices[player])
        table.saw("X42 one sacrifice more", more)
        for _ in range(min(len(seat.cards), (len(seat.cards) + 1) // 2 + more)):
            place = yield from ask_place(player, "song", table.open_places(player))
            assert place is not None
            for _, card in table.take_out([place]):
                table.saw("X14 an Ethereal card is sacrificed in the Song", card.ethereal or card.has("ethereal"))
                seat.discard_pile.append(card.face.label)
