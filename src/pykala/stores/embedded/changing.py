"""Write the records of a library, one work at a time; each engine defines how a state is published."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Final, Self

from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.models.embedder import Embedder
from pykala.stores.connection import Connection
from pykala.stores.embedded import indexing, integrity, writing
from pykala.stores.embedded.database import clear_errors, write_meta
from pykala.stores.embedded.searching import EmbeddedIndex
from pykala.stores.store import StoreError, UnknownProvision, WritableStore

#: Methods that read; any damage that they find becomes one kind of error.
READING: Final = (
    *("fingerprints", "items", "sources", "words", "refusals", "works", "works_of", "document"),
    *("provisions", "history", "chain", "changes", "changed_works", "references", "standings"),
    *("pairings_of", "definitions_of", "named", "mentions_of", "match_text", "match_terms", "children"),
    "words_of_passage",
    *(
        "match_vector",
        "match_asked",
        "nearness",
        "search",
        "weights",
        "languages_of",
        "languages",
        "facts",
        "generation",
    ),
    *("state", "stats"),
)


class RecordWriter(EmbeddedIndex, WritableStore):
    """A store with tables: everything written is in one transaction until it is published."""

    def __init__(
        self,
        folder: Path,
        connection: Connection,
        indexes: indexing.Indexes,
        embedder: Embedder | None,
    ) -> None:
        super().__init__(folder, connection, indexes)
        self._embedder = embedder
        self._in_batch = False
        self._background: integrity.BackgroundCheck | None = None  # only for readers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _publish(self) -> None:
        """Make what was written visible to readers."""

    @abstractmethod
    def _roll_back(self) -> None:
        """Go back to the last published state."""

    @abstractmethod
    def _require_writer(self) -> None:
        """Refuse to change a library that was opened for reading."""

    def _turn(self) -> AbstractContextManager[None]:
        """Nobody else publishes within the block; an engine with several writers waits for the others."""
        return nullcontext()

    def _require_alone(self, jurisdiction: str) -> None:
        """Refuse a change of a jurisdiction that another writer is reading; within a turn."""

    # Writing

    def put(self, bundle: Bundle) -> bool:
        """Store one work; nothing is written where its fingerprint is unchanged."""
        self._require_writer()
        with self._turn():
            row = self._connection.execute(
                "SELECT fingerprint FROM items WHERE item = ?", (bundle.item,)
            ).fetchone()
            if row and row[0] == bundle.fingerprint:
                return False
            self._require_alone(bundle.work.id.jurisdiction)
            with self._change():
                writing.write_work(self._connection, self._names, bundle)
        return True

    def refuse(self, item: str, fingerprint: str, reasons: Sequence[tuple[str, str]]) -> None:
        """Record that an item gave no work, and why."""
        self._require_writer()
        with self._turn(), self._change():
            writing.refuse_item(self._connection, item, fingerprint, reasons)

    def delete(self, work: WorkId) -> None:
        """Remove a work."""
        self._require_writer()
        with self._turn():
            self._require_alone(work.jurisdiction)
            with self._change():
                if writing.remove_work(self._connection, str(work)) is None:
                    raise UnknownProvision(f"{work} is not in this library; 'pykala stats' shows what is")

    def record(self, facts: Mapping[str, str]) -> None:
        """Record facts about the library, such as that it is the sample."""
        self._require_writer()
        with self._turn(), self._change():
            write_meta(self._connection, facts)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Publish everything put within the block at its end; nothing of it where the block fails."""
        self._require_writer()
        if self._in_batch:
            raise StoreError("a batch is already open")
        with self._turn():
            self._in_batch = True
            try:
                yield
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._in_batch = False
            self._publish()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Change one work, whole or not at all; outside a batch it is published at once."""
        with clear_errors(self.folder):
            self._connection.execute("SAVEPOINT change")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK TO change")
                    self._connection.execute("RELEASE change")
                else:  # SQLite itself has rolled back, as it does on a full disk
                    self._connection.execute("BEGIN IMMEDIATE")
                self._names.forget()
                raise
            self._connection.execute("RELEASE change")
        if not self._in_batch:
            self._publish()

    # Checking

    def _check_the_rest(self) -> None:
        """Check in the background the files that opening did not; nothing if all are checked."""
        self._stop_checking()
        if self._indexes.unchecked:
            self._background = integrity.BackgroundCheck(self._indexes.unchecked)

    def _stop_checking(self) -> None:
        if self._background is not None:
            self._background.stop()
            self._background = None

    def require_sound(self) -> None:
        """Raise the damage that the background check found: a damaged index must not be searched."""
        if self._background is not None and self._background.damage is not None:
            raise self._background.damage
