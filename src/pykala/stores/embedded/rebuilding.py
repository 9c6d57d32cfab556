"""Rebuild indexes beside those in use, and put them in place when they are complete.

New indexes are written into a folder inside the library. Until the end readers use the present ones, and a
kill changes nothing. At the end one transaction records what the new indexes are, and that they are still to
be put in place; then folders are renamed. A kill between the two is finished by whoever opens the library
next, in milliseconds.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from pykala.fetch.descriptors import sync_folder
from pykala.models.embedder import Embedder
from pykala.stores.connection import Connection
from pykala.stores.embedded import glossary, indexing, integrity, standing
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.discarding import discard
from pykala.stores.embedded.fulltext import TextIndexDamaged
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.indexing import ASKED_FOLDER, COUNTED, TEXT_FOLDER, VECTOR_FOLDER
from pykala.stores.rebuild_progress import Progress, Steps
from pykala.text.analysis import fingerprint

FOLDER: Final = "reindexing"
_PENDING: Final = "reindexed_parts"  # a fact while new indexes are still to be put in place: their names
#: A fact: how often indexes were put in place. Readers see by it that they must open the files again.
TIMES: Final = "reindexed"


def parts_of(embedder: Embedder | None) -> tuple[str, ...]:
    """The indexes of a library that has this embedder."""
    return (TEXT_FOLDER,) if embedder is None else (TEXT_FOLDER, VECTOR_FOLDER, ASKED_FOLDER)


def outdated(folder: Path, connection: Connection, embedder: Embedder | None) -> tuple[str, ...]:
    """The indexes that are damaged, or that the installed text analysis or the embedder makes otherwise.

    Vectors stay where a new embedder encodes documents as the old one did, and only questions differently.
    """
    meta = read_meta(connection)
    same_words = meta.get("analysis") == fingerprint()
    same = meta.get("embedder") == (embedder.fingerprint if embedder else "")
    reads = indexing.reading_of(embedder)
    alike = {
        TEXT_FOLDER: same_words,
        VECTOR_FOLDER: same_words and (same or bool(reads and meta.get("documents_read_by") == reads)),
        ASKED_FOLDER: same_words and same,
    }
    return tuple(
        part for part in parts_of(embedder) if not (alike[part] and _is_whole(folder, connection, part))
    )


def is_of(connection: Connection, embedder: Embedder | None) -> bool:
    """Whether the records say that the indexes were made as they would be now."""
    meta = read_meta(connection)
    return all(meta.get(name) == value for name, value in indexing.made_by(embedder).items())


def _is_whole(folder: Path, connection: Connection, part: str) -> bool:
    """Whether every byte of an index matches its checksum, and it holds as many passages as it should."""
    manifest = integrity.Manifest.read(folder)
    if f"{COUNTED.get(part, TEXT_FOLDER)}_seq" not in read_meta(connection):
        return False
    if indexing.are_of_other_records(folder, connection):
        return False
    try:
        integrity.check_whole(folder, part, manifest)
        if part == TEXT_FOLDER:
            indexing.open_text(folder, connection, manifest, [], writable=False).close()
        elif (opened := indexing.open_vectors(folder, part, connection, [], writable=False)) is not None:
            opened.close()
    except (TextIndexDamaged, IndexDamaged):
        return False
    return True


def rebuild(
    folder: Path,
    connection: sqlite3.Connection,
    embedder: Embedder | None,
    parts: Collection[str],
    progress: Progress,
) -> dict[str, str]:
    """Write indexes beside the present ones; return the facts of those that are complete.

    The caller keeps other writers out, and calls `replace` next. An error or a kill leaves the library as it
    was.
    """
    beside = folder / FOLDER
    discard(beside)
    beside.mkdir()
    try:
        (works,) = connection.execute("SELECT count(*) FROM works").fetchone()
        told = Steps(works * len(parts), progress)
        facts = indexing.made_by(embedder)
        for part in parts:
            facts |= _written(beside, part, connection, embedder, told)
        if TEXT_FOLDER in parts:
            facts |= {"standing": standing.count(beside, connection)}
            if glossary.is_possible(connection):
                facts |= {"glossary": glossary.build(beside, connection)}
        return facts
    except BaseException:
        discard(beside)
        raise


def _written(
    beside: Path, part: str, connection: Connection, embedder: Embedder | None, told: Steps
) -> dict[str, str]:
    if part == TEXT_FOLDER:
        with TextIndexes.open(beside / part, writable=True) as words:
            return indexing.fill(connection, part, words, embedder, told)
    from pykala.stores.embedded.vectors import VectorIndex  # imports NumPy, which only vectors need

    assert embedder is not None
    index = VectorIndex.create(beside / part, dimension=embedder.dimension)
    try:
        return indexing.fill(connection, part, index, embedder, told)
    finally:
        index.close()


def replace(folder: Path, connection: sqlite3.Connection, facts: dict[str, str]) -> None:
    """Record the facts of new indexes and put these in place. No reader may open the library meanwhile."""
    before = read_meta(connection)
    new = [path.name for path in sorted((folder / FOLDER).iterdir())]
    # Without a checksum, a new glossary is not mistaken for a damaged one if we are killed before the end.
    integrity.being_written(integrity.Manifest.read(folder), folder)
    connection.execute("PRAGMA synchronous = FULL")  # the renames below may not reach the disk before this
    connection.execute("BEGIN IMMEDIATE")
    if not int(facts["dimension"]):
        indexing.forget(
            connection, *(f"{name}_{fact}" for name in COUNTED.values() for fact in indexing.FACTS)
        )
    marked = {_PENDING: json.dumps(new), TIMES: str(int(before.get(TIMES, 0)) + 1)}
    unnamed = {indexing.STATE: ""}  # until all of them are in place
    write_meta(connection, facts | marked | unnamed)
    connection.execute("COMMIT")
    finish(folder, connection)
    write_meta(connection, {indexing.STATE: integrity.mark(folder)})


def is_unfinished(connection: Connection) -> bool:
    """Whether a process was killed while it put new indexes in place."""
    return _PENDING in read_meta(connection)


def finish(folder: Path, connection: Connection) -> None:
    """Put complete indexes in place, and remove what a killed process left. No reader may open meanwhile."""
    beside, meta = folder / FOLDER, read_meta(connection)
    if _PENDING in meta:
        _put_in_place(folder, json.loads(meta[_PENDING]))
        if not int(meta.get("dimension", 0)):
            for part in COUNTED:
                discard(folder / part)
        sync_folder(folder)
        indexing.forget(connection, _PENDING)
    discard(beside)


def _put_in_place(folder: Path, parts: Iterable[str]) -> None:
    """Rename each new index; it is quicker to move the present one aside than to remove its files."""
    beside = folder / FOLDER
    for part in parts:
        new, present, old = beside / part, folder / part, beside / f"{part}.old"
        if not new.exists():
            continue  # it was put in place before the kill
        if present.exists() or present.is_symlink():
            discard(old)
            present.replace(old)
        new.replace(present)
