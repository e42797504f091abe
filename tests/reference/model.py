"""The reference model of the Gosu games: a second reading of the rules, written to be read, not to be fast.

It is made from the rulebooks and the project's rulings (docs/rulings.md; their numbers stand in brackets, T13, G7) and
shares nothing with `gosu_rl` but the format of the card file. The flow that the variants have in common stands here
from top to bottom, one turn in `turns.py`, what powers do in `effects.py`, the table in `table.py`; what is Tactics
alone is in `tactics.py` and `powers.py`, what is GOSU (2010) alone in `gosu.py` and `programs.py`.

The game is one generator: it yields each decision that it puts and is sent the label chosen. Chance comes from
outside: the deal as arguments, each reshuffle through `shuffle`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from .faces import CardFile, read_cards
from .flow import Choices, Decision, Flow
from .table import Goblin, Seat, Table
from .turns import Turns


class ReferenceGame(Flow, Turns):
    """One game; made as a `TacticsGame` or a `GosuGame`.

    `cards` is a card file or what `read_cards` made of one.
    `hands` are the cards dealt to each seat, `draw_pile` the rest, top first; `shuffle` is given the sorted labels of
    the discard pile and returns them as the new draw pile, top first. `rules` overrides `DEFAULT_RULES`.
    """

    DEFAULT_RULES: ClassVar[dict[str, int]]
    TABLE: ClassVar[type[Table]]

    def __init__(
        self,
        cards: str | Path | CardFile,
        players: int,
        hands: list[list[str]],
        draw_pile: list[str],
        advantage: int,
        shuffle: Callable[[list[str]], list[str]],
        rules: Mapping[str, int] | None = None,
    ) -> None:
        self.cards = cards if isinstance(cards, CardFile) else read_cards(cards)
        faces = self.cards.faces
        self.rules = self.DEFAULT_RULES | dict(rules or {})
        if not 2 <= players <= 4 or len(hands) != players:
            raise ValueError(f"{players} players and {len(hands)} hands: give 2 to 4 hands")
        if any(len(hand) != self.rules["deal"] for hand in hands):
            raise ValueError(f"hands of {[len(hand) for hand in hands]} cards; the deal is {self.rules['deal']} each")
        copies = Counter({label: face.copies for label, face in faces.items()})
        if Counter(card for cards in [*hands, draw_pile] for card in cards) != copies:
            raise ValueError("hands and draw pile together are not the card set")
        self.table = self.TABLE(faces, hands, draw_pile, advantage, shuffle, self.rules)
        self._begin(self._game(), players, self.rules["max_decisions"])

    def as_dict(self, viewer: int | None = None) -> dict[str, Any]:
        """The position as plain data, in the shape of docs/architecture.md; or as `viewer` may see it: without the
        others' cards but those that all know, without picks of others and without the order of the draw pile."""
        table = self.table
        sees_all = viewer is None
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
            "players": [
                {
                    "hand": sorted(seat.hand if viewer in (None, player) else seat.known),
                    "hand_size": len(seat.hand),
                    "known": sorted(seat.known),
                    "picks": sorted(seat.picks) if viewer in (None, player) else [],
                    "points": seat.points,
                    "turns_left": seat.turns_left,
                    "passed": seat.passed,
                    "extra_turns": seat.extra_turns,
                    "turns_taken": seat.turns_taken,
                    "army": [
                        [(goblin.face.label, goblin.trapped) for goblin in row if not goblin.leaving]
                        for row in seat.army
                    ],
                }
                | self.more_of(seat)
                for player, seat in enumerate(table.seats)
            ],
            "draw_pile": list(table.draw_pile) if sees_all else [],
            "draw_pile_size": len(table.draw_pile),
            "pile_order": list(table.pile_order) if sees_all else [],
            "shuffles": table.shuffles,
            "discard_pile": sorted(table.discard_pile),
            "set_aside": sorted(table.set_aside),
            "power": None if self.over else table.power,
            "returns": self.returns,
            "shares": self.shares,
        }

    def more_of(self, seat: Seat) -> dict[str, Any]:
        """What `as_dict` says of a player in this variant alone."""
        return {}

    # --- the game ----------------------------------------------------------------------------------------------

    def _game(self) -> Choices:
        yield from self._opening()
        while True:
            yield from self._round()
            self._great_battle()
            yield from self._new_round()

    def _opening(self) -> Choices:
        """Mulligans of all, from the Advantage holder clockwise (T2, G1, T41)."""
        for player in self.table.clockwise(self.table.advantage):
            yield from self._mulligans(player, "mulligan", self._has_no_bakuto)

    def _mulligans(self, player: int, kind: str, qualifies: Callable[[int], bool]) -> Choices:
        """Asked of everyone, again after each yes until "keep"; "keep" alone for who does not qualify (T41)."""
        table = self.table
        hand = table.seats[player].hand
        redraws = 0
        while True:
            may_redraw = bool(hand) and redraws < self.rules["max_mulligans"] and qualifies(player)
            answer = yield Decision(player, kind, frozenset({"keep", "redraw"} if may_redraw else {"keep"}))
            if answer == "keep":
                table.saw("T43 kept although a redraw was allowed", may_redraw)
                table.saw("T41 put with keep alone to an empty hand", not hand)
                table.saw(
                    "T41 put with keep alone after the last redraw", redraws and redraws == self.rules["max_mulligans"]
                )
                return
            self.saw_redraw(kind)
            redraws += 1
            count = len(hand)
            table.discard_hand(player)  # first discard, then draw (T41)
            table.draw(player, count)

    def _has_no_bakuto(self, player: int) -> bool:
        return all(self.table.faces[card].level != 1 for card in self.table.seats[player].hand)

    def _round(self) -> Choices:
        """Turns clockwise by seat, from the holder of the moment, until all have passed or are out (T4, T36)."""
        table = self.table
        player: int | None = table.first
        while player is not None:
            table.active = player
            seat = table.seats[player]
            yield from self._turn(player, is_extra=False)
            while seat.extra_turns:  # right after the turn that gave them (T7); an ordinary turn otherwise (T34)
                table.saw("T7 extra turns pile up", seat.extra_turns > 1)
                table.saw("T7 extra turns beyond what a byte holds", seat.extra_turns > 127)
                table.saw("T7 an extra turn after the last regular one", seat.is_out)
                seat.extra_turns -= 1
                yield from self._turn(player, is_extra=True)
            after = [*table.clockwise(player)[1:], player]
            player = next((other for other in after if not table.seats[other].is_out), None)
            table.saw("T36 a seat that is out is skipped", player is not None and player != after[0])
            table.saw("T4 the order of turns stays though the card has moved", table.advantage != table.first)

    def _turn(self, player: int, is_extra: bool) -> Choices:
        """One action (T5, G3). Always put, even if only "pass" is legal (T42)."""
        seat = self.table.seats[player]
        self.turn_begins(seat)
        worn_out = seat.turns_taken >= self.rules["max_turns_per_round"]  # T44
        options = set() if worn_out else self.nameable(player) | self.other_actions(player)
        self.table.saw("T44 too many turns: pass alone", worn_out)
        self.table.saw("T42 put with pass alone", not options and not worn_out)
        self.table.saw("T34 an extra turn with pass alone", not options and is_extra)
        answer = yield Decision(player, "turn", frozenset(options | {"pass"}))
        verb = answer.partition(" ")[0]
        if verb == "pass":
            self._pass(player, is_extra)
        elif verb in ("play", "take"):
            yield from self.play_card(player, answer)
        else:
            yield from self.act(player, answer)
        seat.turns_taken += 1  # counted when the turn ends (T36)
        self.count_down(seat, is_extra)

    def _pass(self, player: int, is_extra: bool) -> None:
        """The first pass of a round, in an extra turn too, may limit the turns of the others (T6, G4, T35)."""
        if not any(seat.passed for seat in self.table.seats):
            self.table.saw("T35 the first pass in an extra turn", is_extra)
            for other in self.table.seats:
                other.turns_left = self.turns_after_pass()
        else:
            self.table.saw("T6 a later pass renews nothing", any(seat.turns_left for seat in self.table.seats))
        seat = self.table.seats[player]
        self.table.saw("T7 a pass forfeits extra turns", seat.extra_turns)
        seat.passed = True
        seat.turns_left = 0  # T36
        seat.extra_turns = 0  # forfeited (T7)

    def _great_battle(self) -> None:
        """The highest total of face-up strength scores; the holder wins ties he is part of (T37, G5). Three points win,
        for all who reach them together (T21)."""
        table = self.table
        totals = [sum(goblin.face.strength for goblin in seat.face_up) for seat in table.seats]
        best = [player for player, total in enumerate(totals) if total == max(totals)]
        scorers = self.scorers(best)
        table.saw("T37 the holder scores alone among equals", len(best) > 1 and scorers == [table.advantage])
        table.saw("T37 several score", len(scorers) > 1)
        table.saw("T37 a total of 0 wins", max(totals) == 0)
        table.saw(
            "T35 all pass at once and still fight", all(seat.turns_taken == 1 and seat.passed for seat in table.seats)
        )
        table.gain_points({player: self.worth(player) for player in scorers})

    def _release_all(self) -> None:
        """A new round begins: counters back, the trapped goblins face up. One change for all armies (T23, G17, T38)."""
        table = self.table
        table.round += 1
        table.first = table.active = table.advantage
        to_release = [goblin for player in range(len(table.seats)) for goblin in self.released(player)]
        for goblin in to_release:
            table.saw("T23 a goblin is released", goblin.trapped)
            goblin.trapped = False
        for seat in table.seats:
            seat.passed, seat.turns_left, seat.turns_taken = False, None, 0
        table.changed(range(len(table.seats)))

    # --- what the variants do each in its way ------------------------------------------------------------------

    @abstractmethod
    def saw_redraw(self, kind: str) -> None:
        """Notes which ruling allowed a redraw."""

    def other_actions(self, player: int) -> set[str]:
        """What may be done in a turn besides naming a card and passing."""
        return set()

    def act(self, player: int, label: str) -> Choices:
        """One of the `other_actions`."""
        raise AssertionError(f"{label} is no action of this game")

    @abstractmethod
    def turns_after_pass(self) -> int | None:
        """How many turns the first pass of a round leaves to the others; None: any number."""

    def turn_begins(self, seat: Seat) -> None:
        """Before a turn is put, a regular or an extra one."""

    @abstractmethod
    def count_down(self, seat: Seat, is_extra: bool) -> None:
        """At the end of a turn: one fewer is left, if somebody has passed (T6, T7, G19)."""

    def scorers(self, best: list[int]) -> list[int]:
        """Who of those with the highest total scores: the Advantage holder alone, or all of them (T37, G5)."""
        return [self.table.advantage] if self.table.advantage in best else best

    def worth(self, player: int) -> int:
        """The Victory Points that the battle is worth to him if he scores."""
        return 1

    def released(self, player: int) -> list[Goblin]:
        """The goblins that a new round turns up again in this army."""
        return self.table.seats[player].goblins

    @abstractmethod
    def _new_round(self) -> Choices:
        """From the end of a battle to the first turn of the next round."""
        yield from ()
