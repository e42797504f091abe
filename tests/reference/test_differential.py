"""The compiled core against the reference model: hundreds of games in lock-step, everything compared; `fuzz.py` plays on."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from random import Random

import pytest
import tomli_w
from how_often import TIMES, times, times_more

import gosu_rl

from .card_sets import draw_set
from .cases import draw_case
from .lockstep import play
from .situations import FOUND, all_situations, numbers, seldom_cases
from .trial import Case, Tally

VARIANTS = ("tactics", "gosu")
CHUNKS = 6 * times_more()  # two for each number of players
GAMES = 20  # a chunk

BOTH_KINDS = {
    "mulligan", "turn", "use", "pay", "offer", "destroy", "trap", "swap", "swap_with", "victim", "discard", "keep", "return",
}  # fmt: skip
KINDS = {
    "tactics": BOTH_KINDS | {"opening", "link", "refresh"},
    "gosu": BOTH_KINDS | {"regain"},
}
ENDS = {
    "tactics": {"points", "nine", "fifteen", "truncated"},
    "gosu": {"points", "condition", "fifteen", "truncated"},
}
MOST_SEEDS = 150  # of `seldom_cases`, if FOUND does not reach everything; some forty are enough as a rule


@pytest.fixture(scope="session")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process keeps the card files of its games."""
    return tmp_path_factory.mktemp("sets")


def test_the_situations_cover_the_rulings_of_gosu() -> None:
    """G9 and G15 only say which rulings of Tactics hold; those that play can meet are here by their own numbers."""
    named = numbers(all_situations("gosu"))
    assert {f"G{number}" for number in range(1, 25)} - {"G9", "G15"} <= named
    shared = {
        "T8",
        "T9",
        "T10",
        "T21",
        "T26",
        "T30",
        "T31",
        "T34",
        "T35",
        "T36",
        "T37",
        "T40",
        "T42",
        "T44",
        "T47",
        "T48",
    }
    assert shared <= named


@pytest.mark.slow
@pytest.mark.timeout(1200)  # seconds as a rule; half a minute and more where the recipes are needed
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_games_reach_every_situation_that_a_ruling_decides(variant: str, sets: Path) -> None:
    """All rulings that play can reach have decided something in core and model alike, and every kind and end occurred."""
    wanted = all_situations(variant)
    tally = Tally()
    groups = chain(
        [[Case.parse(text) for text in FOUND[variant]]],
        (seldom_cases(seed, 2 + seed % 3, variant) for seed in range(MOST_SEEDS)),
    )
    for cases in groups:
        for case in cases:
            tally.add(play(case, sets))
        done = wanted <= set(tally.situations) and set(tally.kinds) >= KINDS[variant]
        if done and set(tally.reasons) >= ENDS[variant]:
            break
    assert wanted - set(tally.situations) == set()
    assert set(tally.kinds) == KINDS[variant]
    assert set(tally.reasons) == ENDS[variant]
    assert tally.shuffles > 40
    assert tally.worlds > 100


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_core_and_model_agree(chunk: int, variant: str, sets: Path) -> None:
    chance = Random(f"chunk {chunk}")
    players = 2 + chunk % 3
    tally = Tally()
    for _ in range(GAMES):
        tally.add(play(draw_case(chance, players, variant), sets))
    assert tally.games == GAMES
    assert tally.unresolved <= 2


@pytest.mark.ruling("T46")
def test_the_deal_is_the_same_whoever_holds_the_card() -> None:
    game = gosu_rl.game("tactics", players=3)
    drawn = {game.new(seed=seed).advantage for seed in range(30)}
    assert drawn == {0, 1, 2}
    for seed in range(5):
        deals = [game.new(seed=seed, advantage=holder).as_dict() for holder in range(3)]
        deals.append(game.new(seed=seed).as_dict())
        assert [deal["advantage"] for deal in deals[:3]] == [0, 1, 2]
        assert all(
            [seat["hand"] for seat in d["players"]] == [seat["hand"] for seat in deals[0]["players"]] for d in deals
        )
        assert all(deal["draw_pile"] == deals[0]["draw_pile"] for deal in deals)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_most_faces_that_the_core_says_it_takes(players: int, tmp_path: Path) -> None:
    """The error names the set, the number that goes and the way out; a set of just that many plays on."""
    data = draw_set("wide", 1)
    spare = [card for card in data["card"] if card["level"] > 1]
    extra = [card | {"name": f"{card['name']} again"} for card in spare]
    path = tmp_path / "broad.toml"

    def game(faces: int) -> gosu_rl.core.game.Game:
        cards = (data["card"] + extra)[:faces]
        path.write_text(tomli_w.dumps(data | {"card": cards}), encoding="utf-8")
        return gosu_rl.game("tactics", players=players, cards=str(path))

    state = game(88).new(seed=1)  # all that the tables hold: the sixth word of the legal set leaves room for them
    assert state.legal_labels
    with pytest.raises(ValueError, match=r"broad.*89 faces, at most 88 are possible"):
        game(89)


@pytest.mark.parametrize("text", ["0", "-2", "1.5", "", "many"])
def test_how_many_times_the_chunks_are_played_is_a_whole_number(text: str) -> None:
    assert times("3") == 3
    with pytest.raises(ValueError, match=TIMES):
        times(text)


def test_a_case_is_read_back_from_its_command() -> None:
    case = draw_case(Random(3), 3)
    assert Case.parse(case.command.rpartition(" ")[2]) == case
