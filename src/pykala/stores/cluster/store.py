"""The store of a cluster: records and word statistics in PostgreSQL, passages in Qdrant.

It is the team's store (`stores.postgres`) with another index. To publish, a writer adds points for the state
to come, counts them, and commits the records that name that state: from then on readers see them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Self, cast

from platformdirs import user_data_path

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.cluster import files, meanings, words
from pykala.stores.cluster.configuration import ClusterConfiguration, read_configuration
from pykala.stores.cluster.meanings import QdrantVectors, VectorsWriter
from pykala.stores.cluster.nodes import QdrantNodes
from pykala.stores.cluster.points import seen_by, take_back
from pykala.stores.cluster.searching import ClusterSearching
from pykala.stores.cluster.statistics import make_tables
from pykala.stores.cluster.words import QdrantWords, WordsWriter
from pykala.stores.embedded import glossary, indexing, standing
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.guarding import guarded
from pykala.stores.embedded.vectors import VectorIndex
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import GENERATION, LIBRARY
from pykala.stores.postgres.migrations import require_current
from pykala.stores.store import StoreDamaged, StoreError, StoreIncompatible

EPOCH: Final = "cluster_epoch"  # the last state whose points were written
EDITION: Final = "cluster_edition"  # numbers the collections: each writing anew has its own
_SEQUENCES: Final = ("text_seq", "vector_seq", "asked_seq")
_WORDS, _MEANING, _ASKED = "words", "meaning", "asked"
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
class ClusterStore(ClusterSearching):
    """Records in PostgreSQL, passages in Qdrant; see `stores.store.Store`."""

    records: ClusterConnection
    _tidy = False  # whether nothing but published points is in Qdrant, as far as this writer knows
    _counted = -1  # the state whose points this writer has counted

    @classmethod
    def open_file(
        cls, file: Path, *, writable: bool = False, create: bool = True, embedder: Embedder | None = None
    ) -> Self:
        """Open the library of a configuration file; a writer may create it."""
        records = cls._connected(read_configuration(file), writable=writable)
        try:
            if not (writable and create):
                require_current(records)
            folder = _folder(records.configuration)
            opened = (
                cls._written(records, embedder, folder, anew=False)
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
        if embedder is not None:  # tried before anything is thrown away
            encode_passages(embedder, ["law"], ["law"])
        records = cls._connected(read_configuration(file), writable=True)
        try:
            require_current(records)
            store = cls._written(records, embedder, _folder(records.configuration), anew=True)
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

    def _open_indexes(self) -> None:
        """Open the state that the records name, after checking that Qdrant holds it."""
        facts, number = read_meta(self._connection), self._generation_number()
        if facts.get(EPOCH) != str(number):
            raise StoreIncompatible(
                f"the passages in Qdrant are of state {facts.get(EPOCH, 'none')}, the records of {number}:"
                f" {self._mend()}"
            )
        opened = self._reading(facts, number)
        if number != self._counted:
            self._require_points(facts, number)
        folder = self.generations.folder(number)
        files.unpack(self.records, folder)
        self._indexes.close()
        self._indexes = opened
        self._glossary, self._standings = glossary.Glossary(folder), standing.Standings(folder)
        if not self.writable:
            self.generations.discard_all_but(number)

    def _reading(self, facts: dict[str, str], epoch: int) -> indexing.Indexes:
        nodes, edition = self.records.nodes, facts[EDITION]
        by_words = QdrantWords(
            nodes,
            self._collection(edition, _WORDS),
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
            return filter.works is not None or by_words.count(filter.jurisdictions) <= most

        for part, count in ((_MEANING, "vector_documents"), (_ASKED, "asked_documents")):
            vectors = QdrantVectors(
                nodes,
                self._collection(edition, part),
                epoch,
                dimension=dimension,
                passages=int(facts.get(count, 0)),
                exact=is_small,
            )
            setattr(opened, "vectors" if part == _MEANING else "asked", cast(VectorIndex, vectors))
        return opened

    def _require_points(self, facts: dict[str, str], epoch: int) -> None:
        """Refuse a state that Qdrant does not hold whole, such as after restoring an old backup."""
        wanted = {_WORDS: "text_documents"}
        if int(facts.get("dimension", "0")):
            wanted |= {_MEANING: "vector_documents", _ASKED: "asked_documents"}
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
        library = read_meta(self._connection)[LIBRARY]
        return f"pykala_{library}_{edition}_{part}"

    # Writing

    def _is_behind(self, *, last: bool) -> bool:
        if EPOCH not in read_meta(self._connection):
            return True
        return super()._is_behind(last=last)

    def _write_generation(self, *, last: bool, anew: bool) -> None:
        make_tables(self.records)
        facts, number = read_meta(self._connection), self._generation_number()
        folder = self.generations.begin(number, empty=anew)
        try:
            if anew or EPOCH not in facts:
                facts = self._begin_edition(facts)
            elif not self._tidy:
                for part in (_WORDS, _MEANING, _ASKED)[: 3 if int(facts.get("dimension", "0")) else 1]:
                    take_back(self.records.nodes, self._collection(facts[EDITION], part), number)
            self._tidy = False  # until all of it is written
            newest = self._stage(facts, number, last=last)
            if last:
                glossary.keep_up(folder, self._connection)
                standing.keep_up(folder, self._connection)
            files.pack(self.records, folder)
        except BaseException:
            self.generations.discard(number + 1)
            raise
        write_meta(self._connection, {GENERATION: str(number + 1), EPOCH: str(number + 1)})
        self._tidy, self._counted = not last, number + 1
        self.records.execute("DELETE FROM journal WHERE seq < ?", (newest,))

    def _roll_back(self) -> None:
        """Return to the last published state; other points are removed before the next write."""
        self._tidy, self._counted = False, -1
        super()._roll_back()

    def _begin_edition(self, facts: dict[str, str]) -> dict[str, str]:
        """Create empty collections under a new number; readers keep the previous edition."""
        edition, nodes = str(int(facts.get(EDITION, "0")) + 1), self.records.nodes
        known, layout = nodes.collections(), self.records.configuration
        for old in range(1, int(edition) - 1):
            for part in (_WORDS, _MEANING, _ASKED):
                if (name := self._collection(str(old), part)) in known:
                    nodes.drop(name)
        shape = layout.shards, layout.replicas
        made = {_WORDS: words.layout(*shape)}
        if dimension := int(facts.get("dimension", "0")):
            made |= dict.fromkeys((_MEANING, _ASKED), meanings.layout(dimension, *shape))
        for part, how in made.items():
            if (name := self._collection(edition, part)) in known:
                nodes.drop(name)  # a killed writer left it
            nodes.create(name, how)
        indexing.forget(self._connection, *_SEQUENCES)
        write_meta(self._connection, {EDITION: edition})
        return read_meta(self._connection)

    def _stage(self, facts: dict[str, str], number: int, *, last: bool) -> int:
        """Write the points of the next state; return the end of the journal that they cover."""
        nodes, edition, configuration = self.records.nodes, facts[EDITION], self.records.configuration
        by_words = WordsWriter(
            nodes,
            self._collection(edition, _WORDS),
            self.records,
            number,
            drift=configuration.length_drift,
            passages=int(facts.get("text_documents", 0)),
        )
        staged = indexing.Indexes(cast(TextIndexes, by_words), None)
        writers: dict[str, VectorsWriter] = {}
        if int(facts.get("dimension", "0")):
            writers = {
                count: VectorsWriter(
                    nodes,
                    self._collection(edition, part),
                    number,
                    passages=int(facts.get(f"{count}_documents", 0)),
                    exact_up_to=configuration.exact_up_to,
                )
                for part, count in ((_MEANING, "vector"), (_ASKED, "asked"))
            }
            staged.vectors = cast(VectorIndex, writers["vector"])
            staged.asked = cast(VectorIndex, writers["asked"])
        newest = indexing.stage(self._connection, staged, self._embedder)
        passages = by_words.commit(last=last)
        told = {"text_seq": str(newest), "text_documents": str(passages)}
        for count, writer in writers.items():
            writer.commit()
            told |= {f"{count}_seq": str(newest), f"{count}_documents": str(len(writer))}
        if "vector" in writers:
            writers["vector"].require(passages)
        write_meta(self._connection, told)
        return newest


def _folder(configuration: ClusterConfiguration) -> Path:
    """The folder on this machine for the library's other files."""
    return (configuration.folder or user_data_path("pykala") / "clusters").absolute()
