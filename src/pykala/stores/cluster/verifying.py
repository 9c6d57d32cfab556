"""Verify a cluster's library: the points in Qdrant and the word statistics, against the records.

Points are put back one by one; what cannot be mended so is written anew from the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from pykala.models.embedder import Embedder
from pykala.stores.cluster.configuration import read_configuration
from pykala.stores.cluster.points import ASKED, MEANING, WORDS
from pykala.stores.cluster.published import Differences, PublishedPoints
from pykala.stores.cluster.sampling import check_sample, check_statistics
from pykala.stores.cluster.store import EDITION, ClusterConnection, ClusterStore
from pykala.stores.embedded import indexing
from pykala.stores.embedded.database import read_meta
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import EPOCH, GENERATION
from pykala.stores.postgres.locking import take_library
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.postgres.verifying import DatabaseVerifier
from pykala.stores.served.files import check_files
from pykala.stores.served.passages import Row, all_passages
from pykala.stores.store import StoreIncompatible
from pykala.stores.verification import Finding, Progress, Verification, say_nothing

_PARTS: Final = {
    WORDS: indexing.TEXT_FOLDER,
    MEANING: indexing.VECTOR_FOLDER,
    ASKED: indexing.ASKED_FOLDER,
}


class ClusterVerifier(DatabaseVerifier):
    """Verifies the library of a configuration file."""

    def __init__(
        self, file: Path, *, embedder: Embedder | None = None, progress: Progress = say_nothing
    ) -> None:
        self._configuration = read_configuration(file)
        super().__init__(self._configuration.name, embedder=embedder, progress=progress)
        self._file = file
        self._differences: dict[str, Differences] = {}

    def connect(self) -> ClusterConnection:
        """Connect to the records and to Qdrant, as a writer."""
        return ClusterConnection(self._configuration, writable=True)

    def check_index(self, records: PostgresConnection, facts: dict[str, str], found: Verification) -> None:
        """Compare the points in Qdrant and the word statistics with the records."""
        assert isinstance(records, ClusterConnection)
        if facts.get(EPOCH) != facts[GENERATION] or EDITION not in facts:
            what = f"the passages are of state {facts.get(EPOCH, 'none')}, the records of {facts[GENERATION]}"
            found.findings.append(Finding("indexes", what))
            return
        held = PublishedPoints(records, facts)
        try:
            self._differences = self._compared(held, found)
        except StoreIncompatible as error:  # a collection is gone
            found.findings.append(Finding("indexes", str(error)))
            return
        check_files(records, found)
        if not found.damaged("indexes", *_PARTS.values()):
            self.progress("words and vectors against the records")
            check_statistics(held, found)
            check_sample(held, self.embedder, found)

    def _compared(self, held: PublishedPoints, found: Verification) -> dict[str, Differences]:
        """Compare the points of every collection, and note what differs."""
        parts: dict[str, Callable[[], Iterable[Row]]] = {
            part: lambda: all_passages(held.records) for part in held.parts
        }
        if self.embedder is not None and held.has_vectors:
            known = held.known_questions(self.embedder)
            parts[ASKED] = lambda: (row for rows, _ in known for row in rows)
        differences = {}
        for part, rows in parts.items():
            self.progress(f"points: {part}")
            differences[part] = held.differences(part, rows())
            found.checked[f"points of {part}"] = differences[part].checked
            for what in differences[part].told():
                found.findings.append(Finding(_PARTS[part], what))
        return differences

    def mend_index(self, found: Verification) -> bool:
        """Put missing points back and remove stray ones; compare again."""
        if super().mend_index(found):
            return True
        if not any(one.missing or one.strays for one in self._differences.values()):
            return False
        self.progress("putting points back")
        with closing(self.connect()) as records:
            take_library(records)
            records.take_snapshot()
            facts = read_meta(records)
            held = PublishedPoints(records, facts)
            for part, differing in self._differences.items():
                held.mend(part, differing, self.embedder)
            again = Verification()
            self.check_index(records, facts, again)
        return not again.findings

    def write_index_anew(self) -> None:
        """Write all points from the records, into new collections."""
        ClusterStore.reindex_file(self._file, embedder=self.embedder)

    def open_writer(self) -> PostgresStore:
        """Open the library for writing, with nobody else."""
        return ClusterStore.open_file(
            self._file, writable=True, create=False, embedder=self.embedder, whole=True
        )
