"""The rules of Tactics and GOSU as tables: `compile_rules` turns a card set into the rules record (tables.py).

Powers become rows of integers (operation, x, y); `powers.py` interprets them.

**Programs.** `prog[face, trigger]` is the row where a face's powers for that trigger start (0: none); each power opens with BEGIN
and the list closes with END. OFFER's x is the row to go on with when the power is declined, IF's x the one where its condition
does not hold. An amount is n + 256 m for "n (+m)" (G6). The conditions under which a card wins are a program of IF rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gosu_rl.core.cards.powers import CONDITIONS, power_programs
from gosu_rl.core.cards.schema import ALL_TRIGGERS, BENDS, SIDES, CardFileError, CardSet
from gosu_rl.core.gosu.state import SLOTS
from gosu_rl.core.gosu.tables import CLANS, CODE, PROGRAMS, face_tables, mark
from gosu_rl.core.programs import StepTable, step_row

(END, BEGIN, OP_OFFER, OP_DESTROY, OP_TRAP, OP_SWAP, OP_VICTIM, OP_HALF, OP_DRAW, OP_DRAW_CLANS) = range(10)
(OP_REVEAL, OP_TAKE_BACK, OP_FEWEST, OP_ADVANTAGE, OP_EXTRA) = range(10, 15)
OP_IF, OP_REGAIN, OP_POINT, OP_DROP = range(15, 19)
BONUS = 256  # what "(+1)" adds to an amount
ENTER, LINKS, MUTATE, ACTIVATE, DEPARTURE = range(len(ALL_TRIGGERS))  # places in `prog`
WIN = PROGRAMS - 1  # place in `prog` of the conditions under which a card wins
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


def never(rules: np.ndarray, cards: CardSet) -> frozenset[str]:
    """Reasons (of REASONS) for which no game with the record `rules` and these cards ends."""
    can_be = {
        "fifteen": int(rules["full_army"][0]) <= SLOTS,
        "nine": int(rules["clan_army"][0]) <= SLOTS,
        "condition": any(card.win for card in cards.cards),
    }
    return frozenset(reason for reason, possible in can_be.items() if not possible)


def clan_names(cards: CardSet) -> tuple[str, ...]:
    """The clans of a set, sorted by name; the index of a clan here is what `rules.clan` holds."""
    return tuple(sorted({card.clan for card in cards.cards}))


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


def compile_rules(cards: CardSet, in_force: Mapping[str, int], offsets: Mapping[str, int]) -> np.ndarray:
    """The record rules[1] of dtype RULES for a card set, the numbers in force and the action ranges."""
    table = face_tables(cards, in_force, offsets, clan_names(cards))
    r = table[0]
    code, start = compile_programs(cards)
    r["code"][: len(code), :3] = code
    for k, names in enumerate(name_groups(cards), CLANS):
        mark(r["clan_faces"][k], [f for f, card in enumerate(cards.cards) if card.name in names])
    r["watching"] = any(card.win or card.rule for card in cards.cards)
    for f, card in enumerate(cards.cards):
        r["mutation"][f] = -1 if card.mutation is None else card.mutation
        r["zombie"][f] = card.zombie
        r["links"][f] = sum(1 << i for i, side in enumerate(SIDES) if side in card.links) if card.link else 0
        r["bends"][f] = sum(1 << i for i, bend in enumerate(BENDS) if bend in card.rule)
        for i, trigger in enumerate(ALL_TRIGGERS):
            powers = getattr(card, trigger)
            r["prog"][f, i] = start[False, powers, card.names] if powers else 0
        if card.win:
            r["prog"][f, WIN] = start[True, card.win, card.names]
    return table
