"""A person at the terminal: shows the board as his seat knows it, asks, and tells what happened since.

Spec: `human`. Input comes from standard input, a line a decision, so it may be piped in as well.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from typing import Any, TextIO

from gosu_rl.agents.narrator import narrator_of
from gosu_rl.agents.protocol import AgentError
from gosu_rl.envs import epic_board
from gosu_rl.envs.ansi import WIDTH, decision_text, render, tally, to_go
from gosu_rl.envs.card_text import card_help, card_line, offer_help, tile_line
from gosu_rl.envs.text_x import option_words

HELP = """\
A number or a text as listed takes that action; the beginning of a text will do if no other action begins so.
  ?         this help           ? NAME    what a card does
  b         the board again     d         the discard pile
  q         leave the game
On the board a card reads: clan, name, strength; * in front of it means free (it can be destroyed), [..] trapped.
Slots are written row.column; row 1 is the Bakutos', column 1 the leftmost."""

TOKEN_HELP = """\
Activation tokens: ◆ ready, + on a goblin, ◇ spent; all come back at a new round. A turn may also be
  spend 1       one ready token for a card
  spend 2       two ready tokens for three cards
  activate R.C  one ready token onto your face-up goblin at R.C, to use its activated power; the + on the board
                stays till the round ends, and a goblin with one is not activated again before"""
HELP_X = """\
A number or a text as listed takes that action; the beginning of a text will do if no other action begins so.
  ?         this help           ? NAME    what a card does, and a clan's tile
  b         the board again     d         the discard piles
  q         leave the game
On the board a card reads: clan, name, printed strength; * in front of it means OPEN, [..] captured.
Behind the clan: + an Activation token, $ Bounty, ~ Ethereal.
Slots are written row.column; row 1 is the Troops', column 1 the leftmost.
"strength" adds up what is printed; values are not in it."""
HELPS = {"tactics": HELP, "gosu": f"{HELP}\n{TOKEN_HELP}", "gosu_x": HELP_X, "epic_death": epic_board.HELP}

TOKENS = {
    "spend 1": "an activation token for a card",
    "spend 2": "two activation tokens for three cards",
    "regain": "a spent token",
    "spend wonder": "the Wonder token for one card of the cost",
}


class GameLeft(AgentError):  # noqa: N818 - no error: somebody stood up from the table
    """The person left the game (`q`, or the end of the input)."""


class Human:
    """Agent that asks a person.

    Args:
        stdin, stdout: streams; None takes the process's at the time of use.
        color: paint the board; None does on a terminal, unless the environment variable NO_COLOR is set.
    """

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None, color: bool | None = None) -> None:
        self._stdin, self._stdout, self._color = stdin, stdout, color
        self.game: Any = None
        self.seat = -1

    def reset(self, game: Any, seat: int, seed: int) -> None:
        """Sit down in `seat`; the seed is not used."""
        self.game, self.seat = game, seat
        self.cards = {card.label: card for card in game.card_set.cards}
        self.narrator = narrator_of(game)
        if game.variant == "epic_death":  # Leaders and Lands have texts, too
            self.cards = {entry.label: entry for entry in game.card_set.entries}
        self._shown = ""

    def watch(self, view: Any) -> None:
        """Tell what changed since the last view of this seat. To be called after every decision; `act` calls it too."""
        for line in self.narrator.update(view):
            self._say(textwrap.fill(f"» {line}", WIDTH, subsequent_indent="    ", break_on_hyphens=False))

    def act(self, view: Any) -> int:
        """Ask until the answer is a legal action.

        Raises:
            GameLeft: the person answered `q`, or the input ended.
        """
        self.watch(view)
        actions = dict(zip(view.legal_labels, view.legal, strict=True))
        if len(actions) == 1:
            label, action = next(iter(actions.items()))
            self._say(f"» only '{label}' is possible ({view.kind})")
            return action
        self._show_board(view)
        self._list(view, list(actions))
        while True:
            answer = self._ask(view)
            label = self._understand(answer, view, list(actions))
            if label is not None:
                return actions[label]

    # --- showing --------------------------------------------------------------------------------------------------

    def _show_board(self, view: Any, again: bool = False) -> None:
        """The board, unless nothing on it changed since it was last shown (the parts of one payment)."""
        board = render(view, self._colored())
        if again or board != self._shown:
            self._say("\n" + board)
        self._shown = board

    def _list(self, view: Any, labels: list[str]) -> None:
        self._say("")
        note = epic_board.note if self.game.variant == "epic_death" else _note
        notes = [note(label, view, self.cards) for label in labels]
        width = max(map(len, labels))
        for number, (label, said) in enumerate(zip(labels, notes, strict=True), 1):
            line = f"{number:>3}  {label:<{width}}  {said}".rstrip()
            self._say(textwrap.fill(line, WIDTH, subsequent_indent=" " * (width + 9), break_on_hyphens=False))

    def _colored(self) -> bool:
        if self._color is not None:
            return self._color
        out = self._stdout or sys.stdout
        return out.isatty() and "NO_COLOR" not in os.environ and shutil.get_terminal_size().columns > 0

    def _say(self, text: str) -> None:
        print(text, file=self._stdout or sys.stdout, flush=True)

    # --- asking ---------------------------------------------------------------------------------------------------

    def _ask(self, view: Any) -> str:
        out, source = self._stdout or sys.stdout, self._stdin or sys.stdin
        print(f"p{self.seat} {view.kind}{to_go(view, ', ')}> ", end="", file=out, flush=True)
        line = source.readline()
        if not line:
            self._say("")
            raise GameLeft("the input ended before the game did")
        return line.strip()

    def _understand(self, answer: str, view: Any, labels: list[str]) -> str | None:
        """The label that an answer means; None after answering a question or a mistake."""
        word = answer.casefold()
        if word == "q":
            raise GameLeft("you left the game")
        if word in ("?", "h", "help"):
            self._say(self._help(view))
        elif word.startswith("?"):
            self._explain(word[1:].strip())
        elif word == "b":
            self._show_board(view, again=True)
            self._list(view, labels)
        elif word == "d":
            for title, faces in _piles(view):
                text = f"{title}: {', '.join(tally(faces)) or 'empty'}"
                self._say(textwrap.fill(text, WIDTH, break_on_hyphens=False))
        elif word.isdecimal():
            if 1 <= int(word) <= len(labels):
                return labels[int(word) - 1]
            self._say(f"There is no action {int(word)}; give 1 to {len(labels)}, or ? for help.")
        elif word:
            return self._by_text(word, labels)
        return None

    def _help(self, view: Any) -> str:
        """The help of this game, and what is asked now."""
        return f"{HELPS[self.game.variant]}\nNow: {decision_text(view)}."

    def _by_text(self, word: str, labels: list[str]) -> str | None:
        exact = [label for label in labels if label.casefold() == word]
        found = exact or [label for label in labels if label.casefold().startswith(word)]
        if len(found) == 1:
            return found[0]
        if found:
            self._say(f"'{word}' could be {', '.join(found)}; write more of it, or its number.")
        else:
            self._say(
                f"'{word}' is not one of the {len(labels)} actions; give a number or a listed text, or ? for help."
            )
        return None

    def _explain(self, name: str) -> None:
        cards = [card for label, card in self.cards.items() if label.casefold() == name]
        cards = cards or [card for label, card in self.cards.items() if name in label.casefold()]
        tiles = [tile for tile in self.game.card_set.tiles if name and tile.clan.casefold() == name]
        for tile in tiles:
            self._say(textwrap.fill(f"Tile of {tile.clan}: {tile_line(tile)}", WIDTH, subsequent_indent="      "))
        if not cards and not tiles:
            self._say(f"No card's name has '{name}' in it.")
        for card in cards[:5]:
            for line in card_help(card, self.game.card_set):
                self._say(textwrap.fill(line, WIDTH, subsequent_indent="      ", break_on_hyphens=False))


def _piles(view: Any) -> list[tuple[str, list[str]]]:
    """(title, faces) of the discard pile, or of each player's own."""
    position = view.as_dict()
    if "wonder" not in position:
        return [("Discard pile", position["discard_pile"])]
    names = ["Your" if seat == view.viewer else f"p{seat}'s" for seat in range(len(position["players"]))]
    players = zip(names, position["players"], strict=True)
    return [(f"{name} discard pile", player["discard_pile"]) for name, player in players]


def _note(label: str, view: Any, cards: dict[str, Any]) -> str:
    """What stands behind an action in the list: the card's powers, or the card in a slot, or a hand's size."""
    verb, _, rest = label.partition(" ")
    if verb in ("play", "take", "discard", "will") and rest in cards:
        return card_line(cards[rest])
    if verb == "pick":
        tile = next((tile for tile in view.game.card_set.tiles if tile.clan == rest), None)
        return f"tile, if nobody takes it: {tile_line(tile)}" if tile and view.kind == "draft" else ""
    if verb == "option" and (power := view.as_dict()["power"]):
        return f"{power['card']}: {option_words(cards[power['card']], int(rest))}"
    slot = re.fullmatch(r"(?:target p(\d+)|replace|activate) (\d+)\.(\d+)", label)
    if slot:
        seat = view.viewer if slot[1] is None else int(slot[1])
        face, trapped = view.as_dict()["players"][seat]["army"][int(slot[2]) - 1][int(slot[3]) - 1]
        owner = "your" if seat == view.viewer else f"p{seat}'s"
        return f"{owner} {face}{' (trapped)' if trapped else ''}: {card_line(cards[face])}"
    if verb == "accept" and (power := view.as_dict()["power"]):
        return f"{power['card']}: {offer_help(power, cards[power['card']], view.game.card_set)}"
    if label in TOKENS:
        return TOKENS[label]
    if verb == "player":
        hand = view.as_dict()["players"][int(rest.removeprefix("p"))]["hand_size"]
        return f"{hand} card{'s' * (hand != 1)} in hand"
    return ""
