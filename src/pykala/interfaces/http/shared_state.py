"""State that all routes share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import JSONResponse

from pykala.caches.caching import Cache
from pykala.caches.jobs import JobBoard
from pykala.interfaces.http.disconnect import run_until_disconnect
from pykala.interfaces.http.holdings import Inventories
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.progress import Report
from pykala.interfaces.serving.rights import Right, require
from pykala.library import Library
from pykala.records.record import as_json
from pykala.stores.store import UnknownProvision

if TYPE_CHECKING:  # network code, loaded only by those who go online
    from pykala.online import Online

_FOR_ANSWERING = 10.0  # of a question's seconds, those reserved for answering
_FOR_PUBLISHERS = 20.0  # the most seconds for publishers


@dataclass(frozen=True, slots=True)
class SharedState:
    """The library pool, location, caches, inventories, the server's options, and the date."""

    pool: LibraryPool
    options: ServerOptions
    today: Callable[[], date]
    location: LibraryLocation
    cache: Cache
    inventories: Inventories
    jobs: JobBoard  # where machines report the progress of their long work

    async def read(self, request: Request, work: Callable[[Library], object]) -> JSONResponse:
        """Read the library and answer with JSON; stop when the client disconnects or the time is up."""
        fetched = self.options.online

        def look(library: Library, report: Report) -> object:
            try:
                return as_json(work(library))
            except UnknownProvision:
                if fetched is None:
                    raise
                with library.with_fetched(fetched) as both:  # also reads acts that were fetched for an answer
                    if both is library:
                        raise
                    return as_json(work(both))

        return JSONResponse(
            await run_until_disconnect(request, self.pool, look, seconds=self.options.seconds)
        )

    def publishers(self) -> Online:
        """Publishers that a question may contact, with a time limit; a Problem says why not."""
        require(Right.FETCH)
        if self.options.online is None:
            raise Problem(
                "not-allowed",
                "this server does not ask publishers; who runs it allows that with --online;"
                " leave online out",
            )
        from pykala.online import Online

        seconds = min(self.options.seconds - _FOR_ANSWERING, _FOR_PUBLISHERS)
        return Online(self.options.online, deadline=max(seconds, 1.0))
