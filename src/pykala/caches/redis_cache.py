"""A cache in Redis or Valkey that all servers of a team share.

Keys are hashed and searches keep numbers only, as in the file (`caching`). The key of a search names the
state of the library: once a new one is published, nothing of the one before is found any more. Where Redis
cannot be used, this machine's own cache is.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, cast

from pykala.caches.cache import LIFETIMES, Cache, CacheName, CacheStatus, Form, Made, key_digest
from pykala.caches.caching import WORTH_KEEPING
from pykala.caches.redis_server import PREFIX, RedisServer

if TYPE_CHECKING:
    from pykala.caches.redis_server import Client

_FORMAT: Final = "1"  # of the entries; entries of another version are not read
_LOOKUPS: Final = f"{PREFIX}:lookups"
_TELL_AFTER: Final = 256  # lookups, after which their number is written down
_LARGEST: Final = 16 * 1024 * 1024  # bytes of one result
_AT_ONCE: Final = 500
_CHECK_SUM: Final = 4  # bytes


class RedisCache:
    """A cache that machines share; `local` replaces it while Redis is unavailable."""

    def __init__(
        self,
        server: RedisServer,
        local: Cache,
        *,
        worth_keeping: float = WORTH_KEEPING,
        lifetimes: Mapping[CacheName, float] = LIFETIMES,
    ) -> None:
        self._server, self._local = server, local
        self._worth_keeping, self._lifetimes = worth_keeping, lifetimes
        self._lock = threading.Lock()
        self._counted: Counter[str] = Counter()  # "searches:hits" → how many since they were last reported

    @property
    def fault(self) -> str:
        """Why Redis is not used; empty where it is."""
        return self._server.fault

    def remember(
        self,
        name: CacheName,
        key: Sequence[object],
        make: Callable[[], Made],
        form: Form[Made],
        *,
        tally: Counter[str] | None = None,
    ) -> Made:
        """Return the cached result, or compute it; cache it where computing took long."""
        place = _place(name, key_digest(key).hex())
        found = self._server.attempt(lambda client: cast("bytes | None", client.get(place)) or b"")
        if found is None:
            return self._local.remember(name, key, make, form, tally=tally)
        if sound := _unsealed(found):
            with suppress(ValueError):
                value = form.read(sound)
                self._count(name, "hits")
                if tally is not None:
                    tally[name.value] += 1
                return value
        self._count(name, "misses")
        started = time.perf_counter()
        made = make()
        if time.perf_counter() - started >= self._worth_keeping:
            self._keep(name, place, form.write(made))
        return made

    def _keep(self, name: CacheName, place: str, value: bytes) -> None:
        if len(value) <= _LARGEST:
            lifetime = int(1000 * self._lifetimes[name])
            self._server.attempt(lambda client: client.set(place, _sealed(value), px=lifetime))

    def _count(self, name: CacheName, what: str) -> None:
        with self._lock:
            self._counted[f"{name.value}:{what}"] += 1
            due = self._counted.total() >= _TELL_AFTER
        if due:
            self._store_counts()

    def _store_counts(self) -> None:
        """Add the hits and misses of this process to the shared counts."""
        with self._lock:
            counts, self._counted = self._counted, Counter()

        def add(client: Client) -> None:
            adding = client.pipeline(transaction=False)
            for field, number in counts.items():
                adding.hincrby(_LOOKUPS, field, number)
            adding.execute()

        if counts:
            self._server.attempt(add)

    def status(self) -> tuple[CacheStatus, ...]:
        """The contents, by kind."""
        self._store_counts()
        found = self._server.attempt(self._status)
        return found if found is not None else self._local.status()

    def _status(self, client: Client) -> tuple[CacheStatus, ...]:
        looked = {
            field.decode(): int(number)
            for field, number in cast("dict[bytes, bytes]", client.hgetall(_LOOKUPS)).items()
        }
        counted = []
        for name, lifetime in self._lifetimes.items():
            sizes = [size for part in _parts(client, name) for size in _sizes(client, part)]
            hits, misses = (looked.get(f"{name.value}:{what}", 0) for what in ("hits", "misses"))
            counted.append(CacheStatus(name.value, lifetime, len(sizes), sum(sizes), None, hits, misses))
        return tuple(counted)

    def clear(self, names: Iterable[CacheName] = ()) -> int:
        """Remove the results in Redis and on this machine; return how many."""
        chosen = tuple(names) or tuple(CacheName)
        with self._lock:
            self._counted.clear()

        def forget(client: Client) -> int:
            fields = [f"{name.value}:{what}" for name in chosen for what in ("hits", "misses")]
            client.hdel(_LOOKUPS, *fields)
            parts = (part for name in chosen for part in _parts(client, name))
            return sum(int(client.unlink(*part)) for part in parts)

        return (self._server.attempt(forget) or 0) + self._local.clear(chosen)

    def close(self) -> None:
        """Store the hit counts and close both caches."""
        self._store_counts()
        self._server.close()
        self._local.close()


def _place(name: CacheName, digest: str) -> str:
    return f"{PREFIX}:{_FORMAT}:{name.value}:{digest}"


def _sealed(value: bytes) -> bytes:
    return zlib.crc32(value).to_bytes(_CHECK_SUM, "big") + value


def _unsealed(found: bytes) -> bytes:
    """The value after its checksum; empty where the bytes have changed."""
    value = found[_CHECK_SUM:]
    return value if found[:_CHECK_SUM] == zlib.crc32(value).to_bytes(_CHECK_SUM, "big") else b""


def _parts(client: Client, name: CacheName) -> Iterator[list[bytes]]:
    """The keys of one kind of result, in batches."""
    part: list[bytes] = []
    for place in client.scan_iter(match=_place(name, "*"), count=_AT_ONCE):
        part.append(place)
        if len(part) == _AT_ONCE:
            yield part
            part = []
    if part:
        yield part


def _sizes(client: Client, places: Sequence[bytes]) -> list[int]:
    asking = client.pipeline(transaction=False)
    for place in places:
        asking.strlen(place)
    return [int(size) for size in asking.execute() if size]
