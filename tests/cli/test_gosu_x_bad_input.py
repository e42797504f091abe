"""What a user of Gosu X can get wrong: one clear line each, which names the place and the way out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.cli import main
from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import replay

SETS = Path(gosu_rl.__file__).parent / "core" / "cards" / "sets"
SIX = "fixed:Justice,Goan Sul,Tomorrow,Galmi,Phoenix,Xi'an"


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
        (
            ["gosu_x", "--draft", "fixed:Justice,Galmi"],
            "rule draft must be agents, random, or fixed: and six clans, not 2",
        ),
        (
            ["gosu_x", "--draft", f"{SIX},Narashima"],
            "rule draft must be agents, random, or fixed: and six clans, not 7",
        ),
        (["gosu_x", "--draft", "fixed:"], "rule draft must be agents, random, or fixed: and six clans, not 0"),
        (["gosu_x", "--draft", f"{SIX},"], "rule draft: '' is no clan (Justice, Abhilasha, "),
        (["gosu_x", "--draft", SIX.replace("Galmi", "Galmy")], "'Galmy' is no clan (Justice, Abhilasha, "),
        (["gosu_x", "--draft", SIX.replace("Galmi", "Justice")], "a clan is picked twice (Justice, Goan Sul, "),
        (["gosu_x", "--draft", "lots"], "rule draft must be agents, random, or fixed: and six clans, not 'lots'"),
        (["gosu_x", "--draft", ""], "rule draft must be agents, random, or fixed: and six clans, not ''"),
        (["gosu_x", "--draft", "random", "--rules", "draft=agents"], "--draft and --rules draft=… say the same"),
        (["tactics", "--draft", "random"], "--draft 'random': tactics has no draft, only gosu_x has; leave it out"),
        (["gosu", "--rules", "draft=random"], "unknown rule 'draft' for gosu"),
        (["gosu_x", "--rules", "draft=9"], "rule draft: a clan is picked twice"),
        (["gosu_x", "--players", "3"], "gosu_x is for 2 players, not 3"),
        (["gosu_x", "--rules", "keep=7"], "unknown rule 'keep' for gosu_x; there are deal, draft, full_army"),
        (["gosu_x", "--rules", "token_limit=10"], "rule token_limit must be a whole number from 0 to 9, not 10"),
        (["gosu_x", "--rules", "hand_limit=x"], "write it like turns_after_pass=3, with a whole number"),
        (["gosu_xx"], "unknown variant 'gosu_xx'; did you mean 'gosu_x'?"),
        (["gosu_x", "--agents", "mcts:rollout=foo"], "gosu_x has no rollout policy 'foo'"),
        (["gosu_x", "--cards", str(SETS / "gosu.toml")], "gosu.toml is a card set for 'gosu', not for 'gosu_x'"),
        (
            ["tactics", "--cards", str(SETS / "gosu_x.toml")],
            "gosu_x.toml is a card set for 'gosu_x', not for 'tactics'",
        ),
    ],
)
def test_drafts_rules_players_and_sets(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refused(["winrates", *words, "--deals", "2"], capsys)


def test_other_commands_take_the_same_drafts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = ["--draft", "fixed:Justice"]
    for command in (
        ["play", "gosu_x", "--seats", "greedy,random"],
        ["tournament", "gosu_x", "--agents", "greedy,random"],
        ["cards", "impact", "gosu_x"],
    ):
        assert "six clans" in refused([*command, *bad], capsys)
    assert "has no draft" in refused(["cards", "impact", "tactics", "--draft", "random"], capsys)
    game = tmp_path / "game.jsonl"
    words = ["play", "gosu_x", "--seats", "greedy,random", "--seed", "5", "--draft", SIX, "--record", str(game)]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "picks" not in told  # nothing is left to be drafted
    assert "Goan Sul, Tomorrow, Xi'an" in told
    assert main(["replay", str(game)]) == 0


def test_rules_at_their_ends_are_played_out() -> None:
    """Games end, in every extreme: no tokens, no cards in hand, one turn after a pass, an army of one."""
    for rules in (
        {"tokens": 0, "token_limit": 0},
        {"tokens": 9, "token_limit": 9},
        {"deal": 1, "hand_target": 0, "hand_limit": 0},
        {"deal": 20, "hand_target": 20, "hand_limit": 60},
        {"turns_after_pass": 0, "max_mulligans": 0},
        {"full_army": 1},
        {"points_to_win": 1, "new_clan_cost": 20},
        {"max_decisions": 7},
    ):
        game = gosu_rl.game("gosu_x", rules=rules)
        rows = game.play_many(["random", "random"], range(1, 31))
        if "max_decisions" in rules:
            assert rows["truncated"].all()
        else:
            assert rows["truncated"].mean() < 0.2, rules
            assert set(rows["reason"]) - {0}


@pytest.mark.parametrize(
    "words", [SIX.upper(), SIX.replace(" ", "_"), SIX.replace("'", "’"), f" {SIX.replace(',', ' , ')} ", SIX.title()]
)
def test_clans_may_be_written_in_several_ways(words: str) -> None:
    meant = gosu_rl.game("gosu_x", rules={"draft": SIX}).rules["draft"]
    assert gosu_rl.game("gosu_x", rules={"draft": words}).rules["draft"] == meant
    assert gosu_rl.game("gosu_x", rules={"draft": " Random"}).rules["draft"] == 1


def test_another_run_in_the_folder_is_told_by_the_rules_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["winrates", "gosu_x", "--agents", "random", "--deals", "2", "--no-plots", "--out", str(tmp_path)]
    assert main([*words, "--draft", "random"]) == 0
    capsys.readouterr()
    assert "holds another run (rules draft=random, not draft=agents); name another --out" in refused(words, capsys)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (r"(?m)^  hand: .+$", "  hand: ", r"has hand_size=\d+, but 'hand:' names 0 cards"),
        (r"hand_size=\d+", "hand_size=9", r"has hand_size=9, but 'hand:' names|cards of p\d are named nowhere, but 9"),
        (
            r"(?m)^  deck: \?, ",
            "  deck: ",
            r"\d+ cards of p\d are named nowhere, but \d+ of his hand and \d+ of his deck",
        ),
    ],
)
def test_a_view_whose_cards_do_not_add_up(old: str, new: str, told: str) -> None:
    """Refused when it is read, for both viewers, and not first when a world is drawn."""
    game = gosu_rl.game("gosu_x")
    state = game.new(seed=2)
    while state.kind != "turn":
        state.apply(state.legal[0])
    for seat in (0, 1):
        text = str(state.view(seat))
        assert game.parse(text) == state.view(seat)
        with pytest.raises(ValueError, match=told):
            game.parse(re.sub(old, new, text))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            r"draft=Justice\+Galmi",
            "draft=Justice",
            "the clans of p1 must be those that 'draft=' gives him where p0 is first: none",
        ),
        (r"draft=Justice\+Galmi", "draft=Justice+Justice", "'draft=' names a clan twice"),
        (r"(?m)^now: .*\n", "", "the clans of p0 must be those that 'draft=' gives him where p0 is first: none"),
        (r"  clans: Justice", "  clans: Phoenix", "the clans of p0 must be those"),
        (r"tiles=\w+\+", "tiles=", "'tiles=' must name the clans that nobody has drafted"),
        (r"draw_pile: [^,]+, ", "draw_pile: ", "all 120 cards lie in 'draw_pile:'; 1 do not"),
        (r"; draft p1$", "", "'draft=' leaves the stack to end with 'draft p1; draft p0; draft p0; draft p1'"),
        (r"draft p1$", "draft p0", "'draft=' leaves the stack to end with 'draft p1; draft p0; draft p0; draft p1'"),
    ],
)
def test_a_draft_that_cannot_be(old: str, new: str, told: str) -> None:
    """Played on, it ended in a position that could not be."""
    game = gosu_rl.game("gosu_x")
    state = game.new(seed=2, advantage=0).apply("pick Justice").apply("pick Galmi")
    text = str(state)
    assert game.parse(text) == state
    changed = re.sub(old, new, text.strip(), count=1)
    assert changed != text.strip()
    with pytest.raises(ValueError, match=re.escape(told)):
        game.parse(changed)


def test_who_has_passed_has_no_turns_left() -> None:
    """The kernel gave him turns for ever that he could not take."""
    game = gosu_rl.game("gosu_x", rules={"draft": "random"})
    state = game.new(seed=2)
    while state.kind != "turn":
        state.apply(state.legal[0])
    other = 1 - state.mover
    for told, new in (
        ("64 is out of range 0 to 1", "passed=64"),
        (f"p{other} has passed=1 and turns_left=-1", "passed=1"),
    ):
        head, line, rest = re.split(rf"(?m)^(p{other}: .*)$", str(state), maxsplit=1)
        with pytest.raises(ValueError, match=told):
            game.parse(head + line.replace("passed=0", new) + rest)


def test_an_action_that_is_not_legal() -> None:
    state = gosu_rl.game("gosu_x").new(seed=1)
    for kind in ("draft", "turn"):
        while state.kind != kind:
            state.apply(state.legal[0])
        before = state.copy()
        for action in ("activate 1.1", "pick Galmy", "pick fire", "player p1", "spend 3", -1, 10_000, "recruit"):
            with pytest.raises(ValueError, match=r"legal|no action") as caught:
                state.apply(action)
            assert "\n" not in str(caught.value)
            assert state == before


def test_a_record_of_one_variant_is_not_read_as_another(tmp_path: Path) -> None:
    """The header decides; a changed header, cards of another game or a changed pick are found out."""
    record = gosu_rl.play(gosu_rl.game("gosu_x"), ["greedy", "random"], seed=3)
    path = tmp_path / "game.jsonl"
    record.write(path)
    assert replay(Record.read(path)).returns.tolist() == record.returns
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for variant in ("tactics", "gosu"):
        lines[0]["variant"] = variant
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        with pytest.raises(RecordError) as caught:
            replay(Record.read(path))
        assert str(caught.value).startswith(f"{path}:1")
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="is a card set for 'gosu', not for 'gosu_x'"):
        replay(record, cards=SETS / "gosu.toml")


def test_analyse_speaks_of_a_recorded_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    gosu_rl.play(gosu_rl.game("gosu_x"), ["greedy", "random"], seed=3).write(path)
    assert main(["analyse", str(path), "--move", "2", "--agent", "mcts:sims=20"]) == 0
    assert "pick " in capsys.readouterr().out


def test_a_position_of_one_variant_is_not_read_as_another() -> None:
    text = str(gosu_rl.game("gosu_x").new(seed=2))
    for variant in ("tactics", "gosu"):
        with pytest.raises(ValueError, match="gosu_x") as caught:
            gosu_rl.game(variant).parse(text)
        assert "\n" not in str(caught.value)
