"""File locks of a library folder: one writer, and a short lock while a state is published."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pykala.fetch.descriptors import CLOSE_ON_EXEC, lock, read_at, write_at
from pykala.stores.store import StoreLocked


class WriterLock:
    """Held by the writing process; the system releases it when the process ends."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / "writer.lock", os.O_RDWR | os.O_CREAT | CLOSE_ON_EXEC, 0o666)
        try:
            lock(self._descriptor, wait=False)
        except OSError:
            holder = read_at(self._descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise StoreLocked(
                f"another process{f' ({holder})' if holder else ''} is writing to the library in {folder};"
                " wait for it to finish, or stop it, and run the command again"
            ) from None
        os.truncate(self._descriptor, 0)
        write_at(self._descriptor, f"pid {os.getpid()}".encode("ascii"), 0)

    def release(self) -> None:
        """Release the lock."""
        os.close(self._descriptor)


@contextmanager
def publishing(folder: Path) -> Iterator[None]:
    """Keep readers from opening a state while records and indexes change together."""
    with _flock(folder, shared=False):
        yield


@contextmanager
def taking_snapshot(folder: Path) -> Iterator[None]:
    """Keep a writer from publishing while a reader opens records and indexes."""
    with _flock(folder, shared=True):
        yield


@contextmanager
def snapshot_unless_publishing(folder: Path) -> Iterator[bool]:
    """Like `taking_snapshot`, but False at once where a writer is publishing."""
    with ExitStack() as held:
        try:
            held.enter_context(_flock(folder, shared=True, wait=False))
        except BlockingIOError:
            quiet = False
        else:
            quiet = True
        yield quiet


@contextmanager
def _flock(folder: Path, *, shared: bool, wait: bool = True) -> Iterator[None]:
    path = folder / "publish.lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | CLOSE_ON_EXEC, 0o666)
    except OSError:
        try:  # this user may lack the right to write; a lock does not need it
            descriptor = os.open(path, os.O_RDONLY | CLOSE_ON_EXEC)
        except OSError:
            yield  # no writer has ever been here
            return
    try:
        lock(descriptor, shared=shared, wait=wait)
        yield
    finally:
        os.close(descriptor)
