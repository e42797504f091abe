"""Activation tokens (Gosu X): on cards, up to three on one; back to the hand; unlocked. The REGAIN frame."""

from __future__ import annotations

from gosu_rl.core.bits import U, lowest
from gosu_rl.core.gosu.army import size
from gosu_rl.core.gosu.state import FIFTH
from gosu_rl.core.gosu.turns import finish
from gosu_rl.core.gosu_x.counts import tokens_on
from gosu_rl.core.gosu_x.entering import mark_done
from gosu_rl.core.gosu_x.targets import declinable
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import pop


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
def unlock(s, who):
    """One more Activation token; with none locked that wins (X12)."""
    if s.locked[who] == 0:
        s.win[who] = 1
        finish(s, FIFTH)
    else:
        s.locked[who] -= 1
        s.tokens[who] += 1


@inner
def unlocked(s, R, q):
    """Activation tokens that q owns: all there are but those still locked, and never fewer than he began with."""
    return max(R.tokens, R.token_limit - s.locked[q])
