"""Read the records of a library in PostgreSQL, many in one round trip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TypeVar

from pykala.law.currency import recorded
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Work
from pykala.law.references import EdgesWanted
from pykala.law.standing import Standing
from pykala.models.embedder import Embedder
from pykala.stores.embedded import indexing
from pykala.stores.embedded.changing import RecordWriter
from pykala.stores.embedded.matches import Passages, Scored
from pykala.stores.exchanges import Exchanges
from pykala.stores.postgres import bulk
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.edges import read_references
from pykala.stores.postgres.matching import DatabasePassages
from pykala.stores.postgres.provisions import read_provisions
from pykala.stores.store import Hits, Named, References, Search, State, StoredProvision, Wording

Result = TypeVar("Result")


class PostgresRecords(RecordWriter):
    """The reads of a question; each takes one round trip."""

    def __init__(
        self, folder: Path, records: PostgresConnection, indexes: indexing.Indexes, embedder: Embedder | None
    ) -> None:
        super().__init__(folder, records, indexes, embedder)
        self.records = records
        self._work_ids: dict[WorkId, int | None] = {}  # None: a work that is not held

    def _forget_state(self) -> None:
        """Drop cached records of the previous state."""
        super()._forget_state()
        self._work_ids = {}

    def at_once(self, reads: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run reads that need nothing of each other; each round trip serves all of them."""
        return self.records.at_once(reads)

    @property
    def exchanges(self) -> Exchanges | None:
        """Carries its reads; a writer's statements are sent one by one."""
        return None if self.records.writable else self.records.exchanges

    # Index

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Run the searches; works are read first, not while both indexes are searched."""
        for one in searches:
            self._work_numbers(one.filter.works)
        return super().search(searches)

    def _passages(self, scored: Sequence[Scored]) -> Passages:
        return DatabasePassages.read(self.records, self._standings, scored)

    def _whole_passages(self, scored: Sequence[Scored]) -> Passages:
        return self._passages(scored)

    def _work_numbers(self, works: frozenset[WorkId]) -> frozenset[int]:
        known = {} if self.writable else self._work_ids
        missing = works - known.keys()
        if missing:
            known |= {**dict.fromkeys(missing), **bulk.read_numbers_of(self.records, missing)}
        return frozenset(number for work in works if (number := known[work]) is not None)

    # Records

    def state(self) -> State:
        """The library's state, and the numbers of its names: all that a first question needs to know."""
        known: list[Callable[[], object]] = [self.generation, self.facts, self.languages]
        self.at_once([*known, lambda: self._names.known("")])
        return super().state()

    def _known(self) -> Mapping[tuple[str, str], date]:
        return recorded(dict(self.facts()))

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """The works among these that the library holds."""
        found = bulk.read_works_of(self.records, works, self._known())
        return {work: found[work] for work in works if work in found}

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages that each work is held in."""
        return bulk.read_languages_of(self.records, works)

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Provisions on their dates; an error in place of each that cannot be given."""
        return read_provisions(self.records, wanted, self._known())

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """The edges of each request, and unresolved references."""
        return read_references(self.records, wanted, unresolved)

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited."""
        places = bulk.read_places_of(self.records, sections)
        known = self._standings.of(list(places.values()))
        return {section: known[place] for section, place in places.items() if place in known}

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined."""
        return bulk.read_definitions_of(self.records, terms, language)

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """The works and provisions of each name."""
        return bulk.read_named(self.records, aliases)
