"""The seven powers, base and MAX, each set off by arriving, by a link and by mutating: 42 scripted positions with their outcomes.

Seat 0 holds the Fire Bakuto with the power. On arrival and by a link it ends with two goblins in row 1, the newcomer last; on
mutating the goblin with the power lies in the discard pile and an Alpha Scout stands in its slot.
"""

from __future__ import annotations

import pytest

from gosu_rl.core.game import GameState

from .table import army, asked, changed, discards, hand, legal, play, player, position, sizes, targets

TRIGGERS = ("enter", "link", "mutate")
POWERS = ("Destruction", "Trap", "Discard", "Draw", "Vision", "Return", "Advantage")
ALL = [power + mode for power in POWERS for mode in ("", " MAX")]
each_trigger = pytest.mark.parametrize("trigger", TRIGGERS)


def set_off(trigger: str, power: str, cards: str = "", before: str = "", rest: str = "", players: int = 2) -> GameState:
    """The position in which the power comes up. `cards`: the rest of seat 0's hand; `before`: goblins left of what matters."""
    first, newcomer = {
        "enter": ("Fire Scout", f"Enter {power}"),
        "link": (f"Link {power}", "Fire Scout"),
        "mutate": (f"Mutate {power}", "Alpha Scout"),
    }[trigger]
    state = position(
        f"now: advantage=p1\np0:\n  hand: {newcomer}, {cards}\n  army 1: {before}{', ' if before else ''}{first}\n{rest}",
        players,
    )
    play(state, f"play {newcomer}")
    if state.kind == "use":
        play(state, f"replace 1.{len(before.split(', ')) + 1 if before else 1}")
    return state


def own(trigger: str, power: str) -> list[str]:
    """Seat 0's first row once the power comes up."""
    return {
        "enter": ["Fire Scout", f"Enter {power}"],
        "link": [f"Link {power}", "Fire Scout"],
        "mutate": ["Alpha Scout"],
    }[trigger]


def spent(trigger: str, power: str) -> list[str]:
    """What lies in the discard pile by then."""
    return [f"Mutate {power}"] if trigger == "mutate" else []


def own_free(trigger: str) -> str:
    """Where seat 0's free goblin stands."""
    return "p0 1.1" if trigger == "mutate" else "p0 1.2"


def own_row(trigger: str) -> tuple[str, ...]:
    """All of seat 0's goblins."""
    return ("p0 1.1",) if trigger == "mutate" else ("p0 1.1", "p0 1.2")


FACING = "p1:\n  hand: Dark Scout\n  army 1: Dark Scout, (Dark Trooper)\n  army 2: Dark Hero\n  army 3: Dark Chief"


@each_trigger
def test_destruction(trigger: str) -> None:
    state = set_off(trigger, "Destruction", rest=FACING)
    assert (asked(state), legal(state)) == ((0, "destroy"), targets(own_free(trigger), "p1 1.2") | {"decline"})
    theirs = play(state.copy(), "target p1 1.2")  # a trapped one
    assert army(theirs, 1) == [["Dark Scout"], ["Dark Hero"], ["Dark Chief"]]
    assert discards(theirs) == sorted([*spent(trigger, "Destruction"), "Dark Trooper"])
    mine = play(state, f"target {own_free(trigger)}")
    assert army(mine, 0) == ([] if trigger == "mutate" else [own(trigger, "Destruction")[:1]])
    assert asked(mine) == asked(theirs) == (1, "turn")


@each_trigger
def test_destruction_max(trigger: str) -> None:
    state = set_off(trigger, "Destruction MAX", rest=FACING)
    swaps = targets("p1 1.1", "p1 1.2", *(own_row(trigger) if trigger != "mutate" else ()))
    assert (asked(state), legal(state)) == ((0, "swap"), swaps | {"decline"})
    play(state, "target p1 1.1")
    assert army(state, 1)[0] == ["(Dark Trooper)", "Dark Scout"]
    free = targets(own_free(trigger), "p1 1.2", "p1 3.1")
    assert (asked(state), legal(state)) == ((0, "destroy"), free | {"decline"})
    play(state, "target p1 3.1")
    assert army(state, 1) == [["(Dark Trooper)", "Dark Scout"], ["Dark Hero"]]
    assert army(state, 0) == [own(trigger, "Destruction MAX")]
    assert (discards(state), asked(state)) == (sorted([*spent(trigger, "Destruction MAX"), "Dark Chief"]), (1, "turn"))


@each_trigger
def test_trap(trigger: str) -> None:
    state = set_off(trigger, "Trap", rest=FACING)
    assert (asked(state), legal(state)) == ((0, "trap"), targets(*own_row(trigger), "p1 1.1", "p1 2.1") | {"decline"})
    theirs = play(state.copy(), "target p1 2.1")  # not free
    assert army(theirs, 1) == [["Dark Scout", "(Dark Trooper)"], ["(Dark Hero)"], ["Dark Chief"]]
    mine = play(state, f"target {own_row(trigger)[0]}")
    names = own(trigger, "Trap")
    assert army(mine, 0) == [[f"({names[0]})", *names[1:]]]
    assert asked(mine) == asked(theirs) == (1, "turn")


@each_trigger
def test_trap_max(trigger: str) -> None:
    state = set_off(trigger, "Trap MAX", rest=FACING)
    every = targets(*own_row(trigger), "p1 1.1", "p1 1.2", "p1 2.1", "p1 3.1")
    assert (asked(state), legal(state)) == ((0, "trap"), every | {"decline"})
    trapped = play(state.copy(), "target p1 3.1")
    assert army(trapped, 1) == [["Dark Scout", "(Dark Trooper)"], ["Dark Hero"], ["(Dark Chief)"]]
    released = play(state, "target p1 1.2")
    assert army(released, 1) == [["Dark Scout", "Dark Trooper"], ["Dark Hero"], ["Dark Chief"]]
    assert asked(trapped) == asked(released) == (1, "turn")


@each_trigger
def test_discard(trigger: str) -> None:
    state = set_off(trigger, "Discard", cards="Dark Chief", rest="p1:\n  hand: Dark Hero, Alpha Hero")
    assert (asked(state), legal(state)) == ((0, "victim"), {"player p0", "player p1", "decline"})
    theirs = play(state.copy(), "player p1")
    assert (asked(theirs), legal(theirs)) == ((1, "discard"), {"discard Dark Hero", "discard Alpha Hero"})
    play(theirs, "discard Alpha Hero")
    assert discards(theirs) == sorted([*spent(trigger, "Discard"), "Alpha Hero"])
    assert (hand(theirs, 0), hand(theirs, 1)) == (["Dark Chief"], ["Dark Hero"])
    mine = play(state, "player p0")
    assert (hand(mine, 0), asked(mine)) == ([], (1, "turn"))
    assert discards(mine) == sorted([*spent(trigger, "Discard"), "Dark Chief"])


@each_trigger
def test_discard_max(trigger: str) -> None:
    hands = "p1:\n  hand: Dark Hero, Alpha Hero, Méka Hero, Ancient Hero\np2:\n  hand: Fire Hero"
    state = set_off(trigger, "Discard MAX", cards="Dark Chief, Alpha Chief, Méka Chief", rest=hands, players=3)
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    play(state, "accept")
    assert asked(state) == (0, "discard")
    play(state, "discard Alpha Chief")
    assert asked(state) == (1, "discard")
    play(state, "discard Dark Hero", "discard Ancient Hero")
    assert (asked(state), sizes(state)) == ((1, "turn"), [2, 2, 1])
    assert discards(state) == sorted([*spent(trigger, "Discard MAX"), "Alpha Chief", "Dark Hero", "Ancient Hero"])


PILE = "draw_pile: Fire Chief, Dark Chief, Alpha Chief, Méka Chief, Ancient Chief, rest"


@each_trigger
def test_draw(trigger: str) -> None:
    state = set_off(trigger, "Draw", rest=f"p1:\n  hand: Dark Scout\n{PILE}")
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    play(state, "accept")
    assert (hand(state, 0), hand(state, 1), asked(state)) == (["Fire Chief"], ["Dark Scout"], (1, "turn"))
    assert player(state, 0)["known"] == []  # drawn unseen


@pytest.mark.parametrize(("trigger", "clans"), [("enter", 2), ("link", 2), ("mutate", 1)])
def test_draw_max(trigger: str, clans: int) -> None:
    """Alpha and Fire; where the only Fire goblin mutated, it is no more in the army; the trapped Dark one never counts."""
    state = set_off(
        trigger, "Draw MAX", before="Alpha Trooper, (Dark Trooper)", rest=f"p1:\n  hand: Dark Scout\n{PILE}"
    )
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    play(state, "accept")
    assert hand(state, 0) == sorted(["Fire Chief", "Dark Chief"][:clans])
    assert asked(state) == (1, "turn")


@each_trigger
@pytest.mark.parametrize(("power", "keeps"), [("Vision", 1), ("Vision MAX", 2)])
def test_vision(trigger: str, power: str, keeps: int) -> None:
    state = set_off(trigger, power, rest=f"p1:\n  hand: Dark Scout\n{PILE}")
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    play(state, "accept")
    five = ["Fire Chief", "Dark Chief", "Alpha Chief", "Méka Chief", "Ancient Chief"]
    assert (asked(state), legal(state)) == ((0, "keep"), {f"take {name}" for name in five})
    kept = ["Ancient Chief", "Dark Chief"][:keeps]
    play(state, *(f"take {name}" for name in kept))
    assert (hand(state, 0), player(state, 0)["known"]) == (kept, kept)
    assert discards(state) == sorted([*spent(trigger, power), *(name for name in five if name not in kept)])
    assert asked(state) == (1, "turn")


@each_trigger
def test_return(trigger: str) -> None:
    state = set_off(trigger, "Return", rest="p1:\n  hand: Dark Scout\ndiscard_pile: Fire Hero, Dark Hero")
    mine = {"take Fire Hero", *(f"take {name}" for name in spent(trigger, "Return"))}
    assert (asked(state), legal(state)) == ((0, "return"), mine | {"decline"})
    play(state, "take Fire Hero")
    assert (hand(state, 0), player(state, 0)["known"]) == (["Fire Hero"], ["Fire Hero"])
    assert (discards(state), asked(state)) == (sorted([*spent(trigger, "Return"), "Dark Hero"]), (1, "turn"))


@each_trigger
def test_return_max(trigger: str) -> None:
    state = set_off(trigger, "Return MAX", rest="p1:\n  hand: Dark Scout\ndiscard_pile: Fire Hero, Dark Hero")
    every = {"take Fire Hero", "take Dark Hero", *(f"take {name}" for name in spent(trigger, "Return MAX"))}
    assert (asked(state), legal(state)) == ((0, "return"), every | {"decline"})
    play(state, "take Dark Hero")
    assert (hand(state, 0), player(state, 0)["known"]) == (["Dark Hero"], ["Dark Hero"])
    assert (discards(state), asked(state)) == (sorted([*spent(trigger, "Return MAX"), "Fire Hero"]), (1, "turn"))


@each_trigger
def test_advantage(trigger: str) -> None:
    state = set_off(trigger, "Advantage", rest=f"p1:\n  hand: Dark Scout\n{PILE}")
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    play(state, "accept")
    assert (state.advantage, asked(state), sizes(state)) == (0, (0, "turn"), [0, 1])
    play(state, "pass")
    assert asked(state) == (1, "turn")


@each_trigger
def test_advantage_max(trigger: str) -> None:
    points = "p1: points=0\n  hand: Dark Scout\np2: points=1\n  hand: Dark Hero"
    state = set_off(trigger, "Advantage MAX", rest=f"{points}\n{PILE}", players=3)
    assert (asked(state), legal(state)) == ((0, "offer"), {"accept", "decline"})
    play(state, "accept")  # seats 0 and 1 have the fewest points, 0 draws first
    assert hand(state, 0) == ["Dark Chief", "Fire Chief"]
    assert hand(state, 1) == ["Alpha Chief", "Dark Scout", "Méka Chief"]
    assert hand(state, 2) == ["Dark Hero"]
    assert (state.advantage, asked(state)) == (0, (0, "turn"))


@each_trigger
@pytest.mark.parametrize("power", ALL)
def test_declined(power: str, trigger: str) -> None:
    """Declining leaves all as it is; it is the next player's turn."""
    rest = FACING.replace("Dark Scout\n", "Dark Scout, Alpha Hero\n", 1) + "\ndiscard_pile: Fire Hero"
    state = set_off(trigger, power, cards="Alpha Chief", rest=rest)
    assert state.mover == 0
    play(state, "decline")
    if power == "Destruction MAX":
        play(state, "decline")
    assert (asked(state), state.advantage, state.shuffles) == ((1, "turn"), 1, 0)
    assert army(state, 0) == [own(trigger, power)]
    assert army(state, 1) == [["Dark Scout", "(Dark Trooper)"], ["Dark Hero"], ["Dark Chief"]]
    assert (sizes(state), discards(state)) == ([1, 2], sorted([*spent(trigger, power), "Fire Hero"]))


# ---- skipped, because nothing could change (T30)


@each_trigger
@pytest.mark.parametrize(
    ("power", "mine", "theirs"), [("Discard", "", ""), ("Discard MAX", "Dark Chief", "Alpha Chief")]
)
@pytest.mark.ruling("T30")
def test_t30_discard_with_no_hand_to_hit(trigger: str, power: str, mine: str, theirs: str) -> None:
    state = set_off(trigger, power, cards=mine, rest=f"p1:\n  hand: {theirs}")
    assert (asked(state), discards(state)) == ((1, "turn"), spent(trigger, power))


@each_trigger
@pytest.mark.parametrize("power", ["Draw", "Draw MAX", "Vision", "Vision MAX"])
@pytest.mark.ruling("T30")
def test_t30_nothing_to_draw(trigger: str, power: str) -> None:
    state = set_off(trigger, power, rest="p1:\n  hand: Dark Scout\ndraw_pile:\nset_aside: rest")
    if trigger != "mutate":
        assert asked(state) == (1, "turn")
        return
    assert asked(state) == (0, "offer")  # the goblin that mutated is a card to draw
    play(state, "accept")
    assert (hand(state, 0), discards(state), state.shuffles) == ([f"Mutate {power}"], [], 1)


@each_trigger
@pytest.mark.parametrize(("power", "pile"), [("Return", "Dark Hero"), ("Return MAX", "")])
@pytest.mark.ruling("T30")
def test_t30_nothing_to_take_back(trigger: str, power: str, pile: str) -> None:
    state = set_off(trigger, power, rest=f"p1:\n  hand: Dark Scout\ndiscard_pile: {pile}")
    if trigger == "mutate":  # it may take itself back (T19)
        assert "take Mutate " + power in legal(state)
    else:
        assert asked(state) == (1, "turn")


@each_trigger
@pytest.mark.ruling("T30")
def test_t30_destruction_with_nothing_free_of_level_1_or_2(trigger: str) -> None:
    newcomer, rows = {
        "enter": ("Enter Destruction", ["Free Mutant", "Fire Hero", "Fire Chief"]),
        "link": ("Fire Scout", ["Link Destruction, Free Mutant", "Dark Hero, Dark Hero", "Dark Chief, Alpha Chief"]),
        "mutate": ("Alpha Scout", ["Mutate Destruction", "Fire Hero", "Fire Chief"]),
    }[trigger]
    lines = "\n".join(f"  army {k}: {row}" for k, row in enumerate(rows, 1))
    state = position(f"p0:\n  hand: {newcomer}\n{lines}\np1:\n  hand: Dark Scout")
    play(state, f"play {newcomer}")
    if state.kind == "use":
        play(state, "replace 1.1" if trigger != "link" else "replace 1.2")
    assert asked(state) == (1, "turn")
    assert newcomer in army(state, 0)[0]


@each_trigger
@pytest.mark.ruling("T30")
@pytest.mark.ruling("T50")
def test_t30_t50_destruction_max_without_a_pair_goes_to_the_destruction(trigger: str) -> None:
    newcomer, rows = {
        "enter": ("Enter Destruction MAX", ["Free Mutant"]),
        "link": ("Fire Hero", ["Link Destruction MAX"]),
        "mutate": ("Alpha Scout", ["Mutate Destruction MAX"]),
    }[trigger]
    lines = "\n".join(f"  army {k}: {row}" for k, row in enumerate(rows, 1))
    state = position(f"p0:\n  hand: {newcomer}\n{lines}\np1:\n  hand: Dark Scout")
    play(state, f"play {newcomer}")
    if state.kind == "use":
        play(state, "replace 1.1")
    assert (asked(state), "decline" in legal(state)) == ((0, "destroy"), True)


@each_trigger
@pytest.mark.ruling("T30")
def test_t30_trap_with_no_face_up_goblin_of_level_1_or_2(trigger: str) -> None:
    """Only Ôzekis can have such a power and nothing to trap: a Bakuto or Hero would be a target itself."""
    game = changed(
        {
            "Chief Enter Trap": {"enter": ("trap",) if trigger == "enter" else ()},
            "Mutant Chief": {"mutate": ("trap",) if trigger == "mutate" else ()},
            "Fire Chief": {"link": ("trap",) if trigger == "link" else ()},
        }
    )
    state = game.parse("""tactics, 2 players
        p0:
          hand: Chief Enter Trap
          army 1: (Fire Trooper), (Alpha Scout)
          army 2: (Fire Hero), (Alpha Hero)
          army 3: Fire Chief, Mutant Chief
        p1:
          hand: Dark Scout
          army 1: (Dark Scout)
        """)
    play(state, "play Chief Enter Trap")
    assert (asked(state), army(state, 0)[2]) == ((1, "turn"), ["Fire Chief", "Chief Enter Trap"])


# ---- zombies


@pytest.mark.parametrize("power", ALL)
def test_a_zombie_brings_powers_from_the_discard_pile(power: str) -> None:
    """The newcomer's arrival power and a neighbour's link come up as for any other mutation."""
    state = position(f"""
        p0:
          army 1: Link Draw, Zombie
          hand: Alpha Chief
        p1:
          hand: Dark Scout, Dark Hero
          army 1: Dark Scout
        discard_pile: Enter {power}, Fire Hero
        """)
    play(state, f"take Enter {power}")
    assert army(state, 0) == [["Link Draw", f"Enter {power}"]]
    assert set(discards(state)) == {"Alpha Chief", "Fire Hero", "Zombie"}
    first = {"Destruction": "destroy", "Destruction MAX": "swap", "Discard": "victim"}
    kind = first.get(power, {"Trap": "trap", "Return": "return"}.get(power.removesuffix(" MAX"), "offer"))
    assert asked(state) == (0, kind)
    play(state, "decline")
    if power == "Destruction MAX":
        play(state, "decline")
    assert asked(state) == (0, "offer")  # Link Draw
    assert asked(play(state, "decline")) == (1, "turn")


@pytest.mark.parametrize("power", ALL)
def test_a_zombies_own_powers_on_mutating(power: str) -> None:
    game = changed({"Zombie": {"mutate": (power.removesuffix(" MAX").lower() + (" MAX" if "MAX" in power else ""),)}})
    state = game.parse("""tactics, 2 players
        p0:
          army 1: Zombie
          army 2: Fire Hero
          hand: Alpha Chief, Fire Chief
        p1:
          hand: Dark Scout, Dark Hero
          army 1: Dark Scout, Alpha Trooper
        discard_pile: Fire Scout, Dark Hero
        """)
    play(state, "take Fire Scout", "discard Alpha Chief")
    assert army(state, 0) == [["Fire Scout"], ["Fire Hero"]]
    first = {"Destruction": "destroy", "Destruction MAX": "swap", "Discard": "victim"}
    kind = first.get(power, {"Trap": "trap", "Return": "return"}.get(power.removesuffix(" MAX"), "offer"))
    assert asked(state) == (0, kind)
    if power == "Return":
        assert legal(state) == {"take Dark Hero", "take Zombie", "decline"}  # the zombie's clan
    if power == "Return MAX":
        assert legal(state) == {"take Dark Hero", "take Zombie", "take Alpha Chief", "decline"}
