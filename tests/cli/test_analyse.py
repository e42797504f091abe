"""`gosu-rl analyse` on positions and records: right decision, mover's view only, errors of one line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.cli import main
from gosu_rl.core.record import Record

SPEC = "mcts:sims=60"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    for players, seed in ((2, 1), (3, 2)):
        gosu_rl.play(gosu_rl.game("tactics", players=players), ["greedy"] * players, seed=seed).append(path)
    return path


@pytest.fixture(scope="module")
def state() -> gosu_rl.core.game.GameState:
    """A turn of a game of two with several legal actions."""
    game, found = gosu_rl.game("tactics"), []

    def watch(position):
        if position.kind == "turn" and len(position.legal) > 2 and position.round == 2:
            found.append(position.copy())

    gosu_rl.play(game, ["greedy", "greedy"], seed=3, watch=watch)
    return found[0]


def data(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    assert main(["analyse", *words, "--agent", SPEC, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_position_shows_board_and_actions(state, tmp_path, capsys):
    path = tmp_path / "position.txt"
    path.write_text(str(state), encoding="utf-8")
    assert main(["analyse", str(path), "--agent", SPEC, "--plot", str(tmp_path / "a.png")]) == 0
    text = capsys.readouterr().out
    assert f"as p{state.mover} sees it" in text
    assert f"p{state.mover} to decide: turn (round 2), {path}" in text
    assert all(f"\n  {label}  " in text for label in state.legal_labels)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    found = data([str(path)], capsys)
    assert sorted(one["label"] for one in found["actions"]) == sorted(state.legal_labels)
    visits = [one["visits"] for one in found["actions"]]
    assert sum(visits) == found["iterations"] == 60
    assert visits == sorted(visits, reverse=True)
    assert all(0 <= one["value"] <= 1 for one in found["actions"] if one["visits"])
    assert found["best"] == found["actions"][0]["label"]


def test_only_the_movers_view_counts(state, tmp_path, capsys):
    """The full position, the view, and another world with the same view give the same visits and values, exactly."""
    view = state.view(state.mover)
    found = []
    for number, position in enumerate((state, view, view.determinize(seed=8))):
        path = tmp_path / f"{number}.txt"
        path.write_text(str(position), encoding="utf-8")
        found.append(data([str(path)], capsys)["actions"])
    assert str(view.determinize(seed=8)) != str(state)
    assert found[0] == found[1] == found[2]


def test_standard_input(state, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(str(state)))
    assert data(["-", "--seat", str(state.mover)], capsys)["source"] == "standard input"


def test_top_keeps_the_most_visited(state, tmp_path, capsys):
    path = tmp_path / "position.txt"
    path.write_text(str(state), encoding="utf-8")
    assert main(["analyse", str(path), "--agent", SPEC, "--top", "1"]) == 0
    text = capsys.readouterr().out
    table = text[text.index("iterations in") :].splitlines()
    assert len(table) == 3
    assert table[0].endswith(f"; {len(state.legal) - 1} more actions with fewer visits")


def test_a_move_of_a_record_names_what_was_chosen(file, capsys):
    record = Record.read_all(file)[1]
    line = next(line for line in record.decisions if line["kind"] == "turn" and len(line["legal"]) > 2)
    words = [str(file), "--game", "2", "--move", str(line["n"])]
    found = data(words, capsys)
    assert (found["mover"], found["kind"], found["chosen"]) == (line["player"], "turn", line["chosen"])
    assert sorted(one["label"] for one in found["actions"]) == sorted(line["legal"])
    assert main(["analyse", *words, "--agent", SPEC]) == 0
    text = capsys.readouterr().out
    row = next(row for row in text.splitlines() if row.startswith(f"  {line['chosen']}  "))
    assert row.endswith("chosen")


def test_a_review_has_a_line_for_every_choice_of_the_seat(file, capsys):
    record = Record.read_all(file)[1]
    wanted = [line for line in record.decisions if line["player"] == 2 and len(line["legal"]) > 1]
    words = [str(file), "--game", "2", "--seat", "2", "--agent", "mcts:sims=20"]
    assert main(["analyse", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Review of the game"
    assert f"of {len(wanted)} choices" in lines[1]
    for row, line in zip(lines[3:], wanted, strict=True):
        assert row.split()[:3] == [str(line["n"]), "p2", line["kind"]]
        assert line["chosen"] in row


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{file}", "--game", "3"], "has no game 3; it holds games 1 to 2"),
        (["{file}", "--move", "9999"], "has no decision 9999; it holds decisions 0 to"),
        (["{file}", "--seat", "2"], "seat 2 is not in a game of 2"),
        (["{file}", "--move", "0", "--seat", "{other}"], "decision 0 is p"),
        (["{file}", "--plot", "a.png"], "--plot draws one decision; name it with --move"),
        (["{position}", "--move", "3"], "--move is for records"),
        (["{position}", "--plot", "a.pdf"], "give it a name that ends in .png"),
        (["{position}", "--top", "0"], "--top must be at least 1"),
        (["{position}", "--agent", "greedy"], "cannot say what it thinks"),
        (["{position}", "--agent", "mcts:sims=none"], "wants a whole number"),
        (["{position}", "--seat", "{notmover}"], "is to decide, not p"),
        (["{others}"], "only the mover's view can be searched"),
        (["{over}"], "the game is over"),
        (["{junk}"], "neither a record nor a position"),
        (["{house}"], "unknown variant 'chess'"),
        (["{cards}"], "name its file with --cards"),
        (["{folder}"], "is a folder; name a position text or a record file"),
        (["{binary}"], "not a text file"),
        (["{folder}/none.txt"], "No such file"),
    ],
)
def test_errors_are_one_line_and_2(file, state, tmp_path, capsys, words, message):
    final = gosu_rl.game("tactics").new(seed=1)
    while not final.over:
        final.apply(final.legal[-1])
    texts = {
        "position": str(state), "others": str(state.view(1 - state.mover)), "over": str(final), "junk": "hello\n",
        "house": "chess, 2 players\n", "cards": "tactics, 2 players, cards mine@0123456789ab\n",
    }  # fmt: skip
    places = {"file": file, "folder": tmp_path, "notmover": 1 - state.mover, "binary": tmp_path / "binary"}
    places["other"] = 1 - Record.read_all(file)[0].decisions[0]["player"]
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x01")
    for name, text in texts.items():
        places[name] = tmp_path / f"{name}.txt"
        places[name].write_text(text, encoding="utf-8")
    assert main(["analyse", *(word.format(**places) for word in words)]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
