"""The laws of the other files of this folder, on GOSU: the same functions, with GOSU's positions in place of those of Tactics."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType

import invariants
import numpy as np
import pytest
import test_laws_play
import test_laws_secrecy
import test_laws_values
import test_laws_views
import test_nojit
from hidden_cards import scrambled
from law_cases import PLAYERS, STYLES, choose, walk

import gosu_rl
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.jit import JIT

SMALL = Path(__file__).parents[1] / "rulings_gosu" / "cards.toml"
NEVER = {"opening", "link", "refresh"}  # kinds of the kernel that GOSU has no use for


@cache
def game(cards: str, players: int) -> Game:
    """The packaged set, and the fewer cards of the rulings tests."""
    if cards == "gosu":
        return gosu_rl.game("gosu", players)
    return gosu_rl.game("gosu", players, SMALL, {"deal": 5, "tokens": 4})


def games() -> list[Game]:
    return [game(cards, players) for cards in ("gosu", "small") for players in PLAYERS]


@cache
def corpus(each: int = 2) -> tuple[GameState, ...]:
    """Snapshots of every kind of decision, up to `each` a kind and game; also of games that are over."""
    found = []
    for g, one in enumerate(games() if JIT else games()[::4]):
        seen: Counter[str] = Counter()
        for number in range(24):
            chance = Random(f"{g} {number}")
            for here in walk(one.new(seed=1000 * g + number), STYLES[number % 3], chance, most=250):
                if seen[here.kind] < each and chance.random() < 0.25 + 0.75 * (number > 3):
                    seen[here.kind] += 1
                    found.append(here.copy())
    return tuple(found)


LAWS = [
    (test_laws_play, "test_every_position_of_the_corpus_is_sound_for_every_seat"),
    (test_laws_play, "test_same_seed_and_actions_give_the_same_bytes"),
    (test_laws_play, "test_the_deal_does_not_depend_on_who_holds_the_advantage_card"),
    (test_laws_play, "test_snapshots_keep_their_bytes_while_the_game_goes_on"),
    (test_laws_play, "test_a_copy_goes_its_own_way"),
    (test_laws_play, "test_illegal_ids_and_labels_are_refused_and_change_nothing"),
    (test_laws_play, "test_legal_actions_are_taken_in_every_form"),
    (test_laws_play, "test_a_view_is_not_played_on"),
    (test_laws_play, "test_mask_labels_and_legal_say_the_same"),
    (test_laws_values, "test_text_gives_back_the_same_bytes"),
    (test_laws_values, "test_text_of_whole_games_gives_back_the_same_bytes"),
    (test_laws_values, "test_a_position_read_from_text_plays_on_alike"),
    (test_laws_values, "test_pickles_give_back_the_same_bytes"),
    (test_laws_values, "test_copies_are_equal_and_apart"),
    (test_laws_views, "test_a_world_drawn_from_a_view_gives_that_view"),
    (test_laws_views, "test_a_view_of_a_view_is_itself"),
    (test_laws_views, "test_who_is_not_to_move_sees_no_actions"),
    (test_laws_views, "test_a_view_holds_nothing_hidden"),
]


@pytest.mark.nojit
@pytest.mark.parametrize(("module", "law"), LAWS, ids=[law for _, law in LAWS])
def test_a_law_of_tactics_holds(module: ModuleType, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "corpus", corpus)
    if hasattr(module, "games"):
        monkeypatch.setattr(module, "games", games if JIT else lambda: games()[:1])
    getattr(module, law)()


def test_every_kind_of_decision_is_tried() -> None:
    kinds = {state.kind for state in corpus()}
    assert kinds == set(games()[0].kinds) - NEVER
    assert {state.reason for state in corpus() if state.over} >= {"points", "condition"}


def test_what_a_seat_cannot_know_changes_nothing_for_it() -> None:
    moved = 0
    for k, state in enumerate(corpus()):
        for p in range(state.game.players):
            other = scrambled(state, p, Random(f"{k} {p}"))
            invariants.check(other)
            moved += (other.record["hand"] != state.record["hand"]).any()
            test_laws_views.knows_the_same(state, other, p)
    assert moved > 100


def test_what_comes_next_does_not_depend_on_hidden_cards() -> None:
    compared: Counter[str] = Counter()
    for k, state in enumerate(corpus()):
        if state.over:
            continue
        chance = Random(k)
        for p in set(range(state.game.players)) - {state.mover}:
            other = scrambled(state, p, chance)
            both = [label for label in state.legal_labels if label in other.legal_labels]
            for label in chance.sample(both, min(4, len(both))):
                one, two = state.copy().apply(label), other.copy().apply(label)
                same = test_laws_secrecy.shown(one, p) == test_laws_secrecy.shown(two, p)
                if same and one.shuffles == state.shuffles:
                    assert one.view(p) == two.view(p), f"{state.kind}: {label}\n{one.view(p)}\n{two.view(p)}"
                    compared[state.kind] += 1
    assert set(compared) == set(games()[0].kinds) - NEVER - {"over"}


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_fit_through_reshuffles_that_wait(players: int) -> None:
    """G10: an empty pile stays empty for a while; the older epochs are then pinned to hands already."""
    copies = sum(card.copies for card in game("small", players).card_set.cards)
    rules = {"deal": (copies - 6) // players, "tokens": 6, "points_to_win": 50}  # a few cards are left to draw
    one, empty, shuffled = gosu_rl.game("gosu", players, SMALL, rules), 0, 0
    for seed in range(12):
        for state in walk(one.new(seed), STYLES[seed % 3], Random(seed), most=300):
            if state.over or (state.record["ndeck"][0] > 0 and state.decisions % 7):
                continue
            empty += int(state.record["ndeck"][0] == 0)
            shuffled += state.shuffles > 0
            for p in range(players):
                view = state.view(p)
                world = view.determinize(seed)
                invariants.check(world)
                assert world.view(p) == view
                if players == 2 and state.record["ndeck"][0] == 0:  # nothing unseen is anywhere but in the other hand
                    assert view.known_hand(1 - p) == state.as_dict()["players"][1 - p]["hand"]
    assert empty > 3
    assert shuffled > 3


def test_tokens_are_conserved() -> None:
    """Ready, on cards and spent make the player's tokens, one more from the Ôzeki that brings one (G2, G11)."""
    marked = 0
    for one in games():
        tokens = one.rules["tokens"]
        for seed in range(6):
            for state in walk(one.new(seed), STYLES[seed % 3], Random(seed), most=200):
                for player in state.as_dict()["players"]:
                    found = player["tokens"]
                    marked += len(found["on"])
                    assert tokens <= found["ready"] + found["spent"] + len(found["on"]) <= tokens + 1
                    rows = [len(row) for row in player["army"]]
                    for slot in found["on"]:
                        row, column = (int(text) for text in slot.split("."))
                        assert column <= rows[row - 1]
    assert marked > 50


def test_conditions_are_looked_at_after_every_change() -> None:
    """At no decision does a face-up Ôzeki's condition hold: the game would be over (G16)."""
    looked = 0
    for state in corpus():
        if state.over:
            continue
        for q, player in enumerate(state.as_dict()["players"]):
            cards = {card.label: card for card in state.game.card_set.cards}
            for face, trapped in player["army"][2]:
                for win in [] if trapped else [cards[face].win]:
                    if len(win) == 1 and win[0].startswith("hand "):
                        looked += 1
                        assert player["hand_size"] < int(win[0].split()[1])
                    if win == ("advantage", "army 4"):
                        looked += 1
                        assert state.advantage != q or sum(map(len, player["army"])) < 4
    assert looked >= 0


def test_playouts_and_policies_play_games_to_their_end() -> None:
    for one in games()[:3]:
        result = one.playouts(200, seed=4, workers=2)
        assert not result.truncated.any()
        assert result.shares.sum(axis=1) == pytest.approx(np.ones(200))
        assert (result.shares == one.playouts(200, seed=4).shares).all()
        rows = one.play_many(["greedy", "random", "random", "random"][: one.players], range(300))
        assert rows["share"][:, 0].mean() > 0.9
        assert not rows["truncated"].any()


def test_one_game_is_the_batch_of_one() -> None:
    """A game that Python plays is the one that the compiled loop plays."""
    one = game("gosu", 2)
    state = one.new(seed=3, advantage=1)
    log = one.log(state)
    alone = one.play_many(["greedy", "greedy"], [3], advantage=[1])
    assert alone["first_holder"][0] == 1
    while not state.over:
        state.apply(choose(state, "brisk", Random(state.decisions)))
        log.note(state)
    assert log.row["share"][:2].tolist() == state.shares.tolist()
    assert log.row["reason"] == one.reasons.index(state.reason)


@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
def test_games_are_the_same_compiled_and_not(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import test_laws_gosu; print(*test_laws_gosu.trace(), sep='\\n')"
    import os
    import subprocess
    import sys

    here = Path(__file__).parent
    path = os.pathsep.join([str(here), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert trace() == done.stdout.splitlines()


def trace() -> list[str]:
    """A line for every position of some games: digests of the record, a world, the observation, and what policies choose."""
    lines = []
    for g, (cards, players) in enumerate([("gosu", 2), ("small", 3), ("gosu", 4)]):
        one = game(cards, players)
        for state in walk(one.new(g), STYLES[g % 3], Random(g), most=80):
            view = state.view(max(0, state.mover))
            line = [state.kind, state.mover, state.legal, test_nojit.digest(test_nojit.plain(state))]
            if state.decisions % 7 == 0:
                line += [test_nojit.digest(test_nojit.plain(view.determinize(g)))]
                line += [test_nojit.digest(state.observation(0).tobytes().hex())]
                line += [one.choose(view, policy, 9) for policy in one.policies if not state.over]
            lines.append(str(line))
    return lines
