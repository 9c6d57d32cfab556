"""A store that reads each record once and answers repeated reads from memory.

The read path reads records where it needs them. Before that, it asks for all of them at once
(`store.provisions([...])`), and later reads of one of them are answered from here.

Such a store is made for one question and its parts and then discarded, so that nothing in it becomes stale.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from typing import TypeVar

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, Version, Work
from pykala.law.references import Edge, EdgesWanted, UnresolvedReference
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.store import Mentions, Named, References, State, Store, StoredProvision, Wording

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def read_once(store: Store, state: State | None = None) -> Store:
    """Wrap a store so that it reads each record once; a wrapped one is returned as it is.

    `state` is the store's state, where it is known.
    """
    return store if isinstance(store, ReadOnce) else ReadOnce(store, state)


class ReadOnce(ForwardingStore):
    """Caches the records and word weights of one question."""

    def __init__(self, store: Store, state: State | None = None) -> None:
        super().__init__(store)
        self._state = state
        self._works: dict[WorkId, Work | None] = {}
        self._languages: dict[WorkId, tuple[str, ...]] = {}
        self._provisions: dict[Wording, StoredProvision | LookupError] = {}
        self._histories: dict[tuple[ProvisionId, str | None], tuple[Version, ...]] = {}
        self._chains: dict[tuple[ProvisionId, str | None], Provision] = {}
        self._edges: dict[EdgesWanted, tuple[Edge, ...]] = {}
        self._unresolved: dict[tuple[ProvisionId, ...], tuple[UnresolvedReference, ...]] = {}
        self._standings: dict[ProvisionId, Standing] = {}
        self._definitions: dict[str, dict[str, tuple[DefinedTerm, ...]]] = {}  # by language
        self._mentions: dict[WorkId, Mentions] = {}
        self._named: dict[str, Named] = {}
        self._weights: dict[tuple[str, str, frozenset[str]], Mapping[str, float]] = {}

    def over(self, store: Store) -> ReadOnce:
        """The same records over another wrapper of the same store; both share what either reads."""
        other = copy(self)
        other._store = store
        return other

    def state(self) -> State:
        """The library's state."""
        if self._state is None:
            self._state = self._store.state()
        return self._state

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """The works among these that the library holds."""

        def read(missing: Sequence[WorkId]) -> Mapping[WorkId, Work | None]:
            found = self._store.works_of(missing)
            return {work: found.get(work) for work in missing}

        known = _remembered(self._works, works, read)
        return {work: found for work, found in known.items() if found is not None}

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages that each work is held in."""
        return _remembered(self._languages, works, self._store.languages_of)

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Provisions on their dates; an error in place of each that cannot be given."""

        def read(missing: Sequence[Wording]) -> Mapping[Wording, StoredProvision | LookupError]:
            found = dict(zip(missing, self._store.provisions(missing), strict=True))
            for one in found.values():
                if isinstance(one, StoredProvision):
                    self._works[one.work.id] = one.work
            return found

        known = _remembered(self._provisions, wanted, read)
        return tuple(known[one] for one in wanted)

    def history(self, provision: ProvisionId, *, language: str | None = None) -> tuple[Version, ...]:
        """The chain of a provision's own words."""
        key = provision, language
        if key not in self._histories:
            self._histories[key] = self._store.history(provision, language=language)
        return self._histories[key]

    def chain(self, provision: ProvisionId, *, language: str | None = None) -> Provision:
        """A provision and all below it with every version."""
        key = provision, language
        if key not in self._chains:
            self._chains[key] = self._store.chain(provision, language=language)
        return self._chains[key]

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """The edges of each request, and unresolved references."""
        missing = [one for one in dict.fromkeys(wanted) if one not in self._edges]
        leading, known = tuple(unresolved), self._unresolved
        if missing or (leading and leading not in known):
            found = self._store.references(missing, () if leading in known else leading)
            self._edges |= zip(missing, found.edges, strict=True)
            known.setdefault(leading, found.unresolved)
        return References(tuple(self._edges[one] for one in wanted), known.get(leading, ()))

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited."""

        def read(missing: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
            found = self._store.standings(missing)
            return {section: found.get(section, UNKNOWN) for section in missing}

        return _remembered(self._standings, sections, read)

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined."""
        known = self._definitions.setdefault(language, {})
        return _remembered(known, terms, lambda missing: self._store.definitions_of(missing, language))

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """The works and provisions of each name."""
        return _remembered(self._named, aliases, self._store.named)

    def mentions_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Mentions]:
        """How the law here refers to each work."""
        return _remembered(self._mentions, works, self._store.mentions_of)

    def weights(
        self, query: str, language: str, places: Sequence[frozenset[str]]
    ) -> tuple[Mapping[str, float], ...]:
        """The query's terms with their inverse document frequency among each group of jurisdictions."""
        missing = [one for one in dict.fromkeys(places) if (query, language, one) not in self._weights]
        if missing:
            found = self._store.weights(query, language, missing)
            self._weights |= {(query, language, one): own for one, own in zip(missing, found, strict=True)}
        return tuple(self._weights[query, language, one] for one in places)


def _remembered(
    known: dict[Key, Value], wanted: Sequence[Key], read: Callable[[Sequence[Key]], Mapping[Key, Value]]
) -> dict[Key, Value]:
    """Return cached values, and read only the missing ones."""
    missing = [one for one in dict.fromkeys(wanted) if one not in known]
    if missing:
        known.update(read(missing))
    return {one: known[one] for one in wanted}
