"""Which sources have the text of an act, and which of them is the best in each language.

The order of preference is that of trust: Finlex's own consolidated text; the dated versions of Semantic
Finlex; the momentti files; the act as the Statute Book printed it; a web page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Work
from pykala.packs.finland.act_numbers import act_number
from pykala.packs.finland.amendments.original_days import with_applied_days
from pykala.packs.finland.consolidated.momentti import MomenttiFiles, read_momentti
from pykala.packs.finland.consolidated.reading import ConsolidatedFiles, read_consolidated
from pykala.packs.finland.lifetimes import begun_at_first
from pykala.packs.finland.pages.page_facts import is_statute_page
from pykala.packs.finland.pages.statute_pages import read_statute_page
from pykala.packs.finland.statutes.act_facts import ActFacts, work_of
from pykala.packs.finland.statutes.akoma_ntoso import StatuteFiles, read_statute
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.finland.survey import ALL_FROM, AMENDS, order_of
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

#: The text with the lowest rank is chosen; among equals, the first one read.
_PREFERENCE = {
    "akoma-ntoso/statute-consolidated": 0,
    "semantic-finlex": 1,
    "momentti": 2,
    "akoma-ntoso/statute-translated": 2,
    "statute-xml": 3,
    "akoma-ntoso/statute": 4,
}
_LAST = 9
_AS_PRINTED = {"statute-xml", "akoma-ntoso/statute", "html/statute"}
_CONSOLIDATED_RANK = 2


@dataclass(frozen=True, slots=True)
class Source:
    """One source's text of an act in one language, and what it says about the act."""

    document: Document
    work: Work
    state: date | None = None  # up to when amendments are in the text
    last: WorkId | None = None  # the newest act that is in the text
    held: frozenset[WorkId] = frozenset()  # the acts that are in the text

    @property
    def rank(self) -> int:
        """Its place in the order of preference; the lowest is preferred."""
        return _PREFERENCE.get(self.document.manifestations[0].format, _LAST)

    @property
    def is_consolidated(self) -> bool:
        """Whether its publisher put later amendments into the text."""
        return self.rank <= _CONSOLIDATED_RANK


def sources_of(
    work: WorkId,
    snapshots: Sequence[Snapshot],
    notes: Mapping[str, str],
    facts: PackFacts,
    refusals: list[Refusal],
) -> Iterator[Source]:
    """Every source's text of a work; what cannot be read is added to `refusals`."""
    for read in (read_consolidated, read_momentti):
        files = ConsolidatedFiles if read is read_consolidated else MomenttiFiles
        for snapshot in snapshots:
            if files.act_of(snapshot.path):
                try:
                    document, told = read(snapshot, facts)
                except RefusedFile as refused:
                    refusals.append(Refusal(snapshot.path, refused.reason))
                else:
                    yield _of_facts(document, told, facts)
    for reading in _whole_readings(work, snapshots, notes, facts):
        refusals += reading.refusals
        if reading.work is not None:
            for document in reading.documents:
                yield Source(document, reading.work)


def _of_facts(document: Document, told: ActFacts, facts: PackFacts) -> Source:
    return Source(document, work_of(told, facts), told.state, told.last_amendment, frozenset(told.amended_by))


def _whole_readings(
    work: WorkId, snapshots: Sequence[Snapshot], notes: Mapping[str, str], facts: PackFacts
) -> Iterator[Reading]:
    """Sources that have all languages at once: Akoma Ntoso, the Statute Book's XML, pages."""
    number = work.value.removeprefix("fi:")
    if printed := [one for one in snapshots if StatuteXmlFiles.act_of(one.path)]:
        yield read_statute_xml(printed, facts)
    if akoma := [one for one in snapshots if StatuteFiles.act_of(one.path)]:
        yield read_statute(SourceItem(number, tuple(one.path for one in akoma)), akoma, facts)
    for page in snapshots:
        if is_statute_page(page.path):
            yield read_statute_page(page, facts, work, notes.get(page.path, ""))


def best(sources: Iterable[Source]) -> dict[str, Source]:
    """The best source of each language."""
    chosen: dict[str, Source] = {}
    for source in sources:
        language = source.document.language
        if language not in chosen or source.rank < chosen[language].rank:
            chosen[language] = source
    return chosen


def as_applied(source: Source) -> Source:
    """An original act, dated by its application; a consolidated act has its source's own dates."""
    if source.is_consolidated:
        return source
    return replace(source, document=with_applied_days(source.document))


def begun_elsewhere(source: Source, sources: Iterable[Source]) -> Source:
    """A consolidated text without a first day, from the day that another source of the act knows."""
    root = source.document.root
    if not source.is_consolidated or not root.versions or root.versions[0].validity.start is not None:
        return source
    firsts = [one.document.root.versions[0].validity for one in sources if one.document.root.versions]
    days = [first.start for first in firsts if first.start is not None and not first.is_pending]
    if not days:
        return source
    return replace(source, document=replace(source.document, root=begun_at_first(root, min(days))))


def amending_documents(
    snapshots: Sequence[Snapshot],
    notes: Mapping[str, str],
    facts: PackFacts,
    refusals: list[Refusal],
) -> Iterator[Document]:
    """The amending acts, each once per language: from the Statute Book if possible, else from a page.

    What cannot be read is added to `refusals`: the act without that amendment would be an older law.
    """
    by_act: dict[WorkId, list[Snapshot]] = {}
    for snapshot in snapshots:
        number = notes[snapshot.path].removeprefix(f"{AMENDS} as ").partition(";")[0]
        by_act.setdefault(WorkId(f"fi:{number}" if ":" in number else f"fi:act:{number}"), []).append(
            snapshot
        )
    for work in sorted(by_act, key=_given):
        seen: set[str] = set()
        for reading in _whole_readings(work, by_act[work], notes, facts):
            refusals += reading.refusals
            for document in reading.documents:
                if document.language not in seen:
                    seen.add(document.language)
                    yield document
        for snapshot in by_act[work]:
            if ConsolidatedFiles.act_of(snapshot.path):
                try:
                    yield read_consolidated(snapshot, facts)[0]
                except RefusedFile as refused:
                    refusals.append(Refusal(snapshot.path, refused.reason))


def as_first_printed(sources: Sequence[Source], language: str) -> Document | None:
    """The act in a language as it was first printed, if that is held; a page may have a later state."""
    held = (one.document for one in sources if one.document.language == language)
    return next((one for one in held if one.manifestations[0].format in _AS_PRINTED), None)


def is_kept_up(source: Source) -> bool:
    """Whether the later history of a text is known: consolidated, or printed when all later acts are held."""
    return source.is_consolidated or order_of(act_number(source.document.work))[0] >= ALL_FROM


def is_numbered(work: WorkId) -> bool:
    """Whether the number of a statute is known; a page may have none."""
    return work.value.startswith("fi:act:")


def _given(work: WorkId) -> tuple[int, int, str]:
    """The order in which acts were given; those without a number come first."""
    return order_of(act_number(work)) if is_numbered(work) else (0, 0, work.value)
