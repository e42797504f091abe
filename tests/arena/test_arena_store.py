"""Results on disk: whole chunks or nothing, one run a file, no matter who wrote which part."""

import json
import sqlite3

import numpy as np
import pytest
from fake_game import DTYPE, FakeGame

from gosu_rl.arena import runner
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.store import Store, StoreError

IDENTITY = {"variant": "tactics", "players": 2, "seed": 1}


def some(deals, first=0):
    rows = np.zeros((deals, 1, 2), DTYPE)
    rows["seed"] = (first + np.arange(deals))[:, None, None]
    return rows


def test_chunks_come_back_in_their_places(tmp_path):
    store = Store(tmp_path / "new" / "run", IDENTITY, DTYPE, (1, 2))
    store.add(6, some(4, 6))
    store.add(0, some(3))
    store.close()
    with Store(tmp_path / "new" / "run", IDENTITY, DTYPE, (1, 2)) as again:
        rows, there = again.load(8)
    assert there.tolist() == [True, True, True, False, False, False, True, True]
    assert rows["seed"][there, 0, 0].tolist() == [0, 1, 2, 6, 7]


def test_another_run_is_refused_and_named(tmp_path):
    Store(tmp_path, IDENTITY, DTYPE, (1, 2)).close()
    with pytest.raises(ValueError, match=r"seed 1, not 2.*--out"):
        Store(tmp_path, {**IDENTITY, "seed": 2}, DTYPE, (1, 2))
    with pytest.raises(ValueError, match="earlier state of the code"):
        Store(tmp_path, {**IDENTITY, "behaviour": "ff"}, DTYPE, (1, 2))
    with pytest.raises(ValueError, match="another version"):
        Store(tmp_path, IDENTITY, np.dtype("u8"), (1, 2))


def test_a_file_that_is_no_database_is_one_clear_line(tmp_path):
    (tmp_path / "games.sqlite").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(ValueError, match=r"games.sqlite: not a readable results file"):
        Store(tmp_path, IDENTITY, DTYPE, (1, 2))


def test_a_file_of_another_version_is_refused(tmp_path):
    Store(tmp_path, IDENTITY, DTYPE, (1, 2)).close()
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        facts = json.loads(database.execute("select facts from run").fetchone()[0])
        database.execute("update run set facts = ?", [json.dumps({**facts, "format": 1})])
    database.close()
    with pytest.raises(StoreError, match=r"another version of gosu_rl: format 1 of the file, not 2.*--out"):
        Store(tmp_path, IDENTITY, DTYPE, (1, 2))


def test_two_writers_of_one_file_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr("gosu_rl.arena.store.PATIENCE", 0.1)
    with (
        Store(tmp_path, IDENTITY, DTYPE, (1, 2)),
        pytest.raises(StoreError, match=r"games.sqlite: in use by another process.*--out") as caught,
    ):
        Store(tmp_path, IDENTITY, DTYPE, (1, 2))
    assert "\n" not in str(caught.value)
    Store(tmp_path, IDENTITY, DTYPE, (1, 2)).close()  # free again


def test_a_full_disk_is_one_clear_line_and_loses_nothing(tmp_path):
    with Store(tmp_path, IDENTITY, DTYPE, (1, 2)) as store:
        store.add(0, some(3))
        pages = store.database.execute("pragma page_count").fetchone()[0]
        store.database.execute(f"pragma max_page_count = {pages}")  # a disk with no room left
        with pytest.raises(StoreError, match=r"games.sqlite: the disk is full; games played so far are kept"):
            store.add(3, some(500, 3))
        assert store.load(503)[1].sum() == 3
    with Store(tmp_path, IDENTITY, DTYPE, (1, 2)) as store:
        store.add(3, some(500, 3))  # room again
        assert store.load(503)[1].all()


def test_a_folder_that_may_not_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "games.sqlite").mkdir()
    with pytest.raises(StoreError, match=r"games.sqlite: cannot be opened; name another --out"):
        Store(tmp_path, IDENTITY, DTYPE, (1, 2))


def test_a_damaged_chunk_is_noticed(tmp_path):
    store = Store(tmp_path, IDENTITY, DTYPE, (1, 2))
    store.add(0, some(3))
    with store.database:
        store.database.execute("update chunk set games = substr(games, 1, ?)", [DTYPE.itemsize * 4])
    with pytest.raises(ValueError, match="deals 0 to 2 are damaged"):
        store.load(3)


def test_rows_of_another_shape_are_refused(tmp_path):
    store = Store(tmp_path, IDENTITY, DTYPE, (1, 2))
    with pytest.raises(ValueError, match="do not belong"):
        store.add(0, np.zeros((3, 2, 2), DTYPE))


@pytest.mark.parametrize("agents", [("greedy",), ("greedy", "random")])
def test_a_run_played_in_pieces_has_the_games_of_one_played_at_once(tmp_path, agents):
    game, plan = FakeGame(), Plan(GameSpec("tactics", 2), agents, 9)
    block = (len(plan.seatings), 2)
    whole, parts = (Store(tmp_path / name, IDENTITY, DTYPE, block) for name in ("whole", "parts"))
    heard = []
    assert runner.play(game, plan, whole, 60, 1, heard.append)
    assert sum(heard) == 60
    parts.add(20, runner.play_block(game, plan, 20, 33))  # as if a run had been killed here
    parts.add(41, runner.play_block(game, plan, 41, 42))
    assert runner.play(game, plan, parts, 50, 1, heard.append)
    assert runner.play(game, plan, parts, 60, 1, heard.append)
    assert (parts.load(60)[0] == whole.load(60)[0]).all()
    game.calls = 0
    assert runner.play(game, plan, parts, 60, 1, heard.append)
    assert game.calls == 0  # nothing is played twice
