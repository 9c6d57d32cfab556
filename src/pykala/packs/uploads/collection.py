"""The pack of uploads: the methods of `pykala.packs.pack.Pack`, each a call into its own file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, Work
from pykala.packs.pack import PackFromTable, Reading, Snapshot, SourceItem

from . import citing, outline

_UNSEEN = (".", "~$")  # .DS_Store, and Word's lock file beside an open document


class UploadsPack(PackFromTable):
    """Documents that a user adds: contracts, memoranda, drafts."""

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """One item per file, in order of path; hidden files are left out."""
        for path in sorted(paths):
            if not any(step.startswith(_UNSEEN) for step in path.split("/")):
                yield SourceItem(f"up:{path}", (path,))

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one file, by its content."""
        from .reading import read_file  # with the readers of five formats, of which a question needs none

        return read_file(snapshots[0], self.facts)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """References inside one document."""
        return citing.find_citations(text, context)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Find the target of a reference."""
        return citing.resolve(citation, context)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation, always marked: "Upload “contract.pdf”, § 3"."""
        return citing.cite(provision, work, language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """Empty: an upload has no public address."""
        return ""

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """Each headed or numbered place, with the text directly under it."""
        return iter(outline.sections(document.root))
