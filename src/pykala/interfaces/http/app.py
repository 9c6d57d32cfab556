"""The application: guards, routes, the page, and one pool of library threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import date
from importlib.metadata import version

from fastapi import APIRouter, Depends, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.routing import Route

from pykala.caches.caching import Cache, NoCache
from pykala.caches.configured import configured_jobs
from pykala.fetch.confined import processes
from pykala.interfaces.http import (
    about,
    asking,
    chat,
    embeddings,
    law,
    library_routes,
    matter_answers,
    matters,
    metrics,
    page,
    reference_page,
    responses,
    time,
)
from pykala.interfaces.http.audit import AuditWriter, audit_writer_for
from pykala.interfaces.http.guards import Guards
from pykala.interfaces.http.holdings import Inventories
from pykala.interfaces.http.key_rings import ring_of
from pykala.interfaces.http.observing import HEADER, AccessLog, Observing, RouteTemplates
from pykala.interfaces.http.options import ServerOptions, names_of_this_machine
from pykala.interfaces.http.rates import rates_of
from pykala.interfaces.http.requests import refuse_unknown_parameters
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.mcp.mounting import McpEndpoint
from pykala.interfaces.serving import problems
from pykala.interfaces.serving.library_pool import LibraryPool, Opener
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.opening import LibraryOpener, measured
from pykala.interfaces.serving.shared_memory import SharedMemory

API = "/api/v1"
_ABOUT = (
    "Answers questions about law from the law itself, with citations that can be checked. Dates are"
    " YYYY-MM-DD; places in a text are counted in code points. Errors are problem+json (RFC 9457)."
)


def application(
    location: LibraryLocation,
    open_library: Opener,
    options: ServerOptions | None = None,
    *,
    cache: Cache | None = None,
    today: Callable[[], date] = date.today,
    memory: SharedMemory | None = None,
) -> FastAPI:
    """Build the application over a library; `memory` is shared with the server's other processes."""
    chosen, memory = options or ServerOptions(), memory or SharedMemory()
    if not chosen.is_local:
        names_of_this_machine()  # look this up before the first request, which would have to wait
    counts = metrics.Metrics(chosen.metrics_folder) if chosen.metrics else None
    opened = measured(open_library, counts) if counts is not None else open_library
    pool = LibraryPool(
        opened, location.present(), threads=chosen.threads, memory=memory, moved=location.present
    )
    log = AccessLog(chosen.access_log, questions=chosen.access_log_questions) if chosen.access_log else None
    into = location.prepare if location.writable else None
    ring = ring_of(location.folder, chosen.issuer)
    rates = rates_of(chosen.redis, location.folder)
    audit_writer = audit_writer_for(location.folder, chosen.audit)
    jobs = configured_jobs(location.folder, chosen.redis, chosen.cache or location.folder)
    online = (chosen.online, into, jobs) if chosen.online is not None else None
    endpoint = McpEndpoint(pool, today, online)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        processes.server_begins()
        try:
            async with endpoint.running():
                yield
        finally:
            processes.server_ends()  # releases requests that wait for a text to be read there
            await asyncio.to_thread(pool.close)
            if log is not None:
                log.close()
            for held in (ring, rates, audit_writer, jobs):
                if held is not None:
                    held.close()

    app = FastAPI(
        title="Pykälä",
        description=_ABOUT,
        version=version("pykala"),
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page loads scripts from elsewhere; `reference_page` does not
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
    )
    app.state.pool, app.state.options, app.state.metrics = pool, chosen, counts
    app.state.draining = False
    problems.install(app)
    inventories = Inventories(today)
    state = SharedState(pool, chosen, today, location, cache or NoCache(), inventories, jobs)
    templates = _include_routes(app, state, audit_writer, counts)
    app.router.routes.append(Route("/mcp", endpoint))
    page.install(app, chosen.page)
    templates |= reference_page.install(app, chosen)
    app.add_middleware(Guards, options=chosen, memory=memory, ring=ring, rates=rates)
    if chosen.origins:
        _allow_origins(app, chosen.origins)
    telemetry = open_library.telemetry if isinstance(open_library, LibraryOpener) else None
    measures = [one for one in (counts, telemetry) if one is not None]
    # This is the outermost layer, so that it also sees refused requests.
    app.add_middleware(
        Observing, templates=RouteTemplates(templates), measures=measures, log=log, audit_writer=audit_writer
    )
    return app


def _include_routes(
    app: FastAPI, state: SharedState, audit_writer: AuditWriter | None, counts: metrics.Metrics | None
) -> set[str]:
    """Add the routes to an application; return their templates, for logs and metrics."""
    templates = {"/", "/llms.txt", "/mcp", f"{API}/openapi.json"}

    def include(router: APIRouter, prefix: str = "") -> None:
        checks = [Depends(refuse_unknown_parameters)] if prefix == API else []
        app.include_router(router, prefix=prefix, dependencies=checks)
        templates.update(f"{prefix}{getattr(route, 'path', '')}" for route in router.routes)

    include(page.routes(state), API)
    for routes in (asking.routes, law.routes, time.routes, library_routes.routes, about.routes):
        include(routes(state), API)
    for routes in (chat.routes, responses.routes, embeddings.routes):
        include(routes(state))
    if audit_writer is not None:
        include(matter_answers.routes(audit_writer), API)
    if counts is not None:
        include(metrics.routes(state, counts))
    return templates


def _allow_origins(app: FastAPI, origins: Iterable[str]) -> None:
    """Let pages of these origins call the API from a browser (CORS)."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "X-API-Key", HEADER, matters.HEADER],
        expose_headers=["Retry-After", HEADER],
    )
