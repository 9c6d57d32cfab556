"""Caches with lifetimes: what was costly to make and may be asked for again soon.

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
    """What is kept; each has a lifetime of its own."""

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
    """How a kind of result becomes bytes and is had back; `read` raises ValueError for bytes of no sense."""

    write: Callable[[Made], bytes]
    read: Callable[[bytes], Made]


@dataclass(frozen=True, slots=True)
class CacheStatus:
    """How much of one kind is kept, since when, and how often it was of use."""

    name: str
    lifetime: float  # seconds
    entries: int
    bytes: int
    oldest: float | None  # seconds since 1970; None where nothing is kept
    hits: int
    misses: int


class Cache(Protocol):
    """A cache; every engine of one passes the same suite."""

    @property
    def fault(self) -> str:
        """Why nothing is kept, in words; empty where all is well."""
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
        """What is kept under a key, or made now and kept. `tally` counts the hit under the cache's name."""
        ...

    def status(self) -> tuple[CacheStatus, ...]:
        """What is kept, by name."""
        ...

    def clear(self, names: Iterable[CacheName] = ()) -> int:
        """Forget what is kept, all of it or of some names; how many results that were."""
        ...

    def close(self) -> None:
        """Release files."""
        ...


class NoCache:
    """Keeps nothing: the switch that bypasses every cache."""

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
        """Make it."""
        return make()

    def status(self) -> tuple[CacheStatus, ...]:
        """Nothing."""
        return ()

    def clear(self, names: Iterable[CacheName] = ()) -> int:
        """Forget nothing."""
        return 0

    def close(self) -> None:
        """Do nothing."""


def key_digest(parts: Sequence[object]) -> bytes:
    """The hash of a key; two keys of different parts have different ones."""
    return hashlib.blake2b(
        json.dumps(parts, default=_plain, ensure_ascii=True, separators=(",", ":")).encode(), digest_size=20
    ).digest()


def _plain(part: object) -> object:
    """A part that JSON does not know, under the name of its type: no text or list reads like one."""
    told: object = str(part)
    if isinstance(part, frozenset | set):
        told = sorted(map(str, part))
    elif isinstance(part, bytes):
        told = part.hex()
    elif is_dataclass(part) and not isinstance(part, type):
        told = [[one.name, getattr(part, one.name)] for one in fields(part)]
    return {f"\0{type(part).__name__}": told}
