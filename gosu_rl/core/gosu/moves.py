"""Gosu X, decision by decision: what is legal, what is settled without asking, and what an action does.

`step.py` comes here for games with decks of one's own; what these decisions do to armies, decks and tokens lies in `effects.py`.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, emit, lowest, remove
from gosu_rl.core.gosu.actions import ACCEPT, DECLINE, KEEP_HAND, PASS, RECRUIT, REDRAW, REGAIN_SPENT
from gosu_rl.core.gosu.army import clans_in_army, free, size
from gosu_rl.core.gosu.costs import (
    allow_turn_x,
    allow_will,
    could_will,
    play_cost,
    secret_slots,
    shift_cost,
    shiftable_slots,
)
from gosu_rl.core.gosu.counts import CLAN_SHIFT, DONE, filter_faces, rule_number, tokens_on
from gosu_rl.core.gosu.decks import draw_own, redraw_own, split_decks
from gosu_rl.core.gosu.effects import (
    ACTIVATION,
    aim_at,
    aim_settles,
    answer_may,
    choice_settles,
    choose_card,
    discard_own,
    discard_whole_hand,
    drop_tokens,
    end_choice,
    enter,
    gain_turn,
    mark_done,
    pass_x,
    put_tokens,
    regain_settles,
    sacrifice,
    start_text,
    text_step,
    token_back,
    use_will,
)
from gosu_rl.core.gosu.legal import allow, allow_slots
from gosu_rl.core.gosu.piles import copy_in, face_of, faces_word, hand_copy, leave_hand, twins_word
from gosu_rl.core.gosu.rules_x import K_WILL, TEXT_ACTIVATE, W_HAND, W_TWO_TOKENS, X_INTO_PLAY
from gosu_rl.core.gosu.song import dirge
from gosu_rl.core.gosu.state import (
    AFTER,
    AIM,
    CARD,
    CLAN,
    COLUMNS,
    DECKS,
    DIRGE,
    DISCARD,
    DRAFT,
    MAY,
    MODE,
    MULLIGAN,
    PAY,
    PLACE,
    REGAIN,
    SLOTS,
    SONG,
    TEXT,
    TURN,
    USE,
    WILL,
    pop,
    push,
)
from gosu_rl.core.gosu.targets import aim_slots, card_faces, declinable, fitting_faces, is_secret, text_at
from gosu_rl.core.jit import inner

HAND_WORD = 0  # put_into_play hand
PICKS = 6
LATER = 0b100110  # the picks of the second player, from the sixth down to the first (X17)


# ------------------------------------------------------------------------------------------------ the beginning


@inner
def deal_x(s, R, seed):
    """All cards are shuffled once, in `deck`; then the draft, by the players, by chance, or as the rules fix it (X17)."""
    first = s.adv
    s.ndeck = 0
    every = (1 << R.clans) - 1
    for q in range(2):
        s.tokens[q] = R.tokens
        s.locked[q] = max(0, R.token_limit - R.tokens)
    for k in range(1, -1, -1):
        push(s, MULLIGAN, (first + k) % 2, 0, 0, 0, 0)
    push(s, DECKS, 0, 0, 0, 0, 0)
    s.tiles = every
    if R.draft == 0:
        for k in range(PICKS - 1, -1, -1):
            push(s, DRAFT, drafter(first, k), 0, 0, 0, 0)
        return
    s.rng = rng.mix(seed, rng.STREAM_DRAFT)
    code = R.draft - 2
    for k in range(PICKS):
        clan = code & 7
        code >>= 3
        if R.draft == 1:
            clan = rng.below(s, R.clans)
            while (s.tiles >> clan) & 1 == 0:
                clan = rng.below(s, R.clans)
        pick_clan(s, drafter(first, k), clan)


@inner
def drafter(first, k):
    """Who makes pick k, from 0: first, other, other, first, first, other."""
    return 1 - first if (LATER >> k) & 1 != 0 else first


@inner
def pick_clan(s, q, clan):
    """Player q drafts a clan; tiles of the clans that nobody takes stay active (X1)."""
    k = 0
    while s.picks[k] != 0:
        k += 1
    s.picks[k] = clan + 1
    s.clans[q] |= 1 << clan
    s.tiles &= ~(1 << clan)


@inner
def form_decks(s, R):
    """The draft is over: decks, and the first hands, the first player's first."""
    pop(s)
    split_decks(s, R)
    for k in range(2):
        draw_own(s, R, (s.adv + k) % 2, R.deal)


@inner
def troops_in_hand(s, R, q):
    """Troops in q's hand, copies counted."""
    total = 0
    for w in range(2):
        word = faces_word(R, s.hand[q, 0], s.hand[q, 1], w) & R.level_faces[1, w]
        twins = s.hand[q, w] & R.face_bits[w] & twins_word(R, s.hand[q, 0], s.hand[q, 1], w) & R.level_faces[1, w]
        while word != ZERO:
            word &= word - ONE
            total += 1
        while twins != ZERO:
            twins &= twins - ONE
            total += 1
    return total


# ------------------------------------------------------------------------------------------------ frames that run by themselves


@inner
def automatic_x(s, R, op):
    """Carry out a frame that needs no choice; the TURNS frame is the caller's."""
    if op == TEXT:
        text_step(s, R)
    elif op == PLACE:
        place_x(s, R)
    elif op == AFTER:
        after_turn(s, R)
    elif op == DIRGE:
        dirge(s, R)
    elif op == DECKS:
        form_decks(s, R)


@inner
def after_turn(s, R):
    """What follows the action of a turn: the other player's Force of Will, then the hand limit (X19, X31)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if s.stack[top, 2] == 0:
        if could_will(s, R, 1 - who):
            push(s, WILL, 1 - who, 0, 0, 0, 0)
        else:
            s.stack[top, 2] = 1
        return
    pop(s)
    excess = s.hand_size[who] - rule_number(s, R, who, W_HAND, R.hand_limit)
    if excess > 0:
        push(s, DISCARD, who, excess, 0, 0, 0)


@inner
def place_x(s, R):
    """The named card, paid for, takes its slot; a card that it replaces goes to the discard pile first (X34)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    slot = s.stack[top, 3]
    pop(s)
    old = s.army[who, slot]
    if old >= 0:
        drop_tokens(s, who, slot)
        add(s.discard[who], old)
    else:
        s.rows[who, slot // COLUMNS] += 1
    remove(s.aside[0], c)
    enter(s, R, who, c, slot)


# ------------------------------------------------------------------------------------------------ what is legal


@inner
def fill_legal_x(s, R, op, who):
    """Add the legal actions of the decision on top of the stack."""
    top = s.sp - 1
    if op == TURN:
        allow_turn_x(s, R, who)
    elif op == DRAFT:
        emit(s.legal, U(s.tiles), R.o_pick)
    elif op == MULLIGAN:
        allow(s, KEEP_HAND)
        if s.stack[top, 2] < R.max_mulligans and s.hand_size[who] > 0 and troops_in_hand(s, R, who) < 2:
            allow(s, REDRAW)
    elif op == USE:
        emit(s.legal, U(replaceable(s, R, who)), R.o_replace)
        if playable(s, R, who):
            allow(s, RECRUIT)
    elif op == PAY or op == DISCARD:
        allow_hand(s, R, op, who)
    elif op == WILL:
        allow_will(s, R, who)
        allow(s, DECLINE)
    elif op == MAY:
        allow(s, ACCEPT)
        allow(s, DECLINE)
    elif op == AIM:
        row = s.stack[top, 2]
        k = text_at(s)
        for q in range(2):
            allow_slots(s, R, q, aim_slots(s, R, row, who, k, q))
        if declinable(R, row, s.stack[top, 4]):
            allow(s, DECLINE)
    elif op == CARD:
        allow_choice(s, R)
    elif op == CLAN:
        emit(s.legal, U(clans_in_army(s, R, 0) | clans_in_army(s, R, 1)), R.o_pick)
    elif op == MODE:
        emit(s.legal, U((1 << R.code[s.stack[top, 2], 1]) - 1), R.o_option)
    elif op == SONG:
        allow_slots(s, R, who, free(s, who))
    elif op == REGAIN:
        allow_slots(s, R, who, s.marked[who] | s.marked2[who])
        if s.spent[who] > 0:
            allow(s, R.o_token + REGAIN_SPENT)
        if declinable(R, s.stack[top, 2], 1):
            allow(s, DECLINE)


@inner
def replaceable(s, R, who):
    """Slots whose card the named card may replace."""
    top = s.sp - 1
    slots = shiftable_slots(s, R, who, face_of(R, s.stack[top, 2]), s.hand_size[who])
    return slots & secret_slots(s, R, who) if s.stack[top, 3] != 0 else slots


@inner
def playable(s, R, who):
    """Whether the named card may be played."""
    top = s.sp - 1
    if s.stack[top, 3] != 0:
        return False
    cost = play_cost(s, R, who, face_of(R, s.stack[top, 2]))
    help_ = 1 if cost > 0 and s.wonder == who else 0
    return cost >= 0 and cost - help_ <= s.hand_size[who]


@inner
def allow_hand(s, R, op, who):
    """Cards that may be discarded: for a cost, beside the Wonder token (X33); or for an effect, which may say which."""
    top = s.sp - 1
    row = s.stack[top, 3] if op == DISCARD else 0
    if op == DISCARD or s.stack[top, 2] <= s.hand_size[who]:
        for w in range(2):
            word = faces_word(R, s.hand[who, 0], s.hand[who, 1], w)
            if row > 0:
                k = text_at(s)
                word &= filter_faces(R, R.code[row, 3], s.stack[k, 3], s.stack[k, 5], w)
            emit(s.legal, word, R.o_discard + 64 * w)
    if op == PAY and s.stack[top, 3] != 0 and s.wonder == who:
        allow(s, R.o_wonder)
    if row > 0 and s.stack[top, 4] != 0:
        allow(s, DECLINE)


@inner
def allow_choice(s, R):
    """Cards for the CARD frame on top; "decline" if it is optional, or where others cannot know that nothing fits."""
    top = s.sp - 1
    row = s.stack[top, 2]
    k = text_at(s)
    for w in range(2):
        emit(s.legal, card_faces(s, R, row, k, w), R.o_take + 64 * w)
    if declinable(R, row, s.stack[top, 4]) or (is_secret(s, R, row, k) and may_leave(s, R, row, k)):
        allow(s, DECLINE)


@inner
def may_leave(s, R, row, k):
    """Whether a choice among cards that others do not see can be left: nothing fits, or it is one from the hand into play."""
    return fitting_faces(s, R, row, k) == 0 or (R.code[row, 0] == X_INTO_PLAY and R.code[row, 1] == HAND_WORD)


# ------------------------------------------------------------------------------------------------ what needs no asking


@inner
def settled_x(s, R, op):
    """Answer the decision on top if public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if op == PAY or op == DISCARD:
        return discard_settles(s, R, op, who)
    if op == USE:
        slots = replaceable(s, R, who)
        if size(slots) + (1 if playable(s, R, who) else 0) == 1:
            use_x(s, R, RECRUIT if slots == 0 else R.o_replace + lowest(U(slots)))
            return True
    elif op == AIM:
        return aim_settles(s, R)
    elif op == CARD:
        return choice_settles(s, R)
    elif op == REGAIN:
        return regain_settles(s, R)
    elif op == SONG:
        slots = free(s, who)
        if s.stack[top, 2] <= 0 or slots == 0:
            pop(s)
            return True
        if size(slots) == 1:
            s.stack[top, 2] -= 1
            sacrifice(s, who, lowest(U(slots)))
            return True
    elif op == CLAN:
        clans = clans_in_army(s, R, 0) | clans_in_army(s, R, 1)
        if size(clans) == 1:
            choose_clan(s, lowest(U(clans)))
            return True
    elif op == TURN and s.passed[who] != 0:  # a text has passed for him (X59)
        pop(s)
        return True
    return False


@inner
def discard_settles(s, R, op, who):
    """A payment or forced discard that is done, or takes the whole hand; or that only the Wonder token makes possible."""
    top = s.sp - 1
    left = s.stack[top, 2]
    if left <= 0 or (op == DISCARD and s.hand_size[who] == 0):
        pop(s)
        return True
    wonder = op == PAY and s.stack[top, 3] != 0 and s.wonder == who
    if op == DISCARD and s.stack[top, 4] != 0:
        return False
    if wonder and left <= s.hand_size[who]:
        return False
    if wonder:
        spend_wonder(s)
        return True
    if left >= s.hand_size[who]:
        discard_whole_hand(s, who)
        pop(s)
        return True
    return False


# ------------------------------------------------------------------------------------------------ what an action does


@inner
def resolve_x(s, R, action):
    """Do what a legal action says, by the kind of decision on top."""
    top = s.sp - 1
    op = s.stack[top, 0]
    who = s.stack[top, 1]
    if op == TURN:
        take_turn_x(s, R, who, action)
    elif op == PAY or op == DISCARD:
        pay_x(s, R, op, who, action)
    elif op == USE:
        use_x(s, R, action)
    elif op == MULLIGAN:
        if action == REDRAW:
            s.stack[top, 2] += 1
            redraw_own(s, R, who)
        else:
            pop(s)
    elif op == DRAFT:
        pop(s)
        pick_clan(s, who, action - R.o_pick)
    elif op == MAY:
        answer_may(s, R, action == ACCEPT)
    elif op == CLAN:
        choose_clan(s, action - R.o_pick)
    elif op == MODE:
        row = s.stack[top, 2]
        pop(s)
        s.stack[s.sp - 1, 2] = R.code[row, 2 + action - R.o_option]
    elif op == WILL:
        pop(s)
        if action == DECLINE:
            s.stack[s.sp - 1, 2] = 1
        else:
            use_will(s, R, who, will_face(R, action))
    elif op == CARD:
        if action == DECLINE:
            end_choice(s, R)
        else:
            choose_card(s, R, action - R.o_take)
    elif action == DECLINE:
        pop(s)
    elif op == REGAIN:
        token_back(s, R, action == R.o_token + REGAIN_SPENT, (action - R.o_target) % SLOTS)
    elif op == AIM:
        aim_at(s, R, (action - R.o_target) // SLOTS, (action - R.o_target) % SLOTS)
    elif op == SONG:
        s.stack[top, 2] -= 1
        sacrifice(s, who, (action - R.o_target) % SLOTS)


@inner
def will_face(R, action):
    """The face that a `will` action names."""
    for w in range(2):
        word = R.keyword_faces[K_WILL, w]
        while word != ZERO:
            f = 64 * w + lowest(word)
            word &= word - ONE
            if R.wills[f] == action - R.o_will:
                return f
    return -1


@inner
def choose_clan(s, clan):
    """A clan is chosen for the text below."""
    pop(s)
    k = text_at(s)
    s.stack[k, 5] |= (clan + 1) << CLAN_SHIFT | DONE


@inner
def take_turn_x(s, R, who, action):
    """Pass, name a card, spend tokens, put one on a card; or use Force of Will, which leaves the turn open (X31)."""
    if action >= R.o_will:
        use_will(s, R, who, will_face(R, action))
        return
    pop(s)
    if action == PASS:
        pass_x(s, R, who)
    elif action < R.o_take:
        c = hand_copy(s, R, who, action - R.o_play)
        leave_hand(s, who, c)
        add(s.aside[0], c)
        push(s, USE, who, c, 0, 0, 0)
    elif action < R.o_discard:
        c = copy_in(R, s.discard[who], action - R.o_take)
        remove(s.discard[who], c)
        add(s.aside[0], c)
        push(s, USE, who, c, 1, 0, 0)
    elif action < R.o_activate:
        k = 1 + action - R.o_token
        s.tokens[who] -= k
        s.spent[who] += k
        draw_own(s, R, who, 2 * k - 1)
        if k == 2 and rule_number(s, R, who, W_TWO_TOKENS, 0) > 0:
            gain_turn(s, who)  # X48
    else:
        slot = action - R.o_activate
        s.tokens[who] -= 1
        put_tokens(s, who, slot, tokens_on(s, who, slot) + 1)
        c = s.army[who, slot]
        start_text(s, R, who, c, ACTIVATION, R.prog[face_of(R, c), TEXT_ACTIVATE])


@inner
def use_x(s, R, action):
    """What the named card is for: payment comes first, then it takes its slot (X34)."""
    top = s.sp - 1
    who = s.stack[top, 1]
    c = s.stack[top, 2]
    f = face_of(R, c)
    if action == RECRUIT:
        row = R.level[f] - 1
        slot = COLUMNS * row + s.rows[who, row]
        cost = play_cost(s, R, who, f)
    else:
        slot = action - R.o_replace
        cost = shift_cost(s, R, who, slot)
    pop(s)
    push(s, PLACE, who, c, slot, 0, 0)
    if cost > 0:
        push(s, PAY, who, cost, 1, 0, 0)


@inner
def pay_x(s, R, op, who, action):
    """A card of a cost or of a forced or optional discard, or the Wonder token in its place; an optional one may be declined."""
    top = s.sp - 1
    if action == DECLINE:
        pop(s)
    elif op == PAY and action == R.o_wonder:
        spend_wonder(s)
    else:
        s.stack[top, 2] -= 1
        if op == PAY:
            s.stack[top, 3] = 0
        elif s.stack[top, 3] > 0:
            s.stack[top, 4] = 0
            mark_done(s)
        discard_own(s, R, who, action - R.o_discard)


@inner
def spend_wonder(s):
    """The Wonder token goes back to the board: one discard less (X33)."""
    top = s.sp - 1
    s.stack[top, 2] -= 1
    s.stack[top, 3] = 0
    s.wonder = -1
