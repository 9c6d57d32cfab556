"""Read the passages that an index found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from pykala.law.provisions import ProvisionKind
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.connection import Connection
from pykala.stores.embedded import rows
from pykala.stores.embedded.reading import select_in
from pykala.stores.embedded.standing import Standings
from pykala.stores.store import Match

Scored: TypeAlias = Sequence[tuple[int, float]]  # children by number, best first
#: What a match is made of (`match_from`), then the numbers of section and work.
COLUMNS = (
    "children.id, works.key, inner_node.path, section_node.path, names.value, documents.language,"
    " header, children.start, children.end, passages.text, passages.offset, passages.valid_from,"
    " passages.valid_to, works.authority, passages.node, works.id"
)
JOINED = (
    "JOIN passages ON passages.id = children.passage"
    " JOIN documents ON documents.id = passages.document JOIN works ON works.id = documents.work"
    " JOIN nodes AS inner_node ON inner_node.id = children.node"
    " JOIN nodes AS section_node ON section_node.id = passages.node JOIN names ON names.id = children.kind"
)
_KINDS = {kind.value: kind for kind in ProvisionKind}


class Passages:
    """The passages that several searches found, read at once.

    Rows have the columns of `match_from`, then the numbers of section and work, and the work's languages.
    """

    def __init__(self, standings: Standings, found: Sequence[tuple[Any, ...]]) -> None:
        self._rows: dict[int, tuple[Any, ...]] = {row[0]: row for row in found}
        self._stands = standings.of(list({row[-3:-1] for row in found}))

    def of(self, scored: Scored) -> tuple[Match, ...]:
        """Passages in the given order and with the given scores; removed ones are left out."""
        return tuple(self._match(number, score) for number, score in scored if number in self._rows)

    def _match(self, number: int, score: float) -> Match:
        row = self._rows[number]
        return match_from(row[:-3], score, self._stands.get(row[-3:-1], UNKNOWN), tuple(row[-1]))


def read_passages(connection: Connection, standings: Standings, scored: Iterable[Scored]) -> Passages:
    """Read what some searches found; each passage once."""
    query = f"SELECT {COLUMNS} FROM children {JOINED} WHERE children.id IN"
    numbers = {number for number, _ in chain.from_iterable(scored)}
    found = list(select_in(connection, query, numbers))
    spoken = _languages(connection, {row[-1] for row in found})
    return Passages(standings, [(*row, spoken[row[-1]]) for row in found])


def _languages(connection: Connection, works: set[int]) -> dict[int, tuple[str, ...]]:
    """The languages that works are held in."""
    held: dict[int, list[str]] = {}
    for work, language in select_in(connection, "SELECT work, language FROM documents WHERE work IN", works):
        held.setdefault(work, []).append(language)
    return {work: tuple(sorted(languages)) for work, languages in held.items()}


def match_from(row: tuple[Any, ...], score: float, standing: Standing, languages: tuple[str, ...]) -> Match:
    """A match from the columns of its passage, its parent and its work."""
    number, work, inner, section, kind, language, header, start, end, parent, offset, since, until, rank = row
    return Match(
        passage=number,
        score=score,
        provision=rows.provision_id(work, inner),
        section=rows.provision_id(work, section),
        kind=_KINDS[kind],
        work=rows.work_id(work),
        language=language,
        header=header,
        text=parent[start:end],
        parent_text=parent,
        start=offset + start,
        validity=rows.interval(since, until),
        authority=rank,
        standing=standing,
        languages=languages,
    )
