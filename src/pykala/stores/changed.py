"""Count the works that changed in a period, with one query for a whole year."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import groupby
from typing import Protocol

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Event
from pykala.versions.chains import Change


class WorkChange(StrEnum):
    """What can happen to a work in a period."""

    BEGAN = "began"
    AMENDED = "amended"
    ENDED = "ended"


#: The events that change existing words of a work.
AMENDING = (Event.AMENDED, Event.INSERTED, Event.TEMPORARY, Event.RENUMBERED, Event.REPEALED)


@dataclass(frozen=True, slots=True)
class ChangedWork:
    """A work, how many of its provisions changed, on which days, and by which acts."""

    work: WorkId
    provisions: int
    first: date
    last: date
    acts: tuple[WorkId, ...] = ()


class Counting(Protocol):
    """The part of a store that counts changes by work."""

    def changed_works(
        self,
        since: date,
        until: date,
        change: WorkChange,
        *,
        jurisdictions: Sequence[str],
        kinds: Sequence[str],
    ) -> tuple[ChangedWork, ...]:
        """The works that began, were amended or ended in a period; both days are included."""
        ...


def changed_works(
    store: Counting,
    since: date,
    until: date,
    change: WorkChange,
    *,
    jurisdictions: Sequence[str] = (),
    kinds: Sequence[str] = (),
) -> tuple[ChangedWork, ...]:
    """The works that began, were amended or ended in a period, most changes first."""
    found = store.changed_works(since, until, change, jurisdictions=jurisdictions, kinds=kinds)
    return tuple(sorted(found, key=lambda one: (-one.provisions, one.work)))


def counted(changes: Sequence[Change], change: WorkChange) -> list[ChangedWork]:
    """Count some changes by work."""
    works = []
    for work, group in groupby(changes, key=lambda one: one.provision.work):
        of_work = list(group)
        ends = {one.day: one.event for one in of_work if _ends_the_work(one)}
        wanted = [one for one in of_work if one.day is not None and _is(one, change, ends)]
        if wanted:
            days = [one.day for one in wanted if one.day is not None]
            acts = tuple(sorted({one.source_act for one in wanted if one.source_act is not None}))
            places = len({one.provision for one in wanted})
            works.append(ChangedWork(work, places, min(days), max(days), acts))
    return works


def _ends_the_work(one: Change) -> bool:
    """Whether a whole work ended: no words follow, or only the notice of its repeal."""
    return not one.provision.path and one.event in (None, Event.REPEALED)


def _is(one: Change, change: WorkChange, ends: Mapping[date | None, Event | None]) -> bool:
    rules: dict[WorkChange, Callable[[], bool]] = {
        WorkChange.BEGAN: lambda: not one.provision.path and one.event is Event.ENACTED,
        WorkChange.ENDED: lambda: _ends_the_work(one),
        # A provision that ends together with its act is not an amendment.
        WorkChange.AMENDED: lambda: (
            one.day not in ends if one.event is None else one.event in AMENDING and not _is_repeal(one, ends)
        ),
    }
    return rules[change]()


def _is_repeal(one: Change, ends: Mapping[date | None, Event | None]) -> bool:
    """Whether a provision was repealed by the act that repealed its work."""
    return one.event is Event.REPEALED and ends.get(one.day) is Event.REPEALED
