"""Write a library in PostgreSQL: take turns with other writers, and publish each state.

A turn is one transaction, which begins on the newest state. To publish, a writer writes a new generation of
the index files, names it in the records and commits: both change in the same moment, and a writer that is
killed before leaves the state as it was.
"""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from pykala.models.embedder import Embedder
from pykala.stores.contents import EMPTY, with_item, without_item
from pykala.stores.embedded import glossary, indexing, integrity, standing
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.following import CONTENT, HISTORY
from pykala.stores.postgres.address import shown
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import GENERATION, INDEX, PUBLISHED
from pykala.stores.postgres.generations import Generations
from pykala.stores.postgres.locking import (
    Turns,
    leave_jurisdiction,
    take_jurisdiction,
    take_jurisdiction_for_turn,
)
from pykala.stores.postgres.originals import DatabaseOriginals
from pykala.stores.postgres.records import PostgresRecords
from pykala.stores.store import StoreError, WritableStore


class PostgresPublishing(PostgresRecords):
    """The writes of a store; the engine says how a state is opened."""

    def __init__(
        self,
        records: PostgresConnection,
        generations: Generations,
        indexes: indexing.Indexes,
        embedder: Embedder | None,
    ) -> None:
        super().__init__(generations.root, records, indexes, embedder)
        self.generations = generations
        self._changed = False  # whether facts were recorded that must be published
        self._turns = Turns(records)
        self._alone_in: set[str] = set()  # jurisdictions that no other writer changes
        self._alone_for_turn: set[str] = set()
        self._originals = DatabaseOriginals(records)

    @abstractmethod
    def _open_indexes(self) -> None:
        """Open the indexes of the state that the records name."""

    @property
    def writable(self) -> bool:
        """Whether it was opened for writing."""
        return self.records.writable

    @property
    def writer(self) -> WritableStore | None:
        """The store itself if it was opened for writing; else None."""
        return self if self.records.writable else None

    @property
    def takes_turns(self) -> bool:
        """Whether other writers may wait for the end of a batch."""
        return True

    def _forget(self) -> None:
        """Drop cached records of the previous state."""
        self._names.forget()
        self._glossary.close()
        self._forget_state()

    def originals(self) -> DatabaseOriginals:
        """Where the files of uploads are kept: in the database, published with the works read from them."""
        self._require_writer()
        return self._originals

    @contextmanager
    def alone_in(self, jurisdiction: str) -> Iterator[None]:
        """Keep other writers from the law of a jurisdiction within the block."""
        self._require_writer()
        if jurisdiction in self._alone_in:
            yield
            return
        take_jurisdiction(self.records, jurisdiction)
        self._alone_in.add(jurisdiction)
        try:
            yield
        finally:
            self._alone_in.discard(jurisdiction)
            with suppress(StoreError):  # a lost connection has let it go already
                leave_jurisdiction(self.records, jurisdiction)

    def _require_alone(self, jurisdiction: str) -> None:
        if jurisdiction not in self._alone_in | self._alone_for_turn:
            take_jurisdiction_for_turn(self.records, jurisdiction)
            self._alone_for_turn.add(jurisdiction)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the turn of this writer, and begin a transaction on the newest state."""
        if self.records.in_transaction:  # it has begun
            yield
            return
        self._turns.begin()
        try:
            self.records.execute("BEGIN")
            if not self._turns.is_next():
                self._meet_others()
            yield
        finally:
            self._alone_for_turn.clear()
            if self.records.in_transaction:
                with suppress(StoreError):  # a lost connection has rolled back already
                    self.records.execute("ROLLBACK")
            self._turns.end()

    def _meet_others(self) -> None:
        """Build on what other writers have published, or left behind, since the last turn."""
        self._forget()
        self._open_indexes()

    def _require_writer(self) -> None:
        if not self.writable:
            raise StoreError(f"the library in {shown(self.records.address)} was opened for reading")

    def record(self, facts: Mapping[str, str]) -> None:
        """Record facts about the library as a whole."""
        self._changed = True
        super().record(facts)

    def _publish(self, *, last: bool = False, anew: bool = False) -> None:
        try:
            changed = self._fold_items() or self._changed
            if self._is_behind(last=last):
                self._write_generation(last=last, anew=anew)
                changed = True
            if changed:
                state = int(read_meta(self._connection).get(PUBLISHED, "0"))
                write_meta(self._connection, {PUBLISHED: str(state + 1)})
            self._originals.take_in_waiting()
            self.records.execute("COMMIT")
            self.generations.named()
            self._changed = False
        except BaseException as error:
            try:
                if isinstance(error, OSError):  # its draft is gone because its turn is over: say that
                    self._facts_now()
            finally:
                self._roll_back()
            raise
        if changed and not last:
            self._forget()
            self._open_indexes()
            self.generations.discard_all_but(self._generation_number())

    def _is_behind(self, *, last: bool) -> bool:
        """Whether a new generation is needed: for new works, or at the end for the counted files."""
        if indexing.is_behind(self._connection, self._embedder):
            return True
        folder = self.generations.folder(self._generation_number())
        return last and (
            standing.is_due(folder, self._connection) or glossary.is_due(folder, self._connection)
        )

    def _write_generation(self, *, last: bool, anew: bool) -> None:
        number = self._generation_number()
        folder = self.generations.begin(number, empty=anew)
        try:
            opened = indexing.open_indexes(folder, self._connection, writable=True)
            try:
                newest = indexing.stage(self._connection, opened, self._embedder)
                write_meta(self._connection, indexing.commit_files(opened, self._embedder, newest))
            finally:
                unchecked = integrity.names(opened.unchecked)
                opened.close()  # also stops the merging of segments, so that nothing changes afterwards
            if last:
                glossary.keep_up(folder, self._connection)
                standing.keep_up(folder, self._connection)
            integrity.record(folder, integrity.Manifest.read(folder), unchecked, whole=True)
            write_meta(self._connection, {GENERATION: str(number + 1)})  # first: is this still its turn?
            self.generations.finish(folder, number + 1)
            self.generations.publish(number + 1)
        except BaseException:
            self.generations.discard(folder)
            raise
        if INDEX in self._facts_now():  # it was in the database before
            indexing.forget(self._connection, INDEX)
            for table in ("index_words", "index_meaning", "index_asked"):
                self.records.execute(f"DELETE FROM {table}")
        self.records.execute("DELETE FROM journal WHERE seq < ?", (newest,))

    def _fold_items(self) -> bool:
        """Update the digest of the contents with the changed items."""
        came = self.records.execute("DELETE FROM item_changes RETURNING item, fingerprint, came").fetchall()
        content = read_meta(self._connection).get(CONTENT, EMPTY)
        digest = content
        for item, fingerprint, entered in came:
            digest = (with_item if entered else without_item)(digest, item, fingerprint)
        write_meta(self._connection, {CONTENT: digest})
        if came:
            write_meta(self._connection, {HISTORY: secrets.token_hex(16)})
        return digest != content

    def _roll_back(self) -> None:
        """Return to the last published state."""
        self._names.forget()
        self._changed = False
        with suppress(StoreError):  # a lost connection has already rolled back
            self.records.execute("ROLLBACK")
            self._originals.forget_waiting()

    def _note_state(self) -> None:
        """Note on which state a writer's indexes are; a reader's snapshot says so."""
        if self.writable:
            self.records.state = self._facts_now().get(PUBLISHED)

    def _generation_number(self) -> int:
        return int(self._facts_now().get(GENERATION, "0"))

    def _facts_now(self) -> dict[str, str]:
        """The library's facts, including uncommitted changes."""
        return read_meta(self._connection)

    def _follow_others(self) -> bool:
        """Move a writer to the state that another one has published; its records are always the newest."""
        if self.records.in_transaction or self._facts_now().get(PUBLISHED) == self.records.state:
            return False
        self._forget()
        self._open_indexes()
        return True
