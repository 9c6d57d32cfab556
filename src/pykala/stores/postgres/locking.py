"""Who may write: advisory locks of the database, which end with the connection that holds them.

A library, and each matter, has three kinds:

- the library: shared by all who write works; held alone by who changes it as a whole (a reindex, a copy, a
  repair, an erasure, a migration);
- a jurisdiction: held while its source is read, so that two ingests of the same law never meet;
- the turn: held from the first change of a state to its publication. Others wait for it.

The first two are refused after half a second: their holders may take hours.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from time import monotonic, sleep
from typing import Final

from pykala.stores.postgres.address import shown
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreError, StoreLocked

_WRITER: Final = 7_921_053_384  # of the law; the lock of versions that knew one writer only
_WAITS: Final = (0.02, 0.05, 0.1, 0.3, 0.0)  # seconds after each try
#: Seconds that a writer waits for its turn. A publication takes seconds, and the last one of a large library
#: some minutes; who takes longer hangs.
LONGEST_TURN: Final = 900.0
_HOLDER: Final = (
    "SELECT pid, CASE WHEN state IS NULL THEN 'of another user'"  # of whom this one may know nothing more
    " ELSE 'from ' || coalesce(client_addr::text, 'this machine') END,"
    " coalesce(extract(epoch FROM clock_timestamp() - xact_start)::bigint, 0)"
    " FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND ((classid::bigint << 32) | objid::bigint) = ? AND pid != pg_backend_pid() ORDER BY pid LIMIT 1"
)
_NEXT: Final = "wait for it to finish, or stop it, and run the command again"
_JOURNAL: Final = "CAST(pg_get_serial_sequence('journal', 'seq') AS regclass)"


def write_along(records: PostgresConnection) -> None:
    """Write works beside others; StoreLocked where the library is being changed as a whole."""
    if not _try(records, "pg_try_advisory_lock_shared", _library(records)):
        raise _locked(records, _library(records), "is changing the whole library")


def take_library(records: PostgresConnection, *, seconds: float = 0.0) -> None:
    """Keep every other writer away until the connection ends; StoreLocked where one is at work.

    It waits so many seconds, and no less than half a second: a writer that has just closed its connection may
    hold its locks until the server notices.
    """
    ends = monotonic() + seconds
    while not _try(records, "pg_try_advisory_lock", _library(records)):
        if monotonic() > ends:
            raise _locked(records, _library(records), "is writing to the library")


def leave_library(records: PostgresConnection) -> None:
    """Let other writers in again."""
    records.execute("SELECT pg_advisory_unlock(?)", (_library(records),))


def take_jurisdiction(records: PostgresConnection, jurisdiction: str) -> None:
    """Keep other writers from a jurisdiction; StoreLocked where one is at work there."""
    if not _try(records, "pg_try_advisory_lock", _of_jurisdiction(records, jurisdiction)):
        raise _taken(records, jurisdiction)


def leave_jurisdiction(records: PostgresConnection, jurisdiction: str) -> None:
    """Let other writers into a jurisdiction again."""
    records.execute("SELECT pg_advisory_unlock(?)", (_of_jurisdiction(records, jurisdiction),))


def take_jurisdiction_for_turn(records: PostgresConnection, jurisdiction: str) -> None:
    """The same until the open transaction ends."""
    if not _try(records, "pg_try_advisory_xact_lock", _of_jurisdiction(records, jurisdiction)):
        raise _taken(records, jurisdiction)


class Turns:
    """The turns of one writer.

    Each takes a number of the journal's sequence, which no rollback gives back. Where the next number does
    not follow the last one that this connection took, another writer has had a turn since, whatever came of
    it.
    """

    def __init__(self, records: PostgresConnection) -> None:
        self._records = records
        self._last: int | None = None  # the last number that the last turn took
        self._counted = False  # whether the present turn took one

    def begin(self) -> None:
        """Wait for the turn. Raises StoreLocked where another writer's turn does not end."""
        lock = _of_turn(self._records)
        try:
            self._records.run_script(
                f"SET lock_timeout = {round(1000 * LONGEST_TURN)}; SELECT pg_advisory_lock({lock});"
                " RESET lock_timeout"
            )
        except StoreLocked:
            who, seconds = _holder(self._records, lock)
            since = f" for {seconds:,} s" if seconds else ""
            raise StoreLocked(
                f"another process{who} has been publishing to the library in {shown(self._records.address)}"
                f"{since}, and this one waited {LONGEST_TURN:,.0f} s for its turn; what was published before"
                f" is safe: {_NEXT}"
            ) from None

    def is_next(self) -> bool:
        """Take this turn's number; return whether no other writer had a turn since the last one."""
        row = self._records.execute(f"SELECT nextval({_JOURNAL})").fetchone()
        self._counted = True
        return row is not None and self._last is not None and bool(row[0] == self._last + 1)

    def end(self) -> None:
        """End the turn. A lost connection has ended it already."""
        number, self._counted = f"currval({_JOURNAL})" if self._counted else "NULL", False
        with suppress(StoreError):
            row = self._records.execute(
                f"SELECT {number} FROM pg_advisory_unlock(?)", (_of_turn(self._records),)
            ).fetchone()
            self._last = row[0] if row else None


def _try(records: PostgresConnection, how: str, lock: int) -> bool:
    for wait in _WAITS:
        row = records.execute(f"SELECT {how}(?)", (lock,)).fetchone()
        if row and row[0]:
            return True
        sleep(wait)
    return False


def _taken(records: PostgresConnection, jurisdiction: str) -> StoreLocked:
    lock = _of_jurisdiction(records, jurisdiction)
    return _locked(records, lock, f"is writing law of {jurisdiction!r} to the library")


def _locked(records: PostgresConnection, lock: int, what: str) -> StoreLocked:
    who, _ = _holder(records, lock)
    return StoreLocked(f"another process{who} {what} in {shown(records.address)}; {_NEXT}")


def _holder(records: PostgresConnection, lock: int) -> tuple[str, int]:
    """Who holds a lock, in words, and the seconds since its transaction began."""
    row = records.execute(_HOLDER, (lock,)).fetchone()
    return (f" (connection {row[0]} {row[1]})", row[2]) if row else ("", 0)


def _library(records: PostgresConnection) -> int:
    return _numbered(records.schema) if records.matter else _WRITER


def _of_jurisdiction(records: PostgresConnection, jurisdiction: str) -> int:
    return _numbered(f"{records.schema} jurisdiction {jurisdiction}")


def _of_turn(records: PostgresConnection) -> int:
    return _numbered(f"{records.schema} turn")


def _numbered(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=7).digest(), "big")
