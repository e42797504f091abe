"""Steps of texts of Gosu X with targets in armies: capture, destruction, release and so on, and `resolve`."""

from __future__ import annotations

from functools import partial

from .gosu_x_counts import is_ethereal
from .gosu_x_run import Effect, Run, accepts
from .gosu_x_table import DEEPEST, Card
from .gosu_x_words import Step
from .table import Place


class ArmySteps(Run):
    """What a text does to cards in armies."""

    def do_capture(self, step: Step, actor: int) -> Effect:
        return self._aim(step, actor, partial(self._capturable, step), self._capture)

    def _capturable(self, step: Step) -> list[Place]:
        table = self.table
        places = self.speaker.fitting(step.filter)
        free = [place for place in places if not table.at(place).captured and not is_ethereal(table, place)]
        table.saw("X26 an Ethereal card is not captured", any(is_ethereal(table, place) for place in places))
        return free

    def _capture(self, places: list[Place]) -> None:
        table = self.table
        self.owed += self._bounties(places)
        for place in places:
            card = table.at(place)
            table.saw("X10 captured though not OPEN", not table.is_open(place))
            table.tokens_off(place[0], card)
            card.captured = True
            table.seats[self.player].this_turn.captured += 1
            table.seats[place[0]].this_turn.lost += 1
        table.changed()

    def _bounties(self, places: list[Place]) -> int:
        """Opposing cards with Bounty, once a card (X24)."""
        cards = [self.table.at(place) for place in places if place[0] != self.player and self.table.at(place).is_bounty]
        own = [place for place in places if place[0] == self.player and self.table.at(place).is_bounty]
        self.table.saw("X24 an own card pays no Bounty", own)
        self.table.saw("X24 keyword and token pay once", any(card.bounty and card.has("bounty") for card in cards))
        return len(cards)

    def do_destroy(self, step: Step, actor: int) -> Effect:
        return self._aim(step, actor, partial(self._destroyable, step), self._destroy)

    def _destroyable(self, step: Step) -> list[Place]:
        table = self.table
        places = [place for place in self.speaker.fitting(step.filter) if table.is_open(place)]
        free = [place for place in places if not is_ethereal(table, place)]
        table.saw("X26 an Ethereal card is not destroyed", len(free) < len(places))
        return free

    def _destroy(self, places: list[Place]) -> None:
        table = self.table
        self.owed += self._bounties(places)
        for player, card in table.take_out(places):
            table.saw("X10 a captured card destroyed", card.captured)
            table.saw("X24 a captured card pays no Bounty", card.captured and "bounty" in card.face.keywords)
            table.seats[player].discard_pile.append(card.face.label)
            table.seats[self.player].this_turn.destroyed += 1
            table.seats[player].this_turn.lost += 1
        table.changed()

    def do_release(self, step: Step, actor: int) -> Effect:
        def captured() -> list[Place]:
            return [place for place in self.speaker.fitting(step.filter) if self.table.at(place).captured]

        def release(places: list[Place]) -> None:
            for place in places:
                self.table.saw("X38 released in the other's army", place[0] != actor)
                self.table.saw("X38 released though not OPEN", not self.table.is_open(place))
                self.table.at(place).captured = False
            self.table.changed()

        return self._aim(step, actor, captured, release)

    def do_return(self, step: Step, actor: int) -> Effect:
        def hit(places: list[Place]) -> None:
            for player, card in self.table.take_out(places):
                self.table.saw("X26 an Ethereal card is returned", "ethereal" in card.face.keywords)
                self.table.take_openly(player, card.face.label)
            self.table.changed()

        return self._aim(step, actor, partial(self._open, step), hit)

    def do_remove(self, step: Step, actor: int) -> Effect:
        def hit(places: list[Place]) -> None:
            for player, card in self.table.take_out(places):
                self.table.seats[player].removed.append(card.face.label)
            self.table.changed()

        return self._aim(step, actor, partial(self._open, step), hit)

    def _open(self, step: Step) -> list[Place]:
        return [place for place in self.speaker.fitting(step.filter) if self.table.is_open(place)]

    def do_sacrifice(self, step: Step, actor: int) -> Effect:
        """Of the actor's own army, captured or not, Ethereal or not; neither capture nor destruction (X24)."""
        table, seat = self.table, self.table.seats[actor]

        def own() -> list[Place]:
            return self.speaker.fitting(step.filter, table.open_places(actor))

        def hit(places: list[Place]) -> None:
            for player, card in table.take_out(places):
                table.saw("X24 a sacrifice pays no Bounty", card.has("bounty"))
                table.saw("X26 an Ethereal card is sacrificed", card.has("ethereal"))
                table.seats[player].discard_pile.append(card.face.label)
            table.changed()

        count = self._number(step, len(seat.cards), down=True)
        if step.may and (not count or len(seat.cards) < count or not own()):
            table.saw("X29 a price that cannot be paid is not asked for", count)
            return False
        if step.may and step.who != "you" and not (yield from accepts(actor)):
            return False
        optional = step.may and step.who == "you"
        return (yield from self._aim_at(step, actor, count, own, hit, optional, first_only=True))

    def do_resolve(self, step: Step, actor: int) -> Effect:
        """The text of another own face-up card; it acts for its owner, and nothing enters (X58)."""
        table = self.table
        targets: list[Card] = []

        def others() -> list[Place]:
            places = self.speaker.fitting(step.filter, table.places(actor))
            cards = [(place, table.at(place)) for place in places]
            return [
                place for place, card in cards if not card.captured and card.face.text and card is not self.speaker.card
            ]

        if table.depth >= DEEPEST:
            table.saw("X52 too deep: resolve does nothing")
            return False
        yield from self._aim_at(step, actor, 1, others, lambda places: targets.append(table.at(places[0])), step.may)
        for card in targets:
            table.saw("X58 a text is resolved without entering")
            table.saw("X30 resolved though on entering or activation only", card.face.on)
            yield from self.resolves(card)
        return bool(targets)
