"""A pack in a fifth language: two short acts of our own writing, and the German that it brings with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from making import document, section
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Provision, Version, Work, WorkKind
from pykala.law.validity import Validity
from pykala.packs.pack import Reading, Snapshot, SourceItem, read_facts
from pykala.packs.sections import sections_below_containers

_CITATION = re.compile(r"§ (\d+)(?: (?:der|des) (Mietordnung|Hundesteuergesetz(?:es)?))?")
_ACTS = {"Mietordnung": "de:act:1", "Hundesteuergesetz": "de:act:2", "Hundesteuergesetzes": "de:act:2"}


class GermanPack:
    facts = read_facts("german_pack")

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        for path in sorted(paths):
            if path.endswith(".txt"):
                yield SourceItem(f"de:act:{path.removesuffix('.txt')}", (path,))

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        work = WorkId(item.name)
        title, *lines = snapshots[0].data.decode("utf-8").splitlines()
        sections = [_section(work, str(number), line) for number, line in enumerate(lines, start=1)]
        read = document(work, "de", sections, title)
        return Reading(Work(work, WorkKind.ACT, 100, titles=(("de", title),)), (read,))

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        return [
            FoundCitation(found.start(), found.end(), found[0], found[2] or "", (Step("sec", found[1]),))
            for found in _CITATION.finditer(text)
        ]

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        if citation.work_name:
            return [ResolvedCitation(target=ProvisionId(WorkId(_ACTS[citation.work_name]), citation.steps))]
        if context.provision is None:
            return []
        return [ResolvedCitation(target=ProvisionId(context.provision.work, citation.steps))]

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        number = provision.step("sec")
        return f"§ {number} {work.title(language)}" if number else work.title(language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        return f"https://amtsblatt.example/{work.id.value}#{provision.step('sec') or ''}"

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        return sections_below_containers(document)


def _section(work: WorkId, number: str, line: str) -> Provision:
    """A section: its heading and its text, or the day of a change and the texts before and after it."""
    heading, _, text = line.partition(": ")
    if not text.startswith("|"):
        return section(work, number, text, heading=heading)
    changed, before, after = (part.strip() for part in text.strip("| ").split("|"))
    day = date.fromisoformat(changed)
    unknown = Message.of("de.beginn_unbekannt", tag=day)
    versions = (
        Version(before, Validity(None, day), heading=heading, findings=(unknown,)),
        Version(after, Validity(day, None), heading=heading),
    )
    return section(work, number, versions=versions)


pack = GermanPack()
