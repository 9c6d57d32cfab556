"""Shared by all tools: descriptions of arguments, the deadline, and error messages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from pydantic import Field

from pykala.fetch.confined import TookTooMuch
from pykala.interfaces.serving import vocabulary
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.problems import problem_of
from pykala.interfaces.serving.vocabulary import Words
from pykala.law.choices import day_told
from pykala.law.identifiers import InvalidIdentifier
from pykala.library import Library
from pykala.packs.pack import UnknownPack
from pykala.stores.store import NotInForce, StoreError, UnknownProvision

T = TypeVar("T")
SECONDS = 30.0
MISTAKES = (UnknownProvision, NotInForce, InvalidIdentifier, UnknownPack, StoreError, TookTooMuch)
_LATE = "not done within {seconds:g} s: ask something narrower, or again"

AsOf = Annotated[
    vocabulary.Day | None, Field(description="The date whose law counts, YYYY-MM-DD; today if left out.")
]
Language = Annotated[vocabulary.Language | None, Field(description="The language wanted.")]
Jurisdiction = Annotated[vocabulary.Jurisdiction | None, Field(description="Only this jurisdiction's law.")]
After = Annotated[
    Words | None,
    Field(
        description="Where the question goes on from one before it (“and in 2013?”): that question, in its"
        " standalone form where its answer gave one."
    ),
]
Home = Annotated[
    vocabulary.Jurisdiction | None,
    Field(description="The user's own place: its law counts where the question gives no sign of any."),
]
Place = Annotated[
    Words,
    Field(
        description="An identifier (fi:act:1992/1535/sec_124) or a citation as lawyers write it (TVL 124 §).",
    ),
]


def told(error: Exception) -> str:
    """The error message for a client; it names no folder and no process."""
    return problem_of(error).detail if isinstance(error, StoreError) else str(error)


class Reading:
    """Reads the library for a tool or a resource, with a deadline."""

    def __init__(self, pool: LibraryPool, today: Callable[[], date], seconds: float) -> None:
        self._pool, self._today, self._seconds = pool, today, seconds

    @property
    def note(self) -> str:
        """The note for a result that ran out of time."""
        return _LATE.format(seconds=self._seconds)

    async def read(self, work: Callable[[Library], T], late: T | None = None) -> T:
        """Run a read; at the deadline return the fallback."""
        try:
            return await self._pool.read(work, seconds=self._seconds)
        except TimeoutError:
            if late is None:
                raise ToolError(self.note) from None
            return late
        except MISTAKES as error:
            raise ToolError(told(error)) from error

    async def read_resource(self, work: Callable[[Library], T]) -> T:
        """The same for a resource, whose errors have another form."""
        try:
            return await self._pool.read(work, seconds=self._seconds)
        except (*MISTAKES, TimeoutError) as error:
            raise ResourceError(told(error) or self.note) from error

    def day(self, as_of: str) -> date:
        """The date in a resource's address; today where it names none."""
        try:
            return day_told(as_of) if as_of else self._today()
        except ValueError:
            raise ResourceError(f"{as_of!r} is not a date; write it as YYYY-MM-DD") from None
