"""Fields of any shape: which the core takes and which it refuses (E51), and what it deals onto them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w

import gosu_rl

from .card_sets import STYLES, draw_layout, draw_set
from .cards import card_set, layout_fault, read_card_set, read_layout_file, space_of
from .lockstep import deal_of, packaged_file
from .model import deal_fault

ROUNDS = 60


def spoil(chance: Random, layout: dict[str, Any]) -> dict[str, Any]:
    """One sign or one list of starts changed; the outcome may still be lawful."""
    rows = [row.split() for row in layout["rows"]]
    starts = dict(layout["starts"])
    if chance.random() < 0.3:
        players = chance.choice(list(starts))
        letters = sorted({sign[0] for row in rows for sign in row if sign[0] in "abcdef"})
        starts[players] = "".join(chance.choice(letters) for _ in range(int(players) + chance.choice([-1, 0, 0])))
    else:
        row = chance.randrange(len(rows))
        column = chance.randrange(len(rows[row]))
        if rows[row][column][0] not in "abcdef":
            rows[row][column] = chance.choice(".T+~#")
    return layout | {"rows": [" ".join(row) for row in rows], "starts": starts}


@pytest.mark.ruling("E51")
@pytest.mark.slow
def test_core_and_model_refuse_the_same_fields(tmp_path: Path) -> None:
    chance = Random("fields")
    found: Counter[str] = Counter()
    for number in range(ROUNDS):
        data = draw_set(chance.choice(list(STYLES)), chance.randrange(12))
        layout = data["layout"][0]
        for _ in range(chance.choice([1, 1, 2, 3])):
            layout = spoil(chance, layout)
        data["layout"] = [layout]
        cards = card_set(data)
        fault = layout_fault(cards.layouts[0], cards.lands.values())
        path = tmp_path / f"{number}.toml"
        path.write_text(tomli_w.dumps(data), encoding="utf-8")
        players = max(int(count) for count in layout["starts"])
        found[fault.partition(" ")[0]] += 1
        if fault:
            with pytest.raises(ValueError, match=r"\S") as refusal:
                gosu_rl.game("epic_death", players=players, cards=str(path), rules={"layout": 1, "deal": 1})
            assert "\n" not in str(refusal.value).strip(), layout
        else:
            game = gosu_rl.game("epic_death", players=players, cards=str(path), rules={"layout": 1, "deal": 1})
            assert not deal_fault(cards, cards.layouts[0], players, deal_of(game.new(seed=number).as_dict())), layout
    assert found[""] > ROUNDS / 10
    assert len(found) > 3


@pytest.mark.ruling("E50")
def test_a_field_of_ones_own_is_dealt_as_it_is_written(tmp_path: Path) -> None:
    chance = Random("own fields")
    cards = read_card_set(packaged_file())
    for number in range(10):
        data = draw_layout(chance, f"own {number}", STYLES["mixed"])
        if layout_fault(read_layout_file(as_text(data)), cards.lands.values()):
            continue  # more Walls or Rivers than the packaged set has
        path = tmp_path / f"{number}.txt"
        path.write_text(as_text(data), encoding="utf-8")
        layout = read_layout_file(as_text(data))
        for players in layout.starts:
            game = gosu_rl.game("epic_death", players=players, rules={"layout": str(path)})
            starts = set()
            for seed in range(12):
                position = game.new(seed=seed).as_dict()
                assert position["layout"] == f"own {number}"
                assert {space_of(space) for space in position["spaces"]} == set(layout.terrain)
                assert not deal_fault(cards, layout, players, deal_of(position))
                starts.add(tuple(seat["space"] for seat in position["players"]))
            assert len(starts) > 1  # by lot


def as_text(data: dict[str, Any]) -> str:
    starts = [f"starts {players}: {' '.join(letters)}" for players, letters in data["starts"].items()]
    return "\n".join(["; a field of one's own", f"name: {data['name']}", *data["rows"], *starts, ""])
