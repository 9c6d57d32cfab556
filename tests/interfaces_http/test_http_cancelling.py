"""Readers who leave take their work with them, and many at once are answered."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, serving, tasks_of, until
from pykala.interfaces.http.options import ServerOptions

ASKED = {"question": CAPITAL_INCOME, "as_of": "2026-01-01"}
LEAVING = 300
AT_ONCE = 64


@pytest.fixture
def served_to_all(http_folder: Path) -> Iterator[Served]:
    """A server that turns nobody away: on a busy machine it still counts many as here who have left."""
    options = ServerOptions(requests_per_minute=0, connections_per_client=LEAVING + 1, head_seconds=300)
    with serving(http_folder, options) as served:
        yield served


def test_hundreds_of_readers_who_leave_leave_nothing_behind(served_to_all: Served) -> None:
    served = served_to_all
    with served.client() as client:
        client.post("/api/v1/ask", json=ASKED).raise_for_status()
    assert until(lambda: tasks_of(served) <= 3)
    tasks, threads = tasks_of(served), threading.active_count()

    host, port = served.address.removeprefix("http://").split(":")
    body = json.dumps(ASKED).encode()

    def request(path: str) -> bytes:
        head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def leave(number: int, turns: asyncio.Semaphore) -> None:
        """Leave at once, after the first words, or after a moment in which nothing was said."""
        async with turns:
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(request("/api/v1/ask" if number % 3 == 0 else "/api/v1/ask?stream=1"))
            await writer.drain()
            if number % 3 == 1:
                assert (await reader.read(64)).startswith(b"HTTP/1.1 200")
            elif number % 2:
                await asyncio.sleep(number % 7 / 500)
            writer.transport.abort()

    async def all_leave() -> None:
        turns = asyncio.Semaphore(32)
        await asyncio.gather(*(leave(number, turns) for number in range(LEAVING)))

    asyncio.run(all_leave())
    assert until(lambda: tasks_of(served) <= tasks), f"{tasks_of(served)} tasks where there were {tasks}"
    # The last of them may still be looking into both indexes at once.
    at_work = served.app.state.options.threads
    assert until(lambda: threading.active_count() <= threads + at_work)
    readers = [one for one in threading.enumerate() if one.name.startswith("pykala-reader")]
    assert len(readers) <= served.app.state.options.threads * 2, (
        "threads are those of the pools, however many left"
    )
    assert until(lambda: served.app.state.pool.at_work == 0), "nothing is done for those who left"
    with served.client() as client:
        assert client.post("/api/v1/ask", json=ASKED).json()["outcome"] == "ANSWERED"


def test_many_streams_at_once_are_all_answered(served: Served) -> None:
    async def one(client: httpx.AsyncClient) -> tuple[str, float]:
        started = time.perf_counter()
        last = ""
        async with client.stream("POST", "/api/v1/ask?stream=1", json=ASKED) as response:
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    last = line.removeprefix("event: ")
                elif line.startswith("data: ") and last == "done":
                    assert json.loads(line.removeprefix("data: "))["outcome"] == "ANSWERED"
        return last, time.perf_counter() - started

    async def all_at_once() -> list[tuple[str, float]]:
        limits = httpx.Limits(max_connections=AT_ONCE)
        async with httpx.AsyncClient(
            base_url=served.address, timeout=300, limits=limits, trust_env=False
        ) as client:
            return list(await asyncio.gather(*(one(client) for _ in range(AT_ONCE))))

    told = asyncio.run(all_at_once())
    assert [last for last, _ in told] == ["done"] * AT_ONCE
    assert max(seconds for _, seconds in told) < 300
