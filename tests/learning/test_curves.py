"""The picture of a run shows what its history holds, whatever that is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from gosu_rl.learning import curves


def history(folder: Path, *records: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "history.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def batch(number: int, **figures: Any) -> dict[str, Any]:
    known = {"entropy": 1.5, "explained": 0.2, "clipped": 0.1, "length": 50.0}
    return {"kind": "batch", "batch": number, "samples": 1_000_000 * number, **known, **figures}


def evaluation(number: int, **shares: list[float]) -> dict[str, Any]:
    return {"kind": "evaluation", "batch": number, "samples": 0, "minutes": 0.5 * number, "shares": shares}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that were drawn."""
    figures: list[Figure] = []
    made = Figure.savefig

    def keep(self: Figure, *args: Any, **settings: Any) -> None:
        figures.append(self)
        made(self, *args, **settings)

    monkeypatch.setattr(Figure, "savefig", keep)
    return figures


def test_every_yardstick_has_a_line_with_its_interval(tmp_path: Path, drawn: list[Figure]) -> None:
    history(
        tmp_path,
        evaluation(0, random=[0.5, 0.4, 0.6, 200, 50.0]),
        batch(1),
        batch(2, explained=None, length=None),
        evaluation(2, random=[0.9, 0.85, 0.95, 200, 50.0], greedy=[0.3, 0.2, 0.4, 200, 50.0]),
    )
    path = curves.draw(tmp_path)
    assert path == tmp_path / "curves.png"
    assert path.read_bytes().startswith(b"\x89PNG")
    strength, learning, length = drawn[0].axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in strength.get_lines()}
    assert lines == {"against random": [[0.0, 0.5], [1.0, 0.9]], "against greedy": [[1.0, 0.3]]}
    assert len(strength.collections) == 2  # the bands of the intervals
    assert strength.get_ylabel() == "win share (200 paired deals, 95 %)"
    shown = {line.get_label(): line.get_xydata().tolist() for line in learning.get_lines()}
    assert shown["entropy (nats)"] == [[1.0, 1.5], [2.0, 1.5]]
    assert shown["explained variance"] == [[1.0, 0.2]]
    assert length.get_lines()[0].get_xydata().tolist() == [[1.0, 50.0]]


@pytest.mark.parametrize(
    "records", [[], [batch(1)], [batch(1, explained=None, length=None)], [evaluation(0, random=[0.5, 0, 1, 1, 9])]]
)
def test_a_run_that_has_hardly_begun(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    history(tmp_path, *records)
    other = tmp_path / "other.png"
    assert curves.draw(tmp_path, other) == other
    assert other.read_bytes().startswith(b"\x89PNG")
