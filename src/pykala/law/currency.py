"""The day to which a source is known, as the library records it by kind of work.

A publisher's own statement is a work's (`Work.current_to`): Justice Laws prints "current to 2026-07-01".
Where there is none, the newest date in the source tells how far it reaches, and where it holds no date, the
day on which it was fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from pykala.law.provisions import Work, WorkKind

_FACT = "current_to:"
_STATUTES = "legislation"


#: Kinds that sources publish apart from legislation, each as far as it goes; all others come together.
#: A tax authority's decision of 2026 does not say that the statutes are known to 2026.
_APART = frozenset({WorkKind.CASE, WorkKind.DECISION, WorkKind.GUIDANCE, WorkKind.TREATY, WorkKind.UPLOAD})


def collection_of(work: Work) -> tuple[str, str]:
    """The jurisdiction and the collection that a work is published in, such as "legislation"."""
    return work.id.jurisdiction, work.kind.value if work.kind in _APART else _STATUTES


def recorded(facts: Mapping[str, str]) -> dict[tuple[str, str], date]:
    """(jurisdiction, collection) → the day that a library's facts tell."""
    told: dict[tuple[str, str], date] = {}
    for key, value in facts.items():
        if key.startswith(_FACT):
            jurisdiction, _, collection = key.removeprefix(_FACT).partition(":")
            told[jurisdiction, collection] = date.fromisoformat(value)
    return told


def known_to(facts: Mapping[str, str], jurisdictions: frozenset[str]) -> date | None:
    """The day to which all of some jurisdictions are known (all that are recorded, where none is named).

    Of a jurisdiction its legislation counts; where none is held, the newest of what is.
    """
    days: dict[str, dict[str, date]] = {}
    for (jurisdiction, collection), day in recorded(facts).items():
        if not jurisdictions or jurisdiction in jurisdictions:
            days.setdefault(jurisdiction, {})[collection] = day
    return min((held.get(_STATUTES) or max(held.values()) for held in days.values()), default=None)


def newest(works: Iterable[Work], jurisdiction: str) -> dict[str, str]:
    """The facts to record of a jurisdiction: by collection, the newest date that its works tell.

    Where few works state a day of their own, it speaks for them alone: one act that is known to 2026 does not
    make a thousand others newer which a source of 2018 brought.
    """
    stated: dict[str, list[date]] = {}
    dated: dict[str, list[date]] = {}
    for work in works:
        own, collection = collection_of(work)
        known = work.current_to or work.issued or _began(work)
        if known is not None and own == jurisdiction:
            (stated if work.current_to else dated).setdefault(collection, []).append(known)
    facts = {}
    for name in sorted({*stated, *dated}):
        own_days, others = stated.get(name, []), dated.get(name, [])
        facts[f"{_FACT}{jurisdiction}:{name}"] = max(
            others if len(others) > len(own_days) else [*own_days, *others]
        ).isoformat()
    return facts


def _began(work: Work) -> date | None:
    """Since when a ruling or a decision holds; an act may come into force long after it is known."""
    start = work.validity.start
    if work.issued is not None or work.kind not in _APART or work.validity.is_pending:
        return None
    return start
