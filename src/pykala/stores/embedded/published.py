"""Detect states that other processes publish, beside a reader that keeps its own state.

A reader keeps a transaction open and so cannot see a newer state itself. A second connection without one can:
SQLite's `data_version` changes with every commit of another process, and reading it costs microseconds.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from pykala.stores.embedded import rebuilding
from pykala.stores.embedded.database import FILE, connect, missing, read_meta

_MADE_WITH = ("schema", "analysis", "embedder", "dimension", rebuilding.TIMES)


class Published:
    """The newest published state of a folder, beside the reader's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / FILE
        self._log = folder / f"{FILE}-wal"
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, ...] = ()  # identifies the file of the second connection
        self._version = -1  # the last `data_version` at which both states were the same

    def newer(self, reader: sqlite3.Connection) -> sqlite3.Connection | None:
        """A connection to a state that differs from the reader's; None where there is none."""
        file = self._identity()
        if self._connection is None or file != self._file:
            self.close()
            self._connection, self._file = connect(self._folder, writable=False), file
        version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version == self._version:
            return None
        if read_meta(self._connection) == read_meta(reader):  # every publication changes these facts
            self._version = version
            return None
        return self._connection

    def _identity(self) -> tuple[int, ...]:
        """The file at the library's path; its content too, where no log can be written.

        SQLite treats such a file as immutable, so `data_version` does not change.
        """
        try:
            found = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):  # the folder was moved away or removed
            raise missing(self._folder) from None
        if self._log.exists() or os.access(self._folder, os.W_OK):
            return (found.st_dev, found.st_ino)
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)

    def close(self) -> None:
        """Close the second connection."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection, self._version = None, -1


def how_made(connection: sqlite3.Connection) -> tuple[str | None, ...]:
    """The schema, analysis and embedder of a state, and how often its files were replaced."""
    facts = read_meta(connection)
    return tuple(facts.get(name) for name in _MADE_WITH)
