"""What a network sees of a view of Gosu X: one float32 vector made of named sections (as `gosu/observe.py` for the other games).

`layout` says which numbers stand where, `observe` writes them; the two walk through the same sections in the same order. Own seat
comes first.
"""

from __future__ import annotations

from collections.abc import Mapping

from gosu_rl.core.bits import U, count, lowest
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.cards.texts import CLANS, VERBS
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.army import face_in, face_up, filled, free, size
from gosu_rl.core.gosu.observe_faces import HALF, NOTHING, write_faces
from gosu_rl.core.gosu.state import AIM, CARD, DECK, DISCARD, KINDS, PAY, PLACE, REGAIN, SLOTS, SONG
from gosu_rl.core.gosu_x.costs import shift_cost
from gosu_rl.core.gosu_x.counts import amount_of, ethereal, memory, rule_number, tokens_on, with_bounty
from gosu_rl.core.gosu_x.decks import shown_now, shown_words
from gosu_rl.core.gosu_x.rules import K_VETERAN, TEXT_ALWAYS, W_HAND, X_WIN
from gosu_rl.core.gosu_x.targets import text_at
from gosu_rl.core.gosu_x.values import army_value
from gosu_rl.core.gosu_x.view import unseen_of
from gosu_rl.core.jit import entry, inner

CONTEXT = ("to move", "own turn", "cards or targets left / 5", "additional turn", "a limit runs", "shown cards / 5")
TABLE = ("round / 3", "nobody has the Wonder token", "the Bounty token lies on no card")
PLAYER = (
    "Supremacy / Supremacy to win", "hand size / 10", "holds the Wonder token", "began the round", "is active", "has passed",
    "turns left / 3 (1: no limit yet)", "additional turn to come", "turns taken / 20", "army value / 50", "army size / 15",
    "face-up cards / 15", "tokens ready / 4", "tokens spent / 4", "tokens locked / 4", "deck / 45", "discard pile / 45",
    "hand limit / 7", "captured this turn / 3", "destroyed this turn / 3", "drawn this turn / 5", "discarded this turn / 5",
    "lost this turn / 3",
)  # fmt: skip
SLOT = (
    "present", "face up", "OPEN", "Ethereal", "Bounty", "tokens / 3", "tokens it can still bear / 3", "can be shifted",
    "shift cost / 3", "has a text (face up)", "veteran with a token",
)  # fmt: skip
SIZE = len(SLOT)
NUMBERS = len(PLAYER)


def layout(cards: CardSet, players: int = 2, numbers: Mapping[str, int] | None = None) -> list[tuple[str, int, str]]:
    """Sections of the observation: (name, length, meaning), in order; no rule changes them."""
    faces = len(cards.cards)
    clans = ", ".join(CLANS)
    by_face = "by face, copies / 2"
    sections = [
        ("kind", len(KINDS), "one-hot kind of the pending decision: " + ", ".join(KINDS)),
        ("context", len(CONTEXT), ", ".join(CONTEXT)),
        ("seat", 2, "one-hot own seat, as named in actions"),
        ("text_steps", len(VERBS), "steps still to come of the text at work, amount / 5: " + ", ".join(VERBS)),
        ("text_card", faces, "one-hot face of the card whose text is at work"),
        ("pending_slot", 2 * SLOTS, "one-hot slot, own seat first, that the named card will take"),
        ("table", len(TABLE), ", ".join(TABLE)),
        ("tiles", len(CLANS), "active tiles; in the draft clans not yet picked: " + clans),
        ("hand", faces, "own hand, " + by_face),
        ("set_aside", faces, "the named card, " + by_face),
        ("shown", faces, "shown cards of the deck at work that the viewer sees, " + by_face),
        ("removed", faces, "cards removed from the game, " + by_face),
    ]
    for r, who in enumerate(("own", "seat +1")):
        sections += [
            (f"player_{r}", len(PLAYER), f"{who}: " + ", ".join(PLAYER)),
            (f"clans_{r}", len(CLANS), f"{who}: clans drafted: {clans}"),
            (f"discard_pile_{r}", faces, f"{who}: discard pile, {by_face}"),
            (f"unseen_{r}", faces, f"{who}: cards of which the viewer does not know the place, {by_face}"),
            (f"known_{r}", faces, f"{who}: cards that the other knows to be in the hand, {by_face}"),
            (f"top_{r}", faces, f"{who}: the top card of the deck, if the viewer knows it, {by_face}"),
            (f"army_faces_{r}", faces, f"{who}: cards in the army, captured ones too, {by_face}"),
            (
                f"army_{r}",
                SLOTS * (len(SLOT) + len(CLANS)),
                f"{who}: each slot 1.1 to 3.5: {', '.join(SLOT)}, clan (face up): {clans}",
            ),
        ]
    return sections


@inner
def write_clans(mask, out, k):
    """One number a clan; returns the next place."""
    for clan in range(8):
        out[k + clan] = (mask >> clan) & 1
    return k + 8


@inner
def write_numbers(s, R, q, out, k):
    """The numbers of PLAYER; returns the next place."""
    row = out[k : k + NUMBERS]
    row[0] = s.points[q] / R.points_to_win
    row[1] = s.hand_size[q] / 10.0
    row[2] = 1.0 if s.wonder == q else 0.0
    row[3] = 1.0 if s.first == q else 0.0
    row[4] = 1.0 if s.active == q else 0.0
    row[5] = s.passed[q]
    row[6] = 1.0 if s.turns_left[q] < 0 else s.turns_left[q] / 3.0
    row[7] = s.extra if s.active == q else 0
    row[8] = s.taken[q] / 20.0
    row[9] = army_value(s, R, q) / 50.0
    row[10] = (s.rows[q, 0] + s.rows[q, 1] + s.rows[q, 2]) / 15.0
    row[11] = size(face_up(s, q)) / 15.0
    row[12] = s.tokens[q] / 4.0
    row[13] = s.spent[q] / 4.0
    row[14] = s.locked[q] / 4.0
    row[15] = s.ndecks[q] / 45.0
    row[16] = count(s.discard[q]) / 45.0
    row[17] = rule_number(s, R, q, W_HAND, R.hand_limit) / 7.0
    row[18] = s.tally[q, 0] / 3.0
    row[19] = s.tally[q, 1] / 3.0
    row[20] = s.tally[q, 2] / 5.0
    row[21] = s.tally[q, 3] / 5.0
    row[22] = s.tally[q, 4] / 3.0
    return k + NUMBERS


@inner
def write_slots(s, R, q, out, k):
    """Faces of the army, then each slot; returns the next place."""
    slots = k + R.faces
    width = SIZE + R.clans
    end = slots + SLOTS * width
    out[k:end] = NOTHING
    loose, up = free(s, q), face_up(s, q)
    safe, wanted = ethereal(s, R, q), with_bounty(s, R, q)
    rest = filled(s, q)
    while rest != 0:
        slot = lowest(U(rest))
        rest &= rest - 1
        f = face_in(s, R, q, slot)
        out[k + f] += HALF
        cell = out[slots + slot * width : slots + (slot + 1) * width]
        shown = (up >> slot) & 1
        cell[0] = 1.0
        cell[1] = shown
        cell[2] = (loose >> slot) & 1
        cell[3] = (safe >> slot) & 1
        cell[4] = (wanted >> slot) & 1
        tokens = tokens_on(s, q, slot)
        cell[5] = tokens / 3.0
        if shown != 0:
            cost = shift_cost(s, R, q, slot)
            cell[6] = (R.icons[f] - tokens) / 3.0
            cell[7] = 1.0 if cost >= 0 else 0.0
            cell[8] = max(0, cost) / 3.0
            cell[9] = 1.0 if R.prog[f, TEXT_ALWAYS] != 0 else 0.0
            cell[10] = 1.0 if (R.keywords[f] >> K_VETERAN) & 1 != 0 and tokens > 0 else 0.0
            cell[SIZE + R.clan[f]] = 1.0
    return end


@inner
def write_text_at_work(s, R, out, k):
    """The text that the pending decision belongs to: its steps still to come, the card, the slot of a named card."""
    card = k + R.operations
    if s.over != 0:
        return
    at = text_at(s)
    if at >= 0 and s.kind != PAY:
        who = s.stack[at, 1]
        c = s.stack[at, 3]
        out[card + face_of(R, c)] = 1.0
        row = s.stack[at, 2]
        while R.code[row, 0] != 0:
            op = R.code[row, 0]
            if op <= X_WIN:
                out[k + op - 1] += max(1, amount_of(s, R, R.code[row, 2], who, c, memory(s, at))) / 5.0
            row += 1


@entry
def observe(s, R, p, out):
    """Write the observation of seat p into `out`; `s` must be p's view."""
    fixed = R.kinds + 6 + 2 + R.operations + R.faces + 2 * SLOTS
    out[:fixed] = NOTHING
    out[s.kind] = 1.0
    k = R.kinds
    top = s.sp - 1
    if s.over == 0:
        counted = s.kind == PAY or s.kind == DISCARD or s.kind == SONG
        further = s.kind == AIM or s.kind == CARD or s.kind == REGAIN
        out[k] = 1.0 if s.mover == p else 0.0
        out[k + 1] = 1.0 if s.active == p else 0.0
        out[k + 2] = s.stack[top, 2] / 5.0 if counted else s.stack[top, 3] / 5.0 if further else 0.0
        out[k + 3] = 1 - s.regular
        out[k + 4] = 1.0 if s.turns_left[p] >= 0 else 0.0
        out[k + 5] = shown_now(s) / 5.0
    k += 6
    out[k + p] = 1.0
    k += 2
    write_text_at_work(s, R, out, k)
    k += R.operations + R.faces
    if s.kind == PAY and s.stack[top - 1, 0] == PLACE:
        out[k + s.stack[top - 1, 3] + SLOTS * (s.stack[top, 1] ^ p)] = 1.0
    k += 2 * SLOTS
    out[k] = s.rnd / 3.0
    out[k + 1] = 1.0 if s.wonder < 0 else 0.0
    out[k + 2] = 1.0 if s.bounty < 0 else 0.0
    k = write_clans(s.tiles, out, k + 3)
    k = write_faces(R, s.hand[p, 0], s.hand[p, 1], out, k)
    k = write_faces(R, s.aside[0, 0], s.aside[0, 1], out, k)
    low, high = shown_words(s, deck_at_work(s))
    k = write_faces(R, low, high, out, k)
    k = write_faces(R, s.removed[0, 0], s.removed[0, 1], out, k)
    for r in range(2):
        q = p ^ r
        k = write_numbers(s, R, q, out, k)
        k = write_clans(s.clans[q], out, k)
        k = write_faces(R, s.discard[q, 0], s.discard[q, 1], out, k)
        low, high = unseen_of(s, R, p, q)
        k = write_faces(R, low, high, out, k)
        k = write_faces(R, s.known[q, 0], s.known[q, 1], out, k)
        low, high = top_word(s, q)
        k = write_faces(R, low, high, out, k)
        k = write_slots(s, R, q, out, k)


@inner
def deck_at_work(s):
    """Whose deck the shown cards lie on."""
    at = text_at(s)
    return s.stack[at, 1] if at >= 0 else 0


@inner
def top_word(s, q):
    """The top card of q's deck, if the view shows it, as two words."""
    low = high = U(0)
    c = s.deck[DECK * q + s.ndecks[q] - 1] if s.ndecks[q] > 0 else -1
    if c >= 0:
        bit = U(1) << U(c & 63)
        low = bit if c < 64 else U(0)
        high = bit if c >= 64 else U(0)
    return low, high
