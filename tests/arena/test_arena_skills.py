"""Several levels of skill in one call, and playing until an interval is narrow enough."""

import json

import pytest
from test_arena_command import command  # noqa: F401  the fixture

from gosu_rl.arena import runner
from gosu_rl.arena.precision import next_size


def cell(data, table, row, column):
    found = next(one for one in data["tables"] if one["title"] == table)
    return next(line for line in found["rows"] if line[0] == row)[found["columns"].index(column)]


WORTH = "Worth of the Advantage card by skill"


def test_levels_side_by_side(command, tmp_path):  # noqa: F811
    code, text = command("tactics --skills random,greedy --deals 60 --seed 3 --out here --workers 1")
    assert code == 0
    data = json.loads((tmp_path / "here" / "result.json").read_text())
    assert (data["kind"], data["complete"]) == ("skills", True)
    assert (
        data["command"] == "gosu-rl winrates tactics --skills random,greedy --players 2 --deals 60 --seed 3 --out here"
    )
    assert "Win rates by skill in tactics, 2 players" in text
    for number, level in enumerate(("random", "greedy"), 1):
        folder = tmp_path / "here" / f"{number}-{level}"
        alone = json.loads((folder / "result.json").read_text())
        assert alone["kind"] == "winrates"
        single = cell(alone, "Win share of the first holder", "any seat", "estimate")
        assert cell(data, WORTH, level, "first holder wins") == single
        assert cell(data, WORTH, level, "deals") == 60
        assert f"{number}-{level}/result.json" in [file["file"] for file in data["files"]]
        assert (folder / alone["plots"][0]["file"]).read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "here" / "skills.png").read_bytes().startswith(b"\x89PNG")
    # A level by itself is the same run as with --agents.
    _, alone_text = command("tactics --agents greedy --deals 60 --seed 3 --out here/2-greedy --workers 1")
    assert "120 = 60 deals" in alone_text


def test_levels_stopped_and_gone_on(command, tmp_path, monkeypatch):  # noqa: F811
    line = "tactics --skills random,greedy --deals 80 --out here --workers 1 --no-plots"
    real, calls = runner.play_block, []

    def stopped(game, plan, start, stop, workers=1):
        calls.append(plan.agents[0])
        if calls.count("greedy"):
            raise KeyboardInterrupt
        return real(game, plan, start, stop, workers)

    monkeypatch.setattr(runner, "play_block", stopped)
    code, text = command(line)
    assert code == 130
    assert "INCOMPLETE: not played yet: greedy" in text
    monkeypatch.setattr(runner, "play_block", real)
    assert command(line)[0] == 0
    assert json.loads((tmp_path / "here" / "result.json").read_text())["complete"] is True


@pytest.mark.parametrize("wanted", [0.05, 0.03])
def test_played_until_the_interval_is_narrow(command, tmp_path, wanted):  # noqa: F811
    code, text = command(f"tactics --precision {wanted} --out here --workers 1 --no-plots")
    assert code == 0
    data = json.loads((tmp_path / "here" / "result.json").read_text())
    holder = cell(data, "Win share of the first holder", "any seat", "estimate")
    assert (holder["high"] - holder["low"]) / 2 <= wanted
    assert f"played until ± {100 * wanted:g} points" in text
    assert f"--precision {wanted:g} --seed" in text
    games = cell(data, "Win share of the first holder", "any seat", "games")
    _, again = command(f"tactics --precision {wanted} --out there --workers 1 --no-plots")
    assert again.replace("there", "here") == text  # the same deals every time
    assert games < 20_000


def test_a_precision_out_of_reach_is_told(command):  # noqa: F811
    code, text = command("tactics --precision 0.001 --max-deals 250 --out here --workers 1 --no-plots")
    assert code == 0
    assert "NOT REACHED: ± 0.1 points" in text
    assert "500 = 250 deals" in text


def test_sizes_grow_with_the_square_and_stay_within_the_limit():
    assert next_size(0, float("nan"), 0.01, 1000) == 200
    assert next_size(0, float("nan"), 0.01, 50) == 50
    assert next_size(200, 0.02, 0.01, 10_000) == 840
    assert next_size(1000, 0.0101, 0.01, 10_000) == 1100
    assert next_size(200, 0.02, 0.01, 300) == 300
    assert next_size(200, float("inf"), 0.01, 1000) == 400


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--skills random", "--skills wants at least two"),
        ("--skills random,random", "--skills wants at least two"),
        ("--skills random,greedy --agents greedy", "--skills and --agents exclude each other"),
        ("--precision 0", "--precision must lie between"),
        ("--precision 0.01 --deals 5", "--deals and --precision exclude each other"),
        ("--max-deals 5", "--max-deals goes with --precision"),
        ("--precision 0.1 --max-deals 1", "--max-deals must be at least 2"),
    ],
)
def test_bad_input_is_one_clear_line(command, line, words):  # noqa: F811
    with pytest.raises(ValueError, match=words) as caught:
        command("tactics --no-plots " + line)
    assert "\n" not in str(caught.value)
