"""Progress of long work, in a table of the library's database.

The table is no part of the published state: each word is committed at once, beside what the work itself does.
Times are those of the database, so that clocks of machines may differ. Work goes on where nothing can be
written there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeVar

from pykala.stores.jobs import KEPT_SECONDS, Job
from pykala.stores.postgres.audit_log import storable
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.migrations import connect_to_law
from pykala.stores.store import StoreError

_KEEP: Final = (
    "INSERT INTO jobs (place, name, machine, began, told, done, total, ended, outcome)"
    " VALUES (?, ?, ?, now(), now(), ?, ?, ?, ?)"
    " ON CONFLICT (place) DO UPDATE SET told = now(), done = excluded.done, total = excluded.total,"
    " ended = excluded.ended, outcome = excluded.outcome"
)
_READ: Final = (
    "SELECT place, name, machine, extract(epoch FROM began)::float8, extract(epoch FROM told)::float8,"
    f" done, total, ended, outcome FROM jobs WHERE told > now() - interval '{KEPT_SECONDS} seconds'"
)
_FORGET: Final = f"DELETE FROM jobs WHERE told < now() - interval '{KEPT_SECONDS} seconds'"

Result = TypeVar("Result")


class JobTable:
    """The jobs of one library; where the database does not answer, `fault` says why."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._records: PostgresConnection | None = None
        self.fault = ""

    def keep(self, place: str, job: Job) -> bool:
        """Write down how far a job has come; whether it could be written."""

        def write(records: PostgresConnection) -> bool:
            if job.ended:
                records.execute(_FORGET)
            names = storable(job.name), storable(job.machine)
            records.execute(_KEEP, (place, *names, job.done, job.total, job.ended, storable(job.outcome)))
            return True

        return self._attempt(write) is not None

    def read(self) -> dict[str, Job] | None:
        """The jobs of the last day by place; None where the database does not answer."""
        return self._attempt(lambda records: {place: Job(*told) for place, *told in records.execute(_READ)})

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._close()

    def _attempt(self, action: Callable[[PostgresConnection], Result]) -> Result | None:
        with self._lock:
            try:
                if self._records is None:
                    self._records = connect_to_law(self._address)
                done = action(self._records)
            except StoreError as error:
                self.fault = str(error)
                self._close()
                return None
            self.fault = ""
            return done

    def _close(self) -> None:
        if self._records is not None:
            self._records.close()
            self._records = None
