"""Gosu X: the Great Battle and the Song for the Dead.

Part of `GosuXGame` (`gosu_x.py`), to whose table and rules it speaks.
"""

from __future__ import annotations

from collections.abc import Callable

from .flow import Choices, GameWon
from .gosu_x_counts import Speaker, military_value, number_in_force, rules_for
from .gosu_x_table import XTable
from .gosu_x_tokens import victory_name
from .gosu_x_words import CLANS
from .table import ask_place


class XBattle:
    """The end of a round."""

    table: XTable
    rules: dict[str, int]
    lots: Callable[[], int]  # who begins after a tie

    def _great_battle(self) -> int:
        """Special victories, then the Supremacy tokens (X13, X16, X42, X43). Returns who begins the next round."""
        table = self.table
        values = [military_value(table, player) for player in range(2)]
        table.lead = [values[0] - values[1], values[1] - values[0]]
        self._special_victories()
        self._more_sacrifices = [
            max(0, sum((rule.sets or 0) + rule.changes for rule in rules_for(table, player, "song")))
            for player in range(2)
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
            tiles = [
                table.printed_tiles[clan] for clan in CLANS if clan in table.tiles and table.printed_tiles[clan].win
            ]
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
        more = self._more_sacrifices[player]
        table.saw("X42 one sacrifice more", more)
        for _ in range(min(len(seat.cards), (len(seat.cards) + 1) // 2 + more)):
            place = yield from ask_place(player, "song", table.open_places(player))
            assert place is not None
            for _, card in table.take_out([place]):
                table.saw("X14 an Ethereal card is sacrificed in the Song", card.ethereal or card.has("ethereal"))
                seat.discard_pile.append(card.face.label)
