"""What the modules that read and write records need of a connection; SQLite's and PostgreSQL's both have it.

Statements are written once, in the words of SQLite; `postgres.dialect` translates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement changed."""
        ...

    @property
    def lastrowid(self) -> int | None:
        """The number of the row that it inserted."""
        ...

    def fetchone(self) -> Any:
        """The next row."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection to the records of a library."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def execute(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ..., /) -> Rows:
        """Run one statement."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run a statement for many rows."""
        ...
