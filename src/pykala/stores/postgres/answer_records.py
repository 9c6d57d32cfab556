"""Store the answers given in a matter, in the matter's own tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from pykala.stores.postgres.address import split_index_folder, with_matter
from pykala.stores.postgres.audit_log import storable
from pykala.stores.postgres.connection import PostgresConnection


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer as its reader received it: JSON, time and caller."""

    id: str
    at: datetime
    caller: str
    record: str


class AnswerRecords:
    """The answers of one library's matters; each call uses a connection of the matter."""

    def __init__(self, address: str) -> None:
        self._address = split_index_folder(address)[0]

    def keep(self, matter: str, answer: str, caller: str, record: str) -> None:
        """Store an answer of a matter under its identifier."""
        with self._connected(matter) as records:
            records.execute(
                "INSERT INTO answer_records (id, caller, record) SELECT ?, ?, ? ON CONFLICT DO NOTHING",
                tuple(map(storable, (answer, caller, record))),
            )

    def read(self, matter: str, *, limit: int) -> tuple[AnswerRecord, ...]:
        """The newest answers of a matter, newest first."""
        with self._connected(matter) as records:
            found = records.execute(
                "SELECT id, at, caller, record FROM answer_records ORDER BY at DESC, id LIMIT ?", (limit,)
            )
            return tuple(AnswerRecord(*row) for row in found)

    @contextmanager
    def _connected(self, matter: str) -> Iterator[PostgresConnection]:
        records = PostgresConnection(with_matter(self._address, matter), writable=False)
        try:
            yield records
        finally:
            records.close()
