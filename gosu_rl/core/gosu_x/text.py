"""Positions of Gosu X as text: what `gosu/text.py` does for shared piles, for decks of one's own, tiles, tokens and the draft.

The words are listed in docs/rulings-gosu-x.md ("Position text").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core.cards.texts import CLANS
from gosu_rl.core.copies import members
from gosu_rl.core.gosu.actions import slot_text
from gosu_rl.core.gosu.state import COLUMNS, DECK, ROWS, SLOTS, TEXT
from gosu_rl.core.gosu.text import (
    PLAYER_NUMBERS,
    TOKEN,
    TOKEN_NUMBERS,
    VIEW_NUMBERS,
    Reader,
    hand_marks,
    stack_line,
    table_words,
)
from gosu_rl.core.gosu_x import text_checks
from gosu_rl.core.gosu_x.draft import PICKS
from gosu_rl.core.position_text import Names, head_lines, split

if TYPE_CHECKING:
    from gosu_rl.core.game import Game, GameState

BOUNTY, ETHEREAL = "$", "~"  # behind the name of a card with such a token
UNKNOWN = "?"  # a place in a deck of which the viewer does not know the card
KNOWN, OWNER = "*", "!"  # behind a card of a deck: both know its place, its owner does
TALLY = ("captured", "destroyed", "drawn", "discarded", "lost")
NUMBERS = {**PLAYER_NUMBERS, **TOKEN_NUMBERS, "locked": "locked", "shuffled": "shuffled"}


def write(state: GameState) -> str:
    """The position as text."""
    return "\n".join(_lines(state)) + "\n"


def _clans(mask: int) -> list[str]:
    return [clan for k, clan in enumerate(CLANS) if mask >> k & 1]


def _joined(clans: list[str]) -> str:
    return "+".join(clan.replace(" ", "_") for clan in clans) or "none"


def picks(s: Any) -> list[str]:
    """The clans picked so far, in order."""
    return [CLANS[int(k) - 1] for k in s["picks"] if k > 0]


def _lines(state: GameState) -> Iterator[str]:
    s, names = state.record[0], Names(state.game)
    yield from head_lines(state)
    words = [*table_words(s), f"tiles={_joined(_clans(int(s['tiles'])))}", f"draft={_joined(picks(s))}"]
    if s["wonder"] >= 0:
        words.append(f"wonder=p{s['wonder']}")
    if s["bounty"] >= 0:
        words.append(f"bounty=p{s['bounty'] // SLOTS}:{slot_text(int(s['bounty']) % SLOTS)}")
    if s["battle_wonder"] >= 0:
        words.append(f"battle_wonder=p{s['battle_wonder']}")
    words += [f"shown={_shown(s)}"] if s["shown"].any() else []
    words += [f"limit={s['limit']}"] if s["limit"] >= 0 else []
    yield "now: " + " ".join(words)
    if state.over:
        yield f"over: {state.reason}"
    for q in range(state.game.players):
        yield from _player_lines(state, names, q)
    if len(picks(s)) < PICKS and not state.is_view:
        yield "draw_pile: " + names.texts(reversed([int(c) for c in s["deck"] if c >= 0]))
    for word, name in (("set_aside", "aside"), ("removed", "removed"), ("sunk", "sunk")):
        if members(s[name][0]):
            yield f"{word}: " + names.texts(members(s[name][0]))
    yield stack_line(s, names)


def _player_lines(state: GameState, names: Names, q: int) -> Iterator[str]:
    s = state.record[0]
    words = [f"{word}={s[name][q]}" for word, name in NUMBERS.items()]
    words += [f"{word}={s['tally'][q, k]}" for k, word in enumerate(TALLY) if s["tally"][q, k]]
    if state.is_view:
        words += [f"{word}={s[name][q]}" for word, name in VIEW_NUMBERS.items()]
    yield f"p{q}: " + " ".join(words)
    yield "  clans: " + ", ".join(_clans(int(s["clans"][q])))
    yield "  hand: " + ", ".join(names.marked(c, hand_marks(s, q, c)) for c in members(s["hand"][q]))
    if len(picks(s)) == PICKS:
        deck = s["deck"][DECK * q : DECK * q + DECK].tolist()
        size = int(s["ndecks"][q])
        yield "  deck: " + ", ".join(_place(s, names, c) for c in reversed(deck[:size]))
        order = [c - 1 for c in s["epoch"][DECK * q : DECK * q + DECK].tolist() if c > 0]
        if order != deck[:size] and not state.is_view:
            yield "  order: " + names.texts(reversed(order))
        yield "  discard: " + names.texts(members(s["discard"][q]))
    for row in range(ROWS):
        slots = range(COLUMNS * row, COLUMNS * row + int(s["rows"][q, row]))
        if slots:
            yield f"  army {row + 1}: " + ", ".join(_slot(s, names, q, slot) for slot in slots)


def _owners(s: Any) -> list[int]:
    """Whose texts are at work, the outermost first."""
    return [int(frame[1]) for frame in s["stack"][: int(s["sp"])] if frame[0] == TEXT]


def _shown(s: Any) -> str:
    """For each text at work the places, from the top of its owner's deck, of the cards that it shows: 1+2/0/3."""
    texts = []
    for q, marks in zip(_owners(s), s["shown"].tolist(), strict=False):
        size = int(s["ndecks"][q])
        texts.append("+".join(str(k + 1) for k in range(size) if marks >> (size - 1 - k) & 1) or "0")
    return "/".join(texts)


def _place(s: Any, names: Names, c: int) -> str:
    if c < 0:
        return UNKNOWN
    both, owner = (int(s["pinned"][k][c >> 6]) >> (c & 63) & 1 for k in (0, 1))
    return names.text(c) + (KNOWN if both else OWNER if owner else "")


def _slot(s: Any, names: Names, q: int, slot: int) -> str:
    tokens = (int(s["marked"][q]) >> slot & 1) + 2 * (int(s["marked2"][q]) >> slot & 1)
    text = names.text(int(s["army"][q, slot])) + TOKEN * tokens
    text += BOUNTY if int(s["bounty"]) == SLOTS * q + slot else ""
    text += ETHEREAL if int(s["ether"][q]) >> slot & 1 else ""
    return f"({text})" if int(s["trapped"][q]) >> slot & 1 else text


class DeckReader(Reader):
    """Reads positions with decks of one's own."""

    OWN = ("hand", "clans", "deck", "order", "discard")
    LATE = "order"
    ONE_PILE = False
    PLAIN = ("turns", "after", "turn")

    def __init__(self, game: Game, text: str):
        super().__init__(game, text)
        self.decks: dict[
            int, tuple[list[int], int]
        ] = {}  # of a player: the copies, top first, and the place of `rest` or -1
        self.locked: set[int] = set()
        self.shown: list[list[int]] = []

    def line(self, key: str, rest: str, player: int) -> None:
        s = self.s
        if key == "player":
            self.given.add(key)
            words = rest.split()
            tally = [word for word in words if word.partition("=")[0] in TALLY]
            for word in tally:
                name, _, value = word.partition("=")
                s["tally"][player, TALLY.index(name)] = self.integer(value, 0, 99)
            if any(word.startswith("locked=") for word in words):
                self.locked.add(player)
            fields = {**NUMBERS, **VIEW_NUMBERS}
            self.numbers(" ".join(word for word in words if word not in tally), fields, player)
        elif key == "clans":
            self.given.add(key)
            for name in split(rest):
                s["clans"][player] |= 1 << self.clan(name)
        elif key == "deck":
            self.deck(player, rest)
        elif key in ("discard", "removed"):
            words_of = s["discard"][player] if key == "discard" else s["removed"][0]
            self.set_of(words_of, [self.copy(text) for text in split(rest)])
        elif key == "sunk":
            self.set_of(s["sunk"][0], [self.copy(text, claim=False) for text in split(rest)])
        elif key == "draw_pile":
            for i, c in enumerate(reversed([self.copy(text) for text in split(rest)])):
                s["deck"][i] = c
            self.given.add(key)
        elif key in ("discard_pile", "draw_pile_size", "hidden", "revealed"):
            self.fail(f"{key!r} is of games with one pile for all; write 'deck:' and 'discard:' below a player")
        else:
            super().line(key, rest, player)

    def clan(self, name: str) -> int:
        found = {clan.casefold(): k for k, clan in enumerate(CLANS)}
        key = name.replace("_", " ").strip().casefold()
        if key not in found:
            self.fail(f"{name!r} is no clan ({', '.join(CLANS)})")
        return found[key]

    def table_word(self, name: str, value: str) -> bool:
        s = self.s
        if name in ("wonder", "battle_wonder"):
            s[name] = self.seat(value)
        elif name == "bounty":
            match = re.fullmatch(r"p([01]):([1-3])\.([1-5])", value)
            if not match:
                self.fail(f"{value!r} is no place of the Bounty token (bounty=p1:2.3)")
            s["bounty"] = SLOTS * int(match[1]) + COLUMNS * (int(match[2]) - 1) + int(match[3]) - 1
        elif name == "shown":
            self.shown = [[self.integer(k, 0, DECK) for k in text.split("+")] for text in value.split("/")]
        elif name == "limit":
            s[name] = self.integer(value, 0, 100)
        elif name in ("tiles", "draft"):
            self.given.add(name)
            clans = [self.clan(clan) for clan in value.split("+")] if value != "none" else []
            if name == "tiles":
                s["tiles"] = sum(1 << k for k in set(clans))
            elif len(clans) > PICKS:
                self.fail(f"the draft has {PICKS} picks, not {len(clans)}")
            else:
                for i, k in enumerate(clans):
                    s["picks"][i] = k + 1
        else:
            return False
        return True

    def without_tokens(self, label: str, player: int, slot: int) -> str:
        """The name of a card in an army; marks behind it stand for what lies on the card."""
        name = label.rstrip(TOKEN + BOUNTY + ETHEREAL)
        marks = label[len(name) :]
        tokens = marks.count(TOKEN)
        if tokens > 3 or marks.count(BOUNTY) > 1 or marks.count(ETHEREAL) > 1:
            self.fail(f"{label!r}: at most three Activation tokens, one Bounty and one Ethereal token lie on a card")
        self.s["marked"][player] |= (tokens & 1) << slot
        self.s["marked2"][player] |= (tokens >> 1) << slot
        if BOUNTY in marks:
            self.s["bounty"] = SLOTS * player + slot
        if ETHEREAL in marks:
            self.s["ether"][player] |= 1 << slot
        return name

    def deck(self, player: int, rest: str) -> None:
        copies: list[int] = []
        place = -1
        for text in split(rest):
            if text == "rest":
                if place >= 0:
                    self.fail("'rest' may stand once in a deck")
                place = len(copies)
            elif text == UNKNOWN:
                copies.append(-1)
            else:
                name = text if text in self.names.index else text.rstrip(KNOWN + OWNER)
                c = self.copy(name)
                for k, mark in enumerate((KNOWN, OWNER)):
                    if mark in text[len(name) :]:
                        self.s["pinned"][k][c >> 6] |= np.uint64(1 << (c & 63))
                copies.append(c)
        self.decks[player] = (copies, place)

    def fill_rest(self) -> None:
        """A player's cards that are named nowhere lie where his deck says `rest`, or make his deck."""
        s = self.s
        if "draw_pile" in self.given or ("draft" in self.given and not s["picks"][PICKS - 1]):
            return
        self.at = "at its end"
        masks = [int(mask) for mask in s["clans"]]
        if masks[0] & masks[1] or any(mask.bit_count() != 3 for mask in masks):
            self.fail("each player has three clans of his own: write 'clans: A, B, C' below 'p0:' and below 'p1:'")
        for q in range(2):
            copies, place = self.decks.get(q, ([], 0))
            left = [c for c in range(self.names.copies) if self.free[c] and masks[q] >> self.clan_of(c) & 1]
            if int(s["viewer"]) < 0:
                if place < 0 and left:
                    names = ", ".join(self.names.text(c) for c in left[:3])
                    self.fail(f"{len(left)} cards of p{q} are nowhere ({names} …); put 'rest' into his deck for them")
                copies = copies[:place] + left + copies[place:] if place >= 0 else copies
            if len(copies) > DECK:
                self.fail(f"the deck of p{q} has {len(copies)} cards, at most {DECK} are possible")
            s["deck"][DECK * q : DECK * q + len(copies)] = copies[::-1]
            s["ndecks"][q] = len(copies)
            if int(s["viewer"]) < 0:
                s["epoch"][DECK * q : DECK * q + len(copies)] = [c + 1 for c in copies[::-1]]

    def clan_of(self, c: int) -> int:
        return CLANS.index(self.game.card_set.cards[c % len(self.names.labels)].clan)

    def late(self, rest: str, player: int) -> None:
        """The line `order:`, a deck as it was last shuffled."""
        copies = [self.copy(text, claim=False) for text in split(rest)]
        if len(copies) > DECK:
            self.fail(f"the deck of p{player} had {len(copies)} cards, at most {DECK} are possible")
        order = self.s["epoch"][DECK * player : DECK * player + DECK]
        order[:] = 0
        order[: len(copies)] = [c + 1 for c in copies[::-1]]

    def epoch(self, key: str, rest: str) -> None:
        self.fail(f"{key!r} is of games with one pile for all")

    def show(self) -> None:
        """The places in decks that texts show."""
        s, owners = self.s, _owners(self.s)
        if len(self.shown) > len(owners):
            self.fail(
                f"shown={'/'.join('+'.join(map(str, text)) for text in self.shown)}: {len(owners)} texts are at work"
            )
        for d, (q, places) in enumerate(zip(owners, self.shown, strict=False)):
            size = int(s["ndecks"][q])
            if max(places) > size:
                self.fail(f"a text shows place {max(places)} of a deck of {size} cards")
            s["shown"][d] = np.uint64(sum(1 << (size - k) for k in set(places) if k > 0))

    def finish(self) -> None:
        s = self.s
        self.at = "at its end"
        drafting = "draw_pile" in self.given or ("draft" in self.given and not s["picks"][PICKS - 1])
        if not drafting:
            if "tiles" not in self.given:
                s["tiles"] = 255 & ~int(s["clans"][0] | s["clans"][1])
            if "draft" not in self.given:
                left = [_bits(int(s["clans"][q])) for q in range(2)]
                s["picks"] = [left[q].pop(0) + 1 for q in text_checks.drafters(int(s["first"]))]
            self.whose()
        elif "tiles" not in self.given:
            s["tiles"] = 255 & ~sum(1 << int(k) - 1 for k in set(s["picks"].tolist()) if k > 0)
        for fault in text_checks.draft_faults(s, drafting, self.names.copies):
            self.fail(fault)
        super().finish()
        for fault in text_checks.drafter_faults(s) if drafting else ():
            self.fail(fault)
        if int(s["viewer"]) >= 0 and not drafting:
            self.add_up()
        self.show()

    def add_up(self) -> None:
        """In a view: what is named nowhere fills the unknown places exactly."""
        s = self.s
        for q in range(2):
            named, size = len(members(s["hand"][q])), int(s["hand_size"][q])
            own = int(s["clans"][q])
            nowhere = sum(self.free[c] and own >> self.clan_of(c) & 1 for c in range(self.names.copies))
            deck = self.decks.get(q, ([], 0))[0].count(-1)
            if nowhere != size - named + deck:
                self.fail(
                    f"{nowhere} cards of p{q} are named nowhere, but {size - named} of his hand and {deck} of his deck "
                    f"are unknown ({UNKNOWN})"
                )

    def whose(self) -> None:
        """Every card lies with the player who drafted its clan."""
        s = self.s
        for q in range(2):
            held = members(s["hand"][q]) + members(s["discard"][q]) + [int(c) for c in s["army"][q] if c >= 0]
            held += [int(c) for c in s["deck"][DECK * q : DECK * q + int(s["ndecks"][q])] if c >= 0]
            for c in held:
                if not int(s["clans"][q]) >> self.clan_of(c) & 1:
                    clan = CLANS[self.clan_of(c)]
                    self.fail(f"p{q} has {self.names.text(c)}, a card of {clan}, which is none of his clans")

    def stack_faults(self) -> Iterator[str]:
        return text_checks.stack_faults(self.game, self.s)

    def token_fault(self, q: int) -> str:
        return text_checks.token_fault(self.game, self.s, q)

    def derive(self, q: int) -> None:
        """Tokens left out are ready, as far as they do not lie on cards; locked ones left out are those that a game begins with."""
        s, rules = self.s, self.game.rules
        if q not in self.locked:
            s["locked"][q] = max(0, rules["token_limit"] - rules["tokens"])
        if q not in self.counted:
            on_cards = int(s["marked"][q]).bit_count() + 2 * int(s["marked2"][q]).bit_count()
            owned = max(rules["tokens"], rules["token_limit"] - int(s["locked"][q]))
            s["tokens"][q] = max(0, owned - on_cards - int(s["spent"][q]))


def _bits(mask: int) -> list[int]:
    return [k for k in range(len(CLANS)) if mask >> k & 1]


def read(game: Game, text: str) -> np.ndarray:
    """The state record of a position text."""
    return DeckReader(game, text).read()
