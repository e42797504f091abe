"""The reference model by itself: random games over many sets end, lose no card and keep the armies in shape."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .card_sets import SHAPES, write_set
from .faces import read_cards
from .model import ReferenceGame
from .policies import POLICIES
from .tactics import TacticsGame

KINDS = {
    "mulligan", "opening", "turn", "use", "pay", "link", "offer", "destroy", "trap", "swap", "swap_with", "victim",
    "discard", "keep", "return", "refresh",
}  # fmt: skip
SMALL = {"deal": 6, "keep": 4, "hand_target": 5}


def deal(path: Path, players: int, chance: Random, rules: dict[str, int]) -> ReferenceGame:
    cards = [label for label, face in read_cards(path).faces.items() for _ in range(face.copies)]
    chance.shuffle(cards)
    size = rules.get("deal", 10)
    hands = [cards[size * player : size * (player + 1)] for player in range(players)]

    def shuffle(discards: list[str]) -> list[str]:
        return chance.sample(discards, len(discards))

    advantage = chance.randrange(players)
    return TacticsGame(path, players, hands, cards[size * players :], advantage, shuffle, rules)


def check_position(position: dict[str, Any], copies: Counter[str]) -> None:
    seats = position["players"]
    places = [position["draw_pile"], position["discard_pile"], position["set_aside"]]
    places += [seat["hand"] for seat in seats] + [seat["picks"] for seat in seats]
    places += [[label for label, _ in row] for seat in seats for row in seat["army"]]
    assert Counter(label for place in places for label in place) == copies
    for seat in seats:
        low, middle, high = (len(row) for row in seat["army"])
        assert 5 >= low >= middle >= high  # T40
        assert not Counter(seat["known"]) - Counter(seat["hand"])
        assert seat["turns_left"] in (None, 0, 1, 2, 3)
        assert not seat["passed"] or seat["turns_left"] == 0
    assert {seat["turns_left"] is None for seat in seats} in ({True}, {False})  # a pass limits everybody (T6)


@pytest.mark.parametrize("style", SHAPES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_every_card_in_one_place(style: str, players: int, tmp_path: Path) -> None:
    chance = Random(f"{style} {players}")
    rules = {} if style == "full" else SMALL
    ends: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for number in range(10):
        path = write_set(tmp_path / f"{number}.toml", style, number)
        copies = Counter({label: face.copies for label, face in read_cards(path).faces.items()})
        policy = POLICIES[list(POLICIES)[number % len(POLICIES)]]
        game = deal(path, players, chance, rules)
        while not game.over:
            assert game.legal
            assert 0 <= game.mover < players
            kinds[game.kind] += 1
            check_position(game.as_dict(), copies)
            game.apply(policy(chance, game.kind, sorted(game.legal)))
        position = game.as_dict()
        check_position(position, copies)
        ends[game.reason] += 1
        assert position["mover"] == -1
        assert position["kind"] == "over"
        assert game.shares is not None
        assert game.returns is not None
        assert sum(game.returns) == pytest.approx(0)
        assert sum(game.shares) == pytest.approx(0 if game.reason == "truncated" else 1)
    assert set(kinds) <= KINDS
    assert set(ends) <= {"points", "nine", "fifteen", "truncated"}
    print(style, players, dict(ends), dict(kinds))
