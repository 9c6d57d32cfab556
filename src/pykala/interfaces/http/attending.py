"""Waiting with a client: work ends when it is done, when its time is up, or when the client has left."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from pykala.interfaces.http.hearing import Hearing, Work, begin
from pykala.interfaces.http.observing import LEFT
from pykala.interfaces.http.problems import Problem
from pykala.interfaces.http.reading_room import ReadingRoom

T = TypeVar("T")
#: A comment, which readers of events pass over.
KEEP_ALIVE = b": still at work\n\n"


class ClientLeft(Problem):
    """Nobody waits for the answer: what is said here reaches nobody."""

    def __init__(self) -> None:
        super().__init__("timed-out", "the client closed the connection")
        self.status = LEFT  # in the access log and the metrics: no fault of the server


async def attend(request: Request, room: ReadingRoom, work: Work[T], *, seconds: float) -> T:
    """Do some work for a client; it stops where the client leaves or the time is up."""
    hearing = Hearing()
    working = begin(room, work, hearing, seconds)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft
        return working.result()
    finally:
        hearing.stop()
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    """Until the client closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class EventStream(StreamingResponse):
    """Server-sent events from a generator that is closed as soon as nobody reads them."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(events, headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()


def event(name: str, data: object) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
