"""What a run tells while it goes on: one line of figures a batch, in `history.jsonl` and for TensorBoard.

The file is the run's own memory (plots are made from it); TensorBoard's event files are for looking.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from gosu_rl.core.files import write_whole

FILE_NAME = "history.jsonl"
EVENTS = "tensorboard"
FIELDS = {
    "batch": {"samples", "entropy", "explained", "clipped", "length"},
    "evaluation": {"samples", "minutes", "shares"},
}


class History:
    """Appends records; `keep(batch)` forgets what a killed run had written after its last checkpoint."""

    def __init__(self, folder: Path):
        from torch.utils.tensorboard import SummaryWriter  # slow to load, and only training needs it

        self.path = folder / FILE_NAME
        self._writer_of = SummaryWriter
        self._events = folder / EVENTS
        self._writer: Any = None

    def keep(self, batch: int) -> None:
        """Drop the records of batches after `batch`."""
        kept = [one for one in read(self.path) if one["batch"] <= batch] if self.path.exists() else []
        write_whole(self.path, "".join(json.dumps(one) + "\n" for one in kept).encode())
        self._close()
        self._writer = self._writer_of(str(self._events), purge_step=batch + 1)

    def add(self, kind: str, batch: int, figures: Mapping[str, Any], tags: Mapping[str, float]) -> None:
        """One record: `figures` into the file, `tags` (name -> number) to TensorBoard at this batch."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, "batch": batch, **figures}) + "\n")
        for name, number in tags.items():
            self._writer.add_scalar(name, number, batch)

    def __enter__(self) -> History:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def read(path: Path) -> list[dict[str, Any]]:
    """All records of a history file; a last line that a killed run left half written is not there."""
    records = []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict) and _is_whole(record):
            records.append(record)
        elif number < len(lines):
            raise ValueError(f"{path}, line {number} is no record of a training run; begin anew with --fresh")
    return records


def _is_whole(record: dict[str, Any]) -> bool:
    """Whether a record has what plots and a resumed run need."""
    needed = FIELDS.get(record.get("kind", ""))
    return needed is not None and type(record.get("batch")) is int and needed <= set(record)
