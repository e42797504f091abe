"""What a variant calls the thing that begins rounds and wins ties: a card in Tactics, a token in GOSU. In Epic Death there is none,
only the first turn.

Tables and pictures of win rates are made with the word "card"; the last step before they are shown puts the variant's own word in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from gosu_rl.arena.tables import Table
from gosu_rl.arena.winrates import Measure

ADVANTAGE = {"gosu": "token", "epic_death": "first turn"}


def worded(text: str, variant: str) -> str:
    """The text with "card", in the singular, replaced by the variant's word for the Advantage card."""
    word = ADVANTAGE.get(variant, "card")
    if " " in word:  # it has a name of its own, not one of a card's kind
        text = re.sub(r"\b(?:by )?Advantage card\b", lambda found: f"by {word}" if found[0][:2] == "by" else word, text)
    return re.sub(r"\b([Cc])ard\b", lambda found: word.capitalize() if found[1] == "C" else word, text)


def worded_measures(measures: Iterable[Measure], variant: str) -> list[Measure]:
    """The same measures under the variant's names; what is computed from measures looks them up by their first names."""
    return [replace(one, table=worded(one.table, variant), label=worded(one.label, variant)) for one in measures]


def worded_tables(tables: Iterable[Table], variant: str) -> list[Table]:
    """Tables with the variant's word in titles, columns and notes; what stands in their rows is names and figures."""
    return [
        replace(
            one,
            title=worded(one.title, variant),
            columns=[worded(column, variant) for column in one.columns],
            note=worded(one.note, variant),
        )
        for one in tables
    ]
