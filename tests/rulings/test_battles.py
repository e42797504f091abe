"""Great Battles, new rounds and the ways to win (T21-T23, T37, T38, T43)."""

from __future__ import annotations

import pytest

from gosu_rl.core.game import GameState

from .table import army, asked, discards, game, hand, legal, play, player, position, sizes


def end_of_round(
    armies: list[str], holder: int = 0, points: list[int] | None = None, more: str = "", **rules: int
) -> GameState:
    """The Great Battle between armies, each given as its `army` and `hand` lines."""
    lines = [f"now: advantage=p{holder}"]
    for seat, text in enumerate(armies):
        score = points[seat] if points else 0
        lines.append(f"p{seat}: points={score} turns_left=0\n{text}")
    lines += [more, "stack: turns p0"]
    return position("\n".join(lines), players=len(armies), **rules)


STRENGTH_5 = "  army 1: {0} Trooper\n  army 2: {0} Hero"
STRENGTH_2 = "  army 1: {0} Trooper"


@pytest.mark.ruling("T37")
@pytest.mark.parametrize(
    ("armies", "holder", "points"),
    [
        ([STRENGTH_5.format("Fire"), STRENGTH_2.format("Dark"), ""], 2, [1, 0, 0]),  # the highest total
        (
            ["  army 1: Fire Trooper\n  army 2: (Fire Hero)", STRENGTH_2.format("Dark"), ""],
            1,
            [0, 1, 0],
        ),  # trapped: no strength
        (
            [STRENGTH_2.format("Fire"), STRENGTH_2.format("Dark"), ""],
            0,
            [1, 0, 0],
        ),  # the holder among the tied: he alone
        ([STRENGTH_2.format("Fire"), STRENGTH_2.format("Dark"), ""], 2, [1, 1, 0]),  # the holder is not among them: all
        (
            [STRENGTH_5.format("Fire"), STRENGTH_2.format("Dark"), STRENGTH_2.format("Alpha")],
            1,
            [1, 0, 0],
        ),  # lower ties: nothing
        (["", "", ""], 2, [0, 0, 1]),  # a total of 0 can win
        (["  army 1: (Fire Trooper)", "", ""], 1, [0, 1, 0]),
    ],
)
def test_t37_who_scores(armies: list[str], holder: int, points: list[int]) -> None:
    state = end_of_round(armies, holder)
    assert (state.points, state.round) == (points, 2)
    assert (state.advantage, state.as_dict()["first"]) == (holder, holder)  # the card stays where it is


@pytest.mark.ruling("T37")
def test_t37_levels_count_two_three_and_five() -> None:
    chief = "  army 1: Fire Trooper\n  army 2: Fire Hero\n  army 3: Fire Chief"  # 10
    five = "  army 1: Dark Trooper, Dark Trooper, Dark Scout, Dark Scout, Zombie"  # 10
    assert end_of_round([chief, five], holder=1).points == [0, 1]
    assert end_of_round([chief, five], holder=0).points == [1, 0]
    four = "  army 1: Dark Trooper, Dark Trooper, Dark Scout, Dark Scout"
    assert end_of_round([chief, four], holder=1).points == [1, 0]


@pytest.mark.ruling("T37")
def test_t37_victory_cards_never_run_out() -> None:
    """Nine cards lie in the box; four players can score more of them."""
    tied = [STRENGTH_2.format(clan) for clan in ("Fire", "Dark", "Alpha")]
    state = end_of_round([*tied, ""], holder=3, points=[4, 4, 4, 0], points_to_win=9)
    assert state.points == [5, 5, 5, 0]


@pytest.mark.ruling("T21")
def test_t21_a_third_point_wins_at_once() -> None:
    state = end_of_round([STRENGTH_5.format("Fire"), "  army 1: (Dark Trooper)"], points=[2, 2])
    assert (state.over, state.reason, state.points) == (True, "points", [3, 2])
    assert (state.shares.tolist(), state.returns.tolist()) == ([1.0, 0.0], [1.0, -1.0])
    assert army(state, 1) == [["(Dark Trooper)"]]  # no new round begins
    assert game().rules["points_to_win"] == 3


@pytest.mark.ruling("T21")
def test_t21_several_third_points_share_the_win() -> None:
    state = end_of_round([STRENGTH_2.format("Fire"), STRENGTH_2.format("Dark"), ""], holder=2, points=[2, 2, 2])
    assert (state.over, state.reason, state.points) == (True, "points", [3, 3, 2])
    assert state.shares.tolist() == [0.5, 0.5, 0.0]
    assert state.returns.tolist() == pytest.approx([0.25, 0.25, -0.5])
    assert abs(float(state.returns.sum())) < 1e-12


@pytest.mark.ruling("T21")
def test_t21_a_tie_at_two_points_with_the_holder_has_one_winner() -> None:
    state = end_of_round([STRENGTH_2.format("Fire"), STRENGTH_2.format("Dark")], holder=1, points=[2, 2])
    assert (state.reason, state.shares.tolist()) == ("points", [0.0, 1.0])


NINE = "army 1: {0}\n  army 2: Fire Hero, Fire Hero, Fire Champion\n  army 3: Fire Chief"


@pytest.mark.ruling("T22")
@pytest.mark.parametrize(
    ("row", "won"),
    [
        ("Fire Trooper, Fire Trooper, Fire Scout, Fire Guard", True),  # the ninth comes
        ("Fire Trooper, (Fire Trooper), Fire Scout, Fire Guard", False),  # one is face down
        ("Fire Trooper, Dark Trooper, Fire Scout, Fire Guard", False),
    ],
)
def test_t22_nine_face_up_of_one_clan(row: str, won: bool) -> None:
    state = position(f"p0:\n  hand: Fire Scout\n  {NINE.format(row)}\np1:\n  hand: Dark Scout")
    play(state, "play Fire Scout")
    assert state.over is won
    if won:
        assert (state.reason, state.shares.tolist(), state.points) == ("nine", [1.0, 0.0], [0, 0])


@pytest.mark.ruling("T22")
@pytest.mark.ruling("T38")
def test_t22_t38_fifteen_cards_trapped_or_not_and_reported_before_nine() -> None:
    rows = """
          army 1: Fire Trooper, Fire Trooper, Fire Scout, Fire Scout, Fire Guard
          army 2: Fire Hero, Fire Hero, Fire Champion, {0}, Dark Hero
          army 3: (Dark Chief), (Alpha Chief), (Méka Chief), {1}
        """
    text = "p0:\n  hand: Fire Chief\n{rows}p1:\n  hand: Dark Scout"
    trapped = position(text.format(rows=rows.format("(Alpha Hero)", "(Ancient Chief)")))
    play(trapped, "play Fire Chief")  # the ninth of Fire too
    assert (trapped.over, trapped.reason, trapped.shares.tolist()) == (True, "fifteen", [1.0, 0.0])
    fourteen = position(
        "p0:\n  hand: Fire Chief\n"
        + rows.format("(Alpha Hero)", "(Ancient Chief)").replace(", (Ancient Chief)", "")
        + "p1:\n  hand: Dark Scout"
    )
    play(fourteen, "play Fire Chief")
    assert fourteen.reason == "nine"


@pytest.mark.ruling("T22")
def test_t22_a_mutation_may_complete_nine() -> None:
    rows = NINE.format("Fire Trooper, Fire Trooper, Fire Scout, Fire Guard, Zombie")
    state = position(f"p0:\n  hand: Fire Scout, Alpha Chief\n  {rows}\np1:\n  hand: Dark Scout")
    play(state, "play Fire Scout")
    assert (state.reason, state.shares.tolist()) == ("nine", [1.0, 0.0])


@pytest.mark.ruling("T22")
@pytest.mark.ruling("T38")
def test_t22_t38_a_release_in_the_owners_favour_wins_for_the_owner_before_pending_powers() -> None:
    row = "Fire Trooper, Fire Trooper, Fire Scout, Fire Guard, (Fire Scout)"
    state = position(f"""
        now: active=p1
        p0:
          {NINE.format(row)}
        p1:
          hand: Enter Trap MAX then Draw
        """)
    play(state, "play Enter Trap MAX then Draw", "target p0 1.5")
    assert (state.over, state.reason, state.shares.tolist()) == (True, "nine", [1.0, 0.0])
    assert sizes(state) == [0, 0]


@pytest.mark.ruling("T38")
def test_t38_the_win_comes_before_what_the_newcomer_sets_off() -> None:
    rows = NINE.format("Fire Trooper, Fire Trooper, Fire Scout, Link Draw")
    state = position(f"p0:\n  hand: Enter Draw\n  {rows}\np1:\n  hand: Dark Scout")
    play(state, "play Enter Draw")
    assert (state.over, state.reason, sizes(state)) == (True, "nine", [0, 1])


@pytest.mark.ruling("T38")
def test_t38_ten_of_a_clan_win_too() -> None:
    rows = NINE.format("Fire Trooper, Fire Trooper, Fire Scout, Fire Guard, Fire Scout")
    state = position(f"p0:\n  hand: Fire Champion\n  {rows}\np1:\n  hand: Dark Scout")
    play(state, "play Fire Champion")
    assert (state.over, state.reason) == (True, "nine")


# Nine of Fire each, all trapped: the release of a new round turns them up.
FIRE_NINE = [
    "  army 1: (Fire Trooper), (Fire Trooper), (Fire Scout), (Fire Guard), (Fire Scout)\n"
    "  army 2: (Fire Hero), (Fire Hero), (Fire Champion)\n  army 3: (Fire Chief)",
    "  army 1: (Enter Draw), (Enter Trap), (Link Draw), (Link Trap), (Mutant)\n"
    "  army 2: (Mutant Hero), (Hero Linker), (Fire Champion)\n  army 3: (Chief Enter Trap)",
]


@pytest.mark.ruling("T38")
@pytest.mark.parametrize(
    ("holder", "shares"),
    [(2, [0.5, 0.5, 0.0]), (0, [1.0, 0.0, 0.0]), (1, [0.0, 1.0, 0.0])],
)
def test_t38_the_new_rounds_release_is_one_change(holder: int, shares: list[float]) -> None:
    state = end_of_round([*FIRE_NINE, STRENGTH_2.format("Dark")], holder)
    assert (state.over, state.reason, state.shares.tolist()) == (True, "nine", shares)
    assert state.points == [0, 0, 1]  # the battle came first
    assert sizes(state) == [0, 0, 0]  # and nobody has drawn


@pytest.mark.ruling("T38")
def test_t38_a_third_point_comes_before_the_release() -> None:
    state = end_of_round([FIRE_NINE[0], STRENGTH_2.format("Dark")], points=[0, 2])
    assert (state.reason, state.shares.tolist()) == ("points", [0.0, 1.0])


@pytest.mark.ruling("T23")
def test_t23_release_then_draw_up_less_the_points_clockwise_from_the_holder() -> None:
    heroes = "Fire Hero, Fire Hero, Dark Hero, Dark Hero, Alpha Hero, Alpha Hero"
    pile = f"{heroes}, Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief"
    state = end_of_round(
        [
            "  army 1: (Fire Trooper)",
            "  army 1: Dark Trooper\n  hand: Méka Hero",
            "  hand: Fire Trooper, Fire Scout, Fire Scout, Dark Scout, Alpha Scout, Méka Scout, Ancient Scout, Alpha Trooper",
        ],
        holder=1,
        points=[2, 0, 1],
        more=f"draw_pile: {pile}, rest",
    )
    assert state.points == [2, 1, 1]
    assert army(state, 0) == [["Fire Trooper"]]  # released
    assert sizes(state) == [5, 6, 8]  # 7 less the points; more than that is neither filled up nor discarded
    assert hand(state, 1) == ["Alpha Hero", "Dark Hero", "Dark Hero", "Fire Hero", "Fire Hero", "Méka Hero"]
    assert hand(state, 0) == ["Alpha Chief", "Alpha Hero", "Dark Chief", "Fire Chief", "Méka Chief"]
    assert (asked(state), legal(state)) == ((1, "refresh"), {"keep"})  # a Dark Bakuto carries a Dark Hero
    play(state, "keep")
    assert asked(state) == (2, "refresh")
    play(state, "keep")
    assert (asked(state), legal(state)) == ((0, "refresh"), {"keep", "redraw"})  # Fire Chief without a Hero
    play(state, "redraw")
    assert sizes(state) == [5, 6, 8]
    assert discards(state) == ["Alpha Chief", "Alpha Hero", "Dark Chief", "Fire Chief", "Méka Chief"]
    while legal(state) != {"keep"}:
        play(state, "keep")
    play(state, "keep") if state.kind == "refresh" else None
    assert (asked(state), state.round) == ((1, "turn"), 2)
    assert game().rules["hand_target"] == 7


@pytest.mark.ruling("T23")
def test_t23_armies_stay_as_they_stand() -> None:
    state = end_of_round([STRENGTH_5.format("Fire"), STRENGTH_2.format("Dark")])
    assert (army(state, 0), army(state, 1)) == ([["Fire Trooper"], ["Fire Hero"]], [["Dark Trooper"]])
    assert [player(state, q)["passed"] for q in (0, 1)] == [False, False]
    assert [player(state, q)["turns_left"] for q in (0, 1)] == [None, None]


@pytest.mark.ruling("T23")
@pytest.mark.ruling("T43")
@pytest.mark.parametrize(
    ("row", "cards", "discard_pile", "stuck"),
    [
        ("", "Fire Hero, Dark Chief", "", True),
        ("", "Fire Scout", "", False),  # the first Bakuto is free
        ("Fire Trooper", "Dark Scout, Alpha Hero", "", True),  # it costs two, and one other card is left
        ("Fire Trooper", "Dark Scout, Alpha Hero, Alpha Hero", "", False),
        ("Mutant", "Dark Scout", "", True),  # the mutation costs one
        ("Mutant", "Dark Scout, Alpha Chief", "", False),
        ("Zombie", "Alpha Chief", "Méka Scout", False),  # a zombie mutation counts
        ("Zombie", "Alpha Chief", "Méka Hero", True),
        ("Zombie", "Alpha Chief", "", True),
        ("Dark Scout", "Alpha Chief", "Méka Scout", True),
    ],
)
def test_t23_t43_stuck_means_pass_would_be_the_only_action(
    row: str, cards: str, discard_pile: str, stuck: bool
) -> None:
    text = f"p0:\n  hand: {cards}\n  army 1: {row}\np1:\n  hand: Alpha Scout\ndiscard_pile: {discard_pile}\n"
    state = position(text + "stack: turns p0; refresh p0")
    assert (asked(state), legal(state)) == ((0, "refresh"), {"keep", "redraw"} if stuck else {"keep"})
    assert (legal(position(text)) == {"pass"}) is stuck


@pytest.mark.ruling("T43")
def test_t43_judged_when_asked_so_that_earlier_redraws_count() -> None:
    """The first player throws a Hero away which the second one's zombie can then take."""
    text = """
        now: in_turn=0
        p0:
          hand: Alpha Hero
        p1:
          hand: Alpha Chief
          army 1: Fire Trooper
          army 2: Zombie Hero
        draw_pile: Fire Scout, rest
        stack: turns p0; refresh p1; refresh p0
        """
    kept = play(position(text), "keep")
    assert (asked(kept), legal(kept)) == ((1, "refresh"), {"keep", "redraw"})
    redrawn = play(position(text), "redraw", "keep")
    assert (asked(redrawn), legal(redrawn)) == ((1, "refresh"), {"keep"})


@pytest.mark.ruling("T23")
def test_t23_as_often_as_it_takes_and_as_many_cards() -> None:
    state = position("""
        now: in_turn=0
        p0:
          hand: Alpha Hero, Dark Chief
        p1:
          hand: Fire Guard
        draw_pile: Alpha Chief, Méka Chief, Fire Scout, Fire Hero, rest
        stack: turns p0; refresh p0
        """)
    play(state, "redraw")
    assert (hand(state, 0), legal(state)) == (["Alpha Chief", "Méka Chief"], {"keep", "redraw"})
    play(state, "redraw")
    assert (hand(state, 0), legal(state)) == (["Fire Hero", "Fire Scout"], {"keep"})
    play(state, "keep")
    assert asked(state) == (0, "turn")
