"""A cache in one SQLite file, which threads and processes share.

Keys are hashed, so that the file holds nobody's question, and search keeps numbers only, so that it holds no
words of a library. A result that is computed faster than it is looked up is not kept. A file that is damaged,
locked, read-only or on a full disk is not an error: results are computed as if there were no cache.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pykala.caches.cache import (
    CACHE_FILE,
    HOUR,
    LIFETIMES,
    Cache,
    CacheName,
    CacheStatus,
    Form,
    Made,
    NoCache,
    key_digest,
)
from pykala.fetch.descriptors import CLOSE_ON_EXEC

__all__ = [
    "CACHE_FILE",
    "HOUR",
    "LIFETIMES",
    "Cache",
    "CacheName",
    "CacheStatus",
    "Form",
    "NoCache",
    "SqliteCache",
    "key_digest",
]

LARGEST = 128 * 1024 * 1024  # bytes of the file
#: A lookup takes a tenth of this; a result that is computed faster is not kept.
WORTH_KEEPING = 0.001  # seconds
_FORMAT = 1  # of the file; one of another format is emptied
_PATIENCE = 50  # milliseconds to wait for another process; longer than that, a cache is of no use
_TELL_AFTER = 256  # lookups, after which their number is written down
_SKEW = 60.0  # seconds by which clocks may differ before something is from the future
_TABLES = """
CREATE TABLE entries (name TEXT, key BLOB, made REAL NOT NULL, check_sum INTEGER NOT NULL,
  value BLOB NOT NULL, PRIMARY KEY (name, key));
CREATE INDEX entries_by_age ON entries (made);
CREATE TABLE lookups (name TEXT PRIMARY KEY, hits INTEGER NOT NULL, misses INTEGER NOT NULL) WITHOUT ROWID
"""


class SqliteCache:
    """A cache in a SQLite file that several threads and processes share."""

    def __init__(
        self,
        path: Path,
        *,
        largest: int = LARGEST,
        worth_keeping: float = WORTH_KEEPING,
        lifetimes: Mapping[CacheName, float] = LIFETIMES,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self._largest, self._worth_keeping, self._lifetimes, self._now = (
            largest,
            worth_keeping,
            lifetimes,
            now,
        )
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._hits: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()
        self.fault = ""

    def remember(
        self,
        name: CacheName,
        key: Sequence[object],
        make: Callable[[], Made],
        form: Form[Made],
        *,
        tally: Counter[str] | None = None,
    ) -> Made:
        """Return the cached result, or compute it; cache it where computing took long."""
        digest = key_digest(key)
        found = self._looked_up(name, digest)
        if found is not None:
            with suppress(ValueError):
                value = form.read(found)
                if tally is not None:
                    tally[name.value] += 1
                return value
        started = time.perf_counter()
        made = make()
        if time.perf_counter() - started >= self._worth_keeping:
            self._keep(name, digest, form.write(made))
        return made

    def status(self) -> tuple[CacheStatus, ...]:
        """The contents, by kind; expired results are not counted."""
        kept: dict[str, tuple[int, int, float]] = {}
        looked: dict[str, tuple[int, int]] = {}

        def read(connection: sqlite3.Connection) -> None:
            self._store_counts(connection)
            for name, lifetime in self._lifetimes.items():
                row = connection.execute(
                    "SELECT count(*), sum(length(value)), min(made) FROM entries WHERE name = ? AND made > ?",
                    (name.value, self._now() - lifetime),
                ).fetchone()
                kept[name.value] = row
            found = connection.execute("SELECT name, hits, misses FROM lookups")
            looked.update({name: (hits, misses) for name, hits, misses in found})

        self._attempt(read)
        return tuple(
            _status(name, lifetime, kept.get(name.value, (0, 0, None)), looked.get(name.value, (0, 0)))
            for name, lifetime in self._lifetimes.items()
        )

    def clear(self, names: Iterable[CacheName] = ()) -> int:
        """Remove the results; a damaged file is deleted."""
        chosen = tuple(names) or tuple(CacheName)
        forgotten = 0

        def forget(connection: sqlite3.Connection) -> None:
            nonlocal forgotten
            marks = ", ".join("?" * len(chosen))
            for table in ("entries", "lookups"):
                gone = connection.execute(f"DELETE FROM {table} WHERE name IN ({marks})", chosen).rowcount
                forgotten += gone if table == "entries" else 0
            connection.execute("PRAGMA incremental_vacuum")

        with self._lock:
            for name in chosen:
                self._hits.pop(name.value, None)
                self._misses.pop(name.value, None)
            self.fault = ""
        self._attempt(forget)
        if self.fault:
            self.close()
            self.fault = ""
            try:
                for place in (self.path, *(Path(f"{self.path}{end}") for end in ("-wal", "-shm"))):
                    place.unlink(missing_ok=True)
            except OSError as error:
                self.fault = f"the cache in {self.path} cannot be removed ({error.strerror})"
        return forgotten

    def close(self) -> None:
        """Store the hit counts and close the file."""
        if self._connection is not None:
            self._attempt(self._store_counts)
        with self._lock:
            if self._connection is not None:
                with suppress(sqlite3.Error):
                    self._connection.close()
                self._connection = None

    def _looked_up(self, name: CacheName, digest: bytes) -> bytes | None:
        found: bytes | None = None

        def look(connection: sqlite3.Connection) -> None:
            nonlocal found
            row = connection.execute(
                "SELECT value, made, check_sum FROM entries WHERE name = ? AND key = ?", (name.value, digest)
            ).fetchone()
            # The disk may have changed a bit without SQLite seeing it; an answer is not built on that.
            if row and self._lives(name, row[1]) and zlib.crc32(row[0]) == row[2]:
                found = row[0]
            (self._misses if found is None else self._hits)[name.value] += 1
            if sum(self._hits.values()) + sum(self._misses.values()) >= _TELL_AFTER:
                self._store_counts(connection)

        self._attempt(look)
        return found

    def _lives(self, name: CacheName, made: float) -> bool:
        age = self._now() - made
        return -_SKEW < age < self._lifetimes[name]

    def _keep(self, name: CacheName, digest: bytes, value: bytes) -> None:
        if len(value) > self._largest // 8:
            return

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)",
                (name.value, digest, self._now(), zlib.crc32(value), value),
            )
            if _used(connection) > self._largest:
                self._make_room(connection)

        self._attempt(write)

    def _make_room(self, connection: sqlite3.Connection) -> None:
        """Delete expired results, then the oldest, until a quarter of the space is free."""
        for name, lifetime in self._lifetimes.items():
            connection.execute(
                "DELETE FROM entries WHERE name = ? AND made <= ?", (name.value, self._now() - lifetime)
            )
        while _used(connection) > self._largest * 3 // 4:
            oldest = (
                "SELECT rowid FROM entries ORDER BY made LIMIT max(16, (SELECT count(*) / 8 FROM entries))"
            )
            if not connection.execute(f"DELETE FROM entries WHERE rowid IN ({oldest})").rowcount:
                break
        connection.execute("PRAGMA incremental_vacuum")

    def _store_counts(self, connection: sqlite3.Connection) -> None:
        """Add the hits and misses of this process to the shared counts."""
        counts = [(name, self._hits[name], self._misses[name]) for name in {*self._hits, *self._misses}]
        if counts:
            connection.executemany(
                "INSERT INTO lookups VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE"
                " SET hits = hits + excluded.hits, misses = misses + excluded.misses",
                counts,
            )
            self._hits.clear()
            self._misses.clear()

    def _attempt(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Run an operation on the file; where it fails, note why and continue without the cache."""
        with self._lock:
            if self.fault:
                return
            try:
                if self._connection is None:
                    self._connection = _opened(self.path)
                action(self._connection)
            except (sqlite3.Error, OSError) as error:
                if not _is_busy(error):  # busy: another process writes, the next time may do
                    self.fault = _reason(self.path, error)


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():  # what somebody asked is nobody else's to see
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | CLOSE_ON_EXEC, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        if connection.execute("PRAGMA user_version").fetchone()[0] != _FORMAT:
            _prepare(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    """Create the tables; drop those of another format."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] != _FORMAT:
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall():
                connection.execute(f'DROP TABLE "{name}"')
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_FORMAT}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _used(connection: sqlite3.Connection) -> int:
    """Bytes in use; both numbers are in the file's first page."""
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _status(
    name: CacheName, lifetime: float, kept: tuple[int, int | None, float | None], looked: tuple[int, int]
) -> CacheStatus:
    entries, size, oldest = kept
    return CacheStatus(name.value, lifetime, entries, size or 0, oldest, *looked)


def _is_busy(error: Exception) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def _reason(path: Path, error: Exception) -> str:
    words = getattr(error, "strerror", None) or str(error)
    return (
        f"the cache in {path} is not used ({words}); 'pykala cache clear' makes a new one, and answers are"
        " the same without it, only slower"
    )
