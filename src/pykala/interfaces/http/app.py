"""The application: guards, routes, the page, and one reading room for as long as it lives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.routing import Route

from pykala.confined import processes
from pykala.interfaces.http import about, asking, chat, keeping, law, page, problems, time
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.guards import Guards
from pykala.interfaces.http.holdings import Inventories
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.reading_room import Opener, ReadingRoom
from pykala.interfaces.http.shared import SharedMemory
from pykala.interfaces.http.uploading import Premises
from pykala.interfaces.mcp.mounting import McpEndpoint
from pykala.stores.caching import Cache, NoCache

API = "/api/v1"
_ABOUT = (
    "Answers questions about law from the law itself, with citations that can be checked. Dates are"
    " YYYY-MM-DD; places in a text are counted in code points. Errors are problem+json (RFC 9457)."
)


def application(
    premises: Premises,
    open_library: Opener,
    options: ServerOptions | None = None,
    *,
    cache: Cache | None = None,
    today: Callable[[], date] = date.today,
    memory: SharedMemory | None = None,
) -> FastAPI:
    """An application over a library; `memory` is what it shares with the server's other processes."""
    chosen, memory = options or ServerOptions(), memory or SharedMemory()
    room = ReadingRoom(
        open_library, premises.present(), threads=chosen.threads, memory=memory, moved=premises.present
    )
    endpoint = McpEndpoint(room, today)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with endpoint.running():
                yield
        finally:
            processes.stop()  # who waits for a text to be read there is let go
            await asyncio.to_thread(room.close)

    app = FastAPI(
        title="Pykälä",
        description=_ABOUT,
        version=version("pykala"),
        lifespan=lifespan,
        docs_url=None,  # it would load its scripts from elsewhere
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
    )
    app.state.room, app.state.options = room, chosen
    problems.install(app)
    inventories = Inventories(today)
    desk = Desk(room, chosen, today, premises, cache or NoCache(), inventories)
    app.include_router(page.routes(desk), prefix=API)
    for routes in (asking.routes, law.routes, time.routes, keeping.routes, about.routes):
        app.include_router(routes(desk), prefix=API)
    app.include_router(chat.routes(desk))
    app.router.routes.append(Route("/mcp", endpoint))
    page.install(app, chosen.page)
    app.add_middleware(Guards, options=chosen, memory=memory)
    if chosen.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(chosen.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "X-API-Key"],
            expose_headers=["Retry-After"],
        )
    return app
