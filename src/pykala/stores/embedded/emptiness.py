"""Libraries that hold no work: recognise them, and remove one that a failed first step has made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from pykala.stores.embedded.database import FILE, connect_reader, exists, require_whole
from pykala.stores.embedded.discarding import discard
from pykala.stores.embedded.locks import WriterLock, publishing
from pykala.stores.store import StoreError


def is_empty(folder: Path) -> bool:
    """Whether the library in a folder holds no work; False where its records cannot be read.

    Damaged records are no empty library: opening it says what is wrong.
    """
    path = folder / FILE
    try:
        require_whole(folder)
        if not path.stat().st_size:  # a library that is not made yet
            return True
        with closing(connect_reader(path)) as connection:
            return connection.execute("SELECT 1 FROM works LIMIT 1").fetchone() is None
    except (sqlite3.Error, OSError, StoreError):
        return False


def names_in(folder: Path) -> frozenset[str] | None:
    """The names of the files in a folder; None where there is no folder."""
    return frozenset(path.name for path in folder.iterdir()) if folder.is_dir() else None


def discard_empty(folder: Path, before: frozenset[str] | None) -> None:
    """Remove a library that holds no work, and its folder if there was none before.

    `before` are the names that were in the folder before the library was made: they stay. Nothing is removed
    while another process writes to the library.
    """
    if not folder.is_dir():
        return
    try:
        with publishing(folder):
            lock = WriterLock(folder)
            try:
                if exists(folder) and not is_empty(folder):
                    return
                for name in (names_in(folder) or frozenset()) - (before or frozenset()):
                    discard(folder / name)
            finally:
                lock.release()
        if before is None:
            folder.rmdir()
    except (OSError, StoreError):
        return  # somebody else uses the folder; an empty library is not chosen in place of the sample
