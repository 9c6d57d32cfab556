"""One provision's chain of versions, and how a later text takes its place in it.

Every function takes a chain sorted by start and gives a new one; intervals stay apart. Texts that wait for
an unknown day stand at the end of a chain and are left alone by what has a day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity


def in_force(versions: Sequence[Version], day: date) -> Version | None:
    """The wording on a day; a tombstone is none."""
    held = next((version for version in reversed(versions) if version.validity.covers(day)), None)
    return None if held is None or held.event is Event.REPEALED else held


def same_words(one: Version, other: Version) -> bool:
    """Whether two versions say the same, whatever their dates."""
    return (one.text, one.heading) == (other.text, other.heading)


def overlay(versions: Sequence[Version], new: Version, *, though_same: bool = False) -> list[Version]:
    """The chain with a new text during its interval; after its end the earlier text comes back.

    A text that says what the one in force says makes no version, unless it is to be one all the same.
    """
    if new.validity.is_pending:
        waiting = [version for version in versions if version.validity.is_pending]
        return list(versions) if any(same_words(new, one) for one in waiting) else [*versions, new]
    assert new.validity.start is not None
    held = in_force(versions, new.validity.start)
    same = held is not None and same_words(held, new) and _ends_no_sooner(held.validity, new.validity)
    if same and not though_same:
        return list(versions)
    return _sorted([*cut(versions, new.validity), new])


def cut(versions: Iterable[Version], hole: Validity) -> list[Version]:
    """The chain without the days of an interval: what a repeal, or a temporary one, leaves."""
    return [piece for version in versions for piece in _outside(version, hole)]


def suspect(versions: Sequence[Version], since: date, finding: str) -> list[Version]:
    """The chain whose text from a day on carries a finding: something should have changed it and did not."""
    marked: list[Version] = []
    for version in versions:
        validity = version.validity
        if finding in version.findings or (validity.end is not None and validity.end <= since):
            marked.append(version)
            continue
        doubted = replace(version, findings=(*version.findings, finding))
        if validity.start is None or validity.start < since:
            marked.append(replace(version, validity=Validity(validity.start, since)))
            doubted = replace(doubted, validity=Validity(since, validity.end))
        marked.append(doubted)
    return marked


def _outside(version: Version, hole: Validity) -> Iterator[Version]:
    validity = version.validity
    if validity.is_pending or validity.is_empty:
        yield version
        return
    start, end = validity.start or date.min, validity.end or date.max
    from_day, to_day = hole.start or date.min, hole.end or date.max
    if end <= from_day or to_day <= start:
        yield version
        return
    if start < from_day:
        yield replace(version, validity=Validity(validity.start, from_day))
    if to_day < end:
        yield replace(version, validity=Validity(to_day, validity.end))


def _ends_no_sooner(held: Validity, new: Validity) -> bool:
    return held.end is None or (new.end is not None and new.end <= held.end)


def _sorted(versions: list[Version]) -> list[Version]:
    return sorted(versions, key=lambda version: version.validity.start or date.min)
