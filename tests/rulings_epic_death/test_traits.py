"""Every trait of a Leader, Hero or Machine of the packaged set holds, and every Leader's ability is used in each of its menus."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gosu_rl.core.cards.epic_schema import GoblinCard, Leader
from gosu_rl.core.game import GameState

from .faces import (
    ABLE,
    FOREIGN,
    MENUS,
    PACKAGED,
    PLACES,
    PLAIN,
    TOWN,
    check,
    counts,
    holding,
    name_of,
    rich,
    scene,
    settle,
    spare,
)
from .table import asked, coins, first_with, legal, play, player

pytestmark = pytest.mark.nojit

Holder = GoblinCard | Leader
HOLDERS = [entry for entry in (*PACKAGED.cards, *PACKAGED.leaders) if entry.trait]


def begins(entry: Holder, *more: str, phase: str = "A", hand: str = "") -> GameState:
    """p0's turn, on empty ground, with nine tokens and the holder of a trait."""
    cards = [f"  hand: {hand}"] if hand else []
    return scene(f"now: phase={phase}", "p0: at=1.3 tokens=9", *holding(entry), *cards, f"field: {TOWN}", *more)


def tosses(lines: list[str], terrain: str) -> int:
    """Coins of a combat on a terrain with plenty of tokens: the Defense after all changes."""
    lands = [land for land in PACKAGED.lands if land.terrain == terrain and not land.needs and not land.text]
    land = max(lands, key=lambda land: (set(land.icons) <= {"lose 1", "lose 2"}, land.defense))
    place, back = PLACES[terrain], "1.3" if terrain == "Woods" else "1.2"
    return len(
        coins(
            scene(
                "now: phase=C", f"p0: at={place} back={back} tokens=40", *lines, f"field: {place} ({land.name}), {TOWN}"
            )
        )
    )


def lowers(terrain: str) -> Callable[[Holder], None]:
    """Defense one lower on this terrain, and on no other."""

    def look(entry: Holder) -> None:
        value = entry.value if isinstance(entry, GoblinCard) and entry.kind == "machine" else 0
        for other in ("Woods", "River", "Wall"):
            lower = tosses([f"  leader: {PLAIN}"], other) - tosses(holding(entry), other)
            assert lower == value + (other == terrain)

    return look


def strengthens(entry: Holder) -> None:
    """One more in a Fray: what would be a tie is won, and one more makes it a tie."""
    attack = 3 + (entry.value if isinstance(entry, GoblinCard) else 0)
    for theirs in (attack, attack + 1):
        state = scene(
            "now: phase=B", "p0: at=1.3 tokens=3", *holding(entry), f"p1: at=1.2 tokens={theirs}", f"  leader: {FOREIGN}",
            f"field: {TOWN}",
        )  # fmt: skip
        play(state, "space 1.2")
        assert asked(state) == (1, "flee") if theirs == attack else player(state, 0)["space"] == "1.3"


def beaten(entry: Holder, wanted: list[bool]) -> int:
    """Tokens of p0 after a combat lost with these coins: four tokens, and two more that the icon takes."""
    text = "\n".join(
        [
            "now: phase=C rng=?",
            "p0: at=2.3 back=1.3 tokens=6",
            *holding(entry),
            "p1: at=4.1",
            f"field: 2.3 (Gate Captain), {TOWN}",
        ]
    )
    labels = ["fight"] if first_with(text, lambda state: True).kind == "epic" else []
    return player(first_with(text, lambda state: coins(state) == wanted, *labels), 0)["tokens"]


def heals(entry: Holder) -> None:
    """One of the dead is tossed once more."""
    assert beaten(entry, [False] * 4 + [True]) == 1


def guards_the_rear(entry: Holder) -> None:
    """One of the dead comes back after a lost combat."""
    assert beaten(entry, [False] * 4) == 1


def forages(entry: Holder) -> None:
    """One token more when no card is drawn."""
    assert [player(play(begins(entry), f"draw {k}"), 0)["tokens"] for k in (0, 1)] == [9 + 3, 9 + 1]


def finds_paths(entry: Holder) -> None:
    """A second step over free ground."""
    state = play(begins(entry, phase="B"), "space 1.2")
    assert asked(state) == (0, "march")
    assert player(play(state, "space 2.2"), 0)["space"] == "2.2"


def crews_freely(entry: Holder) -> None:
    """One crew token from the pool, once a turn."""
    state = play(begins(entry, f"stack: {MENUS['a'][1]}", hand="Cannon, Cannon/2"), "play Cannon")
    assert player(state, 0)["tokens"] == 9 - 1
    assert player(play(state, "play Cannon"), 0)["tokens"] == 9 - 1 - 2


def recruits(entry: Holder) -> None:
    """A Hero for one token less, but never for none."""
    state = play(begins(entry, f"stack: {MENUS['a'][1]}", hand="Cavalier, Assassin"), "play Cavalier")
    assert player(state, 0)["tokens"] == 9 - 2
    assert player(play(state, "play Assassin"), 0)["tokens"] == 9 - 2 - 1


def keeps_more(entry: Holder) -> None:
    """A hand limit of four."""
    hand = ", ".join(card.name for card in spare("action", 5))
    state = play(begins(entry, f"stack: {MENUS['d'][1]}", phase="D", hand=hand), "done")
    assert asked(state) == (0, "discard")
    play(state, state.legal_labels[0])
    assert player(state, 0)["hand_size"] == 4
    assert state.as_dict()["active"] == 1


LOOKS: dict[str, Callable[[Holder], None]] = {
    "woodsman": lowers("Woods"), "ferryman": lowers("River"), "sapper": lowers("Wall"), "brawler": strengthens, "healer": heals,
    "rear guard": guards_the_rear, "forager": forages, "pathfinder": finds_paths, "free crew": crews_freely,
    "recruiter": recruits, "big pockets": keeps_more,
}  # fmt: skip


@pytest.mark.parametrize("entry", HOLDERS, ids=name_of)
def test_a_trait_holds(entry: Holder) -> None:
    LOOKS[entry.trait](entry)


@pytest.mark.parametrize(
    ("leader", "window"), [(leader, window) for leader in ABLE for window in leader.when], ids=name_of
)
def test_an_ability_is_used(leader: Leader, window: str) -> None:
    phase, frames = MENUS[window]
    state = rich("War Cry", phase, "1.3", f"field: 1.2 (Forester), {TOWN}", f"stack: {frames}", leader=leader.name)
    before = counts(state)
    settle(play(state, "ability"))
    check(state, before, leader.ability, played=False)
    assert "ability" not in legal(state), "once a turn"
