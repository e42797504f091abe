"""Gosu X between rounds: fifteen cards, the Great Battle, the Song for the Dead."""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.gosu.army import face_in, face_up, size
from gosu_rl.core.gosu.state import CONDITION, DIRGE, FIFTEEN, GOAN_SUL, SONG
from gosu_rl.core.gosu.turns import begin_round, check_points, finish
from gosu_rl.core.gosu_x.costs import army_count
from gosu_rl.core.gosu_x.counts import all_compare, rule_number
from gosu_rl.core.gosu_x.decks import draw_own
from gosu_rl.core.gosu_x.rules import GOAN_SUL_CLAN, W_SONG, WIN
from gosu_rl.core.gosu_x.tokens import unlocked
from gosu_rl.core.gosu_x.values import army_value
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop, push

TWO = 2


@inner
def full(s, R, q):
    """Whether q's army has as many face-up cards as win (X12, X36)."""
    return size(face_up(s, q)) >= R.full_army


@inner
def check_full(s, R):
    """Looked at after every change; if one change gives it to both, the active player wins (X41)."""
    for k in range(TWO):
        q = (s.active + k) % TWO
        if full(s, R, q):
            s.win[q] = 1
            finish(s, FIFTEEN)
            return


@inner
def battle(s, R):
    """The Great Battle: a lead that wins the game is looked at first (X42), then the Supremacy token is given (X13)."""
    first, second = army_value(s, R, 0), army_value(s, R, 1)
    s.battles += 1
    s.battle_wonder = s.wonder
    s.battle_top = 3 if first == second else 1 if first > second else 2
    s.battle_scored = 1 << s.wonder if first == second and s.wonder >= 0 else s.battle_top
    s.lead = first - second
    for k in range(TWO):
        q = (s.active + k) % TWO
        if s.over == 0:
            win_by_condition(s, R, q)
    s.lead = 0
    if s.over != 0:
        return
    for q in range(TWO):
        s.points[q] += (s.battle_scored >> q) & 1
    check_points(s, R)
    if s.over == 0:
        winner = rng.below(s, TWO) if s.battle_scored == 3 else s.battle_scored - 1
        s.adv = 1 - winner  # the loser begins the next round (X14); after a tie lots say who counts as such (X44)
        push(s, DIRGE, winner, 0, rule_number(s, R, 0, W_SONG, 0), rule_number(s, R, 1, W_SONG, 0), 0)


@inner
def win_by_condition(s, R, q):
    """Whether a face-up card of q's, or an active tile, makes him win at this Battle (X16)."""
    slots = face_up(s, q)
    slot = 0
    while slots != 0:
        if slots & 1 != 0:
            f = face_in(s, R, q, slot)
            row = R.prog[f, WIN]
            if row != 0 and all_compare(s, R, row, q, s.army[q, slot]):
                s.win[q] = 1
                finish(s, R.win_reason[f])
                return
        slots >>= 1
        slot += 1
    for clan in range(R.clans):
        row = R.tile_win[clan]
        if row != 0 and (s.tiles >> clan) & 1 != 0 and all_compare(s, R, row, q, -1):
            s.win[q] = 1
            finish(s, GOAN_SUL if clan == GOAN_SUL_CLAN else CONDITION)
            return


@inner
def dirge(s, R):
    """The DIRGE frame on top, stage by stage: the release, the sacrifices, then draws, tokens and the next round (X14, X44)."""
    top = s.sp - 1
    winner = s.stack[top, 1]
    stage = s.stack[top, 2]
    s.stack[top, 2] = stage + 1
    if stage == 0:
        release_both(s, R)
    elif stage == 1:
        for k in range(1, -1, -1):  # the winner's frame lies above the loser's
            q = winner if k == 0 else 1 - winner
            push(s, SONG, q, (army_count(s, q) + 1) // 2 + s.stack[top, 3 + q], 0, 0, 0)
    else:
        pop(s)
        for k in range(TWO):
            q = winner if k == 0 else 1 - winner
            draw_own(s, R, q, max(0, R.hand_target - s.hand_size[q]))
            s.marked[q] = 0
            s.marked2[q] = 0
            s.spent[q] = 0
            s.tokens[q] = unlocked(s, R, q)
        s.wonder = -1
        begin_round(s)


@inner
def release_both(s, R):
    """All captured cards turn up together: if that makes fifteen in both armies, the game is a draw (X44)."""
    for q in range(TWO):
        s.trapped[q] = 0
    won = False
    for q in range(TWO):
        if full(s, R, q):
            s.win[q] = 1
            won = True
    if won:
        finish(s, FIFTEEN)
