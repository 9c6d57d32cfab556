"""Keep the indexes in step with the records: they catch up from the journal."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pykala.models.embedder import AskedEmbedder, Embedder, TwoTowerEmbedder, encode_passages
from pykala.stores.connection import Connection
from pykala.stores.embedded import glossary, integrity, standing
from pykala.stores.embedded.children import analysed, children_of_work, known_questions
from pykala.stores.embedded.damage import IndexDamaged, VectorIndexDamaged
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.discarding import discard as discard_path
from pykala.stores.embedded.discarding import is_in_the_way
from pykala.stores.embedded.facets import Facets
from pykala.stores.embedded.fulltext import TextIndexDamaged
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.rebuild_progress import Progress, Steps, unwatched
from pykala.stores.store import StoreIncompatible
from pykala.text.analysis import fingerprint

if TYPE_CHECKING:
    from pykala.stores.embedded.vectors import VectorIndex

TEXT_FOLDER, VECTOR_FOLDER, ASKED_FOLDER = "text", "vectors", "asked"
COUNTED = {VECTOR_FOLDER: "vector", ASKED_FOLDER: "asked"}  # their names in the library's facts
#: A fact, and an entry of the manifest: the name of the state that records and indexes have in common.
STATE = "state"
FACTS = ("seq", "documents")  # of each index: how far it is, and how many passages it holds
_ENCODE_AT_ONCE = 4096
_EVERY_WORK = "SELECT id FROM works ORDER BY id"
_DIGITS = 8  # digits of a digest that people need to compare two
_DIGEST = re.compile(r"[0-9a-f]{9,}")


@dataclass(slots=True)
class Indexes:
    """The indexes of a library; without vectors where it has no embedder.

    `asked` has the vectors of known questions, for sections for which the embedder knows some. `unchecked`
    are files whose checksums were not verified when opening, for lack of time.
    """

    text: TextIndexes
    vectors: VectorIndex | None
    asked: VectorIndex | None = None
    unchecked: list[integrity.Expected] = field(default_factory=list)

    @property
    def by_meaning(self) -> tuple[VectorIndex, ...]:
        """The vector indexes."""
        return tuple(index for index in (self.vectors, self.asked) if index is not None)

    def refresh(self) -> None:
        """Move to the newest published state."""
        self.text.refresh()
        for index in self.by_meaning:
            index.refresh()

    def close(self) -> None:
        """Close their files."""
        self.text.close()
        for index in self.by_meaning:
            index.close()


def open_indexes(folder: Path, connection: Connection, *, writable: bool) -> Indexes:
    """Open the indexes; a writer discards damaged ones, and `stage` fills them again."""
    if are_of_other_records(folder, connection):
        if not writable:
            raise IndexDamaged(TEXT_FOLDER, folder / TEXT_FOLDER, "it was made of other records")
        _discard_all(folder, connection)
    manifest = integrity.Manifest.read(folder)
    unchecked: list[integrity.Expected] = []
    text = open_text(folder, connection, manifest, unchecked, writable=writable)
    opened = Indexes(text, None, unchecked=unchecked)
    try:
        opened.vectors = open_vectors(folder, VECTOR_FOLDER, connection, unchecked, writable=writable)
        if writable or "asked_seq" in read_meta(connection):  # older libraries have none
            opened.asked = open_vectors(folder, ASKED_FOLDER, connection, unchecked, writable=writable)
        _check_beside(folder, connection, manifest, unchecked, writable=writable)
    except BaseException:
        opened.close()
        raise
    return opened


def refresh(folder: Path, indexes: Indexes) -> None:
    """Move a reader's indexes to the newest published state, and check new files."""
    indexes.refresh()
    manifest = integrity.Manifest.read(folder)
    parts = [TEXT_FOLDER, integrity.BESIDE]
    parts += [part for part, index in _named(indexes) if index is not None]
    indexes.unchecked = [one for part in parts for one in integrity.check_at_opening(folder, part, manifest)]


def _named(indexes: Indexes) -> tuple[tuple[str, VectorIndex | None], ...]:
    return (VECTOR_FOLDER, indexes.vectors), (ASKED_FOLDER, indexes.asked)


def open_text(
    library: Path,
    connection: Connection,
    manifest: integrity.Manifest,
    unchecked: list[integrity.Expected],
    *,
    writable: bool,
) -> TextIndexes:
    """Open the text index; a writer discards a damaged one, a reader gets the error."""
    folder, committed = library / TEXT_FOLDER, _committed(connection, "text")
    try:
        if not writable and not folder.is_dir():
            raise TextIndexDamaged(f"the text index in {folder} is missing")
        unchecked += integrity.check_at_opening(library, TEXT_FOLDER, manifest)
        index = TextIndexes.open(folder, writable=writable)
        if committed is None or int(committed) == len(index):
            return index
        index.close()
        raise TextIndexDamaged(f"the text index in {folder} holds {len(index)} passages, not {committed}")
    except (TextIndexDamaged, IndexDamaged):
        if not writable:
            raise
    TextIndexes.discard(folder)
    forget(connection, "text_seq", "text_documents")
    return TextIndexes.open(folder, writable=True)


def open_vectors(
    library: Path,
    part: str,
    connection: Connection,
    unchecked: list[integrity.Expected],
    *,
    writable: bool,
) -> VectorIndex | None:
    """Open a vector index; None without an embedder. A damaged one is treated as damaged text is."""
    folder, name = library / part, COUNTED[part]
    dimension, committed = int(read_meta(connection).get("dimension", "0")), _committed(connection, name)
    if not dimension:
        return None
    from pykala.stores.embedded.vectors import VectorIndex  # imports NumPy, which only vectors need

    try:
        if is_in_the_way(folder) or not (writable or folder.is_dir()):
            raise VectorIndexDamaged(folder, "it is missing")
        if (folder / "header.json").exists():
            unchecked += integrity.check_at_opening(library, part, integrity.Manifest.read(library))
        index = VectorIndex.open(folder, dimension=dimension, writable=writable, verify=False)
        if committed is None or int(committed) == len(index):
            return index
        index.close()
        raise VectorIndexDamaged(folder, f"it holds another number of vectors than {committed}")
    except (IndexDamaged, FileNotFoundError) as error:
        if not writable:
            raise VectorIndexDamaged(folder, "it is damaged or missing") from error
    discard_vectors(folder)
    forget(connection, f"{name}_seq", f"{name}_documents")
    return VectorIndex.open(folder, dimension=dimension, writable=True)


def _check_beside(
    folder: Path,
    connection: Connection,
    manifest: integrity.Manifest,
    unchecked: list[integrity.Expected],
    *,
    writable: bool,
) -> None:
    """Check the glossary and the standings; a writer rebuilds damaged ones."""
    try:
        if not writable:
            unchecked += integrity.check_at_opening(folder, integrity.BESIDE, manifest)
            return
        integrity.check_whole(folder, integrity.BESIDE, manifest)
        _require_beside(folder, connection)
    except IndexDamaged:
        if not writable:
            raise
        for path in (folder / name for name in integrity.FILES_BESIDE):
            if path.is_dir():
                discard_path(path)
        # These files are optional: if the disk has no room for them, continue without them.
        with suppress(OSError, sqlite3.Error):
            standing.count(folder, connection)
        with suppress(OSError, sqlite3.Error):
            if glossary.FILE in manifest.checksums or "glossary" in read_meta(connection):
                glossary.build(folder, connection)


def _require_beside(folder: Path, connection: Connection) -> None:
    """Require the files that the records say were written, where the manifest is lost as well."""
    meta = read_meta(connection)
    names = [
        *(integrity.STANDING if "standing" in meta else ()),
        *([glossary.FILE] if "glossary" in meta else ()),
    ]
    for path in (folder / name for name in names):
        if not path.is_file():
            raise IndexDamaged(integrity.BESIDE, path, "it is missing")


def discard_vectors(folder: Path) -> None:
    """Remove the files of a vector index; a writer that opens it starts a new one."""
    discard_path(folder)


def are_of_other_records(folder: Path, connection: Connection) -> bool:
    """Whether the indexes were made of other records, such as those before a copy of them was put back.

    Indexes that still have to catch up with the records have not got the name of their state yet.
    """
    records, indexes = read_meta(connection).get(STATE), integrity.Manifest.read(folder).state
    return bool(records and indexes and records != indexes) and _committed(connection, "text") is not None


def _discard_all(folder: Path, connection: Connection) -> None:
    """Remove every index, and what is counted of the records beside them."""
    TextIndexes.discard(folder / TEXT_FOLDER)
    for part in COUNTED:
        discard_vectors(folder / part)
    for name in integrity.FILES_BESIDE:
        discard_path(folder / name)
    forget(connection, *(f"{name}_{fact}" for name in ("text", *COUNTED.values()) for fact in FACTS))


def _committed(connection: Connection, index: str) -> str | None:
    """How many passages an index must hold; None where it still has to catch up."""
    meta = read_meta(connection)
    caught_up = int(meta.get(f"{index}_seq", -1)) == _newest(connection)
    return meta.get(f"{index}_documents") if caught_up else None


def forget(connection: Connection, *keys: str) -> None:
    """Delete facts: an index without them is rebuilt."""
    connection.executemany("DELETE FROM meta WHERE key = ?", ((key,) for key in keys))


def reading_of(embedder: Embedder | None) -> str:
    """A value that identifies how an embedder encodes documents; empty where it does not say."""
    return embedder.documents_fingerprint if isinstance(embedder, TwoTowerEmbedder) else ""


def check_fingerprints(
    folder: Path | str, connection: Connection, embedder: Embedder | None, *, writable: bool
) -> None:
    """Refuse an index of another text analysis or embedder; a new library accepts any."""
    meta = read_meta(connection)
    if "analysis" not in meta:
        return
    mend = f"'pykala reindex --library {folder}' mends it"
    if meta["analysis"] != fingerprint():
        raise StoreIncompatible(f"the library in {folder} was indexed with another text analysis; {mend}")
    wanted = embedder.fingerprint if embedder else ""
    # Reading without an embedder is allowed (search by words only); writing would leave out vectors.
    if meta["embedder"] != wanted and (writable or wanted):
        raise StoreIncompatible(
            f"the vectors in {folder} are of {_called(meta['embedder_name'], meta['embedder'])},"
            f" not of {_called(embedder.name if embedder else '', wanted)}; {mend}"
        )


def _called(name: str, made_by: str) -> str:
    """An embedder's name and the first digits of its fingerprint."""
    if not name:
        return "no embedder"
    edition = _DIGEST.sub(lambda digits: digits[0][:_DIGITS], made_by.removeprefix(f"{name}-"))
    return f"{name} ({edition})"


def adopt(connection: Connection, embedder: Embedder | None) -> None:
    """Record the installed text analysis and embedder in a new library."""
    if "embedder" not in read_meta(connection):
        write_meta(connection, made_by(embedder))


def made_by(embedder: Embedder | None) -> dict[str, str]:
    """The facts that say how indexes were made: with the installed text analysis and an embedder."""
    return {
        "analysis": fingerprint(),
        "embedder": embedder.fingerprint if embedder else "",
        "embedder_name": embedder.name if embedder else "",
        "dimension": str(embedder.dimension if embedder else 0),
        "documents_read_by": reading_of(embedder),
    }


def is_behind(connection: Connection, embedder: Embedder | None) -> bool:
    """Whether a writable index has not seen all records."""
    meta = read_meta(connection)
    newest = _newest(connection)
    return any(int(meta.get(key, -1)) < newest for key in _sequences(embedder))


def stage(
    connection: Connection,
    indexes: Indexes,
    embedder: Embedder | None,
    *,
    catching_up: bool = False,
    progress: Progress = unwatched,
) -> int:
    """Bring the indexes to the end of the journal without committing; return that end.

    After a kill, an index may already have committed works that the journal still lists. These works are
    skipped: deleting and adding them again would count them twice in the word statistics. Without the
    library's embedder, vectors stay in the journal until a process with that embedder writes.
    """
    staged = [_staged(connection, "text_seq", indexes.text, _stage_text, catching_up)]
    if indexes.vectors is not None and embedder is not None:
        encode = partial(_stage_vectors, embedder=embedder)
        staged.append(_staged(connection, "vector_seq", indexes.vectors, encode, catching_up))
        if indexes.asked is not None:
            know = partial(_stage_asked, embedder=embedder)
            staged.append(_staged(connection, "asked_seq", indexes.asked, know, catching_up))
    told = Steps(sum(len(missed.added) for missed, _ in staged), progress)
    for missed, write in staged:
        write(missed=missed, told=told)
    return _newest(connection)


def _staged(
    connection: Connection, key: str, index: Any, write: Callable[..., None], catching_up: bool
) -> tuple[_Missed, Callable[..., None]]:
    missed = _missed(connection, key)
    return missed.beyond(index) if catching_up else missed, partial(write, connection, index)


def fill(
    connection: Connection, part: str, index: Any, embedder: Embedder | None, told: Steps
) -> dict[str, str]:
    """Write a new, empty index of all works and commit it; return the facts that say how far it is."""
    everything = _Missed(False, (), tuple(row[0] for row in connection.execute(_EVERY_WORK)))
    if part == TEXT_FOLDER:
        _stage_text(connection, index, everything, told)
    elif embedder is not None:
        write = _stage_asked if part == ASKED_FOLDER else _stage_vectors
        write(connection, index, everything, told, embedder)
    index.commit()
    name = COUNTED.get(part, TEXT_FOLDER)
    return {f"{name}_seq": str(_newest(connection)), f"{name}_documents": str(len(index))}


def commit(
    folder: Path, connection: Connection, indexes: Indexes, embedder: Embedder | None, newest: int
) -> None:
    """Commit the indexes, record how far they are, and trim the journal.

    Records and indexes get the same name of their state: the indexes first, because the records are believed
    to be ahead until they say how far these are.
    """
    seen = read_meta(connection)
    facts = commit_files(indexes, embedder, newest)
    if not seen.get(STATE) or any(seen.get(key) != facts[key] for key in _sequences(embedder)):
        facts[STATE] = integrity.mark(folder)
    connection.execute("BEGIN IMMEDIATE")
    write_meta(connection, facts)
    if embedder is not None or indexes.vectors is None:
        connection.execute("DELETE FROM journal WHERE seq <= ?", (newest,))
    connection.execute("COMMIT")


def commit_files(indexes: Indexes, embedder: Embedder | None, newest: int) -> dict[str, str]:
    """Commit the indexes, and return the facts that say how far they are."""
    facts = {key: str(newest) for key in _sequences(embedder)}
    indexes.text.commit()
    facts["text_documents"] = str(len(indexes.text))
    if indexes.vectors is not None and embedder is not None:
        indexes.vectors.commit()
        facts["vector_documents"] = str(len(indexes.vectors))
        if indexes.asked is not None:
            indexes.asked.commit()
            facts["asked_documents"] = str(len(indexes.asked))
    return facts


def _sequences(embedder: Embedder | None) -> tuple[str, ...]:
    return ("text_seq",) if embedder is None else ("text_seq", "vector_seq", "asked_seq")


def _newest(connection: Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'journal'").fetchone()
    return int(row[0]) if row else 0


@dataclass(frozen=True, slots=True)
class _Missed:
    """The changes that an index has not seen: works to remove and to add, or everything."""

    anew: bool
    gone: tuple[int, ...]
    added: tuple[int, ...]

    def beyond(self, index: TextIndexes | VectorIndex) -> _Missed:
        """The same without works that the index already holds; work numbers are never reused."""
        if self.anew:
            return self
        return replace(self, added=tuple(work for work in self.added if not index.holds(work)))


def _missed(connection: Connection, key: str) -> _Missed:
    seen = read_meta(connection).get(key)
    if seen is None:
        return _Missed(True, (), tuple(row[0] for row in connection.execute(_EVERY_WORK)))
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


def _stage_text(connection: Connection, index: TextIndexes, missed: _Missed, told: Steps) -> None:
    if missed.anew:
        index.clear()
    index.delete_works(missed.gone)
    for work in missed.added:
        _add_words(connection, index, work)
        told.advance()


def _add_words(connection: Connection, index: TextIndexes, work: int) -> None:
    for child, terms in analysed(children_of_work(connection, work)):
        index.add(child.number, child.language, child.facets, terms)


def renew_words(connection: Connection, index: TextIndexes) -> bool:
    """Stage worn text indexes as if their law had just been read; whether there were any.

    Tantivy counts deleted passages in the weights of words until it merges them away, which may be never:
    the same law would be ordered otherwise after many changes than in a new library.
    """
    worn = index.worn()
    for number in worn:
        index.begin_anew(number)
        works = connection.execute("SELECT id FROM works WHERE jurisdiction = ? ORDER BY id", (number,))
        for (work,) in works.fetchall():
            _add_words(connection, index, work)
    return bool(worn)


def _stage_vectors(
    connection: Connection, index: VectorIndex, missed: _Missed, told: Steps, embedder: Embedder
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
        for child in children_of_work(connection, work):
            waiting.append((child.number, child.header, child.text, child.facets))
            if len(waiting) == _ENCODE_AT_ONCE:
                append()
        told.advance()
    append()


def _stage_asked(
    connection: Connection, index: VectorIndex, missed: _Missed, told: Steps, embedder: Embedder
) -> None:
    """Add a row for every section with known questions, in each of its languages and versions."""
    if missed.anew:
        index.clear()
    index.delete_works(missed.gone)
    if not isinstance(embedder, AskedEmbedder):
        return
    names: dict[int, str] = dict(connection.execute("SELECT id, key FROM works").fetchall())
    for work in missed.added:
        known = known_questions(connection, embedder, work, names[work])
        if known is not None:
            index.append(known.numbers, known.facets, known.vectors)
        told.advance()
