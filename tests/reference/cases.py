"""Which games the differential test and the fuzzer play: players, card sets, policies and rules numbers at random."""

from __future__ import annotations

from random import Random

from .card_sets import SHAPES
from .gosu_sets import GOSU_SHAPES
from .lockstep import MODELS
from .policies import POLICIES
from .trial import Case

Rules = tuple[tuple[str, int], ...]

BIG_STYLES = {  # enough to deal ten to four players
    "tactics": ("tactics", "sample", "sample", "full", "wide"),
    "gosu": ("gosu", "gosu", "gosu-full"),
}
SMALL_STYLES = {
    "tactics": tuple(name for name in SHAPES if name not in BIG_STYLES["tactics"]),
    "gosu": tuple(name for name in GOSU_SHAPES if name not in BIG_STYLES["gosu"]),
}
SETS_PER_STYLE = 12  # sets of one style that a run uses, so that few games wait for a set to be read

SMALL_DEAL: Rules = (("deal", 6), ("keep", 4), ("hand_target", 5))
BIG_RULES: tuple[Rules, ...] = (
    (),
    (),
    (),
    SMALL_DEAL,
    (("points_to_win", 5), ("hand_target", 9)),
    (("turns_after_pass", 0), ("new_clan_cost", 1)),
    (("turns_after_pass", 1), ("points_to_win", 1)),
    (("max_decisions", 50),),
    (("max_turns_per_round", 3),),
)
SMALL_RULES: tuple[Rules, ...] = (
    SMALL_DEAL,
    SMALL_DEAL,
    (("deal", 4), ("keep", 2), ("hand_target", 3), ("max_mulligans", 1)),
    (("deal", 3), ("keep", 3), ("hand_target", 6), ("points_to_win", 4)),
    (("deal", 5), ("keep", 4), ("hand_target", 5), ("max_turns_per_round", 3), ("turns_after_pass", 2)),
    (("deal", 2), ("keep", 1), ("hand_target", 2), ("max_mulligans", 3), ("points_to_win", 6)),
    (*SMALL_DEAL, ("max_decisions", 50)),
    (*SMALL_DEAL, ("clan_army", 3)),
    (*SMALL_DEAL, ("full_army", 5), ("clan_army", 5), ("new_clan_cost", 0)),
    (("deal", 3), ("keep", 0), ("hand_target", 2), ("new_clan_cost", 1)),
)


SMALL_GOSU: Rules = (("deal", 5),)
BIG_GOSU_RULES: tuple[Rules, ...] = (
    (),
    (),
    (),
    (("turns_after_pass", 10),),
    (("turns_after_pass", 2), ("deal", 10)),
    (("tokens", 4), ("points_to_win", 5)),
    (("full_army", 7),),
    (("max_decisions", 60),),
    (("max_turns_per_round", 4),),
)
SMALL_GOSU_RULES: tuple[Rules, ...] = (
    SMALL_GOSU,
    SMALL_GOSU,
    (*SMALL_GOSU, ("turns_after_pass", 10)),
    (*SMALL_GOSU, ("turns_after_pass", 2)),
    (*SMALL_GOSU, ("turns_after_pass", 0), ("points_to_win", 5)),
    (("deal", 2), ("tokens", 5), ("max_mulligans", 1), ("points_to_win", 6)),
    (("deal", 4), ("tokens", 1), ("new_clan_cost", 0), ("full_army", 5)),
    (("deal", 3), ("tokens", 0), ("new_clan_cost", 1), ("points_to_win", 1)),
    (("deal", 6), ("max_turns_per_round", 3)),
    (*SMALL_GOSU, ("max_decisions", 60)),
)
RULES = {
    "tactics": (BIG_RULES, SMALL_RULES),
    "gosu": (BIG_GOSU_RULES, SMALL_GOSU_RULES),
}


def draw_case(chance: Random, players: int, variant: str = "tactics", big_share: float = 0.5) -> Case:
    """One game; `big_share` of them with full-size card sets."""
    big = chance.random() < big_share
    style = chance.choice((BIG_STYLES if big else SMALL_STYLES)[variant])
    big_rules, small_rules = RULES[variant]
    rules = chance.choice(big_rules if big else small_rules)
    if style in ("zombies", "gosu-graves") and not any(name == "max_turns_per_round" for name, _ in rules):
        rules += (("max_turns_per_round", 20),)  # their rounds would take a thousand decisions
    return Case(
        players=players,
        style=style,
        set_seed=0 if style in MODELS else chance.randrange(SETS_PER_STYLE),
        seed=chance.getrandbits(32),
        policy=chance.choice(list(POLICIES)),
        rules=rules,
    )
