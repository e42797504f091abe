"""What holds in every position of Epic Death, whatever is played: every card, Land and token in exactly one place, fields
within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gosu_rl.core.copies import members
from gosu_rl.core.epic_death.state import DEPTH, FRAMES, NO_FIGHT, ON_LAND, OPERANDS
from gosu_rl.core.game import GameState


def faults(state: GameState) -> Iterator[str]:
    """What is wrong with a full state, one line each."""
    s, game = state.record[0], state.game
    yield from _goblin_cards(game, s)
    yield from _lands(game, s)
    yield from _tokens(game, s)
    yield from _armies(game, s)
    yield from _knowledge(game, s)
    yield from _stack(game, s)
    yield from _bends(game, s)
    if not state.over and not state.legal:
        yield "nothing is legal"


def _goblin_cards(game: Any, s: Any) -> Iterator[str]:
    n = game.players
    places = [members(s[name][0]) for name in ("discard", "aside")]
    places += [members(s[name][q]) for name in ("hand", "army") for q in range(n)]
    places.append(s["deck"][: int(s["ndeck"])].tolist())
    everything = sorted(c for place in places for c in place)
    if everything != list(range(game.card_set.copies)):
        yield f"Goblin cards in no place or in two: {everything}"
    for q in range(n):
        if int(s["hand_size"][q]) != len(members(s["hand"][q])):
            yield f"hand_size of p{q}"
        if any(game.card_set.cards[c % len(game.card_set.cards)].kind == "action" for c in members(s["army"][q])):
            yield f"an Action in the army of p{q}"
    if (s["deck"][int(s["ndeck"]) :] >= 0).any() and int(s["ndeck"]) + (s["deck"] >= 0).sum() < 0:
        yield "deck"


def _lands(game: Any, s: Any) -> Iterator[str]:
    on_field = [c for c in s["land"].tolist() if c >= 0]
    piles = [[c for c in s["pile"][q].tolist() if c >= 0] for q in range(game.players)]
    placed = on_field + [c for pile in piles for c in pile]
    if len(set(placed)) < len(placed):
        yield "a Land in two places"
    mask = sum(1 << i for i, c in enumerate(s["land"].tolist()) if c >= 0)
    if mask != int(s["lands"]) or int(s["face_up"]) & ~mask:
        yield "sets of spaces with Lands"
    rules = game.R[0]
    for i, c in enumerate(s["land"].tolist()):
        if c >= 0 and rules["terrain_of"][c] != rules["terrain"][i]:
            yield f"a Land on the wrong terrain at {i}"
    for q, pile in enumerate(piles):
        if len(pile) != int(s["piled"][q]) or sum(int(rules["worth"][c]) for c in pile) != int(s["points"][q]):
            yield f"pile or points of p{q}"
        if int(s["peeked"][q]) & ~(mask & ~int(s["face_up"])):
            yield f"p{q} has looked at what is no face-down Land"
    if sum(rules["terrain"][i] == 3 for i, c in enumerate(s["land"].tolist()) if c >= 0) != int(s["towns"]):
        yield "Towns left"


def _tokens(game: Any, s: Any) -> Iterator[str]:
    total = int(s["pool"]) + int(s["tokens"].sum()) + int(s["crew"].sum())
    if total != game.rules["all_tokens"] or int(s["pool"]) < 0 or (s["tokens"] < 0).any():
        yield f"tokens: {total}"
    in_play = {c for q in range(game.players) for c in members(s["army"][q])}
    for c in np.flatnonzero(s["crew"] | s["tossed"]):
        if (
            int(c) not in in_play
            or not 0 <= int(s["crew"][c]) <= game.card_set.cards[c % len(game.card_set.cards)].cost
        ):
            yield f"crew or toss of a card that is not in play, or too much: {c}"
    if (s["fallen"] < 0).any():
        yield "tokens that died"


def _armies(game: Any, s: Any) -> Iterator[str]:
    n, spaces = game.players, int(game.R["spaces"][0])
    at = s["at"][:n].tolist()
    if not all(0 <= k < spaces for k in at) or not all(-1 <= int(k) < spaces for k in s["back"][:n]):
        yield "an Army is off the field"
    words = {FRAMES[int(s["stack"][k][0])] for k in range(int(s["sp"]))}
    if len(set(at)) < n and not words & {"fray", "flee"}:
        yield f"two Armies on one space without a Fray: {at}"
    if max(at.count(k) for k in at) > 2:
        yield "three Armies on one space"
    for q in range(n):
        if int(s["back"][q]) >= 0 and not int(s["lands"]) >> int(s["at"][q]) & 1:
            yield f"p{q} has a space to retreat to without standing on a Land"
        if any(bool(int(s["fought"][q]) >> p & 1) != bool(int(s["fought"][p]) >> q & 1) for p in range(n)):
            yield "who has fought whom"


def _knowledge(game: Any, s: Any) -> Iterator[str]:
    n = game.players
    for p in range(n):
        others = {c for q in range(n) if q != p for c in members(s["hand"][q])}
        if not set(members(s["known"][p])) <= others:
            yield f"p{p} knows cards that are in no other hand"
    for q in range(n):
        first = min(p for p in range(n) if s["mixed"][p] == s["mixed"][q])
        if int(s["mixed"][q]) != first:
            yield "numbers of classes of hands"
        if int(s["hand_size"][q]) == 0 and (s["mixed"][:n] == s["mixed"][q]).sum() > 1:
            yield "an empty hand is in a class with others"
    deck = s["deck"][: int(s["ndeck"])]
    if any(int(s["epoch"][c]) != int(s["era"]) for c in deck):
        yield "a card of an older shuffle is in the deck"


def _bends(game: Any, s: Any) -> Iterator[str]:
    """What holds for one fight only (Machines turned off, more tosses), and what holds for a player."""
    off = members(s["off"][0])
    if off and (int(s["fight"]) != ON_LAND or not set(off) <= set(members(s["army"][int(s["attacker"])]))):
        yield f"Machines turned off without a combat of theirs: {off}"
    if int(s["fight"]) == NO_FIGHT and s["extra_tosses"].any():
        yield "more tosses, but no fight"
    if not set(s["no_combat"].tolist() + s["guarded"].tolist()) <= {0, 1}:
        yield "no_combat or guarded"
    if s["no_combat"][game.players :].any() or s["guarded"][game.players :].any():
        yield "no_combat or guarded of nobody"
    if int(s["ndropped"]) != (s["dropped"] >= 0).sum():
        yield "random discards of the last step"


def _stack(game: Any, s: Any) -> Iterator[str]:
    if not 0 < int(s["sp"]) <= DEPTH or FRAMES[int(s["stack"][0][0])] != "turns":
        yield "the stack"
    if s["stack"][int(s["sp"]) :].any():
        yield "leftovers above the stack"
    for k in range(int(s["sp"])):
        word = FRAMES[int(s["stack"][k][0])]
        if any(s["stack"][k][2 + len(OPERANDS[word]) :].tolist()):
            yield f"operands that {word!r} does not have"
        if not 0 <= int(s["stack"][k][1]) < game.players:
            yield f"{word!r} of nobody"
