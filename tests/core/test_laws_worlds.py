"""Worlds drawn from a view: every consistent one, no other, each as often as any (counted by brute force on tiny card sets).

"Consistent" is taken at its word: all ways to lay the unseen copies into the hidden places are tried, and those whose view is the
same, byte for byte, are the worlds.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hidden_cards import put
from invariants import Facts
from scipy.stats import chisquare

import gosu_rl
from gosu_rl.core.cards.schema import Card, CardSet
from gosu_rl.core.game import Game, GameState

World = tuple[object, ...]


def tiny(faces: int, doubled: int = 0) -> CardSet:
    """Faces `A`, `B` …, the first ones doubled."""
    cards = [Card(chr(65 + f), "Fire", 1, copies=2 if f < doubled else 1, strength=1) for f in range(faces)]
    return CardSet("tiny", "tactics", "Letters", "1", "free", tuple(cards))


def tiny_game(players: int, faces: int, doubled: int = 0) -> Game:
    return gosu_rl.game("tactics", players, tiny(faces, doubled), {"deal": 1, "keep": 0, "hand_target": 1})


def world_of(state: GameState) -> World:
    """What was hidden: hands and picks as sets, the pile in order."""
    f = Facts(state)
    hands = tuple(frozenset(f.hand[q]) for q in range(f.n))
    return hands, tuple(frozenset(f.secret[q]) for q in range(f.n)), tuple(f.pile)


def all_worlds(state: GameState, p: int) -> set[World]:
    """Every lay of the unseen copies that gives the same view, found by trying them all."""
    f = Facts(state)
    view = state.view(p).record.tobytes()
    others = [q for q in range(f.n) if q != p]
    unseen = sorted([c for q in others for c in f.hand[q] - f.known[q]] + f.pile)
    sizes = [len(f.hand[q] - f.known[q]) for q in others]
    found = set()
    for order in permutations(unseen):
        other = state.copy()
        s = other.record[0]
        at, hands = 0, []
        for q, size in zip(others, sizes, strict=True):
            hands.append(set(order[at : at + size]) | f.known[q])
            at += size
            put(s["hand"][q], hands[-1])
            put(s["secret"][q], set())
        pile = list(order[at:])
        s["deck"] = -1
        s["deck"][: len(pile)] = pile
        if other.view(p).record.tobytes() != view:
            continue
        picks = [
            [frozenset(c) for c in combinations(sorted(h), f["picked"][q])] for q, h in zip(others, hands, strict=True)
        ]
        world = world_of(other)
        for choice in _product(picks):
            secret = [frozenset(f.secret[q]) for q in range(len(world[0]))]
            for q, cards in zip(others, choice, strict=True):
                secret[q] = cards
            found.add((world[0], tuple(secret), world[2]))
    return found


def _product(parts: list[list[frozenset[int]]]) -> list[list[frozenset[int]]]:
    rows: list[list[frozenset[int]]] = [[]]
    for part in parts:
        rows = [[*row, one] for row in rows for one in part]
    return rows


FIRST_ROUND = """tactics, 3 players
    p0:
      hand: A, B
    p1:
      hand: C, D
    p2:
      hand: E
    """
TWINS = """tactics, 2 players
    p0:
      hand: A, C
      army 1: D
    p1:
      hand: A/2, B*, E
    """
# C and D are old and lie in hands; p1 has one old and one new card, p2 one old, p0 watches (a hand of its own is old too).
TWO_EPOCHS = """tactics, 3 players
    now: era=1 shuffles=1
    p0:
      hand: A, G
    p1:
      hand: C, E
    p2:
      hand: D, B*, F
    draw_pile: H, I
    epoch 1: A, E, F, H, I
    """
# Three shuffles are told apart: epoch 0 only with p1, epoch 1 with p1 and p2.
THREE_EPOCHS = """tactics, 3 players
    now: era=2 shuffles=2
    p0:
      hand: H
    p1:
      hand: A, B, C
    p2:
      hand: D, E
    draw_pile: F, G
    discard_pile: I
    epoch 1: B, D
    epoch 2: C, E, F, G, H
    """
PICKS = """tactics, 3 players
    p0:
      hand: A, B!
    p1:
      hand: C, D!, E!
    p2:
      hand: F
    stack: turns p0; reveal_picks p0; opening p2 left=1; opening p1 left=1
    """
CASES = {  # name -> players, faces, doubled, text, observer, how many worlds
    "first round": (3, 7, 0, FIRST_ROUND, 0, 5 * 4 // 2 * 3 * 2),
    "twins": (2, 5, 2, TWINS, 0, 3 * 2 // 2 * 1),
    "two epochs": (3, 9, 0, TWO_EPOCHS, 0, 2 * 4 * 3 * 2),
    "three epochs": (3, 9, 0, THREE_EPOCHS, 0, 1 * 2 * 4 * 3 * 2),
    "opening picks": (3, 7, 0, PICKS, 0, 5 * 4 // 2 * 3 * 2 * 3 // 3),
}


@pytest.mark.parametrize("case", CASES)
def test_worlds_are_drawn_uniformly_from_all_that_fit(case: str) -> None:
    players, faces, doubled, text, p, expected = CASES[case]
    state = tiny_game(players, faces, doubled).parse(text)
    worlds = all_worlds(state, p)
    assert world_of(state) in worlds
    view = state.view(p)
    drawn = Counter(world_of(view.determinize(seed)) for seed in range(60 * len(worlds)))
    assert set(drawn) == worlds
    assert chisquare(list(drawn.values())).pvalue > 1e-4
    assert len(worlds) == expected


def test_the_generator_of_a_world_tells_nothing_of_the_true_one() -> None:
    state = tiny_game(3, 7).parse(FIRST_ROUND)
    other = state.copy()
    other.record["rng"] = 12345
    states = {int(state.view(0).determinize(seed).record["rng"][0]) for seed in range(200)}
    assert len(states) == 200
    assert states == {int(other.view(0).determinize(seed).record["rng"][0]) for seed in range(200)}
    assert not {0, 12345} & states


@pytest.mark.parametrize("players", [2, 3])
def test_worlds_of_a_game_played_out_are_the_posterior(players: int) -> None:
    """Section 5 (5): draws and a reshuffle without any choice; what the deal makes of it, worlds repeat.

    All orders of the deck are dealt; those that give p0 the same view are counted by world and compared with the draws.
    """
    one = gosu_rl.game("tactics", players, tiny(6), {"deal": 1, "keep": 1, "hand_target": 2})

    def dealt(order: tuple[int, ...]) -> GameState:
        state = one.new(seed=1, advantage=0)
        s = state.record[0]
        for q in range(players):
            put(s["hand"][q], {order[q]})
        s["deck"] = -1
        s["deck"][: 6 - players] = order[players:]
        s["rng"] = np.uint64(99)
        while state.round == 1:
            quiet = "keep" if "keep" in state.legal_labels else "pass"
            state.apply(quiet)
        return state

    truth = dealt((0, 1, 2, 3, 4, 5))
    view = truth.view(0)
    posterior = Counter(world_of(state)[0] for state in map(dealt, permutations(range(6))) if state.view(0) == view)
    drawn = Counter(world_of(view.determinize(seed))[0] for seed in range(60 * len(posterior)))
    assert set(drawn) == set(posterior)
    total = sum(posterior.values())
    frequencies = [posterior[world] / total * sum(drawn.values()) for world in posterior]
    assert chisquare([drawn[world] for world in posterior], frequencies).pvalue > 1e-4
    assert len(posterior) > 2
