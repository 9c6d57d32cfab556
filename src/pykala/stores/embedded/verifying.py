"""Verify a library: the pages and rows of its records, and its indexes against the records.

    report = verify(folder, embedder=embedder, repair=True)

A repair rebuilds everything that is derived: SQLite's own indexes, edges, the text and vector indexes, the
glossary and the citation counts. Altered text cannot be rebuilt: its work is marked so that the next ingest
reads it again from its source, and the report names the provision.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from pykala.models.embedder import Embedder
from pykala.stores.embedded import following, indexing, integrity
from pykala.stores.embedded.checking import check_edges, check_indexes, check_records, mend_records
from pykala.stores.embedded.database import clear_errors, connect, require, require_whole
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.locks import WriterLock, publishing
from pykala.stores.store import StoreDamaged
from pykala.stores.verification import Finding, Progress, Verification, say_nothing

_OWN_INDEX: Final = "index of the database"
_MOST: Final = 100  # findings listed of the database


def verify(
    folder: Path,
    *,
    embedder: Embedder | None = None,
    repair: bool = False,
    progress: Progress = say_nothing,
) -> Verification:
    """Check everything that can be checked, and with `repair` repair what can be repaired."""
    require(folder)
    found = Verification()
    try:
        require_whole(folder)
        with _no_writer(folder), closing(_connected(folder)) as connection:
            connection.execute("BEGIN")
            _check_database(connection, found, progress)
            if not found.damaged(_OWN_INDEX):
                check_records(connection, found, progress)
                check_edges(connection, found, progress)
            if not found.damaged(_OWN_INDEX, "database"):
                check_indexes(folder, connection, embedder, found, progress)
    except StoreDamaged as error:
        found.findings.append(Finding("database", str(error)))
    if found.damaged(_OWN_INDEX):
        found.not_covered.append("what is read through the database's own indexes, until they are mended")
    if not repair or found.damaged("database"):
        return found  # derived data cannot be checked against unreadable records
    if found.damaged(_OWN_INDEX):
        progress("rebuilding the database's own indexes")
        with _written(folder) as connection:
            connection.execute("REINDEX")
        rest = verify(folder, embedder=embedder, repair=True, progress=progress)
        rest.findings[:0] = [replace(one, mended=True) for one in found.findings]
        return rest
    _repair(folder, embedder, found, progress)
    return found


@contextmanager
def _no_writer(folder: Path) -> Iterator[None]:
    """Keep writers out, because files that change would look damaged. Readers continue."""
    if not os.access(folder, os.W_OK):
        yield
        return
    lock = WriterLock(folder)
    try:
        yield
    finally:
        lock.release()


def _connected(folder: Path) -> sqlite3.Connection:
    connection = connect(folder, writable=False)
    # Invalid UTF-8 must be reported as an altered row, not stop the check.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _check_database(connection: sqlite3.Connection, found: Verification, progress: Progress) -> None:
    progress("pages of the database")
    try:
        problems = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_MOST})")]
    except sqlite3.DatabaseError as error:
        problems = [str(error)]
    found.checked["pages"] = int(connection.execute("PRAGMA page_count").fetchone()[0])
    for problem in problems:
        if problem != "ok":
            # SQLite's own indexes repeat the tables; all other pages are the tables themselves.
            of_index = "missing from index" in problem or "wrong # of entries in index" in problem
            found.findings.append(Finding(_OWN_INDEX if of_index else "database", problem))


# Repair


def _repair(folder: Path, embedder: Embedder | None, found: Verification, progress: Progress) -> None:
    with _written(folder) as connection:
        following.follow(connection)
        connection.execute("BEGIN IMMEDIATE")
        mend_records(connection, found, progress)
        connection.execute("COMMIT")
        _discard_indexes(folder, connection, found)
    from pykala.stores.embedded.store import EmbeddedStore  # that module imports this one

    progress("rebuilding the indexes")
    made_with = EmbeddedStore.made_with(folder)
    if not made_with or (embedder is not None and embedder.fingerprint == made_with):
        EmbeddedStore.open(folder, writable=True, embedder=embedder).close()
        found.mended("indexes", "text", "vectors", "asked", integrity.BESIDE)


@contextmanager
def _written(folder: Path) -> Iterator[sqlite3.Connection]:
    with clear_errors(folder), publishing(folder):
        lock = WriterLock(folder)
        try:
            with closing(connect(folder, writable=True)) as connection:
                yield connection
        finally:
            lock.release()


def _discard_indexes(folder: Path, connection: sqlite3.Connection, found: Verification) -> None:
    """Discard what is damaged; opening for writing rebuilds it."""
    if found.damaged("text"):
        TextIndexes.discard(folder / indexing.TEXT_FOLDER)
        indexing.forget(connection, "text_seq", "text_documents")
    for part, name in indexing.COUNTED.items():
        if found.damaged(part):
            indexing.discard_vectors(folder / part)
            indexing.forget(connection, f"{name}_seq", f"{name}_documents")
    if found.damaged(integrity.BESIDE, "edges"):
        indexing.forget(connection, "standing")
        for name in integrity.FILES_BESIDE:
            with suppress(FileNotFoundError):
                (folder / name).unlink()
        integrity.being_written(integrity.Manifest.read(folder), folder)
