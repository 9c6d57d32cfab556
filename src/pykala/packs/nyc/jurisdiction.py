"""The pack of New York City: the methods of `pykala.packs.pack.Pack`, each a call into its own file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Work
from pykala.packs.nyc import citing, grammar, resolution
from pykala.packs.nyc.naming import group_works
from pykala.packs.pack import PackFromTable, Reading, Snapshot, SourceItem

if TYPE_CHECKING:  # reading files needs no network code
    from pykala.fetch.http import PoliteClient
    from pykala.fetch.mirror import Mirror
    from pykala.fetch.snapshots import Snapshots


class NewYorkCityPack(PackFromTable):
    """Title 11 of the Administrative Code."""

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """The files of the title, plain text or JSON, as one item."""
        return group_works(paths)

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read the title from the files at hand."""
        from pykala.packs.nyc.reading import read_item  # import readers only when something is read

        return read_item(item, snapshots, self.facts)

    def live(
        self,
        client: PoliteClient,
        snapshots: Snapshots,
        *,
        key: str = "",
        order: FetchOrder = EVERYTHING,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Mirror:
        """The title as the State Senate's Open Legislation has it; it needs a key."""
        from pykala.packs.nyc.live import live_mirror  # httpx is loaded only by those who go online

        return live_mirror(client, snapshots, key, order=order, progress=progress)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """Find citations in a provision's own text or in a question."""
        return grammar.find_citations(text, context)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Find the target of a citation."""
        return resolution.resolve(citation, context)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation: "NYC Admin. Code § 11-503(a)(1)"."""
        return citing.cite(provision)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """The section's page at the State Senate."""
        return citing.url(provision)
