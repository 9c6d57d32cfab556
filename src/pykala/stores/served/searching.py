"""Combine the searches of an index on a server, so that a question costs a handful of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from numpy import float32
from numpy.typing import NDArray

from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import body_field
from pykala.stores.embedded.matches import Passages, Scored
from pykala.stores.embedded.searching import _TERMS, words_beside
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.served.nearest import ServedVectors
from pykala.stores.served.word_search import ServedWords, WordSearch
from pykala.stores.values import Hits, Search
from pykala.text.analysis import analyse

#: By search: a vector, and the passages to compare it with.
Compared = Mapping[int, tuple[NDArray[float32], Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Found:
    """What each search found by words, by meaning and by known questions; and what was read along with it."""

    by_words: Sequence[Scored]
    by_meaning: Sequence[Scored]
    by_asked: Sequence[Scored]
    near: Mapping[int, Mapping[int, float]] = field(default_factory=dict)  # search → passage → cosine
    passages: Sequence[tuple[Any, ...]] = ()  # as `Passages` takes them

    @property
    def scored(self) -> list[Scored]:
        """All results."""
        return [*self.by_words, *self.by_meaning, *self.by_asked]


class ServedSearching(PostgresStore):
    """Runs several searches with one call for words, one for vectors and one for known questions."""

    @property
    def _words(self) -> ServedWords:
        return cast(ServedWords, self._indexes.text)

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Run the searches; full text and vectors in parallel."""
        facets = [self._facet_filter(one.filter) for one in searches]
        found = self._found_by_each(searches, facets)
        near, passages = self._read_of(_not_near(searches, found), found)
        return tuple(
            Hits(
                passages.of(found.by_words[at]),
                passages.of(found.by_meaning[at]),
                passages.of(found.by_asked[at]),
                near.get(at, {}),
            )
            for at in range(len(searches))
        )

    def _found_by_each(self, searches: Sequence[Search], facets: Sequence[FacetFilter | None]) -> Found:
        """The results of each search by words, by meaning, and by known questions."""
        waiting = words_beside.begin(lambda: self._by_words(searches, facets))
        try:
            by_meaning = self._nearest(self._vectors, searches, facets)
            by_asked = self._nearest(self._asked, for_asked(searches), facets)
        finally:
            by_words = waiting()  # wait also after an error: the thread reads a store that may be closed next
        return Found(by_words, by_meaning, by_asked)

    @property
    def _vectors(self) -> ServedVectors | None:
        return cast(ServedVectors | None, self._indexes.vectors)

    @property
    def _asked(self) -> ServedVectors | None:
        return cast(ServedVectors | None, self._indexes.asked)

    def _word_searches(
        self, searches: Sequence[Search], facets: Sequence[FacetFilter | None]
    ) -> dict[int, WordSearch]:
        """The searches by words, by number."""
        return {
            at: self._word_search(one, filter)
            for at, (one, filter) in enumerate(zip(searches, facets, strict=True))
            if filter is not None and (one.words or one.terms)
        }

    def _by_words(self, searches: Sequence[Search], facets: Sequence[FacetFilter | None]) -> Sequence[Scored]:
        wanted = self._word_searches(searches, facets)
        found = dict(zip(wanted, self._words.match_many(list(wanted.values())), strict=True))
        return [found.get(at, []) for at in range(len(searches))]

    def _word_search(self, one: Search, filter: FacetFilter) -> WordSearch:
        if one.terms:
            (language,) = one.filter.languages
            terms = one.terms
            heaviest = sorted(terms, key=lambda term: -terms[term])[:_TERMS]
            return WordSearch({language: heaviest}, filter, one.limit, terms)
        languages = sorted(one.filter.languages) if one.filter.languages else self.languages()
        asked = {language: analyse(one.words, language)[:_TERMS] for language in languages}
        return WordSearch(asked, filter, one.limit, {})

    @staticmethod
    def _nearest(
        index: ServedVectors | None, searches: Sequence[Search], facets: Sequence[FacetFilter | None]
    ) -> Sequence[Scored]:
        wanted = vector_searches(searches, facets)
        if index is None or not wanted:
            return [[] for _ in searches]
        found = dict(zip(wanted, index.match_many(list(wanted.values())), strict=True))
        return [found.get(at, []) for at in range(len(searches))]

    def _read_of(self, others: Compared, found: Found) -> tuple[Mapping[int, Mapping[int, float]], Passages]:
        """For each search, cosines of the hits that vector search did not find; and all passages found."""
        index = self._vectors
        near = index.nearness_many(list(others.values())) if index is not None and others else []
        return dict(zip(others, near, strict=False)), self._passages(found.scored)

    def _weighed(
        self, terms: Sequence[str], language: str, places: frozenset[int] | None
    ) -> Mapping[str, float]:
        self._words.know((body_field(language), term) for term in terms)
        return super()._weighed(terms, language, places)


def for_asked(searches: Sequence[Search]) -> list[Search]:
    """The same searches with the limits of known questions."""
    return [replace(one, limit=one.asked) for one in searches]


def vector_searches(
    searches: Sequence[Search], facets: Sequence[FacetFilter | None]
) -> dict[int, tuple[NDArray[float32], FacetFilter, int]]:
    """The searches by meaning, by number."""
    return {
        at: (one.vector, filter, one.limit)
        for at, (one, filter) in enumerate(zip(searches, facets, strict=True))
        if one.vector is not None and filter is not None and one.limit > 0
    }


def _not_near(searches: Sequence[Search], found: Found) -> Compared:
    """The hits that vector search did not find, by search, with the vector to compare them with."""
    others: dict[int, tuple[NDArray[float32], Sequence[int]]] = {}
    for at, one in enumerate(searches):
        known = {number for number, _ in found.by_meaning[at]}
        beside = (number for number, _ in (*found.by_words[at], *found.by_asked[at]) if number not in known)
        if one.vector is not None and (missing := list(dict.fromkeys(beside))):
            others[at] = one.vector, missing
    return others
