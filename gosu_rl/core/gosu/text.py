"""Positions as text: `str(state)` writes one, `game.parse` reads one back, byte for byte; people set positions up with it.

The format is described in docs/positions.md. Reading is lenient where writing is complete: most lines may be left out, names need
no copy marks, `rest` in a pile stands for all cards not named elsewhere, and a missing stack means "the active player's turn".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core.copies import members
from gosu_rl.core.gosu import text_checks
from gosu_rl.core.gosu.numbers import TRAITS
from gosu_rl.core.gosu.state import AUTO, COLUMNS, FRAMES, OPERANDS, REASONS, ROWS, SEATS
from gosu_rl.core.position_text import HOLE, Names, PositionReader, frame_text, head_lines, split

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
TOKEN = "+"  # behind the name of a card with a token on it
VIEW_NUMBERS = {"hand_size": "hand_size", "picked": "picked"}  # derived in a full state
PILES = {"discard_pile": "discard", "set_aside": "aside", "revealed": "revealed"}
LARGEST = (
    {"rng": 2**64 - 1}
    | dict.fromkeys(("passed", "won", "in_turn", "regular"), 1)  # yes or no
    | dict.fromkeys(("battle_top", "battle_scored"), 2**SEATS - 1)  # a bit a seat
    | dict.fromkeys(("decisions", "turns", "capped"), 30_000_000)
    | dict.fromkeys(("round", "shuffles", "shuffled", "taken", "extra", "battles"), 32_000)
)
SMALLEST = {"turns_left": -1}  # no limit yet
OPTIONAL = ("fresh", "first", "pc")  # operands that are written only where they say something
CARD_OPERANDS = {"card", "card1", "card2", "card3", "card4"}


# ------------------------------------------------------------------------------------------------ writing


def write(state: GameState) -> str:
    """The position as text."""
    return "\n".join(_lines(state)) + "\n"


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
        hand = [names.marked(c, hand_marks(s, q, c)) for c in members(s["hand"][q])]
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
    yield stack_line(s, names)


def _player_numbers(game: Game) -> dict[str, str]:
    return {**PLAYER_NUMBERS, **TOKEN_NUMBERS} if TRAITS[game.variant]["activation"] else PLAYER_NUMBERS


def hand_marks(s: Any, q: int, c: int) -> str:
    """What stands behind a card of a hand: `*` known to all, `!` picked in secret."""
    bit, word = c & 63, c >> 6
    known = "*" if int(s["known"][q, word]) >> bit & 1 else ""
    return known + ("!" if int(s["secret"][q, word]) >> bit & 1 else "")


def stack_line(s: Any, names: Names) -> str:
    """The line `stack:`."""
    frames = s["stack"][: int(s["sp"])]
    return "stack: " + "; ".join(
        frame_text(frame, FRAMES, OPERANDS, lambda op, name, value: _operand(names, op, name, value))
        for frame in frames
    )


def _operand(names: Names, op: str, name: str, value: int) -> str | None:
    if value == 0 and (name in OPTIONAL or op == "regain"):
        return None
    if name not in CARD_OPERANDS:
        return str(value)
    return f'"{names.text(value)}"' if value >= 0 else "none"


# ------------------------------------------------------------------------------------------------ reading


class Reader(PositionReader):
    """Reads positions with one pile for all; with decks of one's own: gosu_x/text.py."""

    LATE = "drawn"  # a line about cards that other lines place
    ONE_PILE = True  # all draw from one pile
    OWN: tuple[str, ...] = ("hand",)  # lines that belong to a player, besides his army
    PLAIN: tuple[str, ...] = ("turns", "turn")  # the stack when the active player is to begin his turn

    def __init__(self, game: Game, text: str):
        super().__init__(game, text)
        self.counted: set[int] = set()  # players whose tokens are given
        self.holes = False
        self.rest: list[tuple[str, list[int], int]] = []  # piles that take what is left, and where in them

    def read(self) -> np.ndarray:
        s, game = self.s, self.game
        s["n"] = game.players
        s["rnd"] = 1
        s["in_turn"] = s["regular"] = 1
        lines = self.lines(lambda key: key in self.OWN or key.startswith("army"))
        # names with a copy mark, and places that fix a copy, come before plain names: two passes keep `Name` free for them
        for key, rest, number, player in lines:
            self.at = f"line {number}"
            if key == self.LATE or key.startswith("epoch"):
                continue
            self.line(key, rest, player)
        self.fill_rest()
        for key, rest, number, player in lines:
            self.at = f"line {number}"
            if key == self.LATE:
                self.late(rest, player)
            elif key.startswith("epoch"):
                self.epoch(key, rest)
        self.finish()
        return self.record

    def late(self, rest: str, player: int) -> None:
        """The line LATE."""
        self.drawn(rest)

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
            self.of_views.append("draw_pile_size:")
        elif key == "view":
            s["viewer"] = self.seat(rest)
        elif key == "over":
            self.ending(rest, REASONS)
        elif key == "hidden":
            self.hidden(rest)
        elif key == "stack":
            self.stack(rest, FRAMES, OPERANDS, self.operand)
        else:
            self.fail(f"unknown line {key!r}")

    def numbers(self, rest: str, fields: dict[str, str], player: int | None) -> None:
        for word in rest.split():
            name, equals, value = word.partition("=")
            if equals and player is None and self.table_word(name, value):
                continue
            if not equals or name not in fields:
                self.fail(f"expected 'name=number' with a name of {', '.join(fields)}; found {word!r}")
            self.of_views += [f"{name}="] if name in VIEW_NUMBERS else []
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

    def operand(self, name: str, value: str) -> int:
        if name in CARD_OPERANDS:
            return -1 if value == "none" else self.copy(value.strip('"'), claim=False)
        return self.integer(value, -1, 32_767)

    def finish(self) -> None:
        """Work out what follows from the rest, and check that the position can be."""
        s, n = self.s, self.game.players
        self.at = "at its end"
        view = int(s["viewer"]) >= 0
        self.check_kind()
        for q in range(n):
            a, b, c = (int(k) for k in s["rows"][q])
            if not a >= b >= c:
                self.fail(
                    f"p{q} has {a}, {b}, {c} goblins in rows 1, 2, 3; no row may be longer than the one below (T40)"
                )
            self.derive(q)
            fault = self.token_fault(q)
            if fault:
                self.fail(fault)
            if not view:
                s["hand_size"][q] = len(members(s["hand"][q]))
                s["picked"][q] = len(members(s["secret"][q]))
        if view:
            self.check_view()
        if int(s["over"]):
            s["mover"] = -1
            return
        if self.holes:
            self.fail(
                f"'({HOLE})' in an army, but the game is not over; a slot is empty in mid-game for nobody to see (G20)"
            )
        for q in range(n):
            if int(s["passed"][q]) and int(s["turns_left"][q]):  # he would be given turns that he cannot take, for ever
                self.fail(
                    f"p{q} has passed=1 and turns_left={s['turns_left'][q]}; who has passed has turns_left=0 (T36)"
                )
        if "stack" not in self.given:
            for k, word in enumerate(self.PLAIN):
                s["stack"][k] = (FRAMES.index(word), s["active"] if k > 0 else 0, 0, 0, 0, 0)
            s["sp"] = len(self.PLAIN)
        for fault in self.stack_faults():
            self.fail(fault)
        op, who = (int(k) for k in s["stack"][int(s["sp"]) - 1][:2])
        if op < AUTO:
            s["kind"], s["mover"] = op, who
            if view and FRAMES[op] in self.game.kernel.counted and int(s["stack"][int(s["sp"]) - 1][2]) < 1:
                self.fail(f"{FRAMES[op]!r} on top of the stack of a view needs left=, how many cards are still to go")
        elif view:
            self.fail(
                f"the stack of a view must end with a decision, not with {FRAMES[op]!r}: what comes of it may be hidden"
            )

    def check_view(self) -> None:
        """In a view the sizes of hands agree with the cards named, and with the hidden cards that are told of."""
        s, unknown = self.s, self.unknown_cards()
        opening = any(FRAMES[int(frame[0])] in ("opening", "reveal_picks") for frame in s["stack"][: int(s["sp"])])
        for q in range(self.game.players):
            size, picked = int(s["hand_size"][q]), int(s["picked"][q])
            if picked > (size if opening else 0):
                where = f"hand_size={size}" if opening else "no 'opening' on the stack"
                self.fail(f"p{q} has picked={picked} cards to discard, but {where}")
            unmarked = sorted(set(members(s["hand"][q])) - set(members(s["known"][q])))
            if unmarked and q != int(s["viewer"]):
                self.fail(f"'hand:' of p{q} names {self.names.text(unmarked[0])} without the * of a card that all know")
        if not self.ONE_PILE:
            return
        self.check_hidden(unknown)
        nowhere, piled = sum(self.free), int(s["ndeck"])
        if nowhere != unknown + piled:
            self.fail(
                f"{nowhere} cards are named nowhere, but {unknown} in the others' hands and {piled} in the draw pile are unknown"
            )

    def stack_faults(self) -> Iterator[str]:
        """What is wrong with the stack, a line each."""
        return text_checks.stack_faults(self.game, self.s)

    def token_fault(self, q: int) -> str:
        """Whether q has more tokens than there can be, in words; empty if not."""
        return text_checks.token_fault(self.game, self.s, q)

    def derive(self, q: int) -> None:
        """Tokens left out are ready, as far as they do not lie on cards (G2); and which rules are bent follows from the army."""
        s, rules, cards = self.s, self.game.rules, self.game.card_set.cards
        top = range(COLUMNS * (ROWS - 1), COLUMNS * (ROWS - 1) + int(s["rows"][q, ROWS - 1]))
        for slot in (slot for slot in top if not int(s["trapped"][q]) >> slot & 1):
            s["bent"][q] |= self.game.R["bends"][0][int(s["army"][q, slot]) % len(cards)]
        if TRAITS[self.game.variant]["activation"] and q not in self.counted:
            on_cards = int(s["marked"][q]).bit_count()
            s["tokens"][q] = max(0, rules["tokens"] - on_cards - int(s["spent"][q]))


def read(game: Game, text: str) -> np.ndarray:
    """The state record of a position text."""
    return Reader(game, text).read()
