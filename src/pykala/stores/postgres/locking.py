"""One writer at a time: an advisory lock that ends with its connection."""

from __future__ import annotations

from hashlib import blake2b
from time import sleep
from typing import Final

from pykala.stores.postgres.address import shown
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreLocked

_WRITER: Final = 7_921_053_384
_WAITS: Final = (0.02, 0.05, 0.1, 0.3, 0.0)  # seconds after each try


def become_writer(records: PostgresConnection) -> None:
    """Take the lock; StoreLocked where another process holds it.

    A writer that has just closed its connection may hold the lock until the server notices.
    """
    lock = _lock_of(records)
    for wait in _WAITS:
        row = records.execute("SELECT pg_try_advisory_lock(?)", (lock,)).fetchone()
        if row and row[0]:
            return
        sleep(wait)
    holder = records.execute(
        "SELECT pid, coalesce(client_addr::text, 'this machine') FROM pg_locks"
        " JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
        " AND ((classid::bigint << 32) | objid::bigint) = ?",
        (lock,),
    ).fetchone()
    who = f" (connection {holder[0]} from {holder[1]})" if holder else ""
    raise StoreLocked(
        f"another process{who} is writing to the library in {shown(records.address)};"
        " wait for it to finish, or stop it, and run the command again"
    )


def _lock_of(records: PostgresConnection) -> int:
    """The number of the lock; each matter has its own."""
    if not records.matter:
        return _WRITER
    return int.from_bytes(blake2b(records.schema.encode(), digest_size=7).digest(), "big")
