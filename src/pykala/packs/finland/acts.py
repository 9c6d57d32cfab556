"""Build one act from all its sources: the best text of each language, with its amendments applied.

The order of preference is that of trust: Finlex's own consolidated text; the dated versions of Semantic
Finlex, updated with the amending acts that came after; the momentti files; the act as the Statute Book
printed it; a web page. Sources that were not chosen are recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Manifestation, Provision, ProvisionKind, Version, Work
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.act_sources import (
    Source,
    amending_documents,
    as_applied,
    as_first_printed,
    begun_elsewhere,
    best,
    is_kept_up,
    sources_of,
)
from pykala.packs.finland.amendments.amending import references_of
from pykala.packs.finland.amendments.enabling import with_ended_act
from pykala.packs.finland.amendments.named_amendments import with_missing_lists, with_missing_momentti
from pykala.packs.finland.amendments.repeals import repeals_of
from pykala.packs.finland.bringing_forward import brought_forward
from pykala.packs.finland.commencement import interval
from pykala.packs.finland.consolidated.leftovers import with_ended_lists, without_leftovers
from pykala.packs.finland.lifetimes import begun_like, ended_like, within_its_act
from pykala.packs.finland.namesakes import ended_by_namesake, with_later_decree
from pykala.packs.finland.pages.page_facts import amended_name
from pykala.packs.finland.pages.statute_pages import read_statute_page
from pykala.packs.finland.periods import ended_by_title
from pykala.packs.finland.statutes.definitions import terms_of
from pykala.packs.finland.statutes.language_pairs import pair_languages
from pykala.packs.finland.survey import AMENDS, CHANGES
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

UNKNOWN_AGE = Message("finding.printed_only")
_GIVEN = {
    ProvisionKind.PART,
    ProvisionKind.CHAPTER,
    ProvisionKind.HEADING,
    ProvisionKind.SECTION,
    ProvisionKind.SUBSECTION,
    ProvisionKind.ANNEX,
    ProvisionKind.TABLE,
}


def read_act(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one act from all its files."""
    notes = dict(item.notes)
    expected = WorkId(f"fi:{item.name}")
    own = [one for one in snapshots if not notes.get(one.path, "").startswith(AMENDS)]
    amending = [one for one in snapshots if notes.get(one.path, "").startswith(AMENDS)]
    refusals: list[Refusal] = []
    sources = list(sources_of(expected, own, notes, facts, refusals))
    if not sources:
        return Reading(None, refusals=tuple(refusals))
    chosen = {
        language: begun_elsewhere(as_applied(source), sources) for language, source in best(sources).items()
    }
    acts = list(amending_documents(amending, notes, facts, refusals))
    languages = [language for language in facts.languages if language in chosen]
    documents = [
        _renamed(brought_forward(chosen[language], acts, as_first_printed(sources, language)))
        for language in languages
    ]
    documents = _honest_about_age(documents)
    documents = [_finished(document, sources) for document in documents]
    if not any(amended_name(document.title) for document in documents):
        documents = [ended_by_title(document) for document in documents]
    documents = [replace(one, root=ended_like(one.root, documents[0].root)) for one in documents]
    documents = [replace(one, root=with_ended_lists(within_its_act(one.root))) for one in documents]
    documents = [
        replace(one, root=with_missing_momentti(without_leftovers(one.root)))
        if chosen[one.language].is_consolidated
        else one
        for one in documents
    ]
    if any(CHANGES in notes.get(one.path, "") for one in own):
        documents = [replace(one, root=_given_to_others(one.root)) for one in documents]
    elif not any(is_kept_up(source) for source in chosen.values()):
        documents = [replace(one, root=_of_unknown_age(one.root)) for one in documents]
    documents = [replace(one, root=with_missing_lists(one.root)) for one in documents]
    said = [notes.get(file.path, "") for file in own]
    documents = [with_later_decree(with_ended_act(one, said), said) for one in documents]
    work = _joined_work([*chosen.values(), *sources], documents)
    return Reading(work, tuple(documents), tuple(pair_languages(documents)), tuple(refusals))


def read_unnumbered(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read a statute without a known number, from the first readable copy."""
    refusals: list[Refusal] = []
    notes = [note for _, note in item.notes]
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
            documents = tuple(ended_by_namesake(with_ended_act(one, notes), notes) for one in documents)
            work = replace(reading.work, validity=_work_validity(reading.work.validity, documents))
            return replace(reading, work=work, documents=documents, refusals=tuple(refusals))
        refusals += reading.refusals
    return Reading(None, refusals=tuple(refusals))


def _manifestation(snapshot: Snapshot, note: str) -> Manifestation:
    return Manifestation(
        snapshot.path, snapshot.sha256, "finlex-page", snapshot.url, snapshot.retrieved_at, (note,)
    )


def _of_unknown_age(provision: Provision) -> Provision:
    """A text as first printed, whose later history is unknown here."""
    return provision.with_versions(
        lambda version: version if version.validity.end is not None else version.doubted(UNKNOWN_AGE)
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


def _renamed(document: Document) -> Document:
    """An act under the name that an amendment gave it; the older one is among its aliases."""
    names = [one.heading for one in document.root.versions if one.heading and not one.validity.is_pending]
    return replace(document, title=names[-1]) if len(names) > 1 else document


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
    if all(one.validity.is_empty for one in versions):
        return last.validity  # repealed before it began
    end = last.validity.start if last.event is Event.REPEALED else last.validity.end
    # An act for a time may be repealed before its time is over.
    start = None if told.is_pending and end is not None else told.start
    return interval(start, min((day for day in (told.end, end) if day is not None), default=None))
