"""Resources: a provision on a date, a work's table of contents, and the library's contents."""

from __future__ import annotations

from collections import Counter

from mcp.server import MCPServer
from mcp.server.mcpserver.resources import ResourceSecurity

from pykala.answer.caveats import of_library
from pykala.interfaces.mcp import results
from pykala.interfaces.mcp.reading import Reading
from pykala.law.validity import NOT_YET
from pykala.library import Library
from pykala.packs.pack import installed
from pykala.retrieve.tree import TreeNode
from pykala.views.markdown import as_words
from pykala.views.prose import flat

PROVISION = "pykala://provision/{+id}{?as_of,language}"
CONTENTS = "pykala://contents/{+id}{?as_of,language}"
LIBRARY = "pykala://library"
_MARKDOWN = "text/markdown"


def add_resources(server: MCPServer[object], reading: Reading) -> None:
    """Add them to a server."""
    made = Resources(reading)
    identifiers = ResourceSecurity(exempt_params={"id"})  # an identifier contains slashes but is not a path
    server.resource(
        PROVISION,
        name="provision",
        title="A provision of the law",
        description="The exact words of a provision on a date, with its citation and official address.",
        mime_type=_MARKDOWN,
        security=identifiers,
    )(made.provision)
    server.resource(
        CONTENTS,
        name="contents",
        title="A work's table of contents",
        description="Numbers, titles and first words of a work, or of a part of it, on a date.",
        mime_type=_MARKDOWN,
        security=identifiers,
    )(made.contents)
    server.resource(
        LIBRARY,
        name="library",
        title="What the library holds",
        description="Jurisdictions, how many works of each, and to which day they are known.",
        mime_type=_MARKDOWN,
    )(made.library)


class Resources:
    """Texts that can be read and checked."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def provision(self, id: str, as_of: str = "", language: str = "") -> str:
        """A provision on a date."""
        day = self._reading.day(as_of)
        shown = await self._reading.read_resource(
            lambda library: library.show(id, as_of=day, language=language or None)
        )
        one = results.provision_result(shown, day)
        since = "not known" if one.valid_from in (None, NOT_YET) else one.valid_from
        dates = f"in force from {since}, until {one.valid_to or 'no end known'}"
        dates = one.notice.rstrip(".") if one.notice else dates
        facts = f"{one.provision}; as of {one.as_of}; {dates}; {one.language}"
        head = f"# {flat(one.citation)}\n\n{facts}\n{one.url}"
        caveats = "".join(f"\n> {flat(caveat.message)}" for caveat in one.caveats)
        return f"{head}\n{caveats}\n\n{as_words(one.text)}\n"

    async def contents(self, id: str, as_of: str = "", language: str = "") -> str:
        """A work, or a part of one, as a list of provisions."""
        day = self._reading.day(as_of)

        def look(library: Library) -> tuple[TreeNode, list[str]]:
            return library.tree(id, as_of=day, language=language or None), _caveats(library)

        root, caveats = await self._reading.read_resource(look)
        lines = [f"# {root.id} as of {day.isoformat()}", "", *caveats]
        for depth, node in root.walk():
            line = " ".join(part for part in (node.number, node.title or node.summary) if part)
            lines.append(f"{'  ' * depth}- {flat(line) or node.id.path or node.id} (`{node.id}`)")
        return "\n".join(lines) + "\n"

    async def library(self) -> str:
        """The library's contents."""

        def look(library: Library) -> str:
            works = library.works()
            counted = Counter(work.id.jurisdiction for work in works)
            lines = ["# What this library holds", "", *_caveats(library)]
            for code, count in sorted(counted.items()):
                known = [one.current_to for one in works if one.id.jurisdiction == code and one.current_to]
                until = f", known to {max(known).isoformat()}" if known else ""
                source = f" of {installed()[code].facts.publisher}" if code in installed() else ""
                lines.append(f"- `{code}`: {count:,} works{source}{until}")
            return "\n".join(lines) + "\n"

        return await self._reading.read_resource(look)


def _caveats(library: Library) -> list[str]:
    """Notices about the whole library, for example that it is the sample."""
    found = [f"> {flat(one.message)}" for one in of_library(library.store.facts())]
    return [*found, ""] if found else []
