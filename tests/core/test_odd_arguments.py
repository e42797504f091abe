"""Whatever is handed to the Python face, the answer is a ValueError of one line, and nothing has changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gosu_rl
from gosu_rl.core import playout

GAME = gosu_rl.game("tactics")
FOUR = gosu_rl.game("tactics", players=4)


def mover_view(game: Any) -> Any:
    state = game.new(seed=1)
    return state.view(state.mover)


@pytest.mark.nojit
@pytest.mark.parametrize(
    "arguments",
    [
        {"variant": []},
        {"variant": None},
        {"players": 2.0},
        {"players": np.True_},
        {"cards": 5},
        {"cards": []},
        {"rules": 5},
        {"rules": "deal=5"},
        {"rules": [("deal", 5)]},
    ],
)
def test_no_game_from_odd_arguments(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\A.+\Z"):
        gosu_rl.game(**{"variant": "tactics", **arguments})


@pytest.mark.nojit
def test_numpy_counts_are_numbers() -> None:
    game = gosu_rl.game("tactics", players=np.int64(3))
    assert type(game.players) is int
    assert game.players == 3


@pytest.mark.parametrize(
    "odd",
    [
        lambda: GAME.action(5),
        lambda: GAME.action(None),
        lambda: GAME.parse(None),
        lambda: GAME.parse(b"tactics"),
        lambda: GAME.relative_actions(2),
        lambda: GAME.relative_actions(-1),
        lambda: GAME.relative_actions(None),
        lambda: GAME.relative_actions(0.5),
        lambda: GAME.play_many(["random"] * 2, [1, 2], advantage=[0.5, 1]),
        lambda: GAME.play_many(["random"] * 2, [1, 2], advantage=[None, 1]),
        # names of compiled functions that are no policies: called as one, `observe` brought the process down
        *[lambda name=name: GAME.choose(mover_view(GAME), name, 1) for name in (*GAME.kernel.functions, "x", None)],
        lambda: GAME.choose(mover_view(FOUR), "random", 1),
    ],
)
def test_odd_arguments_are_value_errors(odd: Any) -> None:
    with pytest.raises(ValueError, match=r"\A.+\Z"):
        odd()


WHOLE_NUMBERS = {  # every argument of the core that is a whole number: what is done with it, and one that is right
    "players": (lambda x: gosu_rl.game("tactics", players=x), 2),
    "seed": (lambda x: GAME.new(seed=x), 1),
    "advantage": (lambda x: GAME.new(seed=1, advantage=x), 1),
    "relative_actions": (lambda x: GAME.relative_actions(x), 1),
    "view": (lambda x: GAME.new(seed=1).view(x), 1),
    "known_hand": (lambda x: GAME.new(seed=1).known_hand(x), 1),
    "observation": (lambda x: GAME.new(seed=1).observation(x), 1),
    "determinize": (lambda x: GAME.new(seed=1).view(0).determinize(x), 1),
    "apply": (lambda x: GAME.new(seed=2).apply(x), GAME.new(seed=2).legal[0]),
    "playouts": (lambda x: GAME.playouts(x), 1),
    "playouts seed": (lambda x: GAME.playouts(1, seed=x), 1),
    "playouts workers": (lambda x: GAME.playouts(1, workers=x), 1),
    "play_many seeds": (lambda x: GAME.play_many(["random"] * 2, [x, 2]), 1),
    "play_many advantage": (lambda x: GAME.play_many(["random"] * 2, [1, 2], advantage=[x, 0]), 1),
    "play_many workers": (lambda x: GAME.play_many(["random"] * 2, [1], workers=x), 1),
    "choose": (lambda x: GAME.choose(mover_view(GAME), "random", x), 1),
}


@pytest.mark.parametrize("call", WHOLE_NUMBERS)
def test_whole_numbers_are_taken_alike_everywhere(call: str) -> None:
    """NumPy's too; and never True, which would silently have been seat 1, seed 1 or one worker, nor 1.0 or a list."""
    run, right = WHOLE_NUMBERS[call]
    for number in (right, np.int8(right), np.uint64(right), np.array(right)):
        run(number)
    for odd in (
        True,
        False,
        np.True_,
        np.array(True),
        float(right),
        np.float64(right),
        str(right),
        [right],
        float("nan"),
    ):
        with pytest.raises(ValueError, match=r"\A.+\Z"):
            run(odd)


@pytest.mark.parametrize("variant", gosu_rl.variants())
def test_advantage_is_a_seat_in_every_variant(variant: str) -> None:
    game = gosu_rl.game(variant)
    for odd in (True, False, -1, 2, 1.0):
        with pytest.raises(ValueError, match=f"advantage must be a seat from 0 to 1, not {odd}"):
            game.new(seed=1, advantage=odd)


def test_a_long_label_makes_no_long_message() -> None:
    state = GAME.new(seed=1)
    with pytest.raises(ValueError, match="no action") as caught:
        state.apply("x" * 100_000)
    assert len(str(caught.value)) < 1500


def test_legal_is_ones_own_while_another_thread_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other thread's turn comes between the compiled call and the reading of what it wrote."""
    state, other = GAME.new(seed=1), GAME.new(seed=2)
    while len(other.legal) < 5:
        other.apply(other.legal[0])
    expected, asked, original = state.legal, [], playout.legal_actions
    assert other.legal[: len(expected)] != expected

    def interrupted(*arguments: Any) -> Any:
        found = original(*arguments)
        if not asked:
            asked.append(True)
            assert len(other.legal) >= 5
        return found

    monkeypatch.setattr(playout, "legal_actions", interrupted)
    assert state.legal == expected
