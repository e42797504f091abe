"""Two games that fit on a napkin, as a kernel of their own: every answer is known by calculation.

**Guess**, for two. Seat 1 holds a coin that seat 0 cannot see. Seat 0 says

* `safe`: chance, drawn when he says so, lets him win 6 times in 10; or
* `guess`: then he names `left` or `right` and wins if that is how the coin lies: 1 time in 2.

So `safe` is right (0.6 v 0.5). Who looks at worlds one by one believes that `guess` always wins, since in every single world he
knows which side to name: that is strategy fusion.

With the rule `ask` there is a third way: seat 1 has to `left` or `right`, as his coin lies, and seat 0 wins. In a world only one of
the two is legal.

**Bargain**, for three; nothing is hidden. Seat 0 goes `east` or `west`, then seat 1 `takes` or `shares`.

* east: take, seat 1 wins alone; share, seat 0 wins alone.
* west: take, seat 2 wins alone; share, seats 0 and 1 win together.

If everybody wants his own best, seat 1 takes in the east and shares in the west, so `west` is right (0.5 v 0). Who takes the others
for his enemies sees no difference; who takes them for friends goes east.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from gosu_rl.core.bits import U
from gosu_rl.core.cards.schema import Card, CardSet
from gosu_rl.core.game import Game
from gosu_rl.core.jit import JIT, entry, inner
from gosu_rl.core.kernel import Kernel
from gosu_rl.core.rng import STREAM_DEAL, STREAM_WORLD, below, mix
from gosu_rl.core.search import EVALUATE_SCALE

LABELS = ("safe", "guess", "left", "right", "east", "west", "take", "share", "ask")
SAFE, GUESS, LEFT, RIGHT, EAST, WEST, TAKE, SHARE, ASK = range(9)
FIRST, SIDE, EASTWARD, WESTWARD, TELL = range(1, 6)  # kinds of decisions; 0 is over
KINDS = ("over", "first", "side", "eastward", "westward", "tell")
HIDDEN = -1
NEXT = (0, SIDE, 0, 0, EASTWARD, WESTWARD, 0, 0, TELL)  # where the first action leads
GUESSING, ASKING, SIDES = (1 << SAFE) | (1 << GUESS), 1 << ASK, (1 << LEFT) | (1 << RIGHT)  # legal sets
BARGAIN, ANSWERS = (1 << EAST) | (1 << WEST), (1 << TAKE) | (1 << SHARE)
SAFE_WINS, IN_ALL = 6, 10

STATE = np.dtype(
    [
        ("legal", "u8", 1),
        ("mover", "i8"),
        ("kind", "i8"),
        ("over", "i8"),
        ("n", "i8"),
        ("win", "i8", 3),
        ("decisions", "i8"),
        ("rnd", "i8"),
        ("reason", "i8"),
        ("rng", "u8"),
        ("viewer", "i8"),
        ("coin", "i8"),  # seat 1's secret: 0 left, 1 right
    ],
    align=True,
)
RULES = np.dtype([("safe_wins", "i8"), ("ask", "i8")], align=True)
RESULT = np.dtype([("seed", "u8"), ("first", "i8"), ("decisions", "i8"), ("share", "f4", 3)], align=True)


def compiled(function: Any) -> Any:
    """An entry that is not kept on disk: the cache is stamped with the sources of the core, and this file is not one of them."""
    made = entry(function)
    if JIT:
        from numba.core.caching import NullCache

        made._cache = NullCache()
    return made


@compiled
def deal(s, R, n, seed, holder):
    s.n = n
    s.viewer = HIDDEN
    s.rng = mix(seed, STREAM_DEAL)
    s.coin = below(s, 2)
    s.kind = FIRST


@inner
def score(s, R, action):
    """Who wins by the last action of the game."""
    if s.kind == SIDE:
        s.win[0 if action - LEFT == s.coin else 1] = 1
    elif s.kind == TELL:
        s.win[0] = 1
    elif s.kind == EASTWARD:
        s.win[1 if action == TAKE else 0] = 1
    elif s.kind == WESTWARD:
        if action == TAKE:
            s.win[2] = 1
        else:
            s.win[0] = s.win[1] = 1
    else:
        s.win[0 if below(s, IN_ALL) < R.safe_wins else 1] = 1


@compiled
def step(s, R, action):
    if action >= 0:
        s.decisions += 1
        if s.kind == FIRST and action != SAFE:
            s.kind = NEXT[action]
        else:
            score(s, R, action)
            s.over = 1
            s.kind = 0
    s.legal[0] = U(0)
    s.mover = -1 if s.over else 0 if s.kind <= SIDE else 1
    if s.kind == FIRST:
        s.legal[0] = U(BARGAIN) if s.n == 3 else U(GUESSING | ASKING) if R.ask else U(GUESSING)
    elif s.kind == SIDE:
        s.legal[0] = U(SIDES)
    elif s.kind == TELL:
        s.legal[0] = U(1 << (LEFT + s.coin))
    elif s.kind > 0:
        s.legal[0] = U(ANSWERS)


@compiled
def hide(s, R, p):
    s.viewer = p
    s.rng = U(0)
    if p != 1:
        s.coin = HIDDEN
    if s.mover != p:
        s.legal[0] = U(0)


@compiled
def redeal(s, R, seed):
    s.rng = mix(U(seed), STREAM_WORLD)
    if s.coin == HIDDEN:
        s.coin = below(s, 2)
    s.viewer = HIDDEN


@compiled
def observe(s, R, p, out):
    out[0] = s.kind
    out[1] = s.coin


@compiled
def note(s, row, moment):
    if moment == 0:
        row.first = s.mover
    row.decisions = s.decisions
    winners = s.win[0] + s.win[1] + s.win[2]
    for q in range(3):
        row.share[q] = s.win[q] / max(1, winners)


@compiled
def evaluate(s, R, q):
    return EVALUATE_SCALE // s.n


@compiled
def choose_lowest(s, R, word):
    a = 0
    while (s.legal[0] >> U(a)) & U(1) == U(0):
        a += 1
    return a


@compiled
def choose_highest(s, R, word):
    a = 63
    while (s.legal[0] >> U(a)) & U(1) == U(0):
        a -= 1
    return a


def _blank() -> np.ndarray:
    return np.zeros(1, STATE)


def _rules(card_set: CardSet, numbers: Any, offsets: Any) -> np.ndarray:
    return np.array([(numbers["safe_wins"], numbers["ask"])], RULES)


def _none(*_: Any) -> Any:
    raise NotImplementedError("the tiny games have no text")


KERNEL = Kernel(
    name="tiny",
    variants=("tiny",),
    players=(2, 3),
    state=STATE,
    rules=RULES,
    result=RESULT,
    functions={
        "deal": deal, "step": step, "hide": hide, "redeal": redeal, "observe": observe, "note": note, "evaluate": evaluate,
    },
    policies={"lowest": choose_lowest, "highest": choose_highest},
    kinds=KINDS,
    reasons=("",),
    blank=_blank,
    numbers=lambda variant, changes: {"deal": 0, "safe_wins": SAFE_WINS, "ask": 0, **(changes or {})},
    actions=lambda card_set, players, numbers: SimpleNamespace(
        labels=LABELS, ranges=(), index={label: a for a, label in enumerate(LABELS)}, aliases={}, offsets={}
    ),
    compile_rules=_rules,
    layout=lambda card_set, players, numbers: [("kind", 1, "kind of decision"), ("coin", 1, "the coin, -1 if unseen")],
    write_text=_none,
    read_text=_none,
    describe=_none,
    known_hand=_none,
)  # fmt: skip


def tiny(players: int, **numbers: int) -> Game:
    """Guess (2 players) or Bargain (3); `numbers` are rules: safe_wins (of 10), ask (0 or 1)."""
    cards = CardSet("coin", "tiny", "A coin", "1", "free", (Card("Coin", "Alpha", 1, strength=1),))
    return Game(KERNEL, "tiny", cards, players, numbers)
