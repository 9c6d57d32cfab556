"""Amendments that a consolidated text names but does not contain, or not with their tables.

Semantic Finlex may date a momentti by its last amendment and yet give the older kohdat: 12 § 1 of the
perintö- ja lahjaverolaki is of 1320/2016 there, with the 60,000 euros of 1063/2007. Such a wording is marked
while it is read. If the amending act is held, its words replace the old ones; else the mark stays. The scales
of 14 § and 19 a § are also missing there; the act that gave them has them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Provision, Version
from pykala.packs.finland.amendments.amending import known_names, operations_of
from pykala.packs.finland.amendments.named_amendments import acts_named, lacks_a_list, mark
from pykala.packs.left_out import NO_LIST
from pykala.versions.operations import Amend, Insert, Operation, Repeal, Status
from pykala.versions.play import play


def with_named_amendments(document: Document, acts: Sequence[Document]) -> Document:
    """A document with the words of the acts that it names but does not contain, if they are among `acts`."""
    wanted: dict[WorkId, list[ProvisionId]] = {}
    for node in document.root.walk():
        for named in acts_named(node):
            wanted.setdefault(named, []).append(node.id)
    for act in acts:
        if act.work in wanted and act.language == document.language:
            document = brought_in(document, act, wanted[act.work])
    return document


def brought_in(
    document: Document,
    act: Document,
    places: Sequence[ProvisionId],
    accepts: Callable[[Document, Document], bool] = lambda before, after: True,
) -> Document:
    """A document with the changes that an act makes at some places; `accepts` decides on each section."""
    names = known_names([(document.title, document.work)], document.language)
    by_section: dict[tuple[Step, ...], list[Operation]] = {}
    for one in operations_of(act, document.work, names).operations:
        if isinstance(one, Amend | Insert | Repeal) and _touches(one, places):
            by_section.setdefault(_section(one.target), []).append(one)
    for operations in by_section.values():
        played = _played(document, operations, mark(act.work))
        document = played if played is document or accepts(document, played) else document
    return document


def _played(document: Document, operations: Sequence[Operation], named: Message) -> Document:
    """A document after the operations on one section; unchanged if they give fewer words than it has."""
    if any(isinstance(one, Amend | Insert) and one.text and lacks_a_list(one.text) for one in operations):
        return document
    done = [one.target for one in operations]
    cleared = replace(document, root=_cleared(document.root, {named, NO_LIST}, done))
    played = play(cleared, operations)
    done_or_there = {Status.APPLIED, Status.UNCHANGED}
    if all(one.status in done_or_there for one in played.outcomes):
        return played.document
    # A repealed kohta leaves no words, so the words around it are correctly older.
    return cleared if all(isinstance(one, Repeal) for one in operations) else document


def _section(place: ProvisionId) -> tuple[Step, ...]:
    at = next((number for number, step in enumerate(place.path) if step.kind == "sec"), len(place.path))
    return place.path[: at + 1]


def _touches(operation: Operation, places: Sequence[ProvisionId]) -> bool:
    return any(_is_within(place, operation.target) or _is_within(operation.target, place) for place in places)


def _is_within(place: ProvisionId, whole: ProvisionId) -> bool:
    return place.path[: len(whole.path)] == whole.path


def _cleared(provision: Provision, findings: Collection[Message], done: Sequence[ProvisionId]) -> Provision:
    """Remove the mark from a corrected place, from everything below it, and from its list's opening."""
    mended = any(_is_within(provision.id, one) or _is_within(one, provision.id) for one in done)
    versions = provision.versions
    if mended:
        versions = tuple(_without(version, findings) for version in versions)
    return replace(
        provision,
        versions=versions,
        children=tuple(_cleared(child, findings, done) for child in provision.children),
    )


def _without(version: Version, findings: Collection[Message]) -> Version:
    return replace(version, findings=tuple(one for one in version.findings if one not in findings))
