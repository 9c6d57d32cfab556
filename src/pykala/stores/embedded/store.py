"""The embedded store: one folder, one writer, many readers, each on one consistent state.

A writer keeps everything that it puts in one open transaction and, at the end of a batch, publishes it:
the records are committed, then both indexes, under a lock that readers take only while they open. A kill
between the two is harmless: the journal in the records says what the indexes have not seen, and whoever
opens the library next lets them catch up.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.embedded import (
    following,
    glossary,
    indexing,
    integrity,
    rebuilding,
    standing,
    writing,
)
from pykala.stores.embedded.changing import READING, RecordWriter
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import (
    ReaderConnection,
    clear_errors,
    connect,
    exists,
    read_meta,
    require,
)
from pykala.stores.embedded.fulltext import TextIndexDamaged, TextIndexUnwritable
from pykala.stores.embedded.guarding import guarded
from pykala.stores.embedded.locks import (
    WriterLock,
    publishing,
    snapshot_unless_publishing,
    taking_snapshot,
)
from pykala.stores.embedded.migrations import migrated
from pykala.stores.embedded.published import Published, how_made
from pykala.stores.embedded.rights import require_rights
from pykala.stores.embedded.room import FILE as ROOM
from pykala.stores.embedded.room import reserved
from pykala.stores.rebuild_progress import LoggedProgress, Progress, unwatched
from pykala.stores.store import (
    StoreError,
    StoreFull,
    StoreLocked,
    WritableStore,
)


@guarded(*READING)
class EmbeddedStore(RecordWriter):
    """SQLite for records, Tantivy for words, mapped vectors for meaning; see `stores.store.Store`."""

    _connection: sqlite3.Connection

    def __init__(
        self,
        folder: Path,
        connection: sqlite3.Connection,
        indexes: indexing.Indexes,
        embedder: Embedder | None,
        lock: WriterLock | None,
    ) -> None:
        super().__init__(folder, connection, indexes, embedder)
        self._lock = lock
        self._unfinished = False  # whether an index may already contain works that the journal still lists
        self._mending = False  # whether this writer repairs the library for a reader that waits
        self._published = Published(folder)
        self._whole = True  # whether a reader's records and indexes are of one state
        self._manifest = integrity.Manifest({}, {})  # of a writer

    # Opening and closing

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        writable: bool = False,
        create: bool = True,
        embedder: Embedder | None = None,
    ) -> EmbeddedStore:
        """Open a library; a writer may create it where there is none, and lets its indexes catch up."""
        writes = writable and (create or exists(folder))
        require_rights(folder, writable=writes)
        if writes:
            return migrated(folder, lambda: cls._open_writer(folder, embedder))
        require(folder)
        return migrated(folder, lambda: cls._open_to_read(folder, embedder))

    @classmethod
    def _open_to_read(cls, folder: Path, embedder: Embedder | None) -> EmbeddedStore:
        """Open a library for reading; repair it first where its indexes are behind or damaged."""
        with taking_snapshot(folder):
            store = cls._open_reader(folder, embedder)
        if store is None and not os.access(folder, os.W_OK):
            raise StoreError(
                f"the indexes in {folder} are behind its records or damaged, and the folder cannot be written"
                f" to; 'pykala stats --library {folder}' mends it for whoever may write there"
            )
        if store is None:
            # A writer was killed, or an index is damaged: repair it as a writer would, then read.
            full: StoreFull | None = None
            locked: StoreLocked | None = None
            try:
                cls._open_writer(folder, embedder, mending=True).close()
            except StoreLocked as error:
                locked = error  # an active writer repaired it before it let any reader in; a reindex will
            except StoreFull as error:
                full = error  # no space to repair it; works indexed before can still be searched
            with taking_snapshot(folder):
                store = cls._open_reader(folder, embedder, behind=full is not None)
            problem = full or locked
            if store is None and problem is not None:
                raise problem
        if store is None:
            raise StoreError(
                f"the indexes in {folder} could not catch up; 'pykala reindex --library {folder}'"
            )
        return store

    @staticmethod
    def made_with(folder: Path) -> str | None:
        """The fingerprint of a library's embedder; "" for no embedder, None if any is accepted."""
        if not exists(folder):
            return None
        connection = migrated(folder, lambda: connect(folder, writable=False))
        try:
            return read_meta(connection).get("embedder")
        finally:
            connection.close()

    @classmethod
    def _open_writer(cls, folder: Path, embedder: Embedder | None, *, mending: bool = False) -> EmbeddedStore:
        with clear_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            # Readers, and others that would repair the library, wait from before the writer's lock is taken
            # until the indexes have caught up. So a process that gets StoreLocked finds the library
            # consistent.
            with publishing(folder):
                lock = WriterLock(folder)
                try:
                    (folder / ROOM).unlink(missing_ok=True)  # left by a killed writer
                    connection = connect(folder, writable=True)
                    rebuilding.finish(folder, connection)
                    indexing.check_fingerprints(folder, connection, embedder, writable=not mending)
                    indexing.adopt(connection, embedder)
                    indexes = indexing.open_indexes(folder, connection, writable=True)
                    store = cls(folder, connection, indexes, embedder, lock)
                    store._manifest = integrity.being_written(integrity.Manifest.read(folder), folder)
                    store._mending = mending
                    if indexing.is_behind(connection, embedder):
                        told = LoggedProgress(folder)
                        newest = indexing.stage(
                            connection, indexes, embedder, catching_up=True, progress=told
                        )
                        indexing.commit(folder, connection, indexes, embedder, newest)
                    following.follow(connection)
                    connection.execute("BEGIN IMMEDIATE")
                except BaseException:
                    lock.release()
                    raise
        return store

    @classmethod
    def _open_reader(
        cls, folder: Path, embedder: Embedder | None, *, behind: bool = False
    ) -> EmbeddedStore | None:
        """A reader on the present state; None where its indexes are damaged or, unless allowed, behind."""
        with clear_errors(folder):
            connection = connect(folder, writable=False)
            connection.execute("BEGIN")
            indexing.check_fingerprints(folder, connection, embedder, writable=False)
            if rebuilding.is_unfinished(connection):
                connection.close()
                return None
            try:
                late = indexing.is_behind(connection, embedder)
                if behind or not late:
                    indexes = indexing.open_indexes(folder, connection, writable=False)
                    store = cls(folder, connection, indexes, embedder, None)
                    store._behind = late
                    store._check_the_rest()
                    return store
            except (TextIndexDamaged, IndexDamaged):
                pass
            connection.close()
            return None

    @classmethod
    def reindex(
        cls,
        folder: Path,
        *,
        embedder: Embedder | None = None,
        force: bool = False,
        progress: Progress = unwatched,
    ) -> bool:
        """Rebuild the indexes from the records, with the installed text analysis and embedder.

        Only indexes that these would make otherwise, or that are damaged, are rebuilt; with `force` all are.
        Readers use the present ones until the new ones are complete. Return whether anything was rebuilt.
        """
        if embedder is not None:  # fail before anything is written
            encode_passages(embedder, ["law"], ["law"])
        with clear_errors(folder):
            require(folder)
            migrated(folder, lambda: connect(folder, writable=False)).close()
            lock = WriterLock(folder)
            try:
                with closing(connect(folder, writable=True)) as connection:
                    rebuilt = _reindexed(folder, connection, embedder, force, progress)
            finally:
                lock.release()
        cls.open(folder, writable=True, embedder=embedder).close()
        return rebuilt

    def refresh(self) -> None:
        """Move to the newest published state; wait for a writer that publishes one now."""
        if self._lock is not None:
            return
        with taking_snapshot(self.folder):
            moved = self._move_on()
        if not moved:
            # A writer was killed, or an index is damaged: reopening repairs the library.
            self._reopen()
        self._forget()

    def catch_up(self) -> bool:
        """Move to the newest published state if there is one; almost free if not.

        This never waits: while a state is being published, or where a killed writer left the indexes behind
        the records, the reader stays on its own state and a later call tries again.
        """
        if self._lock is not None:
            return False
        with clear_errors(self.folder):
            newer = self._published.newer(self._connection)
        if newer is None and self._whole:
            return False
        with snapshot_unless_publishing(self.folder) as quiet:
            if not quiet or (newer is not None and _is_half_way(newer, self._embedder)):
                return False
            moved = newer is not None and how_made(newer) == how_made(self._connection)
            if moved:
                self._whole = moved = self._move_on()
        # An index is damaged, other models made it, or another file is at the library's path.
        if not moved or self._published.newer(self._connection) is not None:
            try:
                self._reopen()
            except StoreFull:
                return moved  # no space to reopen: keep serving the open state, and try again later
        self._forget()
        return True

    def _move_on(self) -> bool:
        """Open the newest state of the records and both indexes; False where these must be opened again."""
        if isinstance(self._connection, ReaderConnection) and self._connection.unfollowed:
            return False  # opened on a full disk: only a new connection sees later commits
        with clear_errors(self.folder):
            before = how_made(self._connection)
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
            if how_made(self._connection) != before:
                return False
            if _is_half_way(self._connection, self._embedder):  # this read also pins the records' state
                return False
            try:
                indexing.refresh(self.folder, self._indexes)
            except (TextIndexDamaged, IndexDamaged):
                return False
            self._check_the_rest()
            self._behind = False
            return True

    def _reopen(self) -> None:
        """Take over the files of a newly opened store."""
        opened = self.open(self.folder, embedder=self._embedder)
        self._indexes.close()
        self._connection.close()
        self._connection, self._indexes = opened._connection, opened._indexes
        self._stop_checking()
        self._background, self._behind = opened._background, opened._behind
        self._names = writing.Names(self._connection)
        self._whole = True

    def _forget(self) -> None:
        """Drop cached records of the previous state."""
        self._names.forget()
        self._glossary.close()
        self._forget_state()

    def close(self) -> None:
        """Publish pending changes and release the folder."""
        try:
            if self._lock is not None and self._connection.in_transaction:
                self._publish()
                self._connection.execute("COMMIT")
                self._renew_words()
                if not self._mending:
                    glossary.keep_up(self.folder, self._connection)
                    standing.keep_up(self.folder, self._connection)
        finally:
            self._stop_checking()
            self._glossary.close()
            self._standings.close()
            self._published.close()
            self._indexes.close()  # also stops the merging of segments
            self._connection.close()
            if self._lock is not None:
                self._record_files(whole=True)
                self._lock.release()
                self._lock = None

    def _renew_words(self) -> None:
        """Rewrite text indexes from which much was deleted; where there is no room, they stay as they are."""
        with suppress(StoreFull, TextIndexUnwritable):
            if indexing.renew_words(self._connection, self._indexes.text):
                room = self._indexes.text.room_to_commit
                with publishing(self.folder), reserved(self.folder, room) as release:
                    release()
                    self._indexes.text.commit()
                    self._record_files(whole=False)  # a reader that opens next checks the new files

    def _record_files(self, *, whole: bool) -> None:
        """Record the present files; without that, readers have more to check."""
        unchecked = integrity.names(self._indexes.unchecked)
        with suppress(OSError, StoreError):
            self._manifest = integrity.record(self.folder, self._manifest, unchecked, whole=whole)

    # Writing

    @property
    def writer(self) -> WritableStore | None:
        """The store itself if it was opened for writing; else None."""
        return self if self._lock is not None else None

    def _publish(self) -> None:
        with clear_errors(self.folder):
            try:
                newest = indexing.stage(
                    self._connection, self._indexes, self._embedder, catching_up=self._unfinished
                )
                room = self._indexes.text.room_to_commit
                with publishing(self.folder), reserved(self.folder, room) as release:
                    self._connection.execute("COMMIT")
                    self._unfinished = True
                    release()
                    indexing.commit(self.folder, self._connection, self._indexes, self._embedder, newest)
                    self._record_files(whole=False)
                self._unfinished = False
                self._connection.execute("BEGIN IMMEDIATE")
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        """Return to the last published state, in the records and both indexes."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._names.forget()
        self._indexes.close()
        self._indexes = indexing.open_indexes(self.folder, self._connection, writable=True)
        self._connection.execute("BEGIN IMMEDIATE")

    def _require_writer(self) -> None:
        if self._lock is None:
            raise StoreError(f"the library in {self.folder} was opened for reading")


def _reindexed(
    folder: Path, connection: sqlite3.Connection, embedder: Embedder | None, force: bool, progress: Progress
) -> bool:
    with publishing(folder):
        rebuilding.finish(folder, connection)
    parts = rebuilding.parts_of(embedder) if force else rebuilding.outdated(folder, connection, embedder)
    if not parts and rebuilding.is_of(connection, embedder):
        return False
    facts = rebuilding.rebuild(folder, connection, embedder, parts, progress)
    with publishing(folder):
        rebuilding.replace(folder, connection, facts)
    return True


def _is_half_way(connection: sqlite3.Connection, embedder: Embedder | None) -> bool:
    """Whether a killed process left the indexes behind the records, or did not put new ones in place."""
    return indexing.is_behind(connection, embedder) or rebuilding.is_unfinished(connection)
