"""What a step of a text may be done to (Gosu X): slots of armies, cards of piles, decks and hands; whether it could do anything.

A decision for a step lies on the stack right above the TEXT frame of its text; `row` is the step's row of code.
"""

from __future__ import annotations

from gosu_rl.core.bits import ZERO, U, lowest, popcount
from gosu_rl.core.copies import faces_word
from gosu_rl.core.gosu.army import clans_in_army, face_in, face_up, filled, free, size
from gosu_rl.core.gosu.state import CARDS, COLUMNS, FACES, SLOTS, TEXT
from gosu_rl.core.gosu_x.costs import army_count, may_pass, room
from gosu_rl.core.gosu_x.counts import GONE, LOOKED, amount_of, ethereal, filter_faces, memory, placed, select
from gosu_rl.core.gosu_x.decks import can_draw, deck_words, own_copies, shown_now, shown_words
from gosu_rl.core.gosu_x.rules import (
    FLAG_BOTH,
    FLAG_MAY,
    FLAG_OTHER,
    FLAG_TO,
    R_SOURCE,
    R_WORD,
    TEXT_ALWAYS,
    W_TOP_ETHEREAL,
    X_BOUNTY,
    X_CAPTURE,
    X_CLAN,
    X_DESTROY,
    X_DISCARD,
    X_DRAW,
    X_ETHEREAL,
    X_EXTRA,
    X_FETCH,
    X_FLIP,
    X_INTO_PLAY,
    X_KEEP,
    X_MOVE_BOUNTY,
    X_PASS,
    X_PUT,
    X_RELEASE,
    X_REMOVE_PILE,
    X_RESOLVE,
    X_RETRIEVE,
    X_RETURN_WONDER,
    X_SACRIFICE,
    X_TAKE_BACK,
    X_TAKE_WONDER,
    X_TOKEN_BACK,
)
from gosu_rl.core.jit import inner

HAND, PILE, SHOWN = range(3)  # the words of put_into_play
ETHEREAL_TOKENS = 2


@inner
def text_at(s):
    """Place on the stack of the text at work: the topmost TEXT frame; -1 if there is none."""
    k = s.sp - 1
    while k >= 0 and s.stack[k, 0] != TEXT:
        k -= 1
    return k


@inner
def is_aim(op):
    """Whether a step's targets lie in armies."""
    return X_SACRIFICE <= op <= X_ETHEREAL


@inner
def is_card_choice(op):
    """Whether a step's targets are cards of piles, decks and hands."""
    return op == X_KEEP or X_FETCH <= op <= X_INTO_PLAY


@inner
def declinable(R, row, first):
    """Whether a choice for the step at `row` may be declined: a price only before its first part is paid."""
    op = R.code[row, 0]
    flags = R.code[row, 4]
    if flags & FLAG_MAY == 0 or flags & (FLAG_OTHER | FLAG_BOTH) != 0:
        return False
    return first != 0 or not (op == X_SACRIFICE or op == X_PUT or op == X_DISCARD)


@inner
def aim_slots(s, R, row, chooser, k, q):
    """Slots of q's army that the step at `row` of the text in frame k may be aimed at."""
    who = s.stack[k, 1]
    c = s.stack[k, 3]
    op = R.code[row, 0]
    slots = 0
    if op == X_CAPTURE:
        slots = face_up(s, q) & ~ethereal(s, R, q)
    elif op == X_RELEASE:
        slots = filled(s, q) & s.trapped[q]
    elif op == X_DESTROY:
        slots = free(s, q) & ~ethereal(s, R, q)
    elif op == X_SACRIFICE:
        slots = free(s, q) if q == chooser else 0
    elif op == X_RESOLVE:
        slots = with_text(s, R, q, -1 if s.stack[k, 4] & GONE != 0 else c) if q == who else 0
    elif op == X_BOUNTY or op == X_MOVE_BOUNTY:
        slots = face_up(s, q)
        if s.bounty >= 0 and s.bounty // SLOTS == q:
            slots &= ~(1 << (s.bounty % SLOTS))
        if op == X_MOVE_BOUNTY and s.bounty < 0:
            slots = 0
    elif op == X_ETHEREAL:
        slots = face_up(s, q) & ~s.ether[q] if ethereal_left(s, R) else 0
    else:  # return, remove
        slots = free(s, q)
    return slots & select(s, R, R.code[row, 3], who, c, memory(s, k), q)


@inner
def with_text(s, R, q, c):
    """Slots of q's face-up cards that have a text, card c's own apart."""
    mask = 0
    slots = face_up(s, q)
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        if s.army[q, slot] != c and R.prog[face_in(s, R, q, slot), TEXT_ALWAYS] != 0:
            mask |= 1 << slot
    return mask


@inner
def ethereal_left(s, R):
    """Whether an Ethereal token lies beside the board: there are two, and the tile that makes cards Ethereal takes both (X57)."""
    return size(s.ether[0]) + size(s.ether[1]) < ETHEREAL_TOKENS and not tile_takes_ethereal(s, R)


@inner
def tile_takes_ethereal(s, R):
    """Whether an active tile makes OPEN cards Ethereal."""
    for k in range(R.n_ruled):
        source = R.ruled[k, R_SOURCE] - FACES
        if source >= 0 and R.ruled[k, R_WORD] == W_TOP_ETHEREAL and (s.tiles >> source) & 1 != 0:
            return True
    return False


@inner
def aims(s, R, row, chooser, k):
    """How many targets the step at `row` has in both armies."""
    return size(aim_slots(s, R, row, chooser, k, 0)) + size(aim_slots(s, R, row, chooser, k, 1))


# ------------------------------------------------------------------------------------------------ cards


@inner
def is_secret(s, R, row, k):
    """Whether only the chooser sees the cards among which the step at `row` chooses."""
    op = R.code[row, 0]
    if op == X_KEEP or (op == X_INTO_PLAY and R.code[row, 1] == SHOWN):
        return s.stack[k, 5] & LOOKED != 0
    return op == X_FETCH or op == X_PUT or (op == X_INTO_PLAY and R.code[row, 1] == HAND)


@inner
def place_words(s, R, row, who):
    """The cards among which the step at `row` chooses, before its filter: two words."""
    op = R.code[row, 0]
    if op == X_KEEP or (op == X_INTO_PLAY and R.code[row, 1] == SHOWN):
        return shown_words(s, who)
    if op == X_FETCH:
        return deck_words(s, R, who)
    if op == X_TAKE_BACK or op == X_REMOVE_PILE or (op == X_INTO_PLAY and R.code[row, 1] == PILE):
        return s.discard[who, 0], s.discard[who, 1]
    if op == X_RETRIEVE:
        return s.removed[0, 0] & own_copies(s, R, who, 0), s.removed[0, 1] & own_copies(s, R, who, 1)
    return s.hand[who, 0], s.hand[who, 1]


@inner
def room_faces(s, R, who, w):
    """Word w of the faces of whose level another card finds a place in who's army."""
    levels = room(s, who)
    word = ZERO
    for level in range(3):
        if (levels >> level) & 1 != 0:
            word |= R.level_faces[level + 1, w]
    return word


@inner
def card_faces(s, R, row, k, w):
    """Word w of the faces that may be chosen for the step at `row` of the text in frame k."""
    who = s.stack[k, 1]
    low, high = place_words(s, R, row, who)
    word = faces_word(R, low, high, w) & filter_faces(R, R.code[row, 3], s.stack[k, 3], s.stack[k, 5], w)
    return word & room_faces(s, R, who, w) if R.code[row, 0] == X_INTO_PLAY else word


@inner
def fitting_faces(s, R, row, k):
    """How many faces may be chosen for the step at `row`."""
    return popcount(card_faces(s, R, row, k, 0)) + popcount(card_faces(s, R, row, k, 1))


@inner
def card_choice_open(s, R, row, k):
    """Whether a choice of a card is put for the step at `row`, by public facts only."""
    op = R.code[row, 0]
    if not is_secret(s, R, row, k):
        return fitting_faces(s, R, row, k) > 0
    who = s.stack[k, 1]
    if op == X_FETCH:
        return s.ndecks[who] > 0
    if op == X_PUT:
        return s.hand_size[who] > 0
    if op == X_KEEP or R.code[row, 1] == SHOWN:
        return shown_now(s) > 0 and (op == X_KEEP or room(s, who) != 0)
    return s.hand_size[who] > 0 and room(s, who) != 0


# ------------------------------------------------------------------------------------------------ whether a step could do anything


@inner
def step_amount(s, R, row, k):
    """The amount of the step at `row` of the text in frame k, now; a larger one than there are cards says no more."""
    return min(CARDS, amount_of(s, R, R.code[row, 2], s.stack[k, 1], s.stack[k, 3], memory(s, k)))


@inner
def touches(R, row, who, q):
    """Whether the step at `row` of a text of who's is for player q: the subject of draws, discards and sacrifices."""
    flags = R.code[row, 4]
    if flags & FLAG_BOTH != 0:
        return True
    return q != who if flags & FLAG_OTHER != 0 else q == who


@inner
def could_do(s, R, row, k):
    """Whether by public facts the step at `row` of the text in frame k could change anything: else an optional one is not asked."""
    op = R.code[row, 0]
    who = s.stack[k, 1]
    n = step_amount(s, R, row, k)
    if op == X_DRAW or op == X_DISCARD or op == X_SACRIFICE:
        own = touches(R, row, who, who) and could_move(s, R, row, k, who, n)
        return own or (touches(R, row, who, 1 - who) and could_move(s, R, row, k, 1 - who, n))
    if is_aim(op):
        return aims(s, R, row, who, k) > 0 and n > 0
    if is_card_choice(op):
        return n > 0 and card_choice_open(s, R, row, k) and (op != X_PUT or s.hand_size[who] >= n)
    if op == X_EXTRA:
        return can_gain_turn(s, who)
    if op == X_TOKEN_BACK:
        return n > 0 and s.spent[who] + placed(s, who) > 0
    if op == X_TAKE_WONDER:
        return s.wonder != who
    if op == X_RETURN_WONDER:
        return s.wonder == who
    if op == X_FLIP:
        return tiles_to_flip(s, R, who) != 0
    if op == X_PASS:
        return s.passed[who] == 0 and may_pass(s, who)
    if op == X_CLAN:
        return clans_in_army(s, R, 0) | clans_in_army(s, R, 1) != 0
    return True


@inner
def could_move(s, R, row, k, q, n):
    """Whether player q has what a draw, discard or sacrifice of n (or down or up to n) wants; a price must be payable in full."""
    op = R.code[row, 0]
    flags = R.code[row, 4]
    have = army_count(s, q) if op == X_SACRIFICE else s.hand_size[q]
    if op == X_DRAW:
        return can_draw(s, q) and (have < n if flags & FLAG_TO != 0 else n > 0)
    if op == X_SACRIFICE and aim_slots(s, R, row, q, k, q) == 0:
        return False
    if flags & FLAG_TO != 0:
        return have > n
    return n > 0 and have >= (n if flags & FLAG_MAY != 0 else 1)


@inner
def can_gain_turn(s, who):
    """Whether "additional turn" means anything for a player now (X4, X21, X53)."""
    return s.active == who and s.regular != 0 and s.extra == 0 and s.passed[who] == 0


@inner
def tiles_to_flip(s, R, who):
    """Mask of the clans of which a player has a face-up Immortal and whose tile is not active (X49)."""
    mask = 0
    slots = face_up(s, who) >> 2 * COLUMNS
    while slots != 0:
        slot = lowest(U(slots)) + 2 * COLUMNS
        slots &= slots - 1
        mask |= 1 << R.clan[face_in(s, R, who, slot)]
    return mask & ~s.tiles
