"""MCP on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError

from pykala.caches.jobs import JobBoard
from pykala.interfaces.mcp.online_tools import Publishers
from pykala.interfaces.mcp.server import mcp_server
from pykala.interfaces.serving.library_pool import LibraryPool, Opener
from pykala.interfaces.serving.location import LibraryLocation

_THREADS = 2  # there is one client, which seldom asks two things at once
_NOT_JSON = JSONRPCError(
    jsonrpc="2.0",
    id=None,
    error=ErrorData(code=PARSE_ERROR, message="the line is no message of JSON-RPC; write one object a line"),
)


def run(
    location: LibraryLocation,
    open_library: Opener,
    *,
    online: tuple[Path, JobBoard] | None = None,  # lets the client ask publishers
) -> None:
    """Serve one client until it disconnects."""
    pool = LibraryPool(open_library, location.folder, threads=_THREADS)
    into = location.prepare if location.writable else None
    publishers = Publishers(online[0], into, online[1]) if online is not None else None
    try:
        anyio.run(_serve, mcp_server(pool, publishers=publishers))
    finally:
        pool.close()
        if online is not None:
            online[1].close()


async def _serve(server: MCPServer[object]) -> None:
    """Serve; an unreadable line also gets an answer, so that no client waits for ever."""
    below = server._lowlevel_server
    async with stdio_server() as (lines, answers):
        await below.run(_Readable(lines, answers), answers, below.create_initialization_options())


class _Readable:
    """The readable messages; unreadable ones are answered here."""

    def __init__(self, lines: Any, answers: Any) -> None:
        self._lines, self._answers = lines, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lines, name)

    async def receive(self) -> Any:
        """The next message."""
        while isinstance(message := await self._lines.receive(), Exception):
            await self._answers.send(SessionMessage(_NOT_JSON))
        return message

    def __aiter__(self) -> _Readable:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Readable:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._lines.aclose()
