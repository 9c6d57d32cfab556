"""The engines that every contract test runs over, listed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from cluster_file import write_cluster_file
from postgres_server import PostgresServer
from pykala.caches.cache import Cache
from pykala.caches.cached import CachedStore
from pykala.caches.caching import SqliteCache
from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.models.hashing import HashingEmbedder
from pykala.stores.beside import SideBySide
from pykala.stores.cluster.store import ClusterStore
from pykala.stores.database.store import DatabaseStore
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import Store, WritableStore
from qdrant_server import QdrantServer


class ReadThrough(ForwardingStore, WritableStore):
    """A store that is written directly and read through a proxy, which has no writer of its own."""

    def __init__(self, reader: Store, writer: WritableStore, cache: Cache | None = None) -> None:
        super().__init__(reader)
        self._writer, self._cache = writer, cache
        assert reader.writer is None

    def close(self) -> None:
        """Close the store, and the cache before it."""
        super().close()
        if self._cache is not None:
            self._cache.close()

    def put(self, bundle: Bundle) -> bool:
        """Write directly."""
        return self._writer.put(bundle)

    def refuse(self, item: str, fingerprint: str, reasons: Sequence[tuple[str, str]]) -> None:
        """Write directly."""
        self._writer.refuse(item, fingerprint, reasons)

    def delete(self, work: WorkId) -> None:
        """Write directly."""
        self._writer.delete(work)

    def record(self, facts: Mapping[str, str]) -> None:
        """Write directly."""
        self._writer.record(facts)

    def batch(self) -> AbstractContextManager[None]:
        """Write directly."""
        return self._writer.batch()

    def alone_in(self, jurisdiction: str) -> AbstractContextManager[None]:
        """Write directly."""
        return self._writer.alone_in(jurisdiction)


def _embedded(folder: Path) -> EmbeddedStore:
    return EmbeddedStore.open(folder, writable=True, embedder=HashingEmbedder(64))


def _cached(folder: Path) -> WritableStore:
    writer = _embedded(folder)
    cache = SqliteCache(folder / "cache.db", worth_keeping=0.0)
    return ReadThrough(CachedStore(writer, cache, Counter()), writer, cache)


def _first_of_two(folder: Path) -> WritableStore:
    writer = _embedded(folder / "first")
    return ReadThrough(SideBySide(writer, _embedded(folder / "second")), writer)


def _second_of_two(folder: Path) -> WritableStore:
    writer = _embedded(folder / "second")
    return ReadThrough(SideBySide(_embedded(folder / "first"), writer), writer)


ENGINES: dict[str, Callable[[Path], WritableStore]] = {
    "embedded": _embedded,
    "cached": _cached,
    "first-of-two": _first_of_two,
    "second-of-two": _second_of_two,
}


def _postgres(folder: Path, address: str, kind: type[PostgresStore]) -> PostgresStore:
    return kind.open_at(address, writable=True, embedder=HashingEmbedder(64), index_folder=folder)


def _cluster(folder: Path, address: str, qdrant: QdrantServer) -> ClusterStore:
    file = write_cluster_file(folder, address, qdrant.addresses)
    return ClusterStore.open_file(file, writable=True, embedder=HashingEmbedder(64))


_EMPTY = "SET lock_timeout = '60s'; SET client_min_messages = error; DROP SCHEMA IF EXISTS pykala CASCADE"
IN_POSTGRES: dict[str, type[PostgresStore]] = {"postgres": PostgresStore, "database": DatabaseStore}


@pytest.fixture(scope="session")
def database(postgres: PostgresServer) -> str:
    """One database for all: to empty it is quicker than to make another."""
    return postgres.new_database()


@pytest.fixture(params=[*ENGINES, *IN_POSTGRES, "cluster"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WritableStore]:
    folder = tmp_path / "library"
    if kind := IN_POSTGRES.get(request.param):
        opened: WritableStore = _postgres(folder, request.getfixturevalue("database"), kind)
    elif request.param == "cluster":
        opened = _cluster(folder, *(request.getfixturevalue(one) for one in ("database", "qdrant")))
    else:
        opened = ENGINES[request.param](folder)
    yield opened
    opened.close()
    if request.param in (*IN_POSTGRES, "cluster"):
        postgres: PostgresServer = request.getfixturevalue("postgres")
        postgres.execute(_EMPTY, request.getfixturevalue("database"))
    if request.param == "cluster":
        request.getfixturevalue("qdrant").drop_all()


@pytest.fixture
def is_second_of_two(request: pytest.FixtureRequest) -> bool:
    """Whether the store is the pair whose first library is empty."""
    return "second-of-two" in request.node.name
