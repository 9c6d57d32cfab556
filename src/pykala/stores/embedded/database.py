"""Opening the record database, and saying clearly what is wrong when it cannot be opened."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pykala.stores.embedded.schema import SCHEMA, TABLES
from pykala.stores.store import StoreDamaged, StoreError, StoreFull, StoreIncompatible

FILE = "library.db"


def exists(folder: Path) -> bool:
    """Whether there is a library in a folder."""
    return (folder / FILE).exists()


def require(folder: Path) -> None:
    """Say how to make a library where there is none."""
    if not exists(folder):
        raise StoreError(
            f"there is no library in {folder}; make one with 'pykala ingest PACK --library {folder}'"
        )


def connect(folder: Path, *, writable: bool) -> sqlite3.Connection:
    """Connect to the records of a library; a writer creates them where there are none."""
    path = folder / FILE
    if not writable:
        require(folder)
    with clear_errors(folder):
        if writable:
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            _prepare(connection)
        else:
            connection = _connect_reader(path)
        _check_schema(connection, folder)
    return connection


def _connect_reader(path: Path) -> sqlite3.Connection:
    # Without write permission on the folder SQLite can read along with a writer, whose log is then there,
    # but it cannot begin a log itself: where there is none, there is no writer either.
    shared = os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists()
    mode = "ro" if shared else "ro&immutable=1"
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA mmap_size = 1073741824")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA busy_timeout = 10000")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -262144")
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        connection.execute("BEGIN IMMEDIATE")
        for statement in TABLES.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        write_meta(connection, {"schema": str(SCHEMA)})
        connection.execute("COMMIT")


def _check_schema(connection: sqlite3.Connection, folder: Path) -> None:
    found = read_meta(connection).get("schema")
    if found != str(SCHEMA):
        raise StoreIncompatible(
            f"the library in {folder} has schema {found}, this version of pykala reads {SCHEMA};"
            " ingest into a new folder ('pykala ingest PACK --library NEW_FOLDER')"
        )


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    """The library's facts about itself."""
    return dict(connection.execute("SELECT key, value FROM meta").fetchall())


def write_meta(connection: sqlite3.Connection, facts: Mapping[str, str]) -> None:
    """Record facts about the library."""
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())


@contextmanager
def clear_errors(folder: Path) -> Iterator[None]:
    """Turn an engine's errors into ones that say what happened and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if "full" in str(error):
            raise _full(folder) from error
        if isinstance(error, sqlite3.OperationalError | sqlite3.IntegrityError) and "malformed" not in str(
            error
        ):
            raise StoreError(f"the library in {folder} could not be used: {error}") from error
        raise StoreDamaged(
            f"the records in {folder / FILE} cannot be read ({error}); restore the file from a copy,"
            " or ingest into a new folder ('pykala ingest PACK --library NEW_FOLDER')"
        ) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(folder) from error
        raise


def _full(folder: Path) -> StoreFull:
    return StoreFull(
        f"the disk that holds {folder} is full; what was stored before is safe."
        " Free some space and run the command again: it goes on where it stopped"
    )
