"""Copies and faces of a card set, as the tables of every kernel number them.

Doubled faces come first: copy c < F is the first copy of face c, copy F + f the twin of face f. A rules record `R` has `faces` (F),
`copies` and `face_bits`, the set of all faces. Sets of copies are two words (`bits.py`).
"""

from __future__ import annotations

from typing import Any

from gosu_rl.core.bits import ONE, ZERO, U, has, lowest
from gosu_rl.core.jit import inner


@inner
def face_of(R, c):
    """The face of a copy: first copies are numbered as faces, twins follow."""
    return c if c < R.faces else c - R.faces


@inner
def faces_word(R, low, high, w):
    """Word w of the set of faces of which a copy is in the set (low, high)."""
    return ((low if w == 0 else high) | twins_word(R, low, high, w)) & R.face_bits[w]


@inner
def twins_word(R, low, high, w):
    """Word w of the faces whose second copy is in the set (low, high)."""
    shift = U(R.faces & 63)
    if R.faces >= 64:  # twins start in the second word
        return high >> shift if w == 0 else ZERO
    if w == 0:
        return (low >> shift) | (high << (U(64) - shift))
    return high >> shift


@inner
def copy_in(R, cards, f):
    """The lowest copy of face f in a set, or -1."""
    if has(cards, f):
        return f
    twin = f + R.faces
    if twin < R.copies and has(cards, twin):
        return twin
    return -1


@inner
def copies_word(R, w):
    """Word w of all copies of the card set."""
    k = R.copies - 64 * w
    if k <= 0:
        return ZERO
    return ~ZERO if k >= 64 else (ONE << U(k)) - ONE


@inner
def of_epoch(s, word, w, epoch):
    """Those copies of word w that an epoch has."""
    found = ZERO
    while word != ZERO:
        c = lowest(word)
        word &= word - ONE
        if s.epoch[64 * w + c] == epoch:
            found |= ONE << U(c)
    return found


def members(words: Any) -> list[int]:
    """Copies in a set of two words, ascending."""
    value = int(words[0]) | int(words[1]) << 64
    found = []
    while value:
        lowest = value & -value
        found.append(lowest.bit_length() - 1)
        value ^= lowest
    return found
