"""Caches with lifetimes, for results that are costly to compute and likely to be needed again soon.

    cache: Cache = SqliteCache(folder / CACHE_FILE)
    vector = cache.remember(CacheName.EMBEDDINGS, (embedder.fingerprint, text), encode, FLOATS)

A key is everything that could change the result. A cache never fails: where it cannot be used, things are
made as if there were none, and `fault` says why.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

Made = TypeVar("Made")

CACHE_FILE = "cache.db"
HOUR = 3600.0


class CacheName(StrEnum):
    """The kinds of cached results; each has its own lifetime."""

    EMBEDDINGS = "embeddings"
    SEARCHES = "searches"
    RERANKINGS = "rerankings"
    TREES = "trees"  # acts as slim trees


LIFETIMES: Mapping[CacheName, float] = {
    CacheName.EMBEDDINGS: 24 * HOUR,
    CacheName.SEARCHES: HOUR,
    CacheName.RERANKINGS: HOUR,
    CacheName.TREES: 24 * HOUR,
}


@dataclass(frozen=True, slots=True)
class Form(Generic[Made]):
    """Serialises one kind of result; `read` raises ValueError on corrupt bytes."""

    write: Callable[[Made], bytes]
    read: Callable[[bytes], Made]


@dataclass(frozen=True, slots=True)
class CacheStatus:
    """Size, age and hit counts of one kind."""

    name: str
    lifetime: float  # seconds
    entries: int
    bytes: int
    oldest: float | None  # seconds since 1970; None where nothing is kept
    hits: int
    misses: int


class Cache(Protocol):
    """A cache; every engine passes the same contract suite."""

    @property
    def fault(self) -> str:
        """Why nothing is cached; empty where the cache works."""
        ...

    def remember(
        self,
        name: CacheName,
        key: Sequence[object],
        make: Callable[[], Made],
        form: Form[Made],
        *,
        tally: Counter[str] | None = None,
    ) -> Made:
        """Return the cached result, or compute and cache it. `tally` counts hits by cache name."""
        ...

    def status(self) -> tuple[CacheStatus, ...]:
        """The contents, by kind."""
        ...

    def clear(self, names: Iterable[CacheName] = ()) -> int:
        """Remove all results, or those of some kinds; return how many."""
        ...

    def close(self) -> None:
        """Close the files."""
        ...


class NoCache:
    """Caches nothing: the switch that bypasses every cache."""

    fault = ""

    def remember(
        self,
        name: CacheName,
        key: Sequence[object],
        make: Callable[[], Made],
        form: Form[Made],
        *,
        tally: Counter[str] | None = None,
    ) -> Made:
        """Compute the result."""
        return make()

    def status(self) -> tuple[CacheStatus, ...]:
        """Nothing."""
        return ()

    def clear(self, names: Iterable[CacheName] = ()) -> int:
        """Remove nothing."""
        return 0

    def close(self) -> None:
        """Do nothing."""


def key_digest(parts: Sequence[object]) -> bytes:
    """Hash a key; keys with different parts have different hashes."""
    return hashlib.blake2b(
        json.dumps(parts, default=_plain, ensure_ascii=True, separators=(",", ":")).encode(), digest_size=20
    ).digest()


def _plain(part: object) -> object:
    """Encode a value that JSON lacks under the name of its type, so that no text or list collides with it."""
    encoded: object = str(part)
    if isinstance(part, frozenset | set):
        encoded = sorted(map(str, part))
    elif isinstance(part, bytes):
        encoded = part.hex()
    elif is_dataclass(part) and not isinstance(part, type):
        encoded = [[one.name, getattr(part, one.name)] for one in fields(part)]
    return {f"\0{type(part).__name__}": encoded}
