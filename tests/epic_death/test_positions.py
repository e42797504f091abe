"""Bad input: position texts and rules of Epic Death that cannot be, each with one clear line."""

from __future__ import annotations

import pytest

import gosu_rl
from gosu_rl.core.position_text import PositionError

from .conftest import epic

pytestmark = pytest.mark.nojit

HEAD = "epic_death, 2 players\n"
WRONG = {
    "p0: at=9.9": "line 2: '9.9' is no space of this layout; spaces are row.column, such as 1.2",
    "p0: tokens=many": "line 2: 'many' is not a number",
    "p0:\n  hand: Canon": "line 3: no card 'Canon' in epic_death; did you mean 'Cannon'",
    "p0:\n  hand: Cannon, Cannon, Cannon": "line 3: Cannon lies in two places, or more often than there are copies",
    "p0:\n  army: War Cry": "line 3: War Cry is an Action; that cannot be in an army",
    "p0:\n  army: Assassin:1": "line 3: Assassin is a Hero",
    "p0:\n  army: Cannon:3": "line 3: 3 is out of range 0 to 2",
    "p0:\n  leader: Nobody": "line 3: no Leader 'Nobody'",
    "p0:\n  leader: Grubsnout\np1:\n  leader: Grubsnout": "a Leader leads two Armies",
    "p0:\n  conquest: Lego Las": "line 3: no Land 'Lego Las' in epic_death; did you mean 'Lego-Las'",
    "field: 1.2 (Lego-Las), rest": "line 2: Lego-Las is a Wall and cannot lie on 1.2, a space of Woods",
    "field: 1.2 Poacher, 1.2 Poacher": "line 2: space 1.2 stands there twice",
    "field: 1.2 (), rest": "line 2: space 1.2: only a view may leave a face-down Land open",
    "field: Poacher": "line 2: expected 'row.column Land', found 'Poacher'",
    "field: 1.2 (Poacher)": "no Town is left on the field, but the game is not over",
    "p0: tokens=50": "55 tokens are in play, but there are 54",
    "p0: at=1.2\np1: at=1.2": "two Armies stand on one space, but no Fray is on the stack",
    "now: phase=E": "line 2: 'E' is no phase; there are A, B, C, D",
    "coins: heads": "line 2: coins are a row of \\+ \\(alive\\) and - \\(dead\\)",
    "stack: muster p0": "the stack must begin with 'turns p0'",
    "stack: turns p0 stage=2; window p0": "'window' must lie on asking, not on 'turns'",
    "stack: turns p0 stage=9; muster p0": "stage=9 of 'turns' is out of range 0 to 8",
    "stack: turns p0 stage=2; muster p0; run p0 pc=7 source=0 index=400 subject=0": "names no card, Land or Leader",
    "stack: turns p0 stage=2; muster p0; run p0 pc=400 source=0 index=0 subject=0": "pc=400 of 'run' is not within",
    'stack: turns p0 stage=2; action p0 card="War Cry"': "the card of 'action' must lie on 'set_aside:'",
    "stack: turns p0 stage=4; combat p0 stage=1": "fight|'combat' of p0|stack",
    "nonsense": "line 2: expected 'name: …', found 'nonsense'",
    "pool: 3": "line 2: unknown line 'pool'",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_position_that_cannot_be_is_refused_in_one_line(text: str) -> None:
    game = epic(2)
    if text.startswith("stack: turns p0 stage=4; combat"):
        text = "p0: at=1.3\nfield: 1.2 (Poacher), 3.3 (Town Hall)\n" + text
        with pytest.raises(PositionError, match="'combat' of p0, whose Army stands on no Land"):
            game.parse(HEAD + text)
        return
    with pytest.raises(PositionError, match=WRONG[text]) as error:
        game.parse(HEAD + text)
    assert "\n" not in str(error.value)


def test_what_is_left_out_is_as_at_the_start() -> None:
    state = epic(2).parse(HEAD)
    facts = state.as_dict()
    assert [player["tokens"] for player in facts["players"]] == [5, 5]
    assert (facts["pool"], facts["draw_pile_size"], len(facts["field"])) == (44, 50, 21)
    assert (state.mover, state.kind) == (0, "reinforce")
    assert [player["space"] for player in facts["players"]] == ["2.5", "4.1"]


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"layout": 4}, "rule layout is 4, but epic_death has 3 layouts \\(1 short, 2 medium, 3 long\\)"),
        ({"layout": 0}, "rule layout must be a whole number from 1 to 9"),
        ({"layout": True}, "rule layout must be a whole number"),
        ({"tokens": 10}, "rule all_tokens \\(54\\) is too small"),
        ({"points_to_win": 3}, "unknown rule 'points_to_win' for epic_death"),
    ],
)
def test_rules_that_cannot_be_are_refused(rules: dict, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        gosu_rl.game("epic_death", rules=rules)


def test_players_that_a_layout_has_no_starts_for() -> None:
    with pytest.raises(ValueError, match="layout 'short' has no starts for 5 players, only for 2, 3, 4"):
        gosu_rl.game("epic_death", players=5, rules={"layout": "short"})
    with pytest.raises(ValueError, match="epic_death is for 2 to 6 players, not 7"):
        gosu_rl.game("epic_death", players=7)


def test_labels_may_be_typed_as_people_do() -> None:
    game = epic(2)
    assert game.action("move 1.2") == game.action("space 1.2")
    with pytest.raises(ValueError, match="no action 'play Canon'"):
        game.action("play Canon")


def test_relative_actions_turn_players_and_nothing_else() -> None:
    game = epic(4)
    order = game.relative_actions(1)
    assert [game.labels[order[game.action(f"player p{q}")]] for q in range(4)] == [
        f"player p{(q + 1) % 4}" for q in range(4)
    ]
    assert order[game.action("space 1.2")] == game.action("space 1.2")
