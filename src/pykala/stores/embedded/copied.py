"""A library folder as the source or target of a copy; see `stores.copying`."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path

from pykala.stores.embedded import database, digests, rebuilding
from pykala.stores.embedded.locks import WriterLock
from pykala.stores.embedded.schema import SCHEMA, TABLES
from pykala.stores.originals import FolderOriginals
from pykala.stores.store import StoreError

_UNFINISHED = "copying.db"


def mending(folder: Path, work: str) -> str:
    """How altered text of a library in a folder is mended."""
    return (
        f"'pykala verify {folder}' lists all of it; after 'pykala verify {folder} --repair' the next"
        f" 'pykala ingest {work.partition(':')[0]} --from SOURCE --library {folder}' reads it again"
    )


class FolderSide:
    """A folder, locked during the copy so that its state does not change."""

    takes_index_files = True

    def __init__(self, folder: Path, *, target: bool) -> None:
        self.name, self.root, self.index_files = str(folder), folder, folder
        self.originals = FolderOriginals(folder / "originals")
        self._target = target
        if target:
            if database.exists(folder):
                raise StoreError(f"there is a library in {folder} already; copy into a new folder")
            folder.mkdir(parents=True, exist_ok=True)
        else:
            database.require(folder)
        self._lock = WriterLock(folder)
        try:
            if target:
                self.connection = sqlite3.connect(folder / _UNFINISHED, isolation_level=None)
            else:
                self.connection = database.connect(folder, writable=False)
                self.connection.execute("BEGIN")
                self._require_whole()
        except BaseException:
            self._lock.release()
            raise

    def _require_whole(self) -> None:
        facts = self.facts()
        seen = {facts.get(name) for name in ("text_seq", "vector_seq", "asked_seq") if name in facts}
        if seen - {str(self.number("journal"))} or rebuilding.is_unfinished(self.connection):
            raise StoreError(
                f"the indexes in {self.name} are behind its records;"
                f" 'pykala stats --library {self.name}' mends them, then copy again"
            )

    def keeps_hashes(self) -> bool:
        """Whether it stores content hashes of works."""
        return digests.kept(self.connection)

    def require_unaltered(self) -> None:
        """Compare the rows of every work with its content hashes. Raises StoreDamaged."""
        with database.clear_errors(self.root):
            found = digests.altered(self.connection)
            digests.require_unaltered(found, self.name, partial(mending, self.root))

    def facts(self) -> dict[str, str]:
        """The library's state."""
        return database.read_meta(self.connection)

    def number(self, table: str) -> int:
        """The last number that a table or the journal has used."""
        row = self.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        if row is None and table != "journal":
            row = self.connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
        return int(row[0]) if row else 0

    def begin(self, state: str) -> None:
        """Create the tables, unless an earlier copy of the same state and schema did."""
        begun = {"copied_from": state, "schema": str(SCHEMA)}
        with suppress(sqlite3.Error):
            if begun.items() <= self.facts().items():
                self.connection.execute("BEGIN")
                return
        self.connection.close()
        for name in (_UNFINISHED, f"{_UNFINISHED}-wal", f"{_UNFINISHED}-shm"):
            (self.root / name).unlink(missing_ok=True)
        database.create_by_umask(self.root / _UNFINISHED)
        self.connection = sqlite3.connect(self.root / _UNFINISHED, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute("BEGIN")
        for statement in (*TABLES.split(";\n"), digests.TABLE):
            if statement.strip():
                self.connection.execute(statement)
        database.write_meta(self.connection, begun)
        self.commit()

    def commit(self) -> None:
        """Commit the rows that have arrived."""
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def finish(self, facts: dict[str, str], numbers: dict[str, int]) -> None:
        """Hash the works that came without hashes, store the facts, and rename the database."""
        for work, _ in digests.uncovered(self.connection):
            digests.seal(self.connection, work)
        for table in ("works", "children", "journal"):
            self.connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self.connection.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, numbers[table]))
        self.connection.execute("DELETE FROM meta")
        database.write_meta(self.connection, {**facts, "schema": str(SCHEMA)})
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()
        (self.root / _UNFINISHED).replace(self.root / database.FILE)

    def close(self) -> None:
        """Close the records and release the lock."""
        self.connection.close()
        self._lock.release()
