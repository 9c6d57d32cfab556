"""The Canadian pack: what `pykala.packs.pack.Pack` asks for, each method a call into its own file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, Work
from pykala.packs.canada import citations, grammar, resolution
from pykala.packs.canada.naming import group_works
from pykala.packs.canada.reading import read_item
from pykala.packs.pack import PackFacts, Reading, Snapshot, SourceItem, read_facts
from pykala.packs.sections import sections_below_containers

if TYPE_CHECKING:
    from pykala.fetch.http import Manners, PoliteClient
    from pykala.fetch.laying_out import FoundAct, LaidOut
    from pykala.fetch.mirror import Mirror
    from pykala.fetch.snapshots import Snapshots
    from pykala.packs.canada.live_search import JusticeLawsClient


class CanadaPack:
    """Federal acts and regulations of Canada, in English and French."""

    def __init__(self) -> None:
        self._facts = read_facts("pykala.packs.canada")

    @property
    def facts(self) -> PackFacts:
        """The table of facts from `pack.toml`."""
        return self._facts

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """Group `eng/` and `fra/` files into works, wherever the mirror's folder lies."""
        return group_works(paths)

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one work in the languages at hand."""
        return read_item(item, snapshots, self._facts)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """Find citations in a provision's own text or in a question."""
        return grammar.find_citations(text, context, self._facts.abbreviations, self._facts.asked)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Say where a citation leads."""
        return resolution.resolve(citation, context, self._facts.abbreviations)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation: "Employment Insurance Act, s. 7(2)"."""
        return citations.cite(provision, work, language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """The section's page at Justice Laws."""
        return citations.url(provision, language)

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """Sections, schedules, preambles: what stands below Parts and headings."""
        return sections_below_containers(document)

    def live(
        self,
        client: PoliteClient,
        snapshots: Snapshots,
        *,
        key: str = "",
        order: FetchOrder = EVERYTHING,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Mirror:
        """Justice Laws as it stands online, under the archive's paths."""
        from pykala.packs.canada.live import live_mirror  # httpx is loaded only by those who go online

        return live_mirror(client, snapshots, order=order, progress=progress)

    def open_client(self, manners: Manners) -> JusticeLawsClient:
        """A client that may ask Justice Laws and nobody else."""
        from pykala.packs.canada.live_search import open_client

        return open_client(manners)

    def find_acts(
        self, client: JusticeLawsClient, words: str, *, year: int | None, limit: int
    ) -> Sequence[FoundAct]:
        """Acts and regulations by words of their title."""
        from pykala.packs.canada.live_search import find_acts

        return find_acts(client, words, year=year, limit=limit)

    def fetch_acts(
        self,
        client: JusticeLawsClient,
        numbers: Sequence[str],
        folder: Path,
        snapshots: Snapshots,
        *,
        progress: Callable[[int, int], None],
    ) -> LaidOut:
        """Fetch acts and regulations into a folder laid out as the archive is."""
        from pykala.packs.canada.live_search import fetch_acts

        return fetch_acts(client, numbers, folder, progress=progress)
