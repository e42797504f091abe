"""Which games of Gosu X the differential test and the fuzzer play, and games that lead to seldom situations."""

from __future__ import annotations

from random import Random

from .gosu_x_sets import X_SHAPES
from .lockstep import Case
from .policies import X_POLICIES

Rules = tuple[tuple[str, int | str], ...]
SETS_PER_STYLE = 12  # as in cases.py

X_RULES: tuple[Rules, ...] = (
    (),
    (),
    (),
    (("draft", "random"),),
    (("draft", "fixed:Galmi,Justice,Phoenix,Tomorrow,Xi'an,Goan Sul"),),
    (("deal", 4), ("hand_target", 5), ("max_mulligans", 2)),
    (("deal", 12), ("hand_limit", 3)),
    (("deal", 3), ("hand_limit", 0), ("hand_target", 4)),
    (("turns_after_pass", 1), ("points_to_win", 4)),
    (("turns_after_pass", 0), ("new_clan_cost", 0)),
    (("tokens", 4), ("token_limit", 4)),
    (("tokens", 0), ("token_limit", 2)),
    (("full_army", 6),),
    (("full_army", 9), ("new_clan_cost", 0)),
    (("max_turns_per_round", 4),),
    (("max_decisions", 60),),
)


def draw_x_case(chance: Random) -> Case:
    """One game."""
    style = chance.choice(list(X_SHAPES))
    return Case(
        players=2,
        style=style,
        set_seed=chance.randrange(SETS_PER_STYLE),
        seed=chance.getrandbits(32),
        policy=chance.choice(list(X_POLICIES)),
        rules=chance.choice(X_RULES),
    )
