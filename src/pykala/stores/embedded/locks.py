"""File locks of a library folder: one writer, and a moment of quiet while a new state is published."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pykala.stores.store import StoreLocked


class WriterLock:
    """Held by the one process that writes; the system releases it when that process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / "writer.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise StoreLocked(
                f"another process{f' ({holder})' if holder else ''} is writing to the library in {folder};"
                " wait for it to finish, or stop it, and run the command again"
            ) from None
        os.truncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"pid {os.getpid()}".encode("ascii"), 0)

    def release(self) -> None:
        """Let the next writer in."""
        os.close(self._descriptor)


@contextmanager
def publishing(folder: Path) -> Iterator[None]:
    """Keep readers from taking a snapshot while records and indexes move to the next state together."""
    with _flock(folder, fcntl.LOCK_EX):
        yield


@contextmanager
def taking_snapshot(folder: Path) -> Iterator[None]:
    """Keep a writer from publishing while records and indexes are opened at one state."""
    with _flock(folder, fcntl.LOCK_SH):
        yield


@contextmanager
def _flock(folder: Path, mode: int) -> Iterator[None]:
    path = folder / "publish.lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        try:  # others may write where this user may not, and a lock needs no right to
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            yield  # nobody has ever written here
            return
    try:
        fcntl.flock(descriptor, mode)
        yield
    finally:
        os.close(descriptor)
