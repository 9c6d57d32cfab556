"""Stores, embedders and rerankers that look into a cache first; their results are the same as without it.

    tally = Counter()
    store = cached_store(store, cache, tally)          # searches
    embedder = cached_embedder(embedder, cache, tally)  # vectors of questions

They are made for one question and thrown away: `tally` then says what came from the cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from pykala.caches.cache import Cache, CacheName, Form
from pykala.caches.forms import FLOATS, HITS, SCORED, Scored, ScoredHits
from pykala.law.filters import Filter
from pykala.models.embedder import Embedder, ForwardingEmbedder, Role, WordEmbedder
from pykala.models.reranker import Reranker
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.store import Hits, Match, Search, State, Store

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Made = TypeVar("Made")


def cached_store(store: Store, cache: Cache, tally: Counter[str], state: State | None = None) -> Store:
    """A store with cached searches; `state` where it is already known and does not change."""
    return CachedStore(store, cache, tally, state)


def cached_embedder(embedder: Embedder, cache: Cache, tally: Counter[str]) -> Embedder:
    """An embedder with cached question vectors; one that knows single words needs no cache.

    It looks them up in a table of its own, in less time than a cache would.
    """
    if isinstance(embedder, WordEmbedder):
        return embedder
    return _CachedEmbedder(embedder, cache, tally)


def cached_reranker(reranker: Reranker, cache: Cache, tally: Counter[str]) -> Reranker:
    """A reranker with cached scores."""
    return _CachedReranker(reranker, cache, tally)


class CachedStore(ForwardingStore):
    """A store whose search results are cached as passage numbers."""

    def __init__(self, store: Store, cache: Cache, tally: Counter[str], state: State | None = None) -> None:
        super().__init__(store)
        self._cache, self._tally, self._state = cache, tally, state

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Run the searches; those of one call are cached together."""
        found: tuple[Hits, ...] | None = None

        def make() -> Sequence[ScoredHits]:
            nonlocal found
            found = self._store.search(searches)
            return [_scored(hits) for hits in found]

        scored = self._remembered(("together", *map(_key, searches)), make, HITS)
        if found is None:
            found = self._recalled(scored)
        return found if found is not None else self._store.search(searches)

    def _recalled(self, scored: Sequence[ScoredHits]) -> tuple[Hits, ...] | None:
        """Read the cached passages again in one call; None where some no longer exist."""
        wanted = [one for hits in scored for part in hits[:3] for one in part]
        read = self._store.children(wanted)
        if len(read) != len(wanted):
            return None
        matches = iter(read)

        def taken(part: Scored) -> tuple[Match, ...]:
            return tuple(islice(matches, len(part)))

        return tuple(
            Hits(taken(by_words), taken(by_meaning), taken(by_asked), dict(nearness))
            for by_words, by_meaning, by_asked, nearness in scored
        )

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their words."""
        return self._matched(
            ("words", query, filter, limit), lambda: self._store.match_text(query, filter, limit)
        )

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Passages by their meaning."""
        return self._matched(
            ("meaning", vector.tobytes(), filter, limit),
            lambda: self._store.match_vector(vector, filter, limit),
        )

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """First passages of sections by the questions that people ask of them."""
        return self._matched(
            ("asked", vector.tobytes(), filter, limit),
            lambda: self._store.match_asked(vector, filter, limit),
        )

    def _matched(self, key: tuple[object, ...], find: Callable[[], tuple[Match, ...]]) -> tuple[Match, ...]:
        found: tuple[Match, ...] | None = None

        def make() -> Sequence[tuple[int, float]]:
            nonlocal found
            found = find()
            return [(match.passage, match.score) for match in found]

        scored = self._remembered(key, make, SCORED)
        if found is None:
            found = self._store.children(scored)
        return found if len(found) == len(scored) else find()

    def _remembered(self, key: tuple[object, ...], make: Callable[[], Made], form: Form[Made]) -> Made:
        generation = self._state.generation if self._state else self._store.generation()
        return self._cache.remember(CacheName.SEARCHES, (generation, *key), make, form, tally=self._tally)


def _key(search: Search) -> tuple[object, ...]:
    terms = sorted(search.terms.items()) if search.terms is not None else None
    vector = search.vector.tobytes() if search.vector is not None else None
    return search.filter, search.limit, search.words, terms, vector, search.asked


def _scored(hits: Hits) -> ScoredHits:
    by_words, by_meaning, by_asked = (
        tuple((match.passage, match.score) for match in part)
        for part in (hits.by_words, hits.by_meaning, hits.by_asked)
    )
    return by_words, by_meaning, by_asked, tuple(hits.nearness.items())


class _CachedEmbedder(ForwardingEmbedder):
    def __init__(self, embedder: Embedder, cache: Cache, tally: Counter[str]) -> None:
        super().__init__(embedder)
        self._cache, self._tally = cache, tally

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Unit vectors, one row per text; only questions are cached, as a passage is encoded once."""
        if role != "query" or len(texts) != 1:
            return self._embedder.encode(texts, role)
        vector = self._cache.remember(
            CacheName.EMBEDDINGS,
            (self.fingerprint, texts[0]),
            lambda: self._embedder.encode(texts, role)[0],
            FLOATS,
            tally=self._tally,
        )
        if len(vector) != self.dimension:
            return self._embedder.encode(texts, role)
        return vector.reshape(1, -1)


class _CachedReranker:
    def __init__(self, reranker: Reranker, cache: Cache, tally: Counter[str]) -> None:
        self._reranker, self._cache, self._tally = reranker, cache, tally

    @property
    def name(self) -> str:
        return self._reranker.name

    @property
    def fingerprint(self) -> str:
        return self._reranker.fingerprint

    def score(self, query: str, texts: Sequence[str]) -> NDArray[float32]:
        """One score per text; the texts are the key, so any library can share the result."""
        scores = self._cache.remember(
            CacheName.RERANKINGS,
            (self.fingerprint, query, list(texts)),
            lambda: self._reranker.score(query, texts),
            FLOATS,
            tally=self._tally,
        )
        return scores if len(scores) == len(texts) else self._reranker.score(query, texts)
