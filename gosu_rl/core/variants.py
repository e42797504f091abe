"""Names of variants, and `game`, which makes one ready to play."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.schema import CardFileError, CardSet
from gosu_rl.core.epic_death.kernel import EPIC_DEATH
from gosu_rl.core.game import Game
from gosu_rl.core.gosu.kernel import GOSU
from gosu_rl.core.gosu_x.kernel import GOSU_X
from gosu_rl.core.kernel import Kernel
from gosu_rl.core.position import whole

KERNELS: dict[str, Kernel] = {variant: kernel for kernel in (GOSU, GOSU_X, EPIC_DEATH) for variant in kernel.variants}


def variants() -> tuple[str, ...]:
    """The variants that can be played."""
    return tuple(KERNELS)


def game(
    variant: str,
    players: int = 2,
    cards: str | os.PathLike[str] | CardSet | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Game:
    """A game: `game("tactics", players=3, cards="mine.toml", rules={"turns_after_pass": 2})`.

    `cards` is a packaged set's name, a TOML file or a `CardSet`; left out, the variant's own packaged set. Raises ValueError for an
    unknown variant, players out of range, a card file that is broken or of another variant, an unknown rule.
    """
    if not isinstance(variant, str) or variant not in KERNELS:
        near = get_close_matches(str(variant), KERNELS, n=1)
        hint = f"did you mean {near[0]!r}? There are" if near else "there are"
        raise ValueError(f"unknown variant {variant!r}; {hint}: {', '.join(KERNELS)}")
    kernel = KERNELS[variant]
    low, high = kernel.players
    try:
        seated = whole(players, "players")
    except ValueError:
        seated = 0
    if not low <= seated <= high:
        seats = f"{low} to {high} players" if low < high else f"{low} players"
        raise ValueError(f"{variant} is for {seats}, not {players!r}")
    if cards is not None and not isinstance(cards, (str, os.PathLike, CardSet)):
        raise ValueError(
            f"cards must be the name of a packaged set, the path of a card file or a CardSet, not {cards!r}"
        )
    if rules is not None and not isinstance(rules, Mapping):
        raise ValueError(f"rules must be a table such as {{'turns_after_pass': 2}}, not {rules!r}")
    card_set = cards if isinstance(cards, CardSet) else load(variant if cards is None else cards)
    if card_set.variant != variant:
        raise CardFileError(
            f"{card_set.path or card_set.name} is a card set for {card_set.variant!r}, not for {variant!r}"
        )
    card_set, rules = kernel.prepare(card_set, rules)
    return Game(kernel, variant, card_set, seated, rules)
