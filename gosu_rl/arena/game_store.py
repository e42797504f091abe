"""The games of a tournament on disk: a row a game, written as games end, with the record of each.

A game that an agent spoiled has a row too: who, and how; it is not played again when the run goes on.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gosu_rl.arena.job import Outcome
from gosu_rl.arena.store import Results

TABLE = """create table game (
    deal integer, slot integer,            -- which deal, and which of its seatings
    seating text,                          -- number of the agent in every seat
    holder integer,                        -- the seat dealt the Advantage card
    shares text, truncated integer, reason text, rounds integer, decisions integer,
    failed_seat integer, failure text,     -- null unless an agent spoiled the game; seat -1: not known which
    movers blob, seconds blob,             -- int8, float32: who decided, and how long it took
    record blob,                           -- the JSON Lines of the game, zlib; null with --no-records
    primary key (deal, slot)
) without rowid"""
COLUMNS = (
    "deal", "slot", "seating", "holder", "shares", "truncated", "reason", "rounds", "decisions", "failed_seat",
    "failure", "movers", "seconds",
)  # fmt: skip


class GameStore(Results):
    """The results of one tournament. Raises StoreError as `Results` does."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        super().__init__(folder, {"kind": "tournament", "identity": identity}, [TABLE])

    def add(self, outcome: Outcome) -> None:
        """Keep one game: one transaction. A game that is there already stays as it is."""
        values = [
            outcome.deal,
            outcome.slot,
            json.dumps(outcome.seating),
            outcome.holder,
            json.dumps(outcome.shares),
            outcome.truncated,
            outcome.reason,
            outcome.rounds,
            outcome.decisions,
            outcome.failed_seat,
            outcome.failure,
            outcome.movers.tobytes(),
            outcome.seconds.tobytes(),
            None if outcome.record is None else zlib.compress(outcome.record.encode()),
        ]
        marks = ", ".join("?" * len(values))
        with self.explained(), self.database:
            self.database.execute(f"insert or ignore into game ({', '.join(COLUMNS)}, record) values ({marks})", values)

    def done(self) -> set[tuple[int, int]]:
        """(deal, slot) of the games that are there."""
        with self.explained():
            return set(self.database.execute("select deal, slot from game"))

    def games(self, deals: int) -> list[Outcome]:
        """All games of deals 0…deals-1 that are there, in order, without their records."""
        with self.explained():
            query = f"select {', '.join(COLUMNS)} from game where deal < ? order by deal, slot"
            found = self.database.execute(query, [deals]).fetchall()
        return [_outcome(*row) for row in found]

    def forget_failures(self) -> int:
        """Drop the games that agents spoiled, so that they are played again; returns how many."""
        with self.explained(), self.database:
            return self.database.execute("delete from game where failure is not null").rowcount

    def records(self) -> Iterator[str]:
        """The record (JSON Lines) of every game kept with one, in order of deals."""
        with self.explained():
            keys = self.database.execute("select deal, slot from game where record is not null order by deal, slot")
            for key in keys.fetchall():
                query = "select record from game where deal = ? and slot = ?"
                (blob,) = self.database.execute(query, key).fetchone()
                yield zlib.decompress(blob).decode()


def _outcome(
    deal: int, slot: int, seating: str, holder: int, shares: str, truncated: int, reason: str, rounds: int,
    decisions: int, failed_seat: int | None, failure: str | None, movers: bytes, seconds: bytes,
) -> Outcome:  # fmt: skip
    return Outcome(
        deal,
        slot,
        tuple(json.loads(seating)),
        holder,
        tuple(json.loads(shares)),
        bool(truncated),
        reason,
        rounds,
        decisions,
        failed_seat,
        failure,
        np.frombuffer(movers, np.int8),
        np.frombuffer(seconds, np.float32),
        None,
    )
