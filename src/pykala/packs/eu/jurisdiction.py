"""The pack of the European Union: the methods of the `Pack` protocol, each a call into its own file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, Work
from pykala.packs.pack import PackFromTable, Reading, Snapshot, SourceItem

from . import citing, grammar, resolution
from .anchors import sections
from .source_files import group_works

if TYPE_CHECKING:  # reading files needs no network code
    from pykala.fetch.http import Manners, PoliteClient
    from pykala.fetch.mirror import Mirror
    from pykala.fetch.snapshots import Snapshots

    from .cellar import CellarClient
    from .live import FetchedActs
    from .sparql import FoundAct


class EuropeanUnionPack(PackFromTable):
    """Treaties, regulations, directives and decisions of the Union, in English and French."""

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """Group the files of a mirror: all states, languages and corrigenda of an act are one item."""
        return group_works(paths)

    def survey(self, source: Mirror, workers: int = 1) -> Iterator[SourceItem]:
        """Group the files of a mirror, and note for each act which other act repeals it."""
        from .acts import read_act  # import readers only when something is read
        from .survey import survey

        return survey(source, self.facts, read_act)

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one work in all its states."""
        from .acts import read_act

        return read_act(item, snapshots, self.facts)

    def live(
        self,
        client: PoliteClient,
        snapshots: Snapshots,
        *,
        key: str = "",
        order: FetchOrder = EVERYTHING,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Mirror:
        """Regulations and directives in force, as adopted and as last consolidated."""
        from .live_listing import live_mirror

        return live_mirror(client, snapshots, order=order, progress=progress)

    def open_client(self, manners: Manners) -> CellarClient:
        """A client that may contact only the Publications Office."""
        from .live import open_client  # httpx is loaded only by those who go online

        return open_client(manners)

    def find_acts(
        self, client: CellarClient, words: str, *, year: int | None, limit: int
    ) -> Sequence[FoundAct]:
        """Acts by words of their title, the newest first."""
        from .sparql import find_acts

        return find_acts(client, words, year=year, limit=limit)

    def fetch_acts(
        self,
        client: CellarClient,
        numbers: Sequence[str],
        folder: Path,
        snapshots: Snapshots,
        *,
        progress: Callable[[int, int], None],
    ) -> FetchedActs:
        """Fetch acts, as adopted and as last consolidated, into a folder laid out as the archive is."""
        from .live import fetch_acts

        return fetch_acts(client, numbers, folder, snapshots, progress=progress)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """Find citations in a provision's own text or in a question."""
        return grammar.find_citations(text, context, self.facts.abbreviations, self.facts.asked)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Find the target of a citation."""
        return resolution.resolve(citation, context, self.facts.abbreviations)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation: "Directive 2006/112/EC, Article 98(2)"."""
        return citing.cite(provision, work, language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """The act at EUR-Lex, in its consolidated state of the day."""
        return citing.url(provision, work, language, as_of)

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """Articles, recitals, annexes by their parts: what passages are anchored to."""
        return sections(document)
