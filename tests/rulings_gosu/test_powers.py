"""Amounts, conditions and the steps of powers: G6, G15, G18, G22."""

from __future__ import annotations

import pytest

from .table import army, asked, discards, hand, legal, play, player, position, recruit, sizes, targets

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("G6")
@pytest.mark.parametrize(("points", "drawn"), [((0, 0), 1), ((0, 1), 2), ((2, 1), 1), ((1, 1), 1)])
def test_g6_the_bracket_counts_while_an_opponent_has_more_points(points: tuple[int, int], drawn: int) -> None:
    state = position(f"p0: points={points[0]}\n  hand: Bracket\np1: points={points[1]}\n  hand: Dark Grunt")
    play(state, "play Bracket", "accept")
    assert sizes(state)[0] == drawn


@pytest.mark.ruling("G6")
def test_g6_any_opponent_will_do() -> None:
    state = position(
        "p0: points=1\n  hand: Bracket\np1:\n  hand: Dark Grunt\np2: points=2\n  hand: Dark Scout", players=3
    )
    assert sizes(play(state, "play Bracket", "accept"))[0] == 2


@pytest.mark.ruling("G6")
def test_g6_forced_discards_and_cards_kept_have_brackets_too() -> None:
    state = position("p0:\n  hand: Robber\np1: points=1\n  hand: Dark Grunt, Dark Scout, Dark Hero")
    play(state, "play Robber", "player p1", "discard Dark Grunt")
    assert asked(state) == (1, "discard")
    play(state, "discard Dark Hero")
    assert hand(state, 1) == ["Dark Scout"]
    state = position(
        "p0:\n  hand: Seer\np1: points=1\n  hand: Dark Grunt\ndraw_pile: Dark Hero, Dark Guard, Dark Boss, rest"
    )
    play(state, "play Seer", "accept", "take Dark Hero", "take Dark Boss")
    assert hand(state, 0) == ["Dark Boss", "Dark Hero"]
    assert discards(state) == ["Dark Guard"]


@pytest.mark.ruling("G18")
@pytest.mark.parametrize("holder", [0, 1])
def test_g18_with_the_advantage_token_is_read_when_the_step_resolves(holder: int) -> None:
    state = position(f"p0:\n  hand: Herald, Fire Grunt\np1:\n  hand: Dark Grunt\nnow: advantage=p{holder}")
    play(state, "play Herald", "accept")
    assert sizes(state)[0] == 2
    assert state.mover == holder  # the extra turn is there only with the token; else it is the other's turn


@pytest.mark.ruling("G15")
def test_g15_levels_stand_on_the_card() -> None:
    state = position(
        """
        p0:
          hand: Low Hitter
          army 1: Fire Grunt
        p1:
          hand: Dark Boss
          army 1: Dark Grunt, Dark Scout
          army 2: Dark Hero
        """
    )
    play(state, "play Low Hitter")
    assert legal(state) == {"decline"} | targets("p0 1.2", "p1 1.2")


@pytest.mark.ruling("G15")
def test_g15_powers_may_be_declined_but_a_must_may_not() -> None:
    state = position("p0:\n  hand: Drawer, Musty\np1:\n  hand: Dark Grunt")
    play(state, "play Drawer")
    assert legal(state) == {"accept", "decline"}
    play(state, "decline", "pass", "play Musty")
    assert sizes(state)[0] == 1


@pytest.mark.ruling("G15")
def test_g15_a_must_that_costs_is_carried_out_too() -> None:
    state = position("p0:\n  hand: Waster, Dark Hero, Dark Boss\np1:\n  hand: Dark Grunt\n  army 1: Dark Scout")
    play(state, "play Waster")
    assert legal(state) == {"discard Dark Hero", "discard Dark Boss"}
    play(state, "discard Dark Boss")
    assert discards(state) == ["Dark Boss"]
    assert sizes(state)[0] == 2


@pytest.mark.ruling("G15")
def test_g15_a_power_that_could_change_nothing_is_passed_over() -> None:
    state = position("p0:\n  hand: Finder, Fire Grunt\np1:\n  hand: Dark Grunt\ndiscard_pile: Dark Hero")
    play(state, "play Finder")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("G15")
@pytest.mark.parametrize(
    ("mine", "more", "put"),
    [
        ("p0:\n  hand: Beggar", "", False),  # no card to discard, and no token is out
        ("p0: tokens=1 spent=1\n  hand: Beggar", "", True),
        ("p0:\n  hand: Beggar, Fire Hero", "", True),
        ("p0:\n  hand: Sifter", "", False),
        ("p0:\n  hand: Sifter", "discard_pile: Dark Hero\n", True),
        ("p0:\n  hand: Clearer, Fire Hero", "", False),  # the condition does not hold, so nothing follows
    ],
)
def test_g15_an_offer_is_put_where_some_step_behind_it_could_change_something(mine: str, more: str, put: bool) -> None:
    state = position(f"{mine}\np1:\n  hand: Dark Grunt\n{more}")
    recruit(state, mine.rpartition(": ")[2].partition(",")[0])
    assert asked(state) == ((0, "offer") if put else (1, "turn"))


@pytest.mark.ruling("G15")
def test_g15_a_card_of_a_list_of_names_is_taken_back() -> None:
    state = position(
        "p0:\n  hand: Finder\np1:\n  hand: Dark Grunt\ndiscard_pile: Dark Hero, Fire Hero, Fire Guard, Fire Boss"
    )
    play(state, "play Finder")
    assert legal(state) == {"take Fire Hero", "take Fire Boss", "decline"}
    play(state, "take Fire Boss")
    assert player(state, 0)["known"] == ["Fire Boss"]


@pytest.mark.ruling("G22")
@pytest.mark.parametrize("answer", ["decline", "target p1 1.1"])
def test_g22_a_step_with_targets_is_declined_by_itself(answer: str) -> None:
    state = position("p0:\n  hand: Hitter\np1:\n  hand: Dark Grunt\n  army 1: Dark Scout")
    play(state, "play Hitter", answer)
    assert sizes(state)[0] == 1
    assert army(state, 1) == ([["Dark Scout"]] if answer == "decline" else [])


@pytest.mark.ruling("G22")
def test_g22_a_discard_of_ones_own_is_no_price() -> None:
    state = position("p0:\n  hand: Waster\np1:\n  hand: Dark Grunt")
    play(state, "play Waster")
    assert sizes(state)[0] == 1
    assert discards(state) == []


@pytest.mark.ruling("G22")
def test_g22_without_a_target_the_next_step_follows() -> None:
    state = position("p0:\n  hand: Hitter\np1:\n  hand: Dark Grunt\n")
    play(state, "play Hitter", "decline")  # the Hitter itself is a free card
    assert sizes(state)[0] == 1
