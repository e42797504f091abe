"""Positions as text: what `str` writes `parse` reads back, for every kind of decision; a wrong text is told where and why."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
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
    (HEAD + "p1: passed=64 turns_left=0", "line 2", "64 is out of range 0 to 1"),
    (HEAD + "now: in_turn=2", "line 2", "2 is out of range 0 to 1"),
    (HEAD + "now: battle_top=16", "line 2", "16 is out of range 0 to 15"),
    (HEAD + "p1: passed=1", "at its end", "p1 has passed=1 and turns_left=-1; who has passed has turns_left=0 (T36)"),
    (HEAD + "over: draw", "line 2", "unknown end 'draw'"),
    # views
    (HEAD + "p0: hand_size=7", "at its end", "'hand_size=' stands in views only, but there is no line 'view: pN'"),
    (HEAD + "draw_pile_size: 97", "at its end", "'draw_pile_size:' stands in views only"),
    (HEAD + "hidden: 0 0", "at its end", "'hidden:' stands in views only"),
    (HEAD + "view: p0\nnow: rng=0x1\ndraw_pile_size: 97", "at its end", "'rng=' is hidden in a view; leave it out"),
    (HEAD + "view: p0\np0: hand_size=1\ndraw_pile_size: 96", "at its end", "p0 has hand_size=1, but 'hand:' names 0"),
    (HEAD + "view: p0\np1: hand_size=2 picked=3\ndraw_pile_size: 95", "at its end", "p1 has picked=3 cards to discard"),
    (HEAD + "view: p0\np1: hand_size=2\nhidden: 0\ndraw_pile_size: 95", "at its end", "'hidden:' tells of 1 cards, but 2"),
    (HEAD + "view: p0\np1: hand_size=2\ndraw_pile_size: 95", "at its end", "'hidden:' tells of 0 cards, but 2"),
    (
        HEAD + "view: p0\np1: hand_size=2\nhidden: 0 0\ndraw_pile_size: 90",
        "at its end",
        "97 cards are named nowhere, but 2 in the others'",
    ),
    (
        HEAD + "view: p0\np1: hand_size=1\n  hand: Fire Guard\ndraw_pile_size: 96",
        "at its end",
        "names Fire Guard without the * of a card that all know",
    ),
    (
        HEAD + "view: p0\ndraw_pile_size: 97\nstack: turns p0",
        "at its end",
        "the stack of a view must end with a decision, not with 'turns'",
    ),
    (
        HEAD + "view: p0\np1: hand_size=2\nhidden: 0 0\ndraw_pile_size: 95\nstack: turns p0; turn p0; discard p1",
        "at its end",
        "'discard' on top of the stack of a view needs left=",
    ),
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
    (HEAD + "stack: turns p0; regain p0", "at its end", "tactics has no such decision"),
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


GOSU_FAULTS = [
    ("p0: tokens=120 spent=120", "at its end", "p0 has 120 ready, 120 spent and 0 tokens on cards"),
    ("p1: spent=5", "at its end", "p1 has 0 ready, 5 spent"),
    ("p0: tokens=2\n  army 1: Sparkler+, Mumbler+", "at its end", "p0 has 2 ready, 0 spent and 2 tokens on cards"),
    ("p0:\n  army 1: Sparkler+, Mumbler+\n  army 2: Ideo+, Garsh+", "at its end", "more than there can be"),
    ("p0: tokens=4", "at its end", "(rule tokens=2, and one that an Ôzeki may have added)"),
    ("over: condition\np0:\n  army 1: Sparkler, (-+)", "line 4", "no token can lie on a slot that is empty"),
    ("stack: turns p0; opening p0 left=3", "at its end", "'opening' cannot lie on the stack: gosu has no such decision"),
    ("stack: turns p0; refresh p0 times=0", "at its end", "'refresh' cannot lie on the stack"),
    ("stack: turns p0; link p0 card1=\"Sparkler\"", "at its end", "'link' cannot lie on the stack"),
    ("stack: turns p0; reveal_picks p0", "at its end", "'reveal_picks' cannot lie on the stack"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "why"), GOSU_FAULTS)
def test_what_cannot_be_in_gosu_says_where_and_why(text: str, place: str, why: str) -> None:
    with pytest.raises(PositionError) as error:
        gosu_rl.game("gosu").parse(f"gosu, 2 players\n{text}")
    message = str(error.value)
    assert message.startswith(f"position text, {place}: ")
    assert why in message
    assert "\n" not in message


@pytest.mark.nojit
def test_a_message_holds_no_more_of_a_broken_text_than_is_needed(game: Game) -> None:
    long = ", ".join(["Fire Scout"] * 200)
    for text in (long, HEAD + long):
        with pytest.raises(PositionError, match="…'") as told:
            game.parse(text)
        assert len(str(told.value)) < 200


@pytest.mark.parametrize("variant", ["tactics", "gosu", "gosu_x", "epic_death"])
def test_a_text_without_its_line_view_is_no_full_position(variant: str) -> None:
    """It was read as a position in which the others hold nothing and all hidden cards lie in the draw pile."""
    game = gosu_rl.game(variant)
    state = game.new(seed=5)
    for _ in range(8):
        state.apply(state.legal[-1])
    text = str(state.view(0))
    assert game.parse(text) == state.view(0)
    with pytest.raises(PositionError):
        game.parse(text.replace("view: p0\n", ""))


def test_a_token_more_needs_an_ozeki_that_adds_one() -> None:
    """The packaged set has one, the set of this test's rulings without it has none."""
    text = "gosu, 2 players\np0: tokens=2 spent=1"
    with_ozeki = gosu_rl.game("gosu").parse(text)
    assert with_ozeki.as_dict()["players"][0]["tokens"] == {"ready": 2, "spent": 1, "on": []}
    cards = gosu_rl.game("gosu").card_set
    plain = replace(cards, cards=tuple(replace(card, rule=()) for card in cards.cards))
    with pytest.raises(PositionError, match=r"more than there can be \(rule tokens=2\)"):
        gosu_rl.game("gosu", cards=plain).parse(text)
    richer = gosu_rl.game("gosu", cards=plain, rules={"tokens": 3}).parse(text)
    assert richer.as_dict()["players"][0]["tokens"]["spent"] == 1
