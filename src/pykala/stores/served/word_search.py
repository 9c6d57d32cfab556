"""Searches by words with our own BM25: the terms, and the weight of each in a jurisdiction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import body_field
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.served.bm25 import query_weight
from pykala.stores.served.statistics import FieldTerm, WordStatistics

SCORE_DIGITS = 4  # as in a folder: equal passages must tie
Scored = list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class WordSearch:
    """A search by analysed terms; `weights` multiplies a term's score, 0 and below drops the term."""

    terms_by_language: Mapping[str, Sequence[str]]
    filter: FacetFilter
    limit: int
    weights: Mapping[str, float]

    def wanted(self) -> dict[FieldTerm, float]:
        """Each term with its weight; a term given twice counts twice."""
        counts = Counter(
            (body_field(language), term)
            for language, terms in self.terms_by_language.items()
            for term in terms
        )
        weighed = ((term, self.weights.get(term[1], 1.0) * count) for term, count in counts.items())
        return {term: weight for term, weight in weighed if weight > 0}


@dataclass(frozen=True, slots=True)
class PlaceSearch:
    """A search in one jurisdiction: the numbers of its terms with their weights there."""

    jurisdiction: int
    weights: Mapping[int, float]
    filter: FacetFilter
    limit: int


class ServedWords(ABC):
    """The words of one state, with the interface and the scores of `embedded.fulltexts.TextIndexes`."""

    def __init__(self, records: PostgresConnection, *, passages: int) -> None:
        self._count = passages
        self._statistics = WordStatistics(records)

    @abstractmethod
    def _found(self, searches: Sequence[PlaceSearch]) -> Sequence[Scored]:
        """The results of each search, best first, up to its limit; ties by number."""

    def match(
        self,
        terms_by_language: Mapping[str, Sequence[str]],
        filter: FacetFilter,
        limit: int,
        *,
        weights: Mapping[str, float] | None = None,
    ) -> Scored:
        """Rank the passages that pass the filter by their jurisdiction's statistics, best first."""
        return self.match_many([WordSearch(terms_by_language, filter, limit, weights or {})])[0]

    def match_many(self, searches: Sequence[WordSearch]) -> list[Scored]:
        """Run the searches in one call."""
        asked = self.placed(searches)
        return self.merged(searches, asked, self._found([search for _, search in asked]))

    def placed(self, searches: Sequence[WordSearch]) -> list[tuple[int, PlaceSearch]]:
        """Each search in each of its jurisdictions, with its own number."""
        wanted = [one.wanted() if one.limit > 0 else {} for one in searches]
        self.know(term for terms in wanted for term in terms)
        return [
            (at, search)
            for at, one in enumerate(searches)
            for search in self._by_place(wanted[at], one.filter, one.limit)
        ]

    @staticmethod
    def merged(
        searches: Sequence[WordSearch], asked: Sequence[tuple[int, PlaceSearch]], found: Sequence[Scored]
    ) -> list[Scored]:
        """Merge the results of all jurisdictions for each search."""
        hits: list[Scored] = [[] for _ in searches]
        for (at, _), some in zip(asked, found, strict=True):
            hits[at] += some
        return [
            sorted(some, key=lambda hit: (-hit[1], hit[0]))[: one.limit]
            for some, one in zip(hits, searches, strict=True)
        ]

    def know(self, terms: Iterable[FieldTerm]) -> None:
        """Read the statistics of some terms in one round trip."""
        self._statistics.frequencies(terms)

    def _by_place(
        self, wanted: Mapping[FieldTerm, float], filter: FacetFilter, limit: int
    ) -> Iterator[PlaceSearch]:
        known = self._statistics.frequencies(wanted)
        for place, passages in self._statistics.passages().items():
            if filter.jurisdictions is not None and place not in filter.jurisdictions:
                continue
            weights = {
                frequency.number: query_weight(frequency.passages[place], passages) * wanted[term]
                for term, frequency in known.items()
                if place in frequency.passages
            }
            if weights:
                here = replace(filter, jurisdictions=frozenset({place}))
                yield PlaceSearch(place, weights, here, limit)

    def document_frequency(
        self, term: str, language: str, jurisdictions: Collection[int] | None = None
    ) -> int:
        """Count the passages that contain a term."""
        found = self._statistics.frequencies([(body_field(language), term)])
        return sum(
            passages
            for frequency in found.values()
            for place, passages in frequency.passages.items()
            if jurisdictions is None or place in jurisdictions
        )

    def written(self, jurisdictions: Collection[int] | None = None) -> int:
        """Count the passages of some jurisdictions, or of all."""
        held = self._statistics.passages()
        return sum(n for place, n in held.items() if jurisdictions is None or place in jurisdictions)

    def __len__(self) -> int:
        return self._count

    def refresh(self) -> None:  # noqa: B027 (nothing to do for any of them)
        """Do nothing: each state has its own object."""

    def close(self) -> None:  # noqa: B027 (nothing to do for any of them)
        """Nothing to close: the store owns the connections."""
