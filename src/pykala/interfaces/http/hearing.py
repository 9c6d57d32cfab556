"""Hearing what work on a reading room's thread tells while it is done; nobody listening stops it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pykala.interfaces.http.reading_room import ReadingRoom
from pykala.library import Library

T = TypeVar("T")
HEARTBEAT = 15.0  # seconds of silence after which a listener is told that the work goes on
#: Reads the library, and tells on the way what may be heard; `tell` stops it where nobody listens.
Tell = Callable[[object], None]
Work = Callable[[Library, Tell], T]


class ReaderGone(BaseException):
    """Nobody waits for this work any more.

    Like asyncio's own cancellation no Exception: a stage that falls back when a model fails must not take
    it for such a failure.
    """


class Hearing:
    """What a worker thread tells, heard on the event loop until nobody listens."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[object] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._gone = threading.Event()

    def __call__(self, told: object) -> None:
        """Pass on what is told; stop the work where nobody listens."""
        if self._gone.is_set():
            raise ReaderGone
        self._loop.call_soon_threadsafe(self.heard.put_nowait, told)

    def stop(self) -> None:
        """Say that nobody listens any more."""
        self._gone.set()


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing was heard for a while; the work goes on."""


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """The result of the work."""

    result: T


async def hear(room: ReadingRoom, work: Work[T], *, seconds: float) -> AsyncGenerator[object, None]:
    """What some work tells, `Quiet` where that takes long, and then `Ended`; closing this stops the work."""
    hearing = Hearing()
    working = begin(room, work, hearing, seconds)
    working.add_done_callback(lambda _: hearing.heard.put_nowait(None))
    try:
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT):
                    heard = await hearing.heard.get()
            except TimeoutError:
                yield Quiet()
                continue
            if heard is None:
                break
            yield heard
        yield Ended(working.result())
    finally:
        hearing.stop()
        working.cancel()


def begin(room: ReadingRoom, work: Work[T], hearing: Hearing, seconds: float) -> asyncio.Task[T]:
    """Begin some work."""

    async def reading() -> T:
        return await room.read(lambda library: work(library, hearing), seconds=seconds)

    working = asyncio.ensure_future(reading())
    working.add_done_callback(_retrieved)
    return working


def _retrieved(working: asyncio.Task[T]) -> None:
    """Take note of how work ended that nobody waits for, so that asyncio does not complain of it."""
    if not working.cancelled():
        working.exception()
