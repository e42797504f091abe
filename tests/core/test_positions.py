"""Positions as text: what `str` writes `parse` reads back, for every kind of decision; a wrong text is told where and why."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import gosu_rl
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.position_text import PositionError

CARDS = (
    Path(__file__).parent.parent / "rulings" / "cards.toml"
)  # many powers on few goblins: all kinds of decisions come soon
HEAD = "tactics, 2 players\n"


@pytest.fixture(scope="module")
def game() -> Game:
    return gosu_rl.game("tactics", 2, CARDS)


def lively(state: GameState, chance: Random) -> int:
    """A random action; a pass now and then only, so that armies grow."""
    acts = state.legal
    passing = state.game.action("pass")
    if len(acts) > 1 and passing in acts and chance.random() < 0.9:
        acts.remove(passing)
    return chance.choice(acts)


def some_of_each_kind(game: Game, want: int, games: int = 400) -> list[GameState]:
    """Positions from random games, `want` of each kind of decision, the end among them."""
    found: list[GameState] = []
    seen: Counter[str] = Counter()
    chance = Random(game.players)
    for seed in range(games):
        state = game.new(seed)
        while True:
            if seen[state.kind] < want and (state.over or chance.random() < 0.2):
                seen[state.kind] += 1
                found.append(state.copy())
            if state.over:
                break
            state.apply(lively(state, chance))
        if len(seen) == len(game.kinds) and min(seen.values()) == want:
            return found
    raise AssertionError(f"not seen often enough in {games} games: {seen}")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_round_trip_of_every_kind_of_decision(players: int) -> None:
    game = gosu_rl.game("tactics", players, CARDS)
    for state in some_of_each_kind(game, want=3):
        text = str(state)
        again = game.parse(text)
        assert again == state, text
        assert str(again) == text
        assert (again.kind, again.mover, again.legal) == (state.kind, state.mover, state.legal)


@pytest.mark.parametrize("players", [2, 4])
def test_round_trip_of_views(players: int) -> None:
    game = gosu_rl.game("tactics", players, CARDS)
    for state in some_of_each_kind(game, want=3):
        for seat in range(players):
            view = state.view(seat)
            again = game.parse(str(view))
            assert again == view, str(view)
            assert again.is_view
            assert again.viewer == seat


def test_a_parsed_state_plays_on_as_the_original(game: Game) -> None:
    chance = Random(5)
    state = game.new(17)
    while state.round < 2:
        state.apply(lively(state, chance))
    assert not state.over
    again = game.parse(str(state))
    while not state.over:
        action = lively(state, chance)
        state.apply(action)
        again.apply(action)
        assert again == state


def test_changed_rules_are_written_and_checked() -> None:
    changed = gosu_rl.game("tactics", 2, CARDS, {"turns_after_pass": 2})
    text = str(changed.new(1))
    assert "turns_after_pass=2" in text.splitlines()[0]
    assert str(changed.parse(text)) == text
    with pytest.raises(PositionError, match="line 1: it was written with rules"):
        gosu_rl.game("tactics", 2, CARDS).parse(text)


def test_what_may_be_left_out(game: Game) -> None:
    state = game.parse(
        HEAD + "p0:\n  hand: Fire Scout, Fire Scout  # both copies\n\np1:\n  army 1: Dark Scout, (Zombie)"
    )
    assert (state.mover, state.kind, state.round, state.advantage) == (0, "turn", 1, 0)
    position = state.as_dict()
    assert position["players"][0]["hand"] == ["Fire Scout", "Fire Scout"]
    assert position["players"][1]["army"][0] == [("Dark Scout", False), ("Zombie", True)]
    assert len(position["draw_pile"]) == game.card_set.copies - 4
    assert position["discard_pile"] == []


def test_rest_goes_where_it_is_written(game: Game) -> None:
    in_pile = game.parse(HEAD + "draw_pile: Fire Guard, rest, Dark Chief").as_dict()["draw_pile"]
    assert (in_pile[0], in_pile[-1], len(in_pile)) == ("Fire Guard", "Dark Chief", game.card_set.copies)
    thrown = game.parse(HEAD + "draw_pile: Fire Guard\ndiscard_pile: rest").as_dict()
    assert (thrown["draw_pile"], len(thrown["discard_pile"])) == (["Fire Guard"], game.card_set.copies - 1)


FAULTS = [
    # the header
    ("", "line 1", "it is empty"),
    ("# nothing but this", "line 1", "it is empty"),
    ("hello", "line 1", "expected 'tactics, 2 players"),
    ("gosu, 2 players", "line 1", "position of gosu"),
    ("tactics, 3 players", "line 1", "tactics with 3 players"),
    ("tactics, 2 players, cards rulings@000000000000", "line 1", "written with cards rulings@000000000000"),
    # lines
    (HEAD + "now", "line 2", "expected 'name: …'"),
    (HEAD + "hands: Fire Scout", "line 2", "unknown line 'hands'"),
    (HEAD + "hand: Fire Scout", "line 2", "belongs to a player"),
    (HEAD + "army 1: Fire Scout", "line 2", "belongs to a player"),
    (HEAD + "p0:\n  hand: Fire Scout\n  hand: Fire Guard", "line 4", "a second line 'hand'"),
    (HEAD + "p0:\n  army 1: Fire Scout\n  army 1: Fire Guard", "line 4", "a second line 'army 1'"),
    (HEAD + "draw_pile: Fire Scout, rest\ndraw_pile: Fire Guard", "line 3", "a second line 'draw_pile'"),
    # seats and numbers
    (HEAD + "p2:\n  hand: Fire Scout", "line 2", "'p2' is no seat"),
    (HEAD + "now: advantage=p5", "line 2", "'p5' is no seat"),
    (HEAD + "now: rund=3", "line 2", "found 'rund=3'"),
    (HEAD + "now: round=two", "line 2", "'two' is not a number"),
    (HEAD + "now: round=99999", "line 2", "99999 is out of range"),
    (HEAD + "view: p0\nhidden: " + "0 " * 121, "line 3", "121 hidden cards are more than the 120 there can be"),
    (HEAD + "now: extra=40000", "line 2", "40000 is out of range"),
    (HEAD + "now: era=300", "line 2", "300 is out of range"),
    (HEAD + "p1: points=500", "line 2", "500 is out of range"),
    (HEAD + "p1: points=-1", "line 2", "-1 is out of range"),
    (HEAD + "p1: passed=yes", "line 2", "'yes' is not a number"),
    (HEAD + "over: draw", "line 2", "unknown end 'draw'"),
    # cards
    (HEAD + "p0:\n  hand: Fire Scuot", "line 3", "did you mean 'Fire Scout'"),
    (HEAD + "p0:\n  hand: Fire Guard, Fire Guard", "line 3", "more often than there are copies"),
    (HEAD + "p0:\n  hand: Fire Guard\n  army 1: Fire Guard", "line 4", "lies in two places"),
    (HEAD + "p0:\n  hand: Fire Guard/2", "line 3", "a copy that Fire Guard does not have"),
    (HEAD + "p0:\n  hand: Fire Scout/3", "line 3", "a copy that Fire Scout does not have"),
    (HEAD + "draw_pile: Fire Scout", "line 2", "96 cards are nowhere"),
    (HEAD + "draw_pile: rest\ndiscard_pile: rest", "line 3", "'rest' may stand in one pile only"),
    # armies
    (HEAD + "p0:\n  army 1: Fire Hero", "line 3", "cannot stand in row 1"),
    (HEAD + "p0:\n  army 4: Fire Hero", "line 3", "4 is out of range 1 to 3"),
    (HEAD + "p0:\n  army 1: (Fire Scout", "line 3", "no card '(Fire Scout'"),
    (
        HEAD + "p0:\n  army 1: Fire Scout, Fire Scout, Fire Trooper, Fire Trooper, Fire Guard, Dark Scout",
        "line 3",
        "a row holds 5 cards",
    ),
    (HEAD + "p1:\n  army 1: Fire Scout\n  army 2: Fire Hero, Dark Hero", "at its end", "p1 has 1, 2, 0 goblins"),
    # the stack
    (HEAD + "stack: turns p0; dance p0", "line 2", "found 'dance p0'"),
    (HEAD + "stack: turns p0; turn", "line 2", "found 'turn'"),
    (HEAD + "stack: turns p0; turn p9", "line 2", "'p9' is no seat"),
    (HEAD + "stack: turns p0; discard p0 count=2", "line 2", "'discard' has no operand 'count'"),
    (HEAD + "stack: turns p0; discard p0 left=x", "line 2", "'x' is not a number"),
    (HEAD + "stack: " + "; ".join(["turns p0"] * 13), "line 2", "the stack holds 12 frames"),
    (HEAD + "stack:", "at its end", "the stack is empty"),
    (HEAD + "stack: turn p0", "at its end", "must begin with 'turns p0'"),
    (HEAD + "stack: reveal_picks p0", "at its end", "must begin with 'turns p0'"),
    (HEAD + "stack: turns p0; turns p0", "at its end", "'turns' cannot lie at place 2"),
    (HEAD + "stack: turns p0; turn p1", "at its end", "active=p0"),
    (HEAD + "stack: turns p0; offer p0", "at its end", "must lie on the 'run'"),
    (HEAD + 'stack: turns p0; run p0 pc=3000 card="Enter Draw" trigger=0', "at its end", "pc=3000 of 'run'"),
    (HEAD + 'stack: turns p0; run p0 pc=1 card="Fire Scout" trigger=0', "at its end", "not within the powers"),
    (HEAD + 'stack: turns p0; run p0 pc=1 card=none trigger=0', "at its end", "'run' needs a card"),
    (HEAD + 'stack: turns p0; use p0 card="Fire Scout" from_pile=0', "at its end", "must lie on 'set_aside:'"),
    (HEAD + 'set_aside: Fire Scout\nstack: turns p0; place p0 card="Fire Scout" slot=3', "at its end", "a gap before"),
    (HEAD + 'set_aside: Fire Hero\nstack: turns p0; place p0 card="Fire Hero" slot=5', "at its end", "or below it"),
    (HEAD + 'set_aside: Fire Scout\nstack: turns p0; place p0 card="Fire Scout" slot=30', "at its end", "out of range 0 to 14"),
    (HEAD + "stack: turns p0; swap_with p0 seat=7 slot=0", "at its end", "seat=7 of 'swap_with' is out of range"),
    (HEAD + "stack: turns p0; swap_with p0 seat=1 slot=0", "at its end", "no goblin stands"),
    (HEAD + "stack: turns p0; pay p0 left=-1", "at its end", "left=-1 of 'pay' is out of range"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "why"), FAULTS)
def test_a_text_that_cannot_be_says_where_and_why(game: Game, text: str, place: str, why: str) -> None:
    with pytest.raises(PositionError) as error:
        game.parse(text)
    message = str(error.value)
    assert message.startswith(f"position text, {place}: ")
    assert why in message
    assert "\n" not in message


def test_the_page_lists_every_key_of_as_dict(game: Game) -> None:
    page = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text("utf-8")
    block = page.split("### `as_dict()`")[1].split("```")[1]
    position = game.new(seed=1).as_dict()
    assert set(re.findall(r'"(\w+)":', block)) - {"card", "name"} == set(position) | set(position["players"][0])
