"""The cache that the settings name: Redis if given, else a local file."""

from __future__ import annotations

from pathlib import Path

from pykala.caches.caching import CACHE_FILE, Cache, SqliteCache


def configured_cache(folder: Path, redis: str) -> Cache:
    """A cache in a folder, or in Redis with the folder's cache as a fallback."""
    local = SqliteCache(folder / CACHE_FILE)
    if not redis:
        return local
    from pykala.caches.redis_cache import RedisCache
    from pykala.caches.redis_server import RedisServer

    return RedisCache(RedisServer(redis), local)
