"""Batch the searches of a cluster's library, so that a question costs a few calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from pykala.stores.cluster.meanings import QdrantVectors
from pykala.stores.cluster.words import QdrantWords, WordSearch
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import body_field
from pykala.stores.embedded.searching import _TERMS, Scored, words_beside
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.values import Hits, Search
from pykala.text.analysis import analyse


class ClusterSearching(PostgresStore):
    """Runs several searches with one call for words, one for vectors and one for known questions."""

    @property
    def _words(self) -> QdrantWords:
        return cast(QdrantWords, self._indexes.text)

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Run the searches; full text and vectors in parallel."""
        facets = [self._facet_filter(one.filter) for one in searches]
        waiting = words_beside.begin(lambda: self._by_words(searches, facets))
        try:
            by_meaning = self._nearest(cast(QdrantVectors | None, self._indexes.vectors), searches, facets)
            asked = [replace(one, limit=one.asked) for one in searches]
            by_asked = self._nearest(cast(QdrantVectors | None, self._indexes.asked), asked, facets)
        finally:
            by_words = waiting()  # also after an error: it reads a store that may be closed then
        near = self._nearness_of(searches, by_words, by_meaning, by_asked)
        passages = self._passages([*by_words, *by_meaning, *by_asked])
        return tuple(
            Hits(
                passages.of(by_words[at]),
                passages.of(by_meaning[at]),
                passages.of(by_asked[at]),
                near[at],
            )
            for at in range(len(searches))
        )

    def _by_words(self, searches: Sequence[Search], facets: Sequence[FacetFilter | None]) -> Sequence[Scored]:
        wanted = {
            at: self._word_search(one, filter)
            for at, (one, filter) in enumerate(zip(searches, facets, strict=True))
            if filter is not None and (one.words or one.terms)
        }
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
        index: QdrantVectors | None, searches: Sequence[Search], facets: Sequence[FacetFilter | None]
    ) -> Sequence[Scored]:
        wanted = {
            at: (one.vector, filter, one.limit)
            for at, (one, filter) in enumerate(zip(searches, facets, strict=True))
            if one.vector is not None and filter is not None and one.limit > 0
        }
        if index is None or not wanted:
            return [[] for _ in searches]
        found = dict(zip(wanted, index.match_many(list(wanted.values())), strict=True))
        return [found.get(at, []) for at in range(len(searches))]

    def _nearness_of(
        self,
        searches: Sequence[Search],
        by_words: Sequence[Scored],
        by_meaning: Sequence[Scored],
        by_asked: Sequence[Scored],
    ) -> list[Mapping[int, float]]:
        """Cosines of the hits that vector search did not find."""
        near: list[Mapping[int, float]] = [{} for _ in searches]
        index = cast(QdrantVectors | None, self._indexes.vectors)
        if index is None:
            return near
        asked = {}
        for at, one in enumerate(searches):
            known = {number for number, _ in by_meaning[at]}
            others = (number for number, _ in (*by_words[at], *by_asked[at]) if number not in known)
            if one.vector is not None and (missing := list(dict.fromkeys(others))):
                asked[at] = one.vector, missing
        for at, found in zip(asked, index.nearness_many(list(asked.values())), strict=True):
            near[at] = found
        return near

    def _weighed(
        self, terms: Sequence[str], language: str, places: frozenset[int] | None
    ) -> Mapping[str, float]:
        self._words.know((body_field(language), term) for term in terms)
        return super()._weighed(terms, language, places)
