"""Check records and index files of a library, in a folder or in a database; mend what the records tell."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.connection import Connection
from pykala.stores.embedded import digests, indexing, integrity, linking, standing, writing
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import read_meta
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import TextIndexDamaged
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.verification import Finding, Progress, Verification
from pykala.text.analysis import analyse

if TYPE_CHECKING:
    from pykala.stores.embedded.vectors import VectorIndex

SAMPLED: Final = 64  # children whose terms and vectors are compared with the records
NEAR: Final = 0.98  # the least cosine of a vector with its rounded copy
NO_EMBEDDER: Final = "vectors against the records: their embedder is not at hand"
_TERMS: Final = 32  # terms compared per child, those of its text first
_NO_HASHES: Final = "were stored before content hashes were kept"
_MOST: Final = 100  # findings listed per kind


def check_records(connection: Connection, found: Verification, progress: Progress) -> None:
    """Compare the rows of every work with their content hashes."""
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


def check_edges(connection: Connection, found: Verification, progress: Progress) -> None:
    """Compare the edges with what linking the references again would give."""
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


def _key(connection: Connection, work: int) -> str:
    return str(connection.execute("SELECT key FROM works WHERE id = ?", (work,)).fetchone()[0])


# Index files


def check_indexes(
    folder: Path,
    connection: Connection,
    embedder: Embedder | None,
    found: Verification,
    progress: Progress,
) -> None:
    """Compare the checksums of index files, and some of their passages with the records."""
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
    if integrity.Manifest.is_damaged(folder):
        found.findings.append(
            Finding(integrity.BESIDE, f"{integrity.MANIFEST}: it is no whole list of checksums")
        )
    elif not manifest.checksums:
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


def _sample(folder: Path, connection: Connection, embedder: Embedder | None, found: Verification) -> None:
    """Search for some passages by their own words and vectors."""
    try:
        indexes = indexing.open_indexes(folder, connection, writable=False)
    except (TextIndexDamaged, IndexDamaged) as error:
        part = error.part if isinstance(error, IndexDamaged) else indexing.TEXT_FOLDER
        found.findings.append(Finding(part, str(error)))
        return
    try:
        compare_sample(indexes, connection, embedder, found)
    finally:
        indexes.close()


def compare_sample(
    indexes: indexing.Indexes, connection: Connection, embedder: Embedder | None, found: Verification
) -> None:
    """Look for some passages by each of their words, and compare their vectors."""
    sampled = list(sampled_children(connection))
    found.checked["sampled passages"] = len(sampled)
    lost = sum(not _found_by_terms(indexes.text, *one) for one in sampled)
    if lost:
        what = f"{lost} of {len(sampled)} sampled passages are not found by their own words"
        found.findings.append(Finding(indexing.TEXT_FOLDER, what))
    if indexes.vectors is not None and embedder is None:
        found.not_covered.append(NO_EMBEDDER)
    elif indexes.vectors is not None and embedder is not None:
        _compare_vectors(indexes.vectors, embedder, sampled, found)


#: Number, work, children of the work, language, header, text.
SampledChild = tuple[int, int, int, str, str, str]


def sampled_children(connection: Connection) -> Iterator[SampledChild]:
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
    index: VectorIndex, embedder: Embedder, sampled: list[SampledChild], found: Verification
) -> None:
    vectors = encode_passages(embedder, [one[4] for one in sampled], [one[5] for one in sampled])
    wrong = 0
    for vector, (number, *_) in zip(vectors, sampled, strict=True):
        near = index.nearness(vector, [number]).get(number, 0.0)
        wrong += bool(vector.any()) and near < NEAR
    if wrong:
        what = f"{wrong} of {len(sampled)} sampled vectors are not those of their passages"
        found.findings.append(Finding(indexing.VECTOR_FOLDER, what))


# Mending


def mend_records(connection: Connection, found: Verification, progress: Progress) -> None:
    """Link references again, and have altered works read again; in the open transaction."""
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
    if without:
        found.not_covered = [one for one in found.not_covered if _NO_HASHES not in one]
        found.not_covered.append(
            f"what changed before today in {len(without)} works: their content hashes are kept from now on"
        )


def _read_again(connection: Connection, place: str) -> None:
    """Change a work's fingerprint, so that the next ingest reads it again."""
    for item, work, refusals, paths in connection.execute(
        "SELECT item, work, refusals, paths FROM items JOIN works ON works.id = items.work"
        " WHERE works.key = ? OR ? LIKE works.key || '/%'",
        (place, place),
    ).fetchall():
        connection.execute("DELETE FROM items WHERE item = ?", (item,))
        connection.execute("INSERT INTO items VALUES (?, 'damaged', ?, ?, ?)", (item, work, refusals, paths))


def _read_lost_again(connection: Connection) -> None:
    """The same for works whose row is gone; what has no source either is removed, as nothing can show it."""
    for work in digests.lost_works(connection):
        cursor = connection.execute("UPDATE items SET fingerprint = 'damaged' WHERE work = ?", (work,))
        if not cursor.rowcount:
            writing.remove_rows(connection, work)
