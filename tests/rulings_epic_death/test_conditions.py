"""Conditions of steps (E62), each on an Action "gain 9 if …", and what the checker says of words that are none."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gosu_rl
from gosu_rl.core.cards.load import parse
from gosu_rl.core.game import Game
from gosu_rl.envs.epic_text import steps_text

from .table import asked, player

pytestmark = pytest.mark.nojit

CARDS = Path(__file__).with_name("bends.toml").read_text(encoding="utf-8")
PROBE = 'steps = ["gain 9"]'


@cache
def game(players: int, *steps: str) -> Game:
    """The bends with an Action Probe of these steps."""
    quoted = ", ".join(f'"{step}"' for step in steps)
    text = CARDS.replace(PROBE, f"steps = [{quoted}]")
    if "choose fighter" in steps:
        text = text.replace('when = ["a", "combat", "fray"]', 'when = ["combat", "fray"]')
    cards, faults = parse(text)
    assert faults == []
    return gosu_rl.game("epic_death", players, cards, {"layout": 1})


def gained(condition: str, text: str, *labels: str, seat: int = 0, players: int = 2, choose: str = "") -> bool:
    """Whether Probe, played by p0, gives a seat its nine Goblins where the position is as the text says."""
    steps = (*((f"choose {choose}",) if choose else ()), f"if {condition}: gain 9")
    state = game(players, *steps).parse(f"epic_death, {players} players\n{text}")
    before = player(state, seat)["tokens"]
    for label in ("play Probe", *labels):
        state.apply(label)
    after = player(state, seat)["tokens"]
    assert after - before in (0, 9)
    return after > before


def menu(mine: str, *more: str) -> str:
    field = "field: 1.2 (Meadow), 1.4 (Meadow/2), 2.3 (Hamlet), 2.2 (Gate)"
    return "\n".join(
        ["now: phase=A", f"p0: {mine}", "  hand: Probe, Shout, Spy", *more, field, "stack: turns p0 stage=2; muster p0"]
    )


def combat(mine: str, land: str = "1.2 (Meadow)", at: str = "1.2") -> str:
    field = f"field: {land}, rest" if land.startswith("2.3") else f"field: {land}, 2.3 (Hamlet), rest"
    return f"now: phase=C\np0: at={at} back=1.1 tokens=9\n  hand: Probe, Shout\n{mine}p1: at=1.5\n{field}"


@pytest.mark.ruling("E62")
@pytest.mark.parametrize(
    ("at", "terrain"), [("1.2", "Woods"), ("1.3", "River"), ("2.2", "Wall"), ("2.3", "Town"), ("3.5", "Woods")]
)
def test_e62_the_terrain_of_the_space_with_a_land_or_without(at: str, terrain: str) -> None:
    for word in ("Woods", "River", "Wall", "Town"):
        assert gained(f"terrain {word}", menu(f"at={at}", "p1: at=1.5")) == (word == terrain)


@pytest.mark.ruling("E62")
@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("tokens >= 7", True), ("tokens >= 8", False), ("tokens <= 7", True), ("tokens <= 6", False), ("tokens = 7", True),
        ("tokens = 5", False), ("heroes = 2", True), ("heroes <= 1", False), ("machines = 2", True), ("machines >= 3", False),
        ("hand = 2", True), ("hand >= 3", False), ("pile = 3", True), ("pile <= 2", False), ("rank = 1", True),
        ("rank >= 2", False), ("tokens >= 0", True), ("hand <= 99", True),
    ],
)  # fmt: skip
def test_e62_numbers_of_the_player(condition: str, true: bool) -> None:
    mine = ("at=1.3 tokens=5", "  army: Knife, Rider, Ram:2, Raft", "  conquest: Meadow/3, Gate/2")
    assert gained(condition, menu(*mine, "p1: at=1.5", "  conquest: Meadow/4")) == true


@pytest.mark.ruling("E62")
def test_e62_they_are_about_whom_the_last_choose_named() -> None:
    text = menu("at=1.3 tokens=5", "p1: at=1.5 tokens=1", "  army: Knife", "  conquest: Gate/2")
    for condition, true in (("tokens <= 1", True), ("heroes = 1", True), ("hand = 0", True), ("terrain Woods", True),
                            ("pile = 3", True), ("rank = 1", True), ("machines >= 1", False)):  # fmt: skip
        assert gained(condition, text, seat=1, choose="other") == true
    assert not gained("rank = 1", text), "p1 has more points"
    assert gained("rank = 2", text)
    assert gained("pile = 0", text), "an empty pile"


@pytest.mark.ruling("E62")
@pytest.mark.parametrize(
    ("condition", "mine", "land", "at", "true"),
    [
        ("attacker", "", "1.2 (Meadow)", "1.2", True),
        ("defender", "", "1.2 (Meadow)", "1.2", False),
        ("defense = 4", "", "1.2 (Meadow)", "1.2", True),
        ("defense = 1", "  army: Ram:1\n", "1.2 (Meadow)", "1.2", True),
        ("defense >= 4", "  army: Ram:1\n", "1.2 (Meadow)", "1.2", False),
        ("needs hero", "", "2.2 (Hero Gate)", "2.2", True),
        ("needs machine", "", "2.2 (Hero Gate)", "2.2", False),
        ("needs machine", "", "2.2 (Siege Gate)", "2.2", True),
        ("needs hero", "", "1.2 (Meadow)", "1.2", False),
    ],
)
def test_e62_the_land_that_is_fought_now(condition: str, mine: str, land: str, at: str, true: bool) -> None:
    assert gained(condition, combat(mine, land, at)) == true


@pytest.mark.ruling("E62")
def test_e62_without_a_combat_these_are_false() -> None:
    for condition in ("attacker", "defender", "defense >= 0", "needs hero", "needs machine"):
        assert not gained(condition, menu("at=1.3", "p1: at=1.5"))


@pytest.mark.ruling("E62")
def test_e62_both_sides_of_a_fray() -> None:
    text = (
        "now: phase=B\np0: at=1.3 tokens=7\n  hand: Probe, Shout\np1: at=2.3 tokens=3\n"
        "field: 2.3 (Hamlet), 1.2 (Meadow)\nstack: turns p0 stage=3; march p0"
    )
    for condition, names, true in (("attacker", 0, True), ("attacker", 1, False), ("defender", 1, True),
                                   ("defender", 0, False), ("defense >= 0", 0, False)):  # fmt: skip
        state = game(2, "choose fighter", f"if {condition}: gain 9").parse(f"epic_death, 2 players\n{text}")
        for label in ("space 2.3", "play Probe", f"player p{names}"):
            state.apply(label)
        assert (player(state, names)["tokens"] > 7) == true


@pytest.mark.ruling("E62")
def test_e62_it_is_looked_at_when_the_step_is_reached_and_only_that_step_is_skipped() -> None:
    text = menu("at=1.3 tokens=5", "p1: at=1.5 tokens=5")
    state = game(
        2, "if tokens >= 6: draw 1", "gain 1", "if tokens >= 6: gain 2", "if tokens >= 9: choose other", "lose 1"
    ).parse(f"epic_death, 2 players\n{text}")
    state.apply("play Probe")
    assert [player(state, seat)["tokens"] for seat in (0, 1)] == [5 + 1 + 2 - 1, 5]
    assert player(state, 0)["hand_size"] == 2, "nothing drawn"


@pytest.mark.ruling("E62")
def test_e62_an_icon_may_have_one() -> None:
    from .table import position

    for hand, kind in (("Spy, Shout, Ram", "discard"), ("Spy, Shout", "window")):
        text = f"now: phase=C\np0: at=1.2 back=1.1 tokens=9\n  hand: {hand}\np1: at=1.5\nfield: 1.2 (Gale), 2.3 (Hamlet), rest"
        assert asked(position(text, house="bends.toml")) == (0, kind)


@pytest.mark.ruling("E62")
def test_e62_the_effect_is_told_with_its_condition() -> None:
    state = game(3, "if tokens >= 1: choose other", "lose 1").parse(
        "epic_death, 3 players\n" + menu("at=1.3 tokens=5", "p1: at=1.5", "p2: at=3.5")
    )
    state.apply("play Probe")
    assert state.as_dict()["effect"] == {"card": "Probe", "step": "if tokens >= 1: choose other", "subject": 0}


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ("if tokens >= 3 lose 1", "a condition ends with a colon, and the step stands behind it"),
        ("if tokens: lose 1", "'tokens' is compared with a number, with blanks between (tokens >= 2)"),
        ("if tokens>=3: lose 1", "'tokens>=3' is no condition; did you mean 'tokens'?"),
        ("if tokens > 3: lose 1", "'>' must be one of >=, <=, ="),
        ("if tokens >= 100: lose 1", "'100' must be a whole number from 0 to 99"),
        ("if tokens >= -1: lose 1", "'-1' must be a whole number from 0 to 99"),
        ("if tokens >= ²: lose 1", "'²' must be a whole number from 0 to 99"),
        ("if terrain Wods: lose 1", "'Wods' must be one of Woods, River, Wall, Town; did you mean 'Woods'?"),
        ("if terrain: lose 1", "'terrain' takes one word of Woods, River, Wall, Town"),
        ("if needs king: lose 1", "'king' must be one of hero, machine"),
        ("if attacker now: lose 1", "'attacker' takes nothing behind it"),
        ("if weather: lose 1", "'weather' is no condition"),
        ("if : lose 1", "'' is no condition"),
        ("if attacker:", "is no step here"),
        ("if attacker: loose 1", "'loose 1' is no step here; did you mean 'lose'?"),
        ("if attacker: if defender: lose 1", "is no step here"),
        ("if attacker: lose", "'lose' has 0 operands, 'lose' takes 1"),
        ("move 4", "'4' in 'move 4' must be one of 1, 2, 3"),
        ("move 1 2", "'move 1 2' has 2 operands, 'move' takes 0 or 1"),
        ("kill_toss", "'kill_toss' has 0 operands, 'kill_toss' takes 1"),
        ("discard_random 0", "'0' in 'discard_random 0' must be one of 1, 2"),
        ("guard 1", "'guard 1' has 1 operands, 'guard' takes 0"),
        ("machine_off", "'machine_off' cannot be used in the window 'a', only in combat"),
        ("if attacker: retreat_now", "'if attacker: retreat_now' cannot be used in the window 'a', only in combat"),
        ("swap_lands", "'swap_lands' cannot be used in the window 'combat', only in a, b, d"),
    ],
)
def test_bad_words_are_told_in_one_line(step: str, fault: str) -> None:
    found = parse(CARDS.replace(PROBE, f'steps = ["{step}"]'), "mine.toml")[1]
    assert any(fault in line for line in found), found
    assert all("\n" not in line and line.startswith("mine.toml") and "'Probe'" in line for line in found)


@pytest.mark.ruling("E33")
@pytest.mark.parametrize(
    ("ability", "fault"),
    [
        ("if hand >= 2: discard 1", "is the ability's price, since it comes first; a price has no condition"),
        ("discard_random 1", "cannot come first, where an ability has its price"),
        ("kill_toss 1", "'kill_toss 1' is no step here"),
    ],
)
def test_e33_a_price_is_a_plain_discard(ability: str, fault: str) -> None:
    text = CARDS.replace('ability = ["steal_token 1"]', f'ability = ["{ability}"]')
    assert any(fault in line and "'Robber'" in line for line in parse(text, "mine.toml")[1])


@pytest.mark.parametrize(
    ("step", "table"), [("guard", "text"), ("discard_random 1", "icons"), ("machine_off", "icons")]
)
def test_what_a_land_cannot_say(step: str, table: str) -> None:
    text = CARDS.replace('icons = ["steal_token 1"]', f'{table} = ["{step}"]')
    assert any(f"'Den', {table}: '{step}' is no step here" in line for line in parse(text, "mine.toml")[1])


def test_conditions_have_words_for_players() -> None:
    told: Any = steps_text(
        ["if hand >= 2: lose 1", "choose other", "if heroes = 1: lose_hero", "if terrain Wall: move 2"]
    )
    assert told == (
        "if you have at least 2 cards in hand: lose 1 Goblin, choose another player, "
        "if he has exactly 1 Hero: he discards a Hero, if his Army stands on a space of Wall: move his Army up to 2 spaces"
    )
    for condition in (
        "attacker",
        "defender",
        "needs hero",
        "defense <= 3",
        "pile = 0",
        "rank = 1",
        "tokens >= 1",
        "machines = 0",
    ):
        assert steps_text([f"if {condition}: gain 1"]).startswith("if ")
