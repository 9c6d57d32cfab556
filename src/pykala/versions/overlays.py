"""Insert a later text into one provision's chain of versions.

Every function takes a chain sorted by start and returns a new one whose intervals do not overlap. Texts whose
day is unknown stay at the end of the chain; texts with a day do not change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from pykala.law.messages import Message
from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity


def in_force(versions: Sequence[Version], day: date) -> Version | None:
    """The wording in force on a day; None where there is none or it was repealed."""
    held = next((version for version in reversed(versions) if version.validity.covers(day)), None)
    return None if held is None or held.event is Event.REPEALED else held


def same_words(one: Version, other: Version) -> bool:
    """Whether two versions say the same, whatever their dates."""
    return (one.text, one.heading) == (other.text, other.heading)


def overlay(versions: Sequence[Version], new: Version, *, though_same: bool = False) -> list[Version]:
    """Put a new text into a chain for its interval; after it ends, the earlier text applies again.

    A text with the same words as the one in force makes no new version, unless `though_same`.
    """
    if new.validity.is_pending:
        waiting = [version for version in versions if version.validity.is_pending]
        return list(versions) if any(same_words(new, version) for version in waiting) else [*versions, new]
    assert new.validity.start is not None
    held = in_force(versions, new.validity.start)
    same = held is not None and same_words(held, new) and _ends_no_sooner(held.validity, new.validity)
    if same and not though_same:
        return list(versions)
    return _sorted([*cut(versions, new.validity), new])


def cut(versions: Iterable[Version], hole: Validity) -> list[Version]:
    """Remove the days of an interval from a chain, as a repeal does."""
    return [piece for version in versions for piece in _outside(version, hole)]


def suspect(versions: Sequence[Version], since: date, finding: Message) -> list[Version]:
    """Add a finding to the text from a day on: an amendment to it could not be applied."""
    marked: list[Version] = []
    for version in versions:
        validity = version.validity
        if finding in version.findings or (validity.end is not None and validity.end <= since):
            marked.append(version)
            continue
        doubted = version.doubted(finding)
        if validity.start is None or validity.start < since:
            marked.append(replace(version, validity=Validity(validity.start, since)))
            doubted = replace(doubted, validity=Validity(since, validity.end))
        marked.append(doubted)
    return marked


def _outside(version: Version, hole: Validity) -> Iterator[Version]:
    validity = version.validity
    start, end = validity.start or date.min, validity.end or date.max
    from_day, to_day = hole.start or date.min, hole.end or date.max
    if validity.is_empty or end <= from_day or to_day <= start:  # a pending text starts after all days
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
