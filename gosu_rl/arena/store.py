"""Where the games of a run are kept while and after it is played: one SQLite file, one run a file.

`Results` is what all runs share: the file carries the run's identity, so that games of different runs are never mixed;
a transaction is whole or not there, so that a killed run loses what it was playing and nothing else; one process at a
time may write; and what can go wrong with a file is one clear line. `Store` keeps chunks of deals for win rates (tens
of thousands of games a second), `game_store.GameStore` a row a game for tournaments.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena.wording import rules_text

FILE_NAME = "games.sqlite"
FORMAT = 2  # raised when a table or a fact changes its meaning
PATIENCE = 3.0  # seconds to wait for a file that somebody else has open
KEPT = "games played so far are kept"


class StoreError(ValueError):
    """Something is wrong with a results file; the message names the file and the way out."""


class Results:
    """An open results file `folder/games.sqlite`; a context manager that closes it.

    `facts` must hold `kind` (winrates, tournament) and `identity`; `tables` are the statements that make the tables.
    Raises StoreError where the folder holds another run, or the file cannot be used.
    """

    def __init__(self, folder: Path, facts: dict[str, Any], tables: list[str]) -> None:
        self.path = folder / FILE_NAME
        facts = json.loads(json.dumps({"format": FORMAT, **facts}, default=str))
        folder.mkdir(parents=True, exist_ok=True)
        with self.explained():
            self.database = sqlite3.connect(self.path, timeout=PATIENCE)
        try:
            with self.explained(), self.database:
                # Exclusive: two runs that write the same file at once would play every game twice.
                self.database.execute("pragma locking_mode = exclusive")
                self.database.execute("pragma journal_mode = wal")
                self.database.execute("pragma synchronous = normal")
                self.database.execute("begin immediate")
                self.database.execute("create table if not exists run (facts text not null)")
                known = self.database.execute("select facts from run").fetchone()
                if known is None:
                    for statement in tables:
                        self.database.execute(statement)
                    self.database.execute("insert into run values (?)", [json.dumps(facts)])
            if known is not None and (old := json.loads(known[0])) != facts:
                raise StoreError(
                    f"{folder} holds another run ({_difference(old, facts)}); "
                    "name another --out, or --fresh to replace it"
                )
        except BaseException:
            self.close()
            raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turns what SQLite says into a StoreError of one line."""
        try:
            yield
        except sqlite3.Error as error:
            code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the rest are finer shades
            explain = _EXPLANATIONS.get(code)
            why = explain(str(error)) if explain else f"{error}; name another --out"
            raise StoreError(f"{self.path}: {why}") from None

    def close(self) -> None:
        """Close the file; nothing can be kept after that."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Store(Results):
    """The games of a run of win rates; rows are indexed [deal, seating, first holder]."""

    def __init__(self, folder: Path, identity: dict[str, Any], dtype: np.dtype, block: tuple[int, int]) -> None:
        """Open or create the file. `block` is (seatings, holders). StoreError where `folder` holds another run."""
        self.dtype = dtype
        self.block = block
        facts = {"kind": "winrates", "identity": identity, "dtype": repr(dtype.descr), "block": list(block)}
        super().__init__(folder, facts, ["create table chunk (start integer, stop integer, games blob)"])

    def add(self, start: int, rows: NDArray[Any]) -> None:
        """Keep the games of deals start…; `rows[deal, seating, holder]`, whole deals only. One transaction."""
        if rows.shape[1:] != self.block or rows.dtype != self.dtype:
            raise ValueError(f"rows of shape {rows.shape} and dtype {rows.dtype} do not belong into {self.path}")
        with self.explained(), self.database:
            values = [start, start + len(rows), rows.tobytes()]
            self.database.execute("insert into chunk values (?, ?, ?)", values)

    def load(self, deals: int) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """(rows[deals, seatings, holders], bool[deals] which of them are there)."""
        rows = np.zeros((deals, *self.block), self.dtype)
        there = np.zeros(deals, np.bool_)
        with self.explained():
            found = self.database.execute("select start, stop, games from chunk where start < ?", [deals]).fetchall()
        for start, stop, blob in found:
            chunk = np.frombuffer(blob, self.dtype)
            if chunk.size != (stop - start) * self.block[0] * self.block[1]:
                raise StoreError(f"{self.path}: deals {start} to {stop - 1} are damaged; run again with --fresh")
            keep = min(stop, deals) - start
            rows[start : start + keep] = chunk.reshape(-1, *self.block)[:keep]
            there[start : start + keep] = True
        return rows, there


def remove(folder: Path) -> None:
    """Forget the games kept in `folder`, with what SQLite may have left beside them."""
    for ending in ("", "-wal", "-shm", "-journal"):
        (folder / (FILE_NAME + ending)).unlink(missing_ok=True)


_EXPLANATIONS: dict[int, Callable[[str], str]] = {
    sqlite3.SQLITE_FULL: lambda _: f"the disk is full; {KEPT}: make room and run the same command again",
    sqlite3.SQLITE_IOERR: lambda said: (
        f"the disk does not take it ({said}); {KEPT}: make room and run the same command again"
    ),
    sqlite3.SQLITE_BUSY: lambda _: (
        "in use by another process, perhaps a gosu-rl that still runs; wait for it, or name another --out"
    ),
    sqlite3.SQLITE_LOCKED: lambda _: (
        "in use by another process, perhaps a gosu-rl that still runs; wait for it, or name another --out"
    ),
    sqlite3.SQLITE_READONLY: lambda _: "may not be written; name another --out",
    sqlite3.SQLITE_CANTOPEN: lambda _: "cannot be opened; name another --out",
    sqlite3.SQLITE_NOTADB: lambda said: f"not a readable results file ({said}); name another --out",
    sqlite3.SQLITE_CORRUPT: lambda said: f"not a readable results file ({said}); name another --out",
}


def _rules(old: dict[str, Any], new: dict[str, Any]) -> str:
    """The numbers of the rules that differ, as they are given to --rules: "rules draft=random, not draft=agents"."""
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    was, now = (rules_text({name: rules[name] for name in names if name in rules}) or "none" for rules in (old, new))
    return f"rules {was}, not {now}"


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    """The first fact in which two runs differ, in words."""
    if old.get("format") != new["format"]:
        return f"written by another version of gosu_rl: format {old.get('format')} of the file, not {new['format']}"
    before, after = {**old, **old.get("identity", {})}, {**new, **new["identity"]}
    for name in (
        "kind",
        "variant",
        "players",
        "cards",
        "rules",
        "agents",
        "seed",
        "schedule",
        "move_limit",
        "behaviour",
        "networks",
    ):
        if before.get(name) != after.get(name):
            if name == "behaviour":
                return "played by an earlier state of the code"
            if name == "networks":
                return "played by other networks, trained further since"
            if name == "rules":
                return _rules(before.get(name) or {}, after.get(name) or {})
            return f"{name} {before.get(name)}, not {after.get(name)}"
    return "written by another version of gosu_rl"
