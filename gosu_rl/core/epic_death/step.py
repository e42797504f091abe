"""Dealing and stepping: the two functions through which a game moves.

`deal` lays out the field and hands out cards and stops there; the first `step(state, rules, START)` runs to the first
decision. `step` takes an action, carries it out, and lets everything run that needs no choice.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ONE, ZERO, U, add, lowest
from gosu_rl.core.epic_death.actions import ABILITY, DRAW_NONE, EPIC_DEATH, STAY
from gosu_rl.core.epic_death.armies import pick_copy, put_crew
from gosu_rl.core.epic_death.combat import combat, finish, fray, try_epic_death
from gosu_rl.core.epic_death.effects import (
    look_at,
    lose_face,
    machine_off,
    name_victim,
    nobody_named,
    run,
    take,
    takeable,
    victims,
)
from gosu_rl.core.epic_death.field import send, single
from gosu_rl.core.epic_death.legal import fill_legal, picks, spaces
from gosu_rl.core.epic_death.maneuvers import choose_first, move_to, swap_lands, turn_up
from gosu_rl.core.epic_death.piles import discard_face, discard_hand
from gosu_rl.core.epic_death.rules import TOWN
from gosu_rl.core.epic_death.state import (
    ACTION,
    AFTER_TOSS,
    ANSWER,
    ANSWERS,
    ASKING,
    AUTO,
    CARDS,
    COINS,
    COMBAT,
    CREW,
    DISCARD,
    EPIC,
    FLEE,
    FRAY,
    HERO,
    LOSE,
    MACHINE,
    MARCH,
    MUSTER,
    OFF,
    PEEK,
    REGROUP,
    REINFORCE,
    RUN,
    STEP,
    SWAP_LAND,
    SWAP_WITH,
    TAKE,
    THEFTS,
    TOSS,
    TOSSES,
    TRUNCATED,
    TURN_UP,
    TURNS,
    VICTIM,
    WINDOW,
)
from gosu_rl.core.epic_death.tosses import toss_from, toss_hero, toss_on
from gosu_rl.core.epic_death.turns import (
    can_reinforce,
    march,
    may_use_ability,
    play_from_menu,
    reinforce,
    turn_on,
    use_ability,
)
from gosu_rl.core.epic_death.windows import announce, ask_around, ask_for_answers, carry_out, play_in_window
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.legal_set import clear
from gosu_rl.core.stack import pop, push

START = -1


@entry
def deal(s, R, n, seed, holder):
    """Set up a blank state for n players (E11, E50); `holder` begins, -1 draws who does. The deal itself hangs on the seed only."""
    s.n = n
    s.rng = rng.mix(seed, rng.STREAM_DEAL)
    for q in range(n):  # starts by lot
        s.deck[q] = R.start[n, q]
    rng.shuffle(s, s.deck, n)
    for q in range(n):
        s.at[q] = s.deck[q]
    for i in range(R.leaders):
        s.deck[i] = i
    rng.shuffle(s, s.deck, R.leaders)
    for q in range(n):
        s.leader[q] = s.deck[q]
    lay_lands(s, R)
    s.ndeck = R.copies
    for c in range(CARDS):
        s.deck[c] = c if c < R.copies else -1
    rng.shuffle(s, s.deck, s.ndeck)
    for q in range(n):
        for _ in range(R.deal):
            s.ndeck -= 1
            add(s.hand[q], s.deck[s.ndeck])
        s.hand_size[q] = R.deal
        s.tokens[q] = R.tokens
    for i in range(s.ndeck, CARDS):  # the order of the deck is counted from here
        s.deck[i] = -1
    s.pool = R.all_tokens - n * R.tokens
    s.rng = rng.mix(seed, rng.STREAM_HOLDER)
    s.adv = rng.below(s, n) if holder < 0 else holder
    s.rng = rng.mix(seed, rng.STREAM_PLAY)
    s.active = s.adv
    s.rnd = 1
    push(s, TURNS, 0, 0, 0, 0, 0)


@inner
def lay_lands(s, R):
    """Lands face down on the field, each terrain shuffled by itself; the deck serves as scratch."""
    for terrain in range(4):
        k = 0
        for copy in range(R.lands):
            if R.terrain_of[copy] == terrain:
                s.deck[k] = copy
                k += 1
        rng.shuffle(s, s.deck, k)
        for space in range(R.spaces):
            if R.terrain[space] == terrain:
                k -= 1
                s.land[space] = s.deck[k]
                s.lands |= ONE << U(space)
                if terrain == TOWN:
                    s.towns += 1


@entry
def step(s, R, action):
    """Carry out an action (START: none) and run to the next decision or the end. The action must be legal."""
    if action >= 0:
        s.decisions += 1
        forget_chance(s)
        resolve(s, R, action)
    advance(s, R)
    if s.over == 0 and s.decisions >= R.max_decisions:  # E8
        finish(s, TRUNCATED)
        clear(s)


@inner
def forget_chance(s):
    """Coins, thefts and random discards are told of the last step only."""
    for w in range(COINS):
        s.coins[w] = ZERO
    s.ncoins = 0
    for i in range(THEFTS):
        s.stolen[i] = -1
    s.nstolen = 0
    for i in range(s.ndropped):
        s.dropped[i] = -1
    s.ndropped = 0


@inner
def advance(s, R):
    """Run automatic frames and answer what public facts leave no choice in (E48), until a decision is to be put."""
    while s.over == 0:
        top = s.sp - 1
        op = s.stack[top, 0]
        if op >= AUTO:
            automatic(s, R, op)
        elif not settled(s, R, op):
            fill_legal(s, R)
            s.mover = s.stack[top, 1]
            s.kind = op
            return
    clear(s)


@inner
def automatic(s, R, op):
    """Carry out a frame that needs no choice."""
    if op == TURNS:
        turn_on(s, R)
    elif op == COMBAT:
        combat(s, R)
    elif op == FRAY:
        fray(s, R)
    elif op == ASKING:
        ask_around(s)
    elif op == ANSWERS:
        ask_for_answers(s)
    elif op == ACTION:
        carry_out(s, R)
    elif op == RUN:
        run(s, R)
    elif op == TOSSES:
        toss_on(s, R)


@inner
def settled(s, R, op):
    """Answer the decision on top if public facts leave one answer (E48); True if that was so."""
    top = s.sp - 1
    who = s.stack[top, 1]
    if op == REINFORCE:
        if can_reinforce(s, R) == 0:
            pop(s)
            reinforce(s, R, who, 0)
            return True
    elif op == MUSTER or op == REGROUP or op == MARCH:
        if s.hand_size[who] == 0 and not may_use_ability(s, R, who) and spaces(s, R) == ZERO:
            pop(s)
            return True
    elif op == DISCARD:
        left = s.stack[top, 2]
        if left <= 0 or left >= s.hand_size[who]:
            pop(s)
            if left > 0:
                discard_hand(s, who)
            return True
    elif op == VICTIM:
        mask = U(victims(s))
        if mask == ZERO:
            nobody_named(s, R)
            return True
        if single(mask):
            name_victim(s, R, lowest(mask))
            return True
    elif op == CREW:
        if picks(s, R) == ZERO:
            pop(s)
            return True
    elif op == LOSE or op == TAKE or op == OFF:
        faces = takeable(s, R, s.stack[top, 2]) if op == TAKE else picks(s, R)
        if faces == ZERO:
            pop(s)
            return True
        if single(faces):
            choose_face(s, R, op, lowest(faces))
            return True
    elif op == STEP and s.stack[top, 4] != 0:  # a further step may be declined
        return False
    elif op == STEP or op == PEEK or op == FLEE or op == TURN_UP or op == SWAP_LAND or op == SWAP_WITH:
        choices = spaces(s, R)
        if choices == ZERO:
            pop(s)
            return True
        if single(choices):
            choose_space(s, op, lowest(choices))
            return True
    return False


@inner
def choose_face(s, R, op, f):
    """A face is chosen for the LOSE, TAKE or OFF decision on top."""
    if op == TAKE:
        take(s, R, f)
    elif op == OFF:
        machine_off(s, R, f)
    else:
        lose_face(s, R, f)


@inner
def choose_space(s, op, space):
    """A space is chosen for the decision on top: STEP, PEEK, FLEE, TURN_UP, SWAP_LAND or SWAP_WITH."""
    if op == STEP:
        move_to(s, space)
    elif op == PEEK:
        look_at(s, space)
    elif op == TURN_UP:
        turn_up(s, space)
    elif op == SWAP_LAND:
        choose_first(s, space)
    elif op == SWAP_WITH:
        swap_lands(s, space)
    else:
        who = s.stack[s.sp - 1, 1]
        pop(s)
        send(s, who, space)


@inner
def resolve(s, R, action):
    """Do what a legal action says, by the kind of decision on top."""
    top = s.sp - 1
    op = s.stack[top, 0]
    who = s.stack[top, 1]
    if op == REINFORCE:
        pop(s)
        reinforce(s, R, who, action - DRAW_NONE)
    elif op == MUSTER or op == REGROUP or op == MARCH:
        menu(s, R, op, who, action)
    elif op == WINDOW or op == ANSWER or op == AFTER_TOSS:
        if action < R.o_player:
            pop(s)
        elif op == WINDOW:
            play_in_window(s, R, who, action - R.o_play)
        else:
            pop(s)
            announce(s, R, who, action - R.o_play)
    elif op == CREW:
        if action < R.o_player:
            pop(s)
        else:
            crew_face(s, R, who, action - R.o_pick)
    elif op == EPIC:
        pop(s)
        if action == EPIC_DEATH:
            try_epic_death(s, R, who)
    elif op == TOSS:
        what = s.stack[top, 2]
        pop(s)
        if what == HERO:
            toss_hero(s, R, who, action - R.o_pick)
        else:
            toss_from(s, R, who, action - R.o_pick)
    elif op == DISCARD:
        s.stack[top, 2] -= 1
        discard_face(s, R, who, action - R.o_discard)
    elif op == VICTIM:
        name_victim(s, R, action - R.o_player)
    elif op == LOSE or op == TAKE or op == OFF:
        choose_face(s, R, op, action - (R.o_take if op == TAKE else R.o_pick))
    elif op == STEP and action == STAY:
        pop(s)
    else:
        choose_space(s, op, action - R.o_space)


@inner
def menu(s, R, op, who, action):
    """An answer in a menu of the own turn: a move, a card, the ability, or the end of the phase."""
    if action == ABILITY:
        use_ability(s, R, who)
    elif action < R.o_player:
        pop(s)
    elif action < R.o_play:
        march(s, R, who, action - R.o_space, s.stack[s.sp - 1, 2])
    else:
        play_from_menu(s, R, who, action - R.o_play)


@inner
def crew_face(s, R, q, f):
    """A Machine of face f without crew gets its crew (E17)."""
    put_crew(s, R, q, pick_copy(s, R, q, f, MACHINE))
