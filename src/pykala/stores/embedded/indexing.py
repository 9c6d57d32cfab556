"""Keeping both indexes in step with the records: they catch up on what the journal says they missed."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.embedded import glossary
from pykala.stores.embedded.damage import VectorIndexDamaged
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.facets import Facets
from pykala.stores.embedded.fulltext import TextIndex, TextIndexDamaged
from pykala.stores.store import StoreIncompatible
from pykala.text.analysis import analyse, fingerprint

if TYPE_CHECKING:
    from pykala.stores.embedded.vectors import VectorIndex

TEXT_FOLDER, VECTOR_FOLDER = "text", "vectors"
_ENCODE_AT_ONCE = 4096
_DIGITS = 8  # enough of a digest for people to tell two apart
_DIGEST = re.compile(r"[0-9a-f]{9,}")

_CHILDREN = """
SELECT children.id, documents.language, header,
  substr(passages.text, children.start + 1, children.end - children.start),
  works.id, works.jurisdiction, language_names.id, works.kind, children.kind,
  passages.valid_from, passages.valid_to
FROM works JOIN documents ON documents.work = works.id
JOIN passages ON passages.document = documents.id JOIN children ON children.passage = passages.id
JOIN names AS language_names ON language_names.value = documents.language
WHERE works.id = ? ORDER BY children.id
"""


@dataclass(slots=True)
class Indexes:
    """The two indexes of a library; no vectors where it has no embedder."""

    text: TextIndex
    vectors: VectorIndex | None

    def refresh(self) -> None:
        """Move to the newest published state."""
        self.text.refresh()
        if self.vectors:
            self.vectors.refresh()

    def close(self) -> None:
        """Release their files."""
        self.text.close()
        if self.vectors:
            self.vectors.close()


def open_indexes(folder: Path, connection: sqlite3.Connection, *, writable: bool) -> Indexes:
    """Open both; a writer throws a damaged one away and starts it anew, to be filled by `stage`."""
    text = _open_text(folder / TEXT_FOLDER, connection, writable=writable)
    try:
        return Indexes(text, _open_vectors(folder / VECTOR_FOLDER, connection, writable=writable))
    except BaseException:
        text.close()
        raise


def _open_text(folder: Path, connection: sqlite3.Connection, *, writable: bool) -> TextIndex:
    committed = _committed(connection, "text")
    try:
        if not writable and not folder.is_dir():
            raise TextIndexDamaged(f"the text index in {folder} is missing")
        index = TextIndex.open(folder, writable=writable)
        if committed is None or int(committed) == len(index):
            return index
        index.close()
        raise TextIndexDamaged(f"the text index in {folder} holds {len(index)} passages, not {committed}")
    except TextIndexDamaged:
        if not writable:
            raise
    TextIndex.discard(folder)
    forget(connection, "text_seq", "text_documents")
    return TextIndex.open(folder, writable=True)


def _open_vectors(folder: Path, connection: sqlite3.Connection, *, writable: bool) -> VectorIndex | None:
    dimension, committed = int(read_meta(connection).get("dimension", "0")), _committed(connection, "vector")
    if not dimension:
        return None
    from pykala.stores.embedded.vectors import VectorIndex  # brings NumPy, which only vectors need

    try:
        if not writable and not folder.is_dir():
            raise VectorIndexDamaged(folder, "it is missing")
        index = VectorIndex.open(folder, dimension=dimension, writable=writable)
        if committed is None or int(committed) == len(index):
            return index
        index.close()
        raise VectorIndexDamaged(folder, f"it holds another number of vectors than {committed}")
    except (VectorIndexDamaged, FileNotFoundError) as error:
        if not writable:
            raise VectorIndexDamaged(folder, "it is damaged or missing") from error
    shutil.rmtree(folder, ignore_errors=True)
    forget(connection, "vector_seq", "vector_documents")
    return VectorIndex.open(folder, dimension=dimension, writable=True)


def _committed(connection: sqlite3.Connection, index: str) -> str | None:
    """How many passages an index must hold; None where it has yet to catch up, and may hold more or less."""
    meta = read_meta(connection)
    caught_up = int(meta.get(f"{index}_seq", -1)) == _newest(connection)
    return meta.get(f"{index}_documents") if caught_up else None


def forget(connection: sqlite3.Connection, *keys: str) -> None:
    """Forget facts: an index that has seen nothing, as far as is known, is written anew."""
    connection.executemany("DELETE FROM meta WHERE key = ?", ((key,) for key in keys))


def discard(folder: Path, connection: sqlite3.Connection, embedder: Embedder | None) -> None:
    """Throw the indexes away; the next ones are made with the analysis and the embedder at hand.

    Where only the embedder is another, the text index and the glossary stay: it changes nothing in them.
    Whoever reindexes with the embedder that the library has wants it mended, and all is written anew.
    """
    connection.execute("BEGIN IMMEDIATE")
    meta = read_meta(connection)
    other = meta.get("embedder") != (embedder.fingerprint if embedder else "")
    keeps_text = other and meta.get("analysis") == fingerprint()
    forget(connection, "embedder", "embedder_name", "dimension", "vector_seq", "vector_documents")
    if not keeps_text:
        forget(connection, "analysis", "text_seq", "text_documents")
    adopt(connection, embedder)
    connection.execute("COMMIT")
    if not keeps_text:
        TextIndex.discard(folder / TEXT_FOLDER)
        glossary.discard(folder)
    shutil.rmtree(folder / VECTOR_FOLDER, ignore_errors=True)


def check_fingerprints(
    folder: Path, connection: sqlite3.Connection, embedder: Embedder | None, *, writable: bool
) -> None:
    """Refuse an index made by another analysis or embedder; a library that has none yet takes any."""
    meta = read_meta(connection)
    if "analysis" not in meta:
        return
    mend = f"'pykala reindex --library {folder}' mends it"
    if meta["analysis"] != fingerprint():
        raise StoreIncompatible(f"the library in {folder} was indexed with another text analysis; {mend}")
    wanted = embedder.fingerprint if embedder else ""
    # Reading without an embedder is fine (words alone are searched); writing would leave vectors out.
    if meta["embedder"] != wanted and (writable or wanted):
        raise StoreIncompatible(
            f"the vectors in {folder} are of {_called(meta['embedder_name'], meta['embedder'])},"
            f" not of {_called(embedder.name if embedder else '', wanted)}; {mend}"
        )


def _called(name: str, made_by: str) -> str:
    """An embedder by its name and the first digits of what tells its editions apart."""
    if not name:
        return "no embedder"
    edition = _DIGEST.sub(lambda digits: digits[0][:_DIGITS], made_by.removeprefix(f"{name}-"))
    return f"{name} ({edition})"


def adopt(connection: sqlite3.Connection, embedder: Embedder | None) -> None:
    """Let a new library take on the analysis and the embedder at hand."""
    if "embedder" not in read_meta(connection):
        facts = {
            "analysis": fingerprint(),
            "embedder": embedder.fingerprint if embedder else "",
            "embedder_name": embedder.name if embedder else "",
            "dimension": str(embedder.dimension if embedder else 0),
        }
        write_meta(connection, facts)


def is_behind(connection: sqlite3.Connection, embedder: Embedder | None) -> bool:
    """Whether an index that we can write has not seen all of the records."""
    meta = read_meta(connection)
    newest = _newest(connection)
    return any(int(meta.get(key, -1)) < newest for key in _sequences(embedder))


def stage(
    connection: sqlite3.Connection, indexes: Indexes, embedder: Embedder | None, *, catching_up: bool = False
) -> int:
    """Bring the indexes up to the journal's end, not yet committed; return that end.

    When catching up after a kill, an index may have committed what the journal still lists: what it holds
    is left alone, for deleting and adding it again would count it twice in the statistics of its words.
    Without the embedder that made them, vectors wait in the journal for someone who has it.
    """
    missed = _missed(connection, "text_seq")
    _stage_text(connection, indexes.text, missed.beyond(indexes.text) if catching_up else missed)
    if indexes.vectors is not None and embedder is not None:
        missed = _missed(connection, "vector_seq")
        missed = missed.beyond(indexes.vectors) if catching_up else missed
        _stage_vectors(connection, indexes.vectors, embedder, missed)
    return _newest(connection)


def commit(connection: sqlite3.Connection, indexes: Indexes, embedder: Embedder | None, newest: int) -> None:
    """Commit the indexes, then record how far they have come and forget what all of them have seen."""
    facts = {key: str(newest) for key in _sequences(embedder)}
    indexes.text.commit()
    facts["text_documents"] = str(len(indexes.text))
    if indexes.vectors is not None and embedder is not None:
        indexes.vectors.commit()
        facts["vector_documents"] = str(len(indexes.vectors))
    connection.execute("BEGIN IMMEDIATE")
    write_meta(connection, facts)
    if embedder is not None or indexes.vectors is None:
        connection.execute("DELETE FROM journal WHERE seq <= ?", (newest,))
    connection.execute("COMMIT")


def _sequences(embedder: Embedder | None) -> tuple[str, ...]:
    return ("text_seq",) if embedder is None else ("text_seq", "vector_seq")


def _newest(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'journal'").fetchone()
    return int(row[0]) if row else 0


@dataclass(frozen=True, slots=True)
class _Missed:
    """What an index has not seen: works to take out and works to add, or everything."""

    anew: bool
    gone: tuple[int, ...]
    added: tuple[int, ...]

    def beyond(self, index: TextIndex | VectorIndex) -> _Missed:
        """Without the works that the index holds already; a work's number is never used again."""
        if self.anew:
            return self
        return replace(self, added=tuple(work for work in self.added if not index.holds(work)))


def _missed(connection: sqlite3.Connection, key: str) -> _Missed:
    seen = read_meta(connection).get(key)
    if seen is None:
        return _Missed(
            True, (), tuple(row[0] for row in connection.execute("SELECT id FROM works ORDER BY id"))
        )
    touched = connection.execute(
        "SELECT DISTINCT journal.work, works.id IS NOT NULL FROM journal"
        " LEFT JOIN works ON works.id = journal.work WHERE seq > ? ORDER BY journal.work",
        (int(seen),),
    ).fetchall()
    return _Missed(
        False,
        tuple(work for work, held in touched if not held),
        tuple(work for work, held in touched if held),
    )


def _stage_text(connection: sqlite3.Connection, index: TextIndex, missed: _Missed) -> None:
    if missed.anew:
        index.clear()
    index.delete_works(missed.gone)
    for work in missed.added:
        known, terms = ("", ""), list[str]()
        for number, language, header, text, facets in _children(connection, work):
            if (language, header) != known:  # the children of a passage share its header
                known, terms = (language, header), analyse(header, language)
            index.add(number, language, facets, [*terms, *analyse(text, language)])


def _stage_vectors(
    connection: sqlite3.Connection, index: VectorIndex, embedder: Embedder, missed: _Missed
) -> None:
    if missed.anew:
        index.clear()
    index.delete_works(missed.gone)
    waiting: list[tuple[int, str, str, Facets]] = []

    def append() -> None:
        if waiting:
            numbers, headers, texts, facets = zip(*waiting, strict=True)
            index.append(numbers, facets, encode_passages(embedder, headers, texts))
            waiting.clear()

    for work in missed.added:
        for number, _, header, text, facet in _children(connection, work):
            waiting.append((number, header, text, facet))
            if len(waiting) == _ENCODE_AT_ONCE:
                append()
    append()


def _children(connection: sqlite3.Connection, work: int) -> Iterator[tuple[int, str, str, str, Facets]]:
    for number, language, header, text, *columns in connection.execute(_CHILDREN, (work,)):
        yield number, language, header, text, Facets(*columns)
