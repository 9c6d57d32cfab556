"""Ask publishers, where the operator allows it and the caller's key has the right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from pykala.caches.jobs import JobBoard
from pykala.fetch.refusals import MirrorFault
from pykala.ingest import Progress
from pykala.interfaces.mcp.reading import MISTAKES, told
from pykala.interfaces.mcp.results import FetchResult, fetch_result
from pykala.interfaces.records.library import Fetched, JobLine, job_line
from pykala.interfaces.serving import vocabulary
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.long_work import awaited, begin_writing
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.rights import Right, require, right_for_tool
from pykala.interfaces.serving.vocabulary import Words
from pykala.library import Library
from pykala.online.acts import FetchReport
from pykala.records.record import Json

Wait = Annotated[float, Field(ge=0, le=60, description="Seconds to wait for its end.")]
_STILL = "it goes on: ask job({job!r}) how far it is"


@dataclass(frozen=True, slots=True)
class Publishers:
    """Permission to ask publishers: the folder for what they send, and the library that takes it."""

    folder: Path
    library: Callable[[], Path] | None  # prepares the library for writing; None: nothing is stored
    jobs: JobBoard  # where long work is told of


def require_right(right: Right) -> None:
    """Refuse a caller without a right, as tools do."""
    try:
        require(right)
    except Problem as problem:
        raise ToolError(problem.detail) from None


class OnlineTools:
    """The tools that fetch, and that tell how far a fetch is."""

    def __init__(self, pool: LibraryPool, publishers: Publishers) -> None:
        self._pool, self._publishers = pool, publishers

    async def fetch(
        self,
        jurisdiction: vocabulary.Jurisdiction,
        words: Annotated[Words, Field(description="Words of the acts' titles, or the number of one.")],
        year: Annotated[int | None, Field(ge=1950, le=2100, description="Only acts of this year.")] = None,
        limit: Annotated[int, Field(ge=1, le=10, description="Acts at most.")] = 3,
        wait: Wait = 10,
    ) -> FetchResult:
        """Find acts at their publisher by words of their titles, and read them into the library.

        The library changes: what came can be searched, read and cited from then on. What takes longer goes
        on, and `job` tells how far it is.
        """
        require_right(right_for_tool("fetch"))
        into = self._publishers.library
        if into is None:
            raise ToolError("the library cannot be written to here; ask with online instead")

        def write(library: Library, progress: Progress) -> FetchReport:
            return library.fetch(
                jurisdiction, words, self._publishers.folder, year=year, limit=limit, progress=progress
            )

        job = await asyncio.to_thread(self._publishers.jobs.begin, f"fetch {jurisdiction}")
        writing = begin_writing(self._pool, job, write, _told_of_fetch, into=into)
        try:
            async with asyncio.timeout(wait):
                report = await asyncio.shield(writing)
        except TimeoutError:
            return FetchResult(
                found=[],
                fetched=[],
                added=0,
                refused=[],
                job=job.place,
                partial=True,
                note=_STILL.format(job=job.place),
            )
        except (*MISTAKES, MirrorFault, Problem) as error:
            raise ToolError(told(error)) from error
        return fetch_result(report)

    async def job(
        self,
        job: Annotated[Words, Field(description="As `fetch` named it.")],
        wait: Wait = 10,
    ) -> JobLine:
        """Tell how far a fetch is, and what came of it once it has ended."""
        require_right(right_for_tool("job"))
        found = await awaited(self._publishers.jobs, job, wait)
        if found is None:
            raise ToolError(f"there is no work {job!r} of the last day; fetch begins one and names it")
        return job_line(job, found)


def _told_of_fetch(report: FetchReport) -> Json:
    return Fetched.of(report).as_json()
