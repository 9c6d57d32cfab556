"""The states that a section went through: one for every interval between two changes in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from pykala.law.provisions import Provision
from pykala.law.validity import NOT_YET, Validity


@dataclass(frozen=True, slots=True)
class State:
    """A section as it stood during an interval: one version per node, and a day within the interval."""

    validity: Validity
    day: date
    section: Provision


def states(section: Provision) -> Iterator[State]:
    """Every state in which some part of the section was, is or will be in force, oldest first.

    The timeline is cut wherever a version of the section or of anything below it starts or ends. Text that
    waits for a date not fixed yet makes a state of its own, from NOT_YET on. There is no state for days on
    which the source lacks the wording of some part: the remaining text alone was never the law.
    """
    provisions = list(section.walk())
    validities = {version.validity for provision in provisions for version in provision.versions}
    known_from = _known_from(provisions)
    for interval in _intervals(validities):
        if known_from is not None and (interval.start is None or interval.start < known_from):
            continue
        day = _day_in(interval)
        if len(validities) == 1 and all(len(provision.versions) == 1 for provision in provisions):
            yield State(_open_ended(interval), day, section)
        elif standing := section.at(day):
            yield State(_open_ended(interval), day, standing)


def _known_from(provisions: Sequence[Provision]) -> date | None:
    """The first day from which every part's wording is held, if the source lacks an earlier one."""
    starts = (
        provision.versions[0].validity.start
        for provision in provisions
        if provision.versions and provision.versions[0].history_unavailable
    )
    return max((start for start in starts if start is not None and start != NOT_YET), default=None)


def _intervals(validities: set[Validity]) -> Sequence[Validity]:
    if len(validities) == 1:
        return [validity for validity in validities if not validity.is_empty]
    starts = {validity.start for validity in validities}
    points = sorted(day for day in starts | {validity.end for validity in validities} if day is not None)
    edges: list[date | None] = [*points, None]
    if None in starts:
        edges.insert(0, None)
    intervals = [Validity(start, end) for start, end in pairwise(edges)]
    return [interval for interval in intervals if not interval.is_empty]


def _day_in(interval: Validity) -> date:
    if interval.start is not None:
        return interval.start
    return interval.end - timedelta(days=1) if interval.end is not None else date.min


def _open_ended(interval: Validity) -> Validity:
    # Text that a pending amendment will replace is in force until an unknown day, so it has no end.
    return Validity(interval.start, None) if interval.end == NOT_YET else interval
