"""What Ôzekis bend and what they win with: G8, G16, G24."""

from __future__ import annotations

import pytest

from gosu_rl.core.cards.schema import BENDS

from .table import army, asked, game, hand, legal, play, player, position, recruit, sizes, targets, tokens

pytestmark = pytest.mark.nojit

FIVE = "Dark Hero, Dark Guard, Dark Boss, Alpha Hero, Alpha Guard"
FIVE_MORE = "Dark Boss, Alpha Scout, Alpha Guard, Alpha Boss, Dark Grunt/2"
COLUMN = "  army 1: Fire Grunt, Fire Grunt/2\n  army 2: Fire Hero\n  army 3: {}\n"


def with_boss(boss: str, mine: str = "Fire Scout", theirs: str = "Dark Grunt", more: str = "", **rules: int):
    """p0 has an army of four with an Ôzeki on top; it is his turn."""
    return position(f"p0:\n  hand: {mine}\n{COLUMN.format(boss)}p1:\n  hand: {theirs}\n{more}", **rules)


@pytest.mark.ruling("G8")
def test_g8_every_bend_has_a_card_here() -> None:
    bends = [bend for card in game().card_set.cards for bend in card.rule]
    assert sorted(bends) == sorted(BENDS)


@pytest.mark.ruling("G8")
@pytest.mark.parametrize(("boss", "reached"), [("Reacher", True), ("(Reacher)", False), ("Fire Boss", False)])
def test_g8_long_reach(boss: str, reached: bool) -> None:
    more = "  army 1: Dark Grunt/2\n  army 2: Dark Hero\n"
    state = play(with_boss(boss, "Low Hitter", more=more), "play Low Hitter")
    reach = targets("p0 1.3", "p1 2.1", "p0 2.1", "p0 3.1")
    assert (("target p1 2.1" in legal(state)), ("target p0 3.1" in legal(state))) == (reached, reached)
    assert legal(state) <= reach | {"decline"}


@pytest.mark.ruling("G8")
@pytest.mark.parametrize(("label", "drawn"), [("spend 1", 2), ("spend 2", 4)])
def test_g8_rich_tokens(label: str, drawn: int) -> None:
    assert sizes(play(with_boss("Banker"), label))[0] == 1 + drawn


@pytest.mark.ruling("G8", "G24")
@pytest.mark.parametrize(("boss", "drawn"), [("Rounder", 2), ("(Rounder)", 2), ("Fire Boss", 0)])
def test_g8_g24_round_draw_counts_the_armies_after_the_release(boss: str, drawn: int) -> None:
    state = play(with_boss(boss), "pass", "pass")
    assert state.round == 2
    assert sizes(state) == [1 + drawn, 1]


@pytest.mark.ruling("G8")
def test_g8_all_zombies() -> None:
    more = "discard_pile: Dark Scout, Dark Boss\n"
    assert not any(label.startswith("take") for label in legal(with_boss("Fire Boss", more=more)))
    state = with_boss("Undead", more=more)
    assert "take Dark Scout" in legal(state)  # for a Fire Grunt, whose mutation costs a card
    play(state, "take Dark Scout", "replace 1.1")
    assert army(state, 0)[0] == ["Dark Scout", "Fire Grunt"]


@pytest.mark.ruling("G8")
def test_g8_cheap_mutation() -> None:
    state = with_boss("Miser", "Dark Scout")
    play(state, "play Dark Scout", "replace 1.1")  # nothing is left to pay with: the Grunt's cost is 1
    assert army(state, 0)[0][0] == "Dark Scout"
    assert "play Dark Scout" not in legal(with_boss("Fire Boss", "Dark Scout"))


@pytest.mark.ruling("G8", "G24")
@pytest.mark.parametrize(("boss", "held"), [("Gaoler", True), ("(Gaoler)", False), ("Fire Boss", False)])
def test_g8_g24_held_fast_looks_at_the_armies_before_the_release(boss: str, held: bool) -> None:
    state = play(with_boss(boss, more="  army 1: (Dark Grunt/2), Dark Scout\n"), "pass", "pass")
    assert army(state, 1) == [["(Dark Grunt)" if held else "Dark Grunt", "Dark Scout"]]
    assert army(state, 0)[2] == [boss.strip("()")]  # its owner's own goblins are released


@pytest.mark.ruling("G8")
def test_g8_strange_allies() -> None:
    assert "play Dark Hero" not in legal(with_boss("Fire Boss", "Dark Hero"))
    assert "play Dark Boss" not in legal(with_boss("Ally", "Dark Boss"))  # no more Ôzekis than Heroes all the same
    state = recruit(with_boss("Ally", "Dark Hero"), "Dark Hero")
    assert army(state, 0)[1] == ["Fire Hero", "Dark Hero"]


@pytest.mark.ruling("G8", "G24")
def test_g8_g24_a_spare_token_stays_till_the_end_of_the_round() -> None:
    state = with_boss("Sparer", theirs="Burner, Dark Grunt")
    assert tokens(state, 0) == (2, 0, [])
    play(state, "pass", "pass")
    assert tokens(state, 0) == (3, 0, [])
    play(state, "pass", "play Burner", "target p0 3.1")
    assert tokens(state, 0) == (3, 0, [])
    play(state, "pass")
    assert tokens(state, 0) == (2, 0, [])


@pytest.mark.ruling("G8")
def test_g8_double_victory() -> None:
    assert play(with_boss("Doubler"), "pass", "pass").points == [2, 0]


@pytest.mark.ruling("G8")
def test_g8_wins_ties() -> None:
    more = "  army 1: Dark Grunt/2, Dark Scout\n  army 2: Dark Hero\n  army 3: Dark Boss\nnow: advantage=p1\n"
    assert play(with_boss("Fire Boss", more=more), "pass", "pass").points == [0, 1]
    assert play(with_boss("Tiebreaker", more=more), "pass", "pass").points == [1, 0]


# ---- conditions of winning


@pytest.mark.ruling("G8", "G16")
def test_g16_names_count_trapped_cards() -> None:
    text = "p0:\n  hand: Fire Guard\n  army 1: Fire Grunt, Fire Grunt/2\n  army 2: {}\n  army 3: {}\np1:\n  hand: Dark Grunt\n"
    state = play(position(text.format("(Fire Hero)", "Namer")), "play Fire Guard")
    assert (state.reason, state.shares.tolist()) == ("condition", [1, 0])


@pytest.mark.ruling("G16")
def test_g16_the_ozeki_itself_must_be_face_up() -> None:
    text = """
        p0:
          hand: Fire Guard, Freer
          army 1: Fire Grunt, Fire Grunt/2
          army 2: Fire Hero
          army 3: (Namer)
        p1:
          hand: Dark Grunt
        """
    state = recruit(position(text), "Fire Guard")
    assert not state.over
    recruit(play(state, "pass"), "Freer")
    play(state, "target p0 3.1")
    assert state.reason == "condition"


@pytest.mark.ruling("G16")
@pytest.mark.parametrize(("row", "wins"), [("Dark Grunt", True), ("(Dark Grunt)", False)])
def test_g16_clans_count_face_up_goblins_only(row: str, wins: bool) -> None:
    state = position(
        f"""
        p0:
          hand: Alpha Scout, Dark Hero, Dark Guard
          army 1: Fire Grunt, {row}
          army 2: Fire Hero
          army 3: Gatherer
        p1:
          hand: Dark Scout
        """
    )
    recruit(state, "Alpha Scout")
    if state.kind == "pay":
        play(state, "discard Dark Hero")
    assert state.over == wins


@pytest.mark.ruling("G8", "G16")
@pytest.mark.parametrize(
    ("boss", "labels", "setup"),
    [
        ("Hoarder", ["spend 2"], {"mine": "Fire Scout, Dark Hero"}),
        ("Piler", ["play Robber", "player p1"], {"mine": "Robber", "more": f"discard_pile: {FIVE}\n"}),
        ("Emptier", ["play Robber", "player p1"], {"mine": "Robber"}),
        ("Loner", ["play Burner", "target p1 1.2"], {"mine": "Burner", "more": "  army 1: Dark Scout, Alpha Scout\n"}),
        ("Warder", ["play Trapper", "target p1 1.1"], {"mine": "Trapper", "more": "  army 1: Dark Scout\n"}),
        ("Laggard", ["pass", "play Pointer"], {"theirs": "Pointer"}),
        ("Holder", ["play Crowner", "accept"], {"mine": "Crowner", "more": "now: advantage=p1\n"}),
    ],
)  # fmt: skip
def test_g8_g16_each_condition_wins_the_moment_it_holds(boss: str, labels: list[str], setup: dict[str, str]) -> None:
    state = with_boss(boss, **setup)
    control = with_boss("Fire Boss", **setup)
    for label in labels:
        assert not state.over
        for one in (state, control):
            if label.startswith("play "):
                recruit(one, label.removeprefix("play "))
            else:
                play(one, label)
    assert (state.reason, state.shares.tolist()) == ("condition", [1, 0])
    assert not control.over


@pytest.mark.ruling("G16")
def test_g16_of_two_at_once_the_active_player_wins() -> None:
    """The last card of p0 makes the sixth of the pile, which the Piler wins by, and an empty hand, which the Emptier wins by."""
    state = position(
        """
        p0:
          hand: Dark Grunt
          army 1: Fire Grunt
          army 2: Fire Hero
          army 3: Piler
        p1:
          hand: Robber, Dark Scout/2
          army 1: Dark Scout, Fire Scout
          army 2: Fire Guard
          army 3: Emptier
        now: active=p1
        discard_pile: Dark Hero, Dark Guard, Dark Boss, Alpha Hero, Alpha Guard
        """
    )
    play(recruit(state, "Robber"), "player p0")
    assert (state.reason, state.shares.tolist()) == ("condition", [0, 1])


@pytest.mark.ruling("G16", "G17")
def test_g16_a_battles_points_are_looked_at_before_the_next_round() -> None:
    state = position(
        f"p0:\n  hand: Fire Scout\n{COLUMN.format('Laggard')}"
        "p1:\n  hand: Dark Scout\n  army 1: Dark Grunt, Alpha Grunt, Alpha Scout\n"
        "  army 2: Dark Hero, Dark Guard, Alpha Hero\n  army 3: (Dark Boss), Alpha Boss\nnow: active=p1\n"
    )
    play(state, "pass", "pass")
    assert (state.points, state.reason, state.shares.tolist()) == ([0, 1], "condition", [1, 0])
    assert state.round == 1
    assert player(state, 1)["army"][2][0] == ("Dark Boss", True)


@pytest.mark.ruling("G16", "G17")
def test_g16_g17_the_release_is_looked_at_before_the_tokens_come_back() -> None:
    """The trapped goblin of p0 is his third clan as soon as it is released."""
    state = position(
        "p0: spent=2\n  hand: Fire Scout\n  army 1: Fire Grunt, (Dark Grunt), Alpha Grunt\n  army 2: Fire Hero\n"
        "  army 3: Gatherer\np1: spent=1 tokens=1\n  hand: Dark Scout\nnow: active=p1\n"
    )
    play(state, "pass", "pass")
    assert (state.points, state.reason, state.shares.tolist()) == ([1, 0], "condition", [1, 0])
    assert state.round == 2
    assert [tokens(state, seat)[:2] for seat in (0, 1)] == [(0, 2), (1, 1)]


@pytest.mark.ruling("G16")
@pytest.mark.parametrize(("label", "wins"), [("spend 1", True), ("spend 2", False)])
def test_g16_what_is_drawn_together_is_one_change(label: str, wins: bool) -> None:
    """The first of three cards would make a hand while the discard pile still lies there; the second shuffles it in."""
    state = with_boss("Sorter", mine="", more="draw_pile: Fire Scout\ndiscard_pile: rest\n")
    assert play(state, label).over == wins


@pytest.mark.ruling("G16")
@pytest.mark.parametrize("spare", ["", ", Alpha Hero"])
def test_g16_a_hand_that_goes_as_a_whole_is_one_change(spare: str) -> None:
    """With a card to spare it is paid card by card, and the sixth card of the pile wins; else nothing is left in the hand."""
    state = with_boss("Sorter", mine=f"Dark Scout, Dark Hero, Dark Guard{spare}", more=f"discard_pile: {FIVE_MORE}\n")
    recruit(state, "Dark Scout")
    if spare:
        play(state, "discard Dark Hero")
    assert state.over == bool(spare)
    assert sizes(state)[0] == (2 if spare else 0)


@pytest.mark.ruling("G24")
def test_g24_the_rules_bent_are_part_of_the_position() -> None:
    state = with_boss("Miser")
    assert state.game.parse(str(state)) == state
    view = state.view(1)
    assert state.game.parse(str(view)) == view
    assert asked(state) == (0, "turn")
    assert hand(state, 0) == ["Fire Scout"]
    assert player(state, 0)["points"] == 0
