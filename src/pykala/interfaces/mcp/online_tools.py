"""Going out to the publishers, where the operator allows it and the caller has the right to fetch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from pykala.fetch.refusals import MirrorFault
from pykala.interfaces.http import vocabulary
from pykala.interfaces.http.problems import Problem
from pykala.interfaces.http.reading_room import ReadingRoom
from pykala.interfaces.http.rights import Right, require
from pykala.interfaces.http.vocabulary import Words
from pykala.interfaces.mcp.reading import MISTAKES, Reading, told
from pykala.interfaces.mcp.results import Partial
from pykala.library import Library
from pykala.online.acts import FetchReport

_SECONDS = 120.0  # that a publisher, and reading what it sent, may take
_STILL = "not done within {seconds:g} s; it goes on, and works() shows what has come"


@dataclass(frozen=True, slots=True)
class Publishers:
    """That publishers may be asked: where what they send is kept, and where it is read into."""

    folder: Path
    library: Callable[[], Path] | None = None  # makes the library ready to be written to; None: it is not


class FetchedAct(BaseModel):
    """An act that the publisher has under these words."""

    number: str
    title: str
    date: str | None
    url: str
    fetched: bool


class FetchResult(Partial):
    """What the publisher had, and what of it is in the library now."""

    acts: list[FetchedAct]
    added: int = Field(description="Works that are new or renewed in the library.")
    refused: list[str] = Field(description="What could not be had or read, and why.")


def require_fetching() -> None:
    """Refuse a caller who may not have the server ask others."""
    try:
        require(Right.FETCH)
    except Problem as problem:
        raise ToolError(problem.detail) from None


class OnlineTools(Reading):
    """The tool that fetches."""

    def __init__(self, room: ReadingRoom, today: Callable[[], date], publishers: Publishers) -> None:
        super().__init__(room, today, _SECONDS)
        self._publishers = publishers

    async def fetch(
        self,
        jurisdiction: vocabulary.Jurisdiction,
        words: Annotated[Words, Field(description="Words of the acts' titles, or the number of one.")],
        year: Annotated[int | None, Field(ge=1950, le=2100, description="Only acts of this year.")] = None,
        limit: Annotated[int, Field(ge=1, le=10, description="Acts at most.")] = 3,
    ) -> FetchResult:
        """Find acts at their publisher by words of their titles, and read them into the library.

        The library changes: what came can be searched, read and cited from then on.
        """
        require_fetching()
        into = self._publishers.library
        if into is None:
            raise ToolError("the library cannot be written to here; ask with online instead")

        def write(library: Library) -> FetchReport:
            return library.fetch(jurisdiction, words, self._publishers.folder, year=year, limit=limit)

        writing = asyncio.ensure_future(self._room.write(write, into=into))
        try:
            async with asyncio.timeout(self._seconds):
                report = await asyncio.shield(writing)
        except TimeoutError:
            return FetchResult(
                acts=[], added=0, refused=[], partial=True, note=_STILL.format(seconds=self._seconds)
            )
        except (*MISTAKES, MirrorFault, Problem) as error:
            raise ToolError(told(error)) from error
        return fetch_result(report)


def fetch_result(report: FetchReport) -> FetchResult:
    """What a fetch did."""
    ingested = report.ingested
    refusals = (*report.refusals, *(ingested.refusals if ingested else ()))
    return FetchResult(
        acts=[
            FetchedAct(
                number=act.number,
                title=act.title,
                date=act.date.isoformat() if act.date else None,
                url=act.url,
                fetched=act.number in report.fetched,
            )
            for act in report.found
        ],
        added=ingested.read if ingested else 0,
        refused=[f"{one.path}: {one.reason}" for one in refusals],
    )
