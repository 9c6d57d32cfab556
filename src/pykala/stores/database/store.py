"""The store of a team without disks: records, words and vectors in PostgreSQL.

It is the team's store (`stores.postgres`) with another index, which changes in the same transaction as the
records. The address chooses it when a library is created or reindexed: `postgresql://…?index=database`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from numpy import float32
from numpy.typing import NDArray

from pykala.models.embedder import Embedder
from pykala.stores.database.meanings import DatabaseVectors, DatabaseVectorsWriter
from pykala.stores.database.reading_along import ReadingAlong, found_by
from pykala.stores.database.tables import (
    ASKED,
    MEANING,
    WORDS,
    DatabaseConnection,
    make_tables,
    secure_tables,
)
from pykala.stores.database.words import DatabaseWords, DatabaseWordsWriter
from pykala.stores.embedded import indexing
from pykala.stores.embedded.database import write_meta
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.guarding import guarded
from pykala.stores.embedded.matches import Passages, Scored
from pykala.stores.embedded.vectors import VectorIndex
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.copies import copies_in_cache
from pykala.stores.postgres.facts import IN_DATABASE, INDEX
from pykala.stores.postgres.matching import DatabasePassages
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.served.nearest import ServedVectors
from pykala.stores.served.searching import Compared, Found, for_asked, vector_searches
from pykala.stores.served.store import SEQUENCES, ServedStore, Writers
from pykala.stores.store import Search, StoreIncompatible

_COUNTED = {"vector": MEANING, "asked": ASKED}  # the names of these indexes in the library's facts


@guarded("search")
class DatabaseStore(ServedStore):
    """Records and index in PostgreSQL; see `stores.store.Store`."""

    @classmethod
    def _connection_to(cls, address: str, *, writable: bool) -> PostgresConnection:
        return DatabaseConnection(address, writable=writable)

    @classmethod
    def _written(
        cls,
        records: PostgresConnection,
        embedder: Embedder | None,
        index_folder: Path | None,
        *,
        whole: bool = False,
        anew: bool = False,
    ) -> PostgresStore:
        return super()._written(records, embedder, _folder(index_folder), whole=whole, anew=anew)

    @classmethod
    def _read(
        cls, records: PostgresConnection, embedder: Embedder | None, index_folder: Path | None
    ) -> PostgresStore:
        return super()._read(records, embedder, _folder(index_folder))

    # Reading

    def _require_state(self, facts: dict[str, str], number: int) -> None:
        if facts.get(INDEX) != IN_DATABASE:
            raise StoreIncompatible(
                "the index of this library is not in the database; 'pykala reindex --library"
                " postgresql://…?index=database' writes it there"
            )

    def _reading(self, facts: dict[str, str], number: int) -> indexing.Indexes:
        return indexes_of(self.records, facts)

    def _found_by_each(self, searches: Sequence[Search], facets: Sequence[FacetFilter | None]) -> Found:
        """All searches of all kinds, and the passages that they find, in one round trip."""
        words, along = cast(DatabaseWords, self._words), ReadingAlong()
        by_words = self._word_searches(searches, facets)
        placed = words.placed(list(by_words.values()))
        here = [one for _, one in placed]
        of_words = [along.search(("passage", "rough", "score"), query) for query in words.queries(here)]
        kinds = ((self._vectors, searches), (self._asked, for_asked(searches)))
        nearest = [_Nearest.begun(index, vector_searches(some, facets), along) for index, some in kinds]
        words_of = defaultdict[int, list[int]](list)  # search → its searches by words, one a jurisdiction
        for number, (at, _) in zip(of_words, placed, strict=True):
            words_of[list(by_words)[at]].append(number)
        near = self._begin_comparing(along, words_of, *nearest)
        rows, passages = along.run(self.records)
        found = words.found(here, [rows[number] for number in of_words])
        merged = words.merged(list(by_words.values()), placed, found)
        every = range(len(searches))
        of_each: dict[int, Scored] = dict(zip(by_words, merged, strict=True))
        by_meaning, by_asked = (
            [some.get(at, []) for at in every] for some in (one.found(rows) for one in nearest)
        )
        cosines: dict[int, dict[int, float]] = {at: dict(rows[number]) for at, number in near.items()}
        return Found([of_each.get(at, []) for at in every], by_meaning, by_asked, cosines, passages)

    def _begin_comparing(
        self, along: ReadingAlong, by_words: Mapping[int, Sequence[int]], meaning: _Nearest, asked: _Nearest
    ) -> dict[int, int]:
        """Add, for each search with a vector, the cosines of the hits that vector search does not find."""
        index = cast(DatabaseVectors | None, self._vectors)
        begun: dict[int, int] = {}
        for at, unit in ({**asked.units, **meaning.units} if index is not None else {}).items():
            others = [*by_words[at], *asked.numbers_of(at)]
            if index is not None and others:
                beside = found_by(others, but=meaning.numbers_of(at))
                begun[at] = along.beside(("passage", "cosine"), index.nearness_to_found(unit, beside))
        return begun

    def _read_of(self, others: Compared, found: Found) -> tuple[Mapping[int, Mapping[int, float]], Passages]:
        """What was read along; and in one more round trip what a search found only when asked again."""
        wanted = {number for some in found.scored for number, _ in some}
        read = {row[0]: row for row in found.passages if row[0] in wanted}
        near = {at: {**found.near.get(at, {})} for at in others}
        index = cast(DatabaseVectors | None, self._vectors)
        lacking = {
            at: (vector, missing)
            for at, (vector, passages) in others.items()
            if (missing := [one for one in passages if one not in near[at]])
        }
        compared = index.compared(list(lacking.values())) if index is not None else {}
        queries = [index.nearness_query(*one) for one in compared.values()] if index is not None else []
        if unread := wanted - read.keys():
            queries.append(DatabasePassages.query([[(number, 0.0) for number in unread]]))
        came = self.records.together(queries) if queries else []
        for at, rows in zip((list(lacking)[one] for one in compared), came, strict=False):
            near[at] |= dict(rows)
        every = [*read.values(), *(came[-1] if unread else ())]
        own = {
            at: {one: near[at][one] for one in some if one in near[at]} for at, (_, some) in others.items()
        }
        return own, DatabasePassages(self._standings, every)

    # Writing

    def _is_behind(self, *, last: bool) -> bool:
        if INDEX not in self._facts_now():
            return True
        return super()._is_behind(last=last)

    def _begin_index(self, facts: dict[str, str], number: int, *, anew: bool) -> dict[str, str]:
        make_tables(self.records, int(facts.get("dimension", "0")))
        if anew or INDEX not in facts:
            secure_tables(self.records)
            indexing.forget(self._connection, *SEQUENCES)
            write_meta(self._connection, {INDEX: IN_DATABASE})
        return self._facts_now()

    def _writers(self, facts: dict[str, str], number: int) -> Writers:
        words = DatabaseWordsWriter(self.records)
        if not int(facts.get("dimension", "0")):
            return Writers(words)
        return Writers(
            words, {count: DatabaseVectorsWriter(self.records, table) for count, table in _COUNTED.items()}
        )

    def _end_index(self, number: int, *, last: bool) -> dict[str, str]:
        if last:  # update planner statistics, and merge GIN's pending list, which is slow to search
            self.records.execute(
                "SELECT gin_clean_pending_list(CAST(? AS regclass)) FROM pg_class"
                " WHERE oid = CAST(? AS regclass) AND pg_has_role(relowner, 'USAGE')",
                (f"{WORDS}_by_term", WORDS),
            )
            self.records.run_script(f"ANALYZE {WORDS}, {MEANING}, {ASKED}")
        return {}


@dataclass(frozen=True, slots=True)
class _Nearest:
    """The searches by a vector index, by search: their numbers in the statement, and their vectors."""

    numbers: Mapping[int, int]
    units: Mapping[int, NDArray[float32]]

    @classmethod
    def begun(
        cls,
        index: ServedVectors | None,
        given: Mapping[int, tuple[NDArray[float32], FacetFilter, int]],
        along: ReadingAlong,
    ) -> _Nearest:
        """Add the searches that can find something."""
        wanted = index.wanted(list(given.values())) if index is not None else {}
        by_search = {list(given)[at]: one for at, one in wanted.items()}
        numbers = {
            at: along.search(("passage", "cosine"), cast(DatabaseVectors, index).query(one))
            for at, one in by_search.items()
        }
        return cls(numbers, {at: one.unit for at, one in by_search.items()})

    def numbers_of(self, at: int) -> list[int]:
        """The number of a search, if it has one."""
        return [self.numbers[at]] if at in self.numbers else []

    def found(self, rows: Sequence[Sequence[tuple[int, float]]]) -> dict[int, Scored]:
        """What each search found, best first, ties by number."""
        return {
            at: sorted(rows[number], key=lambda hit: (-hit[1], hit[0])) for at, number in self.numbers.items()
        }


def indexes_of(records: PostgresConnection, facts: Mapping[str, str]) -> indexing.Indexes:
    """The indexes that a library with these facts has in its database."""
    words = DatabaseWords(records, passages=int(facts.get("text_documents", 0)))
    opened = indexing.Indexes(cast(TextIndexes, words), None)
    if dimension := int(facts.get("dimension", "0")):
        vectors, asked = (
            DatabaseVectors(
                records, table, dimension=dimension, passages=int(facts.get(f"{count}_documents", 0))
            )
            for count, table in _COUNTED.items()
        )
        opened.vectors, opened.asked = cast(VectorIndex, vectors), cast(VectorIndex, asked)
    return opened


def _folder(named: Path | None) -> Path:
    """A writable folder on this machine for copies of small files; any will do."""
    _, of_databases = copies_in_cache()
    return (named or of_databases).absolute()
