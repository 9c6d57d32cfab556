"""Stores, embedders and rerankers that look into a cache first; what they give is the same as without.

    tally = Counter()
    store = cached_store(store, cache, tally)          # searches
    embedder = cached_embedder(embedder, cache, tally)  # vectors of questions

They are made for one question and thrown away: `tally` then says what came from the cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from pykala.caches.cache import Cache, CacheName
from pykala.caches.forms import FLOATS, SCORED
from pykala.law.filters import Filter
from pykala.models.embedder import Embedder, Role, WordEmbedder
from pykala.models.reranker import Reranker
from pykala.stores.store import Match, Store

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


@runtime_checkable
class RecallingStore(Protocol):
    """A store that gives passages by number: found once, they need not be searched for again."""

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Children by number, in the order and with the scores given; what is gone is left out."""
        ...


def cached_store(store: Store, cache: Cache, tally: Counter[str]) -> Store:
    """A store whose searches are remembered; one that cannot give passages by number stays as it is."""
    return cast(Store, _CachedStore(store, cache, tally)) if isinstance(store, RecallingStore) else store


def cached_embedder(embedder: Embedder, cache: Cache, tally: Counter[str]) -> Embedder:
    """An embedder whose vectors of questions are remembered; one that knows single words needs no cache.

    It looks them up in a table of its own, in less time than a cache would.
    """
    if isinstance(embedder, WordEmbedder):
        return embedder
    return _CachedEmbedder(embedder, cache, tally)


def cached_reranker(reranker: Reranker, cache: Cache, tally: Counter[str]) -> Reranker:
    """A reranker whose scores are remembered."""
    return _CachedReranker(reranker, cache, tally)


class _CachedStore:
    def __init__(self, store: Any, cache: Cache, tally: Counter[str]) -> None:
        self._store, self._cache, self._tally = store, cache, tally

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Children by their words."""
        return self._remembered(
            ("words", query, filter, limit), lambda: self._store.match_text(query, filter, limit)
        )

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Children by their meaning."""
        return self._remembered(
            ("meaning", vector.tobytes(), filter, limit),
            lambda: self._store.match_vector(vector, filter, limit),
        )

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Beginnings of sections by what is asked of them."""
        return self._remembered(
            ("asked", vector.tobytes(), filter, limit),
            lambda: self._store.match_asked(vector, filter, limit),
        )

    def _remembered(
        self, key: tuple[object, ...], find: Callable[[], tuple[Match, ...]]
    ) -> tuple[Match, ...]:
        found: tuple[Match, ...] | None = None

        def make() -> Sequence[tuple[int, float]]:
            nonlocal found
            found = find()
            return [(match.passage, match.score) for match in found]

        scored = self._cache.remember(
            CacheName.SEARCHES, (self._store.generation(), *key), make, SCORED, tally=self._tally
        )
        if found is None:
            found = self._store.children(scored)
        return found if len(found) == len(scored) else find()


class _CachedEmbedder:
    def __init__(self, embedder: Embedder, cache: Cache, tally: Counter[str]) -> None:
        self._embedder, self._cache, self._tally = embedder, cache, tally

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Unit vectors, one row a text; a passage is encoded once in its life, so only questions are kept."""
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
        """One score a text; the texts themselves are the key, whatever library they are from."""
        scores = self._cache.remember(
            CacheName.RERANKINGS,
            (self.fingerprint, query, list(texts)),
            lambda: self._reranker.score(query, texts),
            FLOATS,
            tally=self._tally,
        )
        return scores if len(scores) == len(texts) else self._reranker.score(query, texts)
