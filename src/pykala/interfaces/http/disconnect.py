"""Client disconnect: work ends when it is done, when its time is up, or when the client disconnects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.progress import ProgressQueue, Work, start
from pykala.interfaces.serving.request import LEFT
from pykala.records.record import as_json

T = TypeVar("T")
#: A server-sent comment, which event readers ignore.
KEEP_ALIVE = b": still at work\n\n"


class ClientDisconnected(Problem):
    """The client disconnected; the response is discarded."""

    def __init__(self) -> None:
        super().__init__("timed-out", "the client closed the connection")
        self.status = LEFT  # for the access log and the metrics: not an error of the server


async def run_until_disconnect(request: Request, pool: LibraryPool, work: Work[T], *, seconds: float) -> T:
    """Run some work for a client; it stops when the client disconnects or the time is up."""
    queue = ProgressQueue()
    working = start(pool, work, queue, seconds)
    disconnecting = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({working, disconnecting}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnected
        return working.result()
    finally:
        queue.stop()
        working.cancel()
        disconnecting.cancel()


async def _disconnected(request: Request) -> None:
    """Wait until the client closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class EventStream(StreamingResponse):
    """Server-sent events from a generator, which is closed when the client disconnects."""

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
    return f"event: {name}\ndata: {json.dumps(as_json(data), ensure_ascii=False)}\n\n".encode()
