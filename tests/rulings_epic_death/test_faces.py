"""Every Goblin card and every Land of the packaged set is played: Actions in each of their windows, Heroes and Machines from the
hand and in combat, Lands with their effects, requirement and reward. Leaders and traits are in `test_traits.py`.
"""

from __future__ import annotations

import pytest

from gosu_rl.core.cards.epic_schema import GoblinCard, Land

from .faces import MENUS, PACKAGED, PLACES, PLAIN, TOWN, check, counts, name_of, of_kind, reckoned, rich, scene, settle
from .table import asked, coins, conserved, dead, first_with, legal, passed, play, player

pytestmark = pytest.mark.nojit


def actions(window: str) -> list[GoblinCard]:
    """Actions for a window."""
    return [card for card in of_kind("action") if window in card.when]


@pytest.mark.parametrize(
    ("card", "window"), [(card, window) for window in MENUS for card in actions(window)], ids=name_of
)
def test_an_action_from_a_menu(card: GoblinCard, window: str) -> None:
    phase, frames = MENUS[window]
    field = f"field: 1.2 (Forester), 2.1 (Forester/2), 4.1 (Poacher/2), {TOWN}"
    state = rich(card.name, phase, "1.3", field, f"stack: {frames}")
    before, spaces = counts(state), [player(state, seat)["space"] for seat in (0, 1)]
    settle(play(state, f"play {card.name}"))
    check(state, before, card.steps, played=True)
    whom = 1 if "choose other" in card.steps else 0
    for seat in (0, 1):
        assert (player(state, seat)["space"] != spaces[seat]) == ("move" in card.steps and seat == whom)
    assert card.name in state.as_dict()["discard_pile"]


@pytest.mark.parametrize("card", actions("combat"), ids=name_of)
def test_an_action_before_a_combat(card: GoblinCard) -> None:
    state = rich(card.name, "C", "1.2 back=1.3", f"field: 1.2 (First Level Thief/3), {TOWN}")
    assert asked(state) == (0, "window")
    before = counts(state)
    settle(play(state, f"play {card.name}"))
    check(state, before, card.steps, played=True)
    if "no_requirement" in card.steps:
        land = next(land for land in PACKAGED.lands if land.needs == "hero")
        place = PLACES[land.terrain]
        needy = scene(
            "now: phase=C", f"p0: at={place} back=1.2 tokens=30", f"  hand: {card.name}", f"field: {place} ({land.name}), {TOWN}"
        )  # fmt: skip
        settle(play(needy, f"play {card.name}"))
        assert player(needy, 0)["conquest"] == [land.name], "without a Hero"


@pytest.mark.parametrize("card", actions("fray"), ids=name_of)
def test_an_action_before_a_fray(card: GoblinCard) -> None:
    state = play(rich(card.name, "B", "3.1", f"field: {TOWN}"), "space 4.1")
    assert asked(state) == (0, "window")
    before = counts(state)
    settle(play(state, f"play {card.name}"))
    check(state, before, card.steps, played=True)


@pytest.mark.parametrize("card", actions("toss"), ids=name_of)
def test_an_action_after_a_toss(card: GoblinCard) -> None:
    text = "\n".join(
        ["now: phase=C rng=?", "p0: at=1.2 back=1.3 tokens=7", f"  leader: {PLAIN}", f"  hand: {card.name}",
         f"field: 1.2 (First Level Thief), {TOWN}"]
    )  # fmt: skip
    state = first_with(text, lambda found: dead(found) >= 4, "pass")
    fallen = dead(state)
    assert asked(state) == (0, "after_toss")
    play(state, f"play {card.name}")
    (step,) = card.steps
    word, number = step.split()
    count = min(int(number), fallen)
    assert len(coins(state)) == (count if word == "retoss" else 0)
    back = coins(state).count(True) if word == "retoss" else count
    assert player(state, 0)["tokens"] == 7 - fallen + back + 1, "and one reinforcement"
    assert conserved(state)


@pytest.mark.parametrize("card", actions("answer"), ids=name_of)
def test_an_action_in_answer_to_another(card: GoblinCard) -> None:
    other = next(found for found in actions("a") if found.steps[:1] == ("choose other",) and "lose" in found.steps[1])
    state = scene(
        "now: phase=A", "p0: at=1.3", f"  hand: {other.name}", "p1: at=4.1 tokens=5", f"  hand: {card.name}", f"field: {TOWN}",
        f"stack: {MENUS['a'][1]}",
    )  # fmt: skip
    play(state, f"play {other.name}", f"play {card.name}")
    assert player(state, 1)["tokens"] == 5
    assert sorted(state.as_dict()["discard_pile"]) == sorted([card.name, other.name])


def mustering(card: GoblinCard, tokens: int):
    """p0 has his menu of Phase A, and this card."""
    lines = [f"p0: at=1.3 tokens={tokens}", f"  leader: {PLAIN}", f"  hand: {card.name}"]
    return scene("now: phase=A", *lines, f"field: {TOWN}", f"stack: {MENUS['a'][1]}")


@pytest.mark.parametrize("card", of_kind("hero"), ids=name_of)
def test_a_hero_is_paid_for_and_adds_its_attack(card: GoblinCard) -> None:
    state = play(mustering(card, card.cost), f"play {card.name}")
    assert (player(state, 0)["tokens"], player(state, 0)["heroes"]) == (0, [card.name])
    assert conserved(state)
    assert f"play {card.name}" not in legal(mustering(card, card.cost - 1)), "too dear"
    land = next(
        land for land in PACKAGED.lands if land.icons == ("lose 2",) and land.terrain == "Wall" and not land.needs
    )
    for short in (0, 1):
        tokens = land.defense - card.value - short
        fought = scene(
            "now: phase=C", f"p0: at=2.3 back=1.3 tokens={tokens + 2}", f"  leader: {PLAIN}", f"  army: {card.name}",
            f"field: 2.3 ({land.name}), {TOWN}",
        )  # fmt: skip
        assert player(fought, 0)["conquest"] == ([] if short else [land.name])
        healed = card.trait == "healer" and False in coins(fought)[:tokens]
        assert len(coins(fought)) == tokens + healed, "Heroes cover the rest"


@pytest.mark.parametrize("card", of_kind("machine"), ids=name_of)
def test_a_machine_takes_its_crew_and_lowers_the_defense(card: GoblinCard) -> None:
    state = play(mustering(card, card.cost), f"play {card.name}")
    assert (player(state, 0)["tokens"], player(state, 0)["machines"]) == (0, [[card.name, card.cost]])
    assert f"play {card.name}" not in legal(mustering(card, card.cost - 1)), "too dear"
    land = next(land for land in PACKAGED.lands if land.terrain == "Woods" and not land.icons and land.defense == 5)
    for crew in {1, card.cost}:  # one token works it in full
        fought = scene(
            "now: phase=C", "p0: at=1.2 back=1.3 tokens=20", f"  leader: {PLAIN}", f"  army: {card.name}:{crew}",
            f"field: 1.2 ({land.name}), {TOWN}",
        )  # fmt: skip
        assert len(coins(fought)) == max(0, land.defense - card.value)


# ---------------------------------------------------------------- Lands


def field_of(land: Land, copy: int = 1) -> str:
    """A field with this Land and some Town."""
    twin = f"/{copy}" if copy > 1 else ""
    return f"field: {PLACES[land.terrain]} ({land.name}{twin})" + ("" if land.terrain == "Town" else f", {TOWN}")


@pytest.mark.parametrize("land", PACKAGED.lands, ids=name_of)
def test_a_land_is_revealed_does_what_it_says_and_is_conquered(land: Land) -> None:
    place = PLACES[land.terrain]
    start = {"Woods": "1.3", "River": "1.2", "Wall": "1.3", "Town": "2.3"}[land.terrain]
    card = of_kind("action")[0].name
    state = rich(card, "B", start, field_of(land, land.copies), tokens=30, theirs=5)
    before = counts(state)
    settle(play(state, f"space {place}"))
    assert asked(state) == (0, "window"), "Actions come after the effects"
    assert state.as_dict()["field"][place]["face_up"]
    check(state, before, (*land.icons, *land.text), played=False)
    mine = player(state, 0)
    assert not land.needs or mine["heroes" if land.needs == "hero" else "machines"], "the Army has some of everything"
    values = {found.name: found.value for found in of_kind("machine")}
    tossed = 0
    while state.kind in ("window", "after_toss"):
        tossed += len(coins(play(state, "pass")))
    assert tossed == land.defense - sum(values[name] for name, crew in mine["machines"] if crew)
    assert player(state, 0)["conquest"] == ["First Level Thief", land.name]
    assert player(state, 0)["points"] == 1 + land.value
    assert state.over == (land.terrain == "Town")


@pytest.mark.parametrize("land", PACKAGED.lands, ids=name_of)
def test_a_land_asks_for_what_it_says_and_allows_epic_death_or_not(land: Land) -> None:
    taken = -reckoned((*land.icons, *land.text)).get("tokens 0", 0)

    def alone(tokens: int):
        """p0, without Hero and Machine, fights with so many tokens when the icons have taken theirs."""
        back = "1.3" if land.terrain == "Woods" else "1.2"
        line = f"p0: at={PLACES[land.terrain]} back={back} tokens={tokens + taken}"
        return passed(settle(scene("now: phase=C", line, f"  leader: {PLAIN}", "p1: at=4.1 tokens=0", field_of(land))))

    assert (alone(1 if "steal_token 1" not in land.icons else 2).kind == "epic") == (land.epic and not land.needs)
    assert (player(alone(34), 0)["conquest"] == [land.name]) == (not land.needs)
