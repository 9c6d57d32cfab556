"""The passages of the records with the columns by which an index on a server finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pykala.stores.postgres.connection import PostgresConnection

_ROWS_AT_ONCE: Final = 5_000
#: Number, work, jurisdiction, language, kinds of work and provision, and the days on which it is law.
PASSAGES: Final = """
SELECT children.id, works.id, works.jurisdiction, language_names.id, works.kind, children.kind,
  passages.valid_from, passages.valid_to
FROM children JOIN passages ON passages.id = children.passage
JOIN documents ON documents.id = passages.document JOIN works ON works.id = documents.work
JOIN names AS language_names ON language_names.value = documents.language
"""

Row = tuple[int, ...]


def all_passages(records: PostgresConnection) -> Iterator[Row]:
    """Every passage, by its number."""
    last = -1
    while True:
        rows = records.execute(
            f"{PASSAGES} WHERE children.id > ? ORDER BY children.id LIMIT ?", (last, _ROWS_AT_ONCE)
        ).fetchall()
        yield from rows
        if len(rows) < _ROWS_AT_ONCE:
            return
        last = rows[-1][0]


def some_passages(records: PostgresConnection, numbers: Sequence[int]) -> list[Row]:
    """Those of some numbers that there are."""
    return records.execute(f"{PASSAGES} WHERE children.id = ANY(?)", (list(numbers),)).fetchall()
