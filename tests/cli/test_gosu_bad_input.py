"""What a user of GOSU can get wrong (one clear line each, which names the place and the way out), and what commands tell of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
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
    lines = [line for line in told.err.splitlines() if not line.startswith("gosu_rl: compiling")]  # on an empty cache
    assert len(lines) == 1, told
    assert lines[0].startswith("gosu-rl: error: "), told
    return lines[0].removeprefix("gosu-rl: error: ")


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


@pytest.mark.parametrize(
    ("rules", "absent", "shown"),
    [
        ([], {"nine goblins of one clan"}, "turns_after_pass=none"),
        (["turns_after_pass=None,full_army=16"], {"nine goblins of one clan", "fifteen goblins"}, "full_army=16"),
        (["turns_after_pass=10"], {"nine goblins of one clan"}, "turns_after_pass=10"),
    ],
)
def test_winrates_shows_rules_and_endings_that_gosu_has(
    rules: list[str], absent: set[str], shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["winrates", "gosu", "--agents", "greedy", "--deals", "4", "--workers", "1", "--no-plots"]
    assert main([*words, "--out", str(tmp_path / "run"), *[part for rule in rules for part in ("--rules", rule)]]) == 0
    out = capsys.readouterr().out
    assert shown in " ".join(out.split())
    assert "=-1" not in out
    endings = {"third Victory Point", "fifteen goblins", "nine goblins of one clan", "an Ôzeki's condition"}
    assert {ending for ending in endings if ending not in out} == absent


def test_endings_of_gosu_x() -> None:
    endings = gosu_rl.game(
        "gosu_x"
    ).endings  # fifteen face-up cards; none of its own cards wins by a condition of its own
    assert endings == ("", "points", "fifteen", "", "truncated", "", "fifth_token", "goan_sul", "justice")
    assert gosu_rl.game("gosu_x", rules={"full_army": 16}).endings[2] == ""


def test_endings_follow_variant_rules_and_cards() -> None:
    tactics, gosu = gosu_rl.game("tactics"), gosu_rl.game("gosu")
    assert tactics.endings == tactics.reasons == ("", "points", "fifteen", "nine", "truncated")
    assert gosu.endings == ("", "points", "fifteen", "", "truncated", "condition")
    assert gosu_rl.game("gosu", rules={"full_army": 16}).endings == ("", "points", "", "", "truncated", "condition")
    cards = gosu.card_set
    peaceful = replace(cards, cards=tuple(replace(card, win=()) for card in cards.cards))
    assert gosu_rl.game("gosu", cards=peaceful).endings == ("", "points", "fifteen", "", "truncated", "")


@pytest.mark.parametrize("none", [None, "none", "None", "NONE", -1])
def test_none_is_written_as_one_likes(none: object) -> None:
    assert gosu_rl.game("gosu", rules={"turns_after_pass": none}).rules["turns_after_pass"] == -1


@pytest.mark.parametrize(
    "words", [["play"], ["winrates"], ["tournament"], ["cards", "impact"], ["exploit"], ["bench"]], ids=" ".join
)
def test_help_has_an_example_for_every_variant(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--help"]) == 0
    out = capsys.readouterr().out
    examples = out.split("examples:")[1].replace("gosu-rl", "")
    named = set(re.findall(r"[a-z_]+", examples))
    assert named >= set(gosu_rl.variants()) - {"tactics"}  # which some commands take when none is named
    if words != ["cards", "impact"]:
        assert "the game: tactics, gosu" in " ".join(out.split())
    if words == ["play"]:
        for page in ("rulings", "rulings-gosu", "rulings-gosu-x", "rulings-epic-death"):
            assert f"docs/{page}.md" in out


def test_help_of_winrates_says_what_each_variant_measures(capsys: pytest.CaptureFixture[str]) -> None:
    """It spoke of the Advantage card as if every variant had one."""
    assert main(["winrates", "--help"]) == 0
    out = capsys.readouterr().out
    about = {
        line.split()[0]: line
        for line in out.split("on the same deals")[1].split("examples:")[0].splitlines()[1:]
        if line
    }
    assert "Advantage card" in about["tactics"]
    assert "Advantage token" in about["gosu"]
    assert all(word in about["gosu_x"] for word in ("first player", "clans", "tiles", "Wonder token"))
    assert all(word in about["epic_death"] for word in ("first turn", "Leaders"))
    for variant in ("gosu_x", "epic_death"):
        assert "Advantage" not in about[variant]
        assert f"gosu-rl winrates {variant} " in out
