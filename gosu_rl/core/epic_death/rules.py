"""Rules are data: the numbers of the game, a card set and its layout as one record, an argument of every compiled function.

Steps of cards, Lands and abilities become rows of integers (operation, x, y, condition, comparison, number) that `effects.py`
and `conditions.py` interpret; row 0 is END, so a program that starts at 0 does nothing. Goblin cards are numbered as in
`core/copies.py`, Lands copy by copy in the order of the set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gosu_rl.core.cards import layouts
from gosu_rl.core.cards.epic_schema import KINDS, NEEDS, TERRAINS, TRAITS, WINDOWS, EpicSet
from gosu_rl.core.cards.epic_steps import COMPARISONS, CONDITIONS, SCOPES, SORTS, price, split_condition
from gosu_rl.core.cards.schema import CardFileError, CardSet
from gosu_rl.core.epic_death.state import CARDS, FACES, FOR_OTHER, LANDS, LEADERS, SEATS, SPACES
from gosu_rl.core.jit import JIT
from gosu_rl.core.programs import StepTable, step_row

CODE = 512
NUMBERS = {
    "layout": 2,  # which layout of the set, from 1
    "deal": 3,
    "tokens": 5,
    "all_tokens": 54,
    "reinforcements": 2,
    "hand_limit": 3,
    "max_decisions": 40_000,
}
LIMITS = {  # what `rules=` may set: smallest and largest value
    "layout": (1, layouts.MAX_LAYOUTS), "deal": (0, 10), "tokens": (0, 20), "all_tokens": (6, 120), "reinforcements": (1, 2),
    "hand_limit": (0, 20), "max_decisions": (1, 1_000_000),
}  # fmt: skip

ACTION_CARD, MACHINE_CARD, HERO_CARD = range(len(KINDS))  # field `card_sort`
WOODS, RIVER, WALL, TOWN = range(len(TERRAINS))
NEEDS_NOTHING, NEEDS_HERO, NEEDS_MACHINE = range(len(NEEDS) + 1)
(W_A, W_B, W_D, W_COMBAT, W_FRAY, W_TOSS, W_ANSWER) = range(len(WINDOWS))
(
    FORAGER, PATHFINDER, FREE_CREW, HEALER, BIG_POCKETS, BRAWLER, WOODSMAN, FERRYMAN, SAPPER, RECRUITER, REAR_GUARD,
) = (1 << i for i in range(len(TRAITS)))  # fmt: skip

(END, OP_GAIN, OP_LOSE, OP_DRAW, OP_DISCARD, OP_LOSE_HERO, OP_LOSE_MACHINE, OP_STEAL_TOKEN, OP_STEAL_CARD) = range(9)
(OP_STEAL_CONQUEST, OP_CHOOSE, OP_ATTACK, OP_DEFENSE, OP_NO_REQUIREMENT, OP_MOVE, OP_PEEK, OP_TAKE_BACK) = range(9, 17)
(OP_SAVE, OP_RETOSS, OP_CANCEL, OP_DISCARD_RANDOM, OP_MACHINE_OFF, OP_KILL_TOSS, OP_SWAP_ARMIES) = range(17, 24)
(OP_RETREAT_NOW, OP_TURN_UP, OP_SWAP_LANDS, OP_NO_COMBAT, OP_GUARD) = range(24, 29)
OPERATIONS = (  # from OP_GAIN on, in their order
    "gain", "lose", "draw", "discard", "lose_hero", "lose_machine", "steal_token", "steal_card",
    "steal_conquest", "choose", "attack", "defense", "no_requirement", "move", "peek", "take_back",
    "save", "retoss", "cancel", "discard_random", "machine_off", "kill_toss", "swap_armies",
    "retreat_now", "turn_up", "swap_lands", "no_combat", "guard",
)  # fmt: skip
(ALWAYS, IF_TERRAIN, IF_NEEDS, IF_ATTACKER, IF_DEFENDER) = range(5)  # conditions, in the order of CONDITIONS
(IF_DEFENSE, IF_TOKENS, IF_HEROES, IF_MACHINES, IF_HAND, IF_PILE, IF_RANK) = range(5, 12)
AT_LEAST, AT_MOST, EXACTLY = range(len(COMPARISONS))
ANY_SORT = -1
_SORT = {sort: ANY_SORT if sort == "any" else KINDS.index(sort) for sort in SORTS}
_SCOPE = {scope: FOR_OTHER + i for i, scope in enumerate(SCOPES)}
_READERS: dict[str, tuple[Any, ...]] = {"choose": (_SCOPE,), "take_back": (_SORT,)}
_NUMBERED = (
    "gain", "lose", "draw", "discard", "steal_token", "attack", "defense", "save", "retoss", "move", "discard_random", "kill_toss",
)  # fmt: skip
STEP_TABLE: StepTable = {
    word: (op, _READERS.get(word, (int,) if word in _NUMBERED else ())) for op, word in enumerate(OPERATIONS, 1)
}

_small = "i1" if JIT else "i8"
_short = "i2" if JIT else "i8"

RULES = np.dtype(
    [
        *((name, "i8") for name in NUMBERS),
        ("faces", "i8"),
        ("copies", "i8"),
        ("lands", "i8"),  # Lands there are
        ("leaders", "i8"),
        ("spaces", "i8"),
        ("cancels", "i8"),  # whether some card answers Actions
        ("saves", "i8"),  # whether some card is for the window "toss"
        # -- first action of each range (actions.py)
        ("o_player", "i8"),
        ("o_space", "i8"),
        ("o_play", "i8"),
        ("o_discard", "i8"),
        ("o_pick", "i8"),
        ("o_take", "i8"),
        # -- masks over faces
        ("face_bits", "u8", (2,)),
        ("window_faces", "u8", (len(WINDOWS),)),
        ("sort_faces", "u8", (len(KINDS),)),
        # -- faces of Goblin cards
        ("card_sort", _small, (FACES,)),  # action, machine, hero
        ("value", _small, (FACES,)),
        ("cost", _small, (FACES,)),
        ("trait", _short, (FACES,)),  # mask
        ("prog", _short, (FACES,)),
        # -- Leaders
        ("leader_trait", _short, (LEADERS,)),
        ("leader_prog", _short, (LEADERS,)),
        ("leader_when", _small, (LEADERS,)),  # mask over WINDOWS
        ("leader_price", _small, (LEADERS,)),  # cards that the ability begins by discarding
        # -- Lands, copy by copy
        ("land_face", _small, (LANDS,)),
        ("terrain_of", _small, (LANDS,)),
        ("defense", _small, (LANDS,)),
        ("worth", _small, (LANDS,)),
        ("needs", _small, (LANDS,)),
        ("epic", _small, (LANDS,)),
        ("land_prog", _short, (LANDS,)),
        # -- the field
        ("terrain", _small, (SPACES,)),
        ("near", "u8", (SPACES,)),  # neighbours
        ("start", _small, (SEATS + 1, SEATS)),  # by number of players
        ("far", _small, (SPACES,)),  # steps to the nearest Town
        ("steps", _small, (SPACES, SPACES)),  # between any two spaces
        ("code", _short, (CODE, 6)),
    ],
    align=True,
)


def number_table(variant: str, changes: Mapping[str, Any] | None) -> dict[str, int]:
    """The numbers with a user's changes; an unknown name or a value out of range is a ValueError."""
    numbers = dict(NUMBERS)
    for name, value in (changes or {}).items():
        if name not in numbers:
            raise ValueError(f"unknown rule {name!r} for {variant}; there are {', '.join(sorted(numbers))}")
        low, high = LIMITS[name]
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise ValueError(f"rule {name} must be a whole number from {low} to {high}, not {value!r}")
        numbers[name] = int(value)
    if numbers["all_tokens"] < SEATS * numbers["tokens"]:
        raise ValueError(
            f"rule all_tokens ({numbers['all_tokens']}) is too small for {SEATS} times rule tokens ({numbers['tokens']})"
        )
    return numbers


def prepare(cards: CardSet, rules: Mapping[str, Any] | None) -> tuple[CardSet, Mapping[str, Any] | None]:
    """The card set and rules with the layout that was asked for by name or file: the rule `layout` becomes a number."""
    if not rules or "layout" not in rules or not isinstance(cards, EpicSet):
        return cards, rules
    cards, number = layouts.choose(cards, rules["layout"])
    return cards, {**rules, "layout": number}


def chosen_field(cards: CardSet, numbers: Mapping[str, int], players: int) -> layouts.Field:
    """The field of the layout in force; a ValueError where the set has none of that number, or not for so many players."""
    assert isinstance(cards, EpicSet)
    number = numbers["layout"]
    if number > len(cards.layouts):
        names = ", ".join(f"{i} {layout.name}" for i, layout in enumerate(cards.layouts, 1))
        raise ValueError(f"rule layout is {number}, but {cards.name} has {len(cards.layouts)} layouts ({names})")
    layout = cards.layouts[number - 1]
    field = layouts.lay_out(layout)
    if players not in field.starts:
        able = ", ".join(map(str, field.starts))
        raise ValueError(
            f"layout {layout.name!r} has no starts for {players} players, only for {able}; choose another one with the rule layout"
        )
    if players > len(cards.leaders):
        raise ValueError(f"{players} players need {players} Leaders, but {cards.name} has {len(cards.leaders)}")
    return field


def _program(code: list[list[int]], steps: tuple[str, ...], cards: EpicSet, name: str) -> int:
    """Append a program and return its first row; 0 for no steps."""
    if not steps:
        return 0
    start = len(code)
    where = cards.path or cards.name
    for step in steps:
        condition, bare = split_condition(step)
        if bare == "move":
            bare = "move 1"
        row = step_row(bare, STEP_TABLE, lambda why: CardFileError(f"{where}: {name}: {why}"))
        code.append([*row, *_condition(condition)])
    code.append([END, 0, 0, ALWAYS, 0, 0])
    return start


def _condition(text: str) -> list[int]:
    """A condition that has been checked (`hand >= 2`, `terrain Wall`, empty for none) as three numbers of a row of code."""
    if not text:
        return [ALWAYS, 0, 0]
    word, *operands = text.split()
    condition = 1 + list(CONDITIONS).index(word)
    if len(operands) == 2:
        return [condition, COMPARISONS.index(operands[0]), int(operands[1])]
    known = CONDITIONS[word]
    return [condition, 0, known.index(operands[0]) if operands else 0]


def compile_rules(cards: CardSet, numbers: Mapping[str, int], offsets: Mapping[str, int]) -> np.ndarray:
    """The record rules[1] of dtype RULES for a card set, the numbers in force and the action ranges."""
    assert isinstance(cards, EpicSet)
    faces = cards.cards
    where = cards.path or cards.name
    if len(faces) > FACES or cards.copies > CARDS or cards.land_copies > LANDS or len(cards.leaders) > LEADERS:
        raise CardFileError(
            f"{where}: at most {FACES} faces, {CARDS} Goblin cards, {LANDS} Lands, {LEADERS} Leaders fit"
        )
    table = np.zeros(1, RULES)
    r = table[0]
    for name, value in {**numbers, **offsets}.items():
        r[name] = value
    r["faces"], r["copies"] = len(faces), cards.copies
    r["lands"], r["leaders"] = cards.land_copies, len(cards.leaders)
    code = [[END, 0, 0, ALWAYS, 0, 0]]
    for f, card in enumerate(faces):
        bit = np.uint64(1 << f)
        r["face_bits"][0] |= bit
        r["card_sort"][f] = KINDS.index(card.kind)
        r["sort_faces"][KINDS.index(card.kind)] |= bit
        r["value"][f], r["cost"][f] = card.value, card.cost
        r["trait"][f] = 1 << TRAITS.index(card.trait) if card.trait else 0
        r["prog"][f] = _program(code, card.steps, cards, card.name)
        for window in card.when:
            r["window_faces"][WINDOWS.index(window)] |= bit
    r["cancels"] = r["window_faces"][W_ANSWER] != 0
    r["saves"] = r["window_faces"][W_TOSS] != 0
    for i, leader in enumerate(cards.leaders):
        r["leader_trait"][i] = 1 << TRAITS.index(leader.trait) if leader.trait else 0
        r["leader_prog"][i] = _program(code, leader.ability, cards, leader.name)
        r["leader_when"][i] = sum(1 << WINDOWS.index(window) for window in leader.when)
        r["leader_price"][i] = price(leader.ability)
    copy = 0
    for face, land in enumerate(cards.lands):
        row = _program(code, (*land.icons, *land.text), cards, land.name)
        for _ in range(land.copies):
            r["land_face"][copy], r["terrain_of"][copy] = face, TERRAINS.index(land.terrain)
            r["defense"][copy], r["worth"][copy] = land.defense, land.value
            r["needs"][copy] = NEEDS.index(land.needs) + 1 if land.needs else NEEDS_NOTHING
            r["epic"][copy], r["land_prog"][copy] = land.epic, row
            copy += 1
    if len(code) > CODE:
        raise CardFileError(f"{where}: its steps need {len(code)} rows of code, more than {CODE}")
    r["code"][: len(code)] = code
    field = layouts.lay_out(cards.layouts[numbers["layout"] - 1])
    r["spaces"] = len(field.labels)
    far = field.distances(field.towns)
    for space, terrain in enumerate(field.terrains):
        r["terrain"][space] = TERRAINS.index(terrain)
        r["near"][space] = sum(1 << there for there in field.near[space])
        r["far"][space] = far[space]
        r["steps"][space][: len(far)] = field.distances([space])
    for players, starts in field.starts.items():
        r["start"][players, :players] = starts
    return table
