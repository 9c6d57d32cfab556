"""An act's best text with its amendments: those that it lacks, and the wordings that it passes over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, ProvisionKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.act_numbers import act_number
from pykala.packs.finland.act_sources import Source, is_numbered
from pykala.packs.finland.amendments.amending import PlayedForward, play_forward
from pykala.packs.finland.amendments.amending_entry import commencements_told, recommenced
from pykala.packs.finland.amendments.doubles import without_doubles, without_stale_doubles
from pykala.packs.finland.amendments.given_whole import with_whole_sections
from pykala.packs.finland.amendments.givings import Givings
from pykala.packs.finland.amendments.passed_over import redated, renewed
from pykala.packs.finland.amendments.past_wordings import with_past_wordings
from pykala.packs.finland.amendments.repeals import places_repealed, repealed_but, repeals_of
from pykala.packs.finland.amendments.unapplied import with_named_amendments
from pykala.packs.finland.lifetimes import begun, begun_and_ended, never_law
from pykala.packs.finland.survey import order_of
from pykala.versions.operations import Repeal
from pykala.versions.play import play

#: Years. What an act of unknown day gave longer before a state is in it, or was never brought into force.
_LONGEST_WAIT = 5


def brought_forward(source: Source, acts: Sequence[Document], printed: Document | None = None) -> Document:
    """The text of a source with all its amendments among `acts`, and with its past wordings."""
    later = [act for act in acts if act.language == source.document.language and _is_later(act, source)]
    if not acts:
        return source.document
    told = with_named_amendments(_begun_as_told(source.document, acts), acts)
    if source.is_consolidated:
        passed = {act.work for act in later}
        ours = recommenced([act for act in acts if act.language == source.document.language])
        earlier = [act for act in ours if act.work not in passed]
        told = of_its_time(told, earlier, printed, source.held)
    played: PlayedForward = play_forward(told, later, source.held)
    # The Finnish text says clearly whether the whole act is repealed, and counts for every language.
    work = source.document.work
    dated = recommenced(acts)  # the day of an act that repeals another may stand in a decree
    repeals = [
        Repeal(target=place, source_act=act.work, validity=Validity(_in_force(act).start))
        for act in dated
        # If the day is unknown, nothing has ended yet.
        if _in_force(act).start and not _in_force(act).is_pending and _is_younger(act.work, work)
        for place in _repealed_by(act, work)
        if _is_later(act, source) or (not place.path and _ends_as_printed(act, source))
    ]
    repeals += [
        repeal for act in dated if _is_later(act, source) for repeal in _all_but(act, played.document)
    ]
    if not repeals:
        return played.document
    days = [one.validity.start for one in repeals if one.target == ProvisionId(work) and one.validity.start]
    document = play(played.document, repeals).document
    if not days:
        return document
    first = played.document.root.versions[0].validity if played.document.root.versions else ALWAYS
    if first.start is not None and not first.is_pending and min(days) <= first.start:
        return replace(document, root=never_law(played.document.root, min(days)))
    return replace(document, root=begun_and_ended(document.root, min(days)))


def of_its_time(
    document: Document, acts: Sequence[Document], printed: Document | None, named: Collection[WorkId]
) -> Document:
    """A consolidated document with the wordings of acts that its source names and passes over."""
    document = with_whole_sections(document, acts)
    givings = Givings.of(document, acts, printed)
    document = renewed(redated(document, givings), acts, givings, named)
    document = without_stale_doubles(document, givings)
    document = with_past_wordings(document, givings, named, {act.work for act in acts})
    return replace(document, root=without_doubles(document.root))


def _begun_as_told(document: Document, acts: Sequence[Document]) -> Document:
    """An act without a day of its own, from the day on which another statute brings it into force."""
    told = [one for act in acts for one in commencements_told(act) if one.act == document.work]
    days = [one.start for one in told if not one.places]
    return replace(document, root=begun(document.root, min(days))) if days else document


def _all_but(act: Document, document: Document) -> Iterator[Repeal]:
    """Repeal each section except those that the act keeps."""
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


def _is_later(act: Document, source: Source) -> bool:
    """Whether an amending act is one that the text does not have yet."""
    if act.work in source.held or source.rank == 0:
        return False
    if not is_numbered(act.work) and source.is_consolidated:
        start = _in_force(act).start
        return start is not None and source.state is not None and start > source.state
    if source.last is not None and is_numbered(act.work):
        return order_of(act_number(act.work)) > order_of(act_number(source.last))
    if source.state is None:
        return True
    told = _in_force(act)
    if told.start is None or told.is_pending:
        return not (is_numbered(act.work) and _year(act.work) + _LONGEST_WAIT < source.state.year)
    return told.start > source.state


def _year(act: WorkId) -> int:
    return order_of(act_number(act))[0]


def _is_younger(act: WorkId, work: WorkId) -> bool:
    """Whether an act can repeal a work: none repeals what was given after it, whatever number it prints."""
    if not (is_numbered(act) and is_numbered(work)):
        return True
    return order_of(act_number(act)) > order_of(act_number(work))


def _ends_as_printed(act: Document, source: Source) -> bool:
    """Whether an act takes effect on the very day of a consolidated state, which prints what ends then."""
    return act.work not in source.held and source.is_consolidated and _in_force(act).start == source.state


def _in_force(act: Document) -> Validity:
    return act.root.versions[0].validity if act.root.versions else ALWAYS
