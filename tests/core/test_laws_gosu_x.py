"""The laws of this folder on Gosu X: positions of every kind of decision, of the packaged set and of the rulings tests' cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType

import invariants_x
import numpy as np
import pytest
import test_laws_play
import test_laws_values
import test_laws_views

import gosu_rl
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.jit import JIT

CARDS = Path(__file__).parents[1] / "rulings_gosu_x" / "cards.toml"
USED = {
    "over", "draft", "mulligan", "turn", "use", "pay", "discard", "will", "may", "aim", "card", "clan", "mode", "song", "regain",
}  # fmt: skip
PILES = ("army", "trapped", "discard", "aside", "removed", "known", "tally", "hand_size", "win")


@cache
def game(cards: str) -> Game:
    return gosu_rl.game("gosu_x", 2, CARDS if cards == "rulings" else None)


def walk(state: GameState, chance: Random, most: int = 400) -> Iterator[GameState]:
    """Every position of a game in which players pass late and use their tokens."""
    for _ in range(most):
        yield state
        if state.over:
            return
        legal = state.legal
        if state.kind == "turn" and len(legal) > 1 and chance.random() < 0.9:
            legal = [a for a in legal if state.game.labels[a] != "pass"]
        state.apply(chance.choice(legal))


@cache
def corpus(each: int = 3) -> tuple[GameState, ...]:
    """Snapshots of every kind of decision, up to `each` a kind and game; also of games that are over."""
    found = []
    for g, cards in enumerate(("gosu_x", "rulings")):
        seen: Counter[str] = Counter()
        for number in range(40 if JIT else 2):
            chance = Random(f"{g} {number}")
            for here in walk(game(cards).new(seed=1000 * g + number), chance):
                if seen[here.kind] < each and chance.random() < 0.3:
                    seen[here.kind] += 1
                    found.append(here.copy())
    return tuple(found)


def other_world(state: GameState, p: int, seed: int) -> GameState:
    """A world that seat p cannot tell from the state, with its legal actions."""
    return state.game.parse(str(state.view(p).determinize(seed=seed)))


LAWS = [
    (test_laws_play, "test_snapshots_keep_their_bytes_while_the_game_goes_on"),
    (test_laws_play, "test_a_copy_goes_its_own_way"),
    (test_laws_play, "test_illegal_ids_and_labels_are_refused_and_change_nothing"),
    (test_laws_play, "test_legal_actions_are_taken_in_every_form"),
    (test_laws_play, "test_mask_labels_and_legal_say_the_same"),
    (test_laws_values, "test_text_gives_back_the_same_bytes"),
    (test_laws_values, "test_pickles_give_back_the_same_bytes"),
    (test_laws_values, "test_copies_are_equal_and_apart"),
    (test_laws_views, "test_a_view_of_a_view_is_itself"),
    (test_laws_views, "test_who_is_not_to_move_sees_no_actions"),
]


@pytest.mark.nojit
@pytest.mark.parametrize(("module", "law"), LAWS, ids=[law for _, law in LAWS])
def test_a_law_of_tactics_holds(module: ModuleType, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "corpus", corpus)
    getattr(module, law)()


@pytest.mark.nojit
def test_every_position_is_sound() -> None:
    for state in corpus():
        invariants_x.check(state)
        for p in range(2):
            observation = state.observation(p)
            assert observation.shape == (state.game.observation_size,)
            assert np.isfinite(observation).all()


def test_every_kind_of_decision_is_tried() -> None:
    assert {state.kind for state in corpus()} == USED


@pytest.mark.nojit
def test_worlds_give_their_view_and_are_sound() -> None:
    for k, state in enumerate(corpus()):
        for p in range(2):
            seen = state.view(p)
            world = seen.determinize(seed=k)
            assert world.view(p) == seen
            invariants_x.check(world)
            again = state.game.parse(str(world))
            assert again.view(p) == seen
            if p == state.mover:
                assert again.legal == state.legal, f"{state.kind}: what is legal hangs on what p cannot know"


def test_what_a_seat_cannot_know_changes_nothing_for_it() -> None:
    moved = 0
    for k, state in enumerate(corpus()):
        if state.over:
            continue
        for p in range(2):
            other = other_world(state, p, k)
            moved += (other.record["hand"] != state.record["hand"]).any() or (
                other.record["deck"] != state.record["deck"]
            ).any()
            test_laws_views.knows_the_same(state, other, p)
    assert moved > 60


@pytest.mark.nojit
def test_what_comes_next_does_not_depend_on_hidden_cards() -> None:
    """Two worlds behind one view, the same answer in both: unless it turns up other cards, the views stay the same."""
    compared: Counter[str] = Counter()
    for k, state in enumerate(corpus()):
        if state.over:
            continue
        chance = Random(k)
        p = 1 - state.mover
        other = other_world(state, p, k)
        both = [label for label in state.legal_labels if label in other.legal_labels]
        for label in chance.sample(both, min(4, len(both))):
            one, two = state.copy().apply(label), other.copy().apply(label)
            seen = [b"".join(after.record[0][key].tobytes() for key in PILES) for after in (one, two)]
            own = [
                after.record[0]["hand"][p].tobytes() + after.view(p).record["deck"].tobytes() for after in (one, two)
            ]
            if seen[0] == seen[1] and own[0] == own[1] and one.shuffles == state.shuffles:
                assert one.view(p) == two.view(p), f"{state.kind}: {label}\n{one.view(p)}\n{two.view(p)}"
                compared[state.kind] += 1
    if JIT:
        assert set(compared) == USED - {"over"}


def test_games_from_the_same_seed_are_the_same() -> None:
    one = game("gosu_x").playouts(40, seed=5)
    two = game("gosu_x").playouts(40, seed=5, workers=2)
    assert (one.returns == two.returns).all()
    assert set(np.unique(one.returns)) <= {-1.0, 0.0, 1.0}
