"""Loops over any game: the single steps that Python asks for, random playouts, and games between compiled policies.

Every loop takes an address table `F` (kernel.py), a rules record `R[1]`, and arrays of state records; it never names a kernel, so
each is written once and serves all games. Arguments from Python are arrays and integers only (about 1 us a call).
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, lowest, nth, popcount
from gosu_rl.core.jit import act_at, choose_at, deal_at, entry, inner, loop, note_at, observe_at
from gosu_rl.core.kernel import DEAL, HIDE, NOTE, OBSERVE, REDEAL, STEP
from gosu_rl.core.rng import GOLDEN, LOW32, STREAM_CHOICE, TWO32, mix, scramble

START = -1


# ------------------------------------------------------------------------------------------------ single steps


@entry
def begin(F, R, S, blank, n, seed, holder):
    """Deal a new game into S[0] and run it to its first decision."""
    S[0] = blank[0]
    deal_at(F, DEAL, S, R)(S[0], R[0], n, U(seed), holder)
    act_at(F, STEP, S, R)(S[0], R[0], START)


@entry
def act(F, R, S, action):
    """Carry out an action on S[0]; False, and nothing changed, if it is not legal or S[0] is a view."""
    if action < 0 or action >= 64 * S[0].legal.size or S[0].viewer >= 0:
        return False
    if (S[0].legal[action >> 6] >> U(action & 63)) & ONE == ZERO:
        return False
    act_at(F, STEP, S, R)(S[0], R[0], action)
    return True


@entry
def settle(F, R, S):
    """Run a state that was put together by hand to its next decision; writes its legal set."""
    act_at(F, STEP, S, R)(S[0], R[0], START)


@entry
def look(F, R, S, V, p):
    """Write seat p's view of S[0] into V[0]."""
    V[0] = S[0]
    act_at(F, HIDE, S, R)(V[0], R[0], p)


@entry
def imagine(F, R, V, S, seed):
    """Write a world drawn uniformly from those consistent with view V[0] into S[0]; False if V[0] is inconsistent."""
    S[0] = V[0]
    act_at(F, REDEAL, S, R)(S[0], R[0], np.int64(seed))
    if S[0].viewer != -1:
        return False
    act_at(F, STEP, S, R)(S[0], R[0], START)
    return True


@entry
def perceive(F, R, S, V, p, out, mask):
    """Write the observation of seat p in S[0] into out, and its legal actions into mask, both from its view, made in V[0]."""
    V[0] = S[0]
    if S[0].viewer < 0:
        act_at(F, HIDE, S, R)(V[0], R[0], p)
    observe_at(F, OBSERVE, V, R)(V[0], R[0], p, out)
    write_mask(V[0], mask)


@entry
def choose(F, R, V, policy, word):
    """The action that a compiled policy (place in the table) takes in view V[0]."""
    return choose_at(F, policy, V, R)(V[0], R[0], U(word))


@entry
def note_row(F, S, rows, moment):
    """Bring result row rows[0] up to date with S[0]."""
    note_at(F, NOTE, S, rows)(S[0], rows[0], moment)


@entry
def legal_actions(S, out):
    """Write the legal actions of S[0] into out, ascending; returns their number."""
    k = 0
    for w in range(S[0].legal.size):
        word = S[0].legal[w]
        while word != ZERO:
            out[k] = 64 * w + lowest(word)
            word &= word - ONE
            k += 1
    return k


@entry
def legal_mask(S, out):
    """Write the legal actions of S[0] as int8 0 / 1 into out[num_actions]."""
    write_mask(S[0], out)


@inner
def write_mask(s, out):
    """Legal actions of a state as 0 / 1."""
    for a in range(out.size):
        out[a] = 0
    for w in range(s.legal.size):
        word = s.legal[w]
        while word != ZERO:
            out[64 * w + lowest(word)] = 1
            word &= word - ONE


# ------------------------------------------------------------------------------------------------ whole games


@inner
def random_action(s, word):
    """A uniformly drawn legal action."""
    total = 0
    for w in range(s.legal.size):
        total += popcount(s.legal[w])
    bound = U(total)
    product = (word >> U(32)) * bound
    if (product & LOW32) < bound:
        threshold = (TWO32 - bound) % bound
        while (product & LOW32) < threshold:
            word = scramble(word + GOLDEN)
            product = (word >> U(32)) * bound
    k = np.int64(product >> U(32))
    for w in range(s.legal.size):
        here = popcount(s.legal[w])
        if k < here:
            return 64 * w + nth(s.legal[w], k)
        k -= here
    return -1


@loop
def random_games(F, R, S, blank, n, seeds, share, decisions, rounds, reasons, over):
    """Play one random game a seed; writes win shares [games, n], decisions, rounds, reasons and over (1 won, 2 truncated)."""
    deal = deal_at(F, DEAL, S, R)
    step = act_at(F, STEP, S, R)
    for g in range(seeds.size):
        S[0] = blank[0]
        deal(S[0], R[0], n, seeds[g], -1)
        step(S[0], R[0], START)
        word = mix(seeds[g], STREAM_CHOICE)
        while S[0].over == 0:
            word += GOLDEN
            step(S[0], R[0], random_action(S[0], scramble(word)))
        winners = 0
        for q in range(n):
            winners += S[0].win[q]
        for q in range(n):
            share[g, q] = S[0].win[q] / max(1, winners)
        decisions[g] = S[0].decisions
        rounds[g] = S[0].rnd
        reasons[g] = S[0].reason
        over[g] = S[0].over


@loop
def policy_games(F, R, S, V, blank, n, policies, seeds, holders, rows):
    """Play one game a seed between compiled policies (places in the table, one a seat), each seeing its own view only."""
    deal = deal_at(F, DEAL, S, R)
    step = act_at(F, STEP, S, R)
    hide = act_at(F, HIDE, S, R)
    note = note_at(F, NOTE, S, rows)
    for g in range(seeds.size):
        S[0] = blank[0]
        deal(S[0], R[0], n, seeds[g], holders[g])
        step(S[0], R[0], START)
        rows[g].seed = seeds[g]
        note(S[0], rows[g], 0)
        word = mix(seeds[g], STREAM_CHOICE)
        while S[0].over == 0:
            p = S[0].mover
            V[0] = S[0]
            hide(V[0], R[0], p)
            word += GOLDEN
            step(S[0], R[0], choose_at(F, policies[p], V, R)(V[0], R[0], scramble(word)))
            note(S[0], rows[g], 1)
