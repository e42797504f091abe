"""What the narrator tells: every event of real games against their logs, and no secret."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from how_often import times_more

import gosu_rl
from gosu_rl.agents.narrator import Narrator

PLAYERS = (2, 3, 4)


def told_games(players: int, seeds: range, viewer: int | None) -> Any:
    """Yield (before, label, after, lines) for every decision of eager random games, told as `viewer` sees them."""
    game, rng = gosu_rl.game("tactics", players=players), random.Random(players)
    for seed in seeds:
        state = game.new(seed=seed)
        narrator = Narrator(game)
        narrator.update(state if viewer is None else state.view(viewer))
        while not state.over:
            before = state.copy()
            action = eager(state, rng)
            state.apply(action)
            lines = narrator.update(state if viewer is None else state.view(viewer))
            yield before, game.labels[action], state, lines


def eager(state: Any, rng: random.Random) -> int:
    """A random legal action, but seldom one that lets a chance go by: so that games are long and see every power."""
    labels = state.game.labels
    doing = [action for action in state.legal if labels[action] not in ("pass", "decline")]
    return rng.choice(doing if doing and rng.random() < 0.9 else state.legal)


def army_faces(state: Any) -> list[Counter[str]]:
    return [
        Counter(face for row in player["army"] for face, _ in row) for player in state.as_dict()["players"]
    ]  # fmt: skip


@pytest.mark.parametrize("players", PLAYERS)
def test_every_goblin_that_comes_or_goes_is_named(players: int) -> None:
    events: Counter[str] = Counter()
    for before, label, after, lines in told_games(players, range(4 * times_more()), viewer=0):
        text = "\n".join(lines)
        for seat, (old, new) in enumerate(zip(army_faces(before), army_faces(after), strict=True)):
            who = "You" if seat == 0 else f"p{seat}"
            arrived, left = list((new - old).elements()), list((old - new).elements())
            if arrived:
                (face,) = arrived
                verb = "mutate" if left else "recruit"
                expected = f"{who} {verb}{'' if seat == 0 else 's'} {f'{left[0]} into ' if left else ''}{face}"
                assert expected in text, (label, lines)
                events[verb] += 1
            elif left:
                (face,) = left
                assert before.kind == "destroy"
                doer = "You destroy" if before.mover == 0 else f"p{before.mover} destroys"
                owner = "your" if seat == 0 else f"p{seat}'s"
                assert f"{doer} {owner} {face}" in text, (label, lines)
                events["destroy"] += 1
        if before.kind == "turn" and label == "pass":
            assert re.search(r"^(You pass|p\d passes)$", text, re.M), lines
            events["pass"] += 1
        if before.kind == "swap_with" and label != "decline":
            events["swap"] += bool(re.search(r"swaps? .* and .* in (your|p\d's) army", text))
        if before.kind == "discard":
            assert label.removeprefix("discard ") in text or "shuffled" in text, (label, lines)
            events["discard"] += 1
        if after.over:
            assert "The game is over" in text
            events["over"] += 1
    expected_events = ["recruit", "mutate", "destroy", "pass", "discard", "over"]
    for event in expected_events + ["swap"] * (players > 2):  # with two players swaps are too rare to count on
        assert events[event] > 0, events


@pytest.mark.parametrize("players", PLAYERS)
def test_what_was_paid_is_told_with_what_it_paid_for(players: int) -> None:
    paid: list[str] = []
    seen = 0
    for before, label, after, lines in told_games(players, range(2 * times_more()), viewer=1):
        if before.kind == "turn":
            paid = []
        if before.kind == "pay":
            paid.append(label.removeprefix("discard "))
            if after.kind == "pay":
                assert lines == []
            else:
                (line,) = (line for line in lines if "(paid " in line)
                listed = re.search(r"\(paid (.*)\)", line)
                assert listed is not None
                told = [part for part in re.sub(r" ×\d", "", listed[1]).split(", ") if part != "a card"]
                assert set(told) == set(paid) or (after.shuffles > before.shuffles and set(told) <= set(paid)), (
                    line,
                    paid,
                )
                seen += 1
    assert seen > 10


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("viewer", [None, 0])
def test_the_told_cards_account_for_every_hand(players: int, viewer: int | None) -> None:
    """Draws and takings told are exactly the growth of the hands, for decisions that do nothing else to a hand."""
    checked = 0
    for before, _, after, lines in told_games(players, range(2 * times_more()), viewer):
        old, new = (s.as_dict()["players"] for s in (before, after))
        if after.round > before.round or before.kind in (
            "opening",
            "mulligan",
            "refresh",
            "discard",
            "pay",
            "turn",
            "use",
        ):
            continue
        for seat in range(players):
            grown = new[seat]["hand_size"] - old[seat]["hand_size"]
            who = re.escape("You" if seat == viewer else f"p{seat}")
            drawn = [line for line in lines if re.match(rf"{who} (draws?|takes?) (?!the Advantage)", line)]
            if grown > 0:
                assert sum(map(count_cards, drawn)) == grown, (before.kind, lines)
                checked += 1
            else:
                assert drawn == [] or before.kind == "link", lines
    assert checked > 10


def count_cards(line: str) -> int:
    what = line.split(" ", 2)[2]
    number = re.fullmatch(r"(\d+) cards?", what)
    if number:
        return int(number[1])
    return sum(int(part.rsplit("×", 1)[1]) if "×" in part else 1 for part in what.split(", "))


@pytest.mark.ruling("T3")
def test_hidden_picks_stay_hidden_until_all_are_open() -> None:
    players = 3
    picks: list[list[str]] = [[] for _ in range(players)]
    opened, games = 0, 3 * times_more()
    for before, label, after, lines in told_games(players, range(games), viewer=0):
        if before.kind != "opening":
            picks = [[] for _ in range(players)] if before.kind == "mulligan" else picks
            continue
        face = label.removeprefix("discard ")
        picks[before.mover].append(face)
        text = "\n".join(lines)
        if after.kind == "opening":
            assert face not in text
        else:
            everything = Counter(face for picked in picks for face in picked)
            assert all(face in text for face in everything)
            opened += 1
    assert opened == games


@pytest.mark.parametrize("players", PLAYERS)
def test_a_viewer_is_told_the_same_in_every_world_that_he_cannot_tell_apart(players: int) -> None:
    game, rng = gosu_rl.game("tactics", players=players), random.Random(5)
    compared = 0
    for seed in range(3):
        state = game.new(seed=seed)
        told, other = Narrator(game), Narrator(game)
        while not state.over:
            view = state.view(0)
            assert told.update(view) == other.update(view.determinize(seed=seed).view(0))
            compared += 1
            state.apply(rng.choice(state.legal))
    assert compared > 200


def test_called_rarely_it_still_names_every_newcomer() -> None:
    game, rng = gosu_rl.game("tactics", players=4), random.Random(1)
    state, narrator = game.new(seed=1), Narrator(game)
    narrator.update(state.view(0))
    before = army_faces(state)
    lines: list[str] = []
    for step in range(400):
        if state.over:
            break
        state.apply(rng.choice(state.legal))
        if step % 9 == 0:
            lines = narrator.update(state.view(0))
            after = army_faces(state)
            for old, new in zip(before, after, strict=True):
                for face in new - old:
                    assert any(face in line for line in lines), (face, lines)
            before = after
