"""Progress of long work on a library, shared by all machines through Redis.

    with JobBoard(server, "postgresql://law@db/law").reporting("ingest ca") as progress:
        progress(done, total)

Progress is published at most once a second. A job whose machine died is recognised by its last report.
"""

from __future__ import annotations

import json
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, cast

from pykala.caches.redis_server import PREFIX, RedisServer

if TYPE_CHECKING:
    from pykala.caches.redis_server import Client

_KEPT: Final = 24 * 3600  # seconds after the last word
_EVERY: Final = 1.0  # seconds between two words
_AT_ONCE: Final = 500
_LAST_SECOND: Final = 253_402_300_799.0  # of the year 9999


@dataclass(frozen=True, slots=True)
class Job:
    """Work in progress or finished; times are seconds since 1970."""

    name: str
    machine: str
    began: float
    told: float
    done: int = 0
    total: int = 0
    ended: str = ""  # "finished" or "failed"; empty while it goes on


class JobBoard:
    """The work on one library, on every machine."""

    def __init__(self, server: RedisServer, library: str, *, now: Callable[[], float] = time.time) -> None:
        self._server, self._now = server, now
        hashed = blake2b(library.encode(), digest_size=8).hexdigest()
        self._places = f"{PREFIX}:job:{hashed}"

    @contextmanager
    def reporting(self, name: str) -> Iterator[Callable[[int, int], None]]:
        """Publish the progress and the end of a job; the job goes on where Redis is unavailable."""
        place = f"{self._places}:{secrets.token_hex(8)}"
        began = self._now()
        job = Job(name, socket.gethostname(), began, began)
        self._publish(place, job)

        def progress(done: int, total: int) -> None:
            nonlocal job
            job, due = replace(job, done=done, total=total), self._now() - job.told >= _EVERY
            if due:
                job = replace(job, told=self._now())
                self._publish(place, job)

        try:
            yield progress
        except BaseException:
            self._publish(place, replace(job, told=self._now(), ended="failed"))
            raise
        self._publish(place, replace(job, told=self._now(), ended="finished"))

    def listed(self) -> tuple[Job, ...] | None:
        """Jobs of the last day, newest first; None where Redis is unavailable."""
        found = self._server.attempt(self._read)
        return None if found is None else tuple(sorted(found, key=lambda one: -one.began))

    def _read(self, client: Client) -> list[Job]:
        places = list(client.scan_iter(match=f"{self._places}:*", count=_AT_ONCE))
        texts = cast("list[bytes | None]", client.mget(places)) if places else []
        return [job for one in texts if one and (job := _job(one)) is not None]

    def _publish(self, place: str, job: Job) -> None:
        self._server.attempt(lambda client: client.set(place, json.dumps(asdict(job)), ex=_KEPT))


def _job(text: bytes) -> Job | None:
    """Read a job; None for a text that another program has written there."""
    try:
        job = Job(**json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
    kinds = {"str": str, "float": int | float, "int": int}
    right = all(isinstance(getattr(job, one.name), kinds[str(one.type)]) for one in fields(Job))
    return job if right and all(0 <= at <= _LAST_SECOND for at in (job.began, job.told)) else None
