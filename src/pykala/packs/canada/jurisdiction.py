"""The Canadian pack: the methods of `pykala.packs.pack.Pack`, each a call into its own file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Work
from pykala.packs.canada import citations, grammar, resolution
from pykala.packs.canada.naming import group_works
from pykala.packs.pack import OnlinePack, Reading, Snapshot, SourceItem

if TYPE_CHECKING:
    from pykala.fetch.mirror import Mirror


class CanadaPack(OnlinePack):
    """Federal acts and regulations of Canada, in English and French."""

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """Group `eng/` and `fra/` files into works, wherever the mirror's folder is."""
        return group_works(paths)

    def survey(self, source: Mirror, workers: int = 1) -> Iterator[SourceItem]:
        """Group the files of a mirror, and note from which day an amendment that waits applies."""
        from pykala.packs.canada.survey import survey  # import readers only when something is read

        return survey(source)

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one work in the languages at hand."""
        from pykala.packs.canada.reading import read_item  # import readers only when something is read

        return read_item(item, snapshots, self.facts)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """Find citations in a provision's own text or in a question."""
        return grammar.find_citations(text, context, self.facts.abbreviations, self.facts.asked)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Find the target of a citation."""
        return resolution.resolve(citation, context, self.facts.abbreviations)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation: "Employment Insurance Act, s. 7(2)"."""
        return citations.cite(provision, work, language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """The section's page at Justice Laws."""
        return citations.url(provision, language)
