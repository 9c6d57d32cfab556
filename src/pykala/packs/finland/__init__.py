"""Finland: statutes (Finlex), rulings (KHO, KVL) and guidance (Vero)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, ProvisionKind, Work
from pykala.packs.finland.addresses import official_address
from pykala.packs.finland.citations import grammar
from pykala.packs.finland.pages.citing import cite
from pykala.packs.pack import OnlinePack, Reading, Snapshot, SourceItem
from pykala.packs.sections import sections_below_containers

if TYPE_CHECKING:  # reading files needs no network code
    from pykala.fetch.mirror import Mirror

_IN_SECTIONS = ("fi:act:", "fi:statute:", "fi:treaty:")
_BARE_NUMBER = re.compile(r"\d{1,5}/\d{4} ?(?:\d|$)")
_ACT = "laki "
_HEADED = {ProvisionKind.SECTION, ProvisionKind.REASONS}


class FinlandPack(OnlinePack):
    """Finnish law, behind the Pack protocol."""

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """Statutes by year and number, as far as their paths show; then treaties, rulings, guidance."""
        from pykala.packs.finland.reading import group_works  # import readers only when something is read

        return group_works(paths)

    def survey(self, source: Mirror, workers: int = 1) -> Iterator[SourceItem]:
        """Statutes with all their sources and the acts that amend them; then all else."""
        from pykala.packs.finland.reading import survey

        return survey(source, workers)

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one item with the reader of its source."""
        from pykala.packs.finland.reading import read_item

        return read_item(item, snapshots, self.facts)

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """Find citations in Finnish, Swedish and English text."""
        if context.provision is None and _BARE_NUMBER.match(text):
            # People who ask for "1551/1995 2 §" leave out the word that statutes always write.
            found = grammar.find_citations(_ACT + text, context)
            return [_moved_back(one, text) for one in found]
        return grammar.find_citations(text, context)

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Find the target of a citation."""
        return grammar.resolve(citation, context, self.facts.abbreviations)

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation: "TVL 124 § 2 mom."."""
        return cite(provision, work, language)

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """The official address; a page of vero.fi by the address it was read from, where that is known."""
        known = next((alias for alias in work.aliases if alias.startswith("https://www.vero.fi/")), "")
        return known or official_address(provision, language)

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """Sections of acts; of pages, each heading with the text directly under it."""
        if document.work.value.startswith(_IN_SECTIONS) or _is_decision(document):
            for ancestors, section in sections_below_containers(document):
                # New words of an amending act are found in the amended act, with the law in force.
                if section.kind is not ProvisionKind.AMENDMENT:
                    yield ancestors, section
        else:
            yield from _headed_sections((), document.root)


def _moved_back(citation: FoundCitation, text: str) -> FoundCitation:
    start, end = (max(0, at - len(_ACT)) for at in (citation.start, citation.end))
    return replace(citation, start=start, end=end, text=text[start:end])


def _is_decision(document: Document) -> bool:
    """Whether it is a decision written in sections, like a decree; guidance has headings instead."""
    from pykala.packs.finland.pages.guidance import is_decision

    return any(is_decision(form.path) for form in document.manifestations) and any(
        provision.label.endswith("§") for provision in document.root.walk()
    )


def _headed_sections(
    ancestors: tuple[Provision, ...], provision: Provision
) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
    inner = [child for child in provision.children if child.kind in _HEADED]
    own = tuple(child for child in provision.children if child.kind not in _HEADED)
    if provision.kind is ProvisionKind.WORK:
        # A headnote or the labelled lines of a page stand for themselves.
        yield from (((provision,), child) for child in own)
    elif own or not inner:
        yield ancestors, replace(provision, children=own)
    for child in inner:
        yield from _headed_sections((*ancestors, provision), child)


pack = FinlandPack()
