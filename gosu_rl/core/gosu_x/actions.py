"""Actions of Gosu X: those of gosu/actions.py, but nobody names a player, and behind them

| range | label | meaning |
|---|---|---|
| wonder | `spend wonder` | the Wonder token, on a payment |
| pick | `pick Galmi` | a clan: in the draft, or for an effect |
| option | `option 2` | a part of an effect |
| will | `will F` | a card with Force of Will is used |
"""

from __future__ import annotations

from collections.abc import Mapping

from gosu_rl.core.action_table import ActionTable, number_actions
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.cards.texts import CLANS, MAX_OPTIONS
from gosu_rl.core.gosu.actions import ALIASES, shared_parts
from gosu_rl.core.gosu.state import WORDS


def action_table(cards: CardSet, players: int, numbers: Mapping[str, int] | None = None) -> ActionTable:
    """Lay out the ranges for a card set; no rule changes them."""
    parts = [
        *shared_parts(cards, players, []),
        ("wonder", ["spend wonder"]),
        ("pick", [f"pick {clan}" for clan in CLANS]),
        ("option", [f"option {k}" for k in range(1, MAX_OPTIONS + 1)]),
        ("will", [f"will {card.label}" for card in cards.cards if "force of will" in card.keywords]),
    ]
    return number_actions(parts, ALIASES, 64 * WORDS, cards)
