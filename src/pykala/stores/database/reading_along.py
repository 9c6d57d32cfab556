"""Search, and read what is found, in one statement: the numbers found need not come to us and go back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from pykala.stores.embedded.matches import PLACE, WORDS
from pykala.stores.postgres.connection import PostgresConnection, Query
from pykala.stores.postgres.matching import CHILDREN_OF

Row = tuple[Any, ...]

_LISTS: Final = 3  # the most columns of a search: a passage, and fractions
_OF_PASSAGE: Final = len(f"{PLACE}, {WORDS}".split(",")) + 1  # with the languages of its work
_NO_LISTS: Final = f"CAST(NULL AS bigint[]){', CAST(NULL AS double precision[])' * (_LISTS - 1)}"


class ReadingAlong:
    """One statement of several searches; each is known by the number that it gets here."""

    def __init__(self) -> None:
        self._named: list[str] = []
        self._rows: list[str] = []
        self._values: list[Any] = []
        self._finding: list[int] = []

    def search(self, columns: Sequence[str], query: Query) -> int:
        """Add a search whose passages are read; the first column of its rows is `passage`."""
        number = self.beside(columns, query)
        self._finding.append(number)
        return number

    def beside(self, columns: Sequence[str], query: Query) -> int:
        """Add a query whose rows are wanted; it may use `found_by` of searches that were added before."""
        statement, values = query
        number = len(self._named)
        lists = [*(f"array_agg({one})" for one in columns), *["NULL"] * (_LISTS - len(columns))]
        self._rows.append(f"SELECT {number}, {', '.join(lists)}{', NULL' * _OF_PASSAGE} FROM found_{number}")
        self._named.append(f"found_{number} ({', '.join(columns)}) AS MATERIALIZED ({statement})")
        self._values += values
        return number

    def run(self, records: PostgresConnection) -> tuple[list[list[Row]], list[Row]]:
        """The rows of each query, by its number, and every passage that a search found."""
        if not self._finding:
            return [], []
        wanted = f"(SELECT passage AS id FROM ({found_by(self._finding)}) AS found) AS wanted"
        passages = CHILDREN_OF.format(wanted=wanted).removeprefix("SELECT ")
        every = " UNION ALL ".join([f"SELECT -1, {_NO_LISTS}, {passages}", *self._rows])
        (came,) = records.together([(f"WITH {', '.join(self._named)} {every}", self._values)])
        rows: list[list[Row]] = [[] for _ in self._named]
        for number, *columns in came:
            if number >= 0:
                rows[number] = list(zip(*filter(None, columns[:_LISTS]), strict=True))
        return rows, [row[1 + _LISTS :] for row in came if row[0] < 0]


def found_by(searches: Collection[int], but: Collection[int] = ()) -> str:
    """A query of the passages that some searches find, and others do not."""
    both = " UNION ".join(f"SELECT passage FROM found_{number}" for number in searches)
    return both + "".join(f" EXCEPT SELECT passage FROM found_{number}" for number in but)
