"""Which games of Gosu X the differential test and the fuzzer play, and games that lead to seldom situations."""

from __future__ import annotations

from random import Random

from .gosu_x_sets import X_SHAPES
from .policies import X_POLICIES
from .trial import Case

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


BIG_STYLES = ("gosu_x", "gosu_x", "x-sample")  # the packaged set, and the toolkit's own sampler


def draw_x_case(chance: Random, big_share: float = 0.2) -> Case:
    """One game; `big_share` of them with sets of the game's composition."""
    style = chance.choice(BIG_STYLES if chance.random() < big_share else tuple(X_SHAPES))
    return Case(
        players=2,
        style=style,
        set_seed=0 if style == "gosu_x" else chance.randrange(SETS_PER_STYLE),
        seed=chance.getrandbits(32),
        policy=chance.choice(list(X_POLICIES)),
        rules=chance.choice(X_RULES),
    )


RECIPES: tuple[tuple[str, str, Rules], ...] = (  # games that lead to situations which games at random come to late
    ("x-captives", "planter", (("full_army", 3), ("new_clan_cost", 0))),  # armies complete at a release
    ("x-captives", "planter", (("full_army", 4), ("new_clan_cost", 0), ("points_to_win", 4))),
    ("x-captives", "spender", (("full_army", 4), ("new_clan_cost", 0), ("points_to_win", 4))),  # in the Song
    ("x-captives", "uniform", (("deal", 4), ("hand_target", 5))),  # up to two targets, captured cards destroyed
    ("x-bounty", "planter", (("deal", 20), ("hand_limit", 30))),  # no card for a Bounty draw
    ("x-tiles", "planter", (("deal", 12), ("new_clan_cost", 0))),  # tiles are turned
    ("x-turns", "spender", (("turns_after_pass", 1),)),
    ("x-small", "narrow", (("turns_after_pass", 1), ("points_to_win", 4))),  # passes by Force of Will, empty decks
    ("x-equals", "spender", (("max_turns_per_round", 4),)),
    ("x-nested", "eager", ()),  # texts three deep
    ("x-decks", "uniform", ()),
    ("x-equals", "brisk", (("points_to_win", 1),)),  # ties
)


def seldom_x_cases(seed: int) -> list[Case]:
    """A game of each recipe, and two at random."""
    cases = [Case(2, style, seed % SETS_PER_STYLE, seed, policy, rules) for style, policy, rules in RECIPES]
    chance = Random(f"seldom {seed}")
    return [*cases, draw_x_case(chance, big_share=0), draw_x_case(chance, big_share=0)]
