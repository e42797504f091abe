"""The rules record: a variant's numbers and a card set's tables, one argument of every compiled function.

Rules are data, so an edited card needs no compiling. All three games have the same record, for whatever is compiled for its type
serves them all. `face_tables` fills in what they have in common; the powers of Tactics and GOSU are added in `rules.py`, the texts
of Gosu X in `gosu_x/rules.py`.

**Copies.** Doubled faces come first: copy c < F is the first copy of face c, copy F + f the twin of face f.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.schema import ALL_TRIGGERS, CardFileError, CardSet
from gosu_rl.core.gosu import numbers
from gosu_rl.core.gosu.state import CARDS, FACES
from gosu_rl.core.jit import JIT

CLANS = 8
GROUPS = 16  # clans first, then the lists of names on cards ("Fact, Garsh, Ideo")
CODE = 1024
WIDTH = 6  # numbers in a row of code; powers use three
PROGRAMS = len(ALL_TRIGGERS) + 1  # of a face: one for each trigger, and the conditions under which it wins
FILTERS, AMOUNTS, FACE_SETS, VALUES, RULED = 128, 128, 64, 48, 48  # rows of the texts of Gosu X there is room for

_small = "i1" if JIT else "i8"
_short = "i2" if JIT else "i8"

TEXTS = [
    ("filters", _short, (FILTERS, 7)),
    ("amounts", _short, (AMOUNTS, 7)),
    ("groups", "u8", (FACE_SETS, 2)),  # sets of faces
    ("values", _short, (VALUES, 6)),
    ("ruled", _short, (RULED, 5)),
    ("n_values", "i8"),
    ("n_ruled", "i8"),
    ("keyword_faces", "u8", (len(texts.KEYWORDS), 2)),
    ("clan_copies", "u8", (len(texts.CLANS), 2)),
    ("keywords", _short, (FACES,)),  # mask over KEYWORDS
    ("icons", _small, (FACES,)),
    ("wills", _short, (FACES,)),  # the place of a face among those with Force of Will
    ("will_faces", "i8"),
    ("tile_win", _short, (len(texts.CLANS),)),
    ("win_reason", _small, (FACES,)),
]
RULES = np.dtype(
    [
        *((name, "i8") for name in numbers.LIMITS),
        *((name, "i8") for name in numbers.TRAITS["tactics"] if name not in numbers.LIMITS),
        (
            "watching",
            "i8",
        ),  # whether any card bends a rule or wins by a condition of its own: looked for after every change
        ("faces", "i8"),
        ("copies", "i8"),
        ("clans", "i8"),
        # -- first action of each range (actions.py)
        ("o_player", "i8"),
        ("o_target", "i8"),
        ("o_replace", "i8"),
        ("o_play", "i8"),
        ("o_take", "i8"),
        ("o_discard", "i8"),
        ("o_token", "i8"),
        ("o_activate", "i8"),
        ("o_wonder", "i8"),
        ("o_pick", "i8"),
        ("o_option", "i8"),
        ("o_will", "i8"),
        # -- masks over faces
        ("face_bits", "u8", (2,)),  # all faces
        ("level_faces", "u8", (4, 2)),  # by level 1-3
        ("clan_faces", "u8", (GROUPS, 2)),  # by clan, then by list of names
        ("replaces", "u8", (FACES, 2)),  # faces of the same level and another name (T10)
        # -- faces
        ("level", _small, (FACES,)),
        ("clan", _small, (FACES,)),
        ("strength", _small, (FACES,)),
        ("mutation", _small, (FACES,)),  # -1: cannot mutate
        ("zombie", _small, (FACES,)),
        ("links", _small, (FACES,)),  # mask over SIDES; 0 where there is no link power
        ("bends", _short, (FACES,)),  # mask over BENDS
        ("prog", _short, (FACES, PROGRAMS)),
        ("code", _short, (CODE, WIDTH)),
        # -- texts of Gosu X (gosu_x/rules.py)
        *TEXTS,
    ],
    align=True,
)


def face_tables(
    cards: CardSet, in_force: Mapping[str, int], offsets: Mapping[str, int], clans: Sequence[str]
) -> np.ndarray:
    """The record rules[1] of dtype RULES with all but powers and texts: `in_force` are the numbers, `offsets` the action ranges."""
    faces = cards.cards
    if len(faces) > FACES or cards.copies > CARDS:
        raise CardFileError(f"{cards.path or cards.name}: at most {FACES} faces and {CARDS} copies fit the kernel")
    table = np.zeros(1, RULES)
    r = table[0]
    for name, value in {**numbers.TRAITS[cards.variant], **in_force, **offsets}.items():
        r[name] = value
    r["faces"], r["copies"], r["clans"] = len(faces), cards.copies, len(clans)
    for f, card in enumerate(faces):
        r["level"][f] = card.level
        r["clan"][f] = clans.index(card.clan)
        r["strength"][f] = card.strength
        mark(r["face_bits"], [f])
        mark(r["level_faces"][card.level], [f])
        mark(r["clan_faces"][clans.index(card.clan)], [f])
        mark(r["replaces"][f], [g for g, o in enumerate(faces) if o.level == card.level and o.name != card.name])
    return table


def mark(words: Any, members: Iterable[int]) -> None:
    """Set the bits of `members` in a row of 64-bit words."""
    for k in members:
        words[k >> 6] |= np.uint64(1 << (k & 63))
