"""Build one act from all its sources: the best text of each language, with its amendments applied.

The order of preference is that of trust: Finlex's own consolidated text; the dated versions of Semantic
Finlex, updated with the amending acts that came after; the momentti files; the act as the Statute Book
printed it; a web page. Sources that were not chosen are recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, Manifestation, Provision, ProvisionKind, Version, Work
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.amendments.amending import PlayedForward, play_forward, references_of
from pykala.packs.finland.amendments.amending_entry import commencements_told, recommenced
from pykala.packs.finland.amendments.enabling import with_ended_act
from pykala.packs.finland.amendments.givings import Givings
from pykala.packs.finland.amendments.named_amendments import with_missing_lists
from pykala.packs.finland.amendments.original_days import with_applied_days
from pykala.packs.finland.amendments.passed_over import redated, renewed
from pykala.packs.finland.amendments.past_wordings import with_past_wordings
from pykala.packs.finland.amendments.repeals import places_repealed, repealed_but, repeals_of
from pykala.packs.finland.amendments.unapplied import with_named_amendments
from pykala.packs.finland.commencement import interval
from pykala.packs.finland.consolidated.leftovers import with_ended_lists, without_leftovers
from pykala.packs.finland.consolidated.momentti import MomenttiFiles, read_momentti
from pykala.packs.finland.consolidated.reading import ConsolidatedFiles, read_consolidated
from pykala.packs.finland.lifetimes import begun, begun_and_ended, begun_like, ended_like, within_its_act
from pykala.packs.finland.pages.page_facts import amended_name, is_statute_page
from pykala.packs.finland.pages.statute_pages import read_statute_page
from pykala.packs.finland.periods import ended_by_title
from pykala.packs.finland.statutes.act_facts import ActFacts, work_of
from pykala.packs.finland.statutes.akoma_ntoso import StatuteFiles, read_statute
from pykala.packs.finland.statutes.definitions import terms_of
from pykala.packs.finland.statutes.language_pairs import pair_languages
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.finland.survey import ALL_FROM, AMENDS, CHANGES, order_of
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem
from pykala.versions.operations import Repeal
from pykala.versions.play import play

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
UNKNOWN_AGE = "known only as it was printed: acts before 2018 that changed or repealed it may be missing"
_GIVEN = {
    ProvisionKind.PART,
    ProvisionKind.CHAPTER,
    ProvisionKind.HEADING,
    ProvisionKind.SECTION,
    ProvisionKind.SUBSECTION,
    ProvisionKind.ANNEX,
    ProvisionKind.TABLE,
}


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
        """How far down it stands in the order of preference."""
        return _PREFERENCE.get(self.document.manifestations[0].format, _LAST)

    @property
    def is_consolidated(self) -> bool:
        """Whether its publisher put later amendments into the text."""
        return self.rank <= _CONSOLIDATED_RANK


def read_act(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one act from all its files."""
    notes = dict(item.notes)
    expected = WorkId(f"fi:{item.name}")
    own = [one for one in snapshots if not notes.get(one.path, "").startswith(AMENDS)]
    amending = [one for one in snapshots if notes.get(one.path, "").startswith(AMENDS)]
    refusals: list[Refusal] = []
    sources = list(_sources(expected, own, notes, facts, refusals))
    if not sources:
        return Reading(None, refusals=tuple(refusals))
    chosen = {language: _as_applied(source) for language, source in _best(sources).items()}
    acts = list(_amending_documents(amending, notes, facts))
    languages = [language for language in facts.languages if language in chosen]
    documents = [
        _renamed(_brought_forward(chosen[language], acts, _printed(sources, language)))
        for language in languages
    ]
    documents = _honest_about_age(documents)
    documents = [_finished(document, sources) for document in documents]
    if not any(amended_name(document.title) for document in documents):
        documents = [ended_by_title(document) for document in documents]
    documents = [replace(one, root=ended_like(one.root, documents[0].root)) for one in documents]
    documents = [replace(one, root=with_ended_lists(within_its_act(one.root))) for one in documents]
    documents = [
        replace(one, root=without_leftovers(one.root)) if chosen[one.language].is_consolidated else one
        for one in documents
    ]
    if any(CHANGES in notes.get(one.path, "") for one in own):
        documents = [replace(one, root=_given_to_others(one.root)) for one in documents]
    elif not any(_is_kept_up(source) for source in chosen.values()):
        documents = [replace(one, root=_of_unknown_age(one.root)) for one in documents]
    documents = [replace(one, root=with_missing_lists(one.root)) for one in documents]
    documents = [with_ended_act(one, [notes.get(file.path, "") for file in own]) for one in documents]
    work = _joined_work([*chosen.values(), *sources], documents)
    return Reading(work, tuple(documents), tuple(pair_languages(documents)), tuple(refusals))


def read_unnumbered(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read a statute without a known number, from the first readable copy."""
    refusals: list[Refusal] = []
    for at, snapshot in enumerate(snapshots):
        reading = read_statute_page(snapshot, facts, WorkId(f"fi:{item.name}"))
        if reading.work is not None:
            copies = tuple(_manifestation(one, "a copy of the same page") for one in snapshots[at + 1 :])
            documents = tuple(
                replace(
                    one,
                    manifestations=(*one.manifestations, *copies),
                    references=references_of(one),
                    # Half of such pages amend an act; later acts have long since replaced what they gave it.
                    root=_given_to_others(one.root)
                    if amended_name(one.title)
                    else with_missing_lists(_of_unknown_age(ended_by_title(one).root)),
                )
                for one in reading.documents
            )
            work = replace(reading.work, validity=_work_validity(reading.work.validity, documents))
            return replace(reading, work=work, documents=documents, refusals=tuple(refusals))
        refusals += reading.refusals
    return Reading(None, refusals=tuple(refusals))


def _manifestation(snapshot: Snapshot, note: str) -> Manifestation:
    return Manifestation(
        snapshot.path, snapshot.sha256, "finlex-page", snapshot.url, snapshot.retrieved_at, (note,)
    )


# The sources of a text ---------------------------------------------------------------------------


def _sources(
    work: WorkId,
    snapshots: Sequence[Snapshot],
    notes: Mapping[str, str],
    facts: PackFacts,
    refusals: list[Refusal],
) -> Iterator[Source]:
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


def _best(sources: Iterable[Source]) -> dict[str, Source]:
    chosen: dict[str, Source] = {}
    for source in sources:
        language = source.document.language
        if language not in chosen or source.rank < chosen[language].rank:
            chosen[language] = source
    return chosen


def _as_applied(source: Source) -> Source:
    """An original act, dated by its application; a consolidated act has its source's own dates."""
    if source.is_consolidated:
        return source
    return replace(source, document=with_applied_days(source.document))


# Amendments --------------------------------------------------------------------------------------


def _amending_documents(
    snapshots: Sequence[Snapshot], notes: Mapping[str, str], facts: PackFacts
) -> Iterator[Document]:
    """The amending acts, each once per language: from the Statute Book if possible, else from a page."""
    by_act: dict[WorkId, list[Snapshot]] = {}
    for snapshot in snapshots:
        number = notes[snapshot.path].removeprefix(f"{AMENDS} as ").partition(";")[0]
        by_act.setdefault(WorkId(f"fi:{number}" if ":" in number else f"fi:act:{number}"), []).append(
            snapshot
        )
    for work in sorted(by_act, key=_given):
        seen: set[str] = set()
        for reading in _whole_readings(work, by_act[work], notes, facts):
            for document in reading.documents:
                if document.language not in seen:
                    seen.add(document.language)
                    yield document
        for snapshot in by_act[work]:
            if ConsolidatedFiles.act_of(snapshot.path):
                with suppress(RefusedFile):
                    yield read_consolidated(snapshot, facts)[0]


def _brought_forward(source: Source, acts: Sequence[Document], printed: Document | None = None) -> Document:
    later = [act for act in acts if act.language == source.document.language and _is_later(act, source)]
    if not acts:
        return source.document
    told = with_named_amendments(_begun_as_told(source.document, acts), acts)
    if source.is_consolidated:
        passed = {act.work for act in later}
        ours = recommenced([act for act in acts if act.language == source.document.language])
        earlier = [act for act in ours if act.work not in passed]
        told = _of_its_time(told, earlier, printed, source.held)
    played: PlayedForward = play_forward(told, later, source.held)
    # The Finnish text says clearly whether the whole act is repealed, and counts for every language.
    work = source.document.work
    repeals = [
        Repeal(target=place, source_act=act.work, validity=Validity(_in_force(act).start))
        for act in acts
        # If the day is unknown, nothing has ended yet.
        if _in_force(act).start and not _in_force(act).is_pending and _is_later(act, source)
        for place in _repealed_by(act, work)
    ]
    repeals += [repeal for act in acts if _is_later(act, source) for repeal in _all_but(act, played.document)]
    if not repeals:
        return played.document
    days = [one.validity.start for one in repeals if one.target == ProvisionId(work) and one.validity.start]
    document = play(played.document, repeals).document
    return replace(document, root=begun_and_ended(document.root, min(days))) if days else document


def _of_its_time(
    document: Document, acts: Sequence[Document], printed: Document | None, named: Collection[WorkId]
) -> Document:
    """A consolidated document with the wordings of acts that its source names and passes over."""
    givings = Givings.of(document, acts, printed)
    document = renewed(redated(document, givings), acts, givings, named)
    return with_past_wordings(document, givings, named, {act.work for act in acts})


def _printed(sources: Sequence[Source], language: str) -> Document | None:
    """The act in a language as it was first printed, if that is held; a page may have a later state."""
    held = (one.document for one in sources if one.document.language == language)
    return next((one for one in held if one.manifestations[0].format in _AS_PRINTED), None)


def _renamed(document: Document) -> Document:
    """An act under the name that an amendment gave it; the older one is among its aliases."""
    names = [one.heading for one in document.root.versions if one.heading and not one.validity.is_pending]
    return replace(document, title=names[-1]) if len(names) > 1 else document


def _begun_as_told(document: Document, acts: Sequence[Document]) -> Document:
    """An act without a day of its own, from the day on which another statute brings it into force."""
    told = [one for act in acts for one in commencements_told(act) if one.act == document.work]
    days = [one.start for one in told if not one.places]
    return replace(document, root=begun(document.root, min(days))) if days else document


def _all_but(act: Document, document: Document) -> Iterator[Repeal]:
    """Section by section, where an act repeals another but for some places."""
    start = _in_force(act).start
    for told in repealed_but(act, document.work) if start and not _in_force(act).is_pending else ():
        if told.until is not None:
            whole = ProvisionId(document.work)
            yield Repeal(target=whole, source_act=act.work, validity=Validity(told.until))
        for node in document.root.walk() if told.kept else ():
            if node.kind is ProvisionKind.SECTION and not told.keeps(node.id.path):
                yield Repeal(target=node.id, source_act=act.work, validity=Validity(start))


def _repealed_by(act: Document, work: WorkId) -> list[ProvisionId]:
    """What of a work an act repeals in a section of its own: all of it, or some places."""
    whole = [one.target for one in repeals_of(act) if one.target == ProvisionId(work)]
    return [ProvisionId(work)] if whole else list(places_repealed(act, work))


def _is_kept_up(source: Source) -> bool:
    """Whether the later history of a text is known: consolidated, or printed when all later acts are held."""
    return source.is_consolidated or order_of(_number(source.document.work))[0] >= ALL_FROM


def _of_unknown_age(provision: Provision) -> Provision:
    """A text as first printed, whose later history is unknown here."""
    return replace(
        provision,
        versions=tuple(
            replace(one, findings=(*one.findings, UNKNOWN_AGE)) if one.validity.end is None else one
            for one in provision.versions
        ),
        children=tuple(map(_of_unknown_age, provision.children)),
    )


def _given_to_others(root: Provision) -> Provision:
    """An amending act whose words are in the acts that it changes: they are law there, and a record here."""
    return replace(
        root,
        children=tuple(
            replace(child, kind=ProvisionKind.AMENDMENT) if child.kind in _GIVEN else child
            for child in root.children
        ),
    )


def _is_later(act: Document, source: Source) -> bool:
    """Whether an amending act is one that the text does not have yet."""
    if act.work in source.held or source.rank == 0:
        return False
    if not _is_numbered(act.work) and source.is_consolidated:
        start = _in_force(act).start
        return start is not None and source.state is not None and start > source.state
    if source.last is not None and _is_numbered(act.work):
        return order_of(_number(act.work)) > order_of(_number(source.last))
    if source.state is None:
        return True
    start = _in_force(act).start
    return start is None or start > source.state


def _number(work: WorkId) -> str:
    return work.value.removeprefix("fi:act:")


def _is_numbered(work: WorkId) -> bool:
    return work.value.startswith("fi:act:")


def _given(work: WorkId) -> tuple[int, int, str]:
    """The order in which acts were given; those without a number come first."""
    return order_of(_number(work)) if _is_numbered(work) else (0, 0, work.value)


def _in_force(act: Document) -> Validity:
    return act.root.versions[0].validity if act.root.versions else ALWAYS


def _honest_about_age(documents: Sequence[Document]) -> list[Document]:
    """The first language is the best known; where another lacks one of its changes, its text ends there.

    A Swedish text as first printed is no longer law after the Finnish text was amended.
    """
    if len(documents) < 2:
        return list(documents)
    first, *others = documents
    chains = {provision.id: provision.versions for provision in first.root.walk()}
    begun_too = [begun_like(one.root, first.root) for one in others]
    return [
        first,
        *(replace(one, root=_ended(root, chains)) for one, root in zip(others, begun_too, strict=True)),
    ]


def _ended(provision: Provision, chains: Mapping[ProvisionId, tuple[Version, ...]]) -> Provision:
    theirs = chains.get(provision.id, ())
    changes = [
        later.validity.start
        for earlier, later in pairwise(theirs)
        if later.validity.start and (earlier.text, earlier.heading) != (later.text, later.heading)
    ]
    # A text that a consolidation reprints was changed before, at the latest on its first day there.
    if theirs and theirs[0].source_act is not None and theirs[0].validity.start:
        changes.insert(0, theirs[0].validity.start)
    if theirs and theirs[-1].validity.end:
        changes.append(theirs[-1].validity.end)
    own = {version.validity.start for version in provision.versions}
    missed = [day for day in changes if day not in own]
    versions = tuple(kept for version in provision.versions if (kept := _until_missed(version, missed)))
    return replace(
        provision,
        versions=versions,
        children=tuple(_ended(child, chains) for child in provision.children),
    )


def _until_missed(version: Version, missed: Sequence[date]) -> Version | None:
    start, end = version.validity.start, version.validity.end
    day = next((day for day in missed if (start is None or day > start) and (end is None or day < end)), None)
    if day is None:
        return version
    return replace(version, validity=Validity(start, day))


# The whole ---------------------------------------------------------------------------------------


def _finished(document: Document, sources: Sequence[Source]) -> Document:
    """A document with data from other sources: where else its text was, names of places, its definitions."""
    others = [one.document for one in sources if one.document.language == document.language]
    best = document.manifestations[0].path
    rest = tuple(
        replace(form, notes=(*form.notes, f"not chosen: {best} is the better text"))
        for other in others
        for form in other.manifestations
        if form.path != best
    )
    known = {provision.id for provision in document.root.walk()}
    places = tuple((name, place) for other in others for name, place in other.places if place in known)
    return replace(
        document,
        manifestations=tuple(dict.fromkeys((*document.manifestations, *rest))),
        places=places or document.places,
        references=(*document.references, *references_of(document), *repeals_of(document)),
        terms=document.terms or terms_of(document),
        short_title=document.short_title or next((one.short_title for one in others if one.short_title), ""),
    )


def _joined_work(sources: Sequence[Source], documents: Sequence[Document]) -> Work:
    """The best source's facts, under every name that any source gives."""
    first = sources[0].work
    works = [source.work for source in sources]
    titles = {document.language: document.title for document in documents}
    former = [name for work in works for _, name in work.titles if name not in titles.values()]
    short = {language: name for work in reversed(works) for language, name in work.short_titles}
    return replace(
        first,
        titles=tuple(titles.items()),
        short_titles=tuple(short.items()),
        aliases=tuple(dict.fromkeys((*(alias for work in works for alias in work.aliases), *former))),
        issued=next((work.issued for work in works if work.issued), None),
        validity=_work_validity(
            next((work.validity for work in works if work.validity != ALWAYS), ALWAYS), documents
        ),
    )


def _work_validity(told: Validity, documents: Sequence[Document]) -> Validity:
    """The dates of a work as a source states them, up to its end if the first language's text has ended."""
    versions = documents[0].root.versions if documents else ()
    if not versions:
        return told
    last = versions[-1]
    if told.is_pending and not last.validity.is_pending and last.validity.start is not None:
        told = Validity(last.validity.start)  # another statute named the day
    end = last.validity.start if last.event is Event.REPEALED else last.validity.end
    # An act for a time may be repealed before its time is over.
    start = None if told.is_pending and end is not None else told.start
    return interval(start, min((day for day in (told.end, end) if day is not None), default=None))
