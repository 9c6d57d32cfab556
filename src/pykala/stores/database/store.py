"""The store of a team without disks: records, words and vectors in PostgreSQL.

It is the team's store (`stores.postgres`) with another index, which changes in the same transaction as the
records. The address chooses it when a library is created or reindexed: `postgresql://…?index=database`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from numpy import float32
from numpy.typing import NDArray
from platformdirs import user_cache_path

from pykala.models.embedder import Embedder
from pykala.stores.database.meanings import DatabaseVectors, DatabaseVectorsWriter
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
from pykala.stores.postgres.facts import IN_DATABASE, INDEX
from pykala.stores.postgres.matching import DatabasePassages
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.served.nearest import VectorSearch
from pykala.stores.served.searching import for_asked, vector_searches
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
        cls, records: PostgresConnection, embedder: Embedder | None, index_folder: Path | None, *, anew: bool
    ) -> PostgresStore:
        return super()._written(records, embedder, _folder(index_folder), anew=anew)

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

    def _found_by_each(
        self, searches: Sequence[Search], facets: Sequence[FacetFilter | None]
    ) -> tuple[Sequence[Scored], Sequence[Scored], Sequence[Scored]]:
        """All searches of all kinds in one round trip."""
        words = cast(DatabaseWords, self._words)
        by_words = self._word_searches(searches, facets)
        placed = words.placed(list(by_words.values()))
        here = [one for _, one in placed]
        kinds = ((self._vectors, searches), (self._asked, for_asked(searches)))
        wanted: list[dict[int, VectorSearch]] = []
        queries = words.queries(here)
        for index, some in kinds:
            given = vector_searches(some, facets)
            found = index.wanted(list(given.values())) if index is not None else {}
            wanted.append({list(given)[at]: one for at, one in found.items()})
            queries += [cast(DatabaseVectors, index).query(one) for one in wanted[-1].values()]
        rows = iter(self.records.together(queries) if queries else ())
        first = [next(rows) for _ in here]
        near = [{at: next(rows) for at in one} for one in wanted]
        merged = words.merged(list(by_words.values()), placed, words.found(here, first))
        told = (dict(zip(by_words, merged, strict=True)), *near)
        by_words_, by_meaning, by_asked = ([some.get(at, []) for at in range(len(searches))] for some in told)
        return by_words_, by_meaning, by_asked

    def _read_of(
        self, others: Mapping[int, tuple[NDArray[float32], Sequence[int]]], scored: Sequence[Scored]
    ) -> tuple[Mapping[int, Mapping[int, float]], Passages]:
        """Nearness and passages in one round trip."""
        index = cast(DatabaseVectors | None, self._vectors)
        compared = index.compared(list(others.values())) if index is not None else {}
        wanted = {list(others)[at]: one for at, one in compared.items()}
        if index is None or not wanted:
            return {}, self._passages(scored)
        queries = [index.nearness_query(*one) for one in wanted.values()]
        *near, found = self.records.together([*queries, DatabasePassages.query(scored)])
        return dict(zip(wanted, map(dict, near), strict=True)), DatabasePassages(self._standings, found)

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
    return (named or user_cache_path("pykala") / "databases").absolute()
