"""What a variant calls the thing that begins rounds and wins ties: a card in Tactics, a token in GOSU.

Tables and pictures of win rates are made with the word "card"; the last step before they are shown puts the variant's own word in.
In GOSU that is always "Advantage token", because a token without more words is an activation token there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from gosu_rl.arena.tables import Table
from gosu_rl.arena.winrates import Measure

ADVANTAGE = {"gosu": "Advantage token"}


def worded(text: str, variant: str) -> str:
    """The text with "card" or "Advantage card", in the singular, replaced by the variant's word for the Advantage card."""
    if variant not in ADVANTAGE:
        return text
    return re.sub(r"\b(Advantage )?[Cc]ard\b", ADVANTAGE[variant], text)


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
