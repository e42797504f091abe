"""What a network sees of a view: one float32 vector made of named sections.

`layout` says which numbers stand where (in Python, for people and for `game.observation_spec`); `observe` writes them (compiled).
The two walk through the same sections in the same order. Players come own seat first, then clockwise; no number is negative,
and few exceed 1. What the steps of E54 to E64 brought stands behind all else, so that what stood here before stands where it did.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.cards.epic_schema import TRAITS, EpicSet
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.copies import copies_word, face_of
from gosu_rl.core.epic_death.armies import attack, defense, total_of, traits
from gosu_rl.core.epic_death.combat import fighting, requirement_met
from gosu_rl.core.epic_death.conditions import holds
from gosu_rl.core.epic_death.rules import END, HERO_CARD, OP_ATTACK, OP_DEFENSE, OPERATIONS, chosen_field
from gosu_rl.core.epic_death.state import (
    ACTION,
    DISCARD,
    HERO,
    KINDS,
    LOSE,
    MACHINE,
    ON_LAND,
    PHASES,
    RUN,
    STEP,
    SWAP_WITH,
    TOKEN,
    TOSS,
    VICTIM,
)
from gosu_rl.core.jit import entry, inner

CONTEXT = (
    "to move", "own turn", "operand a / 10", "operand b / 10", "ability used", "Fray before the combat", "in a combat",
    "in a Fray",
)  # fmt: skip
TABLE = ("round / 20", "deck / 50", "pool / 54", "reshuffles / 10", "Towns left / 2")
FIGHT = (
    "Attack of the attacker / 20", "Attack of the defender / 20", "Defense / 20", "requirement met", "own Army fights",
    "Defense raised / 5", "Defense lowered / 5",
)  # fmt: skip
PLAYER = (
    "points / 30", "Lands won / 20", "hand size / 10", "loose tokens / 20", "crew / 20", "Heroes' Attack / 20",
    "Machines' value / 20", "began the game", "is active", "fought in this turn", "top conquest / 7",
    "steps to the nearest Town / 10", "has a space to retreat to", "tokens that died in the fight / 10",
)  # fmt: skip
EARLIER_KINDS, EARLIER_STEPS = 18, 19  # those of the first sections; the rest stand at the end
MORE = ("guarded", "next Phase C skipped", "coins more to toss / 5")
SPACE = (
    "has a Land", "face up", "Defense / 20", "value / 7", "needs a Hero", "needs a Machine", "Epic Death allowed",
    "looked at by oneself",
)  # fmt: skip


def layout(cards: CardSet, players: int, numbers: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """Sections of the observation: (name, length, meaning), in order."""
    assert isinstance(cards, EpicSet)
    faces = len(cards.cards)
    spaces = chosen_field(cards, numbers, players).labels
    sections = [
        (
            "kind",
            EARLIER_KINDS,
            "one-hot kind of the pending decision (or kind_more): " + ", ".join(KINDS[:EARLIER_KINDS]),
        ),
        ("context", len(CONTEXT), ", ".join(CONTEXT)),
        ("phase", len(PHASES), "one-hot phase of the turn: " + ", ".join(PHASES)),
        ("seat", players, "one-hot own seat, as named in actions"),
        (
            "steps",
            EARLIER_STEPS,
            "steps still to come of the effect at work whose condition holds now, amount / 5 (of attack and defense: "
            "(amount + 9) / 9): " + ", ".join(OPERATIONS[:EARLIER_STEPS]),
        ),
        ("subject", players, "one-hot player whom that effect is about, own seat first"),
        ("announced", faces, "Actions that have been announced and are not done, by face, copies / 2"),
        ("table", len(TABLE), ", ".join(TABLE)),
        ("fight", len(FIGHT), "of the combat or Fray going on: " + ", ".join(FIGHT)),
        ("hand", faces, "own hand by face, copies / 2"),
        ("discard_pile", faces, "by face, copies / 2"),
        ("unseen", faces, "Goblin cards that the viewer cannot place, by face, copies / 2"),
        ("land_at", len(spaces) * len(SPACE), f"each space {spaces[0]} to {spaces[-1]}: {', '.join(SPACE)}"),
    ]
    for r in range(players):
        who = "own" if r == 0 else f"seat +{r}"
        sections += [
            (f"player_{r}", len(PLAYER), f"{who}: " + ", ".join(PLAYER)),
            (f"traits_{r}", len(TRAITS), f"{who}: traits that hold: " + ", ".join(TRAITS)),
            (f"leader_{r}", len(cards.leaders), f"{who}: one-hot Leader"),
            (f"army_{r}", faces, f"{who}: Heroes and crewed Machines in play by face, copies / 2"),
            (f"empty_{r}", faces, f"{who}: Machines without crew by face, copies / 2"),
            (f"known_{r}", faces, f"{who}: cards that the viewer knows to be in the hand, by face, copies / 2"),
            (f"at_{r}", len(spaces), f"{who}: one-hot space of the Army"),
        ]
    sections += [
        ("kind_more", len(KINDS) - EARLIER_KINDS, "one-hot: " + ", ".join(KINDS[EARLIER_KINDS:])),
        (
            "steps_more",
            len(OPERATIONS) - EARLIER_STEPS,
            "as steps, amount / 5: " + ", ".join(OPERATIONS[EARLIER_STEPS:]),
        ),
        ("off", faces, "Machines that do not count in this combat, by face, copies / 2"),
        *((f"more_{r}", len(MORE), f"{'own' if r == 0 else f'seat +{r}'}: " + ", ".join(MORE)) for r in range(players)),
    ]
    return sections


@inner
def write_set(R, low, high, out, k):
    """Half a point a copy at `k` + face for the copies of a set; returns the next place."""
    for w in range(2):
        word = low if w == 0 else high
        while word != ZERO:
            out[k + face_of(R, 64 * w + lowest(word))] += np.float32(0.5)
            word &= word - ONE
    return k + R.faces


@inner
def write_steps(s, R, out, k, more):
    """Steps still to come of the topmost effect, from `k` on, those of E54 to E64 from `more` on; returns the stack place of
    its RUN, or -1."""
    at = s.sp - 1
    while at >= 0 and s.stack[at, 0] != RUN:
        if s.stack[at, 0] == ACTION:  # announced, not yet running
            return -1
        at -= 1
    if at < 0:
        return -1
    row = s.stack[at, 2]
    pending = -1
    if s.sp - 1 > at:
        row -= 1  # the step whose choice is pending
        pending = row
    while R.code[row, 0] != END:
        op = R.code[row, 0]
        amount = R.code[row, 1]
        if row != pending and not holds(s, R, row, s.stack[at, 5]):
            row += 1
            continue
        if op > EARLIER_STEPS:
            out[more + op - 1 - EARLIER_STEPS] += np.float32(max(1, amount) / 5.0)
        elif op == OP_ATTACK or op == OP_DEFENSE:
            out[k + op - 1] += np.float32((amount + 9) / 9.0)
        else:
            out[k + op - 1] += np.float32(max(1, amount) / 5.0)
        row += 1
    return at


@inner
def write_space(s, R, p, space, out, k):
    """What p sees of one space."""
    bit = ONE << U(space)
    if s.lands & bit == ZERO:
        return
    out[k] = 1.0
    out[k + 1] = 1.0 if s.face_up & bit != ZERO else 0.0
    land = s.land[space]
    if land >= 0:
        out[k + 2] = R.defense[land] / 20.0
        out[k + 3] = R.worth[land] / 7.0
        out[k + 4] = 1.0 if R.needs[land] == 1 else 0.0
        out[k + 5] = 1.0 if R.needs[land] == 2 else 0.0
        out[k + 6] = 1.0 if R.epic[land] != 0 else 0.0
    out[k + 7] = 1.0 if s.peeked[p] & bit != ZERO else 0.0


@inner
def write_player(s, R, p, q, out, k):
    """The numbers of one player."""
    out[k] = s.points[q] / 30.0
    out[k + 1] = s.piled[q] / 20.0
    out[k + 2] = s.hand_size[q] / 10.0
    out[k + 3] = s.tokens[q] / 20.0
    out[k + 4] = total_of(s, R, q, TOKEN) / 20.0
    out[k + 5] = total_of(s, R, q, HERO) / 20.0
    out[k + 6] = total_of(s, R, q, MACHINE) / 20.0
    out[k + 7] = 1.0 if s.adv == q else 0.0
    out[k + 8] = 1.0 if s.active == q else 0.0
    out[k + 9] = 1.0 if (s.fought[p] >> q) & 1 != 0 else 0.0
    out[k + 10] = R.worth[s.pile[q, s.piled[q] - 1]] / 7.0 if s.piled[q] > 0 else 0.0
    out[k + 11] = R.far[s.at[q]] / 10.0
    out[k + 12] = 1.0 if s.back[q] >= 0 else 0.0
    out[k + 13] = s.fallen[q] / 10.0
    return k + 14


@inner
def write_army(s, R, q, out, k):
    """Heroes and crewed Machines by face, then empty Machines by face; returns the next place."""
    for w in range(2):
        word = s.army[q, w]
        while word != ZERO:
            c = 64 * w + lowest(word)
            word &= word - ONE
            f = face_of(R, c)
            works = R.card_sort[f] == HERO_CARD or s.crew[c] > 0
            out[k + f + (0 if works else R.faces)] += np.float32(0.5)
    return k + 2 * R.faces


@entry
def observe(s, R, p, out):
    """Write the observation of seat p, whose view `s` is, into float32[size]."""
    for i in range(out.size):
        out[i] = 0.0
    top = s.sp - 1
    op = s.stack[top, 0] if top >= 0 else 0
    k = 0
    end = out.size - len(MORE) * s.n - R.faces - (len(OPERATIONS) - EARLIER_STEPS) - (len(KINDS) - EARLIER_KINDS)
    if s.kind < EARLIER_KINDS:
        out[s.kind] = 1.0
    else:
        out[end + s.kind - EARLIER_KINDS] = 1.0
    end += len(KINDS) - EARLIER_KINDS
    k += EARLIER_KINDS
    out[k] = 1.0 if s.mover == p else 0.0
    out[k + 1] = 1.0 if s.active == p else 0.0
    if op == TOSS or op == DISCARD or op == VICTIM or op == LOSE or op == STEP or op == SWAP_WITH:
        out[k + 2] = s.stack[top, 2] / 10.0
        out[k + 3] = s.stack[top, 3] / 10.0
    out[k + 4] = s.used
    out[k + 5] = s.frayed
    out[k + 6] = 1.0 if s.fight == ON_LAND else 0.0
    out[k + 7] = 1.0 if s.fight > ON_LAND else 0.0
    k += 8
    out[k + s.phase] = 1.0
    k += 4
    out[k + p] = 1.0
    k += s.n
    running = write_steps(s, R, out, k, end)
    end += len(OPERATIONS) - EARLIER_STEPS
    k += EARLIER_STEPS
    if running >= 0:
        out[k + (s.stack[running, 5] - p + s.n) % s.n] = 1.0
    k += s.n
    k = write_set(R, s.aside[0, 0], s.aside[0, 1], out, k)
    out[k] = s.rnd / 20.0
    out[k + 1] = s.ndeck / 50.0
    out[k + 2] = s.pool / 54.0
    out[k + 3] = s.shuffles / 10.0
    out[k + 4] = s.towns / 2.0
    k += 5
    if s.fight != 0:
        out[k] = attack(s, R, s.attacker) / 20.0
        out[k + 1] = attack(s, R, s.defender) / 20.0 if s.defender >= 0 else 0.0
        if s.fight == ON_LAND and s.land[s.at[s.attacker]] >= 0:
            out[k + 2] = defense(s, R, s.attacker) / 20.0
            out[k + 3] = 1.0 if requirement_met(s, R, s.attacker) else 0.0
        out[k + 4] = 1.0 if fighting(s, p) else 0.0
        out[k + 5] = max(0, s.defense_plus) / 5.0
        out[k + 6] = max(0, -s.defense_plus) / 5.0
    k += 7
    k = write_set(R, s.hand[p, 0], s.hand[p, 1], out, k)
    k = write_set(R, s.discard[0, 0], s.discard[0, 1], out, k)
    k = write_unseen(s, R, out, k)
    for space in range(R.spaces):
        write_space(s, R, p, space, out, k)
        k += 8
    for r in range(s.n):
        q = (p + r) % s.n
        k = write_player(s, R, p, q, out, k)
        mask = traits(s, R, q)
        for i in range(11):
            out[k + i] = 1.0 if (mask >> i) & 1 != 0 else 0.0
        k += 11
        out[k + s.leader[q]] = 1.0
        k += R.leaders
        k = write_army(s, R, q, out, k)
        k = write_set(R, s.hand[q, 0], s.hand[q, 1], out, k)
        out[k + s.at[q]] = 1.0
        k += R.spaces
    k = write_set(R, s.off[0, 0], s.off[0, 1], out, end)
    for r in range(s.n):
        q = (p + r) % s.n
        out[k] = s.guarded[q]
        out[k + 1] = s.no_combat[q]
        out[k + 2] = s.extra_tosses[q] / 5.0
        k += 3


@inner
def write_unseen(s, R, out, k):
    """Goblin cards that the viewer cannot place."""
    low = s.discard[0, 0] | s.aside[0, 0]
    high = s.discard[0, 1] | s.aside[0, 1]
    for q in range(s.n):
        low |= s.hand[q, 0] | s.army[q, 0]
        high |= s.hand[q, 1] | s.army[q, 1]
    return write_set(R, ~low & copies_word(R, 0), ~high & copies_word(R, 1), out, k)


_LENGTHS = (
    EARLIER_KINDS,
    len(CONTEXT),
    len(PHASES),
    EARLIER_STEPS,
    len(TABLE),
    len(FIGHT),
    len(PLAYER),
    len(SPACE),
    len(TRAITS),
    len(MORE),
)
assert _LENGTHS == (18, 8, 4, 19, 5, 7, 14, 8, 11, 3)  # the steps that `observe` takes
