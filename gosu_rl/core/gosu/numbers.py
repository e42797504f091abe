"""The numbers of the three Gosu games, what may be changed of them, and the traits that make each another game.

What a variant lets people change are NUMBERS; what makes it another game are TRAITS. Code asks for a trait by name, never for a
variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gosu_rl.core.cards import texts
from gosu_rl.core.gosu.state import KINDS, REFRESH, REGAIN

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
        "kinds": len(KINDS),
        "operations": len(texts.VERBS),
    },
}


def number_table(variant: str, changes: Mapping[str, Any] | None) -> dict[str, int]:
    """The numbers of a variant with a user's changes; an unknown name or a value out of range is a ValueError."""
    numbers = dict(NUMBERS[variant])
    for name, value in (changes or {}).items():
        if name not in numbers:
            raise ValueError(f"unknown rule {name!r} for {variant}; there are {', '.join(sorted(numbers))}")
        low, high = VARIANT_LIMITS.get(variant, {}).get(name, LIMITS[name])
        if low == NONE and (value is None or (isinstance(value, str) and value.casefold() == "none")):
            value = NONE
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            numbers_allowed = f"a whole number from {max(low, 0)} to {high}" + (", or none" if low == NONE else "")
            raise ValueError(f"rule {name} must be {numbers_allowed}, not {value!r}")
        numbers[name] = int(value)
    if numbers.get("keep", 0) > numbers["deal"]:
        raise ValueError(f"rule keep ({numbers['keep']}) cannot be more than rule deal ({numbers['deal']})")
    return numbers
