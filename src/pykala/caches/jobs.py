"""Progress of long work on a library, shared by all machines through Redis or the library's database.

A folder without a Redis has files for it, which the processes of one machine share.

    with JobBoard(RedisJobs(server, library), JobTable(address)).reporting("ingest ca") as progress:
        progress(done, total)

Progress is published at most once a second, to the first keeper that takes it. A job whose machine died is
recognised by its last report.
"""

from __future__ import annotations

import json
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Protocol, cast

from pykala.caches.redis_server import PREFIX, RedisServer
from pykala.stores.jobs import KEPT_SECONDS, Job

if TYPE_CHECKING:
    from pykala.caches.redis_server import Client

_EVERY: Final = 1.0  # seconds between two words
_AT_ONCE: Final = 500
_LAST_SECOND: Final = 253_402_300_799.0  # of the year 9999


class JobKeeper(Protocol):
    """Where jobs are written down; `fault` says why it does not answer, where that is so."""

    @property
    def fault(self) -> str:
        """Why it does not answer; "" where it does."""
        ...

    def keep(self, place: str, job: Job) -> bool:
        """Write down how far a job has come; whether it could be written."""
        ...

    def read(self) -> Mapping[str, Job] | None:
        """The jobs of the last day by place; None where it does not answer."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class RunningJob:
    """Work that tells how far it is; `place` names it to those who ask for it."""

    def __init__(self, name: str, publish: Callable[[str, Job], None], now: Callable[[], float]) -> None:
        self.place = secrets.token_hex(8)
        self._publish, self._now = publish, now
        began = now()
        self._job = Job(name, socket.gethostname(), began, began)
        publish(self.place, self._job)

    def progress(self, done: int, total: int) -> None:
        """Tell how far it is; published at most once a second."""
        self._job = replace(self._job, done=done, total=total)
        if self._now() - self._job.told >= _EVERY:
            self._tell(self._job)

    def finish(self, outcome: str = "") -> None:
        """Record that the job is done, with its result."""
        self._tell(replace(self._job, ended="finished", outcome=outcome))

    def fail(self, reason: str = "") -> None:
        """Tell that it failed, and why."""
        if not self._job.ended:
            self._tell(replace(self._job, ended="failed", outcome=reason))

    def _tell(self, job: Job) -> None:
        self._job = replace(job, told=self._now())
        self._publish(self.place, self._job)


class JobBoard:
    """The work on one library, on every machine."""

    def __init__(self, *keepers: JobKeeper, now: Callable[[], float] = time.time) -> None:
        self._keepers, self._now = keepers, now

    def begin(self, name: str) -> RunningJob:
        """Tell that some work begins."""
        return RunningJob(name, self._publish, self._now)

    @contextmanager
    def reporting(self, name: str) -> Iterator[Callable[[int, int], None]]:
        """Publish the progress and the end of a job; the job goes on where nothing can be published."""
        job = self.begin(name)
        try:
            yield job.progress
        except BaseException:
            job.fail()
            raise
        job.finish()

    def find(self, place: str) -> Job | None:
        """A job of the last day; None where no keeper knows it."""
        found = [job for one in self._keepers if (job := (one.read() or {}).get(place)) is not None]
        return max(found, key=lambda job: job.told, default=None)

    def listed(self) -> dict[str, Job] | None:
        """Jobs of the last day by place, newest first; None where no keeper answers."""
        answers = [found for one in self._keepers if (found := one.read()) is not None]
        if not answers:
            return None
        newest: dict[str, Job] = {}
        for found in answers:  # a job may have gone on in another keeper, while the first was gone
            for place, job in found.items():
                if place not in newest or newest[place].told < job.told:
                    newest[place] = job
        return dict(sorted(newest.items(), key=lambda one: -one[1].began))

    @property
    def fault(self) -> str:
        """Why some or all jobs cannot be listed; "" where all can."""
        return next((one.fault for one in self._keepers if one.fault), "")

    def close(self) -> None:
        """Close the keepers."""
        for one in self._keepers:
            one.close()

    def _publish(self, place: str, job: Job) -> None:
        any(one.keep(place, job) for one in self._keepers)  # up to the first that takes it


class RedisJobs:
    """Jobs in Redis, which forgets them after a day."""

    def __init__(self, server: RedisServer, library: str) -> None:
        self._server = server
        hashed = blake2b(library.encode(), digest_size=8).hexdigest()
        self._places = f"{PREFIX}:job:{hashed}"

    @property
    def fault(self) -> str:
        """Why Redis does not answer."""
        return self._server.fault

    def keep(self, place: str, job: Job) -> bool:
        """Write down how far a job has come."""
        said, key = json.dumps(asdict(job)), f"{self._places}:{place}"
        return self._server.attempt(lambda client: client.set(key, said, ex=KEPT_SECONDS)) is not None

    def read(self) -> dict[str, Job] | None:
        """The jobs of the last day by place."""
        return self._server.attempt(self._read)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _read(self, client: Client) -> dict[str, Job]:
        keys = cast("list[bytes]", list(client.scan_iter(match=f"{self._places}:*", count=_AT_ONCE)))
        texts = cast("list[bytes | None]", client.mget(keys)) if keys else []
        return {
            key.decode("utf-8", "replace").rpartition(":")[2]: job
            for key, text in zip(keys, texts, strict=True)
            if text and (job := job_of(text)) is not None
        }


def job_of(text: bytes) -> Job | None:
    """Read a job; None for a text that another program has written there."""
    try:
        job = Job(**json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
    kinds = {"str": str, "float": int | float, "int": int}
    right = all(isinstance(getattr(job, one.name), kinds[str(one.type)]) for one in fields(Job))
    return job if right and all(0 <= at <= _LAST_SECOND for at in (job.began, job.told)) else None
