"""Verify a library whose records are in PostgreSQL: the records, and the index, wherever it is.

Index files are checked as those of a folder are. A subclass checks an index on a server: in the database
itself, or in Qdrant. Damage of derived data is mended from the records; altered text has its work read again
by the next ingest, as in a folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import closing
from pathlib import Path
from typing import Final

from pykala.models.embedder import Embedder
from pykala.stores.embedded import indexing, integrity
from pykala.stores.embedded.checking import check_edges, check_indexes, check_records, mend_records
from pykala.stores.embedded.database import read_meta
from pykala.stores.postgres.address import shown, split_index_folder
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import COPIED_FROM, EPOCH, GENERATION, INDEX_FOLDER, LIBRARY
from pykala.stores.postgres.locking import take_library
from pykala.stores.postgres.migrations import require_current
from pykala.stores.postgres.originals import DatabaseOriginals
from pykala.stores.postgres.remote_generations import generations_at
from pykala.stores.postgres.store import PostgresStore, unfinished
from pykala.stores.store import StoreDamaged, StoreError
from pykala.stores.verification import Finding, Progress, Verification, say_nothing

_PAGES: Final = "pages of the database, which PostgreSQL checks itself ('pg_amcheck', 'pg_checksums')"
_INDEX_PARTS: Final = (
    *(indexing.TEXT_FOLDER, indexing.VECTOR_FOLDER, indexing.ASKED_FOLDER),
    *(integrity.BESIDE, "indexes"),
)


class DatabaseVerifier(ABC):
    """Verifies one library; writers wait meanwhile, readers go on."""

    def __init__(
        self, library: str, *, embedder: Embedder | None = None, progress: Progress = say_nothing
    ) -> None:
        self.library, self.embedder, self.progress = library, embedder, progress

    @abstractmethod
    def connect(self) -> PostgresConnection:
        """Connect to the records, as a writer."""

    @abstractmethod
    def check_index(self, records: PostgresConnection, facts: dict[str, str], found: Verification) -> None:
        """Compare the index with the records."""

    @abstractmethod
    def write_index_anew(self) -> None:
        """Write the index from the records."""

    @abstractmethod
    def open_writer(self) -> PostgresStore:
        """Open the library for writing, with nobody else."""

    def mend_index(self, found: Verification) -> bool:
        """Mend what can be mended without writing the whole index; return whether that was all."""
        return not found.damaged(*_INDEX_PARTS)

    def verify(self, *, repair: bool = False) -> Verification:
        """Check everything that can be checked, and with `repair` repair what can be repaired."""
        found = Verification()
        with closing(self.connect()) as records:
            take_library(records)
            require_current(records)
            records.take_snapshot()
            facts = read_meta(records)
            if COPIED_FROM in facts or GENERATION not in facts:
                raise unfinished(records)
            indexing.check_fingerprints(shown(self.library), records, self.embedder, writable=False)
            check_records(records, found, self.progress)
            check_edges(records, found, self.progress)
            DatabaseOriginals(records).check(found)
            try:
                self.check_index(records, facts, found)
            except StoreDamaged as error:
                found.findings.append(Finding("indexes", str(error)))
        found.not_covered.append(_PAGES)
        if repair:
            self._repair(found, facts)
        return found

    def _repair(self, found: Verification, facts: dict[str, str]) -> None:
        made_with = facts.get("embedder", "")
        if made_with and (self.embedder is None or self.embedder.fingerprint != made_with):
            again = f"'pykala reindex --library {shown(self.library)}'"
            found.refer(f"{again} with the embedder that made its vectors", *_INDEX_PARTS)
        else:
            if not self.mend_index(found):
                self.progress("writing the index anew")
                self.write_index_anew()
            found.mended(*_INDEX_PARTS)
        if any(not one.mended and one.part in _INDEX_PARTS for one in found.findings):
            return  # an incomplete index cannot be opened
        with closing(self.open_writer()) as store, store.batch():
            if found.damaged("edges"):
                indexing.forget(store.records, "standing")  # so that citations are counted again
            mend_records(store.records, found, self.progress)


class FilesVerifier(DatabaseVerifier):
    """Verifies a library whose index is in files, on a volume or in S3."""

    def connect(self) -> PostgresConnection:
        """Connect to the records, as a writer."""
        return PostgresConnection(split_index_folder(self.library)[0], writable=True)

    def check_index(self, records: PostgresConnection, facts: dict[str, str], found: Verification) -> None:
        """Compare the index files of the generation that the records name with the records."""
        if facts.get(EPOCH) == facts[GENERATION]:
            raise StoreError(
                "the passages of this library are in Qdrant; name the file of its cluster:"
                " 'pykala verify cluster:FILE'"
            )
        place = split_index_folder(self.library)[1] or Path(facts[INDEX_FOLDER])
        files = generations_at(place, facts[LIBRARY]).fetched(int(facts[GENERATION]))
        check_indexes(files, records, self.embedder, found, self.progress)

    def write_index_anew(self) -> None:
        """Write a new generation of index files."""
        PostgresStore.reindex_at(self.library, embedder=self.embedder)

    def open_writer(self) -> PostgresStore:
        """Open the library for writing, with nobody else."""
        return PostgresStore.open_at(
            self.library, writable=True, create=False, embedder=self.embedder, whole=True
        )
