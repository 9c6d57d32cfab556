"""The desk of the reading room: what every route shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from fastapi import Request
from fastapi.responses import JSONResponse

from pykala.caches.caching import Cache
from pykala.interfaces.http.attending import attend
from pykala.interfaces.http.holdings import Inventories
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.reading_room import ReadingRoom
from pykala.interfaces.http.uploading import Premises
from pykala.library import Library


@dataclass(frozen=True, slots=True)
class Desk:
    """Who reads, under which options, on which day, where uploads go, and what is kept."""

    room: ReadingRoom
    options: ServerOptions
    today: Callable[[], date]
    premises: Premises
    cache: Cache
    inventories: Inventories

    async def read(self, request: Request, work: Callable[[Library], object]) -> JSONResponse:
        """What some reading finds, as JSON; it ends where the client leaves or the time is up."""
        return JSONResponse(
            await attend(
                request, self.room, lambda library, tell: work(library), seconds=self.options.seconds
            )
        )
