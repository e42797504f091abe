"""One text of Gosu X being carried out: step by step, each as far as it can be (X29), and how its choices are put.

What is asked and what is not follows public facts alone (T42; docs/rulings-gosu-x.md lists it). What the steps do stands
in `gosu_x_cards.py` (hands, decks, piles), `gosu_x_armies.py` and `gosu_x_tokens.py`; `gosu_x_texts.py` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator

from .flow import Choices, Decision
from .gosu_x_counts import Speaker
from .gosu_x_table import Card, XTable
from .gosu_x_words import Block, Branch, Choice, Step, XFace
from .table import Place, ask_place

Effect = Generator[Decision, str, bool]  # whether anything has changed ("if you do")
DECLINE = frozenset({"decline"})


def accepts(player: int) -> Effect:
    answer = yield Decision(player, "may", frozenset({"accept", "decline"}))
    return answer == "accept"


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

    def enters(self, card: Card) -> Choices:
        """A card that the text has put into play enters (X39)."""
        raise NotImplementedError

    def resolves(self, card: Card) -> Choices:
        """The text starts that of another card in an army (X58)."""
        raise NotImplementedError

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
