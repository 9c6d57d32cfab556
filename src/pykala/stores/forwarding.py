"""A store that passes every read on to another: the base of proxies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import EdgesWanted
from pykala.law.standing import Standing
from pykala.stores.changed import ChangedWork, WorkChange
from pykala.stores.store import (
    Hits,
    Match,
    Mentions,
    Named,
    References,
    Search,
    State,
    Stats,
    Store,
    StoredProvision,
    Wording,
)
from pykala.versions.chains import Change

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Result = TypeVar("Result")


class ForwardingStore(Store):
    """Reads another store; it has no writer, even if the other has one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def at_once(self, reads: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run reads that need nothing of each other, as the other store does."""
        return self._store.at_once(reads)

    # Law

    def works(self) -> Iterator[Work]:
        """Every work."""
        return self._store.works()

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """The works among these that the library holds."""
        return self._store.works_of(works)

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages that each work is held in."""
        return self._store.languages_of(works)

    def document(self, work: WorkId, language: str) -> Document:
        """A whole document."""
        return self._store.document(work, language)

    def words(self, work: WorkId) -> Mapping[str, int]:
        """How many words of a work are held, by language."""
        return self._store.words(work)

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Provisions on their dates; an error in place of each that cannot be given."""
        return self._store.provisions(wanted)

    def history(self, provision: ProvisionId, *, language: str | None = None) -> tuple[Version, ...]:
        """The chain of a provision's own words."""
        return self._store.history(provision, language=language)

    def chain(self, provision: ProvisionId, *, language: str | None = None) -> Provision:
        """A provision and all below it with every version."""
        return self._store.chain(provision, language=language)

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
        return self._store.changes(since, until, jurisdictions=jurisdictions, kinds=kinds, works=works)

    def changed_works(
        self,
        since: date,
        until: date,
        change: WorkChange,
        *,
        jurisdictions: Sequence[str],
        kinds: Sequence[str],
    ) -> tuple[ChangedWork, ...]:
        """The works that began, were amended or ended in a period."""
        return self._store.changed_works(since, until, change, jurisdictions=jurisdictions, kinds=kinds)

    # Graph

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """The edges of each request, and unresolved references."""
        return self._store.references(wanted, unresolved)

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited."""
        return self._store.standings(sections)

    def pairings_of(self, provisions: Sequence[ProvisionId]) -> Mapping[ProvisionId, tuple[Pairing, ...]]:
        """Counterparts in other languages."""
        return self._store.pairings_of(provisions)

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined."""
        return self._store.definitions_of(terms, language)

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """The works and provisions of each name."""
        return self._store.named(aliases)

    def mentions_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Mentions]:
        """How the law here refers to each work."""
        return self._store.mentions_of(works)

    # Holdings

    def state(self) -> State:
        """The library's state."""
        return self._store.state()

    def fingerprints(self) -> Mapping[str, str]:
        """Item → fingerprint."""
        return self._store.fingerprints()

    def items(self) -> Mapping[str, WorkId]:
        """Item → its work."""
        return self._store.items()

    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Item → the files of its work."""
        return self._store.sources()

    def refusals(self) -> tuple[tuple[str, str], ...]:
        """Every file that was refused, and why."""
        return self._store.refusals()

    def stats(self) -> Stats:
        """The size of the library."""
        return self._store.stats()

    def refresh(self) -> None:
        """Move to the newest published state."""
        self._store.refresh()

    def catch_up(self) -> bool:
        """Move to a newer state if it is available at once."""
        return self._store.catch_up()

    def close(self) -> None:
        """Close files and release locks."""
        self._store.close()

    # Index

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Run the searches."""
        return self._store.search(searches)

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their words."""
        return self._store.match_text(query, filter, limit)

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Passages of a language by analysed terms."""
        return self._store.match_terms(terms, language, filter, limit)

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their meaning."""
        return self._store.match_vector(vector, filter, limit)

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """First passages of sections by the questions known for them."""
        return self._store.match_asked(vector, filter, limit)

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """Cosines of some passages to a vector."""
        return self._store.nearness(vector, passages)

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Passages by number."""
        return self._store.children(scored)

    def weights(
        self, query: str, language: str, places: Sequence[frozenset[str]]
    ) -> tuple[Mapping[str, float], ...]:
        """The query's terms with their inverse document frequency among each group of jurisdictions."""
        return self._store.weights(query, language, places)

    def translations_into(
        self, text: str, language: str, into: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Translations of a text's words, as terms of other languages."""
        return self._store.translations_into(text, language, into)
