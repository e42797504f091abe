"""GOSU 2: Tactics: hidden opening discards, link powers, three turns after a pass, nine of a clan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from .faces import Face
from .flow import Choices, Decision, GameWon
from .model import ReferenceGame
from .powers import POWERS
from .table import Goblin, Place, Seat, Table, ask_place

# Where a neighbour lies as seen from the newcomer (rows up, columns right) -> the neighbour's side that must link.
NEIGHBOURS = {(0, -1): "right", (0, 1): "left", (1, 0): "below", (-1, 0): "above"}


class TacticsTable(Table):
    """The table of Tactics: the discard pile is shuffled in at once, full armies and clans win."""

    def take_top(self) -> str | None:
        """Refilled before the draw if the pile is empty, and at once if the draw empties it (T20, T39)."""
        if not self.draw_pile:
            self._refill()
            self.saw("T39 refilled before a draw" if self.draw_pile else "T20 drawing stops, no card anywhere")
        if not self.draw_pile:
            return None
        card = self.draw_pile.pop(0)
        if not self.draw_pile:
            self._refill()
            self.saw("T20 refilled at once" if self.draw_pile else "T39 emptied and nothing to refill it")
        return card

    def changed(self, owners: Iterable[int] = ()) -> None:
        """After each change of an army: 15 cards, trapped ones too, or 9 face-up ones of a clan (T22, T38).

        The win is the owner's, whoever's turn it is. Of several at once (only the release at a new round can do that)
        the Advantage holder wins alone, otherwise they share.
        """
        reasons: dict[int, str] = {}
        for player in owners:
            seat = self.seats[player]
            clans = [goblin.face.clan for goblin in seat.face_up]
            nine = any(clans.count(clan) >= self.rules["clan_army"] for clan in clans)
            if len(seat.goblins) >= self.rules["full_army"]:
                reasons[player] = "fifteen"
                self.saw("T38 fifteen reported before nine", nine)
                self.saw("T22 trapped goblins count among fifteen", len(seat.face_up) < len(seat.goblins))
            elif nine:
                reasons[player] = "nine"
            self.saw("T38 the owner wins in another's turn", player in reasons and player != self.active)
        if reasons:
            winners = [self.advantage] if self.advantage in reasons else sorted(reasons)
            self.saw("T38 several armies win at once, the holder among them", len(reasons) > len(winners))
            self.saw("T38 several armies win at once and share", len(winners) > 1)
            won_by = {reasons[player] for player in winners}
            raise GameWon(winners, "fifteen" if "fifteen" in won_by else "nine")  # T38


class TacticsGame(ReferenceGame):
    """One game of Tactics."""

    TABLE = TacticsTable
    DEFAULT_RULES: ClassVar[dict[str, int]] = {
        "deal": 10,
        "keep": 7,
        "hand_target": 7,
        "turns_after_pass": 3,
        "points_to_win": 3,
        "full_army": 15,
        "clan_army": 9,
        "new_clan_cost": 2,
        "max_turns_per_round": 60,
        "max_mulligans": 10,
        "max_decisions": 20_000,
    }

    # --- opening and rounds ------------------------------------------------------------------------------------

    def _opening(self) -> Choices:
        """After the mulligans the hidden discards of all, from the Advantage holder clockwise too (T3, T41)."""
        yield from super()._opening()
        table = self.table
        for player in table.clockwise(table.advantage):
            seat = table.seats[player]
            for _ in range(self.rules["deal"] - self.rules["keep"]):
                answer = yield Decision(player, "opening", frozenset(f"discard {card}" for card in seat.hand))
                card = answer.removeprefix("discard ")
                seat.hand.remove(card)
                seat.picks.append(card)
        for seat in table.seats:  # all at the same time (T3)
            table.discard_pile.extend(seat.picks)
            seat.held -= Counter(seat.picks)
            seat.picks.clear()

    def saw_redraw(self, kind: str) -> None:
        self.table.saw("T2 a redraw in the opening" if kind == "mulligan" else "T23 a redraw at a new round")

    def turns_after_pass(self) -> int | None:
        return self.rules["turns_after_pass"]  # T6

    def count_down(self, seat: Seat, is_extra: bool) -> None:
        """Extra turns never count against the turns after a pass (T7)."""
        if seat.turns_left and not is_extra:
            seat.turns_left -= 1
            self.table.saw("T6 out of turns without a pass", seat.turns_left == 0)

    def _new_round(self) -> Choices:
        """Release all, draw up to seven less the points, then redraws; each from the Advantage holder (T23)."""
        self._release_all()
        table = self.table
        for player in table.clockwise(table.advantage):
            seat = table.seats[player]
            missing = self.rules["hand_target"] - seat.points - len(seat.hand)
            table.saw("T23 a larger hand stays", missing < 0)
            table.draw(player, max(0, missing))
        for player in table.clockwise(table.advantage):
            yield from self._mulligans(player, "refresh", self._has_nothing_to_play)

    def _has_nothing_to_play(self, player: int) -> bool:
        """Pass would be his only legal action now (T43)."""
        return not self.nameable(player)

    # --- mutations and arrivals --------------------------------------------------------------------------------

    def can_replace(self, player: int, goblin: Goblin, face: Face, from_discard: bool) -> bool:
        allowed = super().can_replace(player, goblin, face, from_discard)
        able = goblin.face.mutation is not None and (goblin.face.zombie or not from_discard)
        twins = goblin.face.name == face.name and goblin.face.x != face.x
        self.table.saw("T10 a Bakuto and its X are one name", able and twins)
        return allowed

    def replace(self, place: Place, mutated: Goblin, face: Face) -> Choices:
        """The mutated goblin is discarded, the replacement takes its slot, and then come all powers (T11, T12)."""
        self.table.discard_pile.append(mutated.face.label)
        newcomer = self.put_in_place(place, face)
        yield from self.arrive(place[0], newcomer, mutated)

    def arrive(self, player: int, newcomer: Goblin, mutated: Goblin | None) -> Choices:
        """Mutation powers, then come-into-play powers, then links in the order that the player chooses (T12)."""
        table = self.table
        seat = table.seats[player]
        pending = linking_neighbours(table, player, newcomer)  # fixed now; later changes add nothing (T25)
        settled = list(pending)
        table.changed([player])

        if mutated is not None:
            for power in mutated.face.mutate:  # wherever the card is by now (T26)
                yield from self.resolve(player, mutated.face, power)
        for power in newcomer.face.enter:
            if seat.has_face_up(newcomer):
                yield from self.resolve(player, newcomer.face, power)
            else:
                table.saw("T26 the newcomer is trapped or gone before its power")
        face_down: list[Goblin] = []
        while True:
            offered = [goblin for goblin in pending if seat.has_face_up(goblin)]  # T26
            table.saw(
                "T26 a link card face down is offered again later", any(goblin in face_down for goblin in offered)
            )
            face_down = [goblin for goblin in pending if goblin not in offered]
            if not offered:
                table.saw("T26 a link card is trapped or gone before its choice", pending)
                break
            table.saw("T42 not asked: one link card", len(offered) == 1)
            place = yield from ask_place(player, "link", [table.place_of(player, goblin) for goblin in offered])
            assert place is not None
            chosen = table.at(place)
            table.saw("T26 a link stays when the newcomer is gone", not seat.has_face_up(newcomer))
            table.saw(
                "T25 a link stays when no longer a neighbour",
                newcomer in seat.goblins and chosen not in linking_neighbours(table, player, newcomer),
            )
            table.saw("T13 a mutation sets off a link", mutated)
            pending.remove(chosen)
            for power in chosen.face.link:  # all powers of a card together, as listed (T27)
                if seat.has_face_up(chosen):
                    yield from self.resolve(player, chosen.face, power)
                else:
                    table.saw("T26 a link card is trapped or gone between its powers")
        if newcomer in seat.goblins:
            now = linking_neighbours(table, player, newcomer)
            table.saw("T25 a neighbour of later does not link", any(goblin not in settled for goblin in now))

    def resolve(self, player: int, face: Face, power: str) -> Choices:
        """Carries out one power of the card `face` for `player`, whose turn it is."""
        name, _, mode = power.partition(" ")
        self.table.power = {"card": face.label, "name": power}
        yield from POWERS[name](self.table, player, face, mode == "MAX")
        self.table.power = None


def linking_neighbours(table: Table, player: int, newcomer: Goblin) -> list[Goblin]:
    """Face-up neighbours of the newcomer's clan with a link power on the side towards it (T13)."""
    army = table.seats[player].army
    _, row, column = table.place_of(player, newcomer)
    found = []
    for (up, right), side in NEIGHBOURS.items():
        if 0 <= row + up < 3 and 0 <= column + right < len(army[row + up]):
            neighbour = army[row + up][column + right]
            same_clan = neighbour.face.clan == newcomer.face.clan
            if not neighbour.trapped and same_clan and neighbour.face.link:
                if side in neighbour.face.links:
                    found.append(neighbour)
                else:
                    table.saw("T28 a card that does not link on this side")
    return found
