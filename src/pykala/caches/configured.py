"""The cache and the progress store of the settings: Redis if given, else a local file or the database."""

from __future__ import annotations

from pathlib import Path

from pykala.caches.caching import CACHE_FILE, Cache, SqliteCache
from pykala.caches.job_files import JobFiles
from pykala.caches.jobs import JobBoard, JobKeeper
from pykala.stores.cluster.configuration import records_address
from pykala.stores.postgres.address import shown


def configured_cache(folder: Path, redis: str) -> Cache:
    """A cache in a folder, or in Redis with the folder's cache as a fallback."""
    local = SqliteCache(folder / CACHE_FILE)
    if not redis:
        return local
    from pykala.caches.redis_cache import RedisCache
    from pykala.caches.redis_server import RedisServer

    return RedisCache(RedisServer(redis), local)


def configured_jobs(library: Path, redis: str, cache: Path) -> JobBoard:
    """The work on a library: in Redis if given, and in its database; a folder without a Redis uses files."""
    keepers: list[JobKeeper] = []
    if redis:
        from pykala.caches.jobs import RedisJobs
        from pykala.caches.redis_server import RedisServer

        keepers.append(RedisJobs(RedisServer(redis), shown(library)))
    if (address := records_address(library)) is not None:
        from pykala.stores.postgres.jobs import JobTable

        keepers.append(JobTable(address))
    return JobBoard(*keepers or [JobFiles(cache, library)])
