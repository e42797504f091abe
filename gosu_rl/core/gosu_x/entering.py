"""How a card enters an army and how its text is begun (Gosu X): by play, by shift, by an effect, by a token, by Force of Will."""

from __future__ import annotations

from gosu_rl.core.copies import face_of
from gosu_rl.core.gosu.piles import hand_copy
from gosu_rl.core.gosu.state import DEEPEST, TEXT
from gosu_rl.core.gosu_x.counts import DONE, GONE, keyword_of
from gosu_rl.core.gosu_x.decks import move_to_pile, texts_at_work
from gosu_rl.core.gosu_x.rules import K_WONDROUS, TEXT_ALWAYS, TEXT_ENTER
from gosu_rl.core.gosu_x.targets import text_at
from gosu_rl.core.jit import inner
from gosu_rl.core.stack import push

ENTERING, ACTIVATION, BY_WILL, RESOLVED = range(4)  # how a text came to be resolved


@inner
def start_text(s, R, who, c, how, row):
    """Put the text of copy c at `row` on the stack, unless it has none or three are at work already (X52)."""
    if row != 0 and texts_at_work(s) < DEEPEST:
        push(s, TEXT, who, row, c, how, 0)


@inner
def enter(s, R, who, c, slot):
    """Copy c takes an empty slot, or the place of a card just taken away: it enters (X8)."""
    s.army[who, slot] = c
    if keyword_of(R, c, K_WONDROUS):
        s.wonder = who
    start_text(s, R, who, c, ENTERING, R.prog[face_of(R, c), TEXT_ENTER])


@inner
def mark_done(s):
    """The step at work has changed something."""
    k = text_at(s)
    if k >= 0:
        s.stack[k, 5] |= DONE


@inner
def use_will(s, R, q, f):
    """A card with Force of Will is discarded from the hand and its text resolved (X31)."""
    c = hand_copy(s, R, q, f)
    move_to_pile(s, q, c)
    start_text(s, R, q, c, BY_WILL | GONE, R.prog[f, TEXT_ALWAYS])
