"""What a player cannot know changes nothing that he is shown: thefts, epochs, questions."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gosu_rl.core.copies import members

from .conftest import epic, stroll

pytestmark = pytest.mark.nojit


def exchange(state, p: int, seed: int):
    """A copy of the state in which two cards that p cannot tell apart have changed places, or None."""
    other = state.copy()
    s = other.record[0]
    n, game = other.game.players, other.game
    known = set(members(s["known"][p]))
    places = [(q, c) for q in range(n) if q != p for c in members(s["hand"][q]) if c not in known]
    deck = s["deck"][: int(s["ndeck"])].tolist()
    chance = random.Random(seed)
    if not places:
        return None
    q, c = chance.choice(places)
    alike = [d for d in deck if s["epoch"][d] == s["epoch"][c]]
    if not alike or any(c in members(s["known"][r]) for r in range(n)):
        return None
    d = chance.choice(alike)
    for card, there in ((c, False), (d, True)):
        word, bit = card >> 6, np.uint64(1 << (card & 63))
        s["hand"][q, word] = s["hand"][q, word] | bit if there else s["hand"][q, word] & ~bit
    s["deck"][deck.index(d)] = c
    return game, other


@pytest.mark.parametrize(("players", "house"), [(2, False), (3, True), (4, True)])
def test_an_exchange_of_hidden_cards_changes_nothing_that_the_others_see(players: int, house: bool) -> None:
    game = epic(players, 1, house)
    done = 0
    for state in stroll(game, 5, 300):
        p = state.decisions % players
        found = None if state.over or state.mover != p else exchange(state, p, state.decisions)
        if found is None:
            continue
        done += 1
        other = found[1]
        assert other.view(p) == state.view(p)
        assert other.view(p).legal_labels == state.view(p).legal_labels
        assert (other.observation(p) == state.observation(p)).all()
    assert done > 10


@pytest.mark.parametrize("players", [3, 4])
def test_others_do_not_learn_which_epoch_was_stolen(players: int) -> None:
    """A hand with a card of an older shuffle and one of the present one is robbed: bystanders see the same whichever moves."""
    game = epic(players, 1, house=True)
    text = f"""epic_death, {players} players
p0: at=1.3
  hand: Filch
p1: at=3.5
  hand: Gift, Ram
p2: at=3.1
{"p3: at=2.5" if players == 4 else ""}
now: era=1 rng={{}}
field: 1.2 (Meadow), 2.3 (Hamlet)
epoch 1: {{}}
stack: turns p0 stage=2; muster p0
"""
    house = [card.label for card in game.card_set.cards]
    young = ", ".join(
        name + twin
        for name in house
        for twin in ("", "/2")
        if name != "Gift" and (not twin or game.card_set.cards[house.index(name)].copies == 2)
    )
    views = {}
    for rng in range(30):
        state = game.parse(text.format(rng, young))
        state.apply("play Filch")
        while state.kind in ("answer", "victim"):
            state.apply("pass" if state.kind == "answer" else "player p1")
        views.setdefault(state.as_dict()["stolen"][0], state.view(2))
    assert set(views) == {"Gift", "Ram"}
    assert views["Gift"] == views["Ram"]
    hands = {str(views["Gift"].determinize(seed=k).as_dict()["players"][0]["hand"]) for k in range(60)}
    assert "['Gift']" in hands, "the old card may be with the thief"
    assert any("Gift" in views["Gift"].determinize(seed=k).as_dict()["players"][1]["hand"] for k in range(60)), (
        "or still with the victim"
    )
    for k in range(60):
        world = views["Gift"].determinize(seed=k).as_dict()
        assert "Gift" in world["players"][0]["hand"] + world["players"][1]["hand"], "but never in the deck"


def test_whether_one_is_asked_does_not_hang_on_the_hand() -> None:
    """The same play with other hidden hands asks the same players in the same order."""
    game = epic(3, 1, house=True)
    orders = set()
    for hand in ("Ram, Knife", "Nope, Wall Up", "Rescue, Shout"):
        state = game.parse(
            "epic_death, 3 players\nnow: phase=C\np0: at=1.2 tokens=9\n  hand: Gift\np1: at=1.5\n"
            f"  hand: {hand}\np2: at=3.1\n  hand: Hop\nfield: 1.2 (Meadow), rest\n"
        )
        order = []
        while not state.over and len(order) < 4:
            order.append((state.mover, state.kind))
            state.apply("pass" if "pass" in state.legal_labels else state.legal[0])
        orders.add(tuple(order[:3]))
    assert len(orders) == 1
