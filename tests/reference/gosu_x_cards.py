"""Steps of texts of Gosu X that move cards of hands, decks and discard piles, and put cards into play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import partial

from .flow import Decision
from .gosu_x_run import DECLINE, Effect, Run, accepts
from .gosu_x_table import Card, Shown, XTable
from .gosu_x_words import Step, XFace


class CardSteps(Run):
    """What a text does with cards that do not lie in an army."""

    # --- hand and deck -----------------------------------------------------------------------------------------

    def do_draw(self, step: Step, actor: int) -> Effect:
        table, seat = self.table, self.table.seats[actor]
        count = self._number(step, len(seat.hand))
        if not count or not table.can_draw(actor) or (step.may and not (yield from accepts(actor))):
            return False
        drawn = table.draw(actor, count)
        seat.this_turn.drawn += drawn
        return drawn > 0

    def do_discard(self, step: Step, actor: int) -> Effect:
        """Own choice; a hand that goes as a whole is not asked about (T42)."""
        table, hand = self.table, self.table.seats[actor].hand
        if not step.filter.is_any:
            fits = frozenset(f"discard {label}" for label in self._labels(step, hand))
            if not hand:
                return False
            table.saw("T42 a search put with decline alone", not fits)
            answer = yield Decision(actor, "discard", fits | DECLINE)
            if answer != "decline":
                table.discard(actor, answer.removeprefix("discard "))
            return answer != "decline"
        count = self._number(step, len(hand), down=True)
        if step.may and (not count or len(hand) < count):
            table.saw("X29 a price that cannot be paid is not asked for", count)
            return False
        table.saw("X29 a forced discard takes what there is", len(hand) < count)
        done = False
        if step.may and step.who != "you" and not (yield from accepts(actor)):
            return False
        for remaining in range(min(count, len(hand)), 0, -1):
            optional = step.may and step.who == "you" and not done
            if remaining == len(hand) and not optional:
                for label in list(hand):
                    table.discard(actor, label)
                return True
            labels = frozenset(f"discard {label}" for label in hand)
            answer = yield Decision(actor, "discard", labels | (DECLINE if optional else frozenset()))
            if answer == "decline":
                return False
            table.discard(actor, answer.removeprefix("discard "))
            done = True
        return done

    def do_put_on_deck(self, step: Step, actor: int) -> Effect:
        """Face down: the other player no longer knows what is in that hand (X56)."""
        table, seat = self.table, self.table.seats[actor]
        count, done = self.amount, False
        if step.may and (not count or len(seat.hand) < count):
            return False
        for _ in range(count):
            optional = step.may and not done
            if not seat.hand:
                break
            if len(seat.hand) == 1 and not optional:
                label = seat.hand[0]
            else:
                labels = frozenset(f"take {card}" for card in seat.hand)
                answer = yield Decision(actor, "card", labels | (DECLINE if optional else frozenset()))
                if answer == "decline":
                    return False
                label = answer.removeprefix("take ")
            table.put_on_deck(actor, label, on_top=step.place == "top")
            done = True
        return done

    def do_reveal(self, step: Step, actor: int) -> Effect:
        return self._show(step, actor, public=True)

    def do_look(self, step: Step, actor: int) -> Effect:
        return self._show(step, actor, public=False)

    def _show(self, step: Step, actor: int, public: bool) -> Effect:
        """Never reshuffles (X11, X45)."""
        table, seat = self.table, self.table.seats[actor]
        wanted = self.amount
        count = min(wanted, len(seat.deck))
        table.saw("X45 fewer cards to show than asked", count < wanted and seat.discard_pile)
        table.shown[-1] = Shown(actor, seat.deck[:count], public)
        for card in seat.deck[:count]:
            card.owner = True
            if public and not card.both:
                card.both = True
                seat.surely -= Counter({card.label: 1})
        table.look_for_empty_deck(actor)
        yield from ()
        return count > 0

    def do_keep(self, step: Step, actor: int) -> Effect:
        table = self.table
        count = self.amount
        if not table.shown_cards(actor):
            return False
        shown = table.shown[-1]
        assert shown is not None

        def fitting() -> list[str]:
            return self._labels(step, [card.label for card in table.shown_cards(actor)])

        if shown.public:
            return (
                yield from self._pick(
                    actor, fitting, lambda label: table.keep_shown(actor, label, True), count, step.may
                )
            )
        done = False
        for _ in range(count):
            label = yield from self._search(actor, lambda: bool(table.shown_cards(actor)), fitting, step.may)
            if label is None:
                break
            table.keep_shown(actor, label, openly=not step.filter.is_any)
            done = True
        return done

    def do_rest_to(self, step: Step, actor: int) -> Effect:
        table, seat = self.table, self.table.seats[actor]
        rest = table.shown_cards(actor)
        table.shown[-1] = None
        if rest and step.place != "top":
            seat.deck = [card for card in seat.deck if not any(card is other for other in rest)]
            if step.place == "bottom":
                table.saw("X45 the rest goes to the bottom")
                seat.deck += rest
            else:
                seat.surely -= Counter(card.label for card in rest if not card.both)
                seat.discard_pile += [card.label for card in rest]
                table.look_for_empty_deck(actor)
        yield from ()
        return bool(rest) and step.place != "top"

    def do_fetch(self, step: Step, actor: int) -> Effect:
        """Shown; asked while there is a deck, and then it is shuffled, found or not (X46)."""
        table, seat = self.table, self.table.seats[actor]
        count, done = self.amount, False
        if not seat.deck or not count:
            return False
        for _ in range(count):
            label = yield from self._search(
                actor,
                lambda: bool(seat.deck),
                lambda: self._labels(step, [card.label for card in seat.deck]),
                step.may,
            )
            if label is None:
                table.saw("X46 a search that finds nothing", not step.may)
                if step.may and not done:  # nothing was searched
                    table.saw("X46 a search declined")
                    return False
                break
            table.fetch(actor, label)
            done = True
        table.shuffle_deck(actor)
        return done

    # --- discard pile and removed cards ------------------------------------------------------------------------

    def do_take_back(self, step: Step, actor: int) -> Effect:
        seat = self.table.seats[actor]
        return self._from_pile(step, actor, seat.discard_pile, partial(self.table.take_openly, actor))

    def do_remove_pile(self, step: Step, actor: int) -> Effect:
        seat = self.table.seats[actor]
        return self._from_pile(step, actor, seat.discard_pile, seat.removed.append)

    def do_retrieve(self, step: Step, actor: int) -> Effect:
        seat = self.table.seats[actor]
        self.table.saw("X45 a removed card is retrieved", self._labels(step, seat.removed))
        return self._from_pile(step, actor, seat.removed, partial(self.table.take_openly, actor))

    def _from_pile(self, step: Step, actor: int, pile: list[str], put: Callable[[str], None]) -> Effect:
        def take(label: str) -> None:
            pile.remove(label)
            put(label)

        return self._pick(actor, lambda: self._labels(step, pile), take, self.amount, step.may)

    def do_put_into_play(self, step: Step, actor: int) -> Effect:
        """Pays nothing, needs an empty slot, knows no clan rule, and counts as entering (X35, X39)."""
        table, seat = self.table, self.table.seats[actor]

        def fitting(source: Collection[str]) -> list[str]:
            fits = self._labels(step, source)
            roomy = [label for label in fits if seat.has_room(table.faces[label].level - 1)]
            table.saw("X39 no space for a card that would fit", len(roomy) < len(fits))
            return roomy

        found: list[str] = []
        if step.place == "hand":
            there = bool(seat.hand) and any(seat.has_room(row) for row in range(3))
            label = yield from self._search(actor, lambda: there, lambda: fitting(seat.hand), decline=True)
            if label is not None:
                found.append(label)
                table.leave_hand(actor, label)
        elif step.place == "pile":
            yield from self._pick(actor, lambda: fitting(seat.discard_pile), found.append, 1, step.may)
            if found:
                seat.discard_pile.remove(found[0])
        else:
            shown = table.shown_cards(actor)
            labels = [card.label for card in shown]
            if table.shown[-1] and table.shown[-1].public:
                yield from self._pick(actor, lambda: fitting(labels), found.append, 1, step.may)
            else:
                there = bool(shown) and any(seat.has_room(row) for row in range(3))
                label = yield from self._search(actor, lambda: there, lambda: fitting(labels), step.may)
                found += [label] if label is not None else []
            if found:
                table.leave_deck(actor, found[0])
                table.hide_looked_at(actor, sunk=True)
        if not found:
            return False
        card = Card(table.faces[found[0]])
        table.saw("X39 put into play against the clan rule", not _clan_rule_holds(table, actor, card.face))
        seat.army[card.face.level - 1].append(card)
        yield from self.enters(card)
        return True


def _clan_rule_holds(table: XTable, player: int, face: XFace) -> bool:
    return all(table.seats[player].has_clan(row, face.clan) for row in range(face.level - 1))
