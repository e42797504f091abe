"""Which cards were where in a game: a tally kept by compiled loops and by Python ones with the same few functions.

For every seat and face a tally counts: copies *dealt* into the opening hand, which may come after a draft; copies *kept* of it, in
hand when the first turn begins; copies *held* at any time from then on; how often the card was *played*, that is named for a
turn, to be recruited or mutated into (T47), in Epic Death in any decision that can play it; copies in the army when the game
*ended*, face down ones too.

Any kernel can be tallied whose states keep `hand`, sets of copies by seat, and `army`, either sets as well, or copies or -1 by
seat and slot. Where no decision is called "turn" play begins with the first decision. All arrays are uint8 of shape [games,
players, faces], or [players, faces] for one game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.game import Game
from gosu_rl.core.jit import act_at, choose_at, deal_at, entry, inner
from gosu_rl.core.kernel import DEAL, HIDE, STEP, Kernel
from gosu_rl.core.many import in_chunks, policy_places
from gosu_rl.core.playout import START
from gosu_rl.core.position import GameState, records
from gosu_rl.core.rng import GOLDEN, STREAM_CHOICE, mix, scramble

NAMES = ("dealt", "kept", "held", "played", "ended")
UNDEALT, DEALT, BEGUN = -1, 0, 1  # how far a game is: in the draft, with its opening hands, in play


@dataclass(frozen=True)
class Tally:
    """What the cards did in some games."""

    share: np.ndarray  # float64[games, players]: 1/w for each of w winners, 0 when truncated
    truncated: np.ndarray  # bool[games]
    dealt: np.ndarray
    kept: np.ndarray
    held: np.ndarray
    played: np.ndarray
    ended: np.ndarray


def can_tally(kernel: Kernel) -> bool:
    """Whether the states of a kernel say where cards are in the way that is needed here."""
    return {"hand", "army"} <= set(kernel.state.names or ())


def faces_named(game: Game) -> np.ndarray:
    """int64[num_actions]: the face that an action names when a turn begins, -1 for all others."""
    faces = {card.label: face for face, card in enumerate(game.card_set.cards)}
    verbs = ("play", "take") if turn_of(game) >= 0 else ("play",)  # a turn may be taken with a card of the discard pile
    words = [label.partition(" ") for label in game.labels]
    return np.array([faces[rest] if word in verbs else -1 for word, _, rest in words], np.int64)


def turn_of(game: Game) -> int:
    """The number of the kind "turn"; -1 for a game that has none, in which cards are played in several kinds of decisions."""
    return game.kinds.index("turn") if "turn" in game.kinds else -1


def armies_are_sets(game: Game) -> bool:
    """Whether the field `army` holds sets of copies, and not slots."""
    return game.state_dtype["army"].base == np.dtype(np.uint64)


def tally_many(
    game: Game,
    policies: Sequence[str],
    seeds: np.ndarray | Sequence[int],
    advantage: np.ndarray | Sequence[int] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Play the games of `game.play_many`, the very same ones, and tally their cards. Arguments and errors as there."""
    seeds, holders, places = policy_places(game, policies, seeds, advantage)
    n, games = game.players, len(seeds)
    share, over = np.zeros((games, n)), np.zeros(games, np.int8)
    shape = (games, n, len(game.card_set.cards))
    counts = [np.zeros(shape, np.uint8) for _ in NAMES]
    F = game.kernel.need("deal", "step", "hide", *policies)
    named, turn, sets = faces_named(game), turn_of(game), armies_are_sets(game)

    def chunk(a: int, b: int) -> None:
        S, V = (records(np.zeros(1, game.state_dtype)) for _ in range(2))
        tally_games(
            F, game.R, S, V, game.blank, n, places, seeds[a:b], holders[a:b], named, turn, sets,
            np.zeros((n, game.state_dtype["hand"].shape[1]), np.uint64), np.zeros(1, np.int64),
            share[a:b], over[a:b], *(count[a:b] for count in counts),
        )  # fmt: skip

    in_chunks(tally_games, chunk, games, workers, progress)
    return Tally(share, over == 2, *counts)


class CardLog:
    """The tally of one game that Python plays: `before` every action, `after` it."""

    def __init__(self, game: Game, state: GameState):
        n, words = game.players, game.state_dtype["hand"].shape[1]
        self._named, self._turn, self._sets = faces_named(game), turn_of(game), armies_are_sets(game)
        self._seen, self._begun = np.zeros((n, words), np.uint64), np.zeros(1, np.int64)
        counts = [np.zeros((n, len(game.card_set.cards)), np.uint8) for _ in NAMES]
        self.dealt, self.kept, self.held, self.played, self.ended = counts
        log_deal(records(state.record), self._begun, self.dealt)

    def before(self, state: GameState, action: int) -> None:
        """Take in what the mover is about to do."""
        face = int(self._named[action])
        log_before(records(state.record), face, self._turn, self._begun, self._seen, self.kept, self.played)

    def after(self, state: GameState) -> None:
        """Take in what the action led to."""
        log_after(records(state.record), self._begun, self._seen, self.dealt, self.held, self.ended, self._sets)


# ------------------------------------------------------------------------------------------------ compiled


@inner
def count_set(words, q, out):
    """Add the copies of set words[q] to out[q, faces]; twins follow the first copies."""
    faces = out.shape[1]
    for w in range(words.shape[1]):
        left = U(words[q, w])
        while left != ZERO:
            copy = 64 * w + lowest(left)
            left &= left - ONE
            out[q, copy % faces] += 1


@inner
def note_deal(s, begun, dealt):
    """Count the opening hands, or say that they are not dealt yet: all are, at once."""
    begun[0] = UNDEALT
    for q in range(dealt.shape[0]):
        count_set(s.hand, q, dealt)
        for w in range(s.hand.shape[1]):
            if s.hand[q, w] != ZERO:
                begun[0] = DEALT


@inner
def note_before(s, face, turn, begun, seen, kept, played):
    """Before an action: the hands, when the first turn begins; the card that is named (-1: none)."""
    if turn >= 0 and s.kind != turn:
        return
    if begun[0] != BEGUN:
        begun[0] = BEGUN
        for q in range(kept.shape[0]):
            count_set(s.hand, q, kept)
            for w in range(seen.shape[1]):
                seen[q, w] = s.hand[q, w]
    if face >= 0:
        played[s.mover, face] += 1


@inner
def note_after(s, begun, seen, dealt, held, ended, sets):
    """After an action: what hands hold now; at the end of the game what they ever held, and the armies."""
    if begun[0] == UNDEALT:
        note_deal(s, begun, dealt)
    if begun[0] == BEGUN:
        for q in range(seen.shape[0]):
            for w in range(seen.shape[1]):
                seen[q, w] |= s.hand[q, w]
    if s.over != 0:
        faces = ended.shape[1]
        for q in range(ended.shape[0]):
            count_set(seen, q, held)
            if sets:  # both branches are compiled for either type, so numbers are converted in both
                count_set(s.army, q, ended)
                continue
            for slot in range(s.army.shape[1]):
                copy = np.int64(s.army[q, slot])
                if copy >= 0:
                    ended[q, copy % faces] += 1


@entry
def log_deal(S, begun, dealt):
    """`note_deal` for Python."""
    note_deal(S[0], begun, dealt)


@entry
def log_before(S, face, turn, begun, seen, kept, played):
    """`note_before` for Python."""
    note_before(S[0], face, turn, begun, seen, kept, played)


@entry
def log_after(S, begun, seen, dealt, held, ended, sets):
    """`note_after` for Python."""
    note_after(S[0], begun, seen, dealt, held, ended, sets)


@entry
def tally_games(
    F, R, S, V, blank, n, policies, seeds, holders, named, turn, sets, seen, begun, share, over, dealt, kept, held, played, ended
):  # fmt: skip
    """The loop of `playout.policy_games`, with a tally in place of result rows. `seen` [n, words] and `begun` [1] are scratch."""
    deal = deal_at(F, DEAL, S, R)
    step = act_at(F, STEP, S, R)
    hide = act_at(F, HIDE, S, R)
    for g in range(seeds.size):
        S[0] = blank[0]
        deal(S[0], R[0], n, seeds[g], holders[g])
        step(S[0], R[0], START)
        note_deal(S[0], begun, dealt[g])
        word = mix(seeds[g], STREAM_CHOICE)
        for q in range(n):
            for w in range(seen.shape[1]):
                seen[q, w] = ZERO
        while S[0].over == 0:
            p = S[0].mover
            V[0] = S[0]
            hide(V[0], R[0], p)
            word += GOLDEN
            action = choose_at(F, policies[p], V, R)(V[0], R[0], scramble(word))
            note_before(S[0], named[action], turn, begun, seen, kept[g], played[g])
            step(S[0], R[0], action)
            note_after(S[0], begun, seen, dealt[g], held[g], ended[g], sets)
        winners = 0
        for q in range(n):
            winners += S[0].win[q]
        for q in range(n):
            share[g, q] = S[0].win[q] / max(1, winners)
        over[g] = S[0].over
