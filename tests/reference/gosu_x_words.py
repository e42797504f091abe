"""Reads a card file of Gosu X for the reference model: cards, tiles, and the grammar of their texts (docs/cards.md).

Written from the document alone, without any code of gosu_rl. What is read becomes plain records; what they mean in
play stands in `gosu_x_counts.py` (filters, amounts, conditions, values, rules), `gosu_x_texts.py` and what it is made of (steps).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLANS = ("Justice", "Abhilasha", "Tomorrow", "Narashima", "Galmi", "Phoenix", "Goan Sul", "Xi'an")

# --- filters, amounts, conditions --------------------------------------------------------------------------------

LEVELS = {"troop": 1, "hero": 2, "immortal": 3}
SIDES = frozenset(("left", "right", "above", "below", "row", "column"))
PLAIN_WORDS = frozenset(
    ("own", "other", "up", "captured", "open", "self", "not-self", "mirror", "that", "bounty", "tokens", "no-tokens", "icons")
)  # fmt: skip
COUNT_WORDS = frozenset(
    (
        "hand", "deck", "pile", "tokens", "spent", "placed", "token_count", "clans", "triples", "supremacy", "tiles", "round",
        "wonder", "passed", "active", "additional", "captured", "destroyed", "drawn", "discarded", "lost", "lead",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Filter:
    """Which cards: all of these must fit, of each group one."""

    levels: frozenset[int] = frozenset()
    sides: frozenset[str] = frozenset()  # left, right, above, below, row, column
    words: frozenset[str] = frozenset()  # the rest of the plain words
    clans: tuple[str, ...] = ()  # names, "self" or "chosen"
    keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        return self == ANY


ANY = Filter()


@dataclass(frozen=True)
class Amount:
    """`base` times / over, plus, at most: a number or a count."""

    number: int = 0
    word: str = ""  # a count; empty: `number` itself. "#", "#pile" and "#shown" count cards that fit `filter`
    other: bool = False  # the opponent's count
    filter: Filter = ANY
    times: int = 1
    over: int = 1
    plus: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Comparison:
    left: Amount
    sign: str
    right: Amount


Condition = tuple[Comparison, ...]  # all of them


def read_filter(text: str) -> Filter:
    """The words between the braces."""
    levels, sides, words = set(), set(), set()
    named: dict[str, list[str]] = {"clan": [], "keyword": [], "name": [], "stem": []}
    for word in text.split():
        kind, colon, what = word.partition(":")
        if colon:
            named[kind].append(what.replace("_", " "))
        elif word in LEVELS:
            levels.add(LEVELS[word])
        elif word in SIDES:
            sides.add(word)
        elif word in PLAIN_WORDS:
            words.add(word)
        else:
            raise ValueError(f"the reference model knows no word {word!r} of a filter")
    lists = {kind: tuple(found) for kind, found in named.items()}
    return Filter(
        frozenset(levels),
        frozenset(sides),
        frozenset(words),
        lists["clan"],
        lists["keyword"],
        lists["name"],
        lists["stem"],
    )


AMOUNT = re.compile(
    r"""(?: (?P<number>\d+) | (?P<other>other\.)? (?: (?P<counted>\#|\#pile|\#shown)\{(?P<filter>[^}]*)\} | (?P<word>[a-z_]+) ) )
        (?: \*(?P<times>\d+) | /(?P<over>\d+) )? (?P<plus>[+-]\d+)? (?: \ max\ (?P<most>\d+) )?""",
    re.VERBOSE,
)


def take_amount(text: str) -> tuple[Amount, str]:
    """The amount at the beginning of a text, and the text behind it."""
    found = AMOUNT.match(text)
    if not found:
        raise ValueError(f"no amount: {text!r}")
    part = found.groupdict()
    word = part["counted"] or part["word"] or ""
    if part["word"] and word not in COUNT_WORDS:
        raise ValueError(f"the reference model knows no count {word!r}")
    amount = Amount(
        number=int(part["number"] or 0),
        word=word,
        other=bool(part["other"]),
        filter=read_filter(part["filter"] or ""),
        times=int(part["times"] or 1),
        over=int(part["over"] or 1),
        plus=int(part["plus"] or 0),
        most=int(part["most"]) if part["most"] else None,
    )
    return amount, text[found.end() :].strip()


def read_condition(text: str) -> Condition:
    return tuple(_comparison(part.strip()) for part in re.split(r"\band\b", text))


def _comparison(text: str) -> Comparison:
    if text.startswith("not "):
        amount, rest = take_amount(text.removeprefix("not ").strip())
        sign, right = "=", Amount(0)
    else:
        amount, rest = take_amount(text)
        sign, right = ">=", Amount(1)
        if found := re.match(r"(>=|<=|!=|=|>|<)\s*", rest):
            sign = found.group(1)
            right, rest = take_amount(rest[found.end() :])
    if rest:
        raise ValueError(f"left over in a condition: {rest!r}")
    return Comparison(amount, sign, right)


# --- texts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """`[may] [other|both] VERB …`"""

    text: str  # as printed
    verb: str
    may: bool = False
    who: str = "you"  # you, other, both
    amount: Amount = Amount(1)
    to: bool = False  # "draw to N"
    every: bool = False
    place: str = ""  # hand, pile, shown (put_into_play); top, bottom, discard (put_on_deck, rest_to)
    filter: Filter = ANY


@dataclass(frozen=True)
class Branch:
    """`if`, with a condition, or `if_done`, without one."""

    condition: Condition | None
    then: Block
    otherwise: Block


@dataclass(frozen=True)
class Choice:
    """`choose_one`"""

    text: str
    parts: tuple[Block, ...]


Block = tuple["Step | Branch | Choice", ...]

PLACES = {
    "put_into_play": ("hand", "pile", "shown"),
    "put_on_deck": ("top", "bottom"),
    "rest_to": ("top", "bottom", "discard"),
}
VERBS = frozenset(
    (
        "draw", "discard", "sacrifice", "capture", "release", "destroy", "return", "remove", "resolve", "place_bounty",
        "move_bounty", "place_ethereal", "reveal", "look", "keep", "rest_to", "fetch", "take_back", "remove_pile", "retrieve",
        "put_on_deck", "put_into_play", "extra_turn", "token_back", "unlock", "take_wonder", "return_wonder", "flip_tiles",
        "choose_clan", "pass", "win",
    )
)  # fmt: skip


def read_step(text: str) -> Step:
    rest = text.strip()
    may, who, to, every, place, amount, which = False, "you", False, False, "", Amount(1), ANY
    if rest.startswith("may "):
        may, rest = True, rest.removeprefix("may ")
    for subject in ("other", "both"):
        if rest.startswith(f"{subject} "):
            who, rest = subject, rest.removeprefix(f"{subject} ")
    verb, _, rest = rest.partition(" ")
    if verb not in VERBS:
        raise ValueError(f"the reference model knows no step {text!r}")
    for word in PLACES.get(verb, ()):
        if re.match(rf"{word}\b", rest):
            place, rest = word, rest[len(word) :].strip()
    if rest.startswith("to "):
        to, rest = True, rest.removeprefix("to ")
    if re.match(r"every\b", rest):
        every, rest = True, rest.removeprefix("every").strip()
    elif rest and not rest.startswith("{"):
        amount, rest = take_amount(rest)
    if rest:
        if not re.fullmatch(r"\{[^}]*\}", rest):
            raise ValueError(f"left over in the step {text!r}: {rest!r}")
        which = read_filter(rest[1:-1])
    return Step(text, verb, may, who, amount, to, every, place, which)


def read_text(lines: list[str]) -> Block:
    """The steps of a card as a tree."""
    waiting = list(lines)
    block = _block(waiting)
    if waiting:
        raise ValueError(f"left over in a text: {waiting}")
    return block


def _block(waiting: list[str]) -> Block:
    """Up to `else`, `or`, `end` or the end of the text, none of which is taken."""
    found: list[Step | Branch | Choice] = []
    while waiting and waiting[0] not in ("else", "or", "end"):
        line = waiting.pop(0)
        if line == "choose_one":
            parts = [_block(waiting)]
            while waiting and waiting[0] == "or":
                waiting.pop(0)
                parts.append(_block(waiting))
            _end(waiting)
            found.append(Choice(line, tuple(parts)))
        elif line == "if_done" or line.startswith("if "):
            then = _block(waiting)
            otherwise: Block = ()
            if waiting and waiting[0] == "else":
                waiting.pop(0)
                otherwise = _block(waiting)
            _end(waiting)
            condition = None if line == "if_done" else read_condition(line.removeprefix("if "))
            found.append(Branch(condition, then, otherwise))
        else:
            found.append(read_step(line))
    return tuple(found)


def _end(waiting: list[str]) -> None:
    """`end` may be left out at the end of the text."""
    if waiting and waiting[0] == "end":
        waiting.pop(0)


# --- values and rules --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value:
    """`[self|army|each {F}] AMOUNT [max N] [if CONDITION]`"""

    scope: str
    filter: Filter
    sign: int
    amount: Amount
    condition: Condition


def read_value(text: str) -> Value:
    rest, scope, which, sign = text.strip(), "self", ANY, 1
    condition: Condition = ()
    for word in ("self", "army", "each"):
        if rest.startswith(f"{word} "):
            scope, rest = word, rest.removeprefix(f"{word} ").strip()
    if scope == "each":
        inside, _, rest = rest.removeprefix("{").partition("}")
        which, rest = read_filter(inside), rest.strip()
    if rest.startswith("-"):
        sign, rest = -1, rest[1:]
    amount, rest = take_amount(rest)
    if rest.startswith("if "):
        condition, rest = read_condition(rest.removeprefix("if ")), ""
    if rest:
        raise ValueError(f"left over in the value {text!r}: {rest!r}")
    return Value(scope, which, sign, amount, condition)


@dataclass(frozen=True)
class Rule:
    """`[other] WORD [N | +N | -N]`"""

    other: bool
    word: str
    sets: int | None
    changes: int


def read_rule(text: str) -> Rule:
    words = text.split()
    other = words[0] == "other"
    word, *number = words[1:] if other else words
    if not number:
        return Rule(other, word, None, 0)
    signed = number[0][0] in "+-"
    return Rule(other, word, None if signed else int(number[0]), int(number[0]) if signed else 0)


# --- the file ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class XFace:
    """What is printed on a card."""

    name: str
    clan: str
    level: int  # 1 Troop, 2 Hero, 3 Immortal
    copies: int
    strength: int
    shift: int | None  # None: it cannot be shifted; 0 is a cost (X34)
    icons: int
    keywords: frozenset[str]
    steps: tuple[str, ...]  # the text as printed
    text: Block
    on: str  # "entering", "activation", or empty: both (X30)
    will: tuple[Condition, ...]
    value: tuple[Value, ...]
    rule: tuple[Rule, ...]
    win: tuple[Condition, ...]

    @property
    def label(self) -> str:
        return self.name

    @property
    def stem(self) -> str:
        """What stands before a bracket."""
        return self.name.partition("(")[0].strip()


@dataclass(frozen=True)
class Tile:
    """The active side of a clan's tile."""

    clan: str
    rule: tuple[Rule, ...] = ()
    value: tuple[Value, ...] = ()
    win: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class XCardFile:
    variant: str
    faces: dict[str, XFace]  # by name, in file order
    tiles: dict[str, Tile]  # by clan; a clan that is missing has a tile without effect


def read_x_cards(path: str | Path) -> XCardFile:
    """All faces and tiles of a card file of Gosu X."""
    data: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    faces = {}
    for card in data["card"]:
        lines = [line.strip() for line in card.get("text", ())]
        faces[card["name"]] = XFace(
            name=card["name"],
            clan=card["clan"],
            level=card["level"],
            copies=card.get("copies", 1),
            strength=card["strength"],
            shift=card.get("shift"),
            icons=card.get("icons", 0),
            keywords=frozenset(card.get("keywords", ())),
            steps=tuple(lines),
            text=read_text(lines),
            on=card.get("on", ""),
            will=tuple(read_condition(line) for line in card.get("will", ())),
            value=tuple(read_value(line) for line in card.get("value", ())),
            rule=tuple(read_rule(line) for line in card.get("rule", ())),
            win=tuple(read_condition(line) for line in card.get("win", ())),
        )
    tiles = {clan: Tile(clan) for clan in CLANS}
    for tile in data.get("tile", ()):
        tiles[tile["clan"]] = Tile(
            tile["clan"],
            tuple(read_rule(line) for line in tile.get("rule", ())),
            tuple(read_value(line) for line in tile.get("value", ())),
            tuple(read_condition(line) for line in tile.get("win", ())),
        )
    return XCardFile(data["set"]["variant"], faces, tiles)
