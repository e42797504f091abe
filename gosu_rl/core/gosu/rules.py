"""Rules are data: a variant's numbers and a card set's tables as one record, an argument of every compiled function.

`compile_rules` turns a `CardSet` into that record, so an edited card needs no compiling. Powers become rows of integers
(operation, x, y); `powers.py` interprets them.

**Copies.** Doubled faces come first: copy c < F is the first copy of face c, copy F + f the twin of face f.
**Programs.** `prog[face, trigger]` is the row where a face's powers for that trigger start (0: none); each power opens with BEGIN
and the list closes with END. OFFER's x is the row to go on with when the power is declined, IF's x the one where its condition
does not hold. An amount is n + 256 m for "n (+m)" (G6). The conditions under which a card wins are a program of IF rows.
**Variants.** What a variant lets people change are NUMBERS; what makes it another game are TRAITS. Code asks for a trait by name,
never for a variant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.powers import CONDITIONS, power_programs
from gosu_rl.core.cards.schema import ALL_TRIGGERS, BENDS, SIDES, CardFileError, CardSet
from gosu_rl.core.gosu import rules_x
from gosu_rl.core.gosu.state import CARDS, FACES, KINDS, REFRESH, REGAIN, SLOTS
from gosu_rl.core.jit import JIT
from gosu_rl.core.programs import StepTable, step_row

CLANS = 8
GROUPS = 16  # clans first, then the lists of names on cards ("Fact, Garsh, Ideo")
CODE = 1024
WIDTH = 6  # numbers in a row of code; powers use three
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
    },
    "gosu": {
        "deal": 7,  # G1
        "tokens": 2,  # activation tokens of each player, back at every new round (G2)
        "turns_after_pass": -1,  # no limit; 10 is the tournament rule (G4)
        "points_to_win": 3,
        "full_army": 15,  # borrowed from Tactics; 16 turns it off (G14)
        "new_clan_cost": 2,
        "max_mulligans": 10,
        "max_turns_per_round": 60,
        "max_decisions": 20_000,
    },
    "gosu_x": {
        "draft": 0,  # who picks the clans: 0 the players, 1 chance, else 2 + the six picks in base 8 (X17)
        "deal": 7,
        "hand_target": 7,  # drawn up to in the Song (X44)
        "hand_limit": 7,  # X5
        "tokens": 2,
        "token_limit": 4,  # X12
        "turns_after_pass": 3,  # X4
        "points_to_win": 2,
        "full_army": 15,
        "new_clan_cost": 2,
        "max_mulligans": 10,
        "max_turns_per_round": 60,
        "max_decisions": 4_000,  # X47
    },
}
NONE = -1  # what "none" means for turns_after_pass
LIMITS = {  # what `rules=` may set: smallest and largest value
    "deal": (1, 60), "keep": (0, 60), "hand_target": (0, 60), "turns_after_pass": (0, 100), "points_to_win": (1, 50),
    "full_army": (1, 15), "clan_army": (1, 15), "new_clan_cost": (0, 20), "max_mulligans": (0, 100),
    "max_turns_per_round": (1, 10_000), "max_decisions": (1, 1_000_000), "tokens": (0, 9), "draft": (0, 1 + 8**6),
    "hand_limit": (0, 60), "token_limit": (0, 9),
}  # fmt: skip
VARIANT_LIMITS = {
    "gosu": {"turns_after_pass": (NONE, 100), "full_army": (1, 16)},
    "gosu_x": {"deal": (1, 20), "hand_target": (0, 20), "full_army": (1, 16)},
}
TRAITS = {
    "tactics": {
        "tokens": 0,
        "activation": 0,  # tokens exist, and observations show them
        "eager_piles": 1,  # an empty pile is refilled at once (T20, T39), not when a card is wanted (G10)
        "refreshes": 1,  # a new round asks about a new hand (T23)
        "mutates_last": 0,  # the mutated goblin's power comes after the arrival, and other things between (G7), not first (T12)
        "counts_extra": 0,  # extra turns count among those after a pass (G19)
        "own_piles": 0,  # Gosu X: a deck and a discard pile each, and with them all the rest of that game
        "kinds": REFRESH + 1,  # of KINDS, as observations count them
        "operations": 12,  # of OPERATIONS, likewise
    },
    "gosu": {
        "keep": 60,  # all that is dealt
        "hand_target": 0,  # a new round draws nothing (G2)
        "clan_army": 16,  # never (G14)
        "activation": 1,
        "eager_piles": 0,
        "refreshes": 0,
        "mutates_last": 1,
        "counts_extra": 1,
        "own_piles": 0,
        "kinds": REGAIN + 1,
        "operations": 16,
    },
    "gosu_x": {
        "keep": 60,
        "clan_army": 16,
        "activation": 1,
        "eager_piles": 0,
        "refreshes": 0,
        "mutates_last": 0,
        "counts_extra": 1,
        "own_piles": 1,
        "kinds": len(KINDS),
        "operations": len(texts.VERBS),
    },
}

(END, BEGIN, OP_OFFER, OP_DESTROY, OP_TRAP, OP_SWAP, OP_VICTIM, OP_HALF, OP_DRAW, OP_DRAW_CLANS) = range(10)
(OP_REVEAL, OP_TAKE_BACK, OP_FEWEST, OP_ADVANTAGE, OP_EXTRA) = range(10, 15)
OP_IF, OP_REGAIN, OP_POINT, OP_DROP = range(15, 19)
BONUS = 256  # what "(+1)" adds to an amount
ENTER, LINKS, MUTATE, ACTIVATE, DEPARTURE = range(len(ALL_TRIGGERS))  # places in `prog`
WIN = len(ALL_TRIGGERS)  # place in `prog` of the conditions under which a card wins
OPERATIONS = (  # the steps, from OP_DESTROY on, in their order
    "destroy", "trap", "swap", "victim discards", "all discard half", "draw", "draw per clan", "reveal and keep", "take back",
    "fewest points draw", "take the Advantage card", "extra turn",
    "condition", "regain an activation token", "Victory Point", "discard own cards",
)  # fmt: skip
_BACK = {"any": 0, "own": 1, "names": 2}
_STEPS: StepTable = {  # word -> operation and how its operands read
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
    "take_back": (OP_TAKE_BACK, (_BACK,)),
    "fewest_points_draw": (OP_FEWEST, (int,)),
    "take_advantage": (OP_ADVANTAGE, ()),
    "extra_turn": (OP_EXTRA, (int,)),
    "regain_token": (OP_REGAIN, ()),
    "victory_point": (OP_POINT, (int,)),
    "discard_own": (OP_DROP, (int,)),
}

Program = tuple[bool, tuple[str, ...], tuple[str, ...]]

_small = "i1" if JIT else "i8"
_short = "i2" if JIT else "i8"

RULES = np.dtype(
    [
        *((name, "i8") for name in LIMITS),
        *((name, "i8") for name in TRAITS["tactics"] if name not in LIMITS),
        (
            "watching",
            "i8",
        ),  # whether any card bends a rule or wins by a condition of its own: looked for after every change
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
        ("o_token", "i8"),
        ("o_activate", "i8"),
        ("o_wonder", "i8"),
        ("o_pick", "i8"),
        ("o_option", "i8"),
        ("o_will", "i8"),
        # -- masks over faces
        ("face_bits", "u8", (2,)),  # all faces
        ("level_faces", "u8", (4, 2)),  # by level 1-3
        ("clan_faces", "u8", (GROUPS, 2)),  # by clan, then by list of names
        ("replaces", "u8", (FACES, 2)),  # faces of the same level and another name (T10)
        # -- faces
        ("level", _small, (FACES,)),
        ("clan", _small, (FACES,)),
        ("strength", _small, (FACES,)),
        ("mutation", _small, (FACES,)),  # -1: cannot mutate
        ("zombie", _small, (FACES,)),
        ("links", _small, (FACES,)),  # mask over SIDES; 0 where there is no link power
        ("bends", _short, (FACES,)),  # mask over BENDS
        ("prog", _short, (FACES, len(ALL_TRIGGERS) + 1)),
        ("code", _short, (CODE, WIDTH)),
        *rules_x.TABLES,
    ],
    align=True,
)


def number_table(variant: str, changes: Mapping[str, Any] | None) -> dict[str, int]:
    """The numbers of a variant with a user's changes; an unknown name or a value out of range is a ValueError."""
    numbers = dict(NUMBERS[variant])
    for name, value in (changes or {}).items():
        if name not in numbers:
            raise ValueError(f"unknown rule {name!r} for {variant}; there are {', '.join(sorted(numbers))}")
        low, high = VARIANT_LIMITS.get(variant, {}).get(name, LIMITS[name])
        if low == NONE and (value is None or (isinstance(value, str) and value.casefold() == "none")):
            value = NONE
        if name == "draft" and isinstance(value, str):
            value = rules_x.draft_number(value)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            numbers_allowed = f"a whole number from {max(low, 0)} to {high}" + (", or none" if low == NONE else "")
            raise ValueError(f"rule {name} must be {numbers_allowed}, not {value!r}")
        numbers[name] = int(value)
        if name == "draft" and numbers["draft"] > 1:
            rules_x.draft_picks(numbers["draft"])  # refuses a clan picked twice
    if numbers.get("keep", 0) > numbers["deal"]:
        raise ValueError(f"rule keep ({numbers['keep']}) cannot be more than rule deal ({numbers['deal']})")
    return numbers


def never(rules: np.ndarray, cards: CardSet) -> frozenset[str]:
    """Reasons (of REASONS) for which no game with the record `rules` and these cards ends."""
    can_be = {
        "fifteen": int(rules["full_army"][0]) <= SLOTS,
        "nine": int(rules["clan_army"][0]) <= SLOTS,
        "condition": any(card.win for card in cards.cards),
    }
    if cards.variant == "gosu_x":
        can_be |= rules_x.win_reasons(rules, cards)
    return frozenset(reason for reason, possible in can_be.items() if not possible)


def clan_names(cards: CardSet) -> tuple[str, ...]:
    """The clans of a set, sorted by name, of Gosu X all eight; the index of a clan here is what `rules.clan` holds."""
    return texts.CLANS if cards.variant == "gosu_x" else tuple(sorted({card.clan for card in cards.cards}))


def _parse_step(step: str, power: str, cards: CardSet, group: int) -> list[int]:
    """One step as a row (operation, x, y). `group`: the list of names on the card that has the power, among GROUPS, or -1."""
    word, *operands = step.split()
    bonus = 0
    if operands and operands[-1].startswith("+"):  # "draw 1 +1"; cards/powers.py says which steps may have it
        bonus = BONUS * int(operands.pop()[1:])
    if word == "if":
        return [OP_IF, 0, _condition(operands, group)]
    row = step_row(
        " ".join([word, *operands]),
        _STEPS,
        lambda why: CardFileError(f"{cards.path or cards.name}: power {power!r}: {why}"),
    )
    op, readers = _STEPS[word]
    row[len(readers)] += bonus  # the last operand is the amount
    if word == "trap_or_release":
        row[2] = 1
    if op == OP_TAKE_BACK and row[1] == _BACK["names"]:
        row[1] = _BACK["names"] + group - CLANS
    return row


def _condition(words: Sequence[str], group: int) -> int:
    """A condition ("hand 10") as one number: its place in CONDITIONS + 16 × its operand."""
    place = tuple(CONDITIONS).index(words[0])
    operand = group if words[0] == "names" else int(words[1]) if len(words) > 1 else 0
    return place + 16 * operand


def name_groups(cards: CardSet) -> tuple[tuple[str, ...], ...]:
    """The different lists of names on cards; list k is group CLANS + k."""
    return tuple(dict.fromkeys(card.names for card in cards.cards if card.names))


def compile_programs(cards: CardSet) -> tuple[list[list[int]], dict[Program, int]]:
    """All rows of code, and where the program of each list of powers starts. Row 0 is END, so 0 means "none".

    The keys are (whether it is a list of conditions, the list, the card's list of names): under other names the same words
    mean other cards.
    """
    programs = power_programs(cards)
    code = [[END, 0, 0]]
    start: dict[Program, int] = {}
    groups = name_groups(cards)
    for card in cards.cards:
        group = CLANS + groups.index(card.names) if card.names else -1
        for trigger in ALL_TRIGGERS:
            powers = getattr(card, trigger)
            if not powers or (False, powers, card.names) in start:
                continue
            start[False, powers, card.names] = len(code)
            for power in powers:
                code.append([BEGIN, 0, 0])
                rows = [_parse_step(step, power, cards, group) for step in programs[power]]
                after = len(code) + len(rows)
                for row in rows:
                    if row[0] in (OP_OFFER, OP_IF):
                        row[1] = after
                code += rows
            code.append([END, 0, 0])
        if card.win:
            start[True, card.win, card.names] = len(code)
            code += [[OP_IF, 0, _condition(condition.split(), group)] for condition in card.win]
            code.append([END, 0, 0])
    if len(code) > CODE:
        raise CardFileError(
            f"{cards.path or cards.name}: its powers need {len(code)} rows of code, more than {CODE}; use fewer different "
            "lists of powers, powers or steps (docs/cards.md counts the rows)"
        )
    return code, start


def compile_rules(cards: CardSet, numbers: Mapping[str, int], offsets: Mapping[str, int]) -> np.ndarray:
    """The record rules[1] of dtype RULES for a card set, the numbers in force and the action ranges."""
    faces = cards.cards
    if len(faces) > FACES or cards.copies > CARDS:
        raise CardFileError(f"{cards.path or cards.name}: at most {FACES} faces and {CARDS} copies fit the kernel")
    table = np.zeros(1, RULES)
    r = table[0]
    for name, value in {**TRAITS[cards.variant], **numbers, **offsets}.items():
        r[name] = value
    r["faces"], r["copies"] = len(faces), cards.copies
    has_powers = cards.variant != "gosu_x"  # and no texts (rules_x.py)
    code, start = compile_programs(cards) if has_powers else ([[END, 0, 0]], {})
    r["code"][: len(code), :3] = code
    clans = clan_names(cards)
    r["clans"] = len(clans)
    for k, names in enumerate(name_groups(cards), CLANS):
        for f, card in enumerate(faces):
            if card.name in names:
                r["clan_faces"][k][f >> 6] |= np.uint64(1 << (f & 63))
    r["watching"] = has_powers and any(card.win or card.rule for card in faces)
    for f, card in enumerate(faces):
        r["level"][f] = card.level
        r["clan"][f] = clans.index(card.clan)
        r["strength"][f] = card.strength
        r["mutation"][f] = -1 if card.mutation is None else card.mutation
        r["zombie"][f] = card.zombie
        r["links"][f] = sum(1 << i for i, side in enumerate(SIDES) if side in card.links) if card.link else 0
        r["bends"][f] = sum(1 << i for i, bend in enumerate(BENDS) if bend in card.rule)
        if not has_powers:
            r["mutation"][f] = -1 if card.shift is None else card.shift
        for i, trigger in enumerate(ALL_TRIGGERS if has_powers else ()):
            powers = getattr(card, trigger)
            r["prog"][f, i] = start[False, powers, card.names] if powers else 0
        if card.win and has_powers:
            r["prog"][f, WIN] = start[True, card.win, card.names]
        for mask in (r["face_bits"], r["level_faces"][card.level], r["clan_faces"][clans.index(card.clan)]):
            mask[f >> 6] |= np.uint64(1 << (f & 63))
        for g, other in enumerate(faces):
            if other.level == card.level and other.name != card.name:
                r["replaces"][f][g >> 6] |= np.uint64(1 << (g & 63))
    if not has_powers:
        rules_x.fill(r, cards)
    return table


def label_index(cards: CardSet) -> dict[str, int]:
    """Face label -> face number."""
    return {card.label: f for f, card in enumerate(cards.cards)}
