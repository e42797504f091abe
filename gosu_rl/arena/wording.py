"""What a variant calls the thing that begins rounds and wins ties: a card in Tactics, a token in GOSU. In Epic Death there is none,
only the first turn.

Tables and pictures of win rates are made with the word "card"; the last step before they are shown puts the variant's own word in.
In GOSU that is always "Advantage token", because a token without more words is an activation token there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from gosu_rl.arena.tables import Table
from gosu_rl.arena.winrates import Measure

ADVANTAGE = {"gosu": "Advantage token", "epic_death": "first turn"}
RULINGS = {"epic_death": {"T45": "E8"}}  # by number, as the tables name those of Tactics


def worded(text: str, variant: str) -> str:
    """The text with "card" or "Advantage card", in the singular, replaced by the variant's word for the Advantage card."""
    if variant not in ADVANTAGE:
        return text
    word = ADVANTAGE[variant]

    def put(found: re.Match[str]) -> str:
        return word.capitalize() if found[1] is None and found[2] == "C" and word.islower() else word

    for theirs, own in RULINGS.get(variant, {}).items():
        text = text.replace(theirs, own)
    return re.sub(r"\b(Advantage )?([Cc])ard\b", put, text)


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
