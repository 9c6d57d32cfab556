"""Full-text matching over a Tantivy index in one folder.

Terms are analysed beforehand (`pykala.text.analysis`); this index only counts them. Every language has a
field of its own, so that BM25's statistics are those of that language, and excluding a language costs
nothing. Filters are part of the query and do not score: they apply before ranking.

The records in SQLite are authoritative. This index may be deleted and rebuilt at any time, and its errors say
so.

BM25: Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), with k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import tantivy
from tantivy import Occur, Query

from pykala.stores.embedded import integrity
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import disk_full
from pykala.stores.embedded.discarding import discard
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.rights import follow_umask
from pykala.stores.store import StoreError
from pykala.text.analysis import LANGUAGES

_BODIES: Final = (*(f"body_{language}" for language in LANGUAGES), "body_other")
_COLUMNS: Final = (
    "passage",
    "work",
    "jurisdiction",
    "language",
    "work_kind",
    "provision_kind",
    "valid_from",
    "valid_to",
)
_WRITER_MEMORY: Final = 192_000_000  # of one thread, before a segment is written
# The last bits of a sum depend on the order in which a segment adds the terms. Round, so that equal passages
# tie.
_SCORE_DIGITS: Final = 4
_PAGE: Final = 100_000
#: Messages of Rust and the system for a full disk; a thread of Tantivy may report either.
_NO_ROOM: Final = ("StorageFull", "QuotaExceeded", "No space left", "Disk quota exceeded")
#: Bytes of a passage besides its terms, and of a segment besides its passages.
_BYTES_A_PASSAGE: Final = 128
_BYTES_A_SEGMENT: Final = 2**16


class TextIndexError(StoreError):
    """Something is wrong with the full-text index; the records themselves are not touched."""


class TextIndexLocked(TextIndexError):
    """Another writer holds the index."""


class TextIndexDamaged(TextIndexError):
    """The index's files are missing, truncated, garbage or of another layout: rebuild it from the records."""


class TextIndexUnwritable(TextIndexError):
    """A write failed (a full disk, missing rights); earlier commits remain valid."""


def body_field(language: str) -> str:
    """Name the field that holds the terms of a language."""
    return f"body_{language}" if has_own_field(language) else "body_other"


def has_own_field(language: str) -> bool:
    """Whether no other language shares a language's field: what holds a term there is in that language."""
    return language in LANGUAGES


class TextIndex:
    """A folder of passages' terms: one writer, and readers that each keep the snapshot they opened."""

    def __init__(self, folder: Path, index: Any, writer: Any, mirror: _Mirror | None = None) -> None:
        self._folder = folder
        self._mirror = mirror
        self._index = index
        self._schema = index.schema
        self._writer = writer
        self._searcher = index.searcher()
        self._uncommitted = 0  # the most bytes that a commit will write

    @classmethod
    def open(cls, folder: Path, *, writable: bool = False) -> TextIndex:
        """Open the index in `folder`; a writer makes it where there is none.

        Raises `TextIndexLocked` when another writer has it and `TextIndexDamaged` when it cannot be read.
        """
        if not writable and folder.is_dir() and not os.access(folder, os.W_OK):
            return cls._open_mirrored(folder)
        if writable and not (folder / "meta.json").exists():
            with _room_for(folder):
                folder.mkdir(parents=True, exist_ok=True)
                tantivy.Index(_schema(), path=str(folder))
        with _reading(folder):
            index = tantivy.Index.open(str(folder))
            _require_layout(folder, index)
            index.config_reader("manual")
        writer = _writer(folder, index) if writable else None
        with _reading(folder):
            return cls(folder, index, writer)

    @classmethod
    def _open_mirrored(cls, folder: Path) -> TextIndex:
        """Open an index in a read-only folder through links: Tantivy writes a lock file even to read."""
        with _reading(folder):
            mirror = _Mirror(folder)
            try:
                index = tantivy.Index.open(str(mirror.folder))
                _require_layout(folder, index)
                index.config_reader("manual")
                return cls(folder, index, None, mirror)
            except BaseException:
                mirror.remove()
                raise

    @staticmethod
    def discard(folder: Path) -> None:
        """Remove the index's files, so that `open(writable=True)` starts anew; no writer may be open."""
        discard(folder)

    def add(self, passage: int, language: str, facets: Facets, terms: Sequence[str]) -> None:
        """Add one passage; it is found after `commit`. Terms hold no white space."""
        document = tantivy.Document()
        words = " ".join(terms)
        self._uncommitted += len(words.encode()) + _BYTES_A_PASSAGE
        document.add_text(body_field(language), words)
        document.add_unsigned("passage", passage)
        document.add_unsigned("work", facets.work)
        document.add_unsigned("jurisdiction", facets.jurisdiction)
        document.add_unsigned("language", facets.language)
        document.add_unsigned("work_kind", facets.work_kind)
        document.add_unsigned("provision_kind", facets.provision_kind)
        document.add_unsigned("valid_from", facets.valid_from)
        document.add_unsigned("valid_to", facets.valid_to)
        with _writing(self._folder):
            self._open_writer().add_document(document)

    def delete_works(self, works: Collection[int]) -> None:
        """Remove the passages of these works; passages added after this call stay."""
        with _writing(self._folder):
            writer = self._open_writer()
            if works:  # by query: tantivy 0.27 deletes nothing by the term of an unsigned field
                writer.delete_documents_by_query(self._one_of("work", frozenset(works)))

    def holds(self, work: int) -> bool:
        """Whether committed passages of a work are here."""
        query = self._one_of("work", frozenset({work}))
        return bool(self._searcher.search(query, 1, count=False).hits)

    def commit(self) -> None:
        """Make all additions and deletions durable at once, and see them here."""
        with _writing(self._folder):
            self._open_writer().commit()
        self._uncommitted = 0
        follow_umask(self._folder)
        self.refresh()

    @property
    def room_to_commit(self) -> int:
        """The most bytes of disk that the next commit takes; what is not in memory is already written."""
        return min(self._uncommitted, _WRITER_MEMORY) + _BYTES_A_SEGMENT

    def clear(self) -> None:
        """Remove everything and commit."""
        self.begin_anew()
        self.commit()

    def begin_anew(self) -> None:
        """Remove everything; until `commit`, readers and a later opening find it as it was."""
        with _writing(self._folder):
            self._open_writer().delete_all_documents()

    def refresh(self) -> None:
        """Move to the latest commit; until then a reader sees the one it had."""
        with _reading(self._folder):
            if self._mirror is not None:
                self._mirror.catch_up()
            self._index.reload()
            self._searcher = self._index.searcher()

    def close(self) -> None:
        """Release the writer's lock; uncommitted additions are dropped."""
        if self._mirror is not None:
            self._mirror.remove()
        writer, self._writer = self._writer, None
        if writer is not None:
            with _writing(self._folder):
                writer.rollback()
                writer.wait_merging_threads()
                follow_umask(self._folder)

    def __enter__(self) -> TextIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def match(
        self,
        terms_by_language: Mapping[str, Sequence[str]],
        filter: FacetFilter,
        limit: int,
        *,
        weights: Mapping[str, float] | None = None,
    ) -> list[tuple[int, float]]:
        """Rank the passages that pass the filter and hold any of the terms: (passage, BM25), best first.

        `weights` multiplies the score of a term (1 where absent; 0 and below leaves the term out); a term
        given twice counts twice. Ties are in the order of passage ids.
        """
        clauses = self._term_clauses(terms_by_language, weights or {})
        if not clauses or limit <= 0:
            return []
        query = Query.boolean_query(clauses)
        conditions = self._conditions(filter)
        if conditions is None:
            return []
        if conditions:
            silent = [(Occur.Must, Query.const_score_query(condition, 0.0)) for condition in conditions]
            query = Query.boolean_query([(Occur.Must, query), *silent])
        if filter.without:
            unwanted = self._one_of("provision_kind", filter.without)
            query = Query.boolean_query([(Occur.Must, query), (Occur.MustNot, unwanted)])
        with _reading(self._folder):
            return self._best(query, limit)

    def document_frequency(self, term: str, language: str) -> int:
        """Count the passages of that language's field that hold the term (deleted ones until merged away)."""
        with _reading(self._folder):
            return int(self._searcher.doc_freq(body_field(language), term))

    def written(self, jurisdiction: int) -> int:
        """Count a jurisdiction's passages (deleted ones until merged away, as in `document_frequency`)."""
        with _reading(self._folder):
            return int(self._searcher.doc_freq("jurisdiction", jurisdiction))

    def passages(self) -> Iterator[int]:
        """Go through the ids of all live passages, ascending."""
        lowest = 0
        while True:
            query = Query.range_query(self._schema, "passage", tantivy.FieldType.Unsigned, lowest, None)
            with _reading(self._folder):
                page = self._searcher.search(
                    query, _PAGE, count=False, order_by_field="passage", order=tantivy.Order.Asc
                ).hits
            yield from (int(passage) for passage, _ in page)
            if len(page) < _PAGE:
                return
            lowest = int(page[-1][0]) + 1

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    @property
    def segments(self) -> int:
        """Count the segments of the snapshot: latency grows a little with each."""
        return int(self._searcher.num_segments)

    def verify(self) -> None:
        """Check every file against the checksum in its footer; a flipped bit raises `TextIndexDamaged`.

        Opening checks only that files are whole. This reads all of them.
        """
        with _reading(self._folder):
            integrity.check_text(self._folder)

    def _open_writer(self) -> Any:
        if self._writer is None:
            raise TextIndexError(f"{self._folder} is open for reading only: open it with writable=True")
        return self._writer

    def _term_clauses(
        self, terms_by_language: Mapping[str, Sequence[str]], weights: Mapping[str, float]
    ) -> list[tuple[Any, Any]]:
        counts: Counter[tuple[str, str]] = Counter(
            (body_field(language), term) for language, terms in terms_by_language.items() for term in terms
        )
        clauses = []
        for (field, term), count in counts.items():
            weight = weights.get(term, 1.0) * count
            if weight > 0:
                query = Query.term_query(self._schema, field, term, "freq")
                clauses.append((Occur.Should, query if weight == 1.0 else Query.boost_query(query, weight)))
        return clauses

    def _conditions(self, filter: FacetFilter) -> list[Any] | None:
        """Turn a filter into queries that must all hold; None when nothing can pass."""
        conditions: list[Any] = []
        for column, wanted in (
            ("works", filter.works),
            ("jurisdictions", filter.jurisdictions),
            ("languages", filter.languages),
            ("kinds", filter.kinds),
            ("provision_kinds", filter.provision_kinds),
        ):
            if wanted is None:
                continue
            if not wanted:
                return None
            conditions.append(self._membership(column, wanted))
        if filter.day is not None:
            number = tantivy.FieldType.Unsigned
            conditions.append(Query.range_query(self._schema, "valid_from", number, None, filter.day))
            conditions.append(Query.range_query(self._schema, "valid_to", number, filter.day + 1, None))
        return conditions

    def _membership(self, what: str, wanted: frozenset[int]) -> Any:
        if what == "kinds":
            either = [self._one_of(column, wanted) for column in ("work_kind", "provision_kind")]
            return Query.boolean_query([(Occur.Should, query) for query in either])
        return self._one_of(what.removesuffix("s"), wanted)

    def _one_of(self, column: str, wanted: frozenset[int]) -> Any:
        if len(wanted) == 1:
            return Query.term_query(self._schema, column, next(iter(wanted)), "basic")
        return Query.term_set_query(self._schema, column, sorted(wanted))

    def _best(self, query: Any, limit: int) -> list[tuple[int, float]]:
        """Take the best hits, and those beyond the limit that tie with the last of them.

        Tantivy orders ties by segment, which depends on how the index was built; passage ids do not.
        """
        fetch = limit + 16
        while True:
            hits = self._searcher.search(query, fetch, count=False).hits
            scores = [round(score, _SCORE_DIGITS) for score, _ in hits]
            if len(hits) < fetch or scores[-1] < scores[limit - 1]:
                break
            fetch *= 4
        passages = self._searcher.fast_field_values("passage", [address for _, address in hits])
        ranked = sorted(zip(scores, passages, strict=True), key=lambda hit: (-hit[0], hit[1]))
        return [(int(passage), score) for score, passage in ranked[:limit]]


class _Mirror:
    """A temporary folder of links to the files of an index, in which a lock file may be written."""

    def __init__(self, folder: Path) -> None:
        self._source = folder.absolute()
        self._temporary = TemporaryDirectory(prefix="pykala-", ignore_cleanup_errors=True)
        self.folder = Path(self._temporary.name)
        self.catch_up()

    def catch_up(self) -> None:
        """Link the files that have come since."""
        for path in self._source.iterdir():
            link = self.folder / path.name
            if not path.name.endswith(".lock") and not link.is_symlink():
                link.symlink_to(path)

    def remove(self) -> None:
        """Remove the links; open files stay readable."""
        self._temporary.cleanup()


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for body in _BODIES:
        builder.add_text_field(body, stored=False, tokenizer_name="whitespace", index_option="freq")
    for column in _COLUMNS:
        builder.add_unsigned_field(column, indexed=True, fast=True)
    return builder.build()


def _require_layout(folder: Path, index: Any) -> None:
    names = {field["name"] for field in json.loads((folder / "meta.json").read_bytes())["schema"]}
    if names != {*_BODIES, *_COLUMNS}:
        raise ValueError("its fields are those of another version")


def _writer(folder: Path, index: Any) -> Any:
    try:
        with _room_for(folder):
            return index.writer(heap_size=_WRITER_MEMORY, num_threads=1)
    except ValueError as error:
        if "LockBusy" in str(error):
            raise TextIndexLocked(
                f"another process is writing to {folder}; wait for it to end, then run the command again"
            ) from error
        raise TextIndexUnwritable(f"cannot write to {folder}: {error}") from error


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Turn every error of Tantivy about bad files into one error."""
    try:
        yield
    except TextIndexError:
        raise
    except (ValueError, OSError, RuntimeError, KeyError, TypeError, IndexDamaged) as error:
        raise _damaged(folder, error) from error
    except BaseException as error:
        # A Rust panic derives from BaseException; corrupt bytes can cause one.
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(folder, error) from error


@contextmanager
def _room_for(folder: Path) -> Iterator[None]:
    """Turn Tantivy's error about a full disk into ours, before it is taken for damage."""
    try:
        yield
    except (ValueError, OSError, RuntimeError) as error:
        if any(sign in str(error) for sign in _NO_ROOM):
            raise disk_full(folder.parent) from error
        raise


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        with _room_for(folder):
            yield
    except (ValueError, OSError, RuntimeError) as error:
        raise TextIndexUnwritable(
            f"cannot write to {folder}: {error}. The last commit stands; make room and run the command again"
        ) from error


def _damaged(folder: Path, error: BaseException) -> TextIndexDamaged:
    return TextIndexDamaged(
        f"the full-text index in {folder} cannot be read: {error}. "
        "The records are safe; discard the folder and rebuild the index from them"
    )
