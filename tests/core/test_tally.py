"""The tally of cards: the games of `play_many`, and what an independent count over `as_dict` says of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import gosu_rl
from gosu_rl.core.rng import STREAM_CHOICE
from gosu_rl.core.tally import NAMES, CardLog, can_tally, faces_named, tally_many

GOLDEN, WORD = 0x9E3779B97F4A7C15, 2**64 - 1


def scramble(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def replayed(game, seed, holder):
    """The states of the compiled loop's game between greedy players, each with the action that follows."""
    state = game.new(seed=seed, advantage=holder)
    word = scramble((scramble((seed + GOLDEN) & WORD) + int(STREAM_CHOICE) * GOLDEN) & WORD)
    while not state.over:
        word = (word + GOLDEN) & WORD
        action = game.choose(state.view(state.mover), "greedy", scramble(word))
        yield state, action
        state.apply(action)
    yield state, None


def counted(labels, faces):
    counts = np.zeros(len(faces), int)
    for label, number in Counter(labels).items():
        counts[faces[label]] = number
    return counts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_tally_python_tally_and_plain_counting_agree(players):
    game = gosu_rl.game("tactics", players=players)
    faces = {card.label: face for face, card in enumerate(game.card_set.cards)}
    seeds, holders = np.arange(70, 74, dtype=np.uint64), np.arange(4) % players
    tally = tally_many(game, ["greedy"] * players, seeds, holders)
    for place, (seed, holder) in enumerate(zip(seeds, holders, strict=True)):
        log, kept = None, None
        played, most = np.zeros((players, len(faces)), int), np.zeros((players, len(faces)), int)
        for state, action in replayed(game, int(seed), int(holder)):
            position = state.as_dict()["players"]
            hands = np.array([counted(player["hand"], faces) for player in position])
            if log is None:
                log = CardLog(game, state)
                dealt = hands
            else:
                log.after(state)
            if kept is None and state.kind == "turn":
                kept = hands
            if kept is not None:
                most = np.maximum(most, hands)
            if action is None:
                armies = [[label for row in player["army"] for label, _ in row] for player in position]
                ended = np.array([counted(army, faces) for army in armies])
                share = state.shares
                break
            log.before(state, action)
            word, _, label = game.labels[action].partition(" ")
            if state.kind == "turn" and word in ("play", "take"):
                played[state.mover, faces[label]] += 1
        for name in NAMES:
            assert (getattr(tally, name)[place] == getattr(log, name)).all(), name
        assert (log.dealt == dealt).all()
        assert (log.kept == kept).all()
        assert (log.played == played).all()
        assert (log.ended == ended).all()
        assert ((log.held > 0) == (most > 0)).all()  # copies held one after the other count each
        assert (log.held >= most).all()
        assert (tally.share[place] == share).all()
        assert dealt.sum() == 10 * players
        assert kept.sum() == 7 * players


def test_the_games_are_those_of_play_many_whatever_the_workers():
    game = gosu_rl.game("tactics", players=3)
    seeds = np.arange(600, dtype=np.uint64)
    rows = game.play_many(["greedy", "random", "greedy"], seeds)
    alone, together = (tally_many(game, ["greedy", "random", "greedy"], seeds, workers=w) for w in (1, 2))
    assert (rows["share"][:, :3] == alone.share.astype(np.float32)).all()
    assert (rows["truncated"] == alone.truncated).all()
    for name in ("share", "truncated", *NAMES):
        assert (getattr(alone, name) == getattr(together, name)).all(), name


def test_only_naming_a_card_names_one():
    game = gosu_rl.game("tactics")
    named = faces_named(game)
    labels = [game.labels[a] for a in np.flatnonzero(named >= 0)]
    assert Counter(label.split()[0] for label in labels) == {"play": 60, "take": 60}
    assert {game.card_set.cards[named[game.action("play Ember Whelp X")]].label} == {"Ember Whelp X"}
    assert named[game.action("pass")] == -1
    assert can_tally(game.kernel)


def test_wrong_arguments_are_those_of_play_many():
    game = gosu_rl.game("tactics")
    with pytest.raises(ValueError, match="2 seats need 2 policies, not 1"):
        tally_many(game, ["greedy"], [1])
    with pytest.raises(ValueError, match="no compiled policy 'clever'"):
        tally_many(game, ["greedy", "clever"], [1])
    with pytest.raises(ValueError, match="advantage must hold"):
        tally_many(game, ["greedy", "greedy"], [1, 2], advantage=[0])
