"""Migrate the records of an older library in one transaction, and keep a copy.

A library of an earlier version keeps its law: nothing is fetched or parsed again. Its indexes are not
migrated; if the text analysis has changed since, opening the library says how to rebuild them.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from pykala.stores import old_findings
from pykala.stores.embedded import digests
from pykala.stores.embedded.database import FILE, OlderSchema, clear_errors, read_meta, write_meta
from pykala.stores.embedded.locks import WriterLock, publishing
from pykala.stores.embedded.schema import SCHEMA
from pykala.stores.store import StoreIncompatible

Result = TypeVar("Result")


def copy_of(folder: Path, schema: int) -> Path:
    """The path of the copy of an older schema's records."""
    return folder / f"library.schema-{schema}.db"


def migrated(folder: Path, use: Callable[[], Result]) -> Result:
    """Open a library; migrate it first where its schema is older."""
    try:
        return use()
    except OlderSchema:
        migrate(folder)
        return use()


def migrate(folder: Path) -> None:
    """Migrate a library; nothing where another process already has.

    Readers wait meanwhile. If a writer is active, StoreLocked is raised at once.
    """
    if not os.access(folder, os.W_OK) or not os.access(folder / FILE, os.W_OK):
        raise StoreIncompatible(
            f"the library in {folder} is of an older version, and the folder cannot be written to;"
            f" 'pykala stats --library {folder}' migrates it for whoever may write there"
        )
    with clear_errors(folder), publishing(folder):
        lock = WriterLock(folder)
        try:
            with closing(_connected(folder / FILE)) as connection:
                _migrate(folder, connection)
        finally:
            lock.release()


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=10.0)


def _migrate(folder: Path, connection: sqlite3.Connection) -> None:
    schema = int(read_meta(connection).get("schema", SCHEMA))
    if not FIRST <= schema < SCHEMA:
        return
    copy = copy_of(folder, schema)
    _keep(connection, copy)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(schema, SCHEMA):
            MIGRATIONS[number](connection)
        write_meta(connection, {"schema": str(SCHEMA)})
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        copy.unlink(missing_ok=True)  # the migration failed and the library is unchanged
        raise


def _keep(connection: sqlite3.Connection, copy: Path) -> None:
    """Copy the records; an incomplete copy is replaced."""
    unfinished = copy.with_suffix(".tmp")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(_connected(unfinished)) as target:
            connection.backup(target)
        unfinished.replace(copy)
    finally:
        unfinished.unlink(missing_ok=True)


def _to_2(connection: sqlite3.Connection) -> None:
    """Mark containers, record files of items, and add a table for sources' own names of provisions.

    The old schema did not record which files an item was read from, so none are named, as for an item of one
    source.
    """
    columns = {row[1] for row in connection.execute("PRAGMA table_info(nodes)")}
    if "container" not in columns:
        connection.execute("ALTER TABLE nodes ADD COLUMN container INTEGER NOT NULL DEFAULT 0")
        # Passages are anchored to sections; a node that is neither a section nor inside one is a container.
        connection.execute(
            "UPDATE nodes SET container = 1 WHERE unit = id AND id NOT IN (SELECT node FROM passages)"
        )
    connection.execute("ALTER TABLE items ADD COLUMN paths TEXT NOT NULL DEFAULT '[]'")
    connection.execute(
        "CREATE TABLE places"
        " (alias TEXT, node INTEGER, work INTEGER, PRIMARY KEY (alias, node)) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX places_by_work ON places (work)")


def _to_3(connection: sqlite3.Connection) -> None:
    """Add an index for versions that began or ended in a period."""
    connection.execute("CREATE INDEX versions_by_start ON versions (valid_from) WHERE valid_from > 0")
    connection.execute("CREATE INDEX versions_by_end ON versions (valid_to) WHERE valid_to < 4000000")


def _to_4(connection: sqlite3.Connection) -> None:
    """Store what readers found in a text as messages, which were English sentences."""
    digests.rewrite_facts(connection, old_findings.MARK, old_findings.rewritten)


#: The schema that a step starts from → the step to the next one.
MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {1: _to_2, 2: _to_3, 3: _to_4}
FIRST = min(MIGRATIONS)
