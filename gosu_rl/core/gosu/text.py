"""Positions as text: `str(state)` writes one, `game.parse` reads one back, byte for byte; people set positions up with it.

The format is described in docs/positions.md. Reading is lenient where writing is complete: most lines may be left out, names need
no copy marks, `rest` in a pile stands for all cards not named elsewhere, and a missing stack means "the active player's turn".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from gosu_rl.core.gosu.describe import members
from gosu_rl.core.gosu.rules import TRAITS
from gosu_rl.core.gosu.state import AUTO, COLUMNS, DEPTH, FRAMES, OPERANDS, REASONS, ROWS
from gosu_rl.core.gosu.text_checks import stack_fault, token_fault

if TYPE_CHECKING:
    from gosu_rl.core.game import Game, GameState

# Words of the `now` line and the fields behind them. Seats are written p0, p1 …
NUMBERS = {
    "round": "rnd", "first": "first", "active": "active", "advantage": "adv", "extra": "extra", "in_turn": "in_turn",
    "regular": "regular", "decisions": "decisions", "turns": "turns", "capped": "capped", "battles": "battles",
    "battle_top": "battle_top", "battle_scored": "battle_scored", "era": "era", "shuffles": "shuffles",
}  # fmt: skip
SEAT_NUMBERS = ("first", "active", "advantage")
PLAYER_NUMBERS = {"points": "points", "turns_left": "turns_left", "passed": "passed", "taken": "taken", "won": "win"}
TOKEN_NUMBERS = {"tokens": "tokens", "spent": "spent"}  # in games with activation tokens
HOLE = "-"  # a slot left empty by a game that ended between discard and arrival of a mutation (G20)
TOKEN = "+"  # behind the name of a card with a token on it
VIEW_NUMBERS = {"hand_size": "hand_size", "picked": "picked"}  # derived in a full state
PILES = {"discard_pile": "discard", "set_aside": "aside", "revealed": "revealed"}
LARGEST = (
    {"rng": 2**64 - 1}
    | dict.fromkeys(("decisions", "turns", "capped"), 30_000_000)
    | dict.fromkeys(("round", "shuffles", "shuffled", "taken", "extra", "battles"), 32_000)
)
SMALLEST = {"turns_left": -1}  # no limit yet
OPTIONAL = ("fresh", "first", "pc")  # operands that are written only where they say something
CARD_OPERANDS = {"card", "card1", "card2", "card3", "card4"}


class Names:
    """Copies to text and back. `Name` is a first copy (so is `Name/1`), `Name/2` its twin."""

    def __init__(self, game: Game):
        self.labels = [card.label for card in game.card_set.cards]
        self.copies = game.card_set.copies
        self.index = {label: f for f, label in enumerate(self.labels)}

    def text(self, c: int) -> str:
        if c < 0:
            return HOLE
        faces = len(self.labels)
        return self.labels[c] if c < faces else self.labels[c - faces] + "/2"

    def texts(self, copies: Any) -> str:
        return ", ".join(self.text(int(c)) for c in copies)


# ------------------------------------------------------------------------------------------------ writing


def write(state: GameState) -> str:
    """The position as text."""
    return "\n".join(_lines(state)) + "\n"


def head_lines(state: GameState) -> Iterator[str]:
    """The first lines: what game it is, who is to decide, whose view it is."""
    game = state.game
    changed = "".join(f", {k}={v}" for k, v in game.rule_changes.items())
    yield f"{game.variant}, {game.players} players, cards {game.card_set.name}@{game.card_set.hash}{changed}"
    if state.over:
        yield f"# over: {state.reason}, returns {', '.join(f'{x:+g}' for x in state.returns)}"
    else:
        yield f"# p{state.mover} to decide: {state.kind}"
    if state.is_view:
        yield f"view: p{state.viewer}"


def table_words(s: Any) -> list[str]:
    """The words of the `now` line."""
    words = [f"{word}={'p' if word in SEAT_NUMBERS else ''}{s[name]}" for word, name in NUMBERS.items()]
    return [*words, f"rng={int(s['rng']):#x}"]


def _lines(state: GameState) -> Iterator[str]:
    game, s, names = state.game, state.record[0], Names(state.game)
    yield from head_lines(state)
    yield "now: " + " ".join(table_words(s))
    if state.over:
        yield f"over: {state.reason}"
    for q in range(game.players):
        words = [f"{word}={s[name][q]}" for word, name in _player_numbers(game).items()]
        if state.is_view:
            words += [f"{word}={s[name][q]}" for word, name in VIEW_NUMBERS.items()]
        yield f"p{q}: " + " ".join(words)
        hand = [marked_text(names, c, hand_marks(s, q, c)) for c in members(s["hand"][q])]
        yield "  hand: " + ", ".join(hand)
        for row in range(ROWS):
            slots = range(COLUMNS * row, COLUMNS * row + int(s["rows"][q, row]))
            if slots:
                goblins = [
                    names.text(int(s["army"][q, slot])) + (TOKEN if int(s["marked"][q]) >> slot & 1 else "")
                    for slot in slots
                ]
                marked = [
                    f"({g})" if int(s["trapped"][q]) >> slot & 1 else g for g, slot in zip(goblins, slots, strict=True)
                ]
                yield f"  army {row + 1}: " + ", ".join(marked)
    deck = [int(c) for c in s["deck"] if c >= 0]
    if state.is_view:
        yield f"draw_pile_size: {s['ndeck']}"
    else:
        yield "draw_pile: " + names.texts(reversed(deck[: int(s["ndeck"])]))
        if len(deck) > int(s["ndeck"]):
            yield "drawn: " + names.texts(reversed(deck[int(s["ndeck"]) :]))
    for word, name in PILES.items():
        copies = members(s[name][0])
        if copies or word == "discard_pile":
            yield f"{word}: " + names.texts(copies)
    for epoch in range(1, int(s["epoch"].max()) + 1):
        yield f"epoch {epoch}: " + names.texts(np.flatnonzero(s["epoch"] == epoch))
    if state.is_view:
        yield "hidden: " + " ".join(str(k) for k in s["hidden"] if k >= 0)
    yield "stack: " + "; ".join(frame_text(s["stack"][k], names) for k in range(int(s["sp"])))


def _player_numbers(game: Game) -> dict[str, str]:
    return {**PLAYER_NUMBERS, **TOKEN_NUMBERS} if TRAITS[game.variant]["activation"] else PLAYER_NUMBERS


def hand_marks(s: Any, q: int, c: int) -> str:
    bit, word = c & 63, c >> 6
    known = "*" if int(s["known"][q, word]) >> bit & 1 else ""
    return known + ("!" if int(s["secret"][q, word]) >> bit & 1 else "")


def marked_text(names: Names, c: int, marks: str) -> str:
    """A card of a hand with its marks; `Name/1` where a name ends in what could be a mark ("Boo!")."""
    label = names.text(c)
    return label + ("/1" if label.endswith("!") or label + "!" in names.index else "") + marks


def frame_text(frame: Any, names: Names) -> str:
    op = FRAMES[int(frame[0])]
    words = [op, f"p{frame[1]}"]
    for name, value in zip(OPERANDS[op], frame[2:], strict=False):
        if value == 0 and (name in OPTIONAL or op == "regain"):
            continue
        words.append(f"{name}={quoted(names, int(value)) if name in CARD_OPERANDS else value}")
    return " ".join(words)


def quoted(names: Names, c: int) -> str:
    return f'"{names.text(c)}"' if c >= 0 else "none"


# ------------------------------------------------------------------------------------------------ reading


class PositionError(ValueError):
    """A position text that cannot be read; the message names the line."""


class Reader:
    LATE = "drawn"  # a line about cards that other lines place
    OWN: tuple[str, ...] = ("hand",)  # lines that belong to a player, besides his army
    PLAIN: tuple[str, ...] = ("turns", "turn")  # the stack when the active player is to begin his turn

    def __init__(self, game: Game, text: str):
        self.game = game
        self.names = Names(game)
        self.record = game.kernel.blank()
        self.s = self.record[0]
        self.free = [True] * game.card_set.copies
        self.given: set[str] = set()
        self.counted: set[int] = set()  # players whose tokens are given
        self.holes = False
        self.rest: list[tuple[str, list[int], int]] = []  # piles that take what is left, and where in them
        self.at = ""
        self.text = text

    def fail(self, why: str) -> NoReturn:
        raise PositionError(f"position text, {self.at}: {why}")

    def read(self) -> np.ndarray:
        s, game = self.s, self.game
        s["n"] = game.players
        s["rnd"] = 1
        s["in_turn"] = s["regular"] = 1
        player = -1
        late: list[tuple[str, str, int]] = []
        lines = self.text.splitlines()
        seen: set[tuple[str, int]] = set()
        first = True
        for number, raw in enumerate(lines, 1):
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
                self.fail(f"expected 'name: …', found {line.strip()!r}")
            if re.fullmatch(r"p\d", key):
                player = self.seat(key)
                key = "player"
            belongs = key in ("player", *self.OWN) or key.startswith("army")
            if belongs and player < 0:
                self.fail(f"{key!r} belongs to a player; put it below a line 'p0:'")
            if (key, player if belongs else -1) in seen:
                self.fail(f"a second line {key!r}" + (f" for p{player}" if belongs else "") + "; write one")
            seen.add((key, player if belongs else -1))
            late.append((key, rest.strip(), number * 8 + max(player, 0)))
        if first:
            self.at = "line 1"
            self.fail("it is empty")
        # names with a copy mark, and places that fix a copy, come before plain names: two passes keep `Name` free for them
        for key, rest, place in late:
            self.at = f"line {place // 8}"
            if key == self.LATE or key.startswith("epoch"):
                continue
            self.line(key, rest, place % 8)
        self.fill_rest()
        for key, rest, place in late:
            self.at = f"line {place // 8}"
            if key == self.LATE:
                self.drawn(rest, place % 8)
            elif key.startswith("epoch"):
                self.epoch(key, rest)
        self.finish()
        return self.record

    def header(self, line: str) -> None:
        match = re.fullmatch(r"(\w+), (\d+) players(?:, cards ([^@\s,]+)(?:@(\w+))?)?((?:, \w+=-?\d+)*)", line.strip())
        game = self.game
        if not match:
            self.fail(f"expected '{game.variant}, {game.players} players, cards {game.card_set.name}', found {line!r}")
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

    def line(self, key: str, rest: str, player: int) -> None:
        self.given.add(key)
        s = self.s
        if key == "player":
            self.numbers(rest, {**_player_numbers(self.game), **VIEW_NUMBERS}, player)
        elif key == "now":
            self.numbers(rest, {**NUMBERS, "rng": "rng"}, None)
        elif key == "hand":
            self.hand(player, rest)
        elif key.startswith("army "):
            self.army(player, key[5:], rest)
        elif key in PILES:
            for c in self.pile(key, rest):
                s[PILES[key]][0, c >> 6] |= np.uint64(1 << (c & 63))
        elif key == "draw_pile":
            self.set_deck(self.pile(key, rest))
        elif key == "draw_pile_size":
            s["ndeck"] = self.integer(rest, 0, self.names.copies)
        elif key == "view":
            s["viewer"] = self.seat(rest)
        elif key == "over":
            if rest not in REASONS[1:]:
                self.fail(f"unknown end {rest!r}; there are {', '.join(REASONS[1:])}")
            s["reason"] = REASONS.index(rest)
            s["over"] = 2 if rest == "truncated" else 1
        elif key == "hidden":
            words = rest.split()
            if len(words) > len(s["hidden"]):
                self.fail(f"{len(words)} hidden cards are more than the {len(s['hidden'])} there can be")
            for i, word in enumerate(words):
                s["hidden"][i] = self.integer(word, 0, 120)
        elif key == "stack":
            self.stack(rest)
        else:
            self.fail(f"unknown line {key!r}")

    def integer(self, text: str, low: int, high: int) -> int:
        try:
            value = int(text, 0)
        except ValueError:
            self.fail(f"{text!r} is not a number")
        if not low <= value <= high:
            self.fail(f"{text} is out of range {low} to {high}")
        return value

    def seat(self, text: str) -> int:
        match = re.fullmatch(r"p(\d)", text.strip())
        if not match or int(match[1]) >= self.game.players:
            self.fail(f"{text.strip()!r} is no seat of {self.game.players} players (p0 to p{self.game.players - 1})")
        return int(match[1])

    def numbers(self, rest: str, fields: dict[str, str], player: int | None) -> None:
        for word in rest.split():
            name, equals, value = word.partition("=")
            if equals and player is None and self.table_word(name, value):
                continue
            if not equals or name not in fields:
                self.fail(f"expected 'name=number' with a name of {', '.join(fields)}; found {word!r}")
            if name == "tokens" and player is not None:
                self.counted.add(player)
            if name in SEAT_NUMBERS:
                number = self.seat(value if value.startswith("p") else f"p{value}")
            else:
                number = self.integer(value, SMALLEST.get(name, 0), LARGEST.get(name, 120))
            if player is None:
                self.s[fields[name]] = number
            else:
                self.s[fields[name]][player] = number

    def table_word(self, name: str, value: str) -> bool:
        """Read a word of the `now` line that is no number; False if it is not one."""
        return False

    def copy(self, text: str, claim: bool = True) -> int:
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

    def pile(self, key: str, rest: str) -> list[int]:
        copies: list[int] = []
        for text in split(rest):
            if text == "rest" and text not in self.names.index:
                self.rest.append((key, copies, len(copies)))
            else:
                copies.append(self.copy(text))
        return copies

    def hand(self, player: int, rest: str) -> None:
        s = self.s
        for text in split(rest):
            name = text if text in self.names.index else text.rstrip("*!")
            marks = text[len(name) :]
            c = self.copy(name)
            bit = np.uint64(1 << (c & 63))
            s["hand"][player, c >> 6] |= bit
            if "*" in marks:
                s["known"][player, c >> 6] |= bit
            if "!" in marks:
                s["secret"][player, c >> 6] |= bit

    def army(self, player: int, row_text: str, rest: str) -> None:
        row = self.integer(row_text, 1, ROWS) - 1
        goblins = split(rest)
        if len(goblins) > COLUMNS:
            self.fail(f"a row holds {COLUMNS} cards, not {len(goblins)}")
        for col, text in enumerate(goblins):
            trapped = text.startswith("(") and text.endswith(")")
            label = text[1:-1] if trapped else text
            if trapped and label == HOLE:
                self.s["trapped"][player] |= 1 << (COLUMNS * row + col)
                self.holes = True
                continue
            c = self.copy(self.without_tokens(label, player, COLUMNS * row + col))
            card = self.game.card_set.cards[c % len(self.names.labels)]
            if card.level != row + 1:
                self.fail(f"{card.label} is of level {card.level} and cannot stand in row {row + 1}")
            self.s["army"][player, COLUMNS * row + col] = c
            if trapped:
                self.s["trapped"][player] |= 1 << (COLUMNS * row + col)
        self.s["rows"][player, row] = len(goblins)

    def without_tokens(self, label: str, player: int, slot: int) -> str:
        """The name of a card in an army; the marks behind it for what lies on the card are noted."""
        if label.endswith(TOKEN) and TRAITS[self.game.variant]["activation"]:
            if label.removesuffix(TOKEN) == HOLE:
                self.fail(f"'({label})': no token can lie on a slot that is empty")
            self.s["marked"][player] |= 1 << slot
            return label.removesuffix(TOKEN)
        return label

    def set_deck(self, copies: list[int]) -> None:
        self.s["deck"][: len(copies)] = copies[::-1]
        self.s["ndeck"] = len(copies)

    def fill_rest(self) -> None:
        """Cards not named anywhere go where a pile says `rest`, or, if no draw pile is given, there."""
        if int(self.s["viewer"]) >= 0:
            return
        left = [c for c in range(self.names.copies) if self.free[c]]
        if len(self.rest) > 1:
            self.fail("'rest' may stand in one pile only")
        if self.rest:
            key, copies, place = self.rest[0]
            if key == "draw_pile":
                self.set_deck(copies[:place] + left + copies[place:])
            else:
                for c in left:
                    self.s[PILES[key]][0, c >> 6] |= np.uint64(1 << (c & 63))
        elif "draw_pile" not in self.given:
            self.set_deck(left)
        elif left:
            missing = ", ".join(self.names.text(c) for c in left[:3])
            self.fail(f"{len(left)} cards are nowhere ({missing} …); put 'rest' into a pile for them")

    def drawn(self, rest: str, player: int) -> None:
        copies = [self.copy(text, claim=False) for text in split(rest)]
        at = int(self.s["ndeck"])
        self.s["deck"][at : at + len(copies)] = copies[::-1]

    def epoch(self, key: str, rest: str) -> None:
        k = self.integer(key[5:].strip(), 0, 120)
        for text in split(rest):
            self.s["epoch"][self.copy(text, claim=False)] = k

    def stack(self, rest: str) -> None:
        frames = split(rest, ";")
        if len(frames) > DEPTH:
            self.fail(f"the stack holds {DEPTH} frames, not {len(frames)}")
        for k, text in enumerate(frames):
            words = re.findall(r'\w+="[^"]*"|\S+', text)
            if words[0] not in FRAMES[1:] or len(words) < 2:
                self.fail(f"expected a kind of decision and a seat in the stack, found {text!r}")
            frame = self.s["stack"][k]
            frame[0], frame[1] = FRAMES.index(words[0]), self.seat(words[1])
            operands = OPERANDS[words[0]]
            for word in words[2:]:
                name, _, value = word.partition("=")
                if name not in operands:
                    self.fail(f"{words[0]!r} has no operand {name!r}; it has {', '.join(operands) or 'none'}")
                frame[2 + operands.index(name)] = self.operand(name, value)
        self.s["sp"] = len(frames)

    def operand(self, name: str, value: str) -> int:
        if name in CARD_OPERANDS:
            return -1 if value == "none" else self.copy(value.strip('"'), claim=False)
        return self.integer(value, -1, 32_767)

    def finish(self) -> None:
        """Work out what follows from the rest, and check that the position can be."""
        s, n = self.s, self.game.players
        self.at = "at its end"
        view = int(s["viewer"]) >= 0
        for q in range(n):
            a, b, c = (int(k) for k in s["rows"][q])
            if not a >= b >= c:
                self.fail(
                    f"p{q} has {a}, {b}, {c} goblins in rows 1, 2, 3; no row may be longer than the one below (T40)"
                )
            self.derive(q)
            fault = token_fault(self.game, s, q)
            if fault:
                self.fail(fault)
            if not view:
                s["hand_size"][q] = len(members(s["hand"][q]))
                s["picked"][q] = len(members(s["secret"][q]))
        if int(s["over"]):
            s["mover"] = -1
            return
        if self.holes:
            self.fail(
                f"'({HOLE})' in an army, but the game is not over; a slot is empty in mid-game for nobody to see (G20)"
            )
        if "stack" not in self.given:
            for k, word in enumerate(self.PLAIN):
                s["stack"][k] = (FRAMES.index(word), s["active"] if k > 0 else 0, 0, 0, 0, 0)
            s["sp"] = len(self.PLAIN)
        fault = stack_fault(self.game, s)
        if fault:
            self.fail(fault)
        op, who = (int(k) for k in s["stack"][int(s["sp"]) - 1][:2])
        if op < AUTO:
            s["kind"], s["mover"] = op, who

    def derive(self, q: int) -> None:
        """Tokens left out are ready, as far as they do not lie on cards (G2); and which rules are bent follows from the army."""
        s, rules, cards = self.s, self.game.rules, self.game.card_set.cards
        top = range(COLUMNS * (ROWS - 1), COLUMNS * (ROWS - 1) + int(s["rows"][q, ROWS - 1]))
        for slot in (slot for slot in top if not int(s["trapped"][q]) >> slot & 1):
            s["bent"][q] |= self.game.R["bends"][0][int(s["army"][q, slot]) % len(cards)]
        if TRAITS[self.game.variant]["activation"] and q not in self.counted:
            on_cards = int(s["marked"][q]).bit_count()
            s["tokens"][q] = max(0, rules["tokens"] - on_cards - int(s["spent"][q]))


def split(text: str, mark: str = ",") -> list[str]:
    return [part.strip() for part in text.split(mark) if part.strip()]


def read(game: Game, text: str) -> np.ndarray:
    """The state record of a position text."""
    return Reader(game, text).read()
