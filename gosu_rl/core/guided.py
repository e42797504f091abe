"""Tree search with a network's help: the loops around it (`search.py` is the search without one and says what all of it means).

A network answers many questions at once in little more time than one, so several iterations are in flight at a time. `descend`
starts iterations until so many leaves wait for an answer; Python asks the network about all of them; `settle` hands the answers
on and backs up. While an iteration is in flight, every node on its way counts one visit that won nothing (virtual loss), so that
the next one looks elsewhere; when it lands, the true reward takes that place and nothing of the loss is left.

Two things may be asked for, each or both:

* **prior**: how likely the mover is to choose each action. Selection is then PUCT (Silver et al.: "Mastering the game of Go without
  human knowledge", 2017) with counts of availability in place of visits of the parent, as everywhere in ISMCTS: of the actions
  legal in this world the one with the highest q + c · p · sqrt(available) / (1 + visits), p over those actions adding up to one.
* **value**: the return that the mover may expect, which takes the place of the rollout or is mixed with its result.

The network always sees the **mover's own view of the world at hand**: at an opponent's node what that opponent would see if this
world were the real one, his hand open and ours hidden. He cannot plan around our cards, and what he holds in this world speaks for
what he does in it. A node of the tree stands for all those worlds together (the searching player cannot tell them apart), so a
child keeps the mean prior over the judged worlds in which it was legal: how often the opponent, as he looks from our seat, chooses
it when he can. A node is judged when an iteration comes to it in a world with an action that has no prior yet, and that
iteration ends there.

Letters in shapes: M nodes, L leaves in flight, A actions, D numbers of an observation, n players.
"""

from __future__ import annotations

import math

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.jit import act_at, inner, loop, observe_at
from gosu_rl.core.kernel import HIDE, OBSERVE, STEP
from gosu_rl.core.rng import GOLDEN, STREAM_WORLD, mix, scramble
from gosu_rl.core.search import (
    ITERATIONS,
    NO_NODE,
    NODE,
    REDETERMINE,
    ROOT,
    draw_world,
    expand,
    judge,
    pick,
    redraw_world,
    roll_out,
)

GUIDED_NODE = np.dtype(
    [
        *((name, NODE[name]) for name in NODE.names or ()),
        ("flight", "i4"),  # iterations on their way through it
        ("ended", "i4"),  # iterations that ended at it
        ("judged", "i4"),  # worlds that its prior is the mean of
        ("prior", "f8"),  # of its action, by the network
    ],
    align=True,
)
LEAF = np.dtype([("node", "i8"), ("mover", "i8")], align=True)


@inner
def choose_child(T, node, s, c, untried):
    """The child of `node` with the highest PUCT score among the actions legal in world `s`; NO_NODE if one of them has no prior.

    `untried` (uint64 words) is scratch. Counts availability where it chooses. A child that nothing has come back from yet is
    worth what its siblings are on the whole.
    """
    for w in range(untried.size):
        untried[w] = s.legal[w]
    mass, won, landed, legal = 0.0, 0.0, 0, 0
    child = T[node].child
    while child != NO_NODE:
        action = T[child].action
        bit = ONE << U(action & 63)
        if T[child].chooser == s.mover and s.legal[action >> 6] & bit != ZERO:
            untried[action >> 6] &= ~bit
            mass += T[child].prior
            won += T[child].total
            landed += T[child].visits
            legal += 1
        child = T[child].sibling
    for w in range(untried.size):
        if untried[w] != ZERO:
            return NO_NODE
    unseen = won / landed if landed > 0 else 1.0 / s.n
    best, best_score = NO_NODE, -1.0
    child = T[node].child
    while child != NO_NODE:
        action = T[child].action
        if T[child].chooser == s.mover and s.legal[action >> 6] >> U(action & 63) & ONE != ZERO:
            T[child].available += 1
            tried = T[child].visits + T[child].flight
            q = T[child].total / tried if tried > 0 else unseen
            p = T[child].prior / mass if mass > 0.0 else 1.0 / legal
            score = q + c * p * math.sqrt(T[child].available) / (1 + tried)
            if score > best_score:
                best, best_score = child, score
        child = T[child].sibling
    return best


@inner
def choose_tried(T, node, s, c, untried):
    """As `search.select`, with what is in flight counted as lost: by UCB, NO_NODE if some legal action has no node."""
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
            tried = T[child].visits + T[child].flight
            score = T[child].total / tried + c * math.sqrt(math.log(T[child].available) / tried)
            if score > best_score:
                best, best_score = child, score
        child = T[child].sibling
    for w in range(untried.size):
        if untried[w] != ZERO:
            return NO_NODE
    return best


@inner
def add_priors(T, count, node, chooser, legal, logits, places):
    """Take a judgement of `node` into the priors of its children, which are made where they are missing and the pool has room.

    `legal` (words) are the actions that are legal in the judged world; `logits` [A] the network's, in the chooser's own frame,
    where action a has the place places[chooser, a]. Their softmax over `legal` is the prior in that world.
    """
    highest, mass = -np.inf, 0.0
    for w in range(legal.size):
        word = legal[w]
        while word != ZERO:
            highest = max(highest, logits[places[chooser, 64 * w + lowest(word)]])
            word &= word - ONE
    for w in range(legal.size):
        word = legal[w]
        while word != ZERO:
            mass += math.exp(logits[places[chooser, 64 * w + lowest(word)]] - highest)
            word &= word - ONE
    child = T[node].child
    while child != NO_NODE:
        action = T[child].action
        bit = ONE << U(action & 63)
        if T[child].chooser == chooser and legal[action >> 6] & bit != ZERO:
            legal[action >> 6] &= ~bit
            T[child].judged += 1
            prior = math.exp(logits[places[chooser, action]] - highest) / mass
            T[child].prior += (prior - T[child].prior) / T[child].judged
        child = T[child].sibling
    for w in range(legal.size):
        while legal[w] != ZERO:
            action = 64 * w + lowest(legal[w])
            legal[w] &= legal[w] - ONE
            child = expand(T, count, node, action, chooser)
            if child == NO_NODE:
                return
            T[child].available = 0
            T[child].flight = T[child].ended = 0
            T[child].judged = 1
            T[child].prior = math.exp(logits[places[chooser, action]] - highest) / mass


@inner
def land(T, node, reward):
    """End an iteration at `node`: its reward for every node on the way to the root, in place of the virtual loss."""
    T[node].ended += 1
    while node != NO_NODE:
        T[node].flight -= 1
        T[node].visits += 1
        if T[node].chooser >= 0:
            T[node].total += reward[T[node].chooser]
        node = T[node].parent


@inner
def show(F, R, S, leaf, legal, observation, node):
    """Note down what the mover sees in S[0], his view, and what he may do."""
    leaf.node = node
    leaf.mover = S[0].mover
    for w in range(legal.size):
        legal[w] = S[0].legal[w]
    observe_at(F, OBSERVE, S, R)(S[0], R[0], S[0].mover, observation)


@loop
def show_root(F, R, V, leaves, legals, observations):
    """The first question of a search: about view V[0] itself, which every world shares."""
    show(F, R, V, leaves[0], legals[0], observations[0], ROOT)


@loop
def plant(T, count, leaves, legals, logits, places):
    """The root's children, from the answer to `show_root`."""
    add_priors(T, count, ROOT, leaves[0].mover, legals[0], logits[0], places)


@loop
def descend(
    F, R, V, W, S, T, count, leaves, legals, observations, rollouts, splits, reward, untried,
    width, sims, seed, c, prior, value, rollout, depth, worlds,
):  # fmt: skip
    """Start at most `sims` more iterations from view V[0], until `width` of them wait for the network.

    W[1] is the world record they play on, S[1] the mover's view of it. Who waits is noted in leaves[k], legals[k] (words) and
    observations[k, D]; in rollouts[k, n] are win shares by a rollout, unless the value is all that counts; in splits[k, n], with
    more than two players, the kernel's evaluation of the leaf. An iteration that ends with the game waits for nothing.
    prior: 1 for PUCT, which needs `plant` first, else 0; value: weight of the network's value against the rollout, 0 without one;
    rollout, depth, worlds: as in `search`. `reward` [n] and `untried` (words) are scratch.
    Returns (leaves that wait, iterations begun, decisions played).
    """
    step = act_at(F, STEP, W, R)
    hide = act_at(F, HIDE, S, R)
    me = V[0].mover
    waiting = begun = played = 0
    while begun < sims and waiting < width:
        word = mix(U(seed) + U(count[ITERATIONS]) * GOLDEN, STREAM_WORLD)
        count[ITERATIONS] += 1
        begun += 1
        draw_world(F, R, V, W, seed, word, worlds)
        node = ROOT
        T[ROOT].flight += 1
        growing = True
        while growing and W[0].over == 0:
            mover = W[0].mover
            if worlds == REDETERMINE and mover != me:
                word += GOLDEN
                redraw_world(F, R, W, word)
            if prior == 1:
                child = choose_child(T, node, W[0], c, untried)
                if child == NO_NODE:
                    break  # to be judged here
                action = T[child].action
            else:
                child = choose_tried(T, node, W[0], c, untried)
                if child == NO_NODE:
                    word += GOLDEN
                    action = pick(untried, scramble(word))
                    child = expand(T, count, node, action, mover)
                    if child != NO_NODE:
                        T[child].flight = T[child].ended = T[child].judged = 0
                        T[child].prior = 0.0
                    growing = False
                else:
                    action = T[child].action
            if child != NO_NODE:
                node = child
                T[node].flight += 1
            step(W[0], R[0], action)
            played += 1
        if W[0].over != 0:
            judge(F, R, W, reward)
            land(T, node, reward)
            continue
        S[0] = W[0]
        hide(S[0], R[0], W[0].mover)
        show(F, R, S, leaves[waiting], legals[waiting], observations[waiting], node)
        if W[0].n > 2:
            judge(F, R, W, splits[waiting])
        if value < 1.0:
            played += roll_out(F, R, W, word, rollout, depth)
            judge(F, R, W, rollouts[waiting])
        waiting += 1
    return waiting, begun, played


@loop
def settle(T, count, leaves, legals, rollouts, splits, reward, logits, values, places, waiting, players, prior, value):
    """Hand the network's answers about the first `waiting` leaves on: logits float64[k, A] in the mover's own frame, where action a
    has the place places[mover, a], and values float64[k], his expected returns. The other arguments are those of `descend`."""
    for k in range(waiting):
        mover = leaves[k].mover
        if prior == 1:
            add_priors(T, count, leaves[k].node, mover, legals[k], logits[k], places)
        for q in range(players):
            reward[q] = 0.0
        if value > 0.0:
            share_out(values[k], mover, players, splits[k], reward)
        if value < 1.0:
            for q in range(players):
                reward[q] = value * reward[q] + (1.0 - value) * rollouts[k, q]
        land(T, leaves[k].node, reward)


@inner
def share_out(value, mover, players, split, share):
    """Win shares of all seats from the mover's expected return: his, and the rest among the others as `split` has them.

    The value head was trained on movers' own views, so it is asked for the mover alone: of other seats it has never seen a view at
    such a moment. With two players there is nothing to divide.
    """
    own = min(1.0, max(0.0, (1.0 + (players - 1) * value) / players))
    rest = 0.0
    if players > 2:
        for q in range(players):
            if q != mover:
                rest += split[q]
    for q in range(players):
        if q == mover:
            share[q] = own
        elif rest > 0.0:
            share[q] = (1.0 - own) * split[q] / rest
        else:
            share[q] = (1.0 - own) / (players - 1)
