"""Index: search by words and by meaning, for every engine.

Both searches filter before they rank. An exact engine is the reference for scoring approximate ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pykala.law.filters import Filter
from pykala.stores.values import Hits, Match, Search

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray


class Index(Protocol):
    """Searches passages by words and meaning, and gives the weights of a query's words."""

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their words, best first, among those that pass the filter."""
        ...

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Passages of a language by analysed terms and their weights."""
        ...

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their meaning, best first, among those that pass the filter."""
        ...

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """First passages of the sections whose known questions (`AskedEmbedder`) are nearest."""
        ...

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """Cosines of some passages to a vector, by number; those without a vector are left out."""
        ...

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Passages by number, in the given order and with the given scores; removed ones are left out."""
        ...

    def weights(
        self, query: str, language: str, places: Sequence[frozenset[str]]
    ) -> tuple[Mapping[str, float], ...]:
        """The query's terms with their inverse document frequency among each group of jurisdictions.

        An empty group is all of them; 0 for a term found nowhere.
        """
        ...

    def translations_into(
        self, text: str, language: str, into: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Language → terms of it for a text's words, with weights, as `match_terms` takes them.

        They are learned from works that the library holds in both languages, some time after these are
        stored. If it holds none, only terms that need no translation are given: numbers and citations.
        """
        ...

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Search by words, by meaning and by the questions known for sections.

        This default calls the single searches; an engine across a network uses one round trip instead. The
        words of what is found may be read only when they are asked for, while the store is open and in the
        same state; the single searches read them at once.
        """
        return tuple(map(self._searched, searches))

    def _searched(self, one: Search) -> Hits:
        by_words = self.searched_words(one)
        if one.vector is None:
            return Hits(by_words)
        by_meaning = self.match_vector(one.vector, one.filter, one.limit) if one.limit else ()
        by_asked = self.match_asked(one.vector, one.filter, one.asked) if one.asked else ()
        return self.compared(one.vector, by_words, by_meaning, by_asked)

    def searched_words(self, one: Search) -> tuple[Match, ...]:
        """Search by words, or by terms where these are given."""
        if one.terms:
            (language,) = one.filter.languages
            return self.match_terms(one.terms, language, one.filter, one.limit)
        return self.match_text(one.words, one.filter, one.limit) if one.words else ()

    def compared(
        self,
        vector: NDArray[float32],
        by_words: tuple[Match, ...],
        by_meaning: tuple[Match, ...],
        by_asked: tuple[Match, ...],
    ) -> Hits:
        """The hits of each kind, and the cosines of those that vector search did not find."""
        known = {match.passage for match in by_meaning}
        missing = [match.passage for match in (*by_words, *by_asked) if match.passage not in known]
        return Hits(by_words, by_meaning, by_asked, self.nearness(vector, missing))

    def weigh(
        self, query: str, language: str, jurisdictions: frozenset[str] = frozenset()
    ) -> Mapping[str, float]:
        """The query's terms with their inverse document frequency in some jurisdictions, or in all."""
        return self.weights(query, language, [jurisdictions])[0]

    def translations(self, text: str, language: str, into: str) -> Mapping[str, float]:
        """Translations of a text's words into one language."""
        return self.translations_into(text, language, [into])[into]
