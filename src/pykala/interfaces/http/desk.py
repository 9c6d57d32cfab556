"""The desk of the reading room: what every route shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import JSONResponse

from pykala.caches.caching import Cache
from pykala.interfaces.http.attending import attend
from pykala.interfaces.http.hearing import Tell
from pykala.interfaces.http.holdings import Inventories
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.problems import Problem
from pykala.interfaces.http.reading_room import ReadingRoom
from pykala.interfaces.http.rights import Right, require
from pykala.interfaces.http.uploading import Premises
from pykala.library import Library
from pykala.stores.store import UnknownProvision

if TYPE_CHECKING:  # what the network needs is loaded only by who goes there
    from pykala.online import Online

_FOR_ANSWERING = 10.0  # of a question's seconds, those that the publishers do not have
_FOR_PUBLISHERS = 20.0  # seconds at most


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
        fetched = self.options.online

        def look(library: Library, tell: Tell) -> object:
            try:
                return work(library)
            except UnknownProvision:
                if fetched is None:
                    raise
                with library.with_fetched(fetched) as both:  # an act that came for an answer can be read
                    if both is library:
                        raise
                    return work(both)

        return JSONResponse(await attend(request, self.room, look, seconds=self.options.seconds))

    def publishers(self) -> Online:
        """That the publishers may be asked for a question, in the time that it has; or why they may not."""
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
