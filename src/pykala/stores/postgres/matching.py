"""Read the passages of several searches in one round trip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

from pykala.law.standing import UNKNOWN
from pykala.stores.embedded import matches
from pykala.stores.embedded.searching import Scored
from pykala.stores.embedded.standing import Standings
from pykala.stores.postgres.connection import PostgresConnection, Query
from pykala.stores.store import Match

_CHILDREN: Final = (
    "SELECT children.id, works.key, inner_node.path, section_node.path, names.value, documents.language,"
    " header, substr(passages.text, children.start + 1, children.end - children.start), passages.text,"
    " passages.offset + children.start, passages.valid_from, passages.valid_to, works.authority,"
    " passages.node, works.id, (SELECT array_agg(spoken.language ORDER BY spoken.language)"
    " FROM documents AS spoken WHERE spoken.work = works.id)"
    " FROM unnest(CAST(? AS bigint[])) AS wanted (id) JOIN children ON children.id = wanted.id"
    " JOIN passages ON passages.id = children.passage"
    " JOIN documents ON documents.id = passages.document JOIN works ON works.id = documents.work"
    " JOIN nodes AS inner_node ON inner_node.id = children.node"
    " JOIN nodes AS section_node ON section_node.id = passages.node JOIN names ON names.id = children.kind"
)


class Passages:
    """The passages that searches found, read at once."""

    def __init__(self, standings: Standings, found: Sequence[tuple[Any, ...]]) -> None:
        self._rows: dict[int, tuple[Any, ...]] = {row[0]: row for row in found}
        self._stands = standings.of(list({row[-3:-1] for row in found}))

    @staticmethod
    def query(scored: Iterable[Scored]) -> Query:
        """The statement whose rows these are."""
        return _CHILDREN, [sorted({number for number, _ in chain.from_iterable(scored)})]

    @classmethod
    def read(cls, records: PostgresConnection, standings: Standings, scored: Iterable[Scored]) -> Passages:
        """Read the children of some searches, in one round trip; in none where nothing was found."""
        query = cls.query(scored)
        (found,) = records.together([query]) if query[1][0] else ([],)
        return cls(standings, found)

    def of(self, scored: Scored) -> tuple[Match, ...]:
        """Passages in the given order and with the given scores; removed ones are left out."""
        return tuple(self._match(number, score) for number, score in scored if number in self._rows)

    def _match(self, number: int, score: float) -> Match:
        row = self._rows[number]
        return matches.match_from(row[:-3], score, self._stands.get(row[-3:-1], UNKNOWN), tuple(row[-1]))
