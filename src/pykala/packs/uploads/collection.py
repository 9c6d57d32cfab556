"""The pack of uploads: what `pykala.packs.pack.Pack` asks for, each method a call into its own file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, Work
from pykala.packs.pack import PackFromTable, Reading, Snapshot, SourceItem

from . import citing, outline
from .reading import read_file

_UNSEEN = (".", "~$")  # .DS_Store, and the lock that Word lays beside an open file


class UploadsPack(PackFromTable):
    """Documents that a user brings along: contracts, memoranda, drafts."""

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """One item a file, in order of path; hidden files are left out."""
        for path in sorted(paths):
            if not any(step.startswith(_UNSEEN) for step in path.split("/")):
                yield SourceItem(f"up:{path}", (path,))

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one file by what it holds."""
        return read_file(snapshots[0], self.facts)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """References inside one document."""
        return citing.find_citations(text, context)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Say where a reference leads."""
        return citing.resolve(citation, context)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation, always marked: "Upload “contract.pdf”, § 3"."""
        return citing.cite(provision, work, language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """Nowhere: an upload has no public address."""
        return ""

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """Each heading or number with what stands under it and under no other."""
        return iter(outline.sections(document.root))
