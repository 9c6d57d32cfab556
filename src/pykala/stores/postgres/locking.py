"""One writer at a time: an advisory lock that ends with its connection, however that ends."""

from __future__ import annotations

from typing import Final

from pykala.stores.postgres.address import redacted
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreLocked

_WRITER: Final = 7_921_053_384


def become_writer(records: PostgresConnection) -> None:
    """Take the lock; StoreLocked where another process has it."""
    row = records.execute("SELECT pg_try_advisory_lock(?)", (_WRITER,)).fetchone()
    if row and row[0]:
        return
    holder = records.execute(
        "SELECT pid, coalesce(client_addr::text, 'this machine') FROM pg_locks"
        " JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
        " AND ((classid::bigint << 32) | objid::bigint) = ?",
        (_WRITER,),
    ).fetchone()
    who = f" (connection {holder[0]} from {holder[1]})" if holder else ""
    raise StoreLocked(
        f"another process{who} is writing to the library in {redacted(records.address)};"
        " wait for it to finish, or stop it, and run the command again"
    )
