"""A library in PostgreSQL as the source or target of a copy; see `stores.copying`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path

from pykala.stores.embedded import digests
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.following import CONTENT
from pykala.stores.embedded.schema import SCHEMA
from pykala.stores.postgres.address import shown, split_index_folder
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import (
    COPIED_FROM,
    EPOCH,
    GENERATION,
    INDEX,
    INDEX_FOLDER,
    LIBRARY,
    PUBLISHED,
)
from pykala.stores.postgres.locking import take_library
from pykala.stores.postgres.migrations import migrate, require_current
from pykala.stores.postgres.objects import remembered_place
from pykala.stores.postgres.originals import DatabaseOriginals, take_in
from pykala.stores.postgres.remote_generations import generations_at
from pykala.stores.record_tables import NUMBERED, TABLES
from pykala.stores.store import StoreError


def _mending(work: str) -> str:
    pack = work.partition(":")[0]
    return (
        f"'pykala delete {work} --library ADDRESS', then 'pykala ingest {pack} --from SOURCE"
        " --library ADDRESS' reads it again"
    )


def _is_indexed(facts: Mapping[str, str]) -> bool:
    """Whether a library has an index: in files, in its database, or in Qdrant."""
    return any(name in facts for name in ("text_seq", INDEX, EPOCH))


class DatabaseSide:
    """A database; writers wait during the copy, readers go on."""

    def __init__(
        self, address: str, index_folder: Path | None, *, target: bool, takes_index_files: bool = True
    ) -> None:
        self.takes_index_files = takes_index_files
        address, named = split_index_folder(address)
        index_folder = index_folder or named
        self.name = shown(address)
        self.connection = PostgresConnection(address, writable=True)
        self._target = target
        self.originals = DatabaseOriginals(self.connection)
        try:
            take_library(self.connection)
            if not target:
                require_current(self.connection)
                self._place(self.facts(), index_folder)
                take_in(self.connection, self.root / "originals")
                self.connection.take_snapshot()
                return
            if self.connection.matter:  # `Matters.add` creates it with its policies, members and roles
                require_current(self.connection)
            self.connection.execute("BEGIN")
            migrate(self.connection)
            facts = self.facts()
            if PUBLISHED in facts and (takes_index_files or _is_indexed(facts)):
                raise self._taken()
            if LIBRARY not in facts:  # no copy was begun before
                place = remembered_place(index_folder or user_data_path("pykala") / "indexes")
                self._write({LIBRARY: secrets.token_hex(8), INDEX_FOLDER: place})
            self._place(self.facts(), index_folder)
        except BaseException:
            self.connection.close()
            raise

    def _place(self, facts: dict[str, str], index_folder: Path | None) -> None:
        if LIBRARY not in facts or (not self._target and GENERATION not in facts):
            raise StoreError(f"there is no whole library in {self.name}; run the copy that began it again")
        self._generations = generations_at(index_folder or Path(facts[INDEX_FOLDER]), facts[LIBRARY])
        self.root = self._generations.root
        self.index_files = (
            self._generations.folder(1) if self._target else self._generations.fetched(int(facts[GENERATION]))
        )

    def keeps_hashes(self) -> bool:
        """Whether it stores content hashes; works that an older version wrote have none."""
        return True

    def require_unaltered(self) -> None:
        """Compare the rows of every work with its content hashes. Raises StoreDamaged."""
        found = digests.altered_rows(self.connection)
        digests.require_unaltered(found, self.name, _mending)

    def facts(self) -> dict[str, str]:
        """The library's state."""
        return read_meta(self.connection)

    def _write(self, facts: dict[str, str]) -> None:
        write_meta(self.connection, facts)

    def number(self, table: str) -> int:
        """The last number that a table or the journal has used."""
        if table == "journal":
            row = self.connection.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
            return int(row[0]) if row else 0
        row = self.connection.execute(
            f"SELECT greatest((SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {table}_id_seq),"
            f" (SELECT coalesce(max(id), 0) FROM {table}))"
        ).fetchone()
        return int(row[0]) if row else 0

    def _taken(self) -> StoreError:
        return StoreError(f"there is a library in {self.name} already; copy into a new database")

    def begin(self, state: str) -> None:
        """Empty the tables, unless an earlier copy of the same state began to fill them."""
        facts = self.facts()
        if PUBLISHED in facts:  # all rows have arrived, but their index was not written
            if facts.get(CONTENT) != state:
                raise self._taken()
            self.connection.execute("DELETE FROM meta WHERE key = ?", (PUBLISHED,))
            self._write({COPIED_FROM: state})
        if self.facts().get(COPIED_FROM) != state:
            tables = ", ".join(one.name for one in TABLES)
            self.connection.execute(f"TRUNCATE {tables}, digests, journal, originals")
            self._write({COPIED_FROM: state})
        self.commit()

    def commit(self) -> None:
        """Commit the rows that have arrived."""
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def finish(self, facts: dict[str, str], numbers: dict[str, int]) -> None:
        """Set the sequences, and publish the first state: records and index files together."""
        for table in NUMBERED:
            if numbers[table]:
                self.connection.execute(f"SELECT setval('{table}_id_seq', ?)", (numbers[table],))
        for table in ("terms", "pairings"):
            self.connection.execute(
                f"SELECT setval('{table}_rowid_seq', (SELECT coalesce(max(rowid), 0) + 1 FROM {table}))"
            )
        self.connection.execute("DELETE FROM journal")
        if numbers["journal"]:
            self.connection.execute("INSERT INTO journal (seq, work) VALUES (?, 0)", (numbers["journal"],))
            self.connection.execute("SELECT setval('journal_seq_seq', ?)", (numbers["journal"],))
        self.connection.execute("DELETE FROM item_changes")
        self.connection.execute("DELETE FROM meta WHERE key = ?", (COPIED_FROM,))
        self._generations.publish(1)
        self._write({**facts, "schema": str(SCHEMA), GENERATION: "1", PUBLISHED: "1"})
        self.connection.execute("COMMIT")
        self._generations.named()
        self.connection.execute("ANALYZE")

    def close(self) -> None:
        """Release the lock; uncommitted rows are dropped."""
        self.connection.close()
