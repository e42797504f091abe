"""The human agent, played by scripts: what is understood, what is answered, how one leaves."""

from __future__ import annotations

import io
from typing import Any

import pytest

import gosu_rl
from gosu_rl.agents import make_agent
from gosu_rl.agents.human import GameLeft, Human


def at_turn(players: int = 2, seed: int = 3) -> tuple[Any, Any, int]:
    """A game, its state at the first turn decision with a card to play, and the seat to move."""
    game = gosu_rl.game("tactics", players=players)
    state = game.new(seed=seed)
    while state.kind != "turn" or len(state.legal) < 3:
        state.apply(state.legal[0])
    return game, state, state.mover


def asked(script: str, players: int = 2, seed: int = 3) -> tuple[int | None, str, Any]:
    """What a scripted person at a turn decision answered (None: left), what was printed, and the view."""
    game, state, seat = at_turn(players, seed)
    out = io.StringIO()
    human = Human(io.StringIO(script), out, color=False)
    human.reset(game, seat, 0)
    view = state.view(seat)
    try:
        return human.act(view), out.getvalue(), view
    except GameLeft:
        return None, out.getvalue(), view


def test_a_number_and_a_label_mean_the_same() -> None:
    _, _, view = asked("1\n")
    for number, (label, action) in enumerate(zip(view.legal_labels, view.legal, strict=True), 1):
        for text in (str(number), label, label.upper(), f"  {label}  "):
            assert asked(f"{text}\n")[0] == action, text


def test_the_beginning_of_a_label_is_enough_when_nothing_else_begins_so() -> None:
    action, _, view = asked("pas\n")
    assert action == view.legal[view.legal_labels.index("pass")]
    action, printed, view = asked("play\npass\n")
    assert "could be" in printed
    assert action == view.legal[view.legal_labels.index("pass")]


@pytest.mark.parametrize("mistake", ["0", "999", "-1", "recruit the moon", "1.5", "²"])
def test_mistakes_are_told_and_asked_again(mistake: str) -> None:
    action, printed, view = asked(f"{mistake}\npass\n")
    assert action == view.legal[view.legal_labels.index("pass")]
    assert printed.count(f"p{view.viewer} turn> ") == 2
    assert "? for help" in printed


def test_every_action_is_listed_with_what_its_card_does() -> None:
    _, printed, view = asked("1\n")
    cards = {card.label: card for card in view.game.card_set.cards}
    flat = " ".join(printed.split())
    for number, label in enumerate(view.legal_labels, 1):
        assert f"{number} {label}" in flat
        if label.startswith("play "):
            card = cards[label.removeprefix("play ")]
            assert f"{card.clan} {('Bakuto', 'Hero', 'Ôzeki')[card.level - 1]} · strength {card.strength}" in flat
    for face in view.as_dict()["players"][view.viewer]["hand"]:
        assert face in flat


def test_help_card_help_board_and_discard_pile() -> None:
    _, _, view = asked("1\n")
    face = view.as_dict()["players"][view.viewer]["hand"][0]
    card = next(card for card in view.game.card_set.cards if card.label == face)
    action, printed, _ = asked(f"?\n? {face.lower()}\n? no such card\nb\nd\npass\n")
    assert action is not None
    assert "A number or a text as listed takes that action" in printed
    assert f"{face}: {card.clan}" in printed
    assert "No card's name has 'no such card' in it." in printed
    assert printed.count("You to decide") == 2
    assert "Discard pile: " in printed


def test_an_offer_says_which_power_of_which_card() -> None:
    game = gosu_rl.game("tactics", players=2)
    state = game.parse("tactics, 2 players\np0:\n  hand: Mossbeard, Elder Cobweb").apply("play Mossbeard")
    assert state.kind == "offer"
    human = Human(io.StringIO("decline\n"), out := io.StringIO())
    human.reset(game, 0, 0)
    human.act(state.view(0))
    assert "take a power or leave it (draw, Mossbeard)" in out.getvalue()
    assert "Mossbeard: draw a card" in out.getvalue()


@pytest.mark.parametrize("script", ["q\n", "", "?\n", "Q\n", "99\n\n\nq\npass\n"])
def test_leaving_and_the_end_of_the_input_end_the_game_cleanly(script: str) -> None:
    action, printed, _ = asked(script)
    assert action is None
    assert "Traceback" not in printed


def test_a_single_possibility_is_not_asked() -> None:
    game = gosu_rl.game("tactics", players=2)
    state = next(s for s in (game.new(seed=seed) for seed in range(200)) if s.legal_labels == ["keep"])
    human = Human(io.StringIO(""), out := io.StringIO())
    human.reset(game, state.mover, 0)
    assert human.act(state.view(state.mover)) == state.legal[0]
    assert "only 'keep' is possible" in out.getvalue()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_from_a_script(players: int) -> None:
    game = gosu_rl.game("tactics", players=players)
    out = io.StringIO()
    human = Human(io.StringIO("1\n" * 20_000), out, color=True)
    human.reset(game, 0, 0)
    others = [make_agent("random") for _ in range(players - 1)]
    for seat, agent in enumerate(others, 1):
        agent.reset(game, seat, seat)
    state = game.new(seed=players)
    while not state.over:
        agent = human if state.mover == 0 else others[state.mover - 1]
        state.apply(agent.act(state.view(state.mover)))
        human.watch(state.view(0))
    printed = out.getvalue()
    assert "» The game is over: " in printed
    assert "» p1 recruits " in printed
    assert "\x1b[" in printed


def test_it_is_made_by_its_spec() -> None:
    assert isinstance(make_agent("human"), Human)


def test_gosu_asks_and_explains_with_its_tokens() -> None:
    game = gosu_rl.game("gosu", players=2)
    state = game.parse("gosu, 2 players\np0:\n  hand: Sparkler, Mumbler")
    human = Human(io.StringIO("?\nspend 1\n"), out := io.StringIO(), color=False)
    human.reset(game, 0, 0)
    assert game.labels[human.act(state.view(0))] == "spend 1"
    printed = " ".join(out.getvalue().split())
    asks = "play a goblin, spend tokens for cards, put a token on a goblin to use its power, or pass"
    assert f"You to decide: {asks}" in printed
    assert f"Now: {asks}." in printed
    assert "name a card to play" not in printed
    for words in (
        "◆ ready, + on a goblin, ◇ spent",
        "spend 2 two ready tokens for three cards",
        "activate R.C one ready",
    ):
        assert words in printed
    assert "tokens" not in asked("?\npass\n")[1]
