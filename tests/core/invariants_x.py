"""What must hold of every full state of Gosu X: each card in one place, rows packed, tokens conserved, knowledge that is true."""

from __future__ import annotations

from typing import Any

from gosu_rl.core.cards.texts import CLANS
from gosu_rl.core.copies import members
from gosu_rl.core.game import GameState
from gosu_rl.core.gosu.state import COLUMNS, DECK, DEPTH, SLOTS, TEXT


def check(state: GameState) -> None:
    """Raise AssertionError where a full state cannot be."""
    s = state.record[0]
    assert int(s["sp"]) < DEPTH
    if s["picks"][-1] == 0:
        deck = [int(c) for c in s["deck"] if c >= 0]
        assert sorted(deck) == list(range(state.game.card_set.copies))
        return
    for q in range(2):
        _check_cards(state, s, q)
        _check_army(state, s, q)
    place = int(s["bounty"])
    if place >= 0:
        q, slot = divmod(place, SLOTS)
        assert s["army"][q, slot] >= 0
        assert not int(s["trapped"][q]) >> slot & 1
    for marks, owner in zip(
        s["shown"].tolist(), [int(f[1]) for f in s["stack"][: int(s["sp"])] if f[0] == TEXT], strict=False
    ):
        assert marks < 1 << int(s["ndecks"][owner])
    assert not any(int(a) & int(b) for a, b in zip(*s["pinned"], strict=True)), "what both know is noted once"
    assert bin(int(s["ether"][0])).count("1") + bin(int(s["ether"][1])).count("1") <= 2


def _check_cards(state: GameState, s: Any, q: int) -> None:
    cards = state.game.card_set.cards
    own = [
        c
        for c in range(state.game.card_set.copies)
        if int(s["clans"][q]) >> CLANS.index(cards[c % len(cards)].clan) & 1
    ]
    hand, known = members(s["hand"][q]), members(s["known"][q])
    deck = [int(c) for c in s["deck"][DECK * q : DECK * q + int(s["ndecks"][q])]]
    open_ = members(s["discard"][q]) + [int(c) for c in s["army"][q] if c >= 0]
    apart = [c for c in members(s["aside"][0]) + members(s["removed"][0]) if c in own]
    assert sorted(hand + deck + open_ + apart) == own
    assert len(hand) == s["hand_size"][q]
    assert set(known) <= set(hand)
    placed = {c for k in (0, 1) for c in members(s["pinned"][k]) if c in own} | (set(members(s["sunk"][0])) & set(own))
    assert placed <= set(deck)
    if set(deck) <= set(members(s["pinned"][0])) | set(members(s["sunk"][0])):
        assert known == hand, "the hand follows by elimination"


def _check_army(state: GameState, s: Any, q: int) -> None:
    cards = state.game.card_set.cards
    one, two, three = (int(k) for k in s["rows"][q])
    assert COLUMNS >= one >= two >= three >= 0
    on_cards = 0
    for slot in range(SLOTS):
        filled = slot % COLUMNS < s["rows"][q, slot // COLUMNS]
        assert (s["army"][q, slot] >= 0) == filled
        captured, ethereal = int(s["trapped"][q]) >> slot & 1, int(s["ether"][q]) >> slot & 1
        tokens = (int(s["marked"][q]) >> slot & 1) + 2 * (int(s["marked2"][q]) >> slot & 1)
        assert filled or not (captured or ethereal or tokens)
        assert not captured or not (ethereal or tokens)
        if filled:
            card = cards[int(s["army"][q, slot]) % len(cards)]
            assert card.level == slot // COLUMNS + 1
            assert tokens <= card.icons
        on_cards += tokens
    rules = state.game.rules
    owned = int(s["tokens"][q]) + int(s["spent"][q]) + on_cards + int(s["locked"][q])
    assert owned == max(rules["tokens"], rules["token_limit"])
