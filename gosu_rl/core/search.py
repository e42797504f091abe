"""Information-set Monte Carlo tree search over any game, wholly in compiled code.

Single-observer ISMCTS (Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree Search", 2012): one tree over the searching
player's information set; every iteration draws a world consistent with his *view* and walks down the tree through the actions that
are legal in that world, so UCB counts how often each child was *available*, not how often its parent was visited. A node keeps the
return of the player who chose it, which makes the backup max-n for more than two players. All chance is drawn anew in each
iteration: neither the world nor its generator is ever the real one.

Letters in shapes: M nodes of the preallocated pool, n players. `T[M]` is the tree, a structured array of NODE; node 0 is the root.
"""

from __future__ import annotations

import math

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, nth, popcount
from gosu_rl.core.jit import act_at, choose_at, entry, inner, loop
from gosu_rl.core.kernel import EVALUATE, HIDE, REDEAL, STEP
from gosu_rl.core.playout import random_action
from gosu_rl.core.rng import GOLDEN, STREAM_WORLD, mix, scramble

ROOT, NO_NODE = 0, -1
NODE = np.dtype(
    [
        ("action", "i4"),  # that leads here
        ("chooser", "i4"),  # the seat that chose it
        ("parent", "i4"),
        ("child", "i4"),  # first child
        ("sibling", "i4"),  # next child of the parent
        ("visits", "i4"),
        ("available", "i4"),  # iterations in which it could have been chosen
        ("total", "f8"),  # sum of the chooser's win shares
    ],
    align=True,
)
NODES, ITERATIONS = 0, 1  # places in `count`
EVALUATE_SCALE = 1_000_000  # what a kernel's evaluation calls a sure win
START = -1

# How an iteration gets its world.
FRESH = 0  # a new world every time: SO-ISMCTS
FIXED = 1  # the same world every time: one tree of perfect-information Monte Carlo (PIMC)
REDETERMINE = 2  # fresh, and dealt anew from the mover's view at every opponent's node of the tree


@inner
def select(T, node, s, c, untried):
    """The child of `node` with the highest UCB score among the actions legal in world `s`; NO_NODE if some were never tried.

    `untried` (uint64 words) is left with the legal actions that have no node yet. Counts availability.
    """
    for w in range(untried.size):
        untried[w] = s.legal[w]
    best, best_score = NO_NODE, -1.0
    child = T[node].child
    while child != NO_NODE:
        action = T[child].action
        bit = ONE << U(action & 63)
        if T[child].chooser == s.mover and s.legal[action >> 6] & bit != ZERO:
            T[child].available += 1
            untried[action >> 6] &= ~bit
            visits = T[child].visits
            score = T[child].total / visits + c * math.sqrt(math.log(T[child].available) / visits)
            if score > best_score:
                best, best_score = child, score
        child = T[child].sibling
    for w in range(untried.size):
        if untried[w] != ZERO:
            return NO_NODE
    return best


@inner
def pick(untried, word):
    """A uniformly drawn action of a set that is not empty (32 random bits: the bias is below 2**-24)."""
    total = 0
    for w in range(untried.size):
        total += popcount(untried[w])
    k = np.int64(((word >> U(32)) * U(total)) >> U(32))
    for w in range(untried.size):
        here = popcount(untried[w])
        if k < here:
            return 64 * w + nth(untried[w], k)
        k -= here
    return -1


@inner
def expand(T, count, node, action, chooser):
    """Add the child of `node` for an action; NO_NODE when the pool is full."""
    new = count[NODES]
    if new >= T.size:
        return NO_NODE
    count[NODES] = new + 1
    T[new].action = action
    T[new].chooser = chooser
    T[new].parent = node
    T[new].child = NO_NODE
    T[new].sibling = T[node].child
    T[new].visits = 0
    T[new].available = 1
    T[new].total = 0.0
    T[node].child = new
    return new


@inner
def back_up(T, node, reward):
    """Add one visit and the chooser's reward to every node on the way to the root."""
    while node != NO_NODE:
        T[node].visits += 1
        if T[node].chooser >= 0:
            T[node].total += reward[T[node].chooser]
        node = T[node].parent


@entry
def clear_tree(T, count):
    """An empty tree: the root alone."""
    count[NODES] = 1
    count[ITERATIONS] = 0
    T[ROOT].action = T[ROOT].chooser = T[ROOT].parent = T[ROOT].child = T[ROOT].sibling = -1
    T[ROOT].visits = T[ROOT].available = 0
    T[ROOT].total = 0.0


@inner
def draw_world(F, R, V, W, seed, word, worlds):
    """Fill W[0] with a world that fits view V[0], drawn anew or always the same (FIXED), with chance of its own."""
    W[0] = V[0]
    act_at(F, REDEAL, W, R)(W[0], R[0], np.int64(mix(U(seed), STREAM_WORLD) if worlds == FIXED else word))
    act_at(F, STEP, W, R)(W[0], R[0], START)


@inner
def redraw_world(F, R, W, word):
    """Deal world W[0] anew from what its mover knows of it."""
    act_at(F, HIDE, W, R)(W[0], R[0], W[0].mover)
    act_at(F, REDEAL, W, R)(W[0], R[0], np.int64(scramble(word)))
    act_at(F, STEP, W, R)(W[0], R[0], START)


@inner
def roll_out(F, R, W, word, rollout, depth):
    """Play W[0] on by a policy of the table (-1: at random), at most `depth` decisions (-1: to the end); returns their number."""
    step = act_at(F, STEP, W, R)
    played = 0
    while W[0].over == 0 and played != depth:
        word += GOLDEN
        if rollout < 0:
            action = random_action(W[0], scramble(word))
        else:
            action = choose_at(F, rollout, W, R)(W[0], R[0], scramble(word))
        step(W[0], R[0], action)
        played += 1
    return played


@inner
def judge(F, R, W, reward):
    """Win shares of all seats in W[0] into reward [n]: those of the result, or what the kernel's evaluation says."""
    if W[0].over == 0:
        for q in range(W[0].n):
            reward[q] = choose_at(F, EVALUATE, W, R)(W[0], R[0], U(q)) / EVALUATE_SCALE
        return
    winners = 0
    for q in range(W[0].n):
        winners += W[0].win[q]
    for q in range(W[0].n):
        reward[q] = W[0].win[q] / winners if winners > 0 else 1.0 / W[0].n


@loop
def search(F, R, V, W, T, count, untried, reward, sims, seed, c, rollout, depth, worlds):
    """Run `sims` more iterations from view V[0] on tree T; W[1] is the world record they play on.

    rollout: place of a policy in the table, or -1 for uniform random. depth: decisions after which a rollout is cut off and the
    position judged by the kernel's `evaluate`; -1 plays to the end. worlds: FRESH, FIXED or REDETERMINE. Fills `count` (nodes and
    iterations so far); `untried` (words) and `reward` [n] are scratch. Returns the number of decisions played.
    """
    step = act_at(F, STEP, W, R)
    me = V[0].mover
    played = 0
    for _ in range(sims):
        word = mix(U(seed) + U(count[ITERATIONS]) * GOLDEN, STREAM_WORLD)
        count[ITERATIONS] += 1
        draw_world(F, R, V, W, seed, word, worlds)
        # -- select: down the tree while every legal action has a node; expand: the first that has none
        node = ROOT
        growing = True
        while growing and W[0].over == 0:
            mover = W[0].mover
            if worlds == REDETERMINE and mover != me:
                word += GOLDEN
                redraw_world(F, R, W, word)
            child = select(T, node, W[0], c, untried)
            if child == NO_NODE:
                word += GOLDEN
                action = pick(untried, scramble(word))
                child = expand(T, count, node, action, mover)
                growing = False
            else:
                action = T[child].action
            if child != NO_NODE:
                node = child
            step(W[0], R[0], action)
            played += 1
        played += roll_out(F, R, W, word, rollout, depth)
        judge(F, R, W, reward)
        back_up(T, node, reward)
    return played


@entry
def root_children(T, actions, visits, value, available):
    """Write action, visits, mean win share and availability of every root child, newest first; returns their number."""
    k = 0
    child = T[ROOT].child
    while child != NO_NODE:
        actions[k] = T[child].action
        visits[k] = T[child].visits
        value[k] = T[child].total / max(1, T[child].visits)
        available[k] = T[child].available
        k += 1
        child = T[child].sibling
    return k
