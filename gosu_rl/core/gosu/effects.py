"""Texts of Gosu X at work: one small interpreter over rows of code (`rules_x.py`), and what each choice made for a step does.

A TEXT frame (who, row, copy, how, flags) walks through the text of one card. A row that needs a choice pushes the decision's frame
and stops; the frame is popped when it is settled, and the TEXT goes on. At the end come the Bounty draws that are owed and, if
the card has it, the question of Echo (X24, X28).
"""

from __future__ import annotations

from gosu_rl.core.bits import ZERO, U, add, lowest, popcount, remove
from gosu_rl.core.gosu.army import clans_in_army, find, size
from gosu_rl.core.gosu.costs import army_count, level_of, may_pass
from gosu_rl.core.gosu.counts import (
    CLAN_SHIFT,
    DONE,
    ECHOED,
    LOOKED,
    SHOWS,
    THAT_SHIFT,
    compares,
    first_of,
    keyword_of,
    rule_number,
    tokens_on,
    with_bounty,
)
from gosu_rl.core.gosu.decks import (
    BOTH as TO_BOTH,
)
from gosu_rl.core.gosu.decks import (
    DISCARDED,
    OWNER,
    can_draw,
    discard_shown,
    draw_own,
    eliminate,
    move_shown_below,
    note,
    place_in_deck,
    put_on_deck,
    show_top,
    shuffle_deck,
    take_from_deck,
)
from gosu_rl.core.gosu.piles import discard_hand, face_of, hand_copy, leave_hand, take_known
from gosu_rl.core.gosu.rules_x import (
    BOTH,
    EVERY,
    F_GROUP,
    K_ECHO,
    K_WONDROUS,
    MAY,
    OTHER,
    TEXT_ALWAYS,
    TEXT_ENTER,
    TO,
    W_TURNS,
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
    X_IF,
    X_IF_DONE,
    X_INTO_PLAY,
    X_JUMP,
    X_KEEP,
    X_LOOK,
    X_MODE,
    X_MOVE_BOUNTY,
    X_PASS,
    X_PUT,
    X_RELEASE,
    X_REMOVE,
    X_REMOVE_PILE,
    X_RESOLVE,
    X_REST,
    X_RETRIEVE,
    X_RETURN,
    X_RETURN_WONDER,
    X_REVEAL,
    X_SACRIFICE,
    X_TAKE_WONDER,
    X_TOKEN_BACK,
    X_UNLOCK,
    X_WIN,
)
from gosu_rl.core.gosu.state import (
    AIM,
    CARD,
    CLAN,
    COLUMNS,
    DISCARD,
    FIFTH,
    MODE,
    REGAIN,
    SLOTS,
    TEXT,
    pop,
    push,
)
from gosu_rl.core.gosu.state import (
    MAY as MAY_FRAME,
)
from gosu_rl.core.gosu.targets import (
    PILE,
    SHOWN,
    aim_slots,
    can_gain_turn,
    card_choice_open,
    card_faces,
    could_do,
    could_move,
    declinable,
    fitting_faces,
    is_aim,
    is_card_choice,
    is_secret,
    place_words,
    step_amount,
    text_at,
    tile_takes_ethereal,
    tiles_to_flip,
    touches,
)
from gosu_rl.core.gosu.turns import finish
from gosu_rl.core.jit import inner

ENTERING, ACTIVATION, BY_WILL, RESOLVED = range(4)  # how a text came to be resolved
DEEPEST = 3  # texts at work at one time (X52)
OPTIONAL, ECHO, BOUNTY_DRAW = range(3)  # what a MAY frame asks
CAPTURED_COUNT, DESTROYED_COUNT, LOST_COUNT = 0, 1, 4  # places in `tally`


@inner
def start_text(s, R, who, c, how, row):
    """Put the text of copy c at `row` on the stack, unless it has none or three are at work already (X52)."""
    at_work = 0
    for k in range(s.sp):
        if s.stack[k, 0] == TEXT:
            at_work += 1
    if row != 0 and at_work < DEEPEST:
        push(s, TEXT, who, row, c, how, 0)


@inner
def enter(s, R, who, c, slot):
    """Copy c takes an empty slot, or the place of a card just taken away: it enters (X8)."""
    s.army[who, slot] = c
    if keyword_of(R, c, K_WONDROUS):
        s.wonder = who
    start_text(s, R, who, c, ENTERING, R.prog[face_of(R, c), TEXT_ENTER])


@inner
def mark_done(s):
    """The step at work has changed something."""
    k = text_at(s)
    if k >= 0:
        s.stack[k, 5] |= DONE


@inner
def text_step(s, R):
    """Carry out one row of the TEXT frame on top of the stack."""
    k = s.sp - 1
    row = s.stack[k, 2]
    op = R.code[row, 0]
    if op == 0:
        end_text(s, R, k)
        return
    s.stack[k, 2] = row + 1
    who = s.stack[k, 1]
    if op == X_IF:
        if not compares(s, R, row, who, s.stack[k, 3], s.stack[k, 5]):
            s.stack[k, 2] = R.code[row, 1]
    elif op == X_IF_DONE:
        if s.stack[k, 5] & DONE == 0:
            s.stack[k, 2] = R.code[row, 1]
    elif op == X_JUMP:
        s.stack[k, 2] = R.code[row, 1]
    elif op == X_MODE:
        push(s, MODE, who, row, 0, 0, 0)
    else:
        s.stack[k, 5] &= ~DONE
        if asks_first(R, row):
            if could_do(s, R, row, k):
                push(s, MAY_FRAME, who, OPTIONAL, 0, 0, 0)
        else:
            do_step(s, R, row, k)


@inner
def asks_first(R, row):
    """Whether the step at `row` is optional and can be declined only as a whole: other choices have "decline" beside them."""
    flags = R.code[row, 4]
    op = R.code[row, 0]
    if flags & MAY == 0:
        return False
    if op == X_SACRIFICE or op == X_DISCARD:
        return flags & (OTHER | BOTH) != 0
    return flags & EVERY != 0 or not (is_aim(op) or is_card_choice(op) or op == X_TOKEN_BACK)


@inner
def end_text(s, R, k):
    """A text is carried out: the Bounty draws, then Echo, then it goes."""
    who = s.stack[k, 1]
    c = s.stack[k, 3]
    if s.due > 0:
        s.due -= 1
        if can_draw(s, who):
            push(s, MAY_FRAME, who, BOUNTY_DRAW, 0, 0, 0)
        return
    if s.stack[k, 5] & SHOWS != 0:
        s.shown = 0
        s.stack[k, 5] &= ~SHOWS
    if s.stack[k, 4] == ENTERING and s.stack[k, 5] & ECHOED == 0 and keyword_of(R, c, K_ECHO):
        s.stack[k, 5] |= ECHOED
        slot = find(s, who, c)
        if slot >= 0 and (s.trapped[who] >> slot) & 1 == 0:  # X51
            push(s, MAY_FRAME, who, ECHO, 0, 0, 0)
            return
    pop(s)


@inner
def answer_may(s, R, accepted):
    """An optional step, an Echo or a Bounty draw is taken or left."""
    what = s.stack[s.sp - 1, 2]
    who = s.stack[s.sp - 1, 1]
    pop(s)
    if not accepted:
        return
    k = s.sp - 1
    if what == BOUNTY_DRAW:
        draw_own(s, R, who, 1)
    elif what == ECHO:
        s.stack[k, 2] = R.prog[face_of(R, s.stack[k, 3]), TEXT_ENTER]
        s.stack[k, 5] = ECHOED
    else:
        do_step(s, R, s.stack[k, 2] - 1, k)


@inner
def do_step(s, R, row, k):
    """Carry out the step at `row` of the text in frame k, or put its choice."""
    op = R.code[row, 0]
    flags = R.code[row, 4]
    who = s.stack[k, 1]
    n = step_amount(s, R, row, k)
    if op == X_DRAW or op == X_DISCARD or op == X_SACRIFICE:
        for i in range(1, -1, -1):  # frames of the opponent's choices lie below those of the controller's
            q = who if i == 0 else 1 - who
            if op != X_DRAW and touches(R, row, who, q) and could_move(s, R, row, k, q, n):
                lose_cards(s, R, row, q, n)
        for i in range(2):
            q = who if i == 0 else 1 - who
            if op == X_DRAW and touches(R, row, who, q):
                draws = max(0, n - s.hand_size[q]) if flags & TO != 0 else n
                if draw_own(s, R, q, draws) > 0:
                    s.stack[k, 5] |= DONE
    elif is_aim(op):
        if flags & EVERY != 0:
            hit_every(s, R, row, k)
        elif n > 0:
            push(s, AIM, who, row, n, 1, 0)
    elif is_card_choice(op):
        short = op == X_PUT and flags & MAY != 0 and s.hand_size[who] < n  # a price is paid in full or not at all
        if n > 0 and card_choice_open(s, R, row, k) and not short:
            push(s, CARD, who, row, n, 1, 0)
    elif op == X_TOKEN_BACK:
        if n > 0:
            push(s, REGAIN, who, row, n, 0, 0)
    else:
        do_silent(s, R, op, row, k, n)


@inner
def lose_cards(s, R, row, q, n):
    """Player q is to discard or sacrifice for the step at `row`: n cards, or down to n."""
    flags = R.code[row, 4]
    if R.code[row, 0] == X_SACRIFICE:
        push(s, AIM, q, row, army_count(s, q) - n if flags & TO != 0 else n, 1, 0)
        return
    optional = declinable(R, row, 1)
    push(s, DISCARD, q, s.hand_size[q] - n if flags & TO != 0 else n, row if optional else 0, 1 if optional else 0, 0)
    if not optional:
        mark_done(s)


@inner
def do_silent(s, R, op, row, k, n):
    """Steps without targets."""
    who = s.stack[k, 1]
    done = True
    if op == X_REVEAL or op == X_LOOK:
        done = show_top(s, who, n, TO_BOTH if op == X_REVEAL else OWNER) > 0
        s.stack[k, 5] = (s.stack[k, 5] & ~LOOKED) | SHOWS | (LOOKED if op == X_LOOK else 0)
    elif op == X_REST:
        done = s.shown > 0
        rest_to(s, who, R.code[row, 1])
    elif op == X_EXTRA:
        done = can_gain_turn(s, who)
        gain_turn(s, who)
    elif op == X_UNLOCK:
        unlock(s, who)
    elif op == X_TAKE_WONDER:
        done = s.wonder != who
        s.wonder = who
    elif op == X_RETURN_WONDER:
        done = s.wonder == who
        if done:
            s.wonder = -1
    elif op == X_FLIP:
        done = flip_tiles(s, R, tiles_to_flip(s, R, who))
    elif op == X_CLAN:
        s.stack[k, 5] &= ~(15 << CLAN_SHIFT)
        done = False
        if clans_in_army(s, R, 0) | clans_in_army(s, R, 1) != 0:
            push(s, CLAN, who, 0, 0, 0, 0)
    elif op == X_PASS:
        done = s.passed[who] == 0 and may_pass(s, who)
        if done:
            pass_x(s, R, who)
    elif op == X_WIN:
        s.win[who] = 1
        finish(s, R.code[row, 1])
        return
    if done:
        s.stack[k, 5] |= DONE


@inner
def rest_to(s, who, place):
    """The shown cards that are left: on top (as they lie), under the deck, or to the discard pile."""
    if place == 1:
        move_shown_below(s, who)
    elif place == 2:
        discard_shown(s, who)
    s.shown = 0


@inner
def gain_turn(s, who):
    """An additional turn after this one, if that means anything (X4, X53)."""
    if can_gain_turn(s, who):
        s.extra = 1


@inner
def unlock(s, who):
    """One more Activation token; with none locked that wins (X12)."""
    if s.locked[who] == 0:
        s.win[who] = 1
        finish(s, FIFTH)
    else:
        s.locked[who] -= 1
        s.tokens[who] += 1


@inner
def pass_x(s, R, p):
    """Player p is out of the round; if he is the first, the other has so many turns more (X4, X20)."""
    s.passed[p] = 1
    s.turns_left[p] = 0
    if s.active == p:
        s.extra = 0
    if s.passed[1 - p] == 0:
        s.turns_left[1 - p] = rule_number(s, R, p, W_TURNS, R.turns_after_pass)


@inner
def flip_tiles(s, R, mask):
    """Tiles become active at once: a running limit of turns changes with them (X20), Ethereal tokens go to their tile (X57)."""
    if mask == 0:
        return False
    for q in range(2):
        before = rule_number(s, R, 1 - q, W_TURNS, R.turns_after_pass)
        tiles = s.tiles
        s.tiles |= mask
        change = rule_number(s, R, 1 - q, W_TURNS, R.turns_after_pass) - before
        s.tiles = tiles
        if s.passed[1 - q] != 0 and s.passed[q] == 0 and s.turns_left[q] >= 0:
            s.turns_left[q] = max(0, s.turns_left[q] + change)
    s.tiles |= mask
    if tile_takes_ethereal(s, R):
        for q in range(2):
            s.ether[q] = 0
    return True


# ------------------------------------------------------------------------------------------------ cards of armies


@inner
def drop_tokens(s, q, slot):
    """What lies on a card that is captured or leaves: Activation tokens are spent, the others go beside the board (X23)."""
    s.spent[q] += tokens_on(s, q, slot)
    keep = ~(1 << slot)
    s.marked[q] &= keep
    s.marked2[q] &= keep
    s.ether[q] &= keep
    if s.bounty == SLOTS * q + slot:
        s.bounty = -1


@inner
def leave_army(s, q, slot):
    """An OPEN card leaves q's army; its row stays packed. Returns the copy."""
    c = s.army[q, slot]
    drop_tokens(s, q, slot)
    s.army[q, slot] = -1
    s.rows[q, slot // COLUMNS] -= 1
    s.trapped[q] &= ~(1 << slot)
    return c


@inner
def sacrifice(s, q, slot):
    """Player q sacrifices an OPEN card: neither destroyed nor captured (X24)."""
    c = leave_army(s, q, slot)
    add(s.discard[q], c)


@inner
def hit(s, R, op, who, q, slot):
    """Do to the card in a slot of q's what a text of who's says: capture, release, destroy, return, remove, sacrifice."""
    if op == X_CAPTURE or op == X_DESTROY:
        if q != who and (with_bounty(s, R, q) >> slot) & 1 != 0:
            s.due += 1  # X24
        note(s, who, CAPTURED_COUNT if op == X_CAPTURE else DESTROYED_COUNT, 1)
        note(s, q, LOST_COUNT, 1)
    if op == X_CAPTURE:
        drop_tokens(s, q, slot)
        s.trapped[q] |= 1 << slot
    elif op == X_RELEASE:
        s.trapped[q] &= ~(1 << slot)
    elif op == X_RETURN:
        take_known(s, q, leave_army(s, q, slot))
    elif op == X_REMOVE:
        add(s.removed[0], leave_army(s, q, slot))
    else:
        add(s.discard[q], leave_army(s, q, slot))


@inner
def hit_every(s, R, row, k):
    """A step with "every": the set is fixed first, then all at once; the highest slots first, so that rows stay packed (X29)."""
    who = s.stack[k, 1]
    zero = aim_slots(s, R, row, who, k, 0)
    one = aim_slots(s, R, row, who, k, 1)
    for slot in range(SLOTS - 1, -1, -1):
        if (zero >> slot) & 1 != 0:
            hit(s, R, R.code[row, 0], who, 0, slot)
        if (one >> slot) & 1 != 0:
            hit(s, R, R.code[row, 0], who, 1, slot)
    if zero | one != 0:
        s.stack[k, 5] |= DONE


@inner
def aim_at(s, R, q, slot):
    """A target of the AIM frame on top is chosen."""
    top = s.sp - 1
    row = s.stack[top, 2]
    op = R.code[row, 0]
    s.stack[top, 3] -= 1
    s.stack[top, 4] = 0
    if s.stack[top, 3] <= 0:
        pop(s)
    k = text_at(s)
    who = s.stack[k, 1]
    c = s.army[q, slot]
    s.stack[k, 5] = (s.stack[k, 5] & ~(127 << THAT_SHIFT)) | DONE | (c + 1) << THAT_SHIFT
    if op == X_RESOLVE:
        start_text(s, R, who, c, RESOLVED, R.prog[face_of(R, c), TEXT_ALWAYS])
    elif op == X_BOUNTY or op == X_MOVE_BOUNTY:
        s.bounty = SLOTS * q + slot
    elif op == X_ETHEREAL:
        s.ether[q] |= 1 << slot
    else:
        hit(s, R, op, who, q, slot)


@inner
def aim_settles(s, R):
    """Answer the AIM frame on top where public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    row = s.stack[top, 2]
    chooser = s.stack[top, 1]
    k = text_at(s)
    zero = aim_slots(s, R, row, chooser, k, 0)
    one = aim_slots(s, R, row, chooser, k, 1)
    targets = size(zero) + size(one)
    first = s.stack[top, 4]
    price = first != 0 and declinable(R, row, 1) and not declinable(R, row, 0)
    if targets == 0 or (price and army_count(s, chooser) < s.stack[top, 3]):
        pop(s)
        return True
    if targets > 1 or declinable(R, row, first):
        return False
    if zero != 0:
        aim_at(s, R, 0, lowest(U(zero)))
    else:
        aim_at(s, R, 1, lowest(U(one)))
    return True


# ------------------------------------------------------------------------------------------------ cards of piles, decks and hands


@inner
def choose_card(s, R, f):
    """Face f is chosen for the CARD frame on top."""
    top = s.sp - 1
    row = s.stack[top, 2]
    op = R.code[row, 0]
    who = s.stack[top, 1]
    s.stack[top, 3] -= 1
    s.stack[top, 4] = 0
    k = text_at(s)
    s.stack[k, 5] |= DONE
    secret = is_secret(s, R, row, k)
    low, high = place_words(s, R, row, who)
    c = (
        hand_copy(s, R, who, f)
        if op == X_PUT or (op == X_INTO_PLAY and R.code[row, 1] == 0)
        else first_of(R, low, high, f)
    )
    if op == X_KEEP:
        shown = not secret or R.filters[R.code[row, 3], F_GROUP] >= 0
        take_from_deck(s, who, place_in_deck(s, who, c), shown)
        s.shown -= 1
        eliminate(s, who)
    elif op == X_FETCH:
        take_from_deck(s, who, place_in_deck(s, who, c), True)
    elif op == X_PUT:
        put_on_deck(s, who, c, R.code[row, 1])
    elif op == X_INTO_PLAY:
        put_into_play(s, R, row, who, c)
    else:
        remove(s.removed[0] if op == X_RETRIEVE else s.discard[who], c)
        if op == X_REMOVE_PILE:
            add(s.removed[0], c)
        else:
            take_known(s, who, c)


@inner
def put_into_play(s, R, row, who, c):
    """Copy c leaves where it lies and enters the leftmost empty slot of its row (X39). The CARD frame on top is done with."""
    pop(s)
    if R.code[row, 1] == PILE:
        remove(s.discard[who], c)
    elif R.code[row, 1] == SHOWN:
        take_from_deck(s, who, place_in_deck(s, who, c), True)
        leave_hand(s, who, c)
        s.shown -= 1
        eliminate(s, who)
    else:
        leave_hand(s, who, c)
    level = level_of(R, c)
    slot = COLUMNS * level + s.rows[who, level]
    s.rows[who, level] += 1
    enter(s, R, who, c, slot)


@inner
def end_choice(s, R):
    """The CARD frame on top is done with or declined; a deck that was searched is shuffled."""
    top = s.sp - 1
    row = s.stack[top, 2]
    who = s.stack[top, 1]
    pop(s)
    if R.code[row, 0] == X_FETCH:
        shuffle_deck(s, R, who)
        eliminate(s, who)


@inner
def choice_settles(s, R):
    """Answer the CARD frame on top where public facts leave one answer (T42); True if that was so."""
    top = s.sp - 1
    row = s.stack[top, 2]
    left = s.stack[top, 3]
    k = text_at(s)
    if left <= 0 or not card_choice_open(s, R, row, k):
        end_choice(s, R)
        return True
    op = R.code[row, 0]
    if declinable(R, row, s.stack[top, 4]):
        return False
    if is_secret(s, R, row, k):
        if op != X_PUT or s.hand_size[s.stack[top, 1]] > 1:
            return False
    elif fitting_faces(s, R, row, k) > 1 and fitting_copies(s, R, row, k) > left:
        return False
    zero = card_faces(s, R, row, k, 0)
    choose_card(s, R, lowest(zero) if zero != ZERO else 64 + lowest(card_faces(s, R, row, k, 1)))
    return True


@inner
def fitting_copies(s, R, row, k):
    """How many copies may be chosen for the step at `row`."""
    low, high = place_words(s, R, row, s.stack[k, 1])
    total = 0
    for w in range(2):
        word = card_faces(s, R, row, k, w)
        total += popcount(word)
        while word != ZERO:
            f = 64 * w + lowest(word)
            word &= word - U(1)
            first, twin = f, f + R.faces
            if twin < R.copies:
                one = ((low if first < 64 else high) >> U(first & 63)) & U(1)
                two = ((low if twin < 64 else high) >> U(twin & 63)) & U(1)
                total += 1 if one & two != ZERO else 0
    return total


# ------------------------------------------------------------------------------------------------ hands and tokens


@inner
def discard_own(s, R, q, f):
    """Player q discards a card of face f from the hand to his own pile."""
    move_to_pile(s, q, hand_copy(s, R, q, f))


@inner
def discard_whole_hand(s, q):
    """All of q's hand goes to his own pile."""
    note(s, q, DISCARDED, s.hand_size[q])
    discard_hand(s, q, q)


@inner
def use_will(s, R, q, f):
    """A card with Force of Will is discarded from the hand and its text resolved (X31)."""
    c = hand_copy(s, R, q, f)
    move_to_pile(s, q, c)
    start_text(s, R, q, c, BY_WILL, R.prog[f, TEXT_ALWAYS])


@inner
def move_to_pile(s, q, c):
    """Copy c goes from q's hand to his pile."""
    leave_hand(s, q, c)
    add(s.discard[q], c)
    note(s, q, DISCARDED, 1)


@inner
def token_back(s, R, from_spent, slot):
    """An Activation token comes back to the hand for the REGAIN frame on top."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if from_spent:
        s.spent[who] -= 1
    else:
        take_token(s, who, slot)
    s.tokens[who] += 1
    s.stack[top, 3] -= 1
    mark_done(s)


@inner
def take_token(s, q, slot):
    """One Activation token less on the card in a slot."""
    put_tokens(s, q, slot, tokens_on(s, q, slot) - 1)


@inner
def put_tokens(s, q, slot, k):
    """So many Activation tokens lie on the card in a slot."""
    keep = ~(1 << slot)
    s.marked[q] = (s.marked[q] & keep) | (k & 1) << slot
    s.marked2[q] = (s.marked2[q] & keep) | (k >> 1) << slot


@inner
def regain_settles(s, R):
    """Answer the REGAIN frame on top where one answer is left; True if that was so."""
    top = s.sp - 1
    who = s.stack[top, 1]
    on_cards = s.marked[who] | s.marked2[who]
    answers = size(on_cards) + (1 if s.spent[who] > 0 else 0)
    if s.stack[top, 3] <= 0 or answers == 0:
        pop(s)
        return True
    if answers > 1 or declinable(R, s.stack[top, 2], 1):
        return False
    token_back(s, R, s.spent[who] > 0, lowest(U(on_cards)) if on_cards != 0 else 0)
    return True


@inner
def unlocked(s, R, q):
    """Activation tokens that q owns: all there are but those still locked, and never fewer than he began with."""
    return max(R.tokens, R.token_limit - s.locked[q])
