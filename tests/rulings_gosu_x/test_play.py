"""Playing and shifting: X6, X7, X8, X9, X32, X33, X34, X35."""

from __future__ import annotations

from pathlib import Path

import pytest

from .table import act, army, asked, hand, legal, pile, play, position, rewritten, tokens

pytestmark = pytest.mark.nojit


def plays(state: object) -> set[str]:
    return {label for label in legal(state) if label.startswith(("play", "take"))}  # type: ignore[arg-type]


@pytest.mark.ruling("X6")
def test_x6_the_first_troop_is_free_and_so_is_one_beside_captured_ones_only() -> None:
    assert army(play(position("p0:\n  hand: Just Grunt"), "play Just Grunt"), 0) == [["Just Grunt"]]
    state = position("p0:\n  hand: Just Grunt\n  army 1: (Galm Grunt), (Usher)")
    assert army(play(state, "play Just Grunt"), 0) == [["(Galm Grunt)", "(Usher)", "Just Grunt"]]


@pytest.mark.ruling("X6")
def test_x6_a_new_clan_costs_two_and_a_known_one_nothing() -> None:
    state = position("p0:\n  hand: Phoe Grunt, Ghost, Planner\n  army 1: Galm Grunt")
    play(state, "play Phoe Grunt")
    assert asked(state) == (0, "use")
    play(state, "recruit")
    assert pile(state, 0) == ["Ghost", "Planner"]  # the whole hand
    assert army(state, 0) == [["Galm Grunt", "Phoe Grunt"]]
    assert plays(position("p0:\n  hand: Digger, Planner\n  army 1: Ghost")) == set()
    assert plays(position("p0:\n  hand: Ghost, Planner\n  army 1: Petal Faeries")) == {"play Ghost"}


@pytest.mark.ruling("X6")
@pytest.mark.ruling("X32")
def test_x6_x32_a_troop_beside_a_recruiter_is_free() -> None:
    state = position("p0:\n  hand: Digger\n  army 1: Ghost, Usher")
    play(state, "play Digger")
    assert army(state, 0) == [["Ghost", "Usher", "Digger"]]
    assert plays(position("p0:\n  hand: Digger\n  army 1: Ghost, (Usher)")) == set()
    assert plays(position("p0:\n  hand: Digger\n  army 1: Usher, Ghost")) == set()


@pytest.mark.ruling("X7")
@pytest.mark.ruling("X23")
def test_x7_x23_activation_tokens_lower_the_cost_of_a_shift() -> None:
    text = "p0:\np1: tokens=0 spent=1\n  hand: Goan Grunt, Sneak\n  army 1: Veteran{}\nnow: active=p1"
    state = play(position(text.format("+")), "play Goan Grunt", "replace 1.1")
    assert army(state, 1) == [["Goan Grunt"]]
    assert hand(state, 1) == ["Sneak"]  # one less one
    assert tokens(state, 1)[:2] == (0, 2)  # the token is spent
    state = play(position(text.format("").replace("spent=1", "spent=2")), "play Goan Grunt", "replace 1.1")
    assert hand(state, 1) == []


@pytest.mark.ruling("X7")
def test_x7_a_shift_never_costs_less_than_nothing() -> None:
    text = """\
        p0:
        p1: tokens=0
          hand: Goan Grunt
          army 1: Veteran+, Xian Grunt
          army 2: Xian Hero
          army 3: Banner
        now: active=p1"""
    state = play(position(text), "play Goan Grunt", "replace 1.1")  # a cost of 1, less 1, less a token
    assert army(state, 1)[0] == ["Goan Grunt", "Xian Grunt"]


@pytest.mark.ruling("X8")
def test_x8_a_shift_is_entering() -> None:
    state = position("p0:\n  hand: Phoenix (Ash), Ghost\n  army 1: Wanted\n  deck: Judge, rest")
    play(state, "play Phoenix (Ash)")
    assert army(state, 0) == [["Phoenix (Ash)"]]
    assert "Judge" in hand(state, 0)
    state = play(
        position("p0:\n  hand: Marvel, Ghost, Planner\n  army 1: Just Grunt\n  army 2: Just Hero"), "play Marvel"
    )
    assert state.as_dict()["wonder"] == 0
    state = play(position("p0:\n  hand: Marvel\n  army 1: Galm Grunt\nnow: wonder=p1"), "play Marvel")
    assert state.as_dict()["wonder"] == 0  # from the opponent


@pytest.mark.ruling("X9")
def test_x9_effects_are_musts_even_against_oneself() -> None:
    state = position("p0:\n  hand: Petal Faeries\n  army 1: Wanted")
    play(state, "play Petal Faeries", "recruit")
    assert army(state, 0) == [["(Wanted)", "Petal Faeries"]]


@pytest.mark.ruling("X9")
def test_x9_a_card_without_a_target_may_be_played() -> None:
    state = play(position("p0:\n  hand: Petal Faeries"), "play Petal Faeries")
    assert army(state, 0) == [["Petal Faeries"]]
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("X33")
def test_x33_the_wonder_token_pays_one_discard() -> None:
    text = "now: wonder=p0\np0:\n  hand: Digger, Planner, Planner, Ghost\n  army 1: Just Grunt\n"
    state = position(text)
    play(state, "play Digger", "recruit")
    assert asked(state) == (0, "pay")
    assert "spend wonder" in legal(state)
    play(state, "spend wonder")
    assert state.as_dict()["wonder"] is None
    play(state, "discard Ghost")
    assert army(state, 0) == [["Just Grunt", "Digger"]]
    state = play(position(text), "play Digger", "recruit", "discard Ghost")
    assert "spend wonder" not in legal(state)  # only before the first discard


@pytest.mark.ruling("X33")
def test_x33_with_too_few_cards_the_wonder_token_must_help() -> None:
    state = position("now: wonder=p0\np0:\n  hand: Phoe Grunt, Ghost\n  army 1: Giver\n")
    play(state, "play Phoe Grunt")
    assert state.as_dict()["wonder"] is None
    assert army(state, 0) == [["Giver", "Phoe Grunt"]]
    assert hand(state, 0) == []


@pytest.mark.ruling("X34")
def test_x34_not_by_the_same_name_and_not_without_a_cost() -> None:
    assert plays(position("p0:\n  hand: Wanted\n  army 1: Wanted, Ghost, Ghost, Petal Faeries, Petal Faeries")) == set()
    text = "p0:\n  hand: Phoenix (Ash), Ghost\n  army 1: {}, Petal Faeries, Petal Faeries, Wanted, Wanted"
    assert "play Phoenix (Ash)" in plays(position(text.format("Ghost")))  # by the Wanted, whose cost is 0
    assert (
        plays(position("p0:\n  hand: Galm Lord\n  army 1: Galm Grunt\n  army 2: (Galm Hero)\n  army 3: (Just Lord)"))
        == set()
    )


@pytest.mark.ruling("X34")
def test_x34_clans_do_not_matter_levels_do() -> None:
    state = position("p0:\n  hand: Finder, Ghost, Planner\n  army 1: Galm Grunt\n  army 2: Just Hero")
    play(state, "play Finder")
    assert army(state, 0)[1] == ["Finder"]
    assert "Just Hero" in pile(state, 0)


@pytest.mark.ruling("X34")
def test_x34_secret_shift_takes_a_card_of_the_discard_pile() -> None:
    state = position(
        "p0:\np1:\n  hand: Hurry\n  discard: Veteran, Xian Hero, Sneak\n  army 1: Sneak, Xian Grunt\nnow: active=p1"
    )
    assert {label for label in legal(state) if label.startswith("take")} == {"take Veteran"}
    play(state, "take Veteran")
    assert army(state, 1) == [["Veteran", "Xian Grunt"]]
    assert pile(state, 1) == ["Hurry", "Sneak", "Sneak", "Xian Hero"]


@pytest.mark.ruling("X35")
def test_x35_rows_are_filled_from_the_left_and_none_is_longer_than_the_one_below() -> None:
    state = position("p0:\n  hand: Galm Hero, Marvel, Galm Lord\n  army 1: Galm Grunt\n  army 2: Freer")
    assert plays(state) == {"play Galm Lord"}
    state = position("p0:\n  hand: Galm Hero\n  army 1: (Galm Grunt), (Usher)")
    assert plays(state) == set()  # face-down cards have no clan


@pytest.mark.ruling("X34")
def test_x34_a_captured_card_is_not_shifted() -> None:
    text = "p0:\n  hand: Finder, Ghost, Planner\n  army 1: Galm Grunt, Usher\n  army 2: Just Hero, {}"
    state = play(position(text.format("Galm Hero")), "play Finder")
    assert legal(state) == {"replace 2.1", "replace 2.2"}
    state = play(position(text.format("(Galm Hero)")), "play Finder")
    assert army(state, 0)[1] == ["Finder", "(Galm Hero)"]


@pytest.mark.ruling("X35")
@pytest.mark.parametrize(
    ("named", "army_text", "ways"),
    [
        ("Galm Hero", "army 1: Galm Grunt\n  army 2: Just Hero", {"replace 2.1"}),  # two Heroes above one Troop
        ("Galm Hero", "army 1: Galm Grunt, Usher\n  army 2: Just Hero", {"recruit", "replace 2.1"}),
        ("Galm Hero", "army 1: Just Grunt, Ghost\n  army 2: Just Hero", {"replace 2.1"}),  # no Troop of the clan
        (
            "Galm Grunt",
            "army 1: Usher, Usher, Just Grunt, Ghost, Ghost",
            {"replace 1.1", "replace 1.2", "replace 1.3"},
        ),  # five Troops
        ("Phoenix", "army 1: Phoe Grunt, Digger\n  army 2: Just Hero, Marvel\n  army 3: Old Lord", {"replace 3.1"}),
        (
            "Phoenix",
            "army 1: Phoe Grunt, Digger\n  army 2: Phoe Hero, Marvel\n  army 3: Old Lord",
            {"recruit", "replace 3.1"},
        ),
        ("Phoenix", "army 1: Phoe Grunt, Digger\n  army 2: Phoe Hero\n  army 3: Old Lord", {"replace 3.1"}),
    ],
)
def test_x35_a_card_that_can_be_shifted_in_need_not_be_playable(
    named: str, army_text: str, ways: set[str], tmp_path: Path
) -> None:
    cards = rewritten(
        tmp_path,
        (
            'name = "Just Lord"\nclan = "Justice"\nlevel = 3\n',
            'name = "Old Lord"\nclan = "Justice"\nlevel = 3\nshift = 0\n',
        ),
    )
    state = position(f"p0:\n  hand: {named}, Planner, Planner\n  {army_text}\n", of=cards)
    act(state, f"play {named}")
    if len(ways) > 1:
        assert legal(state) == ways
    else:  # done without asking
        assert state.kind != "use"
        assert sum(map(len, army(state, 0))) == army_text.count(",") + army_text.count("army")
