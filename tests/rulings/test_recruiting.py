"""Recruiting: what a Bakuto costs, who lets Heroes and Ôzekis in, where a recruit stands (T8, T9, T40)."""

from __future__ import annotations

import pytest

from .table import army, asked, discards, hand, legal, named, play, position

OTHERS = "Alpha Chief, Méka Chief, Ancient Chief"  # never playable here: only good for paying


@pytest.mark.ruling("T8")
@pytest.mark.parametrize(
    ("row", "free"),
    [
        ("", True),  # the first one
        ("Dark Trooper", True),
        ("Fire Trooper, Dark Trooper, Alpha Scout", True),  # anywhere in the row
        ("Fire Trooper", False),
        ("(Dark Trooper)", False),  # trapped: no clan, but an army
        ("(Fire Trooper)", False),
        ("Fire Trooper, (Dark Trooper)", False),
    ],
)
def test_t8_what_a_bakuto_costs(row: str, free: bool) -> None:
    state = position(f"p0:\n  hand: Dark Scout, {OTHERS}\n  army 1: {row}\np1:\n  hand: Fire Scout")
    assert legal(state) == named("Dark Scout")
    play(state, "play Dark Scout")
    if free:
        assert asked(state) == (1, "turn")
        assert len(hand(state, 0)) == 3
    else:
        assert (asked(state), legal(state)) == ((0, "pay"), {f"discard {name}" for name in OTHERS.split(", ")})
        play(state, "discard Alpha Chief", "discard Ancient Chief")
        assert (hand(state, 0), discards(state)) == (["Méka Chief"], ["Alpha Chief", "Ancient Chief"])
        assert asked(state) == (1, "turn")
    assert army(state, 0)[0][-1] == "Dark Scout"
    poor = position(f"p0:\n  hand: Dark Scout, Alpha Chief\n  army 1: {row}\np1:\n  hand: Fire Scout")
    assert legal(poor) == (named("Dark Scout") if free else {"pass"})  # one card cannot pay two


@pytest.mark.ruling("T8")
def test_t8_the_first_after_the_last_was_destroyed_is_free_again() -> None:
    state = position("p0:\n  hand: Dark Scout\n  army 1: Fire Trooper\np1:\n  hand: Enter Destruction\nnow: active=p1")
    play(state, "play Enter Destruction", "target p0 1.1")
    assert (army(state, 0), legal(state)) == ([], named("Dark Scout"))
    play(state, "play Dark Scout")
    assert army(state, 0) == [["Dark Scout"]]


@pytest.mark.ruling("T9")
@pytest.mark.parametrize(
    ("rows", "may"),
    [
        ([""], False),  # no Bakuto
        (["Dark Trooper"], False),  # not of the clan
        (["Fire Trooper"], True),
        (["(Fire Trooper), Dark Trooper"], False),  # trapped: no clan
        (["Fire Trooper, (Dark Trooper)", "(Dark Hero)"], True),  # two Bakutos, one Hero, trapped ones counted
        (["Fire Trooper", "Dark Hero"], False),  # as many Heroes as Bakutos
        (["Fire Trooper", "(Dark Hero)"], False),  # a trapped Hero still counts
        (["Dark Trooper, Fire Trooper", "Dark Hero"], True),  # the clan need not stand in the same column
    ],
)
def test_t9_heroes(rows: list[str], may: bool) -> None:
    lines = "\n".join(f"  army {k}: {row}" for k, row in enumerate(rows, 1))
    state = position(f"p0:\n  hand: Fire Champion, {OTHERS}\n{lines}\np1:\n  hand: Fire Scout")
    assert legal(state) == (named("Fire Champion") if may else {"pass"})
    if may:
        play(state, "play Fire Champion")  # never a payment
        assert army(state, 0)[1][-1] == "Fire Champion"
        assert len(hand(state, 0)) == 3


@pytest.mark.ruling("T9")
@pytest.mark.parametrize(
    ("rows", "may"),
    [
        (["Fire Trooper"], False),  # no Hero
        (["Fire Trooper", "Fire Hero"], True),
        (["Fire Trooper", "Dark Hero"], False),  # the clan among the Heroes is missing
        (["Dark Trooper", "Fire Hero"], False),  # among the Bakutos
        (["(Fire Trooper)", "Fire Hero"], False),
        (["Fire Trooper", "(Fire Hero)"], False),
        (["Fire Trooper, Dark Scout", "Fire Hero, (Dark Hero)", "(Dark Chief)"], True),
        (["Fire Trooper", "Fire Hero", "(Dark Chief)"], False),  # as many Ôzekis as Heroes
    ],
)
def test_t9_ozekis(rows: list[str], may: bool) -> None:
    lines = "\n".join(f"  army {k}: {row}" for k, row in enumerate(rows, 1))
    state = position(f"p0:\n  hand: Fire Chief, {OTHERS}\n{lines}\np1:\n  hand: Fire Scout")
    assert legal(state) == (named("Fire Chief") if may else {"pass"})
    if may:
        play(state, "play Fire Chief")
        assert army(state, 0)[2][-1] == "Fire Chief"
        assert len(hand(state, 0)) == 3


@pytest.mark.ruling("T9")
def test_t9_goblins_stay_when_their_clan_goes() -> None:
    state = position("""
        now: active=p1
        p0:
          hand: Fire Champion
          army 1: Dark Trooper, Dark Scout, Fire Trooper
          army 2: Fire Hero, Dark Hero
        p1:
          hand: Enter Destruction
        """)
    play(state, "play Enter Destruction", "target p0 1.3")
    assert army(state, 0) == [["Dark Trooper", "Dark Scout"], ["Fire Hero", "Dark Hero"]]
    assert legal(state) == {"pass"}


@pytest.mark.ruling("T40")
def test_t40_leftmost_empty_place_and_full_rows() -> None:
    state = position("""
        p0:
          hand: Fire Scout, Fire Champion, Fire Chief
          army 1: Fire Trooper, Fire Trooper, Fire Guard, Dark Trooper
          army 2: Fire Hero, Dark Hero
        p1:
          hand: Dark Scout
        """)
    assert army(play(state.copy(), "play Fire Scout"), 0)[0][4] == "Fire Scout"
    assert army(play(state.copy(), "play Fire Champion"), 0)[1] == ["Fire Hero", "Dark Hero", "Fire Champion"]
    assert army(play(state.copy(), "play Fire Chief"), 0)[2] == ["Fire Chief"]
    full = position("""
        p0:
          hand: Fire Scout, Alpha Chief, Méka Chief
          army 1: Fire Trooper, Fire Trooper, Fire Guard, Dark Trooper, (Dark Scout)
        p1:
          hand: Dark Scout
        """)
    assert legal(full) == {"pass"}


@pytest.mark.ruling("T40")
def test_t40_rows_stay_packed_and_the_slot_counts_as_filled_during_a_mutation() -> None:
    state = position("""
        p0:
          hand: Dark Trooper, Alpha Chief, Méka Chief
          army 1: Mutant, Fire Trooper
          army 2: Fire Hero, Fire Champion
        p1:
          hand: Dark Scout
        """)
    play(state, "play Dark Trooper", "replace 1.1")
    assert (state.kind, army(state, 0)[0]) == ("pay", ["Mutant", "Fire Trooper"])
    play(state, "discard Alpha Chief")
    assert army(state, 0)[0] == ["Dark Trooper", "Fire Trooper"]


@pytest.mark.ruling("T40")
def test_t40_only_ends_of_rows_can_go_so_no_row_outgrows_the_one_below() -> None:
    """In a random game every position keeps the shape, whatever was destroyed, swapped or mutated."""
    from .table import game

    shapes = set()
    for seed in range(6):
        state = game(3).new(seed)
        for step in range(400):
            if state.over:
                break
            for one in state.as_dict()["players"]:
                a, b, c = (len(row) for row in one["army"])
                assert 5 >= a >= b >= c
                shapes.add((a, b, c))
            acts = state.legal
            state.apply(acts[(seed * 7919 + step * 104729) % len(acts)])
    assert len(shapes) > 12
