"""What the powers reach and do, and how cards are drawn (T15-T20, T31, T33, T39)."""

from __future__ import annotations

import pytest

from .table import army, asked, changed, discards, hand, legal, play, player, position, sizes, targets

PYRAMID = """
          army 1: Alpha Scout, Alpha Trooper, (Alpha Scout)
          army 2: Alpha Hero, (Alpha Hero)
          army 3: Alpha Chief
"""


def facing_a_pyramid(power: str) -> str:
    return (
        f"p0:\n  hand: Enter {power}\n  army 1: Fire Trooper\n  army 2: Fire Hero\np1:\n  hand: Dark Scout\n{PYRAMID}"
    )


@pytest.mark.ruling("T15")
def test_t15_destruction_base_takes_free_cards_of_level_1_or_2_of_any_army() -> None:
    state = play(position(facing_a_pyramid("Destruction")), "play Enter Destruction")
    # trapped or not; 3.1 is free but of level 3; own ones too
    assert legal(state) == targets("p0 1.2", "p0 2.1", "p1 1.3", "p1 2.2") | {"decline"}
    trapped = play(state.copy(), "target p1 2.2")
    assert (army(trapped, 1)[1], discards(trapped)) == (["Alpha Hero"], ["Alpha Hero"])
    own = play(state.copy(), "target p0 2.1")
    assert (army(own, 0), discards(own)) == ([["Fire Trooper", "Enter Destruction"]], ["Fire Hero"])


@pytest.mark.ruling("T15")
def test_t15_destruction_max_takes_free_cards_of_every_level() -> None:
    state = play(position(facing_a_pyramid("Destruction MAX")), "play Enter Destruction MAX")
    swaps = targets("p0 1.1", "p0 1.2", "p1 1.1", "p1 1.2", "p1 1.3", "p1 2.1", "p1 2.2")
    assert (state.kind, legal(state)) == ("swap", swaps | {"decline"})  # rows of one card have no pair
    play(state, "decline")
    assert legal(state) == targets("p0 1.2", "p0 2.1", "p1 1.3", "p1 2.2", "p1 3.1") | {"decline"}
    play(state, "target p1 3.1")
    assert (len(army(state, 1)), discards(state)) == (2, ["Alpha Chief"])


@pytest.mark.ruling("T15")
def test_t15_a_swap_is_within_one_row_of_one_army_and_nobody_comes_into_play() -> None:
    state = position("""
        p0:
          hand: Enter Destruction MAX
          army 1: Enter Draw, Dark Scout, Link Draw
        p1:
          hand: Dark Scout
        """)
    play(state, "play Enter Destruction MAX", "target p0 1.1")
    assert legal(state) == targets("p0 1.2", "p0 1.3", "p0 1.4")
    play(state, "target p0 1.2")
    assert army(state, 0) == [["Dark Scout", "Enter Draw", "Link Draw", "Enter Destruction MAX"]]
    assert state.kind == "destroy"  # neither the arrival power of Enter Draw nor a link of Link Draw to it
    play(state, "decline")
    assert state.kind == "offer"  # the link that the recruit itself had set off
    assert asked(play(state, "decline")) == (1, "turn")


@pytest.mark.ruling("T15")
@pytest.mark.parametrize("first", ["2.1", "2.2"])
def test_t15_a_swapped_trapped_card_stays_trapped(first: str) -> None:
    state = play(position(facing_a_pyramid("Destruction MAX")), "play Enter Destruction MAX", f"target p1 {first}")
    assert army(state, 1)[1] == ["(Alpha Hero)", "Alpha Hero"]


@pytest.mark.ruling("T15")
def test_t15_trap_base_takes_face_up_cards_of_level_1_or_2_free_or_not() -> None:
    state = play(position(facing_a_pyramid("Trap")), "play Enter Trap")
    assert legal(state) == targets("p0 1.1", "p0 1.2", "p0 2.1", "p1 1.1", "p1 1.2", "p1 2.1") | {"decline"}
    play(state, "target p1 1.1")
    assert army(state, 1)[0] == ["(Alpha Scout)", "Alpha Trooper", "(Alpha Scout)"]


@pytest.mark.ruling("T15")
def test_t15_trap_max_traps_or_releases_any_level() -> None:
    state = play(position(facing_a_pyramid("Trap MAX")), "play Enter Trap MAX")
    every = ("p0 1.1", "p0 1.2", "p0 2.1", "p1 1.1", "p1 1.2", "p1 1.3", "p1 2.1", "p1 2.2", "p1 3.1")
    assert legal(state) == targets(*every) | {"decline"}
    assert army(play(state.copy(), "target p1 3.1"), 1)[2] == ["(Alpha Chief)"]
    assert army(play(state.copy(), "target p1 2.2"), 1)[1] == ["Alpha Hero", "Alpha Hero"]


@pytest.mark.ruling("T16")
def test_t16_discard_base_hits_one_player_of_choice_who_chooses_the_card() -> None:
    text = "p0:\n  hand: Enter Discard, Fire Hero, Fire Chief\np1:\np2:\n  hand: Dark Scout, Dark Hero"
    state = play(position(text, players=3), "play Enter Discard")
    assert (state.kind, legal(state)) == ("victim", {"player p0", "player p2", "decline"})  # p1 has no card
    other = play(state.copy(), "player p2")
    assert (asked(other), legal(other)) == ((2, "discard"), {"discard Dark Scout", "discard Dark Hero"})
    play(other, "discard Dark Hero")
    assert (discards(other), hand(other, 2), asked(other)) == (["Dark Hero"], ["Dark Scout"], (1, "turn"))
    chooser = play(state.copy(), "player p0")
    assert asked(chooser) == (0, "discard")
    assert hand(play(chooser, "discard Fire Chief"), 0) == ["Fire Hero"]


@pytest.mark.ruling("T16")
@pytest.mark.ruling("T31")
def test_t16_t31_discard_max_halves_every_hand_clockwise_from_the_active_player() -> None:
    state = position(
        """
        now: active=p1
        p0:
          hand: Fire Hero, Fire Chief, Fire Champion
        p1:
          hand: Enter Discard MAX, Dark Scout, Dark Hero, Dark Chief, Dark Trooper, Dark Hero
        p2: passed=1 turns_left=0
          hand: Alpha Scout, Alpha Hero
        p3:
          hand: Méka Scout
        """,
        players=4,
    )
    play(state, "play Enter Discard MAX", "accept")
    order = [asked(state)]
    play(state, "discard Dark Scout")
    assert discards(state) == ["Dark Scout"]  # public at once
    assert state.view(3).as_dict()["discard_pile"] == ["Dark Scout"]
    order.append(asked(state))
    play(state, "discard Dark Hero")
    order.append(asked(state))
    play(state, "discard Alpha Hero")
    order.append(asked(state))
    play(state, "discard Fire Hero")
    assert order == [(1, "discard"), (1, "discard"), (2, "discard"), (0, "discard")]  # p3 keeps his one card
    assert sizes(state) == [2, 3, 1, 1]
    assert asked(state) == (3, "turn")


@pytest.mark.ruling("T31")
def test_t31_discard_base_reaches_who_has_passed_or_is_out() -> None:
    text = """
        p0: turns_left=2
          hand: Enter Discard
        p1: passed=1 turns_left=0
          hand: Dark Scout
        p2: turns_left=0
          hand: Alpha Scout
        """
    state = play(position(text, players=3), "play Enter Discard")
    assert legal(state) == {"player p1", "player p2", "decline"}
    play(state, "player p1")
    assert sizes(state) == [0, 0, 1]


@pytest.mark.ruling("T17")
def test_t17_one_card_for_each_face_up_clan_of_all_rows() -> None:
    state = position("""
        p0:
          hand: Enter Draw MAX
          army 1: Fire Scout, (Dark Scout), Alpha Scout, Fire Trooper
          army 2: Méka Hero, (Ancient Hero)
        p1:
          hand: Dark Scout
        draw_pile: Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief, rest
        """)
    play(state, "play Enter Draw MAX", "accept")
    assert hand(state, 0) == ["Alpha Chief", "Dark Chief", "Fire Chief"]


@pytest.mark.ruling("T18")
@pytest.mark.parametrize(("power", "keeps"), [("Vision", 1), ("Vision MAX", 2)])
def test_t18_vision_shows_five_cards_to_all(power: str, keeps: int) -> None:
    five = ["Fire Chief", "Dark Chief", "Alpha Chief", "Méka Chief", "Ancient Chief"]
    state = position(f"p0:\n  hand: Enter {power}\np1:\n  hand: Dark Scout\ndraw_pile: {', '.join(five)}, rest")
    play(state, f"play Enter {power}", "accept")
    assert state.as_dict()["set_aside"] == sorted(five)
    assert state.view(1).as_dict()["set_aside"] == sorted(five)
    assert legal(state) == {f"take {name}" for name in five}
    for name in ("Méka Chief", "Dark Chief")[:keeps]:
        play(state, f"take {name}")
    kept = sorted(("Méka Chief", "Dark Chief")[:keeps])
    assert (hand(state, 0), player(state.view(1), 0)["known"]) == (kept, kept)
    assert discards(state) == sorted(set(five) - set(kept))
    assert state.as_dict()["set_aside"] == []


@pytest.mark.ruling("T18")
@pytest.mark.ruling("T39")
def test_t18_t39_fewer_than_five_cards_are_shown_as_far_as_they_go() -> None:
    state = position("""
        p0:
          hand: Enter Vision
        p1:
          hand: Dark Scout
        draw_pile: Fire Chief, Dark Chief
        discard_pile: Alpha Chief
        set_aside: rest
        """)
    play(state, "play Enter Vision", "accept")
    assert legal(state) == {"take Fire Chief", "take Dark Chief", "take Alpha Chief"}
    play(state, "take Dark Chief")
    # what was revealed was in no pile, so that nothing was left to shuffle in
    assert (state.shuffles, state.as_dict()["draw_pile"]) == (1, [])
    assert discards(state) == ["Alpha Chief", "Fire Chief"]


@pytest.mark.ruling("T19")
def test_t19_return_base_takes_the_clan_of_the_goblin_that_has_the_power() -> None:
    pile = "discard_pile: Fire Scout, Fire Chief, Dark Scout, Alpha Hero"
    base = play(position(f"p0:\n  hand: Enter Return\np1:\n  hand: Dark Scout\n{pile}"), "play Enter Return")
    assert legal(base) == {"take Fire Scout", "take Fire Chief", "decline"}
    best = play(position(f"p0:\n  hand: Enter Return MAX\np1:\n  hand: Dark Scout\n{pile}"), "play Enter Return MAX")
    assert legal(best) == {"take Fire Scout", "take Fire Chief", "take Dark Scout", "take Alpha Hero", "decline"}
    play(best, "take Alpha Hero")
    assert (hand(best, 0), discards(best)) == (["Alpha Hero"], ["Dark Scout", "Fire Chief", "Fire Scout"])


@pytest.mark.ruling("T19")
def test_t19_on_mutating_it_is_the_old_goblins_clan_and_it_may_take_itself() -> None:
    state = position(
        "p0:\n  hand: Dark Scout\n  army 1: Mutate Return\np1:\n  hand: Fire Guard\ndiscard_pile: Dark Hero, Fire Hero"
    )
    play(state, "play Dark Scout")
    assert legal(state) == {"take Mutate Return", "take Fire Hero", "decline"}
    assert hand(play(state, "take Mutate Return"), 0) == ["Mutate Return"]


@pytest.mark.ruling("T19")
def test_t19_a_link_returns_its_own_clan() -> None:
    state = position(
        "p0:\n  hand: Fire Scout\n  army 1: Link Return\np1:\n  hand: Fire Guard\ndiscard_pile: Dark Hero, Fire Hero"
    )
    assert legal(play(state, "play Fire Scout")) == {"take Fire Hero", "decline"}


@pytest.mark.ruling("T49")
def test_t49_what_was_paid_and_the_old_goblin_may_be_taken_back() -> None:
    state = position("""
        p0:
          hand: Enter Return MAX, Alpha Chief
          army 1: Mutant, (Fire Trooper), (Fire Scout), (Fire Guard), (Alpha Scout)
        p1:
          hand: Dark Scout
        draw_pile:
        set_aside: rest
        """)
    play(state, "play Enter Return MAX")
    assert legal(state) == {"take Mutant", "take Alpha Chief", "decline"}
    assert hand(play(state, "take Alpha Chief"), 0) == ["Alpha Chief"]


@pytest.mark.ruling("T49")
def test_t49_and_drawn_where_there_is_nothing_else() -> None:
    state = position(
        "p0:\n  hand: Dark Scout\n  army 1: Mutate Draw\np1:\n  hand: Fire Scout\ndraw_pile:\nset_aside: rest"
    )
    play(state, "play Dark Scout", "accept")
    assert (hand(state, 0), discards(state), state.as_dict()["draw_pile"]) == (["Mutate Draw"], [], [])


@pytest.mark.ruling("T20")
@pytest.mark.ruling("T39")
def test_t20_t39_the_pile_is_refilled_at_once_when_a_draw_empties_it() -> None:
    state = position("""
        p0:
          hand: Enter Draw
        p1:
          hand: Dark Scout
        draw_pile: Fire Chief
        discard_pile: Alpha Chief, Méka Chief
        set_aside: rest
        """)
    play(state, "play Enter Draw", "accept")
    assert hand(state, 0) == ["Fire Chief"]
    assert (state.shuffles, discards(state)) == (1, [])
    assert sorted(state.as_dict()["draw_pile"]) == ["Alpha Chief", "Méka Chief"]


@pytest.mark.ruling("T20")
@pytest.mark.ruling("T39")
def test_t20_t39_an_empty_pile_is_refilled_before_the_draw() -> None:
    state = position(
        "p0:\n  hand: Enter Draw\np1:\n  hand: Dark Scout\ndraw_pile:\ndiscard_pile: Alpha Chief, Méka Chief\nset_aside: rest"
    )
    play(state, "play Enter Draw", "accept")
    assert (len(hand(state, 0)), len(state.as_dict()["draw_pile"]), discards(state)) == (1, 1, [])


@pytest.mark.ruling("T20")
def test_t20_drawing_stops_with_both_piles_empty() -> None:
    state = position("""
        p0:
          hand: Enter Draw MAX
          army 1: Fire Scout, Dark Scout, Alpha Scout
        p1:
          hand: Dark Scout
        draw_pile: Fire Chief
        discard_pile: Alpha Chief
        set_aside: rest
        """)
    play(state, "play Enter Draw MAX", "accept")
    assert (hand(state, 0), state.as_dict()["draw_pile"], state.shuffles) == (["Alpha Chief", "Fire Chief"], [], 1)


@pytest.mark.ruling("T20")
@pytest.mark.ruling("T39")
def test_t20_t39_a_reveal_that_empties_the_pile_refills_it_before_the_rest_is_discarded() -> None:
    state = position("""
        p0:
          hand: Enter Vision
        p1:
          hand: Dark Scout
        draw_pile: Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief
        discard_pile: Fire Hero, Dark Hero
        set_aside: rest
        """)
    play(state, "play Enter Vision", "accept")
    assert (state.kind, state.shuffles, discards(state)) == ("keep", 1, [])
    assert sorted(state.as_dict()["draw_pile"]) == ["Dark Hero", "Fire Hero"]
    play(state, "take Dark Chief")
    assert discards(state) == ["Alpha Chief", "Ancient Chief", "Fire Chief", "Méka Chief"]


@pytest.mark.ruling("T39")
def test_t39_an_emptied_pile_stays_empty_until_the_next_draw() -> None:
    game = changed({"Dark Scout": {"enter": ("discard",)}})
    state = game.parse("""tactics, 2 players
        p0:
          hand: Enter Draw, Enter Draw MAX
        p1:
          hand: Dark Scout, Dark Hero
        draw_pile: Fire Chief
        set_aside: rest
        """)
    play(state, "play Enter Draw", "accept")
    assert (state.shuffles, state.as_dict()["draw_pile"]) == (0, [])
    play(state, "play Dark Scout", "player p1")
    assert (discards(state), state.as_dict()["draw_pile"]) == (["Dark Hero"], [])  # no draw, no refill
    play(state, "play Enter Draw MAX", "accept")
    assert "Dark Hero" in hand(state, 0)


@pytest.mark.ruling("T39")
def test_t39_a_card_named_or_set_aside_is_not_shuffled_in() -> None:
    """The replacement waits beside the table while a payment goes to the discard pile; the draw comes after."""
    state = position("""
        p0:
          hand: Enter Draw, Fire Hero
          army 1: Mutant, (Fire Trooper), (Fire Scout), (Fire Guard), (Alpha Scout)
        p1:
          hand: Dark Scout
        draw_pile:
        revealed: rest
        """)
    assert state.as_dict()["draw_pile"] == []
    play(state, "play Enter Draw")
    assert (state.kind, discards(state)) == ("offer", ["Fire Hero", "Mutant"])
    play(state, "accept")
    both = hand(state, 0) + state.as_dict()["draw_pile"]
    assert (sorted(both), discards(state), state.shuffles) == (["Fire Hero", "Mutant"], [], 1)


@pytest.mark.ruling("T33")
def test_t33_all_tied_for_fewest_draw_two_each_clockwise_from_the_active_player() -> None:
    state = position(
        """
        now: active=p2 advantage=p0
        p0: points=1 turns_left=0 passed=1
        p1: points=0 turns_left=0 passed=1
        p2: points=0 turns_left=2
          hand: Enter Advantage MAX
        p3: points=0 turns_left=2
          hand: Dark Scout
        draw_pile: Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief, Fire Hero, rest
        """,
        players=4,
    )
    play(state, "play Enter Advantage MAX", "accept")
    assert hand(state, 2) == ["Dark Chief", "Fire Chief"]  # the chooser is one of them and the first
    assert hand(state, 3) == ["Alpha Chief", "Dark Scout", "Méka Chief"]
    assert hand(state, 1) == ["Ancient Chief", "Fire Hero"]  # he has passed
    assert hand(state, 0) == []
    assert (state.advantage, asked(state)) == (2, (2, "turn"))


@pytest.mark.ruling("T33")
def test_t33_no_hand_limit() -> None:
    many = "Fire Hero, Fire Champion, Dark Hero, Dark Hero, Alpha Hero, Alpha Hero, Méka Hero, Méka Hero, Ancient Hero"
    chiefs = "Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief, Mutant Chief, Chief Enter Trap"
    state = position(f"p0:\n  hand: Enter Draw, {many}, {chiefs}\np1:\n  hand: Dark Scout")
    play(state, "play Enter Draw", "accept")
    assert (sizes(state)[0], asked(state)) == (17, (1, "turn"))
