"""Read the records of an embedded library; see `stores.records.Records`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import EdgesWanted, normalise_alias
from pykala.law.standing import Standing
from pykala.stores.changed import ChangedWork, WorkChange
from pykala.stores.connection import Connection
from pykala.stores.embedded import changed, changes, following, indexing, reading, relations, rows
from pykala.stores.embedded.database import read_meta
from pykala.stores.embedded.locks import WriterLock
from pykala.stores.embedded.standing import Standings
from pykala.stores.embedded.statistics import count_all
from pykala.stores.errors import NotInForce, UnknownProvision
from pykala.stores.records import Records
from pykala.stores.values import Mentions, Named, References, State, Stats, StoredProvision, Wording
from pykala.versions.chains import Change


class EmbeddedRecords(Records):
    """Works, provisions, references and holdings, read from SQLite."""

    folder: Path

    def __init__(self, folder: Path, connection: Connection, indexes: indexing.Indexes) -> None:
        self.folder = folder
        self._connection = connection
        self._indexes = indexes
        self._lock: WriterLock | None = None  # only for writers
        self._standings = Standings(folder)
        self._behind = False  # whether a reader's indexes are behind its records because the disk is full
        self._languages: tuple[str, ...] | None = None
        self._generation: str | None = None
        self._facts: Mapping[str, str] | None = None

    @property
    def writable(self) -> bool:
        """Whether it was opened for writing; cached values may then be outdated."""
        return self._lock is not None

    def _forget_state(self) -> None:
        """Drop cached records of the previous state."""
        self._languages = None
        self._generation = None
        self._facts = None
        self._standings.close()

    # Law

    def works(self) -> Iterator[Work]:
        """Every work, in order of identifier."""
        return reading.read_works(self._connection)

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """The works among these that the library holds."""
        return reading.read_works_of(self._connection, works)

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages that each work is held in."""
        return {work: reading.read_languages(self._connection, work) for work in works}

    def document(self, work: WorkId, language: str) -> Document:
        """A whole document with every version."""
        return reading.read_document(self._connection, work, language)

    def words(self, work: WorkId) -> Mapping[str, int]:
        """Language → how many words of a work are held, over all its versions."""
        return reading.count_words(self._connection, str(work))

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Provisions on their dates; an error in place of each that cannot be given."""
        return tuple(map(self._provision, wanted))

    def _provision(self, wanted: Wording) -> StoredProvision | LookupError:
        try:
            return reading.read_provision(self._connection, wanted.provision, wanted.as_of, wanted.language)
        except (UnknownProvision, NotInForce) as error:
            return error

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
        """Versions that began or ended in a period."""
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

    # Graph

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """The edges of each request, and unresolved references."""
        edges = tuple(
            relations.read_edges(
                self._connection, one.provisions, one.kinds, one.direction, one.as_of, dict(one.caps)
            )
            for one in wanted
        )
        return References(edges, relations.read_unresolved(self._connection, unresolved))

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited."""
        places = {section: self._place(section) for section in sections}
        known = self._standings.of([place for place in places.values() if place is not None])
        return {
            section: known[place] for section, place in places.items() if place is not None and place in known
        }

    def _place(self, section: ProvisionId) -> tuple[int, int] | None:
        """The numbers of a section and of its work."""
        row = self._connection.execute(
            "SELECT nodes.unit, works.id FROM works JOIN nodes ON nodes.work = works.id"
            " WHERE works.key = ? AND nodes.path = ?",
            (str(section.work), rows.path_text(section)),
        ).fetchone()
        return (row[0], row[1]) if row else None

    def pairings_of(self, provisions: Sequence[ProvisionId]) -> Mapping[ProvisionId, tuple[Pairing, ...]]:
        """Counterparts in other languages."""
        return {one: relations.read_pairings(self._connection, one) for one in provisions}

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined."""
        return {term: relations.read_definitions(self._connection, [term], language) for term in terms}

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """The works and provisions of each name."""
        return {
            alias: Named(
                reading.read_named_works(self._connection, normalise_alias(alias)),
                reading.read_places(self._connection, normalise_alias(alias)),
            )
            for alias in aliases
        }

    def mentions_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Mentions]:
        """How the law here refers to each work."""
        return relations.read_mentions(self._connection, works)

    # Holdings

    def state(self) -> State:
        """The library's state."""
        return State(self.generation(), self.facts(), self.languages())

    def languages(self) -> tuple[str, ...]:
        """The languages that the library holds."""
        if self._languages is None or self.writable:
            found = self._connection.execute("SELECT DISTINCT language FROM documents ORDER BY language")
            self._languages = tuple(row[0] for row in found)
        return self._languages

    def facts(self) -> Mapping[str, str]:
        """The library's facts: schema, embedder, analysis, edition."""
        if self._facts is None or self.writable:
            facts = read_meta(self._connection)
            self._facts = {**facts, "indexes": "behind"} if self._behind else facts
        return self._facts

    def generation(self) -> str:
        """A name for the state; every published change gives another."""
        if self._generation is None or self.writable:
            self._generation = following.generation_of(self._connection)
        return self._generation

    def fingerprints(self) -> Mapping[str, str]:
        """Item → fingerprint."""
        return dict(self._connection.execute("SELECT item, fingerprint FROM items").fetchall())

    def items(self) -> Mapping[str, WorkId]:
        """Item → its work."""
        found = self._connection.execute("SELECT item, key FROM items JOIN works ON works.id = items.work")
        return {item: WorkId(key) for item, key in found}

    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Item → the files of its work."""
        found = self._connection.execute("SELECT item, paths FROM items WHERE work IS NOT NULL")
        return {item: tuple(json.loads(paths)) for item, paths in found}

    def refusals(self) -> tuple[tuple[str, str], ...]:
        """Every file that was refused, and why."""
        found = self._connection.execute("SELECT refusals FROM items WHERE refusals != '[]' ORDER BY item")
        return tuple((path, reason) for (text,) in found for path, reason in json.loads(text))

    def stats(self) -> Stats:
        """The size of the library."""
        vectors = len(self._indexes.vectors) if self._indexes.vectors is not None else 0
        return count_all(self._connection, self.folder, vectors)
