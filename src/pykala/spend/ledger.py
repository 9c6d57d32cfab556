"""Ledgers: what models have cost, and what running calls have set aside. A month never passes its cap.

Programs of one machine share a file; the servers of a library in a database share its tables
(`shared_ledger`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

from pykala.models.failures import ModelError
from pykala.models.writer import Usage

#: The file in the cache folder that records the spending of this machine's programs.
LEDGER: Final = "spending.sqlite"
MILLION: Final = 1_000_000
_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS spending (id INTEGER PRIMARY KEY, month TEXT NOT NULL, at TEXT NOT NULL,"
    " model TEXT NOT NULL, currency TEXT NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,"
    " millionths INTEGER NOT NULL, settled INTEGER NOT NULL)"
)


class CapReached(ModelError):
    """A call was refused because it could exceed a cap; the message says which and how to raise it."""


@dataclass(frozen=True, slots=True)
class Spending:
    """The cost of a month so far."""

    month: str
    amount: float
    calls: int


class SpendingLedger(Protocol):
    """Where costs are kept. Reserving and comparing with the cap are one step, whoever else reserves."""

    def spent(self, month: str) -> Spending:
        """The cost of a month ("2026-11") so far, with the reservations of running calls."""
        ...

    def set_aside(self, when: datetime, model: str, currency: str, amount: float, cap: float | None) -> int:
        """Reserve an amount; CapReached where the month would exceed its cap."""
        ...

    def settle(self, identifier: int, model: str, usage: Usage, amount: float) -> None:
        """Replace a reservation by the real cost."""
        ...


class Ledger:
    """Costs call by call, in a small SQLite file that several programs share; or in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._turn = Lock()  # a connection in memory is shared by threads
        self._memory: sqlite3.Connection | None = None
        if path is None:
            self._memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            self._memory.execute(_SCHEMA)

    def spent(self, month: str) -> Spending:
        """The cost of a month ("2026-11") so far, with the reservations of running calls."""
        with self._open() as database:
            statement = "SELECT COALESCE(SUM(millionths), 0), COUNT(*) FROM spending WHERE month = ?"
            amount, calls = database.execute(statement, (month,)).fetchone()
        return Spending(month, amount / MILLION, calls)

    def set_aside(self, when: datetime, model: str, currency: str, amount: float, cap: float | None) -> int:
        """Reserve an amount; CapReached where the month would exceed its cap."""
        month = month_of(when)
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                statement = "SELECT COALESCE(SUM(millionths), 0) FROM spending WHERE month = ?"
                spent = database.execute(statement, (month,)).fetchone()[0] / MILLION
                if cap is not None and amount > 0 and spent + amount > cap:
                    raise cap_reached(month, spent, amount, currency, cap)
                row = (month, when.astimezone(UTC).isoformat(), model, currency, 0, 0, millionths(amount), 0)
                statement = "INSERT INTO spending VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"
                identifier = database.execute(statement, row).lastrowid
                assert identifier is not None  # a row was added
                database.execute("COMMIT")
            except BaseException:
                database.execute("ROLLBACK")
                raise
        return identifier

    def settle(self, identifier: int, model: str, usage: Usage, amount: float) -> None:
        """Replace a reservation by the real cost."""
        row = (model, usage.tokens_in, usage.tokens_out, millionths(amount), identifier)
        with self._open() as database:
            database.execute(
                "UPDATE spending SET model = ?, tokens_in = ?, tokens_out = ?, millionths = ?, settled = 1"
                " WHERE id = ?",
                row,
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open or create the database; where that fails, nothing is spent."""
        with self._turn:
            if self._memory is not None:
                yield self._memory
                return
            assert self._path is not None
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(self._path, timeout=10.0, isolation_level=None)) as database:
                    database.execute(_SCHEMA)
                    yield database
            except (sqlite3.Error, OSError) as fault:
                raise CapReached(
                    f"what was spent cannot be kept in {self._path} ({fault}); mend or remove that file"
                ) from None


def month_of(when: datetime) -> str:
    """The month that a call counts towards: "2026-11"."""
    return f"{when.astimezone(UTC):%Y-%m}"


def cap_reached(month: str, spent: float, amount: float, currency: str, cap: float) -> CapReached:
    """Why a call is refused."""
    return CapReached(
        f"{spent:.4f} {currency} are spent in {month} and this one could cost {amount:.4f};"
        f" the month's cap is {cap:.2f}; raise PYKALA_MONTH_CAP to ask more of the model"
    )


def millionths(amount: float) -> int:
    """Millionths, rounded up: a call that costs something is never booked as zero."""
    whole = int(amount * MILLION)
    return whole + (amount * MILLION - whole > 1e-6)
