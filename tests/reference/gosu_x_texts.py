"""What the texts of Gosu X do: one text is run step by step, each step as far as it can be (X29).

`run_text` is a text from its first step to its Bounty draws; `enter` is a card that comes into an army: Wondrous,
text, Echo. What is asked and what is not follows public facts alone (T42; docs/rulings-gosu-x.md lists it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator
from functools import partial

from .flow import Choices, Decision, GameWon
from .gosu_x_counts import Speaker, is_ethereal
from .gosu_x_table import DEEPEST, Card, Shown, XTable
from .gosu_x_words import Block, Branch, Choice, Step, XFace
from .table import Place, ask_place, target_label

Effect = Generator[Decision, str, bool]  # whether anything has changed ("if you do")
DECLINE = frozenset({"decline"})


def accepts(player: int) -> Effect:
    answer = yield Decision(player, "may", frozenset({"accept", "decline"}))
    return answer == "accept"


def enter(table: XTable, player: int, card: Card) -> Choices:
    """A card has come into an army, by play, by shift or by an effect (X8, X39); it lies in its slot already."""
    table.changed()
    if card.has("wondrous"):
        table.saw("X33 a Wondrous card takes the Wonder token", table.wonder != player)
        table.saw("X33 it is there already", table.wonder == player)
        table.wonder = player
    if not card.face.text or card.face.on == "activation":
        table.saw("X30 a text on activation only", card.face.text)
        return
    if table.depth >= DEEPEST:
        table.saw("X52 too deep: it enters without its text")
        return
    yield from run_text(table, player, card.face, card)
    if not card.has("echo"):
        table.saw("X51 no Echo for a card captured or gone", "echo" in card.face.keywords)
        return
    if table.seats[player].has_face_up(card):
        outer, table.power = table.power, {"card": card.face.label, "name": "text", "step": "echo"}
        again = yield from accepts(player)
        table.power = outer
        table.saw("X28 Echo is declined", not again)
        if again:
            table.saw("X28 Echo: the text once more")
            yield from run_text(table, player, card.face, card)
    else:
        table.saw("X51 no Echo for a card captured or gone")


def run_text(table: XTable, player: int, face: XFace, card: Card | None) -> Choices:
    """The whole text for its controller, then the Bounty draws that it earned (X24, X54)."""
    outer = table.power
    table.shown.append(None)
    table.saw("X52 three texts at work", table.depth == DEEPEST)
    run = Run(table, player, face, card)
    yield from run.block(face.text)
    table.saw("X45 shown cards stay on top", table.shown_cards(player))
    table.shown[-1] = None
    table.saw("X24 several Bounty draws", run.owed > 1)
    table.saw("X54 an inner text pays its own Bounty draws", run.owed and table.depth > 1)
    table.saw("X24 no card for a Bounty draw", run.owed and not table.can_draw(player))
    table.power = {"card": face.label, "name": "text", "step": "bounty"}
    while run.owed and table.can_draw(player):
        run.owed -= 1
        if (yield from accepts(player)):
            table.saw("X24 a card for a Bounty")
            table.seats[player].this_turn.drawn += table.draw(player, 1)
    table.shown.pop()
    table.power = outer


class Run:
    """One text being carried out."""

    def __init__(self, table: XTable, player: int, face: XFace, card: Card | None) -> None:
        self.table = table
        self.player = player
        self.speaker = Speaker(table, player, face, card)
        self.face = face
        self.done = False  # whether the last step changed anything
        self.owed = 0  # Bounty draws
        self.amount = 0  # of the step at work

    def block(self, block: Block) -> Choices:
        for part in block:
            if isinstance(part, Step):
                yield from self._step(part)
            elif isinstance(part, Branch):
                held = self.done if part.condition is None else self.speaker.holds(part.condition)
                self.table.saw("X29 if you do: done" if held else "X29 if you do: not done", part.condition is None)
                yield from self.block(part.then if held else part.otherwise)
            else:
                yield from self._choose(part)

    def _choose(self, choice: Choice) -> Choices:
        """Any part, also one that does nothing (X50)."""
        self._name(choice.text)
        labels = [f"option {number}" for number in range(1, len(choice.parts) + 1)]
        answer = yield Decision(self.player, "mode", frozenset(labels))
        self.table.saw("X50 a part is chosen")
        yield from self.block(choice.parts[labels.index(answer)])

    def _name(self, step: str) -> None:
        self.table.power = {"card": self.face.label, "name": "text", "step": step}

    def _step(self, step: Step) -> Choices:
        """For you, the other, or both, you first."""
        actors = {"you": [self.player], "other": [1 - self.player], "both": [self.player, 1 - self.player]}[step.who]
        carry_out: Callable[[Step, int], Effect] = getattr(self, f"do_{step.verb}")
        card = self.speaker.card
        self.table.saw(
            "X51 a text goes on without its card", card and not self.table.seats[self.player].has_face_up(card)
        )
        self.amount = self.speaker.amount(step.amount)  # one for both players, whatever the first one does
        done = False
        for actor in actors:
            self._name(step.text)
            done = (yield from carry_out(step, actor)) or done
        self.done = done

    # --- choices -----------------------------------------------------------------------------------------------

    def _number(self, step: Step, now: int, down: bool = False) -> int:
        """How many: N, or up or down to N from what there is now."""
        if not step.to:
            return self.amount
        return max(0, now - self.amount if down else self.amount - now)

    def _aim(
        self, step: Step, actor: int, candidates: Callable[[], list[Place]], hit: Callable[[list[Place]], None]
    ) -> Effect:
        """Targets one after another, different ones, by whoever acts; "every" fixes its set first (X29)."""
        table = self.table
        if step.every:
            places = candidates()
            if not places or (step.may and not (yield from accepts(actor))):
                return False
            table.saw("X29 every: several at once", len(places) > 1)
            hit(places)
            return True
        return (yield from self._aim_at(step, actor, self.amount, candidates, hit, step.may))

    def _aim_at(
        self,
        step: Step,
        actor: int,
        count: int,
        candidates: Callable[[], list[Place]],
        hit: Callable[[list[Place]], None],
        up_to: bool,
        first_only: bool = False,
    ) -> Effect:
        table, done = self.table, False
        for number in range(count):
            places = candidates()
            table.saw("X9 no legal target", not places and not number)
            table.saw("X29 fewer targets than asked", not places and number)
            if not places:
                break
            optional = up_to and not (first_only and number)
            table.saw("T42 not asked: one target", len(places) == 1 and not optional)
            place = yield from ask_place(actor, "aim", places, DECLINE if optional else ())
            if place is None:
                table.saw("X29 declined after a first target", done)
                break
            table.saw("X9 a mandatory effect against oneself", not optional and place[0] == self.player == actor)
            self.speaker.that = table.at(place)
            hit([place])
            done = True
        return done

    def _pick(
        self,
        actor: int,
        fitting: Callable[[], list[str]],
        take: Callable[[str], None],
        count: int,
        may: bool,
    ) -> Effect:
        """Among cards that everybody sees: asked unless all that fit are alike, or no more than are to be taken."""
        done = False
        for remaining in range(count, 0, -1):
            labels = fitting()
            if not labels:
                break
            if not may and (len(set(labels)) == 1 or len(labels) <= remaining):
                self.table.saw("T42 not asked: cards that all see, all alike or all taken")
                label = labels[0]
            else:
                extra = DECLINE if may else frozenset[str]()
                answer = yield Decision(actor, "card", frozenset(f"take {label}" for label in labels) | extra)
                if answer == "decline":
                    break
                label = answer.removeprefix("take ")
            take(label)
            done = True
        return done

    def _search(
        self, actor: int, there: Callable[[], bool], fitting: Callable[[], list[str]], decline: bool
    ) -> Generator[Decision, str, str | None]:
        """Among cards that the other player does not see: asked whatever fits; "decline" if it may be or nothing does."""
        if not there():
            return None
        labels = frozenset(f"take {label}" for label in fitting())
        self.table.saw("T42 a search put with decline alone", not labels)
        answer = yield Decision(actor, "card", labels | (DECLINE if decline or not labels else frozenset()))
        return None if answer == "decline" else answer.removeprefix("take ")

    def _labels(self, step: Step, labels: Collection[str]) -> list[str]:
        return [label for label in labels if self.speaker.fits_face(self.table.faces[label], step.filter)]

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
        for remaining in range(min(count, len(hand)), 0, -1):
            optional = step.may and not done
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
        yield from enter(table, actor, card)
        return True

    # --- armies ------------------------------------------------------------------------------------------------

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
        return (yield from self._aim_at(step, actor, count, own, hit, step.may, first_only=True))

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
            yield from run_text(table, actor, card.face, card)
        return bool(targets)

    # --- tokens ------------------------------------------------------------------------------------------------

    def do_place_bounty(self, step: Step, actor: int) -> Effect:
        table = self.table

        def others() -> list[Place]:
            places = self.speaker.fitting(step.filter)
            return [place for place in places if not table.at(place).captured and not table.at(place).bounty]

        def hit(places: list[Place]) -> None:
            if table.bounty_card:
                table.saw("X25 the Bounty token comes from another card")
                table.bounty_card.bounty = False
            table.at(places[0]).bounty = True

        return self._aim_at(step, actor, 1, others, hit, step.may)

    def do_move_bounty(self, step: Step, actor: int) -> Effect:
        self.table.saw("X25 no Bounty token on a card to be moved", not self.table.bounty_card)
        if not self.table.bounty_card:
            return False
        return (yield from self.do_place_bounty(step, actor))

    def do_place_ethereal(self, step: Step, actor: int) -> Effect:
        table = self.table

        def bare() -> list[Place]:
            places = self.speaker.fitting(step.filter)
            return [place for place in places if not table.at(place).captured and not table.at(place).ethereal]

        def hit(places: list[Place]) -> None:
            table.at(places[0]).ethereal = True

        table.saw("X57 no Ethereal token is left", not table.ethereal_tokens_left())
        if not table.ethereal_tokens_left():
            return False
        return (yield from self._aim_at(step, actor, 1, bare, hit, step.may))

    def do_token_back(self, step: Step, actor: int) -> Effect:
        """An own Activation token, from a card or a spent one, own choice."""
        table, seat = self.table, self.table.seats[actor]
        done = False
        for _ in range(self.amount):
            cards = {target_label(place): table.at(place) for place in table.places(actor) if table.at(place).tokens}
            labels = frozenset(cards) | (frozenset({"regain"}) if seat.spent else frozenset())
            if not labels:
                break
            if len(labels) == 1 and not step.may:
                answer = next(iter(labels))
            else:
                answer = yield Decision(actor, "regain", labels | (DECLINE if step.may else frozenset()))
            if answer == "decline":
                break
            if answer == "regain":
                seat.spent -= 1
            else:
                table.saw("X38 a token comes back from a card")
                cards[answer].tokens -= 1
            seat.ready += 1
            done = True
        return done

    def do_unlock(self, step: Step, actor: int) -> Effect:
        """A locked token to the hand; with none locked: victory (X12, X40)."""
        seat = self.table.seats[actor]
        if step.may and not (yield from accepts(actor)):
            return False
        if not seat.locked:
            self.table.saw("X12 unlocking with none locked wins")
            raise GameWon([actor], "fifth_token")
        self.table.saw("X40 a token is unlocked")
        seat.locked -= 1
        seat.ready += 1
        return True

    def do_take_wonder(self, step: Step, actor: int) -> Effect:
        if self.table.wonder == actor or (step.may and not (yield from accepts(actor))):
            return False
        self.table.wonder = actor
        return True

    def do_return_wonder(self, step: Step, actor: int) -> Effect:
        if self.table.wonder != actor or (step.may and not (yield from accepts(actor))):
            return False
        self.table.wonder = None
        return True

    # --- turns and ends ----------------------------------------------------------------------------------------

    def do_extra_turn(self, step: Step, actor: int) -> Effect:
        table = self.table
        if step.may and not (table.could_gain_extra_turn(actor) and (yield from accepts(actor))):
            return False
        table.saw("X53 an additional turn in the other's turn is none", actor != table.active)
        return table.gain_extra_turn(actor)

    def do_pass(self, step: Step, actor: int) -> Effect:
        table = self.table
        able = not table.seats[actor].passed and table.may_pass(actor)
        table.saw("X21 a pass by an effect that X3 forbids", not table.seats[actor].passed and not able)
        if not able or (step.may and not (yield from accepts(actor))):
            return False
        table.saw("X21 a pass by an effect")
        table.saw("X21 the player who is not active passes by an effect", actor != table.active)
        table.pass_round(actor)
        return True

    def do_flip_tiles(self, step: Step, actor: int) -> Effect:
        """The tile of each clan of which the player has a face-up Immortal (X49)."""
        table = self.table
        immortals = [card for card in table.seats[actor].army[2] if not card.captured]
        clans = [card.face.clan for card in immortals if card.face.clan not in table.tiles]
        if not clans or (step.may and not (yield from accepts(actor))):
            return False
        table.saw("X48 a tile is turned and works at once")
        table.turn_tiles(clans)
        return True

    def do_choose_clan(self, step: Step, actor: int) -> Effect:
        clans = {card.face.clan for seat in self.table.seats for card in seat.face_up}
        self.speaker.chosen = None
        if not clans:
            return False
        if len(clans) == 1:
            self.speaker.chosen = next(iter(clans))
        else:
            answer = yield Decision(actor, "clan", frozenset(f"pick {clan}" for clan in clans))
            self.speaker.chosen = answer.removeprefix("pick ")
        return True

    def do_win(self, step: Step, actor: int) -> Effect:
        yield from ()
        self.table.saw("X49 a text wins")
        raise GameWon([actor], victory_name(self.face.clan))


def victory_name(clan: str) -> str:
    """How a victory by a card or a tile of the clan is reported."""
    return {"Goan Sul": "goan_sul", "Justice": "justice"}.get(clan, "condition")


def _clan_rule_holds(table: XTable, player: int, face: XFace) -> bool:
    return all(table.seats[player].has_clan(row, face.clan) for row in range(face.level - 1))
