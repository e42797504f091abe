"""Rules are data: a variant's numbers and a card set's tables as one record, an argument of every compiled function.

`compile_rules` turns a `CardSet` into that record, so an edited card needs no compiling. Powers become rows of integers
(operation, x, y); `powers.py` interprets them.

**Copies.** Doubled faces come first: copy c < F is the first copy of face c, copy F + f the twin of face f.
**Programs.** `prog[face, trigger]` is the row where a face's powers for that trigger start (0: none); each power opens with BEGIN
and the list closes with END. OFFER's x is the row to go on with when the power is declined.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gosu_rl.core.cards.powers import power_programs
from gosu_rl.core.cards.schema import SIDES, TRIGGERS, CardFileError, CardSet
from gosu_rl.core.gosu.state import CARDS, FACES
from gosu_rl.core.jit import JIT

CLANS = 8
CODE = 768
NUMBERS: dict[str, dict[str, int]] = {
    "tactics": {
        "deal": 10,  # cards dealt to each player
        "keep": 7,  # and kept after the opening discards
        "hand_target": 7,  # a new round draws up to this, less the player's points (T23)
        "turns_after_pass": 3,  # regular turns of the others after the first pass (T6)
        "points_to_win": 3,
        "full_army": 15,  # instant victory (T22)
        "clan_army": 9,
        "new_clan_cost": 2,  # a Bakuto of a new clan (T8)
        "max_mulligans": 10,  # a player and round (T41)
        "max_turns_per_round": 60,  # T44
        "max_decisions": 20_000,  # T45
    }
}
LIMITS = {  # what `rules=` may set: smallest and largest value
    "deal": (1, 60), "keep": (0, 60), "hand_target": (0, 60), "turns_after_pass": (0, 100), "points_to_win": (1, 50),
    "full_army": (1, 15), "clan_army": (1, 15), "new_clan_cost": (0, 20), "max_mulligans": (0, 100),
    "max_turns_per_round": (1, 10_000), "max_decisions": (1, 1_000_000),
}  # fmt: skip

(END, BEGIN, OP_OFFER, OP_DESTROY, OP_TRAP, OP_SWAP, OP_VICTIM, OP_HALF, OP_DRAW, OP_DRAW_CLANS) = range(10)
(OP_REVEAL, OP_TAKE_BACK, OP_FEWEST, OP_ADVANTAGE, OP_EXTRA) = range(10, 15)
OPERATIONS = (  # the steps, from OP_DESTROY on, in their order
    "destroy", "trap", "swap", "victim discards", "all discard half", "draw", "draw per clan", "reveal and keep", "take back",
    "fewest points draw", "take the Advantage card", "extra turn",
)  # fmt: skip
_STEPS = {  # word -> operation and how its operands read
    "offer": (OP_OFFER, ()),
    "destroy": (OP_DESTROY, (int,)),
    "trap": (OP_TRAP, (int,)),
    "trap_or_release": (OP_TRAP, (int,)),
    "swap": (OP_SWAP, ()),
    "victim_discards": (OP_VICTIM, (int,)),
    "all_discard_half": (OP_HALF, ()),
    "draw": (OP_DRAW, (int,)),
    "draw_per_clan": (OP_DRAW_CLANS, ()),
    "reveal_keep": (OP_REVEAL, (int, int)),
    "take_back": (OP_TAKE_BACK, ({"any": 0, "own": 1},)),
    "fewest_points_draw": (OP_FEWEST, (int,)),
    "take_advantage": (OP_ADVANTAGE, ()),
    "extra_turn": (OP_EXTRA, (int,)),
}

_small = "i1" if JIT else "i8"
_short = "i2" if JIT else "i8"

RULES = np.dtype(
    [
        *((name, "i8") for name in LIMITS),
        ("faces", "i8"),
        ("copies", "i8"),
        ("clans", "i8"),
        # -- first action of each range (actions.py)
        ("o_player", "i8"),
        ("o_target", "i8"),
        ("o_replace", "i8"),
        ("o_play", "i8"),
        ("o_take", "i8"),
        ("o_discard", "i8"),
        # -- masks over faces
        ("face_bits", "u8", (2,)),  # all faces
        ("level_faces", "u8", (4, 2)),  # by level 1-3
        ("clan_faces", "u8", (CLANS, 2)),
        ("replaces", "u8", (FACES, 2)),  # faces of the same level and another name (T10)
        # -- faces
        ("level", _small, (FACES,)),
        ("clan", _small, (FACES,)),
        ("strength", _small, (FACES,)),
        ("mutation", _small, (FACES,)),  # -1: cannot mutate
        ("zombie", _small, (FACES,)),
        ("links", _small, (FACES,)),  # mask over SIDES; 0 where there is no link power
        ("prog", _short, (FACES, 3)),
        ("code", _short, (CODE, 3)),
    ],
    align=True,
)


def number_table(variant: str, changes: Mapping[str, Any] | None) -> dict[str, int]:
    """The numbers of a variant with a user's changes; an unknown name or a value out of range is a ValueError."""
    numbers = dict(NUMBERS[variant])
    for name, value in (changes or {}).items():
        if name not in numbers:
            raise ValueError(f"unknown rule {name!r} for {variant}; there are {', '.join(sorted(numbers))}")
        low, high = LIMITS[name]
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise ValueError(f"rule {name} must be a whole number from {low} to {high}, not {value!r}")
        numbers[name] = int(value)
    if numbers["keep"] > numbers["deal"]:
        raise ValueError(f"rule keep ({numbers['keep']}) cannot be more than rule deal ({numbers['deal']})")
    return numbers


def clan_names(cards: CardSet) -> tuple[str, ...]:
    """The clans of a set, sorted by name; the index of a clan here is what `rules.clan` holds."""
    return tuple(sorted({card.clan for card in cards.cards}))


def _parse_step(step: str, power: str, cards: CardSet) -> list[int]:
    word, *operands = step.split()
    if word not in _STEPS or len(operands) != len(_STEPS[word][1]):
        raise CardFileError(f"{cards.path or cards.name}: power {power!r}: cannot read the step {step!r}")
    op, readers = _STEPS[word]
    row = [op, 0, 0]
    for place, (text, reader) in enumerate(zip(operands, readers, strict=True), 1):
        try:
            row[place] = reader[text] if isinstance(reader, dict) else int(text)
        except (KeyError, ValueError):
            raise CardFileError(
                f"{cards.path or cards.name}: power {power!r}: {text!r} in the step {step!r} is not understood"
            ) from None
    if word == "trap_or_release":
        row[2] = 1
    return row


def compile_programs(cards: CardSet) -> tuple[list[list[int]], dict[tuple[str, ...], int]]:
    """All rows of code, and where the program of each list of powers starts. Row 0 is END, so 0 means "none"."""
    programs = power_programs(cards)
    code = [[END, 0, 0]]
    start: dict[tuple[str, ...], int] = {(): 0}
    for card in cards.cards:
        for trigger in TRIGGERS:
            powers = tuple(getattr(card, trigger))
            if powers in start:
                continue
            start[powers] = len(code)
            for power in powers:
                code.append([BEGIN, 0, 0])
                rows = [_parse_step(step, power, cards) for step in programs[power]]
                after = len(code) + len(rows)
                for row in rows:
                    if row[0] == OP_OFFER:
                        row[1] = after
                code += rows
            code.append([END, 0, 0])
    if len(code) > CODE:
        raise CardFileError(f"{cards.path or cards.name}: its powers need {len(code)} rows of code, more than {CODE}")
    return code, start


def compile_rules(cards: CardSet, numbers: Mapping[str, int], offsets: Mapping[str, int]) -> np.ndarray:
    """The record rules[1] of dtype RULES for a card set, the numbers in force and the action ranges."""
    faces = cards.cards
    if len(faces) > FACES or cards.copies > CARDS:
        raise CardFileError(f"{cards.path or cards.name}: at most {FACES} faces and {CARDS} copies fit the kernel")
    table = np.zeros(1, RULES)
    r = table[0]
    for name, value in {**numbers, **offsets}.items():
        r[name] = value
    r["faces"], r["copies"] = len(faces), cards.copies
    code, start = compile_programs(cards)
    r["code"][: len(code)] = code
    clans = clan_names(cards)
    r["clans"] = len(clans)
    for f, card in enumerate(faces):
        r["level"][f] = card.level
        r["clan"][f] = clans.index(card.clan)
        r["strength"][f] = card.strength
        r["mutation"][f] = -1 if card.mutation is None else card.mutation
        r["zombie"][f] = card.zombie
        r["links"][f] = sum(1 << i for i, side in enumerate(SIDES) if side in card.links) if card.link else 0
        for i, trigger in enumerate(TRIGGERS):
            r["prog"][f, i] = start[tuple(getattr(card, trigger))]
        for mask in (r["face_bits"], r["level_faces"][card.level], r["clan_faces"][clans.index(card.clan)]):
            mask[f >> 6] |= np.uint64(1 << (f & 63))
        for g, other in enumerate(faces):
            if other.level == card.level and other.name != card.name:
                r["replaces"][f][g >> 6] |= np.uint64(1 << (g & 63))
    return table


def label_index(cards: CardSet) -> dict[str, int]:
    """Face label -> face number."""
    return {card.label: f for f, card in enumerate(cards.cards)}
