"""The store of a team: records in PostgreSQL, indexes as generations of files that every server maps.

Writers of several jurisdictions work side by side, and take turns to change the library
(`postgres.publishing`). A reader holds a snapshot of the records and the generation that it names.
"""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.connection import Connection
from pykala.stores.contents import EMPTY
from pykala.stores.embedded import glossary, indexing, standing
from pykala.stores.embedded.changing import READING
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.following import CONTENT, HISTORY
from pykala.stores.embedded.fulltext import TextIndexDamaged
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.stores.embedded.guarding import guarded
from pykala.stores.embedded.schema import SCHEMA
from pykala.stores.embedded.statistics import count_all
from pykala.stores.postgres import copies
from pykala.stores.postgres.address import shown, split_index_folder, with_matter
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.facts import (
    COPIED_FROM,
    GENERATION,
    IN_FILES,
    INDEX,
    INDEX_FOLDER,
    LIBRARY,
    PUBLISHED,
)
from pykala.stores.postgres.generations import Generations
from pykala.stores.postgres.locking import Turns, take_library, write_along
from pykala.stores.postgres.migrations import (
    bring_up_to_date,
    is_older,
    migrate,
    migrate_matters,
    require_current,
    version_of,
)
from pykala.stores.postgres.objects import remembered_place
from pykala.stores.postgres.originals import take_in
from pykala.stores.postgres.publishing import PostgresPublishing
from pykala.stores.postgres.remote_generations import generations_at
from pykala.stores.store import (
    Stats,
    StoreDamaged,
    StoreError,
    StoreForbidden,
    StoreLocked,
)

_OF_INDEXES: Final = (
    *("analysis", "embedder", "embedder_name", "dimension", "documents_read_by", "standing", "glossary"),
    *("text_seq", "text_documents", "vector_seq", "vector_documents", "asked_seq", "asked_documents"),
)
_OPENINGS: Final = 5  # attempts to open a generation, which newer ones may replace meanwhile


@guarded(*READING)
class PostgresStore(PostgresPublishing):
    """Records in PostgreSQL, index files on a volume; see `stores.store.Store`."""

    def __init__(
        self,
        records: PostgresConnection,
        generations: Generations,
        indexes: indexing.Indexes,
        embedder: Embedder | None,
    ) -> None:
        super().__init__(records, generations, indexes, embedder)
        self._tidied: float | None = None  # when this machine's copies were last tidied

    # Opening and closing

    @classmethod
    def open_at(
        cls,
        address: str,
        *,
        writable: bool = False,
        create: bool = True,
        embedder: Embedder | None = None,
        index_folder: Path | None = None,
        whole: bool = False,
    ) -> PostgresStore:
        """Open the library in a database; a writer may create it, and migrates its tables.

        With `whole`, no other writer is let in until it is closed.
        """
        address, named = split_index_folder(address)
        index_folder = index_folder or named
        records = cls._connection_to(address, writable=writable)
        try:
            if not writable and is_older(records):
                _bring_up_to_date(with_matter(address, records.matter))
            if not (writable and create) or records.matter:  # only `Matters.add` creates a matter
                require_current(records)
            if writable:
                return cls._written(records, embedder, index_folder, whole=whole)
            return cls._read(records, embedder, index_folder)
        except BaseException:
            records.close()
            raise

    @classmethod
    def _connection_to(cls, address: str, *, writable: bool) -> PostgresConnection:
        """A connection to the records, of the class that this engine needs."""
        return PostgresConnection(address, writable=writable)

    @classmethod
    def _written(
        cls,
        records: PostgresConnection,
        embedder: Embedder | None,
        index_folder: Path | None,
        *,
        whole: bool = False,
        anew: bool = False,
    ) -> PostgresStore:
        """Open as a writer; `anew` writes the index from the records."""
        if is_older(records):
            bring_up_to_date(records)
            if not records.matter:
                migrate_matters(records.address)
        if whole or anew:
            take_library(records)
        else:
            write_along(records)
        turns = Turns(records)
        turns.begin()
        try:
            records.execute("BEGIN")
            store = cls._begun(turns, records, embedder, index_folder, anew=anew)
        finally:
            turns.end()
        return store

    @classmethod
    def _begun(
        cls,
        turns: Turns,
        records: PostgresConnection,
        embedder: Embedder | None,
        index_folder: Path | None,
        *,
        anew: bool,
    ) -> PostgresStore:
        """The writer of a library, made where there is none; in its first turn."""
        migrate(records)
        turns.is_next()
        facts = read_meta(records)
        if COPIED_FROM in facts:
            raise unfinished(records)
        if anew:
            indexing.forget(records, *_OF_INDEXES)
        else:
            indexing.check_fingerprints(shown(records.address), records, embedder, writable=True)
        indexing.adopt(records, embedder)
        if LIBRARY not in facts:
            new = {LIBRARY: secrets.token_hex(8), CONTENT: EMPTY, PUBLISHED: "0", "schema": str(SCHEMA)}
            write_meta(records, new | {HISTORY: secrets.token_hex(16)})
        if INDEX_FOLDER not in facts or (anew and (index_folder is not None or INDEX in facts)):
            place = remembered_place(index_folder or user_data_path("pykala") / "indexes")
            write_meta(records, {INDEX_FOLDER: place})
        generations = _generations(records, index_folder)
        generations.discard_all_but(int(facts.get(GENERATION, "0")))
        store = cls(records, generations, _no_indexes(), embedder)
        store._turns = turns
        store._publish(anew=anew)
        take_in(records, generations.root / "originals")
        store._open_indexes()
        return store

    @classmethod
    def _read(
        cls, records: PostgresConnection, embedder: Embedder | None, index_folder: Path | None
    ) -> PostgresStore:
        if records.take_snapshot() is None:
            raise unfinished(records)
        indexing.check_fingerprints(shown(records.address), records, embedder, writable=False)
        store = cls(records, _generations(records, index_folder), _no_indexes(), embedder)
        store._open_indexes()
        store._tidy_copies()
        return store

    @classmethod
    def make_matter_at(cls, address: str, matter: str, *, embedder: Embedder | None) -> None:
        """Create the tables and the first index of a matter."""
        law = PostgresConnection(split_index_folder(address)[0], writable=False)
        try:
            require_current(law)
            place = read_meta(law).get(INDEX_FOLDER, "")
        finally:
            law.close()
        own, named = split_index_folder(with_matter(address, matter))
        records = cls._connection_to(own, writable=True)
        try:
            cls._written(records, embedder, named or Path(place)).close()
        except BaseException:
            records.close()
            raise

    @staticmethod
    def index_at(address: str) -> str | None:
        """Where a library keeps its index, "files" or "database"; None where there is no library."""
        records = PostgresConnection(split_index_folder(address)[0], writable=False)
        try:
            facts = read_meta(records) if version_of(records) else {}
            return facts.get(INDEX, IN_FILES) if LIBRARY in facts else None
        finally:
            records.close()

    @staticmethod
    def made_with_at(address: str) -> str | None:
        """The fingerprint of a library's embedder; "" for no embedder, None if any is accepted."""
        records = PostgresConnection(split_index_folder(address)[0], writable=False)
        try:
            if version_of(records) == 0:
                return None
            return read_meta(records).get("embedder")
        finally:
            records.close()

    @classmethod
    def reindex_at(
        cls, address: str, *, embedder: Embedder | None = None, index_folder: Path | None = None
    ) -> None:
        """Rebuild the indexes from the records, with the installed text analysis and embedder."""
        if embedder is not None:  # fail before anything is deleted
            encode_passages(embedder, ["law"], ["law"])
        address, named = split_index_folder(address)
        index_folder = index_folder or named
        records = cls._connection_to(address, writable=True)
        try:
            require_current(records)
            store = cls._written(records, embedder, index_folder, anew=True)
        except BaseException:
            records.close()
            raise
        store.close()

    def _open_indexes(self) -> None:
        """Map the generation that the records name; move on where a newer one replaced it."""
        for _ in range(_OPENINGS):
            folder = self.generations.fetched(self._generation_number())
            try:
                opened = indexing.open_indexes(folder, self._connection, writable=False)
            except (TextIndexDamaged, IndexDamaged) as error:
                damage = error
                if not self.writable and not folder.is_dir():
                    self.records.take_snapshot()
                    continue
                break
            self._indexes.close()
            self._indexes = opened
            self._note_state()
            self._glossary, self._standings = glossary.Glossary(folder), standing.Standings(folder)
            self._check_the_rest()
            return
        raise StoreDamaged(
            f"the index files in {folder} are missing or damaged ({damage}); check that the volume is there"
            " ('--index-folder'), or write them anew: 'pykala reindex --library ADDRESS'"
        )

    def refresh(self) -> None:
        """Move to the newest published state."""
        self.catch_up()

    def catch_up(self) -> bool:
        """Move to the newest state, in one round trip; return whether it changed."""
        if self.writable:
            return self._follow_others()
        moved = self._move()
        self._tidy_copies()
        return moved

    def _move(self) -> bool:
        before = self.records.state
        if self.records.take_snapshot() == before and before is not None:
            return False
        self._forget()
        place = shown(self.records.address)
        indexing.check_fingerprints(place, self._connection, self._embedder, writable=False)
        self._open_indexes()
        return True

    @property
    def _keeps_copies(self) -> bool:
        """Whether its files on this machine are copies, which can be made anew."""
        return self.generations.is_copy

    def _tidy_copies(self) -> None:
        """Now and then, remove copies of index files that were erased or replaced."""
        now = time.monotonic()
        if not self._keeps_copies or (self._tidied is not None and now - self._tidied < copies.EVERY):
            return
        self._tidied = now
        wanted = f"SELECT value FROM meta WHERE key = '{GENERATION}'"
        of_matters = [] if self.records.matter else [("SELECT library FROM erased_indexes", ())]
        (((number,),), *erased) = self.records.together([(wanted, ()), *of_matters])
        if not self.generations.folder(int(number)).is_dir():  # another process found it long unused
            self._open_indexes()
        copies.tidy(self.generations.root, int(number), {name for rows in erased for (name,) in rows})

    def close(self) -> None:
        """Count what is counted at the end, publish it, and let other writers in."""
        try:
            if self.writable and not self.records.is_closed:
                with suppress(StoreLocked), self._turn():  # else the next one that closes counts
                    self._publish(last=True)
        finally:
            self._stop_checking()
            self._glossary.close()
            self._standings.close()
            self._indexes.close()
            self.records.close()

    def stats(self) -> Stats:
        """The size of the library; the bytes include index files and tables."""
        facts = self._facts_now()
        folder = self.generations.folder(int(facts.get(GENERATION, "0")))
        counted = count_all(self._connection, folder, int(facts.get("vector_documents", "0")))
        row = self.records.execute(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class"
            " WHERE relnamespace = CAST(? AS regnamespace) AND relkind = 'r'",
            (self.records.schema,),
        ).fetchone()
        return replace(counted, bytes=counted.bytes + int(row[0] if row else 0))


def _bring_up_to_date(address: str) -> None:
    """Migrate the tables if this user may write; else the next check reports it."""
    records = PostgresConnection(address, writable=True)
    try:
        with suppress(StoreForbidden):
            bring_up_to_date(records)
    finally:
        records.close()
    if not records.matter:
        with suppress(StoreError):  # this user may not, which the next check reports
            migrate_matters(address)


def unfinished(records: PostgresConnection) -> StoreError:
    """The error for a library into which a copy was cut off."""
    return StoreError(
        f"the library in {shown(records.address)} is not whole: a copy into it was cut off;"
        " run 'pykala copy FROM TO' again, it goes on where it stopped"
    )


def _generations(connection: Connection, index_folder: Path | None) -> Generations:
    facts = read_meta(connection)
    return generations_at(index_folder or Path(facts[INDEX_FOLDER]), facts[LIBRARY])


def _no_indexes() -> indexing.Indexes:
    """Indexes that are not opened yet."""
    return indexing.Indexes(TextIndexes(Path(), {}, writable=False), None)
