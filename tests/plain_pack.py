"""A whole jurisdiction in one screen: text files, a section a line. Ingest and kills are tested with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from making import document, section
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Document, Provision, Work, WorkKind
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem
from pykala.packs.sections import sections_below_containers

_CITATION = re.compile(r"§ (\d+)(?: of act (\d+))?")


class PlainPack:
    facts = PackFacts(
        package="plain_pack",
        code="xx",
        version="1",
        names={"en": ("Plainland",)},
        languages=("en",),
        default_language="en",
        publisher="Plainland Gazette",
        publishers={},
        authority={"act": 100},
        authority_reasons={"act": "there is nothing else"},
        exception_cues={"en": ("despite",)},
        yielding_cues={"en": ("subject to",)},
    )

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        for path in sorted(paths):
            if path.endswith(".txt"):
                yield SourceItem(f"xx:act:{path.removesuffix('.txt')}", (path,))

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        try:
            text = snapshots[0].data.decode("utf-8")
        except UnicodeDecodeError:
            return Reading(None, refusals=(Refusal(snapshots[0].path, "the file is not UTF-8"),))
        if not text.strip():
            return Reading(None, refusals=(Refusal(snapshots[0].path, "the file is empty"),))
        work = WorkId(item.name)
        title, *lines = text.splitlines()
        sections = [section(work, str(n), line) for n, line in enumerate(lines, start=1)]
        read = document(work, "en", sections, title)
        return Reading(Work(work, WorkKind.ACT, 100, titles=(("en", title),)), (read,))

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        return [
            FoundCitation(m.start(), m.end(), m[0], m[2] or "", (Step("sec", m[1]),))
            for m in _CITATION.finditer(text)
        ]

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        if citation.work_name:
            work = WorkId(f"xx:act:{citation.work_name}")
        elif context.provision:
            work = context.provision.work
        else:
            return []
        return [ResolvedCitation(target=ProvisionId(work, citation.steps))]

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        number = provision.step("sec")
        return f"{work.title(language)}, § {number}" if number else work.title(language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        return f"https://gazette.example/{work.id.value}#{provision.step('sec') or ''}"

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        return sections_below_containers(document)


pack = PlainPack()
