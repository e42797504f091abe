"""The beginning of a game of Gosu X: the draft of clans, the decks, the first hands."""

from __future__ import annotations

from gosu_rl.core import rng
from gosu_rl.core.gosu.state import DECKS, DRAFT, MULLIGAN
from gosu_rl.core.gosu.turns import begin_game
from gosu_rl.core.gosu_x.decks import draw_own, split_decks
from gosu_rl.core.gosu_x.turns import clear_tally
from gosu_rl.core.jit import entry, inner
from gosu_rl.core.stack import pop, push

PICKS = 6
LATER = 0b100110  # the picks of the second player, from the sixth down to the first (X17)


@entry
def deal(s, R, n, seed, holder):
    """As `gosu.step.deal`: the draft, by the players, by chance, or as the rules fix it (X17)."""
    begin_game(s, R, n, seed, holder)
    first = s.adv
    s.ndeck = 0
    s.regular = 1
    every = (1 << R.clans) - 1
    for q in range(2):
        s.tokens[q] = R.tokens
        s.locked[q] = max(0, R.token_limit - R.tokens)
    for k in range(1, -1, -1):
        push(s, MULLIGAN, (first + k) % 2, 0, 0, 0, 0)
    push(s, DECKS, 0, 0, 0, 0, 0)
    s.tiles = every
    if R.draft == 0:
        for k in range(PICKS - 1, -1, -1):
            push(s, DRAFT, drafter(first, k), 0, 0, 0, 0)
        return
    s.rng = rng.mix(seed, rng.STREAM_DRAFT)
    code = R.draft - 2
    for k in range(PICKS):
        clan = code & 7
        code >>= 3
        if R.draft == 1:
            clan = rng.below(s, R.clans)
            while (s.tiles >> clan) & 1 == 0:
                clan = rng.below(s, R.clans)
        pick_clan(s, drafter(first, k), clan)
    s.rng = rng.mix(seed, rng.STREAM_PLAY)


@inner
def drafter(first, k):
    """Who makes pick k, from 0: first, other, other, first, first, other."""
    return 1 - first if (LATER >> k) & 1 != 0 else first


@inner
def pick_clan(s, q, clan):
    """Player q drafts a clan; tiles of the clans that nobody takes stay active (X1)."""
    k = 0
    while s.picks[k] != 0:
        k += 1
    s.picks[k] = clan + 1
    s.clans[q] |= 1 << clan
    s.tiles &= ~(1 << clan)


@inner
def form_decks(s, R):
    """The draft is over: decks, and the first hands, the first player's first."""
    pop(s)
    split_decks(s, R)
    for k in range(2):
        draw_own(s, R, (s.adv + k) % 2, R.deal)
    clear_tally(s)
