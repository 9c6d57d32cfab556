"""Progress of work on a library thread, reported to the event loop; a disconnected client stops the work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.library import Library

T = TypeVar("T")
HEARTBEAT = 15.0  # seconds without progress after which the client is told that the work goes on
#: Reports progress; raises `ClientGone` where the client has disconnected.
Report = Callable[[object], None]
#: Work that reads the library and reports its progress.
Work = Callable[[Library, Report], T]


class ClientGone(BaseException):
    """The client disconnected; the work stops.

    Like asyncio's own cancellation, this is no Exception: a stage that handles a failing model must not treat
    it as such a failure.
    """


class ProgressQueue:
    """Carries progress from a worker thread to the event loop."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[object] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()

    def __call__(self, event: object) -> None:
        """Put an event into the queue; raise `ClientGone` after `stop`."""
        if self._stopped.is_set():
            raise ClientGone
        self._loop.call_soon_threadsafe(self.events.put_nowait, event)

    def stop(self) -> None:
        """Stop the work at its next report."""
        self._stopped.set()


@dataclass(frozen=True, slots=True)
class StillWorking:
    """No progress was reported for a while; the work goes on."""


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The result of the work."""

    result: T


async def progress_of(pool: LibraryPool, work: Work[T], *, seconds: float) -> AsyncGenerator[object, None]:
    """Yield what the work reports, `StillWorking` in long pauses, and last `Finished`.

    Closing the generator stops the work.
    """
    queue = ProgressQueue()
    working = start(pool, work, queue, seconds)
    working.add_done_callback(lambda _: queue.events.put_nowait(None))
    try:
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT):
                    event = await queue.events.get()
            except TimeoutError:
                yield StillWorking()
                continue
            if event is None:
                break
            yield event
        yield Finished(working.result())
    finally:
        queue.stop()
        working.cancel()


def start(pool: LibraryPool, work: Work[T], queue: ProgressQueue, seconds: float) -> asyncio.Task[T]:
    """Start some work, whose progress goes into the queue."""

    async def reading() -> T:
        return await pool.read(lambda library: work(library, queue), seconds=seconds)

    working = asyncio.ensure_future(reading())
    working.add_done_callback(_retrieved)
    return working


def _retrieved(working: asyncio.Task[T]) -> None:
    """Retrieve the exception of abandoned work, so that asyncio does not warn about it."""
    if not working.cancelled():
        working.exception()
