"""Apply the first and the last day of an act to its parts.

An act that ends also ends its parts, including those that an amendment added without an end. If one language
of an act has no day, it begins where the text in another language is known to have begun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Provision, Version
from pykala.law.validity import Validity


def begun(provision: Provision, day: date | None) -> Provision:
    """An act without a day of its own, from a day on; None where it began on an unknown day."""
    return replace(
        provision,
        versions=_begun_chain(provision.versions, day),
        children=tuple(begun(child, day) for child in provision.children),
    )


def begun_at_first(provision: Provision, day: date) -> Provision:
    """An act of which nobody told when it began, from a day on: its first words begin then."""

    def begin(version: Version) -> Version:
        start, end = version.validity.start, version.validity.end
        is_first = version.source_act is None and start is None and (end or date.max) > day
        return replace(version, validity=Validity(day, end)) if is_first else version

    return provision.with_versions(begin)


def begun_and_ended(provision: Provision, day: date) -> Provision:
    """An act that left its day to a decree and was repealed since: it ended, whenever it began."""
    ended = Validity(None, day)
    return provision.with_versions(
        lambda version: replace(version, validity=ended) if version.validity.is_pending else version
    )


def never_law(provision: Provision, day: date) -> Provision:
    """An act that was repealed by its first day: its words have no day on which they were law."""
    return replace(
        provision,
        versions=tuple(replace(one, validity=Validity(day, day)) for one in provision.versions[:1]),
        children=tuple(never_law(child, day) for child in provision.children),
    )


def begun_like(root: Provision, known: Provision) -> Provision:
    """The text of an act in one language, begun where it is better known in another.

    A part begins on its own day there, and goes on waiting where it waits there too.
    """
    if not root.versions or not root.versions[0].validity.is_pending or not known.versions:
        return root
    first = known.versions[0].validity
    if first.is_pending:
        return root
    days = {part.id: part.versions[0].validity.start for part in known.walk() if part.versions}
    return _begun_each(root, days, first.start)


def _begun_each(
    provision: Provision, days: Mapping[ProvisionId, date | None], otherwise: date | None
) -> Provision:
    day = days.get(provision.id, otherwise)
    return replace(
        provision,
        versions=_begun_chain(provision.versions, day),
        children=tuple(_begun_each(child, days, otherwise) for child in provision.children),
    )


def _begun_chain(versions: Sequence[Version], day: date | None) -> tuple[Version, ...]:
    """A chain whose first words begin on a day, and end where an amendment that has a day replaced them."""
    if not any(map(_left_open, versions)):
        return tuple(versions)
    first = day or date.min
    dated = [one for one in versions if not one.validity.is_pending and one.validity.start is not None]
    if any(one.validity.covers(first) for one in dated):
        return tuple(one for one in versions if not _left_open(one))  # it was amended by then
    later = [one for one in dated if (one.validity.start or first) > first]
    end = min((one.validity.start for one in later if one.validity.start), default=None)
    begun_now = [
        replace(one, validity=Validity(day, end))
        if _left_open(one)
        # The place was there already: the amendment did not insert it.
        else replace(one, event=Event.AMENDED)
        if one in later and one.event is Event.INSERTED
        else one
        for one in versions
    ]
    return tuple(sorted(begun_now, key=lambda one: one.validity.start or date.min))


def within_its_act(root: Provision) -> Provision:
    """An act whose parts end with it. Words given after its last day are marked, and stay."""
    last = root.versions[-1].validity.end if root.versions else None
    return root if last is None else root.with_versions(lambda version: _ended(version, last))


def ended_like(root: Provision, known: Provision) -> Provision:
    """The text of an act in one language, ended where it is known to have ended in another."""
    last = known.versions[-1].validity.end if known.versions else None
    return root if last is None else root.with_versions(lambda version: _ended(version, last))


def _ended(version: Version, day: date) -> Version:
    validity = version.validity
    if validity.end is not None or validity.is_pending:
        return version
    if validity.start is None or validity.start < day:
        return replace(version, validity=Validity(validity.start, day))
    finding = Message.of("finding.after_its_end", day=day)
    if not version.text or finding in version.findings:
        return version
    return version.doubted(finding)


def _left_open(version: Version) -> bool:
    """Whether the first words of an act wait for a day; what an amendment gave waits for its own."""
    return version.validity.is_pending and version.source_act is None
