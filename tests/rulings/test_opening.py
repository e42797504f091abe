"""The opening: the deal, the Advantage card, mulligans and the three hidden discards (T1-T3, T41, T43, T46)."""

from __future__ import annotations

import pytest

from .table import asked, discards, game, hand, legal, play, player, position, sizes

NO_BAKUTO = "Fire Hero, Fire Hero, Fire Champion, Fire Champion, Dark Hero, Dark Hero, Alpha Hero, Alpha Hero, Méka Hero, Méka Hero"
NO_BAKUTO_EITHER = (
    "Ancient Hero, Ancient Hero, Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief, "
    "Mutant Hero, Zombie Hero, Hero Linker"
)
ONE_BAKUTO = "Fire Trooper, Mutant Chief, Chief Enter Trap"
OPENING = "stack: turns p0; reveal_picks p0; opening p0 left=3; opening p1 left=3; mulligan p0; mulligan p1"
HOLDER_P1 = "now: in_turn=0 first=p1 active=p1 advantage=p1"


@pytest.mark.ruling("T1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_t1_ten_cards_each_and_a_random_holder(players: int) -> None:
    holders = [0] * players
    for seed in range(60 * players):
        state = game(players).new(seed)
        holders[state.advantage] += 1
        assert sizes(state) == [10] * players
        assert discards(state) == []
    assert min(holders) > 30, holders  # 60 expected of each seat; 30 is 4 standard deviations away


@pytest.mark.ruling("T1")
@pytest.mark.ruling("T3")
def test_t1_t3_seven_are_kept_and_the_holder_begins() -> None:
    state = game().new(5, advantage=1)
    while state.kind != "turn":
        state.apply(state.legal[0])
    assert sizes(state) == [7, 7]
    assert len(discards(state)) == 6
    assert asked(state) == (1, "turn")
    assert state.as_dict()["first"] == 1


@pytest.mark.ruling("T2")
def test_t2_redraw_without_a_bakuto_again_and_again() -> None:
    state = position(f"""
        {HOLDER_P1}
        p0:
          hand: {ONE_BAKUTO}
        p1:
          hand: {NO_BAKUTO}
        draw_pile: {NO_BAKUTO_EITHER}, rest
        {OPENING}
        """)
    assert (asked(state), legal(state)) == ((1, "mulligan"), {"keep", "redraw"})
    play(state, "redraw")
    assert hand(state, 1) == sorted(NO_BAKUTO_EITHER.split(", "))
    assert discards(state) == sorted(NO_BAKUTO.split(", "))
    assert (asked(state), legal(state)) == ((1, "mulligan"), {"keep", "redraw"})
    play(state, "redraw")
    assert len(hand(state, 1)) == 10
    assert legal(state) == {"keep"}  # Bakutos came up


@pytest.mark.ruling("T2")
def test_t2_all_are_asked_before_anyone_picks_discards() -> None:
    state = game(3).new(11, advantage=2)
    kinds = []
    while state.kind != "turn":
        kinds.append(asked(state))
        play(state, "keep") if state.kind == "mulligan" else state.apply(state.legal[-1])
    mulligans = [(seat, "mulligan") for seat in (2, 0, 1)]
    assert kinds == mulligans + [(seat, "opening") for seat in (2, 2, 2, 0, 0, 0, 1, 1, 1)]


@pytest.mark.ruling("T2")
def test_t2_a_redraw_is_a_choice() -> None:
    state = position(f"""
        {HOLDER_P1}
        p0:
          hand: {ONE_BAKUTO}
        p1:
          hand: {NO_BAKUTO}
        {OPENING}
        """)
    play(state, "keep")
    assert asked(state) == (0, "mulligan")
    assert hand(state, 1) == sorted(NO_BAKUTO.split(", "))


PICKING = """
    now: in_turn=0
    p0:
      hand: Fire Trooper, Fire Scout, Fire Hero, Fire Chief
    p1:
      hand: Dark Trooper, Dark Scout, Dark Hero, Dark Chief
    stack: turns p0; reveal_picks p0; opening p1 left=3; opening p0 left=3
    """


@pytest.mark.ruling("T3")
def test_t3_no_view_shows_a_pick_before_all_have_chosen() -> None:
    one = play(position(PICKING), "discard Fire Trooper", "discard Fire Scout", "discard Fire Hero")
    other = play(position(PICKING), "discard Fire Chief", "discard Fire Hero", "discard Fire Scout")
    assert one.view(1) == other.view(1)
    assert one.view(0) != other.view(0)
    assert player(one.view(1), 0)["picks"] == []
    assert player(one.view(0), 0)["picks"] == ["Fire Hero", "Fire Scout", "Fire Trooper"]
    assert discards(one) == []
    assert asked(one) == (1, "opening")
    play(one, "discard Dark Trooper", "discard Dark Scout")
    assert discards(one) == []
    play(one, "discard Dark Hero")
    assert discards(one) == ["Dark Hero", "Dark Scout", "Dark Trooper", "Fire Hero", "Fire Scout", "Fire Trooper"]
    assert [hand(one, seat) for seat in (0, 1)] == [["Fire Chief"], ["Dark Chief"]]
    assert asked(one) == (0, "turn")


@pytest.mark.ruling("T3")
def test_t3_a_picked_card_is_not_picked_twice() -> None:
    state = play(position(PICKING), "discard Fire Trooper")
    assert legal(state) == {"discard Fire Scout", "discard Fire Hero", "discard Fire Chief"}


@pytest.mark.ruling("T41")
def test_t41_everyone_is_asked_and_keep_is_all_for_who_does_not_qualify() -> None:
    with_one = position(
        f"p0:\n  hand: {ONE_BAKUTO}\np1:\n  hand: Dark Scout\nstack: turns p0; mulligan p1; mulligan p0"
    )
    assert (asked(with_one), legal(with_one)) == ((0, "mulligan"), {"keep"})
    without = position(
        "p0:\n  hand: Fire Hero, Mutant Chief, Chief Enter Trap\np1:\n  hand: Dark Scout\n"
        "stack: turns p0; mulligan p1; mulligan p0"
    )
    assert (asked(without), legal(without)) == ((0, "mulligan"), {"keep", "redraw"})
    assert with_one.view(1) == without.view(1)  # so being asked tells the others nothing


@pytest.mark.ruling("T41")
@pytest.mark.parametrize("kind", ["mulligan", "refresh"])
def test_t41_ten_redraws_at_most_then_keep_is_put_alone(kind: str) -> None:
    cards = "p0:\n  hand: Fire Hero, Dark Chief\ndraw_pile: Alpha Hero, Alpha Chief, Fire Champion, rest"
    text = f"{cards}\nstack: turns p0; {kind} p0 times="
    state = position(text + "9")
    assert legal(state) == {"keep", "redraw"}
    play(state, "redraw")
    assert hand(state, 0) == ["Alpha Chief", "Alpha Hero"]
    assert (asked(state), legal(state)) == ((0, kind), {"keep"})
    assert legal(position(text + "10")) == {"keep"}
    assert game().rules["max_mulligans"] == 10


@pytest.mark.ruling("T41")
@pytest.mark.parametrize("kind", ["mulligan", "refresh"])
def test_t41_an_empty_hand_never_qualifies(kind: str) -> None:
    state = position(f"p1:\n  hand: Fire Scout\nstack: turns p0; {kind} p0")
    assert (asked(state), legal(state)) == ((0, kind), {"keep"})


@pytest.mark.ruling("T41")
@pytest.mark.parametrize("kind", ["mulligan", "refresh"])
def test_t41_discard_first_then_draw(kind: str) -> None:
    """Two cards in the pile, four to draw: the other two come from the hand just discarded."""
    state = position(f"""
        p0:
          hand: Fire Hero, Dark Hero, Alpha Hero, Méka Hero
        draw_pile: Ancient Chief, Ancient Hero
        set_aside: rest
        stack: turns p0; {kind} p0
        """)
    play(state, "redraw")
    drawn = hand(state, 0)
    assert len(drawn) == 4
    assert {"Ancient Chief", "Ancient Hero"} < set(drawn)
    assert set(drawn) - {"Ancient Chief", "Ancient Hero"} < {"Fire Hero", "Dark Hero", "Alpha Hero", "Méka Hero"}
    assert (state.shuffles, discards(state)) == (1, [])


@pytest.mark.ruling("T41")
@pytest.mark.parametrize(("holder", "order"), [(0, [0, 1, 2, 3]), (2, [2, 3, 0, 1])])
def test_t41_from_the_holder_clockwise_one_card_a_decision(holder: int, order: list[int]) -> None:
    state = game(4).new(2, advantage=holder)
    movers: list[tuple[int, str]] = []
    while state.kind != "turn":
        movers.append(asked(state))
        state.apply(state.legal[0])
    assert movers == [(q, "mulligan") for q in order] + [(q, "opening") for q in order for _ in range(3)]
    assert state.mover == holder  # and no `refresh` in round 1


@pytest.mark.ruling("T43")
def test_t43_all_bakutos_may_be_discarded() -> None:
    state = position("""
        now: in_turn=0
        p0:
          hand: Fire Trooper, Fire Hero, Fire Chief, Dark Hero
        stack: turns p0; reveal_picks p0; opening p0 left=1
        """)
    assert legal(state) == {"discard Fire Trooper", "discard Fire Hero", "discard Fire Chief", "discard Dark Hero"}
    play(state, "discard Fire Trooper")
    assert hand(state, 0) == ["Dark Hero", "Fire Chief", "Fire Hero"]
    assert (asked(state), legal(state)) == ((0, "turn"), {"pass"})


@pytest.mark.ruling("T46")
def test_t46_the_same_deal_whoever_holds_the_card() -> None:
    drawn = game(3).new(21)
    for holder in range(3):
        state = game(3).new(21, advantage=holder)
        assert state.advantage == holder
        assert [hand(state, q) for q in range(3)] == [hand(drawn, q) for q in range(3)]
        assert state.as_dict()["draw_pile"] == drawn.as_dict()["draw_pile"]


@pytest.mark.ruling("T46")
def test_t46_ten_at_a_time_seat_0_first() -> None:
    """With one player more, the ten cards on top of the pile are that player's."""
    two, three, four = (game(n).new(8, advantage=0) for n in (2, 3, 4))
    pile = two.as_dict()["draw_pile"]
    assert [hand(three, q) for q in (0, 1)] == [hand(two, q) for q in (0, 1)]
    assert hand(three, 2) == hand(four, 2) == sorted(pile[:10])
    assert hand(four, 3) == sorted(pile[10:20])
