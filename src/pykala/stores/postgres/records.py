"""Reads the records of a library in PostgreSQL: many things in one round trip."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import cast

from pykala.law.currency import recorded
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Work
from pykala.law.references import EdgesWanted
from pykala.law.standing import Standing
from pykala.models.embedder import Embedder
from pykala.stores.embedded import bulk, indexing, matches
from pykala.stores.embedded.changing import RecordWriter
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.edges import read_edges_of
from pykala.stores.store import Match, Named, References, StoredProvision, Wording


class PostgresRecords(RecordWriter):
    """The reads of a question, each in a handful of statements however much is asked for."""

    def __init__(
        self, folder: Path, records: PostgresConnection, indexes: indexing.Indexes, embedder: Embedder | None
    ) -> None:
        super().__init__(folder, cast(sqlite3.Connection, records), indexes, embedder)
        self.records = records
        self._spoken: dict[int, tuple[str, ...]] = {}  # the languages of works, by number

    def _forget_state(self) -> None:
        """Forget what was kept of the state before."""
        super()._forget_state()
        self._spoken = {}

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Children by number, in the order and with the scores given; what is gone is left out."""
        known = None if self.writable else self._spoken
        return matches.read_matches(self._connection, scored, self._standings, known)

    def _known(self) -> Mapping[tuple[str, str], date]:
        return recorded(dict(self.facts()))

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """Those of some works that are held."""
        found = bulk.read_works_of(self._connection, works, self._known())
        return {work: found[work][1] for work in works if work in found}

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages that each work is held in."""
        return bulk.read_languages_of(self._connection, works)

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Provisions on their dates, or why they cannot be given."""
        return bulk.read_provisions(self._connection, wanted, self._known())

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """The edges of each request, and references that lead nowhere yet."""
        edges = read_edges_of(self.records, wanted)
        return References(edges, bulk.read_unresolved(self._connection, unresolved))

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited."""
        places = bulk.read_places_of(self._connection, sections)
        known = self._standings.of(list(places.values()))
        return {section: known[place] for section, place in places.items() if place in known}

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined."""
        return bulk.read_definitions_of(self._connection, terms, language)

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """What answers to each name."""
        return bulk.read_named(self._connection, aliases)
