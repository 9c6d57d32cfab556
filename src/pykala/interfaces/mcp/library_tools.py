"""Tools for time, works and citations: differences, changes, contents, citations of a text."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pykala.interfaces.mcp import results
from pykala.interfaces.mcp.reading import AsOf, Jurisdiction, Language, Place, Reading
from pykala.interfaces.records.from_library import told_of
from pykala.interfaces.serving.vocabulary import Day, LongText
from pykala.law.provisions import WorkKind
from pykala.library import Library


class LibraryTools(Reading):
    """The tools; each has a deadline."""

    async def diff(
        self,
        provision: Place,
        first: Annotated[Day, Field(description="One date, YYYY-MM-DD.")],
        second: Annotated[Day, Field(description="The other date, YYYY-MM-DD.")],
        language: Language = None,
    ) -> results.DiffResult:
        """Compare a provision, or a whole work, on two dates: which words went, which came, by which act."""
        earlier, later = sorted((first, second))

        def work(library: Library) -> results.DiffResult:
            return results.diff_result(library.diff(provision, earlier, later, language=language))

        return await self.read(work)

    async def cite(
        self, text: LongText, language: Language = None, jurisdiction: Jurisdiction = None
    ) -> results.CiteResult:
        """Find the citations of law in a text: where they stand, where they lead, and whether that exists."""

        def work(library: Library) -> results.CiteResult:
            found = library.citations(text, as_of=self._today(), language=language, jurisdiction=jurisdiction)
            return results.CiteResult.of(None, citations=found, **told_of(library, language))

        return await self.read(work)

    async def changes(
        self,
        since: Annotated[Day, Field(description="The first day, YYYY-MM-DD.")],
        until: Annotated[Day | None, Field(description="The last day; all that is known without it.")] = None,
        jurisdiction: Jurisdiction = None,
        kind: Annotated[WorkKind | None, Field(description="Only works of this kind.")] = None,
        limit: Annotated[int, Field(ge=1, le=200, description="Works at most.")] = 20,
    ) -> results.ChangesResult:
        """List the works whose words changed in a period, and the acts that changed them."""

        def work(library: Library) -> results.ChangesResult:
            found = library.changes(
                since, until, jurisdiction=jurisdiction, kind=kind.value if kind else None
            )
            return results.changes_result(found, library, since, until, limit)

        return await self.read(work)

    async def works(
        self,
        words: Annotated[
            str,
            Field(max_length=500, description="Words of the name, an abbreviation or a number."),
        ] = "",
        jurisdiction: Jurisdiction = None,
        language: Language = None,
        limit: Annotated[int, Field(ge=1, le=200, description="Works at most.")] = 50,
    ) -> results.WorksResult:
        """List the works that the library holds, by words of their names."""

        def work(library: Library) -> results.WorksResult:
            found = library.works(words, jurisdiction=jurisdiction)
            return results.works_result(found, library, language or "", limit)

        return await self.read(work)

    async def tree(
        self, provision: Place, as_of: AsOf = None, language: Language = None
    ) -> results.TreeResult:
        """Show the table of contents of a work, or of a part of it: numbers, titles and first words."""
        day = as_of or self._today()
        return await self.read(
            lambda library: results.tree_result(
                library.tree(provision, as_of=day, language=language), library, day
            )
        )
