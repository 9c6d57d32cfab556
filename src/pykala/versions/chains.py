"""Chains of versions: when the words of a provision changed, by which act, and whether the chain holds.

A chain is sorted by start and its intervals are half-open, so that the boundary day belongs to the later
wording. Two wordings may overlap only where one of them waits for a date that is not fixed yet, or where a
temporary wording covers the permanent one; of two such wordings, the one made later prevails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise

from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, Version
from pykala.law.validity import NOT_YET, Validity


@dataclass(frozen=True, slots=True, repr=False)
class Change(Part):
    """A wording that began on a day, or that ended without a successor (then `event` is None)."""

    provision: ProvisionId
    day: date | None  # None: before the source's records begin
    event: Event | None
    source_act: WorkId | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Moment(Part):
    """A day, and the changes on it to a provision and everything below it, in document order."""

    day: date | None
    changes: tuple[Change, ...]

    @property
    def acts(self) -> tuple[WorkId, ...]:
        """The acts that made the changes, each once."""
        return tuple(dict.fromkeys(change.source_act for change in self.changes if change.source_act))

    @property
    def events(self) -> tuple[Event | None, ...]:
        """The events of these changes, each once."""
        return tuple(dict.fromkeys(change.event for change in self.changes))


def timeline(provision: Provision) -> tuple[Moment, ...]:
    """The days on which a provision or anything below it changed, oldest first."""
    by_day: dict[date | None, list[Change]] = {}
    for node in provision.walk():
        for change in changes_of(node):
            by_day.setdefault(change.day, []).append(change)
    ordered = sorted(by_day, key=lambda day: day or date.min)
    return tuple(Moment(day, tuple(by_day[day])) for day in ordered)


def changes_of(node: Provision) -> Iterator[Change]:
    """The changes of one provision's own words; a version that repeats the words is not a change."""
    before: Version | None = None
    for version in node.versions:
        if version.validity.is_empty:
            continue
        if before is None or not _goes_on(before, version):
            yield Change(node.id, version.validity.start, version.event, version.source_act)
        end = version.validity.end
        if end is not None and end != NOT_YET and not _covered(node.versions, end):
            yield Change(node.id, end, None)
        before = version


def _goes_on(before: Version, version: Version) -> bool:
    """Whether a version repeats the words before it and only adds a note, such as one on application."""
    return (
        (before.text, before.heading) == (version.text, version.heading)
        and before.validity.end == version.validity.start
        and version.event not in (Event.REPEALED, Event.RENUMBERED)
    )


def _covered(versions: Iterable[Version], day: date) -> bool:
    return any(version.validity.covers(day) for version in versions)


def last_day_before_change(provision: Provision, as_of: date) -> date | None:
    """The day before the latest change, up to a date, of a provision or anything below it.

    None where the source holds no earlier wording: the first wording is not a change.
    """
    days = [moment.day for moment in timeline(provision) if moment.day is None or moment.day <= as_of]
    if len(days) < 2 or days[-1] is None:
        return None
    return days[-1] - timedelta(days=1)


class Finding(StrEnum):
    """The kinds of findings about a chain."""

    OVERLAP = "overlap"  # two wordings in force on one day, and nothing says that they may be
    DISORDER = "disorder"  # an earlier wording comes after a later one and would prevail over it
    GAP = "gap"  # days without a wording, before one that only amends
    ABSENCE = "absence"  # days without a wording, before one that was inserted anew: not an error


@dataclass(frozen=True, slots=True)
class ChainFinding:
    """A finding about the chain of one provision, and the days that it concerns."""

    kind: Finding
    provision: ProvisionId
    days: Validity

    @property
    def is_fault(self) -> bool:
        """Whether the chain must be wrong."""
        return self.kind is not Finding.ABSENCE


def check_chains(root: Provision) -> Iterator[ChainFinding]:
    """Check every chain of a tree; see `check_chain`."""
    for node in root.walk():
        yield from check_chain(node)


def check_chain(node: Provision) -> Iterator[ChainFinding]:
    """Find overlaps, disorder and gaps in the chain of one provision's own words."""
    dated = [version for version in node.versions if not _stands_aside(version)]
    for before, after in pairwise(dated):
        if _start(before) > _start(after):
            yield ChainFinding(Finding.DISORDER, node.id, after.validity)
    covered_until: date | None = None
    for version in sorted(dated, key=_start):
        start, end = _start(version), version.validity.end or NOT_YET
        if covered_until is not None and start < covered_until:
            yield ChainFinding(Finding.OVERLAP, node.id, Validity(start, min(end, covered_until)))
        elif covered_until is not None:
            yield from _gap(node, covered_until, version)
        covered_until = end if covered_until is None else max(end, covered_until)


def _gap(node: Provision, first: date, following: Version) -> Iterator[ChainFinding]:
    """The days between two wordings, where there are any and temporary wordings do not fill them."""
    start = _start(following)
    if not _temporarily_filled(node.versions, first, start):
        anew = following.event in (Event.INSERTED, Event.ENACTED)
        yield ChainFinding(Finding.ABSENCE if anew else Finding.GAP, node.id, Validity(first, start))


def _temporarily_filled(versions: Sequence[Version], day: date, end: date) -> bool:
    """Whether temporary wordings cover every day up to another."""
    while day < end:
        covering = next((v for v in versions if v.event is Event.TEMPORARY and v.validity.covers(day)), None)
        if covering is None:
            return False
        day = covering.validity.end or NOT_YET
    return True


def _start(version: Version) -> date:
    return version.validity.start or date.min


def _stands_aside(version: Version) -> bool:
    """Whether a wording may overlap others: it is pending, temporary, or was never in force."""
    return version.validity.is_pending or version.validity.is_empty or version.event is Event.TEMPORARY
