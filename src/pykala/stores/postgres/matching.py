"""Read the passages of several searches in one round trip."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from pykala.stores.embedded.matches import Passages, Scored
from pykala.stores.embedded.standing import Standings
from pykala.stores.postgres.connection import PostgresConnection, Query

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


class DatabasePassages(Passages):
    """The passages that searches found, read in one round trip."""

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
