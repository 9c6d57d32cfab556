"""Work on the library that goes on after its client has left, and reports its progress."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pykala.caches.jobs import JobBoard, RunningJob
from pykala.ingest import Progress
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.problems import problem_of
from pykala.library import Library
from pykala.records.record import Json
from pykala.stores.jobs import Job
from pykala.stores.store import StoreError

T = TypeVar("T")
_LOOKS_EVERY = 0.5  # seconds
_going_on: set[asyncio.Task[object]] = set()  # the loop itself keeps only weak references


def begin_writing(
    pool: LibraryPool,
    job: RunningJob,
    work: Callable[[Library, Progress], T],
    told: Callable[[T], Json],
    *,
    into: Callable[[], Path],
) -> asyncio.Task[T]:
    """Begin work that writes; the job tells its progress, and at its end what came of it."""

    def write(library: Library) -> T:
        done = work(library, job.progress)
        job.finish(json.dumps(told(done), ensure_ascii=False))
        return done

    async def run() -> T:
        try:
            return await pool.write(write, into=into)
        except Exception as error:
            reason = problem_of(error).detail if isinstance(error, StoreError) else str(error)
            await asyncio.to_thread(job.fail, reason)
            raise

    running = asyncio.create_task(run())
    _going_on.add(running)
    running.add_done_callback(_ended)
    return running


def _ended(running: asyncio.Task[T]) -> None:
    _going_on.discard(running)
    if not running.cancelled():
        running.exception()  # retrieved, so that asyncio does not warn: the job reports the error


async def awaited(board: JobBoard, place: str, seconds: float) -> Job | None:
    """A job, once it has ended or the time is up; None where nobody knows it."""
    ends = asyncio.get_running_loop().time() + seconds
    while True:
        job = await asyncio.to_thread(board.find, place)
        left = ends - asyncio.get_running_loop().time()
        if job is None or job.ended or left <= 0:
            return job
        await asyncio.sleep(min(_LOOKS_EVERY, left))
