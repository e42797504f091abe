"""The texts of Gosu X at work: a card that enters, a text from its first step to its Bounty draws."""

from __future__ import annotations

from .flow import Choices
from .gosu_x_armies import ArmySteps
from .gosu_x_cards import CardSteps
from .gosu_x_run import accepts
from .gosu_x_table import DEEPEST, Card, XTable
from .gosu_x_tokens import TokenSteps
from .gosu_x_words import XFace


class Text(CardSteps, ArmySteps, TokenSteps):
    """One text being carried out, with all steps that there are; it can start other texts, for the same player."""

    def enters(self, card: Card) -> Choices:
        yield from enter(self.table, self.player, card)

    def resolves(self, card: Card) -> Choices:
        yield from run_text(self.table, self.player, card.face, card)


def enter(table: XTable, player: int, card: Card) -> Choices:
    """A card has come into an army, by play, by shift or by an effect (X8, X39); it lies in its slot already."""
    if card.has("wondrous"):
        table.saw("X33 a Wondrous card takes the Wonder token", table.wonder != player)
        table.saw("X33 it is there already", table.wonder == player)
        table.wonder = player
    table.changed()
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
    run = Text(table, player, face, card)
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
