"""GOSU (2010): activation tokens, mutation by G7, conditions that win, Ozekis that bend a rule, no draw at a new round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from .faces import Face
from .flow import Choices, GameWon
from .model import ReferenceGame
from .programs import holds, run
from .table import Goblin, Place, Seat, Table, slot_label

CARDS_FOR_TOKENS = {1: 1, 2: 3}  # G3


class GosuTable(Table):
    """The table of GOSU: two activation tokens each, a lazy reshuffle, conditions that win."""

    def __init__(
        self,
        faces: dict[str, Face],
        hands: list[list[str]],
        draw_pile: list[str],
        advantage: int,
        shuffle: Callable[[list[str]], list[str]],
        rules: Mapping[str, int],
    ) -> None:
        super().__init__(faces, hands, draw_pile, advantage, shuffle, rules)
        for seat in self.seats:
            seat.ready = rules["tokens"]

    def take_top(self) -> str | None:
        """The discard pile is shuffled in only when a card is needed and none is there (G10)."""
        if not self.draw_pile:
            self._refill()
            self.saw("G10 refilled when a card is needed" if self.draw_pile else "T20 drawing stops, no card anywhere")
        if not self.draw_pile:
            return None
        card = self.draw_pile.pop(0)
        self.saw("G10 emptied and left empty", not self.draw_pile and self.discard_pile)
        return card

    def bends(self, player: int, word: str) -> bool:
        """A face-up Ozeki of the player bends this rule (G8)."""
        return any(word in goblin.face.rule for goblin in self.seats[player].face_up)

    def changed(self, owners: Iterable[int] = ()) -> None:
        """After every change: fifteen cards (G14), or a face-up card whose conditions all hold (G8, G16).

        Several at once: the active player wins, or who comes first clockwise from him (G16).
        """
        reasons: dict[int, str] = {}
        for player, seat in enumerate(self.seats):
            met = [
                goblin
                for goblin in seat.face_up
                if goblin.face.win and all(holds(self, player, goblin.face, condition) for condition in goblin.face.win)
            ]
            if len(seat.goblins) >= self.rules["full_army"]:
                reasons[player] = "fifteen"
            elif met:
                reasons[player] = "condition"
        if not reasons:
            return
        winner = next(player for player in self.clockwise(self.active) if player in reasons)
        self.saw("G16 several win at once", len(reasons) > 1)
        self.saw("G16 a condition met in another's turn", winner != self.active)
        self.saw("G8 a condition wins", reasons[winner] == "condition")
        self.saw("G14 fifteen cards win", reasons[winner] == "fifteen")
        raise GameWon([winner], reasons[winner])


class GosuGame(ReferenceGame):
    """One game of GOSU."""

    table: GosuTable
    TABLE = GosuTable
    DEFAULT_RULES: ClassVar[dict[str, int]] = {
        "deal": 7,
        "tokens": 2,
        "turns_after_pass": -1,  # none
        "points_to_win": 3,
        "full_army": 15,
        "new_clan_cost": 2,
        "max_turns_per_round": 60,
        "max_mulligans": 10,
        "max_decisions": 20_000,
    }

    def more_of(self, seat: Seat) -> dict[str, Any]:
        on = [
            slot_label((0, row, column))
            for row, goblins in enumerate(seat.army)
            for column, goblin in enumerate(goblins)
            if goblin.token
        ]
        return {"tokens": {"ready": seat.ready, "spent": seat.spent, "on": on}}

    def saw_redraw(self, kind: str) -> None:
        self.table.saw("G1 a redraw in the opening")

    # --- a turn ------------------------------------------------------------------------------------------------

    def other_actions(self, player: int) -> set[str]:
        """One token for a card, two for three, one on a face-up goblin with an activated power (G3, G11, G12)."""
        table, seat = self.table, self.table.seats[player]
        table.saw("G12 no card anywhere for a token", seat.ready and not table.can_draw())
        labels = {f"spend {count}" for count in CARDS_FOR_TOKENS if count <= seat.ready and table.can_draw()}
        for place in table.places(player):
            goblin = table.at(place)
            able = seat.ready > 0 and goblin.face.activate
            table.saw("G11 a card with its token on is not activated again", able and goblin.token)
            table.saw("G3 a trapped goblin is not activated", able and goblin.trapped)
            if able and not goblin.token and not goblin.trapped:
                labels.add(f"activate {slot_label(place)}")
        return labels

    def act(self, player: int, label: str) -> Choices:
        table, seat = self.table, self.table.seats[player]
        verb, _, what = label.partition(" ")
        if verb == "spend":
            count = int(what)
            seat.ready -= count
            seat.spent += count
            rich = table.bends(player, "rich tokens")
            table.saw("G8 a token draws more", rich)
            cards = CARDS_FOR_TOKENS[count] + rich
            table.saw("G12 fewer cards than asked", cards > len(table.draw_pile) + len(table.discard_pile))
            table.draw(player, cards)
            return
        goblin = next(table.at(place) for place in table.places(player) if slot_label(place) == what)
        seat.ready -= 1
        goblin.token = True
        table.saw("G3 a goblin is activated")
        yield from self._powers_in_play(player, goblin, goblin.face.activate, accepted=True)

    def turns_after_pass(self) -> int | None:
        """No limit by default; ten is the tournament rule (G4)."""
        number = self.rules["turns_after_pass"]
        self.table.saw("G4 a pass without a limit for the others", number < 0)
        return None if number < 0 else number

    def turn_begins(self, seat: Seat) -> None:
        """Extra turns left over from before the last turn that counts are lost when it begins (G19)."""
        if seat.turns_left == 1:
            self.table.saw("G19 extra turns beyond the limit are lost", seat.extra_turns)
            seat.extra_turns = 0

    def count_down(self, seat: Seat, is_extra: bool) -> None:
        """With a limit extra turns count too, except one gained on the last turn (G19)."""
        if seat.turns_left:
            seat.turns_left -= 1
            self.table.saw("G19 an extra turn counts", is_extra)
            self.table.saw("T6 out of turns without a pass", seat.turns_left == 0)
            self.table.saw(
                "G19 extra turns gained on the last one are played", not seat.turns_left and seat.extra_turns
            )

    # --- what Ozekis bend --------------------------------------------------------------------------------------

    def mutation_cost(self, player: int, goblin: Goblin) -> int:
        cost = super().mutation_cost(player, goblin)
        cheap = self.table.bends(player, "cheap mutation")
        self.table.saw("G8 a mutation made cheap", cheap and cost)
        return max(0, cost - cheap)

    def is_zombie(self, player: int, goblin: Goblin) -> bool:
        bent = self.table.bends(player, "all zombies")
        self.table.saw("G8 a zombie by another's rule", bent and not goblin.face.zombie)
        return super().is_zombie(player, goblin) or bent

    def ignores_clans(self, player: int) -> bool:
        bent = self.table.bends(player, "strange allies")
        self.table.saw("G8 recruits without their clan", bent)
        return bent

    def reach(self, player: int, level: int) -> int:
        bent = self.table.bends(player, "long reach")
        self.table.saw("G8 a longer reach", bent and level < 3)
        return 3 if bent else level

    def scorers(self, best: list[int]) -> list[int]:
        table = self.table
        winners_of_ties = [player for player in best if table.bends(player, "wins ties")]
        table.saw("G5 the token wins a tie", len(best) > 1 and table.advantage in best and not winners_of_ties)
        table.saw("G5 all score in a tie without the token", len(best) > 1 and table.advantage not in best)
        table.saw("G24 several of the tied win ties", len(best) > 1 and len(winners_of_ties) > 1)
        if len(best) > 1 and winners_of_ties:
            table.saw("G8 a tie won by a rule", winners_of_ties != [table.advantage])
            best = winners_of_ties
        return super().scorers(best)

    def worth(self, player: int) -> int:
        """Two points in a battle that his card makes worth two; for its owner alone (G8, G13)."""
        double = self.table.bends(player, "double victory")
        self.table.saw("G13 a battle worth two points", double)
        return 2 if double else 1

    def released(self, player: int) -> list[Goblin]:
        held = any(other != player and self.table.bends(other, "held fast") for other in range(len(self.table.seats)))
        goblins = super().released(player)
        self.table.saw("G8 trapped goblins stay trapped", held and any(goblin.trapped for goblin in goblins))
        return [] if held else goblins

    # --- mutations and arrivals --------------------------------------------------------------------------------

    def replace(self, place: Place, mutated: Goblin, face: Face) -> Choices:
        """Discard, what that triggers, arrival, what that triggers, and last the mutation powers (G7)."""
        table, player = self.table, place[0]
        table.token_comes_off(player, mutated)
        mutated.leaving = True  # its slot stays filled till the arrival (G20)
        table.discard_pile.append(mutated.face.label)
        try:
            table.changed([player])
            yield from self._departures(player)
        except GameWon:
            table.saw("G20 the discard ends the game before the arrival")
            raise
        yield from self.arrive(player, self.put_in_place(place, face), mutated)

    def _departures(self, player: int) -> Choices:
        """What the discard triggers, slot by slot, before the replacement comes; nothing is asked (G7, G23)."""
        waiting = [goblin for goblin in self.table.seats[player].face_up if goblin.face.departure]
        self.table.saw("G7 the discard of a mutated goblin triggers something", waiting)
        self.table.saw("G23 it triggers several cards", len(waiting) > 1)
        for goblin in waiting:
            yield from self._powers_in_play(player, goblin, goblin.face.departure)

    def arrive(self, player: int, newcomer: Goblin, mutated: Goblin | None) -> Choices:
        self.table.changed([player])
        yield from self._powers_in_play(player, newcomer, newcomer.face.enter)
        if mutated is not None:
            for power in mutated.face.mutate:  # wherever the card is by now (T26)
                self.table.saw("G7 mutation powers after the arrival's", newcomer.face.enter)
                yield from self._resolve(player, mutated.face, power)

    def _powers_in_play(self, player: int, goblin: Goblin, powers: tuple[str, ...], accepted: bool = False) -> Choices:
        """Each of them as long as the card lies face up in the army (T26)."""
        for power in powers:
            if self.table.seats[player].has_face_up(goblin):
                yield from self._resolve(player, goblin.face, power, accepted)
            else:
                self.table.saw("T26 the card is trapped or gone before its power")

    def _resolve(self, player: int, face: Face, power: str, accepted: bool = False) -> Choices:
        self.table.power = {"card": face.label, "name": power}
        yield from run(self.table, player, face, self.cards.programs[power], self.reach, accepted)
        self.table.power = None

    # --- a new round -------------------------------------------------------------------------------------------

    def _new_round(self) -> Choices:
        """Release all, tokens back, next round; nobody draws, and there is no mulligan (G2, G17)."""
        self._release_all()
        table = self.table
        table.saw("G17 a new round without a draw")
        for player, seat in enumerate(table.seats):
            for goblin in seat.goblins:
                goblin.token = False
            spare = table.bends(player, "spare token")
            table.saw("G8 a token more", spare)
            seat.ready = self.rules["tokens"] + spare
            table.saw("G2 spent tokens come back", seat.spent)
            seat.spent = 0
        drawing = [player for player in table.clockwise(table.advantage) if table.bends(player, "round draw")]
        table.saw("G8 a card at a new round", drawing)
        table.all_draw(dict.fromkeys(drawing, 2))
        yield from ()
