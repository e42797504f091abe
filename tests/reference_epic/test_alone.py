"""The reference model by itself: games of all styles end, lose nothing, and meet every situation that a ruling decides."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from .alone import new_game, position_fault, positions
from .card_sets import STYLES, draw_set
from .cards import card_set, layout_fault, read_layout
from .cases import draw_case
from .situations import TOO_SELDOM, all_situations, seldom_cases

KINDS = {
    "reinforce", "muster", "march", "window", "answer", "crew", "epic", "toss", "after_toss", "regroup", "discard", "victim",
    "lose", "step", "flee", "peek", "take", "over", "off", "turn_up", "swap_land", "swap_with",
}  # fmt: skip
MOST_SEEDS = 120  # of `seldom_cases`; fewer are enough as a rule


@pytest.mark.parametrize("style", STYLES)
def test_games_lose_nothing(style: str) -> None:
    chance = Random(f"alone {style}")
    for number in range(5):
        case = draw_case(chance, 2 + number % 5, style)
        for game in positions(case):
            assert not position_fault(game), f"{case} after {game.decisions}: {position_fault(game)}"
        assert game.reason in ("towns", "truncated")
        assert game.returns is not None
        assert sum(game.returns) == pytest.approx(0)
        assert sum(game.shares or []) == pytest.approx(0 if game.reason == "truncated" else 1)
        assert (game.table.towns_left == 0) == (game.reason == "towns")


@pytest.mark.long  # in short: the same with the core beside the model, in test_differential.py
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_games_reach_every_situation_that_a_ruling_decides() -> None:
    wanted = all_situations()
    seen: Counter[str] = Counter()
    kinds: set[str] = set()
    for seed in range(MOST_SEEDS):
        for case in seldom_cases(seed):
            for game in positions(case):
                kinds.add(game.kind)
            seen += game.table.seen
        if wanted <= set(seen):
            break
    assert wanted - set(seen) == set()
    assert (
        set(seen) - wanted - TOO_SELDOM == set()
    )  # nothing that `all_situations` does not know of, and nothing impossible
    assert kinds == KINDS


def test_every_ruling_with_something_to_decide_has_its_situation() -> None:
    """E1, E9, E11, E51 are the deal and its check, E3 and E41 the windows of cards, E50 the deal and the order of turns."""
    numbers = {int(text[1:].split()[0]) for text in all_situations()}
    assert set(range(1, 65)) - numbers == {1, 3, 9, 11, 41, 50, 51}


@pytest.mark.parametrize("style", STYLES)
def test_fields_and_sets_are_lawful(style: str) -> None:
    for seed in range(12):
        cards = card_set(draw_set(style, seed))
        assert [layout_fault(layout, cards.lands.values()) for layout in cards.layouts] == ["", "", ""]


@pytest.mark.ruling("E51")
@pytest.mark.parametrize(
    ("rows", "starts", "fault"),
    [
        (["a T b"], {"2": "ab"}, ""),
        (["a T + b"], {"2": "ab"}, "unequal distances"),
        (["a T . b"], {"2": "ab"}, "a space that cannot be reached"),
        (["a + b"], {"2": "ab"}, "no Town"),
        (["a T b"], {"2": "aa"}, "not 2 starts"),
        (["a T b"], {"3": "ab"}, "not 3 starts"),
        (["a T b", "# # ."], {"2": "ab"}, "too few Wall cards"),
        (["a T b", *(["+ " * 20] * 3)], {"2": "ab"}, "too many spaces"),
    ],
)
def test_what_is_wrong_with_a_field(rows: list[str], starts: dict[str, str], fault: str) -> None:
    lands = card_set(
        {
            "card": [],
            "leader": [],
            "layout": [],
            "land": [
                {"name": terrain, "terrain": terrain, "copies": copies, "defense": 1, "value": 1}
                for terrain, copies in (("Woods", 70), ("Town", 1), ("Wall", 1))
            ],
        }
    ).lands
    assert layout_fault(read_layout({"name": "x", "rows": rows, "starts": starts}), lands.values()) == fault


@pytest.mark.ruling("E50")
def test_turns_go_round_from_who_begins() -> None:
    """A turn may pass without a decision; then its seat does not show."""
    chance = Random("round")
    for number in range(8):
        last = (1, 0)
        for game in positions(draw_case(chance, 2 + number % 5)):
            table = game.table
            now = (table.round, (table.active - table.first) % len(table.seats))
            assert now >= last
            last = now
        assert last > (1, 0)


def test_the_same_case_is_the_same_game() -> None:
    case = draw_case(Random(7), 3)
    one, two = ([game.as_dict() for game in positions(case)][-1] for _ in range(2))
    assert one == two
    assert new_game(case).as_dict() != one
