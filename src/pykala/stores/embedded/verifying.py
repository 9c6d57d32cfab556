"""Verify a library: the pages and rows of its records, and its indexes against the records.

    report = verify(folder, embedder=embedder, repair=True)

A repair rebuilds everything that is derived: SQLite's own indexes, edges, the text and vector indexes, the
glossary and the citation counts. Altered text cannot be rebuilt: its work is marked so that the next ingest
reads it again from its source, and the report names the provision.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.embedded import digests, following, indexing, integrity, linking, standing, writing
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import clear_errors, connect, read_meta, require, require_whole
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import TextIndexDamaged
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.locks import WriterLock, publishing
from pykala.stores.store import StoreDamaged
from pykala.text.analysis import analyse

if TYPE_CHECKING:
    from pykala.stores.embedded.vectors import VectorIndex

SAMPLED: Final = 64  # children whose terms and vectors are compared with the records
_TERMS: Final = 32  # terms compared per child, those of its text first
_NEAR: Final = 0.98  # the least cosine of a vector with its rounded copy
_OWN_INDEX: Final = "index of the database"
_NO_HASHES: Final = "were stored before content hashes were kept"
_MOST: Final = 100  # findings listed per kind

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference from what was written."""

    part: str  # such as "database", "records", "edges", "text", "vectors"
    what: str
    mended: bool = False
    next_step: str = ""  # where the library cannot repair itself


@dataclass(slots=True)
class Verification:
    """What was checked, what was found, and what could not be checked."""

    checked: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    not_covered: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether no damage is left."""
        return all(one.mended for one in self.findings)

    def damaged(self, *parts: str) -> bool:
        """Whether one of these parts is damaged."""
        return any(one.part in parts for one in self.findings)

    def mended(self, *parts: str) -> None:
        """Mark all findings of these parts as repaired."""
        self.findings = [replace(one, mended=True) if one.part in parts else one for one in self.findings]


def verify(
    folder: Path,
    *,
    embedder: Embedder | None = None,
    repair: bool = False,
    progress: Progress = lambda step: None,
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
                _check_records(connection, found, progress)
                _check_edges(connection, found, progress)
            if not found.damaged(_OWN_INDEX, "database"):
                _check_indexes(folder, connection, embedder, found, progress)
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


def _check_records(connection: sqlite3.Connection, found: Verification, progress: Progress) -> None:
    progress("hashes of the records")
    try:
        without = digests.uncovered(connection)
        works = int(connection.execute("SELECT count(*) FROM works").fetchone()[0])
        found.checked["works"] = works - len(without)
        if without:
            found.not_covered.append(
                f"{len(without)} of {works} works {_NO_HASHES}; a changed"
                " letter in them is not found ('--repair' keeps their hashes as they are now)"
            )
        for one in digests.altered(connection):
            if len(found.findings) >= _MOST:
                return
            found.findings.append(_altered(one))
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        found.findings.append(Finding("database", f"the records cannot be read through ({error})"))


def _altered(one: digests.Altered) -> Finding:
    jurisdiction, of_a_work, _ = one.work.partition(":")
    again = f"'pykala ingest {jurisdiction} --from SOURCE' reads it again"
    if one.table == "names" or not of_a_work:  # what one source says does not mend it
        again = (
            "'pykala restore FILE --library NEW_FOLDER' from a backup, or ingest everything into a new folder"
        )
    return Finding("records", f"{one.place or one.work}: {one.table}: {one.reason}", next_step=again)


def _check_edges(connection: sqlite3.Connection, found: Verification, progress: Progress) -> None:
    progress("references")
    try:
        for (work,) in connection.execute("SELECT id FROM works ORDER BY id").fetchall():
            try:
                wrong = linking.differing(connection, work)
            except LookupError:  # they start or end at rows that are gone, which the hashes tell, too
                what = f"{_key(connection, work)}: refs: they name rows that are gone"
                found.findings.append(Finding("records", what))
                continue
            found.checked["references"] = found.checked.get("references", 0) + wrong.references
            if wrong.edges:
                what = f"{_key(connection, work)}: {wrong.edges} edges are not what its references say"
                found.findings.append(Finding("edges", what))
    except (sqlite3.DatabaseError, ValueError, TypeError, AssertionError) as error:
        found.findings.append(Finding("database", f"the references cannot be read through ({error})"))


def _key(connection: sqlite3.Connection, work: int) -> str:
    return str(connection.execute("SELECT key FROM works WHERE id = ?", (work,)).fetchone()[0])


# The indexes


def _check_indexes(
    folder: Path,
    connection: sqlite3.Connection,
    embedder: Embedder | None,
    found: Verification,
    progress: Progress,
) -> None:
    manifest, meta = integrity.Manifest.read(folder), read_meta(connection)
    parts = [indexing.TEXT_FOLDER]
    if int(meta.get("dimension", "0")):
        parts += [indexing.VECTOR_FOLDER, *([indexing.ASKED_FOLDER] if "asked_seq" in meta else [])]
    for part in (*parts, integrity.BESIDE):
        progress(f"files: {part}")
        try:
            found.checked[f"{part} files"] = integrity.check_whole(folder, part, manifest)
        except IndexDamaged as error:
            found.findings.append(Finding(part, f"{error.path.name}: {error.reason}"))
    if not manifest.checksums:
        found.not_covered.append(
            "the glossary has no checksum yet: it was written by an earlier version, or a writer is at work"
        )
    if not standing.is_current(folder, connection):
        found.findings.append(Finding(integrity.BESIDE, "the standing of sections is not what they cite"))
    if indexing.is_behind(connection, embedder):
        found.findings.append(Finding("indexes", "they are behind the records: a writer was cut off"))
    elif not found.damaged(*parts):
        progress("terms and vectors against the records")
        _sample(folder, connection, embedder, found)


def _sample(
    folder: Path, connection: sqlite3.Connection, embedder: Embedder | None, found: Verification
) -> None:
    """Search for some passages by their own words and vectors."""
    try:
        indexes = indexing.open_indexes(folder, connection, writable=False)
    except (TextIndexDamaged, IndexDamaged) as error:
        part = error.part if isinstance(error, IndexDamaged) else indexing.TEXT_FOLDER
        found.findings.append(Finding(part, str(error)))
        return
    try:
        sampled = list(_sampled(connection))
        found.checked["sampled passages"] = len(sampled)
        lost = sum(not _found_by_terms(indexes.text, *one) for one in sampled)
        if lost:
            what = f"{lost} of {len(sampled)} sampled passages are not found by their own words"
            found.findings.append(Finding(indexing.TEXT_FOLDER, what))
        if indexes.vectors is not None and embedder is None:
            found.not_covered.append("vectors against the records: their embedder is not at hand")
        elif indexes.vectors is not None and embedder is not None:
            _compare_vectors(indexes.vectors, embedder, sampled, found)
    finally:
        indexes.close()


_Child = tuple[int, int, int, str, str, str]  # number, work, children of the work, language, header, text


def _sampled(connection: sqlite3.Connection) -> Iterator[_Child]:
    """Passages spread evenly over the library."""
    last = int(connection.execute("SELECT coalesce(max(id), 0) FROM children").fetchone()[0])
    for at in sorted({last * share // SAMPLED for share in range(SAMPLED)}):
        row = connection.execute(
            "SELECT children.id, documents.work, (SELECT count(*) FROM documents AS own"
            " JOIN passages ON passages.document = own.id JOIN children ON children.passage = passages.id"
            " WHERE own.work = documents.work), documents.language, header,"
            " substr(passages.text, children.start + 1, children.end - children.start)"
            " FROM children JOIN passages ON passages.id = children.passage"
            " JOIN documents ON documents.id = passages.document"
            " WHERE children.id >= ? ORDER BY children.id LIMIT 1",
            (at,),
        ).fetchone()
        if row is not None:
            yield row


def _found_by_terms(
    index: TextIndexes, number: int, work: int, children: int, language: str, header: str, text: str
) -> bool:
    terms = list(dict.fromkeys([*analyse(text, language), *analyse(header, language)]))
    of_work = FacetFilter(works=frozenset({work}))
    for term in terms[:_TERMS]:
        if number not in {found for found, _ in index.match({language: [term]}, of_work, children)}:
            return False
    return True


def _compare_vectors(
    index: VectorIndex, embedder: Embedder, sampled: list[_Child], found: Verification
) -> None:
    vectors = encode_passages(embedder, [one[4] for one in sampled], [one[5] for one in sampled])
    wrong = 0
    for vector, (number, *_) in zip(vectors, sampled, strict=True):
        near = index.nearness(vector, [number]).get(number, 0.0)
        wrong += bool(vector.any()) and near < _NEAR
    if wrong:
        what = f"{wrong} of {len(sampled)} sampled vectors are not those of their passages"
        found.findings.append(Finding(indexing.VECTOR_FOLDER, what))


# Repair


def _repair(folder: Path, embedder: Embedder | None, found: Verification, progress: Progress) -> None:
    with _written(folder) as connection:
        following.follow(connection)
        _repair_records(connection, found, progress)
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


def _repair_records(connection: sqlite3.Connection, found: Verification, progress: Progress) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if found.damaged("edges"):
        progress("linking the references again")
        for (work,) in connection.execute("SELECT id FROM works ORDER BY id").fetchall():
            references = linking.references_from(connection, work)
            linking.unlink(connection, references)
            linking.link(connection, references)
        found.mended("edges")
    for key in {one.what.split(": ")[0] for one in found.findings if one.part == "records"}:
        _read_again(connection, key)
    _read_lost_again(connection)
    without = digests.uncovered(connection)
    for work, _ in without:
        digests.seal(connection, work)
    connection.execute("COMMIT")
    if without:
        found.not_covered = [one for one in found.not_covered if _NO_HASHES not in one]
        found.not_covered.append(
            f"what changed before today in {len(without)} works: their content hashes are kept from now on"
        )


def _read_again(connection: sqlite3.Connection, place: str) -> None:
    """Change a work's fingerprint, so that the next ingest reads it again."""
    for item, work, refusals, paths in connection.execute(
        "SELECT item, work, refusals, paths FROM items JOIN works ON works.id = items.work"
        " WHERE works.key = ? OR ? LIKE works.key || '/%'",
        (place, place),
    ).fetchall():
        connection.execute("DELETE FROM items WHERE item = ?", (item,))
        connection.execute("INSERT INTO items VALUES (?, 'damaged', ?, ?, ?)", (item, work, refusals, paths))


def _read_lost_again(connection: sqlite3.Connection) -> None:
    """The same for works whose row is gone; what has no source either is removed, as nothing can show it."""
    for work in digests.lost_works(connection):
        cursor = connection.execute("UPDATE items SET fingerprint = 'damaged' WHERE work = ?", (work,))
        if not cursor.rowcount:
            writing.remove_rows(connection, work)


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
