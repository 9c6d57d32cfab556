"""MCP over streamable HTTP; the SDK is loaded by the first request, so that the server starts quickly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from pykala.caches.jobs import JobBoard
from pykala.interfaces.serving.library_pool import LibraryPool

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class McpEndpoint:
    """An ASGI application; it answers only within `running`."""

    def __init__(
        self,
        pool: LibraryPool,
        today: Callable[[], date],
        online: tuple[Path, Callable[[], Path] | None, JobBoard] | None = None,  # the fields of `Publishers`
    ) -> None:
        self._pool, self._today, self._online = pool, today, online
        self._wanted = asyncio.Event()
        self._manager: asyncio.Future[StreamableHTTPSessionManager] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the SDK's sessions in one task, which the first request starts."""
        self._manager = asyncio.get_running_loop().create_future()
        sessions = asyncio.create_task(self._run_sessions(self._manager))
        try:
            yield
        finally:
            sessions.cancel()
            await asyncio.wait({sessions})

    async def _run_sessions(self, manager: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        await self._wanted.wait()
        try:
            made = await asyncio.to_thread(self._make)
        except Exception as error:  # raised to every caller, instead of letting them wait for ever
            manager.set_exception(error)
            return
        async with made.run():
            manager.set_result(made)
            await asyncio.Event().wait()  # until it is cancelled

    def _make(self) -> StreamableHTTPSessionManager:
        from mcp.server.transport_security import TransportSecuritySettings

        from pykala.interfaces.mcp.online_tools import Publishers
        from pykala.interfaces.mcp.server import mcp_server

        publishers = Publishers(*self._online) if self._online is not None else None
        server = mcp_server(self._pool, today=self._today, publishers=publishers)
        # Hosts, origins, keys, sizes and rates are already checked for all routes, before this one.
        open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        server.streamable_http_app(stateless_http=True, transport_security=open_to_all)
        return server.session_manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        assert self._manager is not None, "it answers while it runs"
        self._wanted.set()
        manager = await asyncio.shield(self._manager)
        await manager.handle_request(scope, receive, send)
