"""What a network sees of a view: one float32 vector made of named sections.

`layout` says which numbers stand where (in Python, for people and for `game.observation_spec`); `observe` writes them (compiled).
The two walk through the same sections in the same order. Players come own seat first, then clockwise; all numbers lie in [0, 1] but
for hands, extra turns and turn counts of unusual size, which may exceed 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.army import face_up, filled, free
from gosu_rl.core.gosu.numbers import TRAITS
from gosu_rl.core.gosu.observe_faces import HALF, NOTHING, write_faces
from gosu_rl.core.gosu.rules import ACTIVATE, BEGIN, BONUS, END, OP_DESTROY, OP_IF, OPERATIONS, WIN, clan_names
from gosu_rl.core.gosu.state import (
    DESTROY,
    DISCARD,
    KEEP,
    KINDS,
    LINK,
    OPENING,
    PAY,
    PLACE,
    REFRESH,
    REGAIN,
    RUN,
    SLOTS,
    SWAP_WITH,
    TRAP,
    VICTIM,
)
from gosu_rl.core.gosu.view import deduced, unseen
from gosu_rl.core.jit import entry, inner

FIRST_STEP = OP_DESTROY  # operations from here on are steps of powers
CONTEXT = ("to move", "own turn", "operand a / 10", "operand b / 10", "regular turn", "a limit runs")
TABLE = ("round / 10", "draw pile / copies", "battles / 10", "reshuffles / 10")
PLAYER = (
    "points / points to win", "hand size / 10", "holds the Advantage card", "began the round", "is active", "has passed",
    "turns left / turns after pass (1: no limit yet)", "extra turns / 3", "turns taken / 20", "opening discards picked / 3",
    "army strength / 50", "army size / 15",
)  # fmt: skip
SLOT = ("present", "face up", "free", "can mutate", "mutation cost / 3", "zombie", "has a link power")
TOKENS = ("tokens ready / 2", "tokens spent / 2")  # behind PLAYER, in games with activation tokens
TOKEN_SLOT = (
    "has a token",
    "has an activated power (face up)",
    "bends a rule or wins (face up)",
)  # behind the clans of a slot


def layout(cards: CardSet, players: int, numbers: Mapping[str, int] | None = None) -> list[tuple[str, int, str]]:
    """Sections of the observation: (name, length, meaning), in order; no rule changes them."""
    faces, clans, traits = len(cards.cards), clan_names(cards), TRAITS[cards.variant]
    kinds, operations = KINDS[: traits["kinds"]], OPERATIONS[: traits["operations"]]
    player = (*PLAYER, *TOKENS) if traits["activation"] else PLAYER
    more_slot = TOKEN_SLOT if traits["activation"] else ()
    sections = [
        ("kind", len(kinds), "one-hot kind of the pending decision: " + ", ".join(kinds)),
        ("context", len(CONTEXT), ", ".join(CONTEXT)),
        ("seat", players, "one-hot own seat, as named in actions"),
        (
            "power_steps",
            len(operations),
            "steps still to come of the power at work, amount / 5: " + ", ".join(operations),
        ),
        ("power_card", faces, "one-hot face of the card whose power is at work"),
        (
            "pending_slot",
            players * SLOTS,
            "one-hot slot, own seat first, that the named card will take or that holds the first card of a swap",
        ),
        ("table", len(TABLE), ", ".join(TABLE)),
        ("hand", faces, "own hand by face, copies / 2; opening discards already picked are left out"),
        ("discard_pile", faces, "by face, copies / 2"),
        ("set_aside", faces, "the named card and revealed cards by face, copies / 2"),
        ("unseen", faces, "cards the viewer cannot place, by face, copies / 2"),
    ]
    for r in range(players):
        who = "own" if r == 0 else f"seat +{r}"
        sections.append((f"player_{r}", len(player), f"{who}: " + ", ".join(player)))
        if r > 0:
            sections.append(
                (
                    f"known_{r}",
                    faces,
                    f"{who}: cards that the viewer knows to be in the hand, shown or by elimination, by face, copies / 2",
                )
            )
        sections.append((f"army_faces_{r}", faces, f"{who}: goblins in the army by face, trapped ones too, copies / 2"))
        slot = (*SLOT, *(f"clan {name} (face up)" for name in clans), *more_slot)
        sections.append((f"army_{r}", SLOTS * len(slot), f"{who}: each slot 1.1 to 3.5: {', '.join(slot)}"))
    return sections


@inner
def write_player(s, R, q, out, k):
    """The numbers of PLAYER, the army strength left to `write_army`, and TOKENS where there are any; returns the next place."""
    row = out[k : k + 12]
    row[0] = s.points[q] / R.points_to_win
    row[1] = s.hand_size[q] / 10.0
    row[2] = 1.0 if s.adv == q else 0.0
    row[3] = 1.0 if s.first == q else 0.0
    row[4] = 1.0 if s.active == q else 0.0
    row[5] = s.passed[q]
    left = s.turns_left[q]
    row[6] = 1.0 if left < 0 else left / max(1.0, R.turns_after_pass)
    row[7] = s.extra / 3.0 if s.active == q else 0.0
    row[8] = s.taken[q] / 20.0
    row[9] = s.picked[q] / 3.0
    row[11] = (s.rows[q, 0] + s.rows[q, 1] + s.rows[q, 2]) / 15.0
    if R.activation == 0:
        return k + 12
    out[k + 12] = s.tokens[q] / 2.0
    out[k + 13] = s.spent[q] / 2.0
    return k + 14


@inner
def write_army(s, R, q, out, k, player):
    """Faces of the army, then each slot; its strength goes into the numbers at `player`. Returns the next place."""
    slots = k + R.faces
    more = 7 + R.clans
    width = more + 3 * R.activation
    end = slots + SLOTS * width
    out[k:end] = NOTHING
    loose = free(s, q)
    up = face_up(s, q)
    rest = U(filled(s, q))
    strength = 0
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        if s.army[q, slot] < 0:  # left empty by a game that ended between discard and arrival (G20)
            continue
        f = face_of(R, s.army[q, slot])
        out[k + f] += HALF
        cell = out[slots + slot * width : slots + (slot + 1) * width]
        shown = (
            up >> slot
        ) & 1  # of a trapped goblin no more is shown than that it is there; 0 or 1, to do without branches
        cell[0] = 1.0
        cell[1] = shown
        cell[2] = (loose >> slot) & 1
        cell[3] = shown if R.mutation[f] >= 0 else 0
        cell[4] = shown * max(0, R.mutation[f]) / 3.0
        cell[5] = shown * R.zombie[f]
        cell[6] = shown if R.links[f] != 0 else 0
        cell[7 + R.clan[f]] = shown
        if R.activation != 0:
            cell[more] = (s.marked[q] >> slot) & 1
            cell[more + 1] = shown if R.prog[f, ACTIVATE] != 0 else 0
            cell[more + 2] = shown if R.bends[f] != 0 or R.prog[f, WIN] != 0 else 0
        strength += shown * R.strength[f]
    out[player + 10] = strength / 50.0
    return end


@inner
def shows_operands(kind):
    """Whether the operands of a decision's frame are plain numbers (counts, levels), not cards or seats."""
    return (
        kind == OPENING
        or kind == PAY
        or kind == DISCARD
        or kind == KEEP
        or kind == VICTIM
        or kind == DESTROY
        or kind == TRAP
    )


@inner
def write_pending(s, R, p, out, k):
    """What the pending decision belongs to: the power at work, its card, and the slot it is about; returns the next place."""
    card = k + R.operations
    slot = card + R.faces
    if s.over == 0 and (
        (s.kind > LINK and s.kind < REFRESH) or s.kind == REGAIN
    ):  # of powers; all that stands here is public
        i = s.sp - 1
        while s.stack[i, 0] != RUN and i > 0:
            i -= 1
        if s.stack[i, 0] == RUN:
            out[card + face_of(R, s.stack[i, 3])] = 1.0
            row = s.stack[i, 2]
            while R.code[row, 0] != END and R.code[row, 0] != BEGIN:
                x = 0 if R.code[row, 0] == OP_IF else R.code[row, 1] % BONUS + R.code[row, 2] % BONUS
                out[k + R.code[row, 0] - FIRST_STEP] = max(1, x) / 5.0
                row += 1
    top = s.sp - 1
    if s.kind == PAY and s.stack[top - 1, 0] == PLACE:
        out[slot + s.stack[top - 1, 3] + SLOTS * ((s.stack[top, 1] - p + s.n) % s.n)] = 1.0
    elif s.kind == SWAP_WITH:
        out[slot + s.stack[top, 3] + SLOTS * ((s.stack[top, 2] - p + s.n) % s.n)] = 1.0
    return slot + SLOTS * s.n


@entry
def observe(s, R, p, out):
    """Write the observation of seat p into `out`; `s` must be p's view (or a state whose secrets do not matter)."""
    out[: R.kinds + len(CONTEXT) + s.n + R.operations + R.faces + SLOTS * s.n] = NOTHING
    out[s.kind] = 1.0
    k = R.kinds
    if s.over == 0:
        top = s.sp - 1
        out[k] = 1.0 if s.mover == p else 0.0
        out[k + 1] = 1.0 if s.active == p else 0.0
        out[k + 2] = s.stack[top, 2] / 10.0 if shows_operands(s.kind) else 0.0
        out[k + 3] = s.stack[top, 3] / 10.0 if shows_operands(s.kind) else 0.0
        out[k + 4] = s.regular
        out[k + 5] = 1.0 if s.turns_left[p] >= 0 else 0.0
    k += 6
    out[k + p] = 1.0
    k += s.n
    k = write_pending(s, R, p, out, k)
    out[k] = s.rnd / 10.0
    out[k + 1] = s.ndeck / R.copies
    out[k + 2] = s.battles / 10.0
    out[k + 3] = s.shuffles / 10.0
    k += 4
    k = write_faces(R, s.hand[p, 0] & ~s.secret[p, 0], s.hand[p, 1] & ~s.secret[p, 1], out, k)
    k = write_faces(R, s.discard[0, 0], s.discard[0, 1], out, k)
    k = write_faces(R, s.aside[0, 0] | s.revealed[0, 0], s.aside[0, 1] | s.revealed[0, 1], out, k)
    unseen_low, unseen_high = unseen(s, R, p)
    k = write_faces(R, unseen_low, unseen_high, out, k)
    for r in range(s.n):
        q = (p + r) % s.n
        player = k
        k = write_player(s, R, q, out, player)
        if r > 0:
            low, high = deduced(s, p, q, unseen_low, unseen_high)
            k = write_faces(R, s.known[q, 0] | low, s.known[q, 1] | high, out, k)
        k = write_army(s, R, q, out, k, player)
