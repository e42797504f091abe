"""The reference model by itself: random games over many sets end, lose no card and keep the armies in shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from how_often import times_more

from .card_sets import SHAPES, write_set
from .faces import CardFile, read_cards
from .gosu_sets import GOSU_SHAPES, write_gosu_set
from .lockstep import MODELS
from .model import ReferenceGame
from .policies import POLICIES

KINDS = {
    "mulligan", "opening", "regain", "turn", "use", "pay", "link", "offer", "destroy", "trap", "swap", "swap_with", "victim",
    "discard", "keep", "return", "refresh",
}  # fmt: skip
SMALL = {"deal": 6, "keep": 4, "hand_target": 5}
SMALL_GOSU = {"deal": 5, "max_turns_per_round": 20}


def deal(file: CardFile, players: int, chance: Random, rules: dict[str, int]) -> ReferenceGame:
    cards = [label for label, face in file.faces.items() for _ in range(face.copies)]
    chance.shuffle(cards)
    size = rules.get("deal", 10 if file.variant == "tactics" else 7)
    hands = [cards[size * player : size * (player + 1)] for player in range(players)]

    def shuffle(discards: list[str]) -> list[str]:
        return chance.sample(discards, len(discards))

    advantage = chance.randrange(players)
    return MODELS[file.variant](file, players, hands, cards[size * players :], advantage, shuffle, rules)


def check_position(position: dict[str, Any], copies: Counter[str], rules: Mapping[str, int]) -> None:
    seats = position["players"]
    places = [position["draw_pile"], position["discard_pile"], position["set_aside"]]
    places += [seat["hand"] for seat in seats] + [seat["picks"] for seat in seats]
    places += [[label for label, _ in row] for seat in seats for row in seat["army"]]
    assert Counter(label for place in places for label in place) == copies
    for seat in seats:
        low, middle, high = (len(row) for row in seat["army"])
        assert 5 >= low >= middle >= high or position["over"]  # T40; a game may end with a slot half replaced (G20)
        assert not Counter(seat["known"]) - Counter(seat["hand"])
        assert seat["turns_left"] is None or 0 <= seat["turns_left"] <= max(0, rules["turns_after_pass"])
        assert not seat["passed"] or seat["turns_left"] == 0
        if "tokens" in seat:  # none is lost, and at most one comes from an Ozeki (G2, G11)
            count = seat["tokens"]["ready"] + seat["tokens"]["spent"] + len(seat["tokens"]["on"])
            assert count - rules["tokens"] in (0, 1)
    if rules["turns_after_pass"] >= 0:
        assert {seat["turns_left"] is None for seat in seats} in ({True}, {False})  # a pass limits everybody (T6)


@pytest.mark.parametrize("style", [*SHAPES, *GOSU_SHAPES])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_every_card_in_one_place(style: str, players: int, tmp_path: Path) -> None:
    chance = Random(f"{style} {players}")
    gosu = style in GOSU_SHAPES
    rules = {} if style.endswith("full") else SMALL_GOSU if gosu else SMALL
    ends: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for number in range(2 * times_more()):
        path = (write_gosu_set if gosu else write_set)(tmp_path / f"{number}.toml", style, number)
        file = read_cards(path)
        copies = Counter({label: face.copies for label, face in file.faces.items()})
        policy = POLICIES[list(POLICIES)[(number + 2 * players) % len(POLICIES)]]
        game = deal(file, players, chance, rules)
        while not game.over:
            assert game.legal
            assert 0 <= game.mover < players
            kinds[game.kind] += 1
            check_position(game.as_dict(), copies, game.rules)
            game.apply(policy(chance, game.kind, sorted(game.legal)))
        position = game.as_dict()
        check_position(position, copies, game.rules)
        ends[game.reason] += 1
        assert position["mover"] == -1
        assert position["kind"] == "over"
        assert game.shares is not None
        assert game.returns is not None
        assert sum(game.returns) == pytest.approx(0)
        assert sum(game.shares) == pytest.approx(0 if game.reason == "truncated" else 1)
    assert set(kinds) <= KINDS
    assert set(ends) <= {"points", "fifteen", "truncated", "condition" if gosu else "nine"}
