"""Chance laid open: every deal there is, and every card that may come off the pile, each with its probability.

A game draws its chance from a generator; whoever wants exact values (`gosu_rl.learning.game_tree`) must see all that could be
drawn instead. Two copies of a face are the same thing (T48), so outcomes that differ only by copies are one outcome with their
probabilities added, and `by_faces` says what a view tells once the two are not told apart.

Nobody knows the order of the draw pile, so it is not dealt beforehand: the pile of a record made here is a bag, and a card is
drawn from it at the moment when somebody takes it. That is the same game, with far fewer deals. What stays closed is the
shuffling of a discard pile (T20): an action that causes one is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gosu_rl.core import playout
from gosu_rl.core.bits import U
from gosu_rl.core.gosu.state import DEPTH, FRAMES, OPERANDS, SEATS, SLOTS, STATE
from gosu_rl.core.position import records

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

FIXED = ("rng", "hand", "known", "secret", "discard", "aside", "revealed", "army", "deck", "epoch")  # told copy by copy


def _card_operands(op: str) -> list[bool]:
    """Which of a frame's four operands are copies."""
    names: tuple[str, ...] = OPERANDS.get(op, ())
    return [i < len(names) and names[i].startswith("card") for i in range(4)]


CARD_OPERANDS = np.array([_card_operands(op) for op in FRAMES])  # bool[frames, 4]


class ReshuffleError(ValueError):
    """The discard pile would be shuffled, whose outcomes are not enumerated."""


def deals(game: Game) -> Iterator[tuple[NDArray, float]]:
    """Every opening up to twins: (record[1] at its first decision, probability); the probabilities add up to one.

    Hands by faces for every seat, times who is given the Advantage card (T1, T46). The pile's order is left open.
    """
    faces = len(game.card_set.cards)
    copies = np.array([card.copies for card in game.card_set.cards])
    for holder in range(game.players):
        start = game.new(seed=0, advantage=holder).record
        for hands, probability in _hands(copies, game.players, game.rules["deal"]):
            record = start.copy()
            left = [[f] if k == 1 else [f, f + faces] for f, k in enumerate(copies)]
            for q, hand in enumerate(hands):
                cards = [left[f].pop(0) for f in range(faces) for _ in range(hand[f])]
                record["hand"][0, q] = _words(cards)
            pile = [c for cards in left for c in cards]
            record["deck"][0] = -1
            record["deck"][0, : len(pile)] = pile
            playout.settle(game.F_step, game.R, records(record))  # what is legal hangs on the hand (T2)
            yield record, probability / game.players


def outcomes(game: Game, before: NDArray, action: int) -> list[tuple[NDArray, float]]:
    """What an action leads to: (record[1], probability), one for each sequence of faces that it may draw.

    `before` is a record[1] of this module's making in which `action` is legal. Raises ReshuffleError where the draw pile runs out.
    """
    return _draws(game, before, action, 0, 1.0)


def _draws(game: Game, before: NDArray, action: int, known: int, probability: float) -> list[tuple[NDArray, float]]:
    """As `outcomes`, with the top `known` cards of the pile decided already."""
    after = before.copy()
    if not playout.act(game.F_step, game.R, records(after), action):
        raise ValueError(f"action {action} is not legal at this decision")
    if after["shuffles"][0] != before["shuffles"][0]:
        raise ReshuffleError(
            f"the draw pile ran out at decision {int(after['decisions'][0])}, and shuffles are not enumerated; "
            "use more cards, shorter games or fewer powers that draw"
        )
    size = int(before["ndeck"][0])
    if size - int(after["ndeck"][0]) <= known:
        return [(after, probability)]
    found = []
    top = size - 1 - known
    bag = before["deck"][0, : top + 1].tolist()
    faces = len(game.card_set.cards)
    for face in sorted({c % faces for c in bag}):
        alike = [c for c in bag if c % faces == face]
        record = before.copy()
        record["deck"][0, : top + 1] = [*(c for c in bag if c != alike[0]), alike[0]]
        found += _draws(game, record, action, known + 1, probability * len(alike) / len(bag))
    return found


def by_faces(game: Game, views: NDArray) -> NDArray[np.uint8]:
    """uint8[len(views), k]: what each view says when the twins of a face are not told apart.

    Rows of one call are equal if and only if the views are equal but for the exchange of twins.
    """
    n, faces = game.card_set.copies, len(game.card_set.cards)
    places, mentions = _places(views, n), _mentions(views, n)
    for f in range(n - faces):  # doubled faces stand first
        twin = f + faces
        order = (places[:, f] > places[:, twin]) | (
            (places[:, f] == places[:, twin]) & (mentions[:, f] > mentions[:, twin])
        )
        for codes in (places, mentions):
            codes[order, f], codes[order, twin] = codes[order, twin], codes[order, f]
    stack = views["stack"].copy()
    stack[:, :, 2:][CARD_OPERANDS[stack[:, :, 0]]] = 0
    # Field by field: between aligned fields a record has gaps, which may hold anything.
    rest = [views[name] for name in STATE.names or () if name not in (*FIXED, "stack")]
    parts = [_raw(part) for part in (places, mentions, stack, *rest)]
    return np.concatenate([part[:, (part != part[:1]).any(axis=0)] for part in parts], axis=1)


def _hands(copies: NDArray, players: int, size: int) -> Iterator[tuple[list[NDArray], float]]:
    """Every way to deal `size` cards a seat: counts int[faces] a seat, and the probability."""
    if players == 0:
        yield [], 1.0
        return
    for hand, ways in _draws_of(copies, size, 0):
        for others, probability in _hands(copies - hand, players - 1, size):
            yield [hand, *others], probability * ways / comb(int(copies.sum()), size)


def _draws_of(copies: NDArray, size: int, face: int) -> Iterator[tuple[NDArray, int]]:
    """Every hand of `size` cards of the faces from `face` on, as counts, and in how many ways copies make it."""
    if face == len(copies):
        if size == 0:
            yield np.zeros(len(copies), np.int64), 1
        return
    for k in range(min(size, int(copies[face])) + 1):
        for hand, ways in _draws_of(copies, size - k, face + 1):
            hand[face] = k
            yield hand, ways * comb(int(copies[face]), k)


def _words(cards: list[int]) -> NDArray[np.uint64]:
    """The two words of a set of copies."""
    whole = sum(1 << c for c in cards)
    return np.array([U(whole & (2**64 - 1)), U(whole >> 64)])


def _members(words: NDArray, copies: int) -> NDArray[np.bool_]:
    """bool[rows, copies] of sets uint64[rows, 2]."""
    raw = np.ascontiguousarray(words).astype("<u8").view(np.uint8).reshape(len(words), 16)
    return np.unpackbits(raw, axis=1, bitorder="little")[:, :copies].astype(np.bool_)


def _places(views: NDArray, copies: int) -> NDArray[np.int64]:
    """int64[rows, copies]: where the viewer sees each copy (0: nowhere), and from which shuffle it is (view.py)."""
    code = np.zeros((len(views), copies), np.int64)
    for q in range(SEATS):
        code += _members(views["hand"][:, q], copies) * (1 << 8)
        code += _members(views["hand"][:, q], copies) * (q + 1)
        code += _members(views["known"][:, q], copies) * (1 << 9)
        code += _members(views["secret"][:, q], copies) * (1 << 10)
        for slot in range(SLOTS):
            copy = views["army"][:, q, slot].astype(np.int64)
            here = np.flatnonzero(copy >= 0)
            code[here, copy[here]] += 20 + SLOTS * q + slot
    for k, name in enumerate(("discard", "aside", "revealed")):
        code += _members(views[name][:, 0], copies) * (10 + k)
    return code + (views["epoch"][:, :copies].astype(np.int64) << 16)


def _mentions(views: NDArray, copies: int) -> NDArray[np.int64]:
    """int64[rows, copies]: one bit for every operand of a pending frame that names the copy."""
    code = np.zeros((len(views), copies), np.int64)
    for k in range(DEPTH):
        frame = views["stack"][:, k].astype(np.int64)
        for j in range(4):
            here = np.flatnonzero(CARD_OPERANDS[frame[:, 0], j] & (k < views["sp"]) & (frame[:, 2 + j] >= 0))
            code[here, frame[here, 2 + j]] |= 1 << (4 * k + j)
    return code


def _raw(rows: NDArray) -> NDArray[np.uint8]:
    """The bytes of each row."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)
