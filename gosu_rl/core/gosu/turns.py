"""Turns, rounds, the Great Battle, and the ways a game ends.

The TURNS frame at the bottom of the stack runs whenever no decision is pending: it closes the turn that has ended and opens the
next, or fights the battle.
"""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.bits import ZERO
from gosu_rl.core.gosu.army import (
    DOUBLE_VICTORY,
    HELD_FAST,
    ROUND_DRAW,
    SPARE_TOKEN,
    WINS_TIES,
    bend_rules,
    instant_victory,
    strength,
)
from gosu_rl.core.gosu.piles import draw
from gosu_rl.core.gosu.state import (
    CARDS,
    DEEPEST,
    OVER,
    POINTS,
    REFRESH,
    ROUND,
    SEATS,
    TRUNCATED,
    TURN,
    TURNS,
)
from gosu_rl.core.jit import inner
from gosu_rl.core.legal_set import clear
from gosu_rl.core.stack import pop, push


@inner
def begin_game(s, R, n, seed, holder):
    """What every deal begins with: all cards shuffled in `deck`; `holder`, or by lot if -1, begins the first round (T1, T46)."""
    s.n = n
    s.rng = rng.mix(seed, rng.STREAM_DEAL)
    s.ndeck = R.copies
    for c in range(CARDS):
        s.deck[c] = c if c < R.copies else -1
    rng.shuffle(s, s.deck, s.ndeck)
    s.rng = rng.mix(seed, rng.STREAM_HOLDER)
    s.adv = rng.below(s, n) if holder < 0 else holder
    s.rng = rng.mix(seed, rng.STREAM_PLAY)
    begin_round(s)
    push(s, TURNS, 0, 0, 0, 0, 0)


@inner
def stop_long(s, R):
    """A game that has had all its decisions is over without a winner (T45)."""
    if s.over == 0 and s.decisions >= R.max_decisions:
        finish(s, TRUNCATED)
        clear(s)


@inner
def finish(s, reason):
    """The game ends; `win` names the winners."""
    s.over = 2 if reason == TRUNCATED else 1
    s.reason = reason
    s.mover = -1
    s.kind = OVER
    while s.sp > 0:
        pop(s)
    for d in range(DEEPEST):
        s.shown[d] = ZERO


@inner
def check_army(s, R, q):
    """Instant victory of q's army, looked for after every change of it (T22, T38)."""
    reason = instant_victory(s, R, q)
    if reason != 0 and s.over == 0:
        s.win[q] = 1
        finish(s, reason)


@inner
def check_released(s, R):
    """The release of a new round is one change for all armies: the holder among the winners wins alone (T38)."""
    won = 0
    best = 0
    for q in range(s.n):
        reason = instant_victory(s, R, q)
        if reason != 0:
            won |= 1 << q
            best = reason if best == 0 else min(best, reason)  # fifteen is reported before nine
    if won == 0:
        return
    if (won >> s.adv) & 1 != 0:
        won = 1 << s.adv
        best = instant_victory(s, R, s.adv)
    for q in range(s.n):
        s.win[q] = (won >> q) & 1
    finish(s, best)


@inner
def begin_round(s):
    """Set the counters of a round; the Advantage holder begins it (T4)."""
    s.rnd += 1
    s.limit = -1
    s.first = s.adv
    s.active = s.adv
    s.extra = 0
    s.in_turn = 0
    for q in range(s.n):
        s.turns_left[q] = -1
        s.passed[q] = 0
        s.taken[q] = 0


@inner
def new_round(s, R):
    """The ROUND frame on top: first the release, then, when what it changed has been looked at (G16), the tokens (G17), the draws
    and the questions for a new hand (T23, T41)."""
    top = s.sp - 1
    if s.stack[top, 2] == 0:
        s.stack[top, 2] = 1
        release_all(s, R)
        return
    pop(s)
    tokens_back(s, R)
    for k in range(s.n):
        q = (s.adv + k) % s.n
        more = 2 if s.bent[q] & ROUND_DRAW != 0 else 0
        draw(s, R, q, max(0, R.hand_target - s.points[q] - s.hand_size[q]) + more)
    if R.refreshes != 0:
        for k in range(s.n - 1, -1, -1):
            push(s, REFRESH, (s.adv + k) % s.n, 0, 0, 0, 0)


@inner
def release_all(s, R):
    """The next round has come: all goblins are released (T23), but for those held fast (G24)."""
    begin_round(s)
    holding = 0  # seats whose Ôzeki keeps the others' goblins trapped
    for q in range(s.n):
        if s.bent[q] & HELD_FAST != 0:
            holding |= 1 << q
    for q in range(SEATS):
        if holding & ~(1 << q) == 0:
            s.trapped[q] = 0
    if R.watching != 0:
        bend_rules(s, R)
    check_released(s, R)


@inner
def tokens_back(s, R):
    """All activation tokens are ready again (G2); an Ôzeki may bring one more."""
    for q in range(s.n):
        s.marked[q] = 0
        s.spent[q] = 0
        s.tokens[q] = R.tokens + (1 if s.bent[q] & SPARE_TOKEN != 0 else 0)


@inner
def battle(s, R):
    """The Great Battle: the strongest score; among tied ones the Advantage holder alone (T37); a third point wins (T21)."""
    highest = -1
    top = 0
    for q in range(s.n):
        total = strength(s, R, q)
        if total > highest:
            highest = total
            top = 0
        if total == highest:
            top |= 1 << q
    leaders = 0  # tied players whom an Ôzeki lets win ties
    for q in range(s.n):
        if (top >> q) & 1 != 0 and s.bent[q] & WINS_TIES != 0:
            leaders |= 1 << q
    if leaders == 0:
        leaders = top
    scored = 1 << s.adv if (leaders >> s.adv) & 1 != 0 else leaders
    s.battles += 1
    s.battle_top = top
    s.battle_scored = scored
    for q in range(s.n):
        worth = 2 if s.bent[q] & DOUBLE_VICTORY != 0 else 1  # G8, G13
        s.points[q] += worth * ((scored >> q) & 1)
    check_points(s, R)
    if s.over == 0:
        push(s, ROUND, 0, 0, 0, 0, 0)


@inner
def check_points(s, R):
    """Whoever has points enough wins; several at once share (T21, G13)."""
    won = False
    for q in range(s.n):
        if s.points[q] >= R.points_to_win:
            s.win[q] = 1
            won = True
    if won:
        finish(s, POINTS)


@inner
def end_turn(s, R):
    """Count the turn that has ended (T36); extra turns are not counted against the limit (T7), but in GOSU (G19)."""
    p = s.active
    s.in_turn = 0
    s.taken[p] += 1
    s.turns += 1
    if (s.regular != 0 or R.counts_extra != 0) and s.turns_left[p] > 0:
        s.turns_left[p] -= 1


@inner
def begin_turn(s, R, p, regular):
    """Player p is to act."""
    s.active = p
    s.regular = regular
    s.in_turn = 1
    if R.counts_extra != 0 and s.turns_left[p] == 1:
        s.extra = 0  # the last turn that counts: only extra turns gained in it are still played (G19)
    if s.taken[p] >= R.max_turns_per_round:
        s.capped += 1
    push(s, TURN, p, 0, 0, 0, 0)


@inner
def next_turn(s, R):
    """Open the next turn: an extra one, else the next seat clockwise that is still in (T36). False: nobody is left."""
    after = s.in_turn  # 0 at the start of a round, when the active player himself is next
    if s.in_turn != 0:
        end_turn(s, R)
    if s.extra > 0:
        s.extra -= 1
        begin_turn(s, R, s.active, 0)
        return True
    s.extra = 0
    for k in range(s.n):
        q = (s.active + after + k) % s.n
        if s.turns_left[q] != 0:
            begin_turn(s, R, q, 1)
            return True
    return False


@inner
def pass_turn(s, R, p):
    """Player p is out of the round; the first pass leaves the others so many regular turns (T6, T35), none is renewed."""
    first = True
    for q in range(s.n):
        if s.passed[q] != 0:
            first = False
    s.passed[p] = 1
    s.turns_left[p] = 0
    s.extra = 0  # T7
    if first and R.turns_after_pass >= 0:
        for q in range(s.n):
            if q != p:
                s.turns_left[q] = R.turns_after_pass
