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
