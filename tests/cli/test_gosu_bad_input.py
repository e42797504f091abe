"""What a user of GOSU can get wrong: one clear line each, which names the place and the way out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.cli import main
from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import replay

SETS = Path(gosu_rl.__file__).parent / "core" / "cards" / "sets"


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
        (["gosu", "--rules", "foo=3"], "unknown rule 'foo' for gosu; there are deal, full_army, max_decisions"),
        (["gosu", "--rules", "clan_army=9"], "unknown rule 'clan_army' for gosu"),
        (["tactics", "--rules", "tokens=3"], "unknown rule 'tokens' for tactics"),
        (["gosu", "--rules", "turns_after_pass=-2"], "must be a whole number from 0 to 100, or none, not -2"),
        (["tactics", "--rules", "turns_after_pass=none"], "must be a whole number from 0 to 100, not 'none'"),
        (["gosu", "--rules", "tokens=10"], "rule tokens must be a whole number from 0 to 9, not 10"),
        (["gosu", "--rules", "deal=60"], "2 players are dealt 120 cards, but gosu has 100"),
        (["gosu", "--players", "5"], "gosu is for 2 to 4 players, not 5"),
        (["gosu", "--players", "1"], "gosu is for 2 to 4 players, not 1"),
        (["gosuu"], "unknown variant 'gosuu'; did you mean 'gosu'? There are: tactics, gosu"),
        (["gosu", "--agents", "mcts:rollout=foo"], "gosu has no rollout policy 'foo'; there are random, greedy"),
        (["gosu", "--cards", str(SETS / "tactics.toml")], "tactics.toml is a card set for 'tactics', not for 'gosu'"),
        (["tactics", "--cards", str(SETS / "gosu.toml")], "gosu.toml is a card set for 'gosu', not for 'tactics'"),
    ],
)
def test_rules_players_and_sets(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refused(["winrates", *words, "--deals", "2"], capsys)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"hand 12"', '"hend 12"', "card 'The Eldest', win: 'hend 12' is no condition; did you mean 'hand'?"),
        ('"long reach"', '"long rech"', "'long rech' is no rule that can be bent; did you mean 'long reach'?"),
        ('activate = ["blast 1"]', 'activate = ["blast 9"]', "card 'Smudge', activate: "),
        ('mutate = ["draw 1", "extra turn"]', 'link = ["draw 1"]', "'link': "),
        ('["Garsh", "Fact", "Ideo"]', '["Garsh", "Fact", "Idea"]', "card 'Walror', names: "),
        ("[set]", "[set", ""),
    ],
)
def test_a_broken_card_file(
    old: str, new: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (SETS / "gosu.toml").read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace(old, new, 1), encoding="utf-8")
    told = refused(["winrates", "gosu", "--cards", str(broken), "--deals", "2"], capsys)
    assert told.startswith(str(broken))
    assert message in told


def test_an_action_that_is_not_legal() -> None:
    state = gosu_rl.game("gosu").new(seed=1)
    while state.kind != "turn":
        state.apply(state.legal[0])
    before = state.copy()
    for action in ("activate 1.1", "regain", "spend 3", "link", -1, 10_000, state.game.action("recruit")):
        with pytest.raises(ValueError, match=r"legal|no action") as caught:
            state.apply(action)
        assert "\n" not in str(caught.value)
        assert state == before


def test_a_record_of_one_variant_is_not_read_as_another(tmp_path: Path) -> None:
    """The header decides; a changed header, or cards of the other game, are found out."""
    record = gosu_rl.play(gosu_rl.game("gosu"), ["greedy", "random"], seed=3)
    path = tmp_path / "game.jsonl"
    record.write(path)
    assert replay(Record.read(path)).returns.tolist() == record.returns
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["variant"] = "tactics"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        replay(Record.read(path))
    assert str(caught.value).startswith(f"{path}:1")
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="is a card set for 'tactics', not for 'gosu'"):
        replay(record, cards=SETS / "tactics.toml")


def test_a_position_of_one_variant_is_not_read_as_another() -> None:
    text = str(gosu_rl.game("gosu").new(seed=2))
    with pytest.raises(ValueError, match="gosu") as caught:
        gosu_rl.game("tactics").parse(text)
    assert "\n" not in str(caught.value)
