"""Every card of the packaged Gosu X set does what it says: each of the 88 faces is played, shifted in, activated or used by its
Force of Will in a small position, and what came of it is compared.

The cases stand in `gosu_x_cases_*.py`: a position, labels to play, and what is then so, by the names that `facts` gives. `p0` has
the card.
"""

from __future__ import annotations

from functools import cache
from textwrap import dedent
from typing import Any

import gosu_x_cases_far
import gosu_x_cases_mixed
import gosu_x_cases_near
import pytest
from gosu_x_case import Case

import gosu_rl
from gosu_rl.core.cards.load import load
from gosu_rl.core.game import Game, GameState

pytestmark = pytest.mark.nojit

NEAR = "Justice, Phoenix, Xi'an"
FAR = "Abhilasha, Narashima, Tomorrow"
# Clan of the card -> clans of p0 and of p1; the two left over are Galmi and Goan Sul, Tomorrow and Goan Sul, or Tomorrow and Galmi.
CLANS = {
    **dict.fromkeys(NEAR.split(", "), (NEAR, FAR)),
    **dict.fromkeys(FAR.split(", "), (FAR, NEAR)),
    "Galmi": ("Galmi, Justice, Phoenix", "Abhilasha, Narashima, Xi'an"),
    "Goan Sul": ("Goan Sul, Justice, Phoenix", "Abhilasha, Narashima, Xi'an"),
}


CARDS = {card.name: card for card in load("gosu_x").cards}
CASES = gosu_x_cases_near.CASES | gosu_x_cases_far.CASES | gosu_x_cases_mixed.CASES


@cache
def game() -> Game:
    return gosu_rl.game("gosu_x")


def position(clan: str, case: Case) -> GameState:
    """The position of a case; cards that are not named lie in their owner's deck."""
    lines = ["gosu_x, 2 players", *([f"now: {case.now}"] if case.now else [])]
    for seat, words, clans in ((0, case.p0, CLANS[clan][0]), (1, case.p1, CLANS[clan][1])):
        head, *rest = dedent(words).split("\n")
        lines += [f"p{seat}: {head}", f"  clans: {clans}", *(f"  {line.strip()}" for line in rest if line.strip())]
    return game().parse("\n".join([*lines, *([f"removed: {case.removed}"] if case.removed else [])]))


def value(state: GameState, seat: int) -> int:
    """The military value of an army now, as observations have it (by 50)."""
    start = game().observation_spec.slice("player_0").start
    return round(50 * float(state.observation(seat)[start + 9]))


def facts(state: GameState) -> dict[str, Any]:
    """What cases compare, by name: `hand0`, `size1`, `army1` (rows, captured cards in parentheses), `pile0`, `value0` …"""
    found = state.as_dict()
    said: dict[str, Any] = {
        "asked": f"p{state.mover} {state.kind}", "bounty": found["bounty"], "wonder": found["wonder"],
        "tiles": len(found["tiles"]), "removed": ", ".join(found["removed"]), "reason": state.reason,
        "additional": found["additional"],
    }  # fmt: skip
    for seat, one in enumerate(found["players"]):
        rows = [", ".join(f"({name})" if trapped else name for name, trapped in row) for row in one["army"] if row]
        tokens = one["tokens"]
        said |= {
            f"hand{seat}": ", ".join(one["hand"]), f"size{seat}": one["hand_size"], f"army{seat}": " / ".join(rows),
            f"pile{seat}": ", ".join(one["discard_pile"]), f"value{seat}": value(state, seat),
            f"tokens{seat}": (tokens["ready"], tokens["spent"], tokens["locked"]), f"on{seat}": tokens["on"],
            f"ethereal{seat}": ", ".join(one["ethereal"]), f"passed{seat}": one["passed"], f"left{seat}": one["turns_left"],
            f"top{seat}": one["deck"][0], f"bottom{seat}": one["deck"][-1],
        }  # fmt: skip
    return said


def play(state: GameState, labels: tuple[str, ...]) -> GameState:
    """Carry out labels, each of which must be legal; Force of Will windows that they do not answer are declined."""
    for label in labels:
        while state.kind == "will" and label not in state.legal_labels:
            state.apply("decline")
        state.apply(label)
    return state


def test_there_is_a_case_for_every_card() -> None:
    assert sorted(CASES) == sorted(CARDS)


@pytest.mark.parametrize("name", CASES)
def test_the_card_does_what_it_says(name: str) -> None:
    assert any(name in case.p0 for case in CASES[name])
    for case in CASES[name]:
        state = position(CARDS[name].clan, case)
        play(state, case.labels)
        while state.kind == "will":
            state.apply("decline")
        said = facts(state)
        assert {key: said[key] for key in case.facts} == case.facts, f"{state}"
