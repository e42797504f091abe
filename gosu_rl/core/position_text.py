"""What every kernel needs to write positions as text and to read them: names of copies, lines, numbers, frames, and clear errors.

The format is described in docs/positions.md; what a kernel's positions hold is its own file's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from gosu_rl.core.copies import members

if TYPE_CHECKING:
    from gosu_rl.core.game import Game, GameState

HOLE = "-"  # what stands for no card


class PositionError(ValueError):
    """A position text that cannot be read; the message names the line."""


class Names:
    """Copies to text and back. `Name` is a first copy (so is `Name/1`), `Name/2` its twin."""

    def __init__(self, game: Game):
        self.labels = [card.label for card in game.card_set.cards]
        self.copies = game.card_set.copies
        self.index = {label: f for f, label in enumerate(self.labels)}

    def text(self, c: int) -> str:
        """The name of a copy."""
        if c < 0:
            return HOLE
        faces = len(self.labels)
        return self.labels[c] if c < faces else self.labels[c - faces] + "/2"

    def texts(self, copies: Any) -> str:
        """The names of some copies, with commas."""
        return ", ".join(self.text(int(c)) for c in copies)

    def marked(self, c: int, marks: str) -> str:
        """A card with marks behind it; `Name/1` where a name ends in what could be a mark ("Boo!")."""
        label = self.text(c)
        return label + ("/1" if label.endswith("!") or label + "!" in self.index else "") + marks


def split(text: str, mark: str = ",") -> list[str]:
    """The parts of a line, without blanks around them and without empty ones."""
    return [part.strip() for part in text.split(mark) if part.strip()]


def head_lines(state: GameState) -> list[str]:
    """The first lines of any position: game, card set and rules; who decides or how it ended; whose view."""
    game = state.game
    changed = "".join(f", {k}={v}" for k, v in game.rule_changes.items())
    lines = [f"{game.variant}, {game.players} players, cards {game.card_set.name}@{game.card_set.hash}{changed}"]
    if state.over:
        lines.append(f"# over: {state.reason}, returns {', '.join(f'{x:+g}' for x in state.returns)}")
    else:
        lines.append(f"# p{state.mover} to decide: {state.kind}")
    if state.is_view:
        lines.append(f"view: p{state.viewer}")
    return lines


def frame_text(
    frame: Any,
    frames: Sequence[str],
    operands: Mapping[str, Sequence[str]],
    value: Callable[[str, str, int], str | None],
) -> str:
    """A frame of the stack in words; `value(operation, name, number)` writes an operand, None leaves it out."""
    op = frames[int(frame[0])]
    written = [(name, value(op, name, int(number))) for name, number in zip(operands[op], frame[2:], strict=False)]
    return " ".join([op, f"p{frame[1]}", *(f"{name}={text}" for name, text in written if text is not None)])


def cut(text: str, most: int = 60) -> str:
    """What a user wrote, quoted, and not more of it than a message can hold."""
    text = text.strip()
    return repr(text if len(text) <= most else text[:most] + "…")


class PositionReader:
    """Reads a position text into a blank record; a kernel's reader builds on it."""

    def __init__(self, game: Game, text: str):
        self.game = game
        self.names = Names(game)
        self.record = game.kernel.blank()
        self.s = self.record[0]
        self.free = [True] * game.card_set.copies
        self.given: set[str] = set()
        self.hidden_told: int | None = None  # how many cards the line `hidden:` tells of
        self.of_views: list[str] = []  # what the text has that only views have
        self.at = ""
        self.text = text

    def fail(self, why: str) -> NoReturn:
        raise PositionError(f"position text, {self.at}: {why}")

    def lines(self, of_player: Callable[[str], bool]) -> list[tuple[str, str, int, int]]:
        """The lines behind the first, which is checked: (key, rest, number of the line, player or 0).

        `of_player(key)` says whether such a line belongs to the player above it.
        """
        player = -1
        found: list[tuple[str, str, int, int]] = []
        seen: set[tuple[str, int]] = set()
        first = True
        for number, raw in enumerate(self.text.splitlines(), 1):
            self.at = f"line {number}"
            line = raw.split("#", 1)[0].rstrip()
            if not line.strip():
                continue
            if first:
                self.header(line)
                first = False
                continue
            key, colon, rest = line.strip().partition(":")
            if not colon:
                self.fail(f"expected 'name: …', found {cut(line)}")
            if re.fullmatch(r"p\d", key):
                player = self.seat(key)
                key = "player"
            belongs = key == "player" or of_player(key)
            if belongs and player < 0:
                self.fail(f"{key!r} belongs to a player; put it below a line 'p0:'")
            if (key, player if belongs else -1) in seen:
                self.fail(f"a second line {key!r}" + (f" for p{player}" if belongs else "") + "; write one")
            seen.add((key, player if belongs else -1))
            found.append((key, rest.strip(), number, max(player, 0)))
        if first:
            self.at = "line 1"
            self.fail("it is empty")
        return found

    def header(self, line: str) -> None:
        """The first line names variant, players, and perhaps cards and rules."""
        match = re.fullmatch(r"(\w+), (\d+) players(?:, cards ([^@\s,]+)(?:@(\w+))?)?((?:, \w+=-?\d+)*)", line.strip())
        game = self.game
        if not match:
            self.fail(
                f"expected '{game.variant}, {game.players} players, cards {game.card_set.name}', found {cut(line)}"
            )
        variant, players, name, digest, rules = match.groups()
        found = f"{variant} with {players} players"
        if variant != game.variant or int(players) != game.players:
            self.fail(f"it is a position of {found}, but this game is {game.variant} with {game.players} players")
        if digest and digest != game.card_set.hash:
            self.fail(
                f"it was written with cards {name}@{digest}, but this game has {game.card_set.name}@{game.card_set.hash}"
            )
        if digest:
            changes = {k: int(v) for k, v in re.findall(r"(\w+)=(-?\d+)", rules)}
            if changes != game.rule_changes:
                self.fail(
                    f"it was written with rules {changes or 'unchanged'}, but this game has {game.rule_changes or 'none changed'}"
                )

    def integer(self, text: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        try:
            value = int(text, 0)
        except ValueError:
            self.fail(f"{text!r} is not a number")
        if not low <= value <= high:
            self.fail(f"{text} is out of range {low} to {high}")
        return value

    def seat(self, text: str) -> int:
        """A seat, written p0, p1 …"""
        match = re.fullmatch(r"p(\d)", text.strip())
        if not match or int(match[1]) >= self.game.players:
            self.fail(f"{text.strip()!r} is no seat of {self.game.players} players (p0 to p{self.game.players - 1})")
        return int(match[1])

    def check_kind(self) -> None:
        """A text with what only views have is one of a view, and has none of what views hide."""
        if int(self.s["viewer"]) >= 0:
            if int(self.s["rng"]):
                self.fail("'rng=' is hidden in a view; leave it out")
        elif self.of_views:
            self.fail(
                f"{self.of_views[0]!r} stands in views only, but there is no line 'view: pN'; write it, or leave that out"
            )

    def ending(self, rest: str, reasons: Sequence[str]) -> None:
        """The line `over:`."""
        if rest not in reasons[1:]:
            self.fail(f"unknown end {rest!r}; there are {', '.join(reasons[1:])}")
        self.s["reason"] = reasons.index(rest)
        self.s["over"] = 2 if rest == "truncated" else 1

    def copy(self, text: str, claim: bool = True) -> int:
        """A copy by name; with `claim` it is taken, and no second place may have it."""
        label, slash, which = text.partition("/")
        label = label.strip()
        if label not in self.names.index:
            near = get_close_matches(label, self.names.index, n=1)
            self.fail(
                f"no card {label!r} in {self.game.card_set.name}" + (f"; did you mean {near[0]!r}?" if near else "")
            )
        faces = len(self.names.labels)
        first = self.names.index[label]
        twin = first + faces
        if slash and (which.strip() not in ("1", "2") or (which.strip() == "2" and twin >= self.names.copies)):
            self.fail(f"{text!r} names a copy that {label} does not have")
        if not claim:
            return twin if which.strip() == "2" else first
        for c in {"": (first, twin), "1": (first,), "2": (twin,)}[which.strip()]:
            if c < self.names.copies and self.free[c]:
                self.free[c] = False
                return c
        return self.fail(f"{label} lies in two places, or more often than there are copies")

    def set_deck(self, copies: list[int]) -> None:
        """The draw pile, top first."""
        self.s["deck"][: len(copies)] = copies[::-1]
        self.s["ndeck"] = len(copies)

    def drawn(self, rest: str) -> None:
        """Cards drawn since the last shuffle, above the draw pile."""
        copies = [self.copy(text, claim=False) for text in split(rest)]
        at = int(self.s["ndeck"])
        self.s["deck"][at : at + len(copies)] = copies[::-1]

    def epoch(self, key: str, rest: str) -> None:
        """The line `epoch K:`: cards that come from a later shuffle."""
        k = self.integer(key[5:].strip(), 0, 120)
        for text in split(rest):
            self.s["epoch"][self.copy(text, claim=False)] = k

    def hidden(self, rest: str) -> None:
        """The line `hidden:` of a view."""
        words = rest.split()
        if len(words) > len(self.s["hidden"]):
            self.fail(f"{len(words)} hidden cards are more than the {len(self.s['hidden'])} there can be")
        self.hidden_told = len(words)
        self.of_views.append("hidden:")
        for i, word in enumerate(words):
            self.s["hidden"][i] = self.integer(word, 0, 120)

    def unknown_cards(self) -> int:
        """Of a view: how many cards in the others' hands are not named. Fails where hands and their sizes do not agree."""
        s, viewer, unknown = self.s, int(self.s["viewer"]), 0
        for q in range(self.game.players):
            named, size = len(members(s["hand"][q])), int(s["hand_size"][q])
            if named > size or (named < size and q == viewer):
                self.fail(f"p{q} has hand_size={size}, but 'hand:' names {named} cards")
            unknown += size - named
        return unknown

    def check_hidden(self, unknown: int) -> None:
        """Of a view: `hidden:` tells of each unknown card in the others' hands."""
        told = self.hidden_told or 0
        if told != unknown:
            self.fail(f"'hidden:' tells of {told} cards, but {unknown} in the others' hands are not named")

    def stack(
        self,
        rest: str,
        frames: Sequence[str],
        operands: Mapping[str, Sequence[str]],
        operand: Callable[[str, str], int],
    ) -> None:
        """The line `stack:`; `operand(name, text)` reads an operand."""
        parts = split(rest, ";")
        depth = len(self.s["stack"])
        if len(parts) > depth:
            self.fail(f"the stack holds {depth} frames, not {len(parts)}")
        for k, text in enumerate(parts):
            words = re.findall(r'\w+="[^"]*"|\S+', text)
            if words[0] not in frames[1:] or len(words) < 2:
                self.fail(f"expected a kind of decision and a seat in the stack, found {text!r}")
            frame = self.s["stack"][k]
            frame[0], frame[1] = frames.index(words[0]), self.seat(words[1])
            known = operands[words[0]]
            for word in words[2:]:
                name, _, value = word.partition("=")
                if name not in known:
                    self.fail(f"{words[0]!r} has no operand {name!r}; it has {', '.join(known) or 'none'}")
                frame[2 + known.index(name)] = operand(name, value)
        self.s["sp"] = len(parts)

    def set_of(self, words: Any, copies: Sequence[int]) -> None:
        """Put copies into a set of two words."""
        for c in copies:
            words[c >> 6] |= np.uint64(1 << (c & 63))
