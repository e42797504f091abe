"""Where the games of a run are kept while and after it is played: one SQLite file.

A chunk of deals is one transaction: a killed run loses the chunk it was in and nothing else. The file carries the
run's identity, so games of different runs are never mixed.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE_NAME = "games.sqlite"
FORMAT = 1


class Store:
    """The games of one run in `folder/games.sqlite`; rows are indexed [deal, seating, first holder]."""

    def __init__(self, folder: Path, identity: dict[str, Any], dtype: np.dtype, block: tuple[int, int]) -> None:
        """Open or create the file. `block` is (seatings, holders). ValueError where `folder` holds another run."""
        self.path = folder / FILE_NAME
        self.dtype = dtype
        self.block = block
        facts = {"format": FORMAT, "identity": identity, "dtype": repr(dtype.descr), "block": list(block)}
        facts = json.loads(json.dumps(facts, default=str))
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with closing(self._connect()) as database, database:
                database.execute("create table if not exists run (facts text not null)")
                database.execute("create table if not exists chunk (start integer, stop integer, games blob)")
                known = database.execute("select facts from run").fetchone()
                if known is None:
                    database.execute("insert into run values (?)", [json.dumps(facts)])
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{self.path}: not a readable results file ({error}); name another --out") from None
        if known is not None and (old := json.loads(known[0])) != facts:
            raise ValueError(
                f"{folder} holds another run ({_difference(old, facts)}); name another --out, or --fresh to replace it"
            )

    def add(self, start: int, rows: NDArray[Any]) -> None:
        """Keep the games of deals start…; `rows[deal, seating, holder]`, whole deals only."""
        if rows.shape[1:] != self.block or rows.dtype != self.dtype:
            raise ValueError(f"rows of shape {rows.shape} and dtype {rows.dtype} do not belong into {self.path}")
        with closing(self._connect()) as database, database:
            values = [start, start + len(rows), rows.tobytes()]
            database.execute("insert into chunk values (?, ?, ?)", values)

    def load(self, deals: int) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """(rows[deals, seatings, holders], bool[deals] which of them are there)."""
        rows = np.zeros((deals, *self.block), self.dtype)
        there = np.zeros(deals, np.bool_)
        with closing(self._connect()) as database:
            for start, stop, blob in database.execute("select start, stop, games from chunk where start < ?", [deals]):
                chunk = np.frombuffer(blob, self.dtype)
                if chunk.size != (stop - start) * self.block[0] * self.block[1]:
                    raise ValueError(f"{self.path}: deals {start} to {stop - 1} are damaged; run again with --fresh")
                keep = min(stop, deals) - start
                rows[start : start + keep] = chunk.reshape(-1, *self.block)[:keep]
                there[start : start + keep] = True
        return rows, there

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=30)


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    """The first fact in which two runs differ, in words."""
    before, after = {**old, **old.get("identity", {})}, {**new, **new["identity"]}
    for name in ("variant", "players", "cards", "rules", "agents", "seed", "behaviour"):
        if before.get(name) != after.get(name):
            if name == "behaviour":
                return "played by an earlier state of the code"
            return f"{name} {before.get(name)}, not {after.get(name)}"
    return "written by another version of gosu_rl"
