"""What a newcomer sets off, when that is fixed, when it is lost, and in which order it comes (T13, T25-T28)."""

from __future__ import annotations

import pytest

from .table import army, asked, changed, discards, hand, legal, play, position, sizes, targets

P1 = "p1:\n  hand: Dark Scout"


@pytest.mark.ruling("T13")
@pytest.mark.parametrize(
    ("neighbour", "newcomer", "links"),
    [
        ("Link Draw", "Fire Scout", True),
        ("(Link Draw)", "Fire Scout", False),  # face down
        ("Enter Draw", "Fire Scout", False),  # no link power
        ("Link Draw", "Dark Scout", False),  # not of the link card's clan
    ],
)
@pytest.mark.parametrize("how", ["recruit", "replace 1.2"])
def test_t13_who_links(neighbour: str, newcomer: str, links: bool, how: str) -> None:
    beside = ", Free Mutant" if how != "recruit" else ""
    spare = ", Alpha Chief, Méka Chief" if how == "recruit" else ""
    state = position(f"p0:\n  hand: {newcomer}{spare}\n  army 1: {neighbour}{beside}\n{P1}")
    play(state, f"play {newcomer}")
    if how == "recruit":
        paid = newcomer.startswith("Dark") or neighbour.startswith("(")
        assert sizes(state)[0] == (0 if paid else 2)  # the whole hand was the price: not asked
    else:
        if state.kind == "use":
            play(state, how)
        assert army(state, 0)[0][1] == newcomer
    assert (asked(state) == (0, "offer")) is links
    if not links:
        assert asked(state) == (1, "turn")


@pytest.mark.ruling("T28")
@pytest.mark.parametrize(
    ("side", "rows", "newcomer", "how"),
    [
        ("right", ["Link Draw"], "Fire Scout", None),
        ("left", ["Free Mutant, Link Draw, Dark Scout, (Alpha Scout), (Méka Scout)"], "Fire Scout", None),
        ("above", ["Link Draw"], "Fire Hero", None),
        (
            "below",
            ["Free Mutant, Fire Trooper, Fire Trooper, Fire Guard, Dark Scout", "Hero Linker"],
            "Fire Scout",
            None,
        ),
    ],
)
def test_t28_a_link_card_links_on_all_four_sides(side: str, rows: list[str], newcomer: str, how: str | None) -> None:
    lines = "\n".join(f"  army {k}: {row}" for k, row in enumerate(rows, 1))
    state = position(f"p0:\n  hand: {newcomer}\n{lines}\n{P1}")
    play(state, f"play {newcomer}")
    assert asked(state) == (0, "offer"), side
    assert sizes(play(state, "accept"))[0] == 1


@pytest.mark.ruling("T28")
@pytest.mark.parametrize(("row", "links"), [("Free Mutant, Left Linker", True), ("Left Linker, Free Mutant", False)])
def test_t28_fewer_sides_where_the_card_set_names_fewer(row: str, links: bool) -> None:
    state = position(f"p0:\n  hand: Fire Scout\n  army 1: {row}, Fire Trooper, (Alpha Scout), (Méka Scout)\n{P1}")
    play(state, "play Fire Scout")
    assert (asked(state) == (0, "offer")) is links


@pytest.mark.ruling("T28")
@pytest.mark.parametrize(
    ("row", "newcomer"), [("Link Draw, Fire Trooper", "Fire Scout"), ("Fire Trooper, Link Draw", "Fire Hero")]
)
def test_t28_diagonals_and_farther_slots_do_not_touch(row: str, newcomer: str) -> None:
    state = position(f"p0:\n  hand: {newcomer}\n  army 1: {row}\n{P1}")
    play(state, f"play {newcomer}")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("T25")
def test_t25_a_swap_moves_no_trigger_in() -> None:
    state = position(f"p0:\n  hand: Enter Destruction MAX\n  army 1: Link Draw, Fire Trooper\n{P1}")
    play(state, "play Enter Destruction MAX", "target p0 1.1", "target p0 1.2")
    assert army(state, 0) == [["Fire Trooper", "Link Draw", "Enter Destruction MAX"]]
    play(state, "decline")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("T25")
def test_t25_a_swap_moves_no_trigger_away() -> None:
    state = position(f"p0:\n  hand: Enter Destruction MAX\n  army 1: Fire Trooper, Link Draw\n{P1}")
    play(state, "play Enter Destruction MAX", "target p0 1.1", "target p0 1.2", "decline")
    assert army(state, 0) == [["Link Draw", "Fire Trooper", "Enter Destruction MAX"]]
    assert asked(state) == (0, "offer")


@pytest.mark.ruling("T25")
def test_t25_a_release_adds_no_trigger() -> None:
    state = position(f"p0:\n  hand: Enter Trap MAX\n  army 1: Fire Trooper, (Link Draw)\n{P1}")
    play(state, "play Enter Trap MAX", "target p0 1.2")
    assert (army(state, 0), asked(state)) == ([["Fire Trooper", "Link Draw", "Enter Trap MAX"]], (1, "turn"))


@pytest.mark.ruling("T25")
@pytest.mark.ruling("T26")
def test_t25_t26_a_trapped_newcomer_has_still_set_off_its_neighbour() -> None:
    state = position(f"p0:\n  hand: Enter Trap\n  army 1: Link Draw\n{P1}")
    play(state, "play Enter Trap", "target p0 1.2")
    assert (army(state, 0), asked(state)) == ([["Link Draw", "(Enter Trap)"]], (0, "offer"))


@pytest.mark.ruling("T26")
def test_t26_a_pending_link_is_lost_with_its_card_trapped() -> None:
    state = position(f"p0:\n  hand: Enter Trap\n  army 1: Link Draw\n{P1}")
    play(state, "play Enter Trap", "target p0 1.1")
    assert (army(state, 0), asked(state)) == ([["(Link Draw)", "Enter Trap"]], (1, "turn"))


@pytest.mark.ruling("T26")
def test_t26_a_pending_link_is_lost_with_its_card_destroyed() -> None:
    state = position(f"""
        p0:
          hand: Enter Destruction
          army 1: Fire Trooper, Free Mutant, Dark Scout, (Alpha Scout), (Méka Scout)
          army 2: Fire Hero, Hero Linker
        {P1}
        """)
    play(state, "play Enter Destruction")
    assert "target p0 2.2" in legal(state)
    play(state, "target p0 2.2")
    assert (discards(state), asked(state)) == (["Free Mutant", "Hero Linker"], (1, "turn"))


@pytest.mark.ruling("T26")
def test_t26_a_pending_link_stays_when_only_the_newcomer_is_gone() -> None:
    state = position(f"p0:\n  hand: Enter Destruction\n  army 1: Link Draw\n{P1}")
    play(state, "play Enter Destruction", "target p0 1.2")
    assert (army(state, 0), asked(state)) == ([["Link Draw"]], (0, "offer"))


@pytest.mark.ruling("T26")
def test_t26_a_pending_arrival_is_lost_and_mutation_powers_are_not() -> None:
    state = position(f"p0:\n  hand: Enter Draw\n  army 1: Mutate Trap MAX then Return, (Alpha Scout)\n{P1}")
    play(state, "play Enter Draw", "replace 1.1")
    assert state.kind == "trap"
    play(state, "target p0 1.1")  # the newcomer itself
    assert (state.kind, legal(state)) == ("return", {"take Mutate Trap MAX then Return", "decline"})
    play(state, "take Mutate Trap MAX then Return")
    assert (army(state, 0), asked(state)) == ([["(Enter Draw)", "(Alpha Scout)"]], (1, "turn"))
    assert hand(state, 0) == ["Mutate Trap MAX then Return"]  # nothing was drawn


@pytest.mark.ruling("T26")
def test_t26_a_second_arrival_power_is_lost_when_the_first_takes_its_card_out() -> None:
    state = position(f"p0:\n  hand: Enter Trap MAX then Draw\n{P1}")
    play(state, "play Enter Trap MAX then Draw", "target p0 1.1")
    assert (army(state, 0), asked(state)) == ([["(Enter Trap MAX then Draw)"]], (1, "turn"))


@pytest.mark.ruling("T26")
def test_t26_a_second_link_power_is_lost_when_the_first_traps_its_card() -> None:
    state = position(f"p0:\n  hand: Fire Scout\n  army 1: Link Trap MAX then Draw\n{P1}")
    play(state, "play Fire Scout", "target p0 1.1")
    assert (army(state, 0), asked(state)) == ([["(Link Trap MAX then Draw)", "Fire Scout"]], (1, "turn"))


@pytest.mark.ruling("T26")
def test_t26_mutation_powers_resolve_with_their_card_back_in_the_hand() -> None:
    game = changed({"Mutate Return": {"mutate": ("return MAX", "draw")}})
    state = game.parse(
        f"tactics, 2 players\np0:\n  hand: Dark Scout\n  army 1: Mutate Return\n{P1}\ndraw_pile: Fire Chief, rest"
    )
    play(state, "play Dark Scout", "take Mutate Return")
    assert (asked(state), hand(state, 0)) == ((0, "offer"), ["Mutate Return"])
    assert hand(play(state, "accept"), 0) == ["Fire Chief", "Mutate Return"]


@pytest.mark.ruling("T26")
def test_t26_a_link_card_face_down_is_not_offered_until_it_is_face_up_again() -> None:
    state = position(f"""
        p0:
          hand: Enter Trap
          army 1: Link Trap MAX, Free Mutant, Link Discard, (Alpha Scout), (Méka Scout)
          army 2: Fire Hero, Hero Linker
        {P1}
        """)
    play(state, "play Enter Trap", "target p0 2.2")
    assert (state.kind, legal(state)) == ("link", targets("p0 1.1", "p0 1.3"))
    play(state, "target p0 1.1", "target p0 2.2")  # released
    assert (state.kind, legal(state)) == ("link", targets("p0 1.3", "p0 2.2"))


@pytest.mark.ruling("T51")
def test_t51_a_pending_card_face_down_is_no_choice_and_may_still_follow() -> None:
    state = position(f"""
        p0:
          hand: Enter Trap
          army 1: Link Trap MAX, Free Mutant, Fire Scout, (Alpha Scout), (Méka Scout)
          army 2: Fire Hero, Hero Linker
        {P1}
        """)
    play(state, "play Enter Trap", "target p0 2.2")
    assert state.kind == "trap"  # Link Trap MAX is the one card left to choose: not asked
    released = play(state.copy(), "target p0 2.2")
    assert asked(released) == (0, "offer")  # Hero Linker after all
    assert asked(play(state, "decline")) == (1, "turn")


@pytest.mark.ruling("T27")
def test_t27_powers_of_one_card_in_the_order_of_the_card_set() -> None:
    state = position(f"p0:\n  hand: Enter Trap MAX then Draw\n  army 1: Fire Trooper\n{P1}")
    play(state, "play Enter Trap MAX then Draw")
    assert state.kind == "trap"
    play(state, "decline")
    assert state.kind == "offer"
    turned = changed({"Enter Trap MAX then Draw": {"enter": ("draw", "trap MAX")}})
    state = turned.parse(f"tactics, 2 players\np0:\n  hand: Enter Trap MAX then Draw\n  army 1: Fire Trooper\n{P1}")
    play(state, "play Enter Trap MAX then Draw")
    assert state.kind == "offer"
    play(state, "decline")
    assert state.kind == "trap"


@pytest.mark.ruling("T27")
def test_t27_link_cards_one_at_a_time_all_powers_of_a_card_together() -> None:
    state = position(f"""
        p0:
          hand: Fire Scout
          army 1: Link Trap MAX then Draw, Free Mutant, Link Discard, (Alpha Scout), (Méka Scout)
        {P1}
        """)
    play(state, "play Fire Scout")
    assert (state.kind, legal(state)) == ("link", targets("p0 1.1", "p0 1.3"))
    first = play(state.copy(), "target p0 1.1")
    assert first.kind == "trap"
    assert play(first, "decline").kind == "offer"
    assert play(first, "decline").kind == "victim"
    second = play(state.copy(), "target p0 1.3")
    assert second.kind == "victim"
    assert play(second, "decline").kind == "trap"
    assert play(second, "decline").kind == "offer"
    assert asked(play(second, "decline")) == (1, "turn")


@pytest.mark.ruling("T27")
def test_t27_own_link_powers_never_fire_on_arrival() -> None:
    state = position(f"p0:\n  hand: Link Draw\n  army 1: Fire Trooper\n{P1}")
    play(state, "play Link Draw")
    assert (asked(state), sizes(state)) == ((1, "turn"), [0, 1])
    two = position(f"p0:\n  hand: Link Draw\n  army 1: Link Discard\n{P1}")
    play(two, "play Link Draw")
    assert two.kind == "victim"  # the other one's
    assert asked(play(two, "decline")) == (1, "turn")
