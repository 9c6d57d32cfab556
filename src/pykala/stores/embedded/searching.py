"""Search both indexes of an embedded library; see `stores.index.Index`."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.law.provisions import WorkKind
from pykala.stores.connection import Connection
from pykala.stores.embedded import indexing, writing
from pykala.stores.embedded.bulk import with_values
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.fulltext import has_own_field
from pykala.stores.embedded.glossary import Glossary
from pykala.stores.embedded.matches import Passages, Scored, read_passages, read_words
from pykala.stores.embedded.records import EmbeddedRecords
from pykala.stores.index import Index
from pykala.stores.values import Hits, Match, Search
from pykala.text.analysis import analyse

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray

Result = TypeVar("Result")
_WORK_KINDS = frozenset(kind.value for kind in WorkKind)
_TERMS = 128  # the most terms of a query, in each language


class EmbeddedIndex(EmbeddedRecords, Index):
    """Tantivy for text, mapped files for vectors."""

    def __init__(self, folder: Path, connection: Connection, indexes: indexing.Indexes) -> None:
        super().__init__(folder, connection, indexes)
        self._names = writing.Names(connection)
        self._glossary = Glossary(folder)

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Search full text and vectors in parallel, then read what was found, each passage once."""
        if any(one.vector is not None for one in searches):
            waiting = words_beside.begin(lambda: [self._scored_words(one) for one in searches])
            try:
                meant = [self._scored_meaning(one) for one in searches]
            finally:
                by_words = waiting()  # wait also after an error: it reads a store that may be closed next
        else:
            by_words, meant = [self._scored_words(one) for one in searches], [((), ())] * len(searches)
        passages = self._passages([*by_words, *(scored for pair in meant for scored in pair)])
        return tuple(
            Hits(passages.of(words))
            if one.vector is None
            else self.compared(one.vector, passages.of(words), *map(passages.of, pair))
            for one, words, pair in zip(searches, by_words, meant, strict=True)
        )

    def _scored_words(self, one: Search) -> Scored:
        if one.terms:
            (language,) = one.filter.languages
            return self._by_terms(one.terms, language, one.filter, one.limit)
        return self._by_text(one.words, one.filter, one.limit) if one.words else ()

    def _scored_meaning(self, one: Search) -> tuple[Scored, Scored]:
        if one.vector is None:
            return (), ()
        by_meaning = self._by_vector(one.vector, one.filter, one.limit) if one.limit else ()
        return by_meaning, self._by_asked(one.vector, one.filter, one.asked) if one.asked else ()

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their words."""
        return self.children(self._by_text(query, filter, limit))

    def _by_text(self, query: str, filter: Filter, limit: int) -> Scored:
        facets = self._facet_filter(filter)
        if facets is None:
            return ()
        languages = sorted(filter.languages) if filter.languages else self.languages()
        # A question is short; of a longer text, such as a pasted contract, only the first words are searched.
        terms = {language: analyse(query, language)[:_TERMS] for language in languages}
        return self._indexes.text.match(terms, _without_language(facets, languages), limit)

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Passages of a language by analysed terms and their weights."""
        return self.children(self._by_terms(terms, language, filter, limit))

    def _by_terms(self, terms: Mapping[str, float], language: str, filter: Filter, limit: int) -> Scored:
        facets = self._facet_filter(filter)
        if facets is None:
            return ()
        heaviest = sorted(terms, key=lambda term: -terms[term])[:_TERMS]
        if filter.languages == {language}:
            facets = _without_language(facets, [language])
        return self._indexes.text.match({language: heaviest}, facets, limit, weights=terms)

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their meaning."""
        return self.children(self._by_vector(vector, filter, limit))

    def _by_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> Scored:
        facets = self._facet_filter(filter)
        if facets is None or self._indexes.vectors is None:
            return ()
        return self._indexes.vectors.match(vector, facets, limit)

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """First passages of sections by the questions known for them."""
        return self.children(self._by_asked(vector, filter, limit))

    def _by_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> Scored:
        facets = self._facet_filter(filter)
        if facets is None or self._indexes.asked is None:
            return ()
        return self._indexes.asked.match(vector, facets, limit)

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """Cosines of some passages, by number."""
        return self._indexes.vectors.nearness(vector, passages) if self._indexes.vectors is not None else {}

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Passages by number, in the given order and with the given scores; removed ones are left out."""
        return self._whole_passages([scored]).of(scored)

    def _whole_passages(self, scored: Sequence[Scored]) -> Passages:
        return read_passages(self._connection, self._standings, scored)

    def _passages(self, scored: Sequence[Scored]) -> Passages:
        """The passages found; of most, a question never reads the words."""
        return read_passages(self._connection, self._standings, scored, self.words_of_passage)

    def words_of_passage(self, number: int) -> tuple[str, str]:
        """The header of a passage and the text of its parent."""
        return read_words(self._connection, number)

    def weights(
        self, query: str, language: str, places: Sequence[frozenset[str]]
    ) -> tuple[Mapping[str, float], ...]:
        """The query's terms with their inverse document frequency as in BM25; 0 where unknown."""
        terms = tuple(dict.fromkeys(analyse(query, language)[:_TERMS]))
        return tuple(self._weighed(terms, language, self._numbers(group)) for group in places)

    def _weighed(
        self, terms: Sequence[str], language: str, places: frozenset[int] | None
    ) -> Mapping[str, float]:
        text = self._indexes.text
        total = text.written(places)
        weights = {}
        for term in terms:
            found = text.document_frequency(term, language, places)
            weights[term] = math.log(1 + (total - found + 0.5) / (found + 0.5)) if found else 0.0
        return weights

    def translations_into(
        self, text: str, language: str, into: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Translations of a text's words from the library's glossary."""
        return {other: self._glossary.translations(text, language, other) for other in into}

    def _facet_filter(self, filter: Filter) -> FacetFilter | None:
        """The filter in numbers; None where it names only values that the library lacks."""
        works = self._work_numbers(filter.works) if filter.works else None
        of_works = filter.kinds & _WORK_KINDS
        # Kinds of works and kinds of provisions must both match: the sections of acts, not either.
        within = filter.kinds - _WORK_KINDS if of_works else frozenset[str]()
        jurisdictions, languages, kinds, provision_kinds = map(
            self._numbers, (filter.jurisdictions, filter.languages, of_works or filter.kinds, within)
        )
        if frozenset() in (works, jurisdictions, languages, kinds, provision_kinds):
            return None
        day = filter.as_of.toordinal() if filter.as_of else None
        without = self._numbers(filter.without) or frozenset()
        return FacetFilter(day, jurisdictions, languages, kinds, provision_kinds, works, without)

    def _work_numbers(self, works: frozenset[WorkId]) -> frozenset[int]:
        query = "SELECT works.id FROM wanted JOIN works ON works.key = wanted.key"
        found = with_values(self._connection, "key", ((str(work),) for work in works), query)
        return frozenset(row[0] for row in found)

    def _numbers(self, values: frozenset[str]) -> frozenset[int] | None:
        known = (self._names.known(value) for value in values)
        return frozenset(number for number in known if number is not None) if values else None


def _without_language(facets: FacetFilter, languages: Sequence[str]) -> FacetFilter:
    """The filter of a search for terms, whose fields are a filter by language already, and a faster one."""
    return replace(facets, languages=None) if all(map(has_own_field, languages)) else facets


class _WordsBeside:
    """Runs a text search in a second thread, beside the vector search.

    The process has one such thread, started once. If it is busy with another question, many users are asking
    and every core is busy, so the two searches run one after the other.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pykala-search")
        self._free = threading.Lock()

    def begin(self, search: Callable[[], Result]) -> Callable[[], Result]:
        """Start a search, or defer it; the returned function waits for the result, or computes it."""
        if not self._free.acquire(blocking=False):
            return search
        try:
            searching = self._thread.submit(search)
        except BaseException:
            self._free.release()
            raise
        searching.add_done_callback(lambda _: self._free.release())
        return searching.result


words_beside = _WordsBeside()
