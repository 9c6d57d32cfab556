"""One writer at a time: an advisory lock that ends with its connection."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from pykala.stores.postgres.address import shown
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreLocked

_WRITER: Final = 7_921_053_384


def become_writer(records: PostgresConnection) -> None:
    """Take the lock; StoreLocked where another process holds it."""
    lock = _lock_of(records)
    row = records.execute("SELECT pg_try_advisory_lock(?)", (lock,)).fetchone()
    if row and row[0]:
        return
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
