"""What a variant calls the thing that begins rounds and wins ties: a card in Tactics, a token in GOSU, two things in Gosu X, and in
Epic Death nothing but the first turn.

Tables and pictures of win rates are made with the word "card"; the last step before they are shown puts the variant's own word in.
In GOSU that is always "Advantage token", because a token without more words is an activation token there. In Gosu X nobody holds a
card: lots draw the first player, and the Wonder token decides ties; so whole phrases are exchanged.

Also the numbers of the rules in words: the draft of Gosu X is a number inside and clans outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gosu_rl.arena.tables import Cell, Table
from gosu_rl.arena.winrates import Measure
from gosu_rl.core.cards.texts import CLANS
from gosu_rl.core.gosu_x.rules import draft_picks

ADVANTAGE = {"gosu": "Advantage token", "epic_death": "first turn"}  # in place of "card" and "Advantage card"
PHRASES = {  # before that: phrases, and rulings by number, which the tables name as those of Tactics
    "epic_death": (("first holder", "first player"), ("T45", "E8")),
    "gosu_x": (
        ("same deals, card given to another seat", "same deals, another seat first"),
        ("Effect of being given the card", "Effect of being the first player"),
        ("Worth of the Advantage card by skill", "Worth of being the first player by skill"),
        ("What the Advantage card is worth", "What being first is worth"),
        ("Win share of a seat when another is given the card", "Win share of a seat when another is the first player"),
        ("Win share by agent and card", "Win share by agent and place"),
        ("same deals with the card moved", "same deals, another seat first"),
        ("same deals, card moved", "same deals, another seat first"),
        ("effect of the card", "effect of being first"),
        ("another has the card", "another is first"),
        ("not given the card", "second player"),
        ("not given it", "second player"),
        ("given the card", "first player"),
        ("first holder", "first player"),
        ("Games won by who holds the card at that battle", "Games won by the owner of the Wonder token at that battle"),
        ("Battles won by the holder", "Battles won by the owner of the Wonder token"),
        ("The holder at each Great Battle", "The owner of the Wonder token"),
        ("Card still with", "Wonder token with"),
        ("Battles decided by the card", "Battles decided by the Wonder token"),
        ("holder wins", "owner wins"),
        ("card decides", "token decides"),
        ("third Victory Point", "second Supremacy token"),
        ("third point", "Supremacy"),
        ("Victory Points", "Supremacy tokens"),
        ("fifteen goblins", "fifteen face-up cards"),
        ("an Ôzeki's condition", "a card's condition"),
        ("Win share by Advantage card", "Win share by place"),
        (
            "dealt by the deal (T46); `gosu-rl winrates` measures the card by itself",
            "drawn by the deal; `gosu-rl winrates` lets both begin",
        ),
    ),
}  # fmt: skip


def worded(text: str, variant: str) -> str:
    """The text with the variant's own phrases, and with its word in place of "card" or "Advantage card" in the singular."""
    for phrase, own in PHRASES.get(variant, ()):
        text = text.replace(phrase, own)
    if variant not in ADVANTAGE:
        return text
    word = ADVANTAGE[variant]

    def put(found: re.Match[str]) -> str:
        return word.capitalize() if found[1] is None and found[2] == "C" and word.islower() else word

    return re.sub(r"\b(Advantage )?([Cc])ard\b", put, text)


def worded_measures(measures: Iterable[Measure], variant: str) -> list[Measure]:
    """The same measures under the variant's names; what is computed from measures looks them up by their first names."""
    return [replace(one, table=worded(one.table, variant), label=worded(one.label, variant)) for one in measures]


def worded_tables(tables: Iterable[Table], variant: str) -> list[Table]:
    """Tables with the variant's word in titles, columns and notes; what stands in their rows is names and figures.

    Where only whole phrases are exchanged, the rows are named in its words, too (how games are won).
    """
    return [
        replace(
            one,
            title=worded(one.title, variant),
            columns=[worded(column, variant) for column in one.columns],
            note=worded(one.note, variant),
            rows=one.rows if variant in ADVANTAGE else [_named(row, variant) for row in one.rows],
        )
        for one in tables
    ]


def _named(row: Sequence[Cell], variant: str) -> list[Cell]:
    """The row with its name in the variant's words."""
    return [worded(cell, variant) if k == 0 and isinstance(cell, str) else cell for k, cell in enumerate(row)]


def rules_text(rules: Mapping[str, int]) -> str:
    """The numbers in force as they are given to `--rules`, sorted: "deal=7, …, turns_after_pass=none".

    Only "none" is below 0. `draft` is put as `--draft` takes it.
    """
    return ", ".join(f"{name}={_number_text(name, number)}" for name, number in sorted(rules.items()))


def _number_text(name: str, number: int) -> str:
    if name == "draft":
        return draft_text(int(number))
    return "none" if number < 0 else str(number)


def draft_text(number: int) -> str:
    """The words behind a number of the rule `draft`: agents, random, or fixed: and six clans."""
    if number < 2:
        return ("agents", "random")[number]
    return "fixed:" + ",".join(CLANS[k] for k in draft_picks(number))
