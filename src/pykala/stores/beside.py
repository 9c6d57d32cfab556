"""Two libraries read as one: a library, and beside it the acts fetched for a question, or a matter.

Works are looked up in the library first. Scores of two libraries cannot be compared, because each weighs
words by its own contents. So the best match of each gets the same score, and the others are scaled in
proportion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import EdgesWanted
from pykala.law.standing import Standing
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

Item = TypeVar("Item")
Result = TypeVar("Result")
#: Added to the passage numbers of the second library, because each library numbers its own passages.
_SECOND = 1 << 48
#: The least weight of a word that the first library lacks; grading gives an unknown word this weight.
_RARE = 6.0


class SideBySide(Store):
    """Both libraries as one, read only: a write could not tell which library it is for."""

    def __init__(self, first: Store, second: Store) -> None:
        self._first, self._second = first, second
        self.folder = first.folder  # where learned weights are kept

    def at_once(self, reads: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run reads that need nothing of each other; those over two connections share their round trips."""
        own, beside = self._first.exchanges, self._second.exchanges
        if own is None or beside is None:
            return [read() for read in reads]
        return own.run(reads, [beside])

    def _of_both(self, read: Callable[[Store], Result]) -> tuple[Result, Result]:
        """The same read of both."""
        own, beside = self.at_once([lambda: read(self._first), lambda: read(self._second)])
        return own, beside

    # Law

    def works(self) -> Iterator[Work]:
        """Every work of both, once."""
        known = {one.id for one in self._first.works()}
        beside = (one for one in self._second.works() if one.id not in known)
        return iter(sorted(chain(self._first.works(), beside), key=lambda one: one.id))

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """Works of the first, then of the second."""
        own, beside = self._of_both(lambda store: store.works_of(works))
        return {**own, **{work: one for work, one in beside.items() if work not in own}}

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages of each work, in the library that holds it."""
        own, beside = self._of_both(lambda store: store.languages_of(works))
        return {work: own[work] or beside[work] for work in works}

    def document(self, work: WorkId, language: str) -> Document:
        """A whole document."""
        return self._home(work).document(work, language)

    def words(self, work: WorkId) -> Mapping[str, int]:
        """How many words of a work are held, by language."""
        return self._home(work).words(work)

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Provisions, each from the library that holds its work."""
        works = list(dict.fromkeys(one.provision.work for one in wanted))
        held: Mapping[WorkId, Work] = {}

        def look() -> tuple[StoredProvision | LookupError, ...]:
            nonlocal held
            held = self._first.works_of(works)
            return ()

        _, own, beside = self.at_once(
            [look, lambda: self._first.provisions(wanted), lambda: self._second.provisions(wanted)]
        )
        pairs = zip(wanted, own, beside, strict=True)
        return tuple(mine if one.provision.work in held else other for one, mine, other in pairs)

    def history(self, provision: ProvisionId, *, language: str | None = None) -> tuple[Version, ...]:
        """The chain of a provision's own words."""
        return self._home(provision.work).history(provision, language=language)

    def chain(self, provision: ProvisionId, *, language: str | None = None) -> Provision:
        """A provision and all below it with every version."""
        return self._home(provision.work).chain(provision, language=language)

    def changes(
        self,
        since: date,
        until: date | None = None,
        *,
        jurisdictions: Sequence[str] = (),
        kinds: Sequence[str] = (),
        works: Sequence[WorkId] = (),
    ) -> tuple[Change, ...]:
        """Changes of both; for a work that both hold, those of the first."""
        own, beside = (
            store.changes(since, until, jurisdictions=jurisdictions, kinds=kinds, works=works)
            for store in (self._first, self._second)
        )
        held = self._first.works_of(list({one.provision.work for one in beside}))
        further = [one for one in beside if one.provision.work not in held]
        # Each library returns its works in order; merging keeps that order.
        return tuple(sorted((*own, *further), key=lambda one: one.provision.work))

    # Graph

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """The edges and unresolved references of both."""
        own, beside = self._of_both(lambda store: store.references(wanted, unresolved))
        edges = tuple(_once(*pair) for pair in zip(own.edges, beside.edges, strict=True))
        return References(edges, _once(own.unresolved, beside.unresolved))

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited, in the library that holds it."""
        own, beside = self._of_both(lambda store: store.standings(sections))
        return {**beside, **own}

    def pairings_of(self, provisions: Sequence[ProvisionId]) -> Mapping[ProvisionId, tuple[Pairing, ...]]:
        """Counterparts in other languages."""
        own = self._first.works_of(list({one.work for one in provisions}))
        here = [one for one in provisions if one.work in own]
        there = [one for one in provisions if one.work not in own]
        found = self.at_once([lambda: self._first.pairings_of(here), lambda: self._second.pairings_of(there)])
        return {**found[0], **found[1]}

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined in either."""
        own, beside = self._of_both(lambda store: store.definitions_of(terms, language))
        return {term: _once(own[term], beside[term]) for term in terms}

    def mentions_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Mentions]:
        """How the law of both refers to each work."""
        own, beside = self._of_both(lambda store: store.mentions_of(works))
        return {
            work: Mentions(own[work].count + beside[work].count, {**beside[work].names, **own[work].names})
            for work in works
        }

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """The works and provisions of each name, from both."""
        own, beside = self._of_both(lambda store: store.named(aliases))
        return {
            alias: Named(
                tuple(sorted({*own[alias].works, *beside[alias].works})),
                _once(own[alias].provisions, beside[alias].provisions),
            )
            for alias in aliases
        }

    # Holdings

    def state(self) -> State:
        """The facts of the first; the name of the state changes with either."""
        own, beside = self._of_both(lambda store: store.state())
        languages = tuple(sorted({*own.languages, *beside.languages}))
        return State(f"{own.generation}+{beside.generation}", own.facts, languages)

    def fingerprints(self) -> Mapping[str, str]:
        """Item → fingerprint, of both libraries."""
        return {**self._second.fingerprints(), **self._first.fingerprints()}

    def items(self) -> Mapping[str, WorkId]:
        """Items of both, and their works."""
        return {**self._second.items(), **self._first.items()}

    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Items of both, and the files of their works."""
        return {**self._second.sources(), **self._first.sources()}

    def refusals(self) -> tuple[tuple[str, str], ...]:
        """What was refused of both."""
        return tuple(sorted({*self._first.refusals(), *self._second.refusals()}))

    def stats(self) -> Stats:
        """The size of both together; works in both count twice."""
        return _sum(self._first.stats(), self._second.stats())

    def refresh(self) -> None:
        """Move both to their newest state."""
        self._first.refresh()
        self._second.refresh()

    def catch_up(self) -> bool:
        """Move both to a newer state; return whether either moved."""
        moved = [store.catch_up() for store in (self._first, self._second)]
        return any(moved)

    def close(self) -> None:
        """Close both."""
        try:
            self._first.close()
        finally:
            self._second.close()

    # Index

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Run the searches in both: one call to each, however many searches there are."""
        pairs = zip(*self._of_both(lambda store: store.search(searches)), strict=True)
        return tuple(
            self.at_once([partial(self._both, one, *pair) for one, pair in zip(searches, pairs, strict=True)])
        )

    def _both(self, one: Search, own: Hits, beside: Hits) -> Hits:
        by_words = _merged(own.by_words, beside.by_words, one.limit)
        if one.vector is None:
            return Hits(by_words)
        by_meaning = _merged(own.by_meaning, beside.by_meaning, one.limit)
        return self.compared(
            one.vector, by_words, by_meaning, _merged(own.by_asked, beside.by_asked, one.asked)
        )

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages of both by their words."""
        return self._merged(lambda store: store.match_text(query, filter, limit), limit)

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Passages of both by analysed terms."""
        return self._merged(lambda store: store.match_terms(terms, language, filter, limit), limit)

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages of both by their meaning."""
        return self._merged(lambda store: store.match_vector(vector, filter, limit), limit)

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """First passages of sections of both by the questions known for them."""
        return self._merged(lambda store: store.match_asked(vector, filter, limit), limit)

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """Cosines of some passages to a vector."""
        own = [number for number in passages if number < _SECOND]
        beside = [number - _SECOND for number in passages if number >= _SECOND]
        near, other = self.at_once(
            [lambda: self._first.nearness(vector, own), lambda: self._second.nearness(vector, beside)]
        )
        return {**near, **{number + _SECOND: one for number, one in other.items()}}

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Passages of both by number."""
        own = [(number, score) for number, score in scored if number < _SECOND]
        beside = [(number - _SECOND, score) for number, score in scored if number >= _SECOND]
        here, there = self.at_once([lambda: self._first.children(own), lambda: self._second.children(beside)])
        found = {match.passage: match for match in here}
        found |= {one.passage + _SECOND: replace(one, passage=one.passage + _SECOND) for one in there}
        return tuple(found[number] for number, _ in scored if number in found)

    def weights(
        self, query: str, language: str, places: Sequence[frozenset[str]]
    ) -> tuple[Mapping[str, float], ...]:
        """Term weights of the first library; a term found only in the second counts as rare."""
        pairs = zip(*self._of_both(lambda store: store.weights(query, language, places)), strict=True)
        return tuple(_weighed(own, beside) for own, beside in pairs)

    def translations_into(
        self, text: str, language: str, into: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Translations from the first library's glossary: a few fetched acts teach no words."""
        return self._first.translations_into(text, language, into)

    def _home(self, work: WorkId) -> Store:
        return self._first if work in self._first.works_of([work]) else self._second

    def _merged(self, find: Callable[[Store], Sequence[Match]], limit: int) -> tuple[Match, ...]:
        return _merged(*self._of_both(find), limit)


def _merged(own: Sequence[Match], beside: Sequence[Match], limit: int) -> tuple[Match, ...]:
    """Merge the matches of both; the best of each get the same score."""
    held = {match.work for match in own}
    beside = [match for match in beside if match.work not in held]  # of a work in both, use the first's text
    scale = own[0].score / beside[0].score if own and beside and beside[0].score else 1.0
    scaled = [replace(match, passage=match.passage + _SECOND, score=match.score * scale) for match in beside]
    return tuple(sorted((*own, *scaled), key=lambda match: -match.score)[:limit])


def _once(own: Sequence[Item], beside: Sequence[Item]) -> tuple[Item, ...]:
    """The items of both, without duplicates."""
    return tuple(dict.fromkeys((*own, *beside)))


def _weighed(own: Mapping[str, float], beside: Mapping[str, float]) -> Mapping[str, float]:
    rarest = max(_RARE, *own.values(), *beside.values()) if own else _RARE
    return {term: weight or (rarest if beside.get(term) else 0.0) for term, weight in own.items()}


def _sum(own: Stats, beside: Stats) -> Stats:
    def added(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
        return dict(Counter(first) + Counter(second))

    places = own.by_jurisdiction.keys() | beside.by_jurisdiction.keys()
    return Stats(
        works=added(own.works, beside.works),
        documents=added(own.documents, beside.documents),
        provisions=own.provisions + beside.provisions,
        versions=own.versions + beside.versions,
        passages=own.passages + beside.passages,
        children=own.children + beside.children,
        edges=added(own.edges, beside.edges),
        unresolved=added(own.unresolved, beside.unresolved),
        pairings=own.pairings + beside.pairings,
        terms=own.terms + beside.terms,
        vectors=own.vectors + beside.vectors,
        bytes=own.bytes + beside.bytes,
        facts=own.facts,
        by_jurisdiction={
            place: added(own.by_jurisdiction.get(place, {}), beside.by_jurisdiction.get(place, {}))
            for place in sorted(places)
        },
        current_to={**beside.current_to, **own.current_to},
    )
