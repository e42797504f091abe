"""Armies: slots, free cards, who may be recruited or mutated, strength, instant victory.

What an Ôzeki allows its owner beyond the rules (G8) lies in the state as `bent`; each rule that can be bent asks for its bit.

Slots are numbered row by row, 0-14; rows are packed to the left and none is longer than the one below (T40), so three counts
say which slots are filled and which cards are free. Sets of slots are masks of 15 bits in an int64; loops go over the set bits of a
mask, because LLVM unrolls a loop over all 15 slots wherever it is inlined, which costs seconds of compile time.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, lowest, popcount
from gosu_rl.core.cards.schema import BENDS
from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.state import COLUMNS, FIFTEEN, NINE, ROWS
from gosu_rl.core.jit import inner

# Bits of `bent`, in the order of BENDS.
LONG_REACH, RICH_TOKENS, ROUND_DRAW, ALL_ZOMBIES, CHEAP_MUTATION = 1, 2, 4, 8, 16
HELD_FAST, STRANGE_ALLIES, SPARE_TOKEN, DOUBLE_VICTORY, WINS_TIES = 32, 64, 128, 256, 512
assert len(BENDS) == 10


@inner
def row_mask(s, q, row):
    """Filled slots of one row."""
    return ((1 << s.rows[q, row]) - 1) << (COLUMNS * row)


@inner
def filled(s, q):
    """Filled slots."""
    return row_mask(s, q, 0) | row_mask(s, q, 1) | row_mask(s, q, 2)


@inner
def face_up(s, q):
    """Slots of goblins that are not trapped."""
    return filled(s, q) & ~s.trapped[q]


@inner
def free(s, q):
    """Slots with nothing above and nothing to the right: at most the last card of each row."""
    mask = 0
    for row in range(ROWS):
        k = s.rows[q, row]
        if k > 0 and (row == ROWS - 1 or s.rows[q, row + 1] < k):
            mask |= 1 << (COLUMNS * row + k - 1)
    return mask


@inner
def up_to_level(level):
    """Slots of the rows of level 1 to `level`."""
    return (1 << (COLUMNS * level)) - 1


@inner
def clans_in_row(s, R, q, row):
    """Mask of the clans with a face-up goblin in a row."""
    return clans_of(s, R, q, row_mask(s, q, row) & ~s.trapped[q])


@inner
def clans_in_army(s, R, q):
    """Mask of the clans with a face-up goblin in the army."""
    return clans_of(s, R, q, face_up(s, q))


@inner
def clans_of(s, R, q, slots):
    """Mask of the clans of the goblins in some slots."""
    mask = 0
    while slots != 0:
        mask |= 1 << R.clan[face_in(s, R, q, lowest(U(slots)))]
        slots &= slots - 1
    return mask


@inner
def face_in(s, R, q, slot):
    """The face in a slot that is filled."""
    return face_of(R, s.army[q, slot])


@inner
def strength(s, R, q):
    """Military strength: the face-up goblins' values."""
    total = 0
    slots = U(face_up(s, q))
    while slots != ZERO:
        total += R.strength[face_of(R, s.army[q, lowest(slots)])]
        slots &= slots - ONE
    return total


@inner
def bend_rules(s, R):
    """Write anew which rules the face-up Ôzekis bend for their owners (G8)."""
    for q in range(s.n):
        mask = 0
        slots = row_mask(s, q, 2) & ~s.trapped[q]
        while slots != 0:
            mask |= R.bends[face_in(s, R, q, lowest(U(slots)))]
            slots &= slots - 1
        s.bent[q] = mask


@inner
def mutation_cost(R, f, bent):
    """What replacing face f costs its owner, -1 if it cannot mutate; `bent`: the rules bent for him."""
    cost = R.mutation[f]
    return cost - 1 if cost > 0 and bent & CHEAP_MUTATION != 0 else cost


@inner
def is_zombie(R, f, bent):
    """Whether face f may mutate into a card of the discard pile."""
    return R.zombie[f] != 0 or (bent & ALL_ZOMBIES != 0)


@inner
def recruit_cost(s, R, q, f):
    """Cards to discard for recruiting face f, or -1 where the rules forbid it (T8, T9, T40)."""
    row = R.level[f] - 1
    if s.rows[q, row] == COLUMNS:
        return -1
    clan = 1 << R.clan[f]
    troops = clans_in_row(s, R, q, 0)
    if row == 0:
        return 0 if s.rows[q, 0] == 0 or troops & clan != 0 else R.new_clan_cost
    if s.rows[q, row] >= s.rows[q, row - 1]:
        return -1
    if s.bent[q] & STRANGE_ALLIES != 0:
        return 0
    if troops & clan == 0:
        return -1
    if row == 2 and clans_in_row(s, R, q, 1) & clan == 0:
        return -1
    return 0


@inner
def recruit_clans(s, R, q, spare):
    """Clans that q could recruit at each level with `spare` cards left to pay from, one mask of 8 bits a level; the same
    rules as `recruit_cost` (T8, T9, T40)."""
    n1, n2, n3 = s.rows[q, 0], s.rows[q, 1], s.rows[q, 2]
    troops = clans_in_row(s, R, q, 0)
    any_clan = 255 if s.bent[q] & STRANGE_ALLIES != 0 else 0
    clans = 0
    if n1 < COLUMNS:
        clans = 255 if n1 == 0 or spare >= R.new_clan_cost else troops
    if n2 < n1:
        clans |= (troops | any_clan) << 8
    if n3 < n2:
        clans |= (troops & clans_in_row(s, R, q, 1) | any_clan) << 16
    return clans


@inner
def mutable_slots(s, R, q, f, from_pile):
    """Slots of the goblins that face f may replace, costs apart from the hand (T10, T47); `hand_size` is what can be paid."""
    mask = 0
    bent = s.bent[q]
    slots = row_mask(s, q, R.level[f] - 1) & ~s.trapped[q]
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        old = face_in(s, R, q, slot)
        cost = mutation_cost(R, old, bent)
        if (
            0 <= cost <= s.hand_size[q]
            and (not from_pile or is_zombie(R, old, bent))
            and (R.replaces[old, f >> 6] >> U(f & 63)) & ONE != ZERO
        ):
            mask |= 1 << slot
    return mask


@inner
def find(s, q, c):
    """The slot of copy c in q's army, or -1."""
    slots = filled(s, q)
    while slots != 0:
        slot = lowest(U(slots))
        if s.army[q, slot] == c:
            return slot
        slots &= slots - 1
    return -1


@inner
def stands(s, q, c):
    """Whether copy c is in q's army, face up (T26)."""
    slot = find(s, q, c)
    return slot >= 0 and (s.trapped[q] >> slot) & 1 == 0


@inner
def drop_token(s, q, slot):
    """The card in a slot is about to leave: a token on it is spent (G11)."""
    if (s.marked[q] >> slot) & 1 != 0:
        s.marked[q] &= ~(1 << slot)
        s.spent[q] += 1


@inner
def remove_free(s, q, slot):
    """Take a free card out of an army; its row stays packed."""
    drop_token(s, q, slot)
    s.army[q, slot] = -1
    s.rows[q, slot // COLUMNS] -= 1
    s.trapped[q] &= ~(1 << slot)


@inner
def link_cards(s, R, q, slot):
    """Mask over the four sides of `slot`: neighbours that link with what just came there (T13, T25, T28).

    Bit i stands for the neighbour on side i (left, right, above, below) of the newcomer.
    """
    clan = R.clan[face_of(R, s.army[q, slot])]
    row, col = slot // COLUMNS, slot % COLUMNS
    mask = 0
    for side in range(4):
        r = row + (1 if side == 2 else 0) - (1 if side == 3 else 0)
        c = col + (1 if side == 1 else 0) - (1 if side == 0 else 0)
        if r < 0 or r >= ROWS or c < 0 or c >= s.rows[q, r]:
            continue
        there = COLUMNS * r + c
        f = face_of(R, s.army[q, there])
        opposite = side ^ 1  # the newcomer lies on this side of the neighbour
        if (s.trapped[q] >> there) & 1 == 0 and R.clan[f] == clan and (R.links[f] >> opposite) & 1 != 0:
            mask |= 1 << side
    return mask


@inner
def instant_victory(s, R, q):
    """FIFTEEN, NINE or 0: whether q's army wins at once (T22, T38); trapped goblins count for the first only."""
    total = s.rows[q, 0] + s.rows[q, 1] + s.rows[q, 2]
    if total >= R.full_army:
        return FIFTEEN
    if total < R.clan_army:
        return 0
    tally = 0  # one counter of 5 bits a clan
    slots = face_up(s, q)
    while slots != 0:
        tally += 1 << (5 * R.clan[face_in(s, R, q, lowest(U(slots)))])
        slots &= slots - 1
    while tally != 0:
        if tally & 31 >= R.clan_army:
            return NINE
        tally >>= 5
    return 0


@inner
def size(mask):
    """Number of slots in a mask."""
    return popcount(U(mask))
