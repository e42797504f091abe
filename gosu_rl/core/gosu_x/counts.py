"""What texts speak of (Gosu X): which cards a filter means, how many of something there are, whether a condition holds, which rules
are changed, what an army is worth.

Rows of filters, amounts, values and rules are those of `rules.py`. `who` is the player whose text, card or tile it is, `c` the
card (-1: a tile), `flags` what the text at work remembers (CLAN_SHIFT, THAT_SHIFT). Slots are masks as in `army.py`.
"""

from __future__ import annotations

from gosu_rl.core.bits import ONE, ZERO, U, count, lowest, popcount
from gosu_rl.core.copies import face_of, faces_word, twins_word
from gosu_rl.core.gosu.army import clans_in_army, face_in, face_up, filled, find, free, size
from gosu_rl.core.gosu.state import COLUMNS, FACES, SLOTS
from gosu_rl.core.gosu_x.decks import shown_words
from gosu_rl.core.gosu_x.rules import (
    A_CAP,
    A_COUNT,
    A_FILTER,
    A_OTHER,
    A_PER,
    A_PLUS,
    A_TIMES,
    BOUNTY,
    C_ACTIVE,
    C_ADDITIONAL,
    C_ARMY,
    C_CAPTURED,
    C_CARDS,
    C_CLANS,
    C_DECK,
    C_HAND,
    C_LEAD,
    C_LOST,
    C_PASSED,
    C_PILE,
    C_PLACED,
    C_ROUND,
    C_SPENT,
    C_SUPREMACY,
    C_TILES,
    C_TOKEN_COUNT,
    C_TOKENS,
    C_TRIPLES,
    C_WONDER,
    CAPTURED,
    CHOSEN_CLAN,
    F_BITS,
    F_CLAN,
    F_GROUP,
    F_LEVELS,
    F_RELATIONS,
    F_SIDES,
    F_STATE,
    K_BOUNTY,
    K_ETHEREAL,
    NOT_SELF,
    OPEN,
    R_CHANGE,
    R_NUMBER,
    R_OTHER,
    R_SOURCE,
    R_WORD,
    SELF_CLAN,
    THAT,
    UP,
    W_TOP_ETHEREAL,
    WITH_TOKENS,
    WITHOUT_TOKENS,
)
from gosu_rl.core.jit import inner

# What a TEXT frame remembers in its flags.
DONE, ECHOED, LOOKED = (
    1,
    2,
    4,
)  # the last step changed something; it runs for the second time; the shown cards are looked at
SHOWS = 1 << 14  # it has revealed or looked at cards
# In `how`, beside what began the text: its card has left its place since; a Bounty draw is owed to its owner (X54).
HOW, GONE, OWED = 7, 8, 16
AWAY = 1 << 15  # the same beside the flags, as `memory` gives them to filters
CLAN_SHIFT, THAT_SHIFT = 3, 7  # the chosen clan + 1, 4 bits; the card of the last target + 1, 7 bits
ALL = (1 << SLOTS) - 1
COLUMN = 1 | 1 << COLUMNS | 1 << 2 * COLUMNS  # the slots of the first column
ROW = (1 << COLUMNS) - 1


@inner
def memory(s, k):
    """What the text in frame k remembers: its flags, and whether its card has left its place since it began (X51)."""
    return s.stack[k, 5] | (AWAY if s.stack[k, 4] & GONE != 0 else 0)


@inner
def tokens_on(s, q, slot):
    """Activation tokens on the card in a slot, 0 to 3."""
    return ((s.marked[q] >> slot) & 1) + 2 * ((s.marked2[q] >> slot) & 1)


@inner
def placed(s, q):
    """Activation tokens on all of q's cards."""
    return size(s.marked[q]) + 2 * size(s.marked2[q])


@inner
def faces_in_slots(s, R, q, slots, low, high):
    """Those of q's slots that hold a face of the set (low, high)."""
    found = 0
    while slots != 0:
        slot = lowest(U(slots))
        slots &= slots - 1
        f = face_in(s, R, q, slot)
        word = low if f < 64 else high
        if (word >> U(f & 63)) & ONE != ZERO:
            found |= 1 << slot
    return found


@inner
def with_keyword(s, R, q, keyword):
    """Slots of q's face-up cards with a keyword."""
    return faces_in_slots(s, R, q, face_up(s, q), R.keyword_faces[keyword, 0], R.keyword_faces[keyword, 1])


@inner
def with_bounty(s, R, q):
    """Slots of q's face-up cards with Bounty, by keyword or by the token."""
    mask = with_keyword(s, R, q, K_BOUNTY)
    if s.bounty >= 0 and s.bounty // SLOTS == q:
        mask |= 1 << (s.bounty % SLOTS)
    return mask


@inner
def ethereal(s, R, q):
    """Slots of q's cards that can be neither captured nor destroyed (X26, X27)."""
    mask = with_keyword(s, R, q, K_ETHEREAL) | s.ether[q]
    if rule_number(s, R, q, W_TOP_ETHEREAL, 0) > 0:
        loose = free(s, q)
        top = loose >> 2 * COLUMNS
        if top != 0:
            mask |= top << 2 * COLUMNS
        elif loose >> COLUMNS != 0:
            mask |= (loose >> COLUMNS) << COLUMNS
        else:
            mask |= loose
    return mask


@inner
def has_card(s, R, q, f):
    """How many copies of face f lie face up in q's army."""
    slots = face_up(s, q)
    k = 0
    while slots != 0:
        if face_in(s, R, q, lowest(U(slots))) == f:
            k += 1
        slots &= slots - 1
    return k


@inner
def rule_number(s, R, q, word, base):
    """A number of the rules for player q, as tiles and face-up cards change it: the smallest that is set, then what is added."""
    added = 0
    number = -1
    for k in range(R.n_ruled):
        if R.ruled[k, R_WORD] != word:
            continue
        source = R.ruled[k, R_SOURCE]
        times = 0
        if source >= FACES:
            times = (s.tiles >> (source - FACES)) & 1
        else:
            times = has_card(s, R, 1 - q if R.ruled[k, R_OTHER] != 0 else q, source)
        change = R.ruled[k, R_CHANGE]
        if times > 0 and change == 0:
            number = R.ruled[k, R_NUMBER] if number < 0 else min(number, R.ruled[k, R_NUMBER])
        added += times * change * R.ruled[k, R_NUMBER]
    return max(0, (base if number < 0 else number) + added)


# ------------------------------------------------------------------------------------------------ filters


@inner
def chosen_clan(flags):
    """The clan that a text has chosen, or -1."""
    return ((flags >> CLAN_SHIFT) & 15) - 1


@inner
def filter_clan(R, f, c, flags):
    """The clan that a filter asks for through its card or a choice: -1 none, 127 one that no card has."""
    mode = R.filters[f, F_CLAN]
    if mode == SELF_CLAN:
        return R.clan[face_of(R, c)] if c >= 0 else 127
    if mode == CHOSEN_CLAN:
        clan = chosen_clan(flags)
        return clan if clan >= 0 else 127
    return -1


@inner
def filter_faces(R, f, c, flags, w):
    """Word w of the faces that a filter lets pass."""
    group = R.filters[f, F_GROUP]
    word = R.groups[group, w] if group >= 0 else R.face_bits[w]
    clan = filter_clan(R, f, c, flags)
    if clan >= 0:
        word &= R.clan_faces[clan, w] if clan < R.clans else ZERO
    return word


@inner
def related(s, f, R, who, c, flags, q):
    """Slots of q's army that stand to card c, face up in who's army, as the filter asks; all where it asks nothing."""
    relations = R.filters[f, F_RELATIONS]
    if relations == 0:
        return ALL
    slot = find(s, who, c) if c >= 0 and flags & AWAY == 0 else -1
    if slot < 0 or (s.trapped[who] >> slot) & 1 != 0:
        return 0
    if q != who:
        return (relations >> 7) << slot  # mirror
    column = slot % COLUMNS
    row = slot // COLUMNS
    mask = 0
    if relations & 1 != 0:
        mask |= 1 << slot
    if relations & 2 != 0 and column > 0:
        mask |= 1 << (slot - 1)
    if relations & 4 != 0 and column < COLUMNS - 1:
        mask |= 1 << (slot + 1)
    if relations & 8 != 0 and row < 2:
        mask |= 1 << (slot + COLUMNS)
    if relations & 16 != 0 and row > 0:
        mask |= 1 << (slot - COLUMNS)
    if relations & 32 != 0:
        mask |= (ROW << (COLUMNS * row)) & ~(1 << slot)
    if relations & 64 != 0:
        mask |= (COLUMN << column) & ~(1 << slot)
    return mask


@inner
def select(s, R, f, who, c, flags, q):
    """Slots of q's army that fit filter f of a text of `who`'s card c."""
    if (R.filters[f, F_SIDES] >> (0 if q == who else 1)) & 1 == 0:
        return 0
    slots = filled(s, q) & R.filters[f, F_LEVELS]
    state = R.filters[f, F_STATE]
    if state == UP:
        slots &= ~s.trapped[q]
    elif state == CAPTURED:
        slots &= s.trapped[q]
    if R.filters[f, F_RELATIONS] != 0:
        slots &= related(s, f, R, who, c, flags, q)
    bits = R.filters[f, F_BITS]
    if bits != 0:
        slots &= with_bits(s, R, bits, who, c, flags, q)
    if R.filters[f, F_GROUP] >= 0 or R.filters[f, F_CLAN] != 0:
        low, high = filter_faces(R, f, c, flags, 0), filter_faces(R, f, c, flags, 1)
        slots = faces_in_slots(s, R, q, slots & ~s.trapped[q], low, high)
    return slots


@inner
def with_bits(s, R, bits, who, c, flags, q):
    """Slots of q's army that fit the single words of a filter."""
    slots = ALL
    if bits & OPEN != 0:
        slots &= free(s, q)
    if bits & NOT_SELF != 0 and q == who and c >= 0 and flags & AWAY == 0:
        slot = find(s, who, c)
        if slot >= 0:
            slots &= ~(1 << slot)
    if bits & THAT != 0:
        that = ((flags >> THAT_SHIFT) & 127) - 1
        slot = find(s, q, that) if that >= 0 else -1
        slots &= 1 << slot if slot >= 0 else 0
    if bits & BOUNTY != 0:
        slots &= with_bounty(s, R, q)
    if bits & WITH_TOKENS != 0:
        slots &= s.marked[q] | s.marked2[q]
    if bits & WITHOUT_TOKENS != 0:
        slots &= ~(s.marked[q] | s.marked2[q])
    return slots


@inner
def faces_among(R, low, high, f, c, flags):
    """How many copies of a set fit a filter of cards."""
    zero = copies_of(R, low, high, 0, filter_faces(R, f, c, flags, 0))
    return zero + copies_of(R, low, high, 1, filter_faces(R, f, c, flags, 1))


@inner
def copies_of(R, low, high, w, faces):
    """How many copies a set has of faces, given as word w."""
    twins = (low if w == 0 else high) & R.face_bits[w] & twins_word(R, low, high, w)
    return popcount(faces_word(R, low, high, w) & faces) + popcount(twins & faces)


# ------------------------------------------------------------------------------------------------ amounts and conditions


@inner
def amount_of(s, R, k, who, c, flags):
    """The number that amount row k says now; not below 0."""
    what = R.amounts[k, A_COUNT]
    number = 0
    if what >= C_ARMY:
        number = amount_of_cards(s, R, k, what, who, c, flags)
    elif what > 0:
        number = amount_of_player(s, R, what, 1 - who if R.amounts[k, A_OTHER] != 0 else who)
    number = number * R.amounts[k, A_TIMES] // R.amounts[k, A_PER] + R.amounts[k, A_PLUS]
    cap = R.amounts[k, A_CAP]
    if cap >= 0:
        number = min(number, cap)
    return number if what == C_LEAD else max(0, number)


@inner
def amount_of_cards(s, R, k, what, who, c, flags):
    """Cards of armies, of a discard pile or among those shown that fit the filter of amount row k."""
    f = R.amounts[k, A_FILTER]
    if what == C_ARMY:
        return size(select(s, R, f, who, c, flags, 0)) + size(select(s, R, f, who, c, flags, 1))
    if what == C_CARDS:
        q = 1 - who if R.amounts[k, A_OTHER] != 0 else who
        return faces_among(R, s.discard[q, 0], s.discard[q, 1], f, c, flags)
    low, high = shown_words(s, who)
    return faces_among(R, low, high, f, c, flags)


@inner
def amount_of_player(s, R, what, q):
    """A plain count of player q's."""
    if what == C_HAND:
        return s.hand_size[q]
    if what == C_DECK:
        return s.ndecks[q]
    if what == C_PILE:
        return count(s.discard[q])
    if what == C_TOKENS:
        return s.tokens[q]
    if what == C_SPENT:
        return s.spent[q]
    if what == C_PLACED:
        return placed(s, q)
    if what == C_TOKEN_COUNT:
        return s.tokens[q] + s.spent[q] + placed(s, q)
    if what == C_CLANS:
        return popcount(U(clans_in_army(s, R, q)))
    if what == C_TILES:
        return popcount(U(s.tiles))
    if what == C_SUPREMACY:
        return s.points[q]
    if what == C_ROUND:
        return s.rnd
    if what == C_WONDER:
        return 1 if s.wonder == q else 0
    if what == C_PASSED:
        return s.passed[q]
    if what == C_ACTIVE:
        return 1 if s.active == q else 0
    if what == C_ADDITIONAL:
        return 1 - s.regular
    if C_CAPTURED <= what <= C_LOST:
        return s.tally[q, what - C_CAPTURED]
    if what == C_TRIPLES:
        return triples(s, R, q)
    return s.lead if q == 0 else -s.lead


@inner
def triples(s, R, q):
    """Columns of three face-up cards of one clan."""
    total = 0
    up = face_up(s, q)
    for column in range(s.rows[q, 2]):
        if (up >> column) & COLUMN == COLUMN:
            clan = R.clan[face_in(s, R, q, column)]
            if (
                R.clan[face_in(s, R, q, column + COLUMNS)] == clan
                and R.clan[face_in(s, R, q, column + 2 * COLUMNS)] == clan
            ):
                total += 1
    return total


@inner
def compares(s, R, row, who, c, flags):
    """Whether the comparison at a row of code holds."""
    left = amount_of(s, R, R.code[row, 2], who, c, flags)
    right = amount_of(s, R, R.code[row, 3], who, c, flags)
    sign = R.code[row, 4]  # in the order of COMPARISONS
    if sign == 0:
        return left >= right
    if sign == 1:
        return left <= right
    if sign == 2:
        return left == right
    if sign == 3:
        return left != right
    return left > right if sign == 4 else left < right


@inner
def all_compare(s, R, row, who, c):
    """Whether all comparisons of the program at `row` hold."""
    while R.code[row, 0] != 0:
        if not compares(s, R, row, who, c, 0):
            return False
        row += 1
    return True


@inner
def first_of(R, low, high, f):
    """The lowest copy of face f in a set of two words, or -1."""
    for w in range(2):
        c = f + R.faces * w
        word = low if c < 64 else high
        if c < R.copies and (word >> U(c & 63)) & ONE != ZERO:
            return c
    return -1


@inner
def keyword_of(R, c, keyword):
    """Whether a copy has a keyword."""
    return (R.keywords[face_of(R, c)] >> keyword) & 1 != 0
