"""Reading by many values in one statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pykala.stores.connection import Connection

_AT_ONCE = 300  # rows of values in one statement


def with_values(
    connection: Connection, columns: str, values: Iterable[Sequence[Any]], query: str
) -> Iterator[tuple[Any, ...]]:
    """Run a query that joins `wanted`, a table of values with these columns."""
    ordered = sorted(set(map(tuple, values)))
    for first in range(0, len(ordered), _AT_ONCE):
        part = ordered[first : first + _AT_ONCE]
        row = f"({', '.join('?' * len(part[0]))})"
        yield from connection.execute(
            f"WITH wanted ({columns}) AS (VALUES {', '.join([row] * len(part))}) {query}",
            [value for one in part for value in one],
        )
