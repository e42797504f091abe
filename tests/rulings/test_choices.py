"""Which questions are put, which are skipped, and when their answers are worked out (T14, T29, T30, T32, T42)."""

from __future__ import annotations

import pytest

from gosu_rl.core.game import GameState

from .table import army, asked, changed, discards, hand, legal, play, player, position, sizes, targets

P1 = "p1:\n  hand: Dark Scout, Dark Trooper\n  army 1: Alpha Scout, Alpha Trooper"


def arrive(powers: tuple[str, ...], text: str, players: int = 2) -> GameState:
    """Seat 0 recruits a Fire Bakuto with these powers on coming into play; its hand holds the card as `Fire Guard`."""
    game = changed({"Fire Guard": {"enter": powers}}, players)
    return play(game.parse(f"tactics, {players} players\n{text}"), "play Fire Guard")


@pytest.mark.ruling("T14")
@pytest.mark.parametrize(
    ("power", "kind"),
    [
        ("Destruction", "destroy"),
        ("Destruction MAX", "swap"),
        ("Trap", "trap"),
        ("Trap MAX", "trap"),
        ("Discard", "victim"),
        ("Discard MAX", "offer"),
        ("Draw", "offer"),
        ("Draw MAX", "offer"),
        ("Vision", "offer"),
        ("Vision MAX", "offer"),
        ("Return", "return"),
        ("Return MAX", "return"),
        ("Advantage", "offer"),
        ("Advantage MAX", "offer"),
    ],
)
def test_t14_every_power_may_be_declined(power: str, kind: str) -> None:
    state = position(f"now: advantage=p1\np0:\n  hand: Enter {power}\n{P1}\ndiscard_pile: Fire Scout")
    play(state, f"play Enter {power}")
    assert (asked(state), "decline" in legal(state)) == ((0, kind), True)
    play(state, "decline")
    if power == "Destruction MAX":
        play(state, "decline")  # T29: the destruction apart from the swap
    assert (asked(state), state.advantage, sizes(state)) == ((1, "turn"), 1, [0, 2])
    assert army(state, 1) == [["Alpha Scout", "Alpha Trooper"]]
    assert discards(state) == ["Fire Scout"]


@pytest.mark.ruling("T14")
def test_t14_once_accepted_the_choices_inside_must_be_made() -> None:
    vision = position(f"p0:\n  hand: Enter Vision\n{P1}")
    play(vision, "play Enter Vision", "accept")
    assert vision.kind == "keep"
    assert all(label.startswith("take ") for label in legal(vision))
    swap = position("p0:\n  hand: Enter Destruction MAX\np1:\n  army 1: Alpha Scout, Alpha Trooper, Dark Scout")
    play(swap, "play Enter Destruction MAX", "target p1 1.1")
    assert (swap.kind, legal(swap)) == ("swap_with", targets("p1 1.2", "p1 1.3"))
    victim = position(f"p0:\n  hand: Enter Discard\n{P1}")
    play(victim, "play Enter Discard", "player p1")
    assert (asked(victim), legal(victim)) == ((1, "discard"), {"discard Dark Scout", "discard Dark Trooper"})


@pytest.mark.ruling("T29")
@pytest.mark.parametrize("swapped", [True, False])
@pytest.mark.parametrize("destroyed", [True, False])
def test_t29_destruction_max_is_declined_step_by_step(swapped: bool, destroyed: bool) -> None:
    state = position(f"p0:\n  hand: Enter Destruction MAX\n{P1}")
    play(state, "play Enter Destruction MAX", "target p1 1.1" if swapped else "decline")
    assert state.kind == "destroy"
    play(state, "target p1 1.2" if destroyed else "decline")
    row = ["Alpha Trooper", "Alpha Scout"] if swapped else ["Alpha Scout", "Alpha Trooper"]
    assert army(state, 1) == [row[: 1 if destroyed else 2]]


@pytest.mark.ruling("T29")
def test_t29_advantage_max_is_taken_whole() -> None:
    """Accepting lets the lowest draw, takes the card and adds the turn; there is no other question."""
    state = position(f"now: advantage=p1\np0: points=1\n  hand: Enter Advantage MAX\n{P1}")
    play(state, "play Enter Advantage MAX")
    assert legal(state) == {"accept", "decline"}
    play(state, "accept")
    assert (sizes(state), state.advantage, asked(state)) == ([0, 4], 0, (0, "turn"))


@pytest.mark.ruling("T29")
@pytest.mark.parametrize("power", ["Enter Advantage", "Enter Advantage MAX"])
def test_t29_advantage_is_never_skipped(power: str) -> None:
    """The holder, who has nothing to play in an extra turn and nothing to draw, is asked all the same."""
    state = position(f"p0:\n  hand: {power}\n{P1}\ndraw_pile:\nset_aside: rest")
    play(state, f"play {power}")
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    assert asked(play(state.copy(), "accept")) == (0, "turn")
    assert asked(play(state.copy(), "decline")) == (1, "turn")


@pytest.mark.ruling("T29")
def test_t29_identical_copies_may_be_swapped() -> None:
    state = position("p0:\n  hand: Enter Destruction MAX\np1:\n  army 1: Alpha Scout, Alpha Scout\n  hand: Dark Scout")
    play(state, "play Enter Destruction MAX")
    assert (state.kind, legal(state)) == ("swap", targets("p1 1.1", "p1 1.2") | {"decline"})
    assert play(state, "target p1 1.1").kind == "destroy"


@pytest.mark.ruling("T30")
@pytest.mark.parametrize("power", ["Destruction", "Trap", "Discard", "Return"])
def test_t30_a_power_with_targets_asks_once_with_decline_beside_them(power: str) -> None:
    state = position(f"p0:\n  hand: Enter {power}\n{P1}\ndiscard_pile: Fire Scout")
    play(state, f"play Enter {power}")
    assert "decline" in legal(state)
    assert len(legal(state)) > 1
    play(state, min(legal(state) - {"decline"}))
    assert state.kind in ("turn", "discard")  # no further question about taking it


@pytest.mark.ruling("T30")
def test_t30_a_power_without_a_target_asks_accept_or_decline() -> None:
    for power in ("Draw", "Draw MAX", "Vision", "Vision MAX", "Discard MAX", "Advantage", "Advantage MAX"):
        state = play(position(f"p0:\n  hand: Enter {power}\n{P1}"), f"play Enter {power}")
        assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"}), power


@pytest.mark.ruling("T30")
def test_t30_the_position_says_which_power_of_which_card_is_asked_about() -> None:
    state = position("""
        p0:
          hand: Enter Draw
          army 1: Mutate Return, Link Vision
        p1:
          hand: Dark Scout, Dark Hero
        discard_pile: Fire Scout
    """)
    assert state.as_dict()["power"] is None
    play(state, "play Enter Draw", "replace 1.1")
    for kind, power, label in (
        ("return", {"card": "Mutate Return", "name": "return"}, "decline"),
        ("offer", {"card": "Enter Draw", "name": "draw"}, "decline"),
        ("offer", {"card": "Link Vision", "name": "vision"}, "accept"),
        ("keep", {"card": "Link Vision", "name": "vision"}, None),
    ):
        assert state.kind == kind
        assert [state.view(seat).as_dict()["power"] for seat in (0, 1)] == [power, power]
        if label:
            play(state, label)


@pytest.mark.ruling("T30")
def test_t30_of_two_powers_of_one_card_the_position_names_the_one_asked_about() -> None:
    state = position("""
        p0:
          hand: Enter Trap MAX then Draw, Fire Scout
    """)
    play(state, "play Enter Trap MAX then Draw")
    assert state.as_dict()["power"] == {"card": "Enter Trap MAX then Draw", "name": "trap MAX"}
    play(state, "decline")
    assert state.as_dict()["power"] == {"card": "Enter Trap MAX then Draw", "name": "draw"}
    play(state, "decline")
    assert state.as_dict()["power"] is None


@pytest.mark.ruling("T32")
def test_t32_free_cards_are_read_when_the_power_resolves() -> None:
    state = arrive(
        ("destruction", "destruction"),
        "p0:\n  hand: Fire Guard\np1:\n  army 1: Alpha Scout, Alpha Trooper\n  army 2: Alpha Hero",
    )
    assert legal(state) == targets("p0 1.1", "p1 1.2", "p1 2.1") | {"decline"}
    play(state, "target p1 1.2")
    assert legal(state) == targets("p0 1.1", "p1 2.1") | {"decline"}
    other = arrive(
        ("destruction", "destruction"), "p0:\n  hand: Fire Guard\np1:\n  army 1: Alpha Scout\n  army 2: Alpha Hero"
    )
    assert legal(other) == targets("p0 1.1", "p1 2.1") | {"decline"}
    play(other, "target p1 2.1")
    assert legal(other) == targets("p0 1.1", "p1 1.1") | {"decline"}


@pytest.mark.ruling("T32")
def test_t32_targets_of_a_step_are_read_after_the_step_before() -> None:
    state = position(
        "p0:\n  hand: Enter Destruction MAX\np1:\n  army 1: Alpha Scout, Alpha Trooper, Dark Scout\n  army 2: Alpha Hero, Dark Hero"
    )
    play(state, "play Enter Destruction MAX", "target p1 2.1")
    assert (state.kind, army(state, 1)[1]) == ("destroy", ["Dark Hero", "Alpha Hero"])
    play(state, "target p1 2.2")
    assert (army(state, 1)[1], discards(state)) == (["Dark Hero"], ["Alpha Hero"])


@pytest.mark.ruling("T32")
def test_t32_clans_are_counted_when_the_power_resolves() -> None:
    text = "p0:\n  hand: Fire Guard\n  army 1: Fire Scout, Dark Scout, Alpha Scout\np1:\n  hand: Dark Trooper"
    state = play(arrive(("trap", "draw MAX"), text), "target p0 1.2", "accept")
    assert sizes(state)[0] == 2  # Fire and Alpha; the Dark one was trapped a moment ago
    assert sizes(play(arrive(("trap", "draw MAX"), text), "decline", "accept"))[0] == 3


@pytest.mark.ruling("T32")
def test_t32_hand_sizes_are_read_when_the_power_resolves() -> None:
    state = arrive(("draw", "draw", "discard MAX"), "p0:\n  hand: Fire Guard, Dark Chief, Alpha Chief\np1:")
    play(state, "accept", "accept", "accept")
    assert (asked(state), sizes(state)) == ((0, "discard"), [4, 0])
    play(state, state.legal_labels[0], state.legal_labels[1])
    assert sizes(state) == [2, 0]


@pytest.mark.ruling("T32")
def test_t32_hands_to_hit_are_read_when_the_power_resolves() -> None:
    state = arrive(("discard", "discard"), "p0:\n  hand: Fire Guard, Alpha Chief\np1:\n  hand: Dark Chief")
    assert legal(state) == {"player p0", "player p1", "decline"}
    play(state, "player p1")
    assert legal(state) == {"player p0", "decline"}
    play(state, "player p0")
    assert sizes(state) == [0, 0]


@pytest.mark.ruling("T42")
def test_t42_the_turn_is_always_put() -> None:
    state = position("now: in_turn=0\np0:\np1:\n  hand: Dark Scout\nstack: turns p0")
    assert (asked(state), legal(state)) == ((0, "turn"), {"pass"})


@pytest.mark.ruling("T42")
def test_t42_one_partner_of_a_swap_is_not_asked() -> None:
    state = position(f"p0:\n  hand: Enter Destruction MAX\n{P1}")
    play(state, "play Enter Destruction MAX", "target p1 1.2")
    assert (state.kind, army(state, 1)) == ("destroy", [["Alpha Trooper", "Alpha Scout"]])


@pytest.mark.ruling("T42")
def test_t42_one_link_card_left_is_not_asked() -> None:
    state = position(f"p0:\n  hand: Fire Scout\n  army 1: Link Discard\n{P1}")
    assert play(state, "play Fire Scout").kind == "victim"


@pytest.mark.ruling("T42")
def test_t42_a_hand_that_must_go_wholly_is_not_asked() -> None:
    paid = position(
        f"p0:\n  hand: Dark Scout, Fire Chief, Fire Hero\n  army 1: Fire Trooper\n{P1}".replace(
            "Dark Scout, Dark Trooper", "Dark Trooper"
        )
    )
    play(paid, "play Dark Scout")
    assert (asked(paid), discards(paid)) == ((1, "turn"), ["Fire Chief", "Fire Hero"])
    hit = position("p0:\n  hand: Enter Discard\np1:\n  hand: Dark Scout")
    play(hit, "play Enter Discard", "player p1")
    assert (asked(hit), discards(hit)) == ((1, "turn"), ["Dark Scout"])


@pytest.mark.ruling("T42")
def test_t42_a_pick_from_a_larger_hand_is_put_even_if_its_cards_are_alike() -> None:
    hit = position("p0:\n  hand: Enter Discard\np1:\n  hand: Dark Scout, Dark Scout")
    play(hit, "play Enter Discard", "player p1")
    assert (asked(hit), legal(hit)) == ((1, "discard"), {"discard Dark Scout"})
    other = position("p0:\n  hand: Enter Discard\np1:\n  hand: Dark Trooper, Dark Chief")
    play(other, "play Enter Discard", "player p1")
    seen, unseen = hit.view(0).as_dict(), other.view(0).as_dict()
    assert seen == unseen  # nothing public depends on what the hand holds


@pytest.mark.ruling("T42")
@pytest.mark.parametrize(
    ("power", "revealed", "put"),
    [
        ("Vision", "Alpha Scout, Alpha Scout", False),  # all of one face
        ("Vision", "Alpha Scout, Alpha Trooper", True),
        ("Vision", "Alpha Scout", False),
        ("Vision MAX", "Alpha Scout, Alpha Trooper", False),  # both are kept
        ("Vision MAX", "Alpha Scout, Alpha Scout, Alpha Trooper", True),
    ],
)
def test_t42_vision_asks_only_where_the_revealed_cards_leave_a_choice(power: str, revealed: str, put: bool) -> None:
    state = position(f"p0:\n  hand: Enter {power}\np1:\n  hand: Dark Scout\ndraw_pile: {revealed}\nset_aside: rest")
    play(state, f"play Enter {power}", "accept")
    assert (state.kind == "keep") is put
    if not put:
        keeps = min(1 if power == "Vision" else 2, len(revealed.split(", ")))
        assert (sizes(state)[0], len(discards(state))) == (keeps, len(revealed.split(", ")) - keeps)


@pytest.mark.ruling("T42")
def test_t42_vision_max_stops_asking_when_all_that_is_left_is_alike() -> None:
    state = position(
        "p0:\n  hand: Enter Vision MAX\np1:\n  hand: Dark Scout\n"
        "draw_pile: Alpha Scout, Alpha Trooper, Alpha Scout\nset_aside: rest"
    )
    play(state, "play Enter Vision MAX", "accept", "take Alpha Trooper")
    assert (hand(state, 0), asked(state)) == (["Alpha Scout", "Alpha Trooper"], (1, "turn"))


@pytest.mark.ruling("T42")
@pytest.mark.parametrize(
    ("row", "cards", "put"),
    [
        ("Fire Trooper", "Fire Scout", False),  # recruiting is its one use
        (
            "Free Mutant, Fire Trooper, Fire Trooper, Fire Guard, Dark Scout",
            "Fire Scout",
            False,
        ),  # one goblin to replace
        ("Free Mutant", "Fire Scout", True),
        ("Free Mutant, Free Mutant", "Alpha Scout", True),  # two goblins to replace
    ],
)
def test_t42_the_use_of_a_card_is_asked_only_where_there_are_two(row: str, cards: str, put: bool) -> None:
    state = position(f"p0:\n  hand: {cards}\n  army 1: {row}\np1:\n  hand: Dark Trooper")
    play(state, f"play {cards}")
    assert (state.kind == "use") is put


@pytest.mark.ruling("T42")
def test_t42_discard_max_is_put_to_a_hand_of_two() -> None:
    state = position(
        "p0:\n  hand: Enter Discard MAX\np1:\n  hand: Dark Scout, Dark Scout\np2:\n  hand: Alpha Scout", players=3
    )
    play(state, "play Enter Discard MAX", "accept")
    assert (asked(state), legal(state)) == ((1, "discard"), {"discard Dark Scout"})
    play(state, "discard Dark Scout")
    assert (asked(state), player(state, 2)["hand_size"]) == ((1, "turn"), 1)
