"""Ask publishers, where the operator allows it and the caller's key has the right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from pykala.fetch.refusals import MirrorFault
from pykala.interfaces.mcp.reading import MISTAKES, Reading, told
from pykala.interfaces.mcp.results import FetchResult, fetch_result
from pykala.interfaces.serving import vocabulary
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.rights import Right, require, right_for_tool
from pykala.interfaces.serving.vocabulary import Words
from pykala.library import Library
from pykala.online.acts import FetchReport

_SECONDS = 120.0  # for a publisher, and for reading what it sent
_STILL = "not done within {seconds:g} s; it goes on, and works() shows what has come"


@dataclass(frozen=True, slots=True)
class Publishers:
    """Permission to ask publishers: the folder for what they send, and the library that takes it."""

    folder: Path
    library: Callable[[], Path] | None = None  # prepares the library for writing; None: nothing is stored


def require_right(right: Right) -> None:
    """Refuse a caller without a right, as tools do."""
    try:
        require(right)
    except Problem as problem:
        raise ToolError(problem.detail) from None


class OnlineTools(Reading):
    """The tool that fetches."""

    def __init__(self, pool: LibraryPool, today: Callable[[], date], publishers: Publishers) -> None:
        super().__init__(pool, today, _SECONDS)
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
        require_right(right_for_tool("fetch"))
        into = self._publishers.library
        if into is None:
            raise ToolError("the library cannot be written to here; ask with online instead")

        def write(library: Library) -> FetchReport:
            return library.fetch(jurisdiction, words, self._publishers.folder, year=year, limit=limit)

        writing = asyncio.ensure_future(self._pool.write(write, into=into))
        try:
            async with asyncio.timeout(self._seconds):
                report = await asyncio.shield(writing)
        except TimeoutError:
            return FetchResult(
                found=[],
                fetched=[],
                added=0,
                refused=[],
                partial=True,
                note=_STILL.format(seconds=self._seconds),
            )
        except (*MISTAKES, MirrorFault, Problem) as error:
            raise ToolError(told(error)) from error
        return fetch_result(report)
