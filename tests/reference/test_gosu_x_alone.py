"""The model of Gosu X by itself: random games over many sets end, lose no card or token, and reach every situation."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from .gosu_x import GosuXGame
from .gosu_x_alone import check_x_position, deal_x
from .gosu_x_cases import seldom_x_cases
from .gosu_x_sets import X_SHAPES, write_x_set
from .gosu_x_words import XCardFile, read_x_cards
from .policies import X_POLICIES
from .situations import all_situations, numbers
from .trial import Case

KINDS = {
    "draft", "mulligan", "turn", "use", "pay", "will", "may", "aim", "card", "clan", "mode", "song", "discard", "regain",
}  # fmt: skip
ENDS = {"points", "fifteen", "fifth_token", "goan_sul", "justice", "condition", "truncated"}
MOST_SEEDS = 200  # of `seldom_x_cases`; some fifty are enough as a rule


@lru_cache(maxsize=256)
def cards_of(folder: Path, style: str, seed: int) -> XCardFile:
    return read_x_cards(write_x_set(folder / f"{style}-{seed}.toml", style, seed))


def play_alone(case: Case, folder: Path, kinds: Counter[str], every: int = 1) -> GosuXGame:
    """One game to its end; each `every`-th position is checked."""
    chance = Random(case.seed)
    rules = {name: int(number) for name, number in case.rules if name != "draft"}
    game = deal_x(cards_of(folder, case.style, case.set_seed), chance, rules)
    while not game.over:
        assert game.legal
        kinds[game.kind] += 1
        if game.decisions % every == 0:
            check_x_position(game)
        game.apply(X_POLICIES[case.policy](chance, game.kind, sorted(game.legal)))
    check_x_position(game)
    return game


@pytest.mark.parametrize("style", list(X_SHAPES))
def test_random_games_keep_every_card_and_token_in_one_place(style: str, tmp_path: Path) -> None:
    kinds: Counter[str] = Counter()
    policies = list(X_POLICIES)
    for number in range(9):
        game = play_alone(Case(2, style, number % 3, number, policies[number % len(policies)]), tmp_path, kinds)
        position = game.as_dict()
        assert (position["mover"], position["kind"], position["power"]) == (-1, "over", None)
        assert game.reason in ENDS
        assert game.shares is not None
        assert game.returns is not None
        assert sum(game.returns) == pytest.approx(0)
        assert sum(game.shares) == pytest.approx(0 if game.reason == "truncated" else 1)
    assert set(kinds) <= KINDS
    assert {"draft", "mulligan", "turn"} <= set(kinds)


def test_a_view_shows_what_the_rules_show_and_no_more(tmp_path: Path) -> None:
    chance = Random(3)
    hidden = 0
    for number in range(12):
        game = deal_x(cards_of(tmp_path, "x-decks", number % 4), chance)
        for _ in range(120):
            if game.over:
                break
            game.apply(X_POLICIES["eager"](chance, game.kind, sorted(game.legal)))
            for viewer in range(2):
                whole, view = game.as_dict(), game.as_dict(viewer)
                for player, (seat, seen) in enumerate(zip(whole["players"], view["players"], strict=True)):
                    assert seen["hand"] == (seat["hand"] if player == viewer else seat["known"])
                    assert seen["pile_order"] == []
                    assert len(seen["deck"]) == seat["deck_size"]
                    for label, told in zip(seat["deck"], seen["deck"], strict=True):
                        assert told in (None, label)
                        hidden += told is None
    assert hidden > 1000


def test_the_situations_cover_the_rulings() -> None:
    """X1, X17: the draft; X5 to X9, X15, X35, X37, X55: the tests by hand, and every game. The others by their numbers."""
    named = numbers(all_situations("gosu_x"))
    by_hand = {"X1", "X8", "X15", "X17", "X37", "X47", "X55"}
    assert {f"X{number}" for number in range(1, 60)} - by_hand <= named


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_games_reach_every_situation_that_a_ruling_decides(tmp_path: Path) -> None:
    wanted = all_situations("gosu_x")
    seen: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for seed in range(MOST_SEEDS):
        for case in seldom_x_cases(seed):
            game = play_alone(case, tmp_path, kinds, every=11)
            seen += game.table.seen
            ends[game.reason] += 1
        if wanted <= set(seen) and set(kinds) == KINDS and set(ends) == ENDS:
            break
    assert wanted - set(seen) == set()
    assert set(kinds) == KINDS
    assert set(ends) == ENDS
