"""Mutations: who may mutate into what, the order of the steps, zombies, and how a card is named (T10-T12, T47)."""

from __future__ import annotations

import pytest

from .table import army, asked, discards, hand, legal, named, play, position, targets

FULL = "Fire Trooper, Fire Trooper, Fire Scout, Fire Guard"  # four Bakutos, so that one mutant fills the row


@pytest.mark.ruling("T10")
@pytest.mark.parametrize(
    ("goblin", "others", "may"),
    [
        ("Mutant", 1, True),
        ("Mutant", 0, False),  # its cost cannot be paid
        ("(Mutant)", 1, False),  # trapped
        ("Free Mutant", 0, True),  # a cost of 0 is a cost
        ("Fire Scout", 3, False),  # no cost printed
        ("Dear Mutant", 3, True),
        ("Dear Mutant", 2, False),
    ],
)
def test_t10_face_up_with_a_printed_cost_that_can_be_paid(goblin: str, others: int, may: bool) -> None:
    paying = ", ".join(["Alpha Chief", "Méka Chief", "Ancient Chief"][:others])
    state = position(f"p0:\n  hand: Dark Scout, {paying}\n  army 1: {goblin}, {FULL}\np1:\n  hand: Alpha Scout")
    assert legal(state) == (named("Dark Scout") if may else {"pass"})
    if may:
        play(state, "play Dark Scout")  # all the rest of the hand is the price: not asked
        assert (army(state, 0)[0][0], hand(state, 0)) == ("Dark Scout", [])
        assert discards(state) == sorted([goblin, *(paying.split(", ") if paying else [])])


@pytest.mark.ruling("T10")
@pytest.mark.parametrize(
    ("goblin", "newcomer", "may"),
    [
        ("Mutant", "Mutant", False),  # its own name
        ("Mutant", "Mutant X", False),  # the X shares it
        ("Mutant X", "Mutant", False),
        ("Mutant", "Free Mutant", True),
        ("Mutant", "Dark Scout", True),  # another clan
        ("Mutant", "Fire Hero", False),  # another level
    ],
)
def test_t10_same_level_and_another_name(goblin: str, newcomer: str, may: bool) -> None:
    row = f"{goblin}, (Fire Trooper), (Fire Scout), (Fire Guard), (Alpha Scout)"
    state = position(f"p0:\n  hand: {newcomer}, Alpha Chief\n  army 1: {row}\np1:\n  hand: Alpha Scout")
    if newcomer == "Fire Hero":
        play(state, "play Fire Hero")  # by recruiting: no use is asked
        assert army(state, 0)[1] == ["Fire Hero"]
        return
    assert legal(state) == (named(newcomer) if may else {"pass"})


@pytest.mark.ruling("T10")
@pytest.mark.parametrize(
    ("level", "old", "new", "below"),
    [
        (2, "Mutant Hero", "Dark Hero", ["Fire Trooper"]),
        (3, "Mutant Chief", "Dark Chief", ["Fire Trooper", "Fire Hero"]),
    ],
)
def test_t10_heroes_and_ozekis_mutate_into_a_clan_without_a_footing(
    level: int, old: str, new: str, below: list[str]
) -> None:
    rows = "\n".join(f"  army {k}: {one}" for k, one in enumerate([*below, old], 1))
    state = position(f"p0:\n  hand: {new}\n{rows}\np1:\n  hand: Alpha Scout")
    assert legal(state) == named(new)
    play(state, f"play {new}")
    assert army(state, 0)[level - 1] == [new]
    assert discards(state) == [old]


@pytest.mark.ruling("T11")
@pytest.mark.ruling("T47")
def test_t11_t47_card_then_goblin_then_payment_then_exchange() -> None:
    state = position("""
        p0:
          hand: Dark Scout, Alpha Chief, Méka Chief
          army 1: Mutant, Mutant X
        p1:
          hand: Alpha Scout
        """)
    assert (asked(state), legal(state)) == ((0, "turn"), named("Dark Scout"))
    play(state, "play Dark Scout")
    assert state.as_dict()["set_aside"] == ["Dark Scout"]
    assert state.view(1).as_dict()["set_aside"] == ["Dark Scout"]  # public from its naming
    assert (asked(state), legal(state)) == ((0, "use"), {"recruit", "replace 1.1", "replace 1.2"})
    play(state, "replace 1.2")
    assert (asked(state), legal(state)) == ((0, "pay"), {"discard Alpha Chief", "discard Méka Chief"})
    assert army(state, 0) == [["Mutant", "Mutant X"]]
    play(state, "discard Méka Chief")
    assert army(state, 0) == [["Mutant", "Dark Scout"]]
    assert discards(state) == ["Mutant X", "Méka Chief"]
    assert (hand(state, 0), state.as_dict()["set_aside"]) == (["Alpha Chief"], [])


@pytest.mark.ruling("T11")
def test_t11_a_zombie_cannot_take_what_was_paid_for_it() -> None:
    state = position("""
        p0:
          hand: Alpha Scout, Alpha Trooper
          army 1: Zombie, (Fire Trooper), (Fire Scout), (Fire Guard), (Fire Trooper)
        p1:
          hand: Dark Scout
        discard_pile: Méka Scout, Fire Hero
        """)
    # a Hero is of another level; the two Bakutos in the hand are replacements from the hand only
    assert legal(state) == {"pass", "play Alpha Scout", "play Alpha Trooper", "take Méka Scout"}
    play(state, "take Méka Scout")
    assert state.as_dict()["set_aside"] == ["Méka Scout"]
    assert legal(state) == {"discard Alpha Scout", "discard Alpha Trooper"}
    play(state, "discard Alpha Scout")
    assert army(state, 0)[0][0] == "Méka Scout"
    assert discards(state) == ["Alpha Scout", "Fire Hero", "Zombie"]


@pytest.mark.ruling("T10")
@pytest.mark.ruling("T11")
def test_t10_t11_zombies_obey_the_name_and_others_have_no_reach() -> None:
    rows = "army 1: {}, (Fire Trooper), (Fire Scout), (Fire Guard), (Fire Trooper)"
    text = "p0:\n  hand: Alpha Chief\n  {}\np1:\n  hand: Dark Scout\ndiscard_pile: {}"
    assert legal(position(text.format(rows.format("Zombie"), "Zombie, Dark Hero"))) == {"pass"}
    assert legal(position(text.format(rows.format("(Zombie)"), "Dark Trooper"))) == {"pass"}
    assert legal(position(text.format(rows.format("Mutant"), "Dark Trooper"))) == {"pass"}
    assert legal(position(text.format(rows.format("Zombie"), "Dark Trooper"))) == {"pass", "take Dark Trooper"}


@pytest.mark.ruling("T12")
def test_t12_mutation_powers_then_arrival_then_links_in_chosen_order() -> None:
    state = position("""
        p0:
          hand: Enter Trap
          army 1: Link Draw, Mutate Return MAX, Link Discard, Fire Scout
          army 2: Fire Hero, Hero Linker
        p1:
          hand: Dark Scout, Dark Trooper
          army 1: Alpha Scout
        """)
    play(state, "play Enter Trap", "replace 1.2")
    assert (state.kind, legal(state)) == ("return", {"take Mutate Return MAX", "decline"})
    play(state, "take Mutate Return MAX")
    assert state.kind == "trap"
    play(state, "target p1 1.1")
    assert (asked(state), legal(state)) == ((0, "link"), targets("p0 1.1", "p0 1.3", "p0 2.2"))
    play(state, "target p0 1.3")
    assert state.kind == "victim"
    play(state, "decline")
    assert (state.kind, legal(state)) == ("link", targets("p0 1.1", "p0 2.2"))
    play(state, "target p0 2.2")
    assert state.kind == "offer"
    play(state, "accept")
    assert state.kind == "offer"  # the last link card comes by itself (T42)
    play(state, "accept")
    assert asked(state) == (1, "turn")
    assert hand(state, 0) == sorted(["Mutate Return MAX", *state.as_dict()["pile_order"][:2]])


@pytest.mark.ruling("T12")
@pytest.mark.ruling("T13")
def test_t12_t13_other_clans_and_other_armies_stay_silent() -> None:
    state = position("""
        p0:
          hand: Dark Scout
          army 1: Link Draw, Mutate Draw, Link Discard, Fire Scout
          army 2: Fire Hero, Hero Linker
        p1:
          hand: Dark Trooper
          army 1: Link Vision, Fire Trooper
        """)
    play(state, "play Dark Scout")
    assert state.kind == "offer"  # the mutation power
    play(state, "decline")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("T47")
@pytest.mark.parametrize(
    ("goblin", "cards", "discard_pile", "may"),
    [
        ("Mutant", "Dark Scout", "", {"pass"}),  # from the hand: the cost and one more
        ("Mutant", "Dark Scout, Alpha Chief", "", {"pass", "play Dark Scout"}),
        ("Zombie", "", "Dark Scout", {"pass"}),
        ("Zombie", "Alpha Chief", "Dark Scout", {"pass", "take Dark Scout"}),  # from the pile: the cost alone
    ],
)
def test_t47_only_cards_with_a_payable_use(goblin: str, cards: str, discard_pile: str, may: set[str]) -> None:
    rows = f"army 1: {goblin}, (Fire Trooper), (Fire Scout), (Fire Guard), (Fire Trooper)"
    state = position(f"p0:\n  hand: {cards}\n  {rows}\np1:\n  hand: Alpha Scout\ndiscard_pile: {discard_pile}")
    assert legal(state) == may


@pytest.mark.ruling("T47")
def test_t47_uses_are_judged_by_what_is_left_to_pay_with() -> None:
    """Recruiting would cost two of the hand, the mutation one: with one card left only the mutation is a use."""
    text = "p0:\n  hand: Dark Scout, {}\n  army 1: Mutant\np1:\n  hand: Alpha Scout"
    state = position(text.format("Alpha Chief, Méka Chief"))
    assert legal(play(state, "play Dark Scout")) == {"recruit", "replace 1.1"}
    state = play(position(text.format("Alpha Chief")), "play Dark Scout")
    assert (asked(state), army(state, 0)) == ((1, "turn"), [["Dark Scout"]])


@pytest.mark.ruling("T47")
def test_t47_mutation_knows_no_recruiting_cost() -> None:
    state = position("p0:\n  hand: Dark Scout\n  army 1: Free Mutant, Fire Scout\np1:\n  hand: Alpha Scout")
    play(state, "play Dark Scout")
    assert (army(state, 0), discards(state)) == ([["Dark Scout", "Fire Scout"]], ["Free Mutant"])


@pytest.mark.ruling("T9")
@pytest.mark.ruling("T47")
@pytest.mark.parametrize(
    ("rows", "newcomer", "slot"),
    [
        (["Free Mutant, Fire Trooper, Dark Scout, Dark Trooper, Fire Scout"], "Fire Guard", 0),  # the row is full
        (["Fire Trooper", "Mutant Hero"], "Fire Hero", 1),  # as many Heroes as Bakutos
        (["Dark Trooper, Dark Scout", "Mutant Hero"], "Fire Hero", 1),  # no Bakuto of the clan
        (["Fire Trooper", "Fire Hero", "Mutant Chief"], "Fire Chief", 2),  # as many Ôzekis as Heroes
        (["Fire Trooper, Fire Scout", "Dark Hero, Alpha Hero", "Mutant Chief"], "Fire Chief", 2),  # no Hero of the clan
    ],
)
def test_t9_t47_a_card_named_to_replace_may_not_be_recruited_against_the_rules(
    rows: list[str], newcomer: str, slot: int
) -> None:
    lines = "\n".join(f"  army {k}: {row}" for k, row in enumerate(rows, 1))
    state = position(f"p0:\n  hand: {newcomer}, Méka Chief, Ancient Chief\n{lines}\np1:\n  hand: Alpha Scout")
    play(state, f"play {newcomer}")
    assert asked(state) == (1, "turn")  # replacing is its one use
    assert army(state, 0)[slot][0] == newcomer
    assert [len(row) for row in army(state, 0)] == [len(row.split(", ")) for row in rows]


@pytest.mark.ruling("T47")
def test_t47_a_zombie_may_use_hand_or_pile() -> None:
    state = position("""
        p0:
          hand: Dark Hero
          army 1: Fire Trooper
          army 2: Zombie Hero
        p1:
          hand: Alpha Scout
        discard_pile: Dark Hero, Alpha Hero
        """)
    assert legal(state) == {"pass", "play Dark Hero", "take Dark Hero", "take Alpha Hero"}
    from_hand = play(state.copy(), "play Dark Hero")
    assert (army(from_hand, 0)[1], hand(from_hand, 0)) == (["Dark Hero"], [])
    assert discards(from_hand) == ["Alpha Hero", "Dark Hero", "Zombie Hero"]
    from_pile = play(state.copy(), "take Dark Hero")
    assert (army(from_pile, 0)[1], hand(from_pile, 0)) == (["Dark Hero"], ["Dark Hero"])
    assert discards(from_pile) == ["Alpha Hero", "Zombie Hero"]
