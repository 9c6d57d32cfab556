"""The audit log in the database: who asked, uploaded, deleted, exported, and changed keys and matters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pykala.stores.postgres.migrations import connect_to_law

_LONGEST: Final = 1_000  # the most characters of an entry's object
_COLUMNS: Final = "at, caller, action, subject, matter, request, status, question"


def storable(text: str) -> str:
    """A text that PostgreSQL accepts: without NUL and lone surrogates, so that no line is refused."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log; `question` is empty unless the operator wants questions logged."""

    at: datetime
    caller: str
    action: str
    subject: str
    matter: str
    request: str
    status: int | None
    question: str


class AuditLog:
    """The log of one library."""

    def __init__(self, address: str) -> None:
        self._records = connect_to_law(address)

    def close(self) -> None:
        """Close the connection."""
        self._records.close()

    def note(
        self,
        caller: str,
        action: str,
        subject: str = "",
        *,
        matter: str = "",
        request: str = "",
        status: int | None = None,
        question: str = "",
    ) -> None:
        """Write one line."""
        self._records.execute(
            "INSERT INTO audit_log (caller, action, subject, matter, request, status, question)"
            " SELECT ?, ?, ?, ?, ?, ?, ?",
            (
                *(storable(one) for one in (caller, action, subject[:_LONGEST], matter, request)),
                status,
                storable(question),
            ),
        )

    def read(
        self,
        *,
        matter: str = "",
        caller: str = "",
        action: str = "",
        since: datetime | None = None,
        limit: int = 100,
    ) -> tuple[Entry, ...]:
        """The newest matching lines, newest first."""
        given: tuple[tuple[str, object], ...] = (
            ("matter = ?", matter),
            ("caller = ?", caller),
            ("action = ?", action),
        )
        asked = [(condition, value) for condition, value in given if value]
        if since is not None:
            asked.append(("at >= ?", since))
        where = f" WHERE {' AND '.join(condition for condition, _ in asked)}" if asked else ""
        found = self._records.execute(
            f"SELECT {_COLUMNS} FROM audit_log{where} ORDER BY id DESC LIMIT ?",
            (*(value for _, value in asked), limit),
        )
        return tuple(Entry(*row) for row in found)

    def forget(self, *, older_than: timedelta, caller: str) -> int:
        """Delete older lines and log the deletion; return how many were deleted."""
        row = self._records.execute(
            "WITH gone AS (DELETE FROM audit_log WHERE at < now() - CAST(? AS interval) RETURNING 1),"
            " told AS (INSERT INTO audit_log (caller, action, subject) SELECT ?, 'log shortened',"
            " count(*)::text FROM gone) SELECT count(*) FROM gone",
            (older_than, caller),
        ).fetchone()
        return int(row[0]) if row else 0
