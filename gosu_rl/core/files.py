"""Writing a file whole or not at all, and knowing before hours of play that it can be written."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: str | Path, data: bytes) -> None:
    """Put `data` where `path` is, in one step: a reader never sees half of it, and a failure leaves the old file.

    Links are followed. A device or a pipe (`/dev/stdout`) is written to, never replaced. OSError names `path`.
    """
    target = _target(path)
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    partial = target.with_name(f"{target.name[:200]}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    finally:
        with suppress(OSError):
            partial.unlink()


def check_writable(path: str | Path) -> None:
    """The OSError that `write_whole` would raise, now; nothing is changed."""
    target = _target(path)
    if target.exists() and not target.is_file():
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
        return
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _target(path: str | Path) -> Path:
    # Path("") is ".", and nobody who writes "" means the folder; a link that leads round in circles raises here.
    target = Path(os.path.realpath(path, strict=False))
    if not os.fspath(path) or target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path) or "''")
    return target
