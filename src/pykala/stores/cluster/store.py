"""The store of a cluster: records and word statistics in PostgreSQL, passages in Qdrant.

It is the team's store (`stores.postgres`) with another index. To publish, a writer adds points for the state
to come, counts them, and commits the records that name that state: from then on readers see them.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final, Self, cast

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.cluster import meanings, words
from pykala.stores.cluster.comparing import (
    Passages,
    passages_of_points,
    passages_of_records,
    require_same,
)
from pykala.stores.cluster.configuration import ClusterConfiguration, read_configuration
from pykala.stores.cluster.meanings import QdrantVectors, VectorsWriter
from pykala.stores.cluster.nodes import QdrantNodes
from pykala.stores.cluster.points import ASKED, MEANING, WORDS, collection_name, seen_by, take_back
from pykala.stores.cluster.words import QdrantWords, QdrantWordsWriter
from pykala.stores.embedded import indexing
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.guarding import guarded
from pykala.stores.embedded.vectors import VectorIndex
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import EPOCH, LIBRARY
from pykala.stores.postgres.migrations import require_current
from pykala.stores.served.store import SEQUENCES, ServedStore, Writers
from pykala.stores.store import StoreDamaged, StoreError, StoreIncompatible

EDITION: Final = "cluster_edition"  # numbers the collections: each full rewrite creates new ones
MISSING_EXTRA: Final = "a library of a cluster needs the extra 'cluster': pip install 'pykala[cluster]'"


class ClusterConnection(PostgresConnection):
    """A connection to the records, and the Qdrant nodes of the same library."""

    def __init__(self, configuration: ClusterConfiguration, *, writable: bool) -> None:
        self.configuration = configuration
        self.nodes = QdrantNodes(configuration.name, configuration.nodes, configuration.key)
        super().__init__(configuration.records, writable=writable)

    def close(self) -> None:
        """Close both."""
        self.nodes.close()
        super().close()


@guarded("search")
class ClusterStore(ServedStore):
    """Records in PostgreSQL, passages in Qdrant; see `stores.store.Store`."""

    records: ClusterConnection
    _tidy = False  # whether this writer knows that Qdrant holds published points only
    _counted = -1  # the state whose points this writer has counted

    @classmethod
    def open_file(
        cls,
        file: Path,
        *,
        writable: bool = False,
        create: bool = True,
        embedder: Embedder | None = None,
        whole: bool = False,
    ) -> Self:
        """Open the library of a configuration file; a writer may create it.

        With `whole`, no other writer is let in until it is closed.
        """
        records = cls._connected(read_configuration(file), writable=writable)
        try:
            if not (writable and create):
                require_current(records)
            folder = records.configuration.local_folder
            opened = (
                cls._written(records, embedder, folder, whole=whole)
                if writable
                else cls._read(records, embedder, folder)
            )
            return cast(Self, opened)
        except BaseException:
            records.close()
            raise

    @classmethod
    def reindex_file(cls, file: Path, *, embedder: Embedder | None = None) -> None:
        """Rebuild the passages from the records, with the installed text analysis and embedder."""
        if embedder is not None:  # fail before anything is deleted
            encode_passages(embedder, ["law"], ["law"])
        records = cls._connected(read_configuration(file), writable=True)
        try:
            require_current(records)
            store = cls._written(records, embedder, records.configuration.local_folder, anew=True)
        except BaseException:
            records.close()
            raise
        store.close()

    @staticmethod
    def _connected(configuration: ClusterConfiguration, *, writable: bool) -> ClusterConnection:
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise StoreError(MISSING_EXTRA) from error
        return ClusterConnection(configuration, writable=writable)

    # Reading

    def _require_state(self, facts: dict[str, str], number: int) -> None:
        """Refuse a state that Qdrant does not hold whole, such as after restoring an old backup."""
        if facts.get(EPOCH) != str(number):
            raise StoreIncompatible(
                f"the passages in Qdrant are of state {facts.get(EPOCH, 'none')}, the records of {number}:"
                f" {self._mend()}"
            )
        if number != self._counted:
            self._require_points(facts, number)

    def _reading(self, facts: dict[str, str], epoch: int) -> indexing.Indexes:
        nodes, edition = self.records.nodes, facts[EDITION]
        by_words = QdrantWords(
            nodes,
            self._collection(edition, WORDS),
            self.records,
            epoch,
            passages=int(facts.get("text_documents", 0)),
        )
        opened = indexing.Indexes(cast(TextIndexes, by_words), None)
        dimension = int(facts.get("dimension", "0"))
        if not dimension:
            return opened
        most = self.records.configuration.exact_up_to

        def is_small(filter: FacetFilter) -> bool:
            return filter.works is not None or by_words.written(filter.jurisdictions) <= most

        for part, count in ((MEANING, "vector_documents"), (ASKED, "asked_documents")):
            vectors = QdrantVectors(
                nodes,
                self._collection(edition, part),
                epoch,
                dimension=dimension,
                passages=int(facts.get(count, 0)),
                exact=is_small,
            )
            setattr(opened, "vectors" if part == MEANING else "asked", cast(VectorIndex, vectors))
        return opened

    def _require_points(self, facts: dict[str, str], epoch: int) -> None:
        wanted = {WORDS: "text_documents"}
        if int(facts.get("dimension", "0")):
            wanted |= {MEANING: "vector_documents", ASKED: "asked_documents"}
        for part, count in wanted.items():
            found = self.records.nodes.count(self._collection(facts[EDITION], part), {"must": seen_by(epoch)})
            if found != int(facts.get(count, 0)):
                raise StoreDamaged(
                    f"Qdrant holds {found:,} passages of state {epoch} ({part}), and the records"
                    f" {int(facts.get(count, 0)):,}: {self._mend()}"
                )

    def _mend(self) -> str:
        name = self.records.configuration.name
        return f"'pykala reindex --library {name}' writes them from the records"

    def _collection(self, edition: str, part: str) -> str:
        return collection_name(read_meta(self._connection)[LIBRARY], edition, part)

    # Writing

    def _is_behind(self, *, last: bool) -> bool:
        if EPOCH not in read_meta(self._connection):
            return True
        return super()._is_behind(last=last)

    def _begin_index(self, facts: dict[str, str], number: int, *, anew: bool) -> dict[str, str]:
        if anew or EPOCH not in facts:
            facts = self._begin_edition(facts)
        elif not self._tidy:
            for part in (WORDS, MEANING, ASKED)[: 3 if int(facts.get("dimension", "0")) else 1]:
                take_back(self.records.nodes, self._collection(facts[EDITION], part), number)
        self._tidy = False  # until everything is written
        return facts

    def _end_index(self, number: int, *, last: bool) -> dict[str, str]:
        self._tidy, self._counted = not last, number
        return {EPOCH: str(number)}

    def _roll_back(self) -> None:
        """Return to the last published state; other points are removed before the next write."""
        self._tidy, self._counted = False, -1
        super()._roll_back()

    def _meet_others(self) -> None:
        """Points of another writer's turn that came to nothing are removed before the next write."""
        self._tidy = False
        super()._meet_others()

    def _begin_edition(self, facts: dict[str, str]) -> dict[str, str]:
        """Create empty collections under a new number; readers keep the previous edition."""
        edition, nodes = str(int(facts.get(EDITION, "0")) + 1), self.records.nodes
        known, layout = nodes.collections(), self.records.configuration
        for old in range(1, int(edition) - 1):
            for part in (WORDS, MEANING, ASKED):
                if (name := self._collection(str(old), part)) in known:
                    nodes.drop(name)
        shape = layout.shards, layout.replicas
        made = {WORDS: words.layout(*shape)}
        if dimension := int(facts.get("dimension", "0")):
            made |= dict.fromkeys((MEANING, ASKED), meanings.layout(dimension, *shape))
        for part, how in made.items():
            if (name := self._collection(edition, part)) in known:
                nodes.drop(name)  # a killed writer left it
            nodes.create(name, how)
        indexing.forget(self._connection, *SEQUENCES)
        write_meta(self._connection, {EDITION: edition})
        return read_meta(self._connection)

    def _writers(self, facts: dict[str, str], number: int) -> Writers:
        nodes, edition, configuration = self.records.nodes, facts[EDITION], self.records.configuration
        by_words = QdrantWordsWriter(
            nodes,
            self._collection(edition, WORDS),
            self.records,
            number,
            drift=configuration.length_drift,
            passages=int(facts.get("text_documents", 0)),
        )
        if not int(facts.get("dimension", "0")):
            return Writers(by_words)
        return Writers(
            by_words,
            {
                count: VectorsWriter(
                    nodes,
                    self._collection(edition, part),
                    number,
                    passages=int(facts.get(f"{count}_documents", 0)),
                    exact_up_to=configuration.exact_up_to,
                )
                for part, count in ((MEANING, "vector"), (ASKED, "asked"))
            },
        )

    # Comparing

    @classmethod
    def compare_file(cls, file: Path) -> dict[str, Passages]:
        """Compare the passages with those of the records, part by part. Raises StoreDamaged."""
        with closing(cls.open_file(file)) as store:
            facts, number = read_meta(store._connection), store._generation_number()
            parts = (WORDS, MEANING) if int(facts.get("dimension", "0")) else (WORDS,)
            wanted, nodes = passages_of_records(store.records), store.records.nodes
            for part in parts:
                held = passages_of_points(nodes, store._collection(facts[EDITION], part), number)
                require_same(store.records.configuration.name, part, held, wanted)
            return dict.fromkeys(parts, wanted)
