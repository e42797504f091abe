"""Which games the differential test and the fuzzer play: players, card sets, fields, policies and rules numbers at random."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from .card_sets import STYLES, draw_set
from .cards import CardSet, card_set, read_card_set
from .lockstep import PACKAGED, Case, packaged_file
from .policies import POLICIES

SETS_PER_STYLE = 12  # sets of one style that a run uses, so that few games wait for a set to be read
PACKAGED_SHARE = 0.15  # of the games, where the package has its set


@lru_cache(maxsize=256)
def cards_of(style: str, set_seed: int) -> CardSet:
    return read_card_set(packaged_file()) if style == PACKAGED else card_set(draw_set(style, set_seed))


def draw_case(chance: Random, players: int | None = None, style: str = "", policy: str = "") -> Case:
    """One game; what is not given is drawn. `players` is lowered to what the field has room for."""
    packaged = not style and packaged_file().exists() and chance.random() < PACKAGED_SHARE
    style = style or (PACKAGED if packaged else chance.choice(list(STYLES)))
    set_seed = 0 if style == PACKAGED else chance.randrange(SETS_PER_STYLE)
    cards = cards_of(style, set_seed)
    number = chance.randrange(len(cards.layouts))
    most = max(cards.layouts[number].starts)
    count = chance.randint(2, most) if players is None else min(players, most)
    rules = [("layout", number + 1)]
    goblins = sum(card.copies for card in cards.cards.values())
    deal = min(chance.choice([1, 3, 3, 3, 5, 9]), (goblins - 1) // count)
    is_tight = chance.random() < 0.25
    tokens = chance.choice([0, 1, 2] if is_tight else [5, 5, 5, 3, 8])
    if deal != 3:
        rules.append(("deal", deal))
    if tokens != 5:
        rules.append(("tokens", tokens))
    if is_tight:  # enough for six players is asked for, whatever their number
        rules.append(("all_tokens", max(6, 6 * tokens + chance.choice([0, 1, 3]))))
    if chance.random() < 0.1:
        rules.append(("reinforcements", 1))
    if chance.random() < 0.2:
        rules.append(("hand_limit", chance.choice([0, 1, 2, 6])))
    rules.append(("max_decisions", 60 if chance.random() < 0.05 else 1500 if style == PACKAGED else 500))
    return Case(
        players=count,
        style=style,
        set_seed=set_seed,
        seed=chance.getrandbits(32),
        policy=policy or chance.choice(list(POLICIES)),
        rules=tuple(rules),
    )
