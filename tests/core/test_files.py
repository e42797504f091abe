"""Files are written whole or not at all, and what is no file is never replaced by one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from gosu_rl.core import files
from gosu_rl.core.files import check_writable, write_whole


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a"
    for data in (b"one", b"two"):
        check_writable(target)
        write_whole(target, data)
        assert target.read_bytes() == data
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device", os.fspath(self))

    monkeypatch.setattr(files.Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(target, b"new")
    assert caught.value.filename == str(target)
    assert target.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        check_writable(pipe)
        write_whole(pipe, b"data")
        assert os.read(reader, 10) == b"data"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["", ".", "no/folder/a", "file/a"])
def test_no_place_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    for attempt in (check_writable, lambda path: write_whole(path, b"x")):
        with pytest.raises(OSError, match=r".") as caught:
            attempt(name)
        assert caught.value.filename == (name or "''")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
