"""Read the passages of several searches in one round trip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

from pykala.stores.embedded.matches import JOINED, PLACE, WORDS, Passages, Scored
from pykala.stores.embedded.standing import Standings
from pykala.stores.postgres.connection import PostgresConnection, Query

_PLACE: Final = len(PLACE.split(","))
#: The children whose numbers `wanted` gives, as a table with a column `id`. Their words come along: to read
#: them later would cost another round trip.
CHILDREN_OF: Final = (
    f"SELECT {PLACE}, {WORDS}, (SELECT array_agg(spoken.language ORDER BY spoken.language)"
    " FROM documents AS spoken WHERE spoken.work = works.id)"
    f" FROM {{wanted}} JOIN children ON children.id = wanted.id {JOINED}"
)
_CHILDREN: Final = CHILDREN_OF.format(wanted="unnest(CAST(? AS bigint[])) AS wanted (id)")


class DatabasePassages(Passages):
    """The passages that searches found, read in one round trip."""

    def __init__(self, standings: Standings, found: Sequence[tuple[Any, ...]]) -> None:
        words = {row[0]: row[_PLACE : _PLACE + 2] for row in found}
        languages = {row[_PLACE - 1]: tuple(row[-1]) for row in found}
        super().__init__(standings, [row[:_PLACE] for row in found], languages, words.__getitem__)

    @staticmethod
    def query(scored: Iterable[Scored]) -> Query:
        """The statement whose rows these are."""
        return _CHILDREN, [sorted({number for number, _ in chain.from_iterable(scored)})]

    @classmethod
    def read(
        cls, records: PostgresConnection, standings: Standings, scored: Iterable[Scored]
    ) -> DatabasePassages:
        """Read the children of some searches; no round trip where nothing was found."""
        query = cls.query(scored)
        (found,) = records.together([query]) if query[1][0] else ([],)
        return cls(standings, found)
