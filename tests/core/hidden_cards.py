"""What a seat cannot know, moved about at random in plain Python: another true state behind the same view.

Written from the rules of knowledge, without the core's own `redeal`: cards that one does not see are exchanged between other hands
and the draw pile, but never across two shuffles; the order of the pile, secret picks and the generator are anybody's guess.
"""

from __future__ import annotations

from random import Random

import numpy as np
from invariants import Facts, members

from gosu_rl.core.game import GameState


def put(row: np.ndarray, copies: set[int]) -> None:
    """Write a set of copies into a row of two words."""
    for w in range(2):
        row[w] = np.uint64(sum(1 << (c & 63) for c in copies if c >> 6 == w))


def scrambled(state: GameState, p: int, chance: Random) -> GameState:
    """Another state that seat p cannot tell from this one."""
    f = Facts(state)
    other = state.copy()
    s = other.record[0]
    others = [q for q in range(f.n) if q != p]
    hands = {q: set(f.known[q]) for q in others}
    pile: list[int] = []
    for epoch in range(f["era"] + 1):
        places = [q for q in others for c in f.hand[q] - f.known[q] if f["epoch"][c] == epoch]
        cards = [c for q in others for c in sorted(f.hand[q] - f.known[q]) if f["epoch"][c] == epoch]
        if epoch == f["era"]:
            cards += f.pile
        chance.shuffle(cards)
        for q, c in zip(places, cards, strict=False):
            hands[q].add(c)
        pile += cards[len(places) :]
    for q in others:
        put(s["hand"][q], hands[q])
        put(s["secret"][q], set(chance.sample(sorted(hands[q]), f["picked"][q])))
    out = [c for c in range(f.copies) if f["epoch"][c] == f["era"] and c not in pile]
    drawn = chance.sample(out, len(f.deck) - len(pile))
    s["deck"][: len(f.deck)] = pile + drawn
    s["rng"] = np.uint64(chance.getrandbits(64))
    if f["mover"] not in (p, -1):
        other = settled(other)
    return other


def settled(state: GameState) -> GameState:
    """The same position with the legal set worked out again from the mover's cards."""
    return state.game.parse(str(state))


def exchanged(state: GameState, a: tuple[int, int], b: tuple[int, int]) -> GameState:
    """Two hidden cards change places, and their turns in the order of the pile: (seat, copy) each; seat -1 is the draw pile."""
    other = state.copy()
    s = other.record[0]
    for (q, leaves), (_, comes) in ((a, b), (b, a)):
        if q >= 0:
            put(s["hand"][q], members(s["hand"][q]) - {leaves} | {comes})
    turned = {a[1]: b[1], b[1]: a[1]}
    s["deck"] = [turned.get(c, c) for c in s["deck"].tolist()]
    return other
