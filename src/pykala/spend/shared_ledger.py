"""The ledger in a library's database, so that all its servers spend one month's cap together.

A month has one row with its sum. A reservation adds to it only within the cap, in one statement: PostgreSQL
lets the next one wait for that row, and compares it with the new sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from pykala.models.writer import Usage
from pykala.spend.ledger import MILLION, CapReached, Spending, cap_reached, millionths, month_of
from pykala.stores.postgres.address import shown, split_index_folder, with_matter
from pykala.stores.postgres.audit_log import storable
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreError, StoreForbidden

_SPENT: Final = (
    "SELECT coalesce(sum(months_spent.millionths), 0)::bigint,"
    " (SELECT count(*) FROM spending WHERE month = ?) FROM months_spent WHERE month = ?"
)
_SET_ASIDE: Final = (
    "WITH total AS (INSERT INTO months_spent (month, millionths)"
    " SELECT ?, ? WHERE CAST(? AS float8) <= CAST(? AS float8)"
    " ON CONFLICT (month) DO UPDATE SET millionths = months_spent.millionths + excluded.millionths"
    " WHERE CAST(months_spent.millionths AS float8) / 1000000 + CAST(? AS float8) <= CAST(? AS float8)"
    " RETURNING month)"
    " INSERT INTO spending (month, at, model, currency, millionths)"
    " SELECT month, CAST(? AS timestamptz), ?, ?, ? FROM total RETURNING id"
)
_SETTLE: Final = (
    "WITH before AS (SELECT id, month, millionths FROM spending WHERE id = ? AND NOT settled FOR UPDATE),"
    " booked AS (UPDATE spending SET model = ?, tokens_in = ?, tokens_out = ?, millionths = ?, settled = true"
    " FROM before WHERE spending.id = before.id)"
    " UPDATE months_spent SET millionths = months_spent.millionths + ? - before.millionths"
    " FROM before WHERE months_spent.month = before.month"
)


class SharedLedger:
    """Costs call by call, in the database of a library; see `ledger.SpendingLedger`.

    Each call connects anew, as a model takes far longer, and a server's many threads would otherwise hold a
    connection each.
    """

    def __init__(self, address: str) -> None:
        self._address = split_index_folder(with_matter(address, ""))[0]

    def __repr__(self) -> str:
        return f"SharedLedger({shown(self._address)})"

    def spent(self, month: str) -> Spending:
        """The cost of a month ("2026-11") so far, with the reservations of running calls."""
        with self._connected() as records:
            row = records.execute(_SPENT, (month, month)).fetchone()
        amount, calls = row or (0, 0)
        return Spending(month, amount / MILLION, calls)

    def set_aside(self, when: datetime, model: str, currency: str, amount: float, cap: float | None) -> int:
        """Reserve an amount; CapReached where the month would exceed its cap."""
        month, booked = month_of(when), millionths(amount)
        most = cap if cap is not None and amount > 0 else math.inf
        call = (when, storable(model), currency, booked)
        with self._connected() as records:
            row = records.execute(_SET_ASIDE, (month, booked, amount, most, amount, most, *call)).fetchone()
        if row is None:
            raise cap_reached(month, self.spent(month).amount, amount, currency, most)
        return int(row[0])

    def settle(self, identifier: int, model: str, usage: Usage, amount: float) -> None:
        """Replace a reservation by the real cost."""
        booked = millionths(amount)
        row = (identifier, storable(model), usage.tokens_in, usage.tokens_out, booked, booked)
        with self._connected() as records:
            records.execute(_SETTLE, row)

    @contextmanager
    def _connected(self) -> Iterator[PostgresConnection]:
        """A connection; where the ledger cannot be kept, nothing is spent."""
        try:
            # Writable: such a connection never runs a statement twice, which would reserve twice.
            records = PostgresConnection(self._address, writable=True)
            try:
                yield records
            finally:
                records.close()
        except StoreForbidden as fault:
            raise CapReached(
                f"what was spent cannot be kept ({fault}); its owner runs: GRANT INSERT, UPDATE ON"
                " pykala.spending, pykala.months_spent TO the server's role"
            ) from None
        except StoreError as fault:
            raise CapReached(f"what was spent cannot be kept: {fault}") from None
