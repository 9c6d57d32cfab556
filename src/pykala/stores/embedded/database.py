"""Open the record database, with clear errors where that fails."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pykala.fetch.descriptors import CLOSE_ON_EXEC
from pykala.stores.connection import Connection
from pykala.stores.embedded.digests import TABLE as DIGESTS
from pykala.stores.embedded.schema import SCHEMA, TABLES
from pykala.stores.store import StoreDamaged, StoreError, StoreFull, StoreIncompatible

FILE = "library.db"
_BESIDE = ("text", "vectors", "asked", "glossary.db", "standing-works.npy")  # only in a complete library

#: Parts of SQLite's error messages for a damaged file.
_SIGNS_OF_DAMAGE = ("malformed", "no such table", "no such column", "decode to UTF-8")

#: SQLite's names of errors at a log, or the log's index, that could not grow; they have other causes as well.
_WITHOUT_ROOM = frozenset({"SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_SHMMAP", "SQLITE_IOERR_WRITE"})
_LOG_INDEX = 32_768  # bytes by which the log's index grows


def exists(folder: Path) -> bool:
    """Whether there is a library in a folder."""
    return (folder / FILE).exists()


def require(folder: Path) -> None:
    """Raise an error that says how to create a library, where there is none."""
    if not exists(folder):
        raise missing(folder)


def missing(folder: Path) -> StoreError:
    """The error for a folder without a library, with the next command."""
    return StoreError(
        f"there is no library in {folder}; make one with 'pykala ingest PACK --library {folder}'"
    )


def connect(folder: Path, *, writable: bool) -> sqlite3.Connection:
    """Connect to the records of a library; a writer creates them where there are none."""
    path = folder / FILE
    if not writable:
        require(folder)
    with clear_errors(folder):
        require_whole(folder)
        if writable:
            create_by_umask(path)
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            _prepare(connection)
        else:
            connection = connect_reader(path)
        _require_all_pages(connection, folder)
        _check_schema(connection, folder)
        if writable:
            connection.execute(DIGESTS)
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Connect to a database file for reading, without any check of its contents."""
    # Without write permission on the folder, SQLite can read only if a writer has already created a log; it
    # cannot create one itself. If there is no log, there is no writer either, so the file can be read as
    # immutable.
    shared = os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists()
    mode = "ro" if shared else "ro&immutable=1"
    try:
        return _connect_as(path, mode)
    except sqlite3.OperationalError:
        # A full disk has no space for the log's index; an empty log needs none.
        if mode != "ro" or _has_log(path):
            raise
    connection = _connect_as(path, "ro&immutable=1")
    connection.unfollowed = True
    return connection


class ReaderConnection(sqlite3.Connection):
    """A reader's connection; `unfollowed` if it cannot see later commits and must be reopened."""

    unfollowed = False


def _connect_as(path: Path, mode: str) -> ReaderConnection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, factory=ReaderConnection
    )
    try:
        # Do not map the file: if a mapped file is truncated, the system kills the process.
        # The system keeps what was read, once for all readers; SQLite's own cache is a copy for each, and a
        # server has a reader per thread. A larger one makes no answer faster.
        connection.execute("PRAGMA cache_size = -8192")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


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


def create_by_umask(path: Path) -> None:
    """Create the file with the rights of the umask: SQLite would let only its owner write."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | CLOSE_ON_EXEC, 0o666))


def require_whole(folder: Path) -> None:
    """Refuse a database file that is empty although there are indexes.

    SQLite reports a truncated or garbage file at its first read. Do not open the file here: closing it would
    release every lock that this process holds on it, including SQLite's, and another process could then
    remove the log while readers use it.

    An empty file is a library that is not made yet. But if there are indexes, the records were lost, and
    continuing would build empty indexes.
    """
    path = folder / FILE
    lost = path.exists() and path.stat().st_size == 0
    if lost and any((folder / name).exists() for name in _BESIDE):
        raise records_damaged(folder, "the file is empty")


def _require_all_pages(connection: sqlite3.Connection, folder: Path) -> None:
    """Refuse a database whose last page is cut off, which SQLite does not notice."""
    path = folder / FILE
    wanted = 1
    for name in ("page_count", "page_size"):
        wanted *= int(connection.execute(f"PRAGMA {name}").fetchone()[0])
    size = path.stat().st_size
    if size < wanted and not _has_log(path):  # a log may hold the missing pages
        connection.close()
        raise records_damaged(folder, f"the file has {size} bytes where {wanted} were written")


class OlderSchema(StoreIncompatible):
    """The records have an older schema; whoever opens the library migrates them."""


def _check_schema(connection: sqlite3.Connection, folder: Path) -> None:
    found = read_meta(connection).get("schema", "")
    if found == str(SCHEMA):
        return
    connection.close()
    if found.isdecimal() and 0 < int(found) < SCHEMA:
        raise OlderSchema(
            f"the library in {folder} is of an older version (schema {found});"
            f" 'pykala stats --library {folder}' migrates it and keeps a copy"
        )
    raise StoreIncompatible(
        f"the library in {folder} has schema {found}, this version of pykala reads {SCHEMA};"
        " ingest into a new folder ('pykala ingest PACK --library NEW_FOLDER')"
    )


def read_meta(connection: Connection) -> dict[str, str]:
    """The library's facts about itself."""
    return dict(connection.execute("SELECT key, value FROM meta").fetchall())


def write_meta(connection: Connection, facts: Mapping[str, str]) -> None:
    """Record facts about the library."""
    connection.executemany(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        facts.items(),
    )


@contextmanager
def clear_errors(folder: Path) -> Iterator[None]:
    """Convert an engine's errors into ones that say what happened and what to do."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise  # our own error, not one of the file
    except sqlite3.DatabaseError as error:
        raise _told(folder, error) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full(folder) from error
        raise


def _told(folder: Path, error: sqlite3.DatabaseError) -> StoreError:
    said = str(error)
    name = getattr(error, "sqlite_errorname", "")
    if "full" in said or (name in _WITHOUT_ROOM and _is_full(folder)):
        return disk_full(folder)
    usable = isinstance(error, sqlite3.OperationalError | sqlite3.IntegrityError)
    cut_short = name == "SQLITE_IOERR_SHORT_READ"
    if usable and not cut_short and not any(sign in said for sign in _SIGNS_OF_DAMAGE):
        return StoreError(f"the library in {folder} could not be used: {error}")
    return records_damaged(folder, said)


def _is_full(folder: Path) -> bool:
    """Whether the disk has no room for the log's index."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free < _LOG_INDEX
    return False


def records_damaged(folder: Path, reason: str) -> StoreDamaged:
    """The error for records that cannot be read, with the next command."""
    return StoreDamaged(
        f"the records in {folder / FILE} are damaged ({reason}); 'pykala verify {folder}' says what can be"
        " mended. For the rest, restore the library from a backup ('pykala restore'), or ingest into a new"
        " folder ('pykala ingest PACK --library NEW_FOLDER')"
    )


def disk_full(folder: Path) -> StoreFull:
    """The error for a full disk, with what to do."""
    return StoreFull(
        f"the disk that holds {folder} is full; what was stored before is safe."
        " Free some space and run the command again: it goes on where it stopped"
    )
