"""A store with its records in PostgreSQL and an index on a server: Qdrant, or PostgreSQL itself.

To publish, a writer writes the passages of the next state, and commits the records that name that state.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast

from pykala.stores.embedded import glossary, indexing, standing
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.vectors import VectorIndex
from pykala.stores.postgres.facts import GENERATION
from pykala.stores.served import files
from pykala.stores.served.searching import ServedSearching
from pykala.stores.served.statistics import make_tables
from pykala.stores.served.word_staging import WordsWriter

SEQUENCES = ("text_seq", "vector_seq", "asked_seq")


class VectorsWriter(Protocol):
    """Stages vectors; `append` is that of `embedded.vectors.VectorIndex`."""

    def clear(self) -> None:
        """Remove everything."""
        ...

    def delete_works(self, works: Collection[int]) -> None:
        """Remove every passage of these works."""
        ...

    def commit(self) -> None:
        """Count the vectors."""
        ...

    def require(self, passages: int) -> None:
        """Refuse to publish unless every passage has arrived."""
        ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Writers:
    """The writers for the passages of the next state; no vectors where the library has no embedder."""

    words: WordsWriter
    vectors: Mapping[str, VectorsWriter] = field(default_factory=dict)  # "vector" and "asked"


class ServedStore(ServedSearching):
    """Records in PostgreSQL, an index on a server; see `stores.store.Store`."""

    @abstractmethod
    def _require_state(self, facts: dict[str, str], number: int) -> None:
        """Refuse a state whose passages are not in the index."""

    @abstractmethod
    def _reading(self, facts: dict[str, str], number: int) -> indexing.Indexes:
        """The indexes of a state."""

    @abstractmethod
    def _begin_index(self, facts: dict[str, str], number: int, *, anew: bool) -> dict[str, str]:
        """Prepare to write the state after `number`; return the facts at that point."""

    @abstractmethod
    def _writers(self, facts: dict[str, str], number: int) -> Writers:
        """The writers for the passages of the state after `number`."""

    @abstractmethod
    def _end_index(self, number: int, *, last: bool) -> dict[str, str]:
        """Record that state `number` is written but not yet committed; return the facts that say so."""

    @property
    def _keeps_copies(self) -> bool:
        return True  # of files in the database

    def _open_indexes(self) -> None:
        """Read the state that the records name."""
        facts, number = read_meta(self._connection), self._generation_number()
        self._require_state(facts, number)
        opened = self._reading(facts, number)
        folder = self.generations.folder(number)
        files.unpack(self.records, folder)
        self._indexes.close()
        self._indexes = opened
        self._note_state()
        self._glossary, self._standings = glossary.Glossary(folder), standing.Standings(folder)
        if not self.writable:
            self.generations.discard_before(number)

    def _write_generation(self, *, last: bool, anew: bool) -> None:
        make_tables(self.records)
        facts, number = read_meta(self._connection), self._generation_number()
        if not anew:
            files.unpack(self.records, self.generations.folder(number))
        folder = self.generations.begin(number, empty=anew)
        try:
            newest = self._stage(self._begin_index(facts, number, anew=anew), number, last=last)
            if last:
                glossary.keep_up(folder, self._connection)
                standing.keep_up(folder, self._connection)
            files.pack(self.records, folder)
            named = {GENERATION: str(number + 1), **self._end_index(number + 1, last=last)}
            write_meta(self._connection, named)
            self.generations.finish(folder, number + 1)
        except BaseException:
            self.generations.discard(folder)
            raise
        self.records.execute("DELETE FROM journal WHERE seq < ?", (newest,))

    def _stage(self, facts: dict[str, str], number: int, *, last: bool) -> int:
        """Write the passages of the next state; return the end of the journal that they reach."""
        writers = self._writers(facts, number)
        staged = indexing.Indexes(cast(TextIndexes, writers.words), None)
        if writers.vectors:
            staged.vectors = cast(VectorIndex, writers.vectors["vector"])
            staged.asked = cast(VectorIndex, writers.vectors["asked"])
        newest = indexing.stage(self._connection, staged, self._embedder)
        passages = writers.words.commit(last=last)
        told = {"text_seq": str(newest), "text_documents": str(passages)}
        for count, writer in writers.vectors.items():
            writer.commit()
            told |= {f"{count}_seq": str(newest), f"{count}_documents": str(len(writer))}
        if "vector" in writers.vectors:
            writers.vectors["vector"].require(passages)
        write_meta(self._connection, told)
        return newest
