"""The embedded store: one folder, one writer, many readers, each on one consistent state.

A writer keeps everything that it puts in one open transaction and, at the end of a batch, publishes it:
the records are committed, then both indexes, under a lock that readers take only while they open. A kill
between the two is harmless: the journal in the records says what the indexes have not seen, and whoever
opens the library next lets them catch up.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work, WorkKind
from pykala.law.references import Direction, Edge, EdgeKind, UnresolvedReference, normalise_alias
from pykala.law.standing import UNKNOWN, Standing
from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.changed import ChangedWork, WorkChange
from pykala.stores.embedded import (
    changed,
    changes,
    following,
    glossary,
    indexing,
    integrity,
    matches,
    reading,
    relations,
    rows,
    standing,
    writing,
)
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import (
    ReaderConnection,
    clear_errors,
    connect,
    exists,
    read_meta,
    require,
    write_meta,
)
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import TextIndexDamaged
from pykala.stores.embedded.guarding import guarded
from pykala.stores.embedded.locks import (
    WriterLock,
    publishing,
    snapshot_unless_publishing,
    taking_snapshot,
)
from pykala.stores.embedded.published import Published, made_alike
from pykala.stores.embedded.rights import require_rights
from pykala.stores.embedded.room import FILE as ROOM
from pykala.stores.embedded.room import reserved
from pykala.stores.embedded.statistics import count_all
from pykala.stores.store import (
    Match,
    Stats,
    StoredProvision,
    StoreError,
    StoreFull,
    StoreLocked,
    UnknownProvision,
)
from pykala.text.analysis import analyse
from pykala.versions.chains import Change

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray

_WORK_KINDS = frozenset(kind.value for kind in WorkKind)
_TERMS = 128  # of a query, in each language


@guarded(
    *("fingerprints", "items", "sources", "words", "refusals", "works", "work", "document", "provision"),
    *("history", "chain", "changes", "changed_works", "edges", "standing", "unresolved", "pairings"),
    *("definitions", "resolve", "places", "match_text", "match_terms", "children", "match_vector"),
    *("match_asked", "nearness", "weigh", "languages", "facts", "generation", "stats"),
)
class EmbeddedStore:
    """SQLite for the truth, Tantivy for words, mapped vectors for meaning; see `stores.store.Store`."""

    def __init__(
        self,
        folder: Path,
        connection: sqlite3.Connection,
        indexes: indexing.Indexes,
        embedder: Embedder | None,
        lock: WriterLock | None,
    ) -> None:
        self.folder = folder
        self._connection = connection
        self._indexes = indexes
        self._embedder = embedder
        self._lock = lock
        self._names = writing.Names(connection)
        self._in_batch = False
        self._unfinished = False  # whether an index may hold what the journal still lists
        self._languages: tuple[str, ...] | None = None
        self._generation: str | None = None
        self._facts: Mapping[str, str] | None = None
        self._glossary = glossary.Glossary(folder)
        self._standings = standing.Standings(folder)
        self._mending = False  # for a reader, who waits
        self._published = Published(folder)
        self._whole = True  # whether a reader's records and indexes are of one state
        self._behind = False  # whether a reader's indexes are behind its records, for want of room
        self._manifest = integrity.Manifest({}, {})  # of a writer
        self._background: integrity.BackgroundCheck | None = None  # of a reader

    # Opening and closing

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        writable: bool = False,
        create: bool = True,
        embedder: Embedder | None = None,
    ) -> EmbeddedStore:
        """Open a library; a writer may create it where there is none, and lets its indexes catch up."""
        writes = writable and (create or exists(folder))
        require_rights(folder, writable=writes)
        if writes:
            return cls._open_writer(folder, embedder)
        require(folder)
        with taking_snapshot(folder):
            store = cls._open_reader(folder, embedder)
        if store is None and not os.access(folder, os.W_OK):
            raise StoreError(
                f"the indexes in {folder} are behind its records or damaged, and the folder cannot be written"
                f" to; 'pykala stats --library {folder}' mends it for whoever may write there"
            )
        if store is None:
            # Left behind by a writer that was killed, or damaged: mend it as a writer would, then read.
            full: StoreFull | None = None
            try:
                cls._open_writer(folder, embedder, mending=True).close()
            except StoreLocked:
                pass  # then its writer has mended it: it lets nobody in before it has
            except StoreFull as error:
                full = error  # no room to mend it, but what was indexed before can still be found
            with taking_snapshot(folder):
                store = cls._open_reader(folder, embedder, behind=full is not None)
            if store is None and full is not None:
                raise full
        if store is None:
            raise StoreError(
                f"the indexes in {folder} could not catch up; 'pykala reindex --library {folder}'"
            )
        return store

    @staticmethod
    def made_with(folder: Path) -> str | None:
        """The fingerprint of a library's embedder; "" where it has none, None where it may take any."""
        if not exists(folder):
            return None
        connection = connect(folder, writable=False)
        try:
            return read_meta(connection).get("embedder")
        finally:
            connection.close()

    @classmethod
    def _open_writer(cls, folder: Path, embedder: Embedder | None, *, mending: bool = False) -> EmbeddedStore:
        with clear_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            # Readers, and others who would mend the library, wait from before the writer's lock is taken
            # until the indexes have caught up: whoever is told that it is locked finds it in order.
            with publishing(folder):
                lock = WriterLock(folder)
                try:
                    (folder / ROOM).unlink(missing_ok=True)  # left by a writer that was killed
                    connection = connect(folder, writable=True)
                    indexing.check_fingerprints(folder, connection, embedder, writable=not mending)
                    indexing.adopt(connection, embedder)
                    indexes = indexing.open_indexes(folder, connection, writable=True)
                    store = cls(folder, connection, indexes, embedder, lock)
                    store._manifest = integrity.being_written(integrity.Manifest.read(folder), folder)
                    store._mending = mending
                    if indexing.is_behind(connection, embedder):
                        newest = indexing.stage(connection, indexes, embedder, catching_up=True)
                        indexing.commit(connection, indexes, embedder, newest)
                    following.follow(connection)
                    connection.execute("BEGIN IMMEDIATE")
                except BaseException:
                    lock.release()
                    raise
        return store

    @classmethod
    def _open_reader(
        cls, folder: Path, embedder: Embedder | None, *, behind: bool = False
    ) -> EmbeddedStore | None:
        """A reader on the present state, or None where its indexes are damaged or, unless allowed, behind."""
        with clear_errors(folder):
            connection = connect(folder, writable=False)
            connection.execute("BEGIN")
            indexing.check_fingerprints(folder, connection, embedder, writable=False)
            try:
                late = indexing.is_behind(connection, embedder)
                if behind or not late:
                    indexes = indexing.open_indexes(folder, connection, writable=False)
                    store = cls(folder, connection, indexes, embedder, None)
                    store._behind = late
                    store._check_the_rest()
                    return store
            except (TextIndexDamaged, IndexDamaged):
                pass
            connection.close()
            return None

    @classmethod
    def reindex(cls, folder: Path, *, embedder: Embedder | None = None) -> None:
        """Write both indexes anew from the records, with the analysis and the embedder at hand."""
        if embedder is not None:  # tried before anything is thrown away
            encode_passages(embedder, ["law"], ["law"])
        with clear_errors(folder):
            require(folder)
            with publishing(folder):
                lock = WriterLock(folder)
                try:
                    connection = connect(folder, writable=True)
                    indexing.discard(folder, connection, embedder)
                    connection.close()
                finally:
                    lock.release()
        cls.open(folder, writable=True, embedder=embedder).close()

    def refresh(self) -> None:
        """Move to the newest published state; wait for a writer that publishes one now."""
        if self._lock is not None:
            return
        with taking_snapshot(self.folder):
            moved = self._move_on()
        if not moved:
            # A writer was killed half-way, or an index is damaged: opening it mends the library.
            self._reopen()
        self._forget()

    def catch_up(self) -> bool:
        """Move to the newest published state where there is one; no cost worth naming where there is none.

        Nobody waits here: while a state is being published, or where a killed writer left the indexes behind
        the records, the reader stays on its own state and a later call looks again.
        """
        if self._lock is not None:
            return False
        with clear_errors(self.folder):
            newer = self._published.newer(self._connection)
        if newer is None and self._whole:
            return False
        with snapshot_unless_publishing(self.folder) as quiet:
            if not quiet or (newer is not None and indexing.is_behind(newer, self._embedder)):
                return False
            moved = newer is not None and made_alike(newer, self._connection)
            if moved:
                self._whole = moved = self._move_on()
        # An index is damaged, or it was made with other models, or another file lies at the library's path.
        if not moved or self._published.newer(self._connection) is not None:
            try:
                self._reopen()
            except StoreFull:
                return moved  # no room to open it anew: what is open is served, and a later call looks again
        self._forget()
        return True

    def _move_on(self) -> bool:
        """Pin the newest state of the records and of both indexes; False where these are not one state."""
        if isinstance(self._connection, ReaderConnection) and self._connection.unfollowed:
            return False  # opened on a full disk: only a new connection sees what has come since
        with clear_errors(self.folder):
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
            if indexing.is_behind(self._connection, self._embedder):  # reads, which pins the records' state
                return False
            try:
                indexing.refresh(self.folder, self._indexes)
            except (TextIndexDamaged, IndexDamaged):
                return False
            self._check_the_rest()
            self._behind = False
            return True

    def _reopen(self) -> None:
        """Take the files of a store that is opened anew."""
        opened = self.open(self.folder, embedder=self._embedder)
        self._indexes.close()
        self._connection.close()
        self._connection, self._indexes = opened._connection, opened._indexes
        self._stop_checking()
        self._background, self._behind = opened._background, opened._behind
        self._names = writing.Names(self._connection)
        self._whole = True

    def _forget(self) -> None:
        """Forget what was kept of the state before."""
        self._names.forget()
        self._languages = None
        self._generation = None
        self._facts = None
        self._glossary.close()
        self._standings.close()

    def _check_the_rest(self) -> None:
        """Read in the background what opening had no time for; nothing where it has read it all."""
        self._stop_checking()
        if self._indexes.unchecked:
            self._background = integrity.BackgroundCheck(self._indexes.unchecked)

    def _stop_checking(self) -> None:
        if self._background is not None:
            self._background.stop()
            self._background = None

    def require_sound(self) -> None:
        """Raise what the check in the background has found: no search goes on in a damaged index."""
        if self._background is not None and self._background.damage is not None:
            raise self._background.damage

    def close(self) -> None:
        """Publish what is pending and release the folder."""
        try:
            if self._lock is not None and self._connection.in_transaction:
                self._publish()
                self._connection.execute("COMMIT")
                if not self._mending:
                    glossary.keep_up(self.folder, self._connection)
                    standing.keep_up(self.folder, self._connection)
        finally:
            self._stop_checking()
            self._glossary.close()
            self._standings.close()
            self._published.close()
            self._indexes.close()  # and with it the merging of segments
            self._connection.close()
            if self._lock is not None:
                self._record_files(whole=True)
                self._lock.release()
                self._lock = None

    def _record_files(self, *, whole: bool) -> None:
        """Note what the files are like now; without the note, a reader only has more to check."""
        unchecked = integrity.names(self._indexes.unchecked)
        with suppress(OSError, StoreError):
            self._manifest = integrity.record(self.folder, self._manifest, unchecked, whole=whole)

    def __enter__(self) -> EmbeddedStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing

    @property
    def writable(self) -> bool:
        """Whether it was opened to be written to."""
        return self._lock is not None

    def put(self, bundle: Bundle) -> bool:
        """Store one work; nothing is written where its fingerprint is unchanged."""
        self._require_writer()
        row = self._connection.execute(
            "SELECT fingerprint FROM items WHERE item = ?", (bundle.item,)
        ).fetchone()
        if row and row[0] == bundle.fingerprint:
            return False
        with self._change():
            writing.write_work(self._connection, self._names, bundle)
        return True

    def refuse(self, item: str, fingerprint: str, reasons: Sequence[tuple[str, str]]) -> None:
        """Remember that an item gave no work, and why."""
        self._require_writer()
        with self._change():
            writing.refuse_item(self._connection, item, fingerprint, reasons)

    def delete(self, work: WorkId) -> None:
        """Remove a work."""
        self._require_writer()
        with self._change():
            if writing.remove_work(self._connection, str(work)) is None:
                raise UnknownProvision(f"{work} is not in this library; 'pykala stats' shows what is")

    def record(self, facts: Mapping[str, str]) -> None:
        """Record facts about the library as a whole, such as that it is the sample."""
        self._require_writer()
        with self._change():
            write_meta(self._connection, facts)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Publish everything put within the block at its end; nothing of it where the block fails."""
        self._require_writer()
        if self._in_batch:
            raise StoreError("a batch is already open")
        self._in_batch = True
        try:
            yield
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._in_batch = False
        self._publish()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """One work, whole or not at all; published at once outside a batch."""
        with clear_errors(self.folder):
            self._connection.execute("SAVEPOINT change")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK TO change")
                    self._connection.execute("RELEASE change")
                else:  # SQLite itself has rolled back, as it does when the disk is full
                    self._connection.execute("BEGIN IMMEDIATE")
                self._names.forget()
                raise
            self._connection.execute("RELEASE change")
        if not self._in_batch:
            self._publish()

    def _publish(self) -> None:
        with clear_errors(self.folder):
            try:
                newest = indexing.stage(
                    self._connection, self._indexes, self._embedder, catching_up=self._unfinished
                )
                room = self._indexes.text.room_to_commit
                with publishing(self.folder), reserved(self.folder, room) as release:
                    self._connection.execute("COMMIT")
                    self._unfinished = True
                    release()
                    indexing.commit(self._connection, self._indexes, self._embedder, newest)
                    self._record_files(whole=False)
                self._unfinished = False
                self._connection.execute("BEGIN IMMEDIATE")
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        """Back to the last published state, in the records and in both indexes."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._names.forget()
        self._indexes.close()
        self._indexes = indexing.open_indexes(self.folder, self._connection, writable=True)
        self._connection.execute("BEGIN IMMEDIATE")

    def _require_writer(self) -> None:
        if self._lock is None:
            raise StoreError(f"the library in {self.folder} was opened for reading")

    # Reading

    def fingerprints(self) -> Mapping[str, str]:
        """Item → fingerprint."""
        return dict(self._connection.execute("SELECT item, fingerprint FROM items").fetchall())

    def items(self) -> Mapping[str, WorkId]:
        """Item → the work that it gave."""
        found = self._connection.execute("SELECT item, key FROM items JOIN works ON works.id = items.work")
        return {item: WorkId(key) for item, key in found}

    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Item → the files that its work was read from."""
        found = self._connection.execute("SELECT item, paths FROM items WHERE work IS NOT NULL")
        return {item: tuple(json.loads(paths)) for item, paths in found}

    def words(self, work: WorkId) -> Mapping[str, int]:
        """Language → how many words of a work are held, over all its versions."""
        return reading.count_words(self._connection, str(work))

    def refusals(self) -> tuple[tuple[str, str], ...]:
        """(path, reason) of everything that gave no work."""
        found = self._connection.execute("SELECT refusals FROM items WHERE refusals != '[]' ORDER BY item")
        return tuple((path, reason) for (text,) in found for path, reason in json.loads(text))

    def works(self) -> Iterator[Work]:
        """Every work, in order of identifier."""
        return reading.read_works(self._connection)

    def work(self, work: WorkId) -> Work:
        """One work."""
        return reading.read_work(self._connection, work)[1]

    def document(self, work: WorkId, language: str) -> Document:
        """A whole document with every version."""
        return reading.read_document(self._connection, work, language)

    def provision(
        self, provision: ProvisionId, *, as_of: date | None = None, language: str | None = None
    ) -> StoredProvision:
        """A provision on a date."""
        return reading.read_provision(self._connection, provision, as_of, language)

    def history(self, provision: ProvisionId, *, language: str | None = None) -> tuple[Version, ...]:
        """The chain of a provision's own words."""
        return reading.read_history(self._connection, provision, language)

    def chain(self, provision: ProvisionId, *, language: str | None = None) -> Provision:
        """A provision and all below it with every version."""
        return changes.read_chain(self._connection, provision, language)

    def changes(
        self,
        since: date,
        until: date | None = None,
        *,
        jurisdictions: Sequence[str] = (),
        kinds: Sequence[str] = (),
        works: Sequence[WorkId] = (),
    ) -> tuple[Change, ...]:
        """Words that began or ended in a period."""
        return changes.read_changes(self._connection, since, until, jurisdictions, kinds, works)

    def changed_works(
        self,
        since: date,
        until: date,
        change: WorkChange,
        *,
        jurisdictions: Sequence[str],
        kinds: Sequence[str],
    ) -> tuple[ChangedWork, ...]:
        """The works that began, were amended or ended in a period, counted."""
        return changed.read_changed_works(self._connection, since, until, change, jurisdictions, kinds)

    def edges(
        self,
        provisions: Sequence[ProvisionId],
        *,
        kinds: Sequence[EdgeKind] | None = None,
        direction: Direction = Direction.BOTH,
        as_of: date | None = None,
        caps: Mapping[tuple[EdgeKind, Direction], int] | None = None,
    ) -> tuple[Edge, ...]:
        """Edges that touch the provisions or anything below them."""
        return relations.read_edges(self._connection, provisions, kinds, direction, as_of, caps)

    def standing(self, section: ProvisionId) -> Standing:
        """How often a section and its act are cited."""
        row = self._connection.execute(
            "SELECT nodes.unit, works.id FROM works JOIN nodes ON nodes.work = works.id"
            " WHERE works.key = ? AND nodes.path = ?",
            (str(section.work), rows.path_text(section)),
        ).fetchone()
        return self._standings.of([row]).get(row, UNKNOWN) if row else UNKNOWN

    def unresolved(self, provisions: Sequence[ProvisionId]) -> tuple[UnresolvedReference, ...]:
        """References that lead nowhere yet."""
        return relations.read_unresolved(self._connection, provisions)

    def pairings(self, provision: ProvisionId) -> tuple[Pairing, ...]:
        """Counterparts in other languages."""
        return relations.read_pairings(self._connection, provision)

    def definitions(self, terms: Sequence[str], language: str) -> tuple[DefinedTerm, ...]:
        """Where terms are defined."""
        return relations.read_definitions(self._connection, terms, language)

    def resolve(self, alias: str) -> tuple[WorkId, ...]:
        """The works that answer to a name."""
        found = self._connection.execute(
            "SELECT works.key FROM aliases JOIN works ON works.id = aliases.work WHERE alias = ?",
            (normalise_alias(alias),),
        )
        return tuple(sorted(WorkId(key) for (key,) in found))

    def places(self, alias: str) -> tuple[ProvisionId, ...]:
        """The provisions that a source calls by a name of its own."""
        return reading.read_places(self._connection, normalise_alias(alias))

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Children by their words."""
        facets = self._facet_filter(filter)
        if facets is None:
            return ()
        languages = sorted(filter.languages) if filter.languages else self.languages()
        # A question is short; whoever pastes a contract is searched for by its first words.
        terms = {language: analyse(query, language)[:_TERMS] for language in languages}
        found = self._indexes.text.match(terms, facets, limit)
        return matches.read_matches(self._connection, found, self._standings)

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Children of a language by analysed terms, each with its weight."""
        facets = self._facet_filter(filter)
        if facets is None:
            return ()
        heaviest = sorted(terms, key=lambda term: -terms[term])[:_TERMS]
        found = self._indexes.text.match({language: heaviest}, facets, limit, weights=terms)
        return matches.read_matches(self._connection, found, self._standings)

    def translations(self, text: str, language: str, into: str) -> Mapping[str, float]:
        """Terms of another language for a text's words, as the library's glossary pairs them."""
        return self._glossary.translations(text, language, into)

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Children by number, in the order and with the scores given; what is gone is left out."""
        return matches.read_matches(self._connection, scored, self._standings)

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Children by their meaning."""
        facets = self._facet_filter(filter)
        if facets is None or self._indexes.vectors is None:
            return ()
        found = self._indexes.vectors.match(vector, facets, limit)
        return matches.read_matches(self._connection, found, self._standings)

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Beginnings of sections by what is asked of them."""
        facets = self._facet_filter(filter)
        if facets is None or self._indexes.asked is None:
            return ()
        found = self._indexes.asked.match(vector, facets, limit)
        return matches.read_matches(self._connection, found, self._standings)

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """The cosines of some children, by number."""
        return self._indexes.vectors.nearness(vector, passages) if self._indexes.vectors is not None else {}

    def weigh(
        self, query: str, language: str, jurisdictions: frozenset[str] = frozenset()
    ) -> Mapping[str, float]:
        """The query's terms with their inverse document frequency (as BM25 counts it); 0 where unknown."""
        text, places = self._indexes.text, self._numbers(jurisdictions)
        total = text.count(places)
        weights = {}
        for term in dict.fromkeys(analyse(query, language)[:_TERMS]):
            found = text.document_frequency(term, language, places)
            weights[term] = math.log(1 + (total - found + 0.5) / (found + 0.5)) if found else 0.0
        return weights

    def languages(self, work: WorkId | None = None) -> tuple[str, ...]:
        """The languages that the library holds, or those of one work."""
        if work is not None:
            held = self._connection.execute(
                "SELECT language FROM documents JOIN works ON works.id = documents.work WHERE works.key = ?"
                " ORDER BY language",
                (str(work),),
            )
            return tuple(row[0] for row in held)
        if self._languages is None or self._lock is not None:
            found = self._connection.execute("SELECT DISTINCT language FROM documents ORDER BY language")
            self._languages = tuple(row[0] for row in found)
        return self._languages

    def facts(self) -> Mapping[str, str]:
        """What the library says of itself: schema, embedder, analysis, edition."""
        if self._facts is None or self._lock is not None:
            facts = read_meta(self._connection)
            self._facts = {**facts, "indexes": "behind"} if self._behind else facts
        return self._facts

    def generation(self) -> str:
        """A name for the state that is read, which every put and delete changes once it is published."""
        if self._generation is None or self._lock is not None:
            self._generation = following.generation_of(self._connection)
        return self._generation

    def stats(self) -> Stats:
        """How much the library holds."""
        vectors = len(self._indexes.vectors) if self._indexes.vectors is not None else 0
        return count_all(self._connection, self.folder, vectors)

    def _facet_filter(self, filter: Filter) -> FacetFilter | None:
        """The filter in numbers, or None where it names only what the library does not hold."""
        works = None
        if filter.works:
            found = (
                self._connection.execute("SELECT id FROM works WHERE key = ?", (str(work),)).fetchone()
                for work in filter.works
            )
            works = frozenset(row[0] for row in found if row)
        of_works = filter.kinds & _WORK_KINDS
        # Kinds of works and of provisions together ask for the sections of acts, not for either.
        within = filter.kinds - _WORK_KINDS if of_works else frozenset[str]()
        jurisdictions, languages, kinds, provision_kinds = map(
            self._numbers, (filter.jurisdictions, filter.languages, of_works or filter.kinds, within)
        )
        if frozenset() in (works, jurisdictions, languages, kinds, provision_kinds):
            return None
        day = filter.as_of.toordinal() if filter.as_of else None
        without = self._numbers(filter.without) or frozenset()
        return FacetFilter(day, jurisdictions, languages, kinds, provision_kinds, works, without)

    def _numbers(self, values: frozenset[str]) -> frozenset[int] | None:
        known = (self._names.known(value) for value in values)
        return frozenset(number for number in known if number is not None) if values else None
