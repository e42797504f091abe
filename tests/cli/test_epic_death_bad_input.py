"""What a user of Epic Death can get wrong: one clear line each, which names the place and the way out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.cli import main
from gosu_rl.core.cards.layouts import choose
from gosu_rl.core.cards.load import load
from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import replay
from gosu_rl.learning.game_tree import enumerate_game

SETS = Path(gosu_rl.__file__).parent / "core" / "cards" / "sets"
FIELD = """; a small field
+ a ~ b +
+ ~ T ~ +
starts 2: a b
"""


HOUSE = Path(__file__).parents[1] / "rulings_epic_death" / "cards.toml"


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a refused command says."""
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.err.startswith("gosu-rl: error: "), told
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    return told.err.removeprefix("gosu-rl: error: ").rstrip("\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["epic_death", "--players", "7"], "epic_death is for 2 to 6 players, not 7"),
        (["epic_death", "--players", "1"], "epic_death is for 2 to 6 players, not 1"),
        (["epic_deth"], "unknown variant 'epic_deth'; did you mean 'epic_death'?"),
        (["epic_death", "--rules", "foo=3"], "unknown rule 'foo' for epic_death; there are all_tokens, deal"),
        (["epic_death", "--rules", "layout=9"], "rule layout is 9, but epic_death has 3 layouts"),
        (["epic_death", "--rules", "layout=0"], "rule layout must be a whole number from 1 to 9, not 0"),
        (["epic_death", "--rules", "layout=nowhere"], "no layout 'nowhere' in epic_death: there are"),
        (["epic_death", "--rules", "layout=none.txt"], "none.txt: cannot read this layout file"),
        (["epic_death", "--rules", "layout="], "--rules 'layout='"),
        (["epic_death", "--rules", "tokens=21"], "rule tokens must be a whole number from 0 to 20, not 21"),
        (["epic_death", "--rules", "all_tokens=10"], "rule all_tokens (10) is too small for 6 times rule tokens (5)"),
        (["epic_death", "--rules", "deal=11"], "rule deal must be a whole number from 0 to 10, not 11"),
        (["epic_death", "--agents", "mcts:rollout=foo"], "epic_death has no rollout policy 'foo'"),
        (["epic_death", "--cards", str(SETS / "gosu.toml")], "is a card set for 'gosu', not for 'epic_death'"),
        (["tactics", "--cards", str(SETS / "epic_death.toml")], "is a card set for 'epic_death', not for 'tactics'"),
        (["tactics", "--rules", "layout=short"], "layout"),
        (["epic_death", "--players", "4", "--agents", "greedy,random"], "--agents names 2 agents for 4 players"),
    ],
)
def test_rules_players_and_sets(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refused(["winrates", *words, "--deals", "2"], capsys)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "+ a ~ b +",
            "a + ~ b +",
            "starts: the starts for 2 players are not equally far from the nearest Town: a 3, b 2",
        ),
        ("+ ~ T ~ +", "+ . T . +", None),
        ("+ a ~ b +", "+ a . b +", None),
        ("+ a ~ b +\n+ ~ T ~ +", "+ a . b +\n+ . T . +", "cannot be reached from the Town at 2.3"),
        ("; a small", "name: köln\n; a small", "must be up to 40 lower-case letters a to z"),
        ("; a small", "name: one\nname: two\n; a small", "mine.txt:2: a second name; write one"),
        ("b +", "ba +", "'ba' in row 1, place 4 must be one of"),
        ("2: a b", "2: a a", "2 players need 2 different letters, not 'aa'"),
        ("T", "~", "there is no Town (T) on the field"),
        ("b +", "x +", "no start b stands on the field, but 2 players name it"),
        ("+ ~ T", "+ ? T", "'?' in row 2, place 2 must be one of"),
        ("starts 2: a b", "starts 7: a b", "'7' is no number of players from 2 to 6"),
        ("starts 2: a b", "start 2: a b", "expected a row of marks, 'name: …' or 'starts 2: a b', found"),
        ("starts 2: a b", "", 'missing; say who starts where: 2 = "ab"'),
        ("+ ~ T ~ +", "T T T T T", "but the set has"),
    ],
)
def test_a_field_of_ones_own(
    old: str, new: str, message: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unequal starts, a Town that cannot be reached, and slips of the pen; where `message` is None the field is a sound one."""
    path = tmp_path / "mine.txt"
    assert old in FIELD
    path.write_text(FIELD.replace(old, new, 1), encoding="utf-8")
    if message is None:
        assert gosu_rl.game("epic_death", rules={"layout": str(path)}).new(seed=1).as_dict()["towns_left"] == 1
        return
    told = refused(["winrates", "epic_death", "--rules", f"layout={path}", "--deals", "2"], capsys)
    assert told.startswith(str(path))
    assert message in told


def test_a_field_for_two_is_not_played_by_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(FIELD, encoding="utf-8")
    words = ["play", "epic_death", "--seats", "greedy,greedy,random", "--rules", f"layout={path}"]
    assert "layout 'mine' has no starts for 3 players, only for 2" in refused(words, capsys)
    assert main(["play", "epic_death", "--seats", "greedy,random", "--seed", "1", "--rules", f"layout={path}"]) == 0


@pytest.mark.parametrize("as_text", [True, False])
def test_a_field_from_windows_and_as_a_path_object(as_text: bool, tmp_path: Path) -> None:
    """Its line ends, its byte order mark, an ending in capitals; a path object may have any ending."""
    path = tmp_path / ("MINE.TXT" if as_text else "mine.field")
    path.write_bytes(b"\xef\xbb\xbf" + FIELD.replace("\n", "\r\n").encode())
    cards, number = choose(load("epic_death"), str(path) if as_text else path)
    assert number == 4
    assert cards.layouts[3].name == "mine"
    assert cards.layouts[3].rows == ("+ a ~ b +", "+ ~ T ~ +")


@pytest.mark.parametrize(
    "rules",
    [
        {"deal": 0, "tokens": 0, "all_tokens": 6},
        {"deal": 8, "tokens": 20, "all_tokens": 120, "hand_limit": 20},
        {"hand_limit": 0, "reinforcements": 1, "layout": "long"},
        {"max_decisions": 1},
    ],
)
def test_the_ends_of_the_rules_can_be_played(rules: dict[str, object]) -> None:
    for players in (2, 6):
        if players == 2 or "layout" not in rules or rules["layout"] == "long":
            one = gosu_rl.game("epic_death", players, rules={"layout": 2, "max_decisions": 3000, **rules})
            rows = one.play_many(["greedy"] * players, range(4))
            assert (rows["truncated"] | (rows["share"].sum(axis=1) > 0.99)).all()
            assert (rows["decisions"] <= one.rules["max_decisions"]).all()


def test_an_action_that_is_not_legal() -> None:
    state = gosu_rl.game("epic_death").new(seed=1)
    before = state.copy()
    for action in ("stay", "player p0", "play Cannon", "space 9.9", "player p2", -1, 10_000):
        with pytest.raises(ValueError, match=r"legal|no action") as caught:
            state.apply(action)
        assert "\n" not in str(caught.value)
        assert state == before


def test_a_record_of_one_variant_is_not_read_as_another(tmp_path: Path) -> None:
    """The header decides; a changed header, or cards of the other game, are found out."""
    record = gosu_rl.play(gosu_rl.game("epic_death"), ["greedy", "random"], seed=3)
    path = tmp_path / "game.jsonl"
    record.write(path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["variant"] = "gosu"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        replay(Record.read(path))
    assert str(caught.value).startswith(f"{path}:1")
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="is a card set for 'tactics', not for 'epic_death'"):
        replay(record, cards=SETS / "tactics.toml")


def test_a_game_on_a_field_of_ones_own_is_replayed_where_the_field_is_known(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(FIELD, encoding="utf-8")
    one = gosu_rl.game("epic_death", rules={"layout": str(path)})
    record = gosu_rl.play(one, ["greedy", "random"], seed=3)
    assert replay(record, one).returns.tolist() == record.returns
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert "\n" not in str(caught.value)


def test_a_position_of_one_variant_is_not_read_as_another() -> None:
    text = str(gosu_rl.game("epic_death").new(seed=2))
    for variant in ("tactics", "gosu"):
        with pytest.raises(ValueError, match="epic_death") as caught:
            gosu_rl.game(variant).parse(text)
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="3 players") as caught:
        gosu_rl.game("epic_death", 3).parse(text)
    assert "\n" not in str(caught.value)


def test_what_only_the_gosu_family_has_is_refused_with_a_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(["cards", "sample", "epic_death", "--seed", "7"], capsys)
    assert told.startswith("cannot sample 'epic_death': sets are drawn for the Gosu family only (tactics, gosu")
    assert "gosu-rl cards export epic_death" in told
    with pytest.raises(ValueError, match=r"chance of epic_death is not laid open, .* gosu-rl exploit") as caught:
        enumerate_game(gosu_rl.game("epic_death"))
    assert "\n" not in str(caught.value)


def test_card_files_are_checked_up_to_the_tables_of_the_kernel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", "check", "epic_death", str(HOUSE)]) == 0
    told = capsys.readouterr().out
    assert told.count(": good: ") == 2
    assert "58 Lands of" in told
    few = HOUSE.read_text(encoding="utf-8").partition('[[layout]]\nname = "twins"')[0]
    path = tmp_path / "one.toml"
    path.write_text(few, encoding="utf-8")
    assert main(["cards", "check", str(path)]) == 0
    assert (
        "it has no second layout, which is played as a rule: play it with --rules layout=1" in capsys.readouterr().out
    )
    assert gosu_rl.game("epic_death", cards=path, rules={"layout": 1}).new(seed=1).legal_labels
    path.write_text(few.replace('steps = ["attack 3"]', 'steps = ["attack 33"]'), encoding="utf-8")
    assert main(["cards", "check", str(path)]) == 1
    assert "Shout" in capsys.readouterr().out
