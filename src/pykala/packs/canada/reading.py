"""One work from its English and French files: parse, draft, align, assemble, pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from lxml import etree

from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, Manifestation, Pairing, Work, WorkKind
from pykala.law.references import normalise_alias
from pykala.law.validity import Validity
from pykala.packs.canada.alignment import align
from pykala.packs.canada.changes import Change, changed, changes_of, noted_days
from pykala.packs.canada.commencement import Commencement, commenced, is_ahead, read_commencement
from pykala.packs.canada.documents import Assembly
from pykala.packs.canada.drafts import Draft, number_drafts
from pykala.packs.canada.ended import BodySection, ended, is_pending, last_repeal, not_yet
from pykala.packs.canada.identification import Identification, aliases_of
from pykala.packs.canada.naming import language_of
from pykala.packs.canada.pairing import pair_documents
from pykala.packs.canada.standing import LIMS, START, parse_date
from pykala.packs.canada.streaming import (
    STREAMED_FROM,
    DraftedTree,
    draft_streamed,
    draft_tree,
    refuse_other_roots,
)
from pykala.packs.left_out import with_gaps
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

FORMAT = "justice-laws-xml"


@dataclass(frozen=True, slots=True)
class DraftedFile:
    """One file read into drafts."""

    snapshot: Snapshot
    language: str
    head: Identification
    root: etree._Element  # with its attributes; of a streamed file, without its contents
    draft: Draft
    sections: tuple[BodySection, ...]  # of its body


def read_item(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read the files of one work; a bad file becomes a refusal and the other language is read alone."""
    files: dict[str, DraftedFile] = {}
    refusals: list[Refusal] = []
    for snapshot in sorted(snapshots, key=lambda snapshot: (language_of(snapshot.path), snapshot.path)):
        try:
            language = language_of(snapshot.path)
            if language in files:
                raise RefusedFile(snapshot.path, f"{files[language].snapshot.path} is the same work already")
            files[language] = draft_file(snapshot)
        except RefusedFile as refused:
            refusals.append(Refusal(snapshot.path, refused.reason))
    if not files:
        return Reading(None, refusals=tuple(refusals))
    work = WorkId(item.name)
    documents, pairings, told, changes = _assemble(work, files, noted_days(item.notes))
    return Reading(_work(work, files, facts, told, changes), documents, pairings, tuple(refusals))


def commencement_of(item: SourceItem, snapshot: Snapshot) -> Commencement:
    """When an instrument comes into force by its own words. Raises RefusedFile, and nothing else."""
    file = draft_file(snapshot)
    root = Assembly(WorkId(item.name), "en", _observed(file), frozenset()).build(file.draft)
    return read_commencement(root, file.head.issued)


def draft_file(snapshot: Snapshot, *, streamed_from: int = STREAMED_FROM) -> DraftedFile:
    """Parse one file and draft its tree. Raises RefusedFile, and nothing else."""
    language = language_of(snapshot.path)
    try:
        if len(snapshot.data) >= streamed_from:
            return _drafted(snapshot, language, draft_streamed(snapshot.data, snapshot.path, language))
        root = parse_xml(snapshot.data, snapshot.path)
        refuse_other_roots(root, snapshot.path)
        return _drafted(snapshot, language, draft_tree(root, snapshot.path, language))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as fault:
        # Well-formed, but of an unknown shape: refuse it and continue with the other files.
        raise RefusedFile(
            snapshot.path, f"its structure is not understood ({type(fault).__name__}: {fault})"
        ) from fault


def _drafted(snapshot: Snapshot, language: str, drafted: DraftedTree) -> DraftedFile:
    number_drafts(drafted.draft)
    return DraftedFile(snapshot, language, drafted.head, drafted.root, drafted.draft, drafted.sections)


def _assemble(
    work: WorkId, files: dict[str, DraftedFile], days: Mapping[str, date]
) -> tuple[tuple[Document, ...], tuple[Pairing, ...], Commencement, tuple[Change, ...]]:
    if "en" in files and "fr" in files:
        align(files["en"].draft, files["fr"].draft)
    documents: dict[str, Document] = {}
    renamed: set[ProvisionId] = set()
    told: Commencement | None = None  # English comes first, and counts for both languages
    changes: tuple[Change, ...] = ()
    for language, file in files.items():
        observed = _observed(file)
        titles = (file.head.title, file.head.short_title)
        own_names = frozenset(normalise_alias(title) for title in titles if title)
        assembly = Assembly(work, language, observed, own_names)
        root = assembly.build(file.draft)
        if told is None and language == "en":
            changes = changes_of(root, titles, days)
            told = _unless_changed(read_commencement(root, file.head.issued), changes)
        if told is not None:
            root = commenced(root, told, file.head.issued)
        if (day := last_repeal(file.sections) or _buried(file)) is not None:
            root = ended(root, day)
        elif _waits(file, told):
            root = not_yet(root)
        root = with_gaps(changed(root, changes, observed))
        snapshot = file.snapshot
        documents[language] = Document(
            work,
            language,
            file.head.title or file.head.short_title,
            root,
            (Manifestation(snapshot.path, snapshot.sha256, FORMAT, snapshot.url, snapshot.retrieved_at),),
            short_title=file.head.short_title,
            references=tuple(assembly.references),
            terms=tuple(assembly.terms),
        )
        if language == "fr":
            renamed = assembly.renamed
    pairings: tuple[Pairing, ...] = ()
    if len(documents) > 1:
        pairings = tuple(pair_documents(documents["en"], documents["fr"], renamed))
    return tuple(documents.values()), pairings, told or Commencement(), changes


def _unless_changed(told: Commencement, changes: Sequence[Change]) -> Commencement:
    """Without the end of the whole, where an amendment changes the section that tells it: when is unknown."""
    if any(told.told_in in change.places for change in changes):
        return replace(told, ceases=None)
    return told


def _work(
    work: WorkId,
    files: dict[str, DraftedFile],
    facts: PackFacts,
    told: Commencement,
    changes: Sequence[Change],
) -> Work:
    kind = WorkKind.ACT if work.value.startswith("ca:act:") else WorkKind.REGULATION
    heads = [file.head for file in files.values()]
    abbreviations = [name for name, target in facts.abbreviations.items() if target == work.value]
    return Work(
        work,
        kind,
        facts.authority[kind.value],
        titles=tuple((file.language, file.head.title or file.head.short_title) for file in files.values()),
        short_titles=tuple(
            (file.language, file.head.short_title) for file in files.values() if file.head.short_title
        ),
        abbreviations=tuple(abbreviations),
        aliases=aliases_of(work, heads),
        issued=next((head.issued for head in heads if head.issued), None),
        validity=_validity(next(iter(files.values())), told, changes),
        # The less current of the two languages decides to which day the work is known.
        current_to=min(filter(None, map(_current_to, files.values())), default=None),
    )


def _observed(file: DraftedFile) -> date | None:
    return parse_date(file.root.get(f"{LIMS}current-date")) or file.snapshot.retrieved_at


def _current_to(file: DraftedFile) -> date | None:
    """The day to which the publisher says that a file is current."""
    day = parse_date(file.root.get(f"{LIMS}current-date"))
    return day if day != date.max else None


def _waits(file: DraftedFile, told: Commencement | None) -> bool:
    """Whether no part of a work is in force, and it names no later day on which it comes into force."""
    if not is_pending(file.sections):
        return False
    return told is None or told.comes is None or not is_ahead(told.comes, _observed(file))


def _validity(file: DraftedFile, told: Commencement, changes: Sequence[Change]) -> Validity:
    """The dates of a work by its own words; a repealed work keeps its name and its last day."""
    if _waits(file, told):
        return Validity.pending()
    repealed = min((one.day for one in changes if one.day and not one.places), default=None)
    end = _buried(file) or last_repeal(file.sections) or told.ceases or repealed
    start = told.comes
    return Validity(None if start and end and end < start else start, end)


def _buried(file: DraftedFile) -> date | None:
    """The day since which a tombstone replaces a whole work; its schedules ended with it."""
    tombstone = file.root.find("Repealed")
    if tombstone is None or file.draft.event is not Event.REPEALED:
        return None
    day = parse_date(tombstone.get(START))
    return day if day != date.max else None
