"""To which day a source is known: what a library records of each kind of work, beside what single works say.

A publisher's own statement is a work's (`Work.current_to`): Justice Laws prints "current to 2026-07-01".
Where there is none, the newest date in the source tells how far it reaches, and where it holds no date, the
day on which it was fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from pykala.law.provisions import Work, WorkKind

_FACT = "current_to:"


#: Kinds that sources publish apart from legislation, each as far as it goes; all others come together.
_APART = frozenset({WorkKind.CASE, WorkKind.GUIDANCE, WorkKind.TREATY, WorkKind.UPLOAD})


def collection_of(work: Work) -> tuple[str, str]:
    """The jurisdiction and the collection that a work is published in, such as "legislation"."""
    return work.id.jurisdiction, work.kind.value if work.kind in _APART else "legislation"


def recorded(facts: Mapping[str, str]) -> dict[tuple[str, str], date]:
    """(jurisdiction, collection) → the day that a library's facts tell."""
    told: dict[tuple[str, str], date] = {}
    for key, value in facts.items():
        if key.startswith(_FACT):
            jurisdiction, _, collection = key.removeprefix(_FACT).partition(":")
            told[jurisdiction, collection] = date.fromisoformat(value)
    return told


def known_to(facts: Mapping[str, str], jurisdictions: frozenset[str]) -> date | None:
    """The day to which all of some jurisdictions are known (all that are recorded, where none is named)."""
    newest: dict[str, date] = {}
    for (jurisdiction, _), day in recorded(facts).items():
        if not jurisdictions or jurisdiction in jurisdictions:
            newest[jurisdiction] = max(day, newest.get(jurisdiction, day))
    return min(newest.values(), default=None)


def newest(works: Iterable[Work], jurisdiction: str) -> dict[str, str]:
    """The facts to record of a jurisdiction: by collection, the newest date that its works tell."""
    days: dict[str, date] = {}
    for work in works:
        own, collection = collection_of(work)
        told = [day for day in (work.current_to, work.issued) if day is not None]
        if told and own == jurisdiction:
            days[collection] = max(*told, days.get(collection, told[0]))
    return {f"{_FACT}{jurisdiction}:{name}": day.isoformat() for name, day in sorted(days.items())}
