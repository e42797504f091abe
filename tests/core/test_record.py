"""Records of real games: the same everywhere, borne out by a replay, and blank where a seat cannot know."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gosu_rl
from gosu_rl.core.record import Record, Recorder, RecordError
from gosu_rl.core.replay import replay

HASH_PROGRAM = """
import gosu_rl
game = gosu_rl.game("tactics", players=2)
print(gosu_rl.play(game, ["random", "random"], seed=11).hash)
"""


@pytest.fixture(scope="module", params=[2, 3, 4])
def game(request: pytest.FixtureRequest) -> Any:
    return gosu_rl.game("tactics", players=request.param)


def random_record(game: Any, seed: int) -> Record:
    return gosu_rl.play(game, ["random"] * game.players, seed=seed)


def changed(record: Record, index: int, **fields: Any) -> Record:
    lines = list(record.lines)
    lines[index] = {**lines[index], **fields}
    return Record(tuple(lines), "games.jsonl", 101)


def index_of(record: Record, kind: str) -> int:
    return next(index for index, line in enumerate(record.lines) if line["line"] == kind)


def shuffled_record(game: Any) -> Record:
    """The first record in which the pile was shuffled."""
    for seed in range(2000):  # rare with two players
        record = random_record(game, seed)
        if any(line["line"] == "chance" for line in record.lines):
            return record
    raise AssertionError("no game of 2000 reshuffled its pile")


def test_a_record_holds_the_whole_game(game: Any) -> None:
    record = random_record(game, 1)
    header, deal, result = record.header, record.deal, record.result
    assert (header["variant"], header["players"], header["seed"]) == ("tactics", game.players, 1)
    assert header["cards"]["hash"] == game.card_set.hash
    assert header["agents"] == ["random"] * game.players
    assert [len(hand) for hand in deal["hands"]] == [10] * game.players
    assert len(deal["draw_pile"]) == game.card_set.copies - 10 * game.players
    assert result["decisions"] == len(record.decisions)
    assert sum(result["returns"]) == pytest.approx(0.0)
    assert all(line["chosen"] in line["legal"] for line in record.decisions)


def test_files_and_replays_agree(game: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records = [random_record(game, seed) for seed in range(5)]
    for record in records:
        record.append(path)
    again = Record.read_all(path)
    assert again == records
    assert [record.hash for record in again] == [record.hash for record in records]
    assert len({record.hash for record in again}) == 5
    for record in again:
        state = replay(record)  # the game made from the header
        assert state.over
        assert [float(value) for value in state.returns] == record.returns


def test_shuffles_are_logged_with_their_order(game: Any) -> None:
    record = shuffled_record(game)
    line = record.lines[index_of(record, "chance")]
    assert line["event"] == "shuffle"
    assert line["number"] == 1
    assert len(line["order"]) > 0
    replay(record, game)
    index = index_of(record, "chance")
    wrong = list(line["order"])
    wrong[0] = next(label for label in wrong if label != wrong[0])
    with pytest.raises(RecordError, match=f"games.jsonl:{101 + index}: decision {line['n']}: the record says order"):
        replay(changed(record, index, order=wrong), game)


def test_the_advantage_card_can_be_given(game: Any) -> None:
    records = [gosu_rl.play(game, ["random"] * game.players, seed=5, advantage=seat) for seat in range(game.players)]
    assert [record.deal["holder"] for record in records] == list(range(game.players))
    assert len({str(record.deal["hands"]) for record in records}) == 1  # T46: the same deal
    for record in records:
        replay(record, game)


def test_the_first_difference_is_named(game: Any) -> None:
    record = random_record(game, 2)
    at = 101
    first = index_of(record, "decision")
    decision = record.lines[first]
    other = (decision["player"] + 1) % game.players
    with pytest.raises(RecordError, match=rf"^games.jsonl:{at + first}: decision 0: the record says player {other}"):
        replay(changed(record, first, player=other), game)
    with pytest.raises(RecordError, match=r"^games.jsonl:101: header: .*turns_after_pass"):
        replay(changed(record, 0, rules={**record.header["rules"], "turns_after_pass": 9}), game)
    with pytest.raises(RecordError, match=r"^games.jsonl:102: deal: the record says holder"):
        replay(changed(record, 1, holder=(record.deal["holder"] + 1) % game.players), game)
    with pytest.raises(RecordError, match=r"^games.jsonl:102: deal: .*hands"):
        replay(changed(record, 0, seed=3), game)
    last = len(record.lines) - 1
    with pytest.raises(RecordError, match=rf"^games.jsonl:{at + last}: result: the record says rounds"):
        replay(changed(record, last, rounds=record.result["rounds"] + 1), game)
    legal = [*decision["legal"], "discard Nobody"]
    with pytest.raises(RecordError, match=r"decision 0: the record says legal has discard Nobody"):
        replay(changed(record, first, legal=legal), game)


def test_another_choice_shows_at_the_next_difference(game: Any) -> None:
    record = random_record(game, 2)
    for index, line in enumerate(record.lines):
        if line["line"] == "decision" and len(line["legal"]) > 1 and line["kind"] == "turn":
            chosen = next(label for label in line["legal"] if label != line["chosen"])
            with pytest.raises(RecordError, match=r"^games.jsonl:\d+: .*the record says .*; the game gives"):
                replay(changed(record, index, chosen=chosen), game)
            return
    raise AssertionError("no turn with a choice")


def test_other_cards_and_seat_records_are_refused(game: Any) -> None:
    record = random_record(game, 2)
    cards = {**record.header["cards"], "hash": "0" * 12}
    with pytest.raises(RecordError, match=r"^games.jsonl:101: was played with the card set .*@000000000000"):
        replay(changed(record, 0, cards=cards), game)
    with pytest.raises(RecordError, match="holds only what seat 0 knew"):
        replay(record.for_seat(0), game)


def test_a_recorder_refuses_what_the_game_refuses(game: Any) -> None:
    state = game.new(seed=4)
    recorder = Recorder(game, state, seed=4)
    before = len(recorder.lines)
    with pytest.raises(ValueError, match="pass"):
        recorder.apply("pass")
    assert len(recorder.lines) == before
    assert recorder.decisions == 0
    with pytest.raises(RecordError, match="the game is not over"):
        recorder.finish()
    recorder.apply(state.legal_labels[0])
    assert recorder.lines[-1]["chosen"] == recorder.lines[-1]["legal"][0]


def test_of_two_shuffles_in_one_step_only_the_last_order_is_known() -> None:
    """No card set tried so far does it, so the state here is made up."""

    played = gosu_rl.game("tactics", players=2)

    class Twice:
        game = played
        mover, kind, legal_labels, shuffles = 0, "turn", ["pass"], 2
        pile_order = ["B", "A"]  # noqa: RUF012

        def as_dict(self) -> dict[str, Any]:
            return {"players": [{"hand": []}, {"hand": []}], "draw_pile": [], "advantage": 0}

        def apply(self, action: str) -> None:
            self.shuffles += 2

    recorder = Recorder(played, Twice(), seed=1)
    recorder.apply("pass")
    assert recorder.lines[-2:] == [
        {
            "line": "chance", "n": 0, "event": "shuffle", "number": 3, "order": None,
            "why": "shuffled again in the same step",
        },
        {"line": "chance", "n": 0, "event": "shuffle", "number": 4, "order": ["B", "A"]},
    ]  # fmt: skip
    shown = Record(tuple(recorder.lines)).for_seat(1).lines
    assert [line["order"] for line in shown[-2:]] == [None, None]
    assert [line["cards"] for line in shown[-2:]] == [None, ["A", "B"]]


def test_a_seats_record_depends_on_its_views_alone(game: Any) -> None:
    """Two worlds that look alike to a seat give it the same record for as long as they look alike."""
    rng = random.Random(8)
    alike = 0
    for seed in range(30):
        seat = seed % game.players
        state = game.new(seed=seed)
        other = state.view(seat).determinize(seed=seed + 1000)
        recorders = [Recorder(game, world, seed=None) for world in (state, other)]
        while not state.over and state.view(seat) == other.view(seat):
            both = [label for label in state.legal_labels if label in other.legal_labels]
            if not both:
                break
            label = rng.choice(both)
            for recorder in recorders:
                recorder.apply(label)
            shown = [Record(tuple(recorder.lines)).for_seat(seat).lines for recorder in recorders]
            assert shown[0] == shown[1]
            alike += 1
    assert alike > 100


def test_a_seats_record_names_no_card_that_it_never_saw(game: Any) -> None:
    record = random_record(game, 3)
    for seat in range(game.players):
        shown = record.for_seat(seat)
        assert [hand is None for hand in shown.deal["hands"]] == [owner != seat for owner in range(game.players)]
        for line in shown.decisions:
            assert (line["legal"] is None) == (line["player"] != seat)
            if line["kind"] == "opening":
                assert (line["chosen"] is None) == (line["player"] != seat)
        reveal = next(line for line in shown.lines if line["line"] == "reveal")
        picks = [
            sorted(line["chosen"] for line in record.decisions if line["kind"] == "opening" and line["player"] == p)
            for p in range(game.players)
        ]
        assert reveal["picks"] == picks
        assert [len(three) for three in picks] == [3] * game.players


@pytest.mark.slow
def test_the_hash_is_the_same_in_other_processes_and_without_the_compiler() -> None:
    game = gosu_rl.game("tactics", players=2)
    here = gosu_rl.play(game, ["random", "random"], seed=11).hash
    for settings in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "NUMBA_DISABLE_JIT": "1"}):
        out = subprocess.run(
            [sys.executable, "-c", HASH_PROGRAM],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=True,
        )
        assert out.stdout.strip() == here
