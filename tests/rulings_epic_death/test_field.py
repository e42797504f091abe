"""Layouts, starts, Phase B and moves by cards."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.core.cards.epic_schema import EpicSet
from gosu_rl.core.cards.layouts import lay_out, read_layout
from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.schema import CardFileError

from .table import asked, game, legal, passed, play, player, position

pytestmark = pytest.mark.nojit


@pytest.fixture(scope="module")
def packaged() -> EpicSet:
    found = load("epic_death")
    assert isinstance(found, EpicSet)
    return found


@pytest.mark.ruling("E1")
def test_e1_every_start_is_as_far_from_the_nearest_town_and_on_a_land(packaged: EpicSet) -> None:
    far = {"short": 3, "medium": 4, "long": 4}
    for layout in packaged.layouts:
        field = lay_out(layout)
        steps = field.distances(field.towns)
        assert {steps[space] for starts in field.starts.values() for space in starts} == {far[layout.name]}
        assert {field.terrains[space] for starts in field.starts.values() for space in starts} == {"Woods"}
        for town in field.towns:
            assert {field.terrains[i] for i in field.near[town]} <= {"Wall", "Town"}
    state = game(4).new(seed=3)
    facts = state.as_dict()
    assert all(p["space"] in facts["field"] for p in facts["players"])


@pytest.mark.ruling("E9")
def test_e9_four_kinds_of_land(packaged: EpicSet) -> None:
    assert {land.terrain for land in packaged.lands} == {"Woods", "River", "Wall", "Town"}
    assert {land.needs for land in packaged.lands} == {"", "hero", "machine"}


@pytest.mark.ruling("E11")
@pytest.mark.ruling("E50")
def test_e11_e50_who_begins_is_drawn_and_the_deal_does_not_hang_on_it() -> None:
    three = game(3)
    assert {three.new(seed=k).advantage for k in range(12)} == {0, 1, 2}
    deals = [three.new(seed=5, advantage=q) for q in range(3)]
    assert [s.mover for s in deals] == [0, 1, 2]
    for name in ("leader", "space", "hand"):
        assert len({str([player(s, q)[name] for q in range(3)]) for s in deals}) == 1
    assert len({str(s.as_dict()["field"]) for s in deals}) == 1
    starts = {tuple(player(three.new(seed=k), q)["space"] for q in range(3)) for k in range(40)}
    assert len(starts) == 6, "seats are put on the starts by lot"
    assert {frozenset(spaces) for spaces in starts} == {frozenset({"1.2", "2.5", "4.1"})}


@pytest.mark.ruling("E11")
def test_e11_lands_not_laid_out_stay_in_the_box_unseen() -> None:
    state = game(2).new(seed=1)
    facts = state.as_dict()
    assert sum(len(lands) for lands in facts["box"].values()) == 58 - 21
    assert state.view(0).as_dict()["box"] is None


@pytest.mark.ruling("E50")
def test_e50_a_round_is_over_when_the_turn_comes_back_to_who_began() -> None:
    state = game(2).new(seed=1, advantage=1)
    rounds = []
    while not state.over and state.decisions < 60:
        rounds.append((state.round, state.as_dict()["active"]))
        state.apply(state.legal[0])
    changes = [(before, after) for before, after in pairwise(rounds) if before[0] != after[0]]
    assert changes
    assert all(before[1] == 0 and after[1] == 1 for before, after in changes)


BROKEN = {
    "a + T\nb . .\nstarts 2: a b": "space 2.1 cannot be reached|not equally far",
    "a + T + b\nstarts 2: a c": "no start c stands on the field",
    "a + + + b\nstarts 2: a b": "there is no Town",
    "a T + b\nstarts 2: a b": "not equally far from the nearest Town: a 1, b 2",
    "a T b . +\nstarts 2: a b": "space 1.5 cannot be reached",
    "aT T b\nstarts 2: a b": "nobody can start on a Town",
    "a T b a\nstarts 2: a b": "start 'a' stands on 2 spaces",
    "a ? b\nstarts 2: a b": "'\\?' in row 1, place 2 must be one of",
    "a T b\nstarts 3: a b": "3 players need 3 different letters",
    "a T b\nstarts 7: a b": "no number of players from 2 to 6",
    "a T b": "starts: missing",
    "a T T T T b\nstarts 2: a b": "4 spaces of Town, but the set has 3 such Lands",
    "a T b\nstart 2: a b": "expected a row of marks",
    "starts 2: a b": "a layout has 1 to 20 rows",
    "a T b\nstarts 2: a b\nstarts 2: b a": "a second line of starts for 2 players",
    "name: BAD\na T b\nstarts 2: a b": "must be up to 40 lower-case letters",
}


@pytest.mark.ruling("E51")
@pytest.mark.parametrize("text", BROKEN)
def test_e51_a_layout_that_cannot_be_played_is_refused_in_one_line(
    text: str, tmp_path: Path, packaged: EpicSet
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(CardFileError, match=BROKEN[text]) as error:
        read_layout(path, packaged.lands)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.ruling("E51")
def test_e51_a_field_of_ones_own_is_played_and_known_to_positions(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("; two ways to the Town\nname: lake\na ~ T ~ b\n. + . + .\n. + + + .\nstarts 2: a b\n")
    own = gosu_rl.game("epic_death", rules={"layout": str(path)})
    state = own.new(seed=2)
    assert state.as_dict()["layout"] == "lake"
    assert len(state.as_dict()["spaces"]) == 10
    assert own.parse(str(state)) == state
    again = gosu_rl.game("epic_death", cards=own.card_set, rules={"layout": "lake"})
    assert again.new(seed=2) == state
    with pytest.raises(ValueError, match="no starts for 3 players, only for 2"):
        gosu_rl.game("epic_death", players=3, rules={"layout": str(path)})
    with pytest.raises(ValueError, match="no layout 'lage' in epic_death: there are short, medium, long"):
        gosu_rl.game("epic_death", rules={"layout": "lage"})
    with pytest.raises(CardFileError, match="cannot read this layout file"):
        gosu_rl.game("epic_death", rules={"layout": str(tmp_path / "none.txt")})


# ---------------------------------------------------------------- moves

ALONE = "field: 1.2 (Meadow), 1.4 (Meadow), 2.3 (Hamlet)"  # the house field, nearly empty


@pytest.mark.ruling("E36")
def test_e36_an_army_on_a_land_may_only_stay_any_other_may_move_or_stay() -> None:
    on_land = position("now: phase=B\np0: at=1.2\n  hand: Hop\np1: at=3.5\n" + ALONE, house=True)
    assert legal(on_land) == {"stay", "play Hop"}
    free = position("now: phase=B\np0: at=1.3\np1: at=3.5\n" + ALONE, house=True)
    assert legal(free) == {"stay", "space 1.2", "space 1.4", "space 2.3"}, "never diagonally"
    play(free, "stay")
    assert free.as_dict()["active"] == 1, "no combat on an empty space"


@pytest.mark.ruling("E36")
def test_e36_pathfinders_go_on_over_free_ground() -> None:
    state = position("now: phase=B\np0: at=1.1\n  leader: Runner\np1: at=3.5\n" + ALONE, house=True)
    play(state, "space 2.1")
    assert asked(state) == (0, "march")
    assert legal(state) == {"stay", "space 1.1", "space 2.2", "space 3.1"}
    play(state, "space 2.2")
    assert state.as_dict()["active"] == 1
    plain = position("now: phase=B\np0: at=1.1\n  leader: Nobody\np1: at=3.5\n" + ALONE, house=True)
    play(plain, "space 2.1")
    assert plain.kind != "march" or plain.mover == 1


@pytest.mark.ruling("E22")
def test_e22_the_way_back_is_the_space_from_which_the_army_came_onto_the_land() -> None:
    state = position("now: phase=B\np0: at=1.3 tokens=0\np1: at=3.5\nfield: 1.2 (Swamp), 2.3 (Hamlet)", house=True)
    play(state, "space 1.2")
    assert player(state, 0)["space"] == "1.3"
    pushed = position(
        "now: phase=A\np0: at=3.1\n  hand: Push\np1: at=1.3\nfield: 1.2 (Swamp), 2.3 (Hamlet)\nstack: turns p0 stage=2; muster p0",
        house=True,
    )
    passed(play(pushed, "play Push"))
    assert asked(pushed) == (0, "step"), "one player to name: he is not asked whom"
    play(pushed, "space 1.2")
    assert player(pushed, 1)["back"] == "1.3"
    assert not pushed.as_dict()["field"]["1.2"]["face_up"], "a Land is turned up by a combat only"


@pytest.mark.ruling("E28")
def test_e28_moved_onto_a_land_in_the_own_turn_the_combat_is_in_this_turn() -> None:
    text = (
        "now: phase=A\np0: at=1.3 tokens=9\n  hand: Hop\np1: at=3.5\n" + ALONE + "\nstack: turns p0 stage=2; muster p0"
    )
    state = passed(play(position(text, house=True), "play Hop", "space 1.2"))
    assert player(state, 0)["conquest"] == ["Meadow"]
    late = position("now: phase=D\np0: at=1.3 tokens=9\n  hand: Hop\np1: at=3.5\n" + ALONE, house=True)
    passed(play(late, "play Hop", "space 1.2"))
    assert player(late, 0)["conquest"] == []
    assert player(late, 0)["space"] == "1.2"
    assert late.as_dict()["active"] == 1, "Phase D is too late for a combat: it comes in the next turn"


@pytest.mark.ruling("E53")
def test_e53_a_card_moves_an_army_off_a_land() -> None:
    text = "now: phase=B\np0: at=1.2 back=1.3 tokens=9\n  hand: Hop\np1: at=3.5\n" + ALONE
    state = position(text, house=True)
    assert legal(state) == {"stay", "play Hop"}, "no move of its own"
    play(state, "play Hop", "space 1.1")
    facts = state.as_dict()
    assert facts["players"][0]["space"] == "1.1"
    assert asked(state) == (0, "march"), "from the empty space it may move"
    play(state, "stay")
    assert state.as_dict()["active"] == 1
    assert not state.as_dict()["field"]["1.2"]["face_up"], "the Land is not fought"


@pytest.mark.ruling("E37")
def test_e37_whoever_comes_into_an_occupied_space_starts_a_fray() -> None:
    state = position("now: phase=B\np0: at=1.3 tokens=3\np1: at=1.2 tokens=1\n" + ALONE, house=True)
    play(state, "space 1.2")
    facts = state.as_dict()
    assert facts["players"][0]["fought"] == [1]
    assert asked(state) == (1, "flee")
    play(state, "space 1.1")
    spaces = [p["space"] for p in state.as_dict()["players"]]
    assert len(set(spaces)) == 2
