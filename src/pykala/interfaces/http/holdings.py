"""Inventory of the library: counts, works, changes, unresolved references.

Counting millions of rows and reading sixty thousand names takes seconds. It is done once per state of the
library, by the first request that needs it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta
from itertools import islice
from typing import Generic, TypeVar

from pykala.interfaces.records import library as records
from pykala.interfaces.records.from_library import told_of
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work
from pykala.law.references import UnresolvedReference
from pykala.library import Library
from pykala.packs.pack import PackFacts
from pykala.stores.postgres.address import shown
from pykala.stores.store import Stats
from pykala.views.works_by_name import fit, folded_names

T = TypeVar("T")
_LATELY = (90, 365, 5 * 365, 50 * 365)  # days; the shortest period in which some works changed is shown
_SOME = 5
_CHANGES = 20
_WORKS_LOOKED_AT = 300  # works searched for examples of unresolved references


@dataclass(frozen=True, slots=True)
class HeldWork:
    """The part of a work that a list needs."""

    id: WorkId
    kind: str
    languages: tuple[str, ...]
    year: int | None
    names: tuple[str, ...]  # every name, folded, for searching by words
    current_to: date | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """The counts and the works of one state of a library."""

    stats: Stats
    works: tuple[HeldWork, ...]
    changes: tuple[records.LatelyChanged, ...]


class _Made(Generic[T]):
    """A value that is computed once for each state of the library."""

    def __init__(self, make: Callable[[Library], T], state: Callable[[Library], object]) -> None:
        self._make, self._state = make, state
        self._lock = threading.Lock()
        self._made: tuple[object, T] | None = None

    def of(self, library: Library) -> T:
        """Return the value for the library's state; other callers wait while it is computed."""
        with self._lock:
            state = self._state(library)
            if self._made is None or self._made[0] != state:
                self._made = (state, self._make(library))
            return self._made[1]


class Inventories:
    """The inventory of the present state, computed once; names separately, because they are quicker."""

    def __init__(self, today: Callable[[], date]) -> None:
        self._jurisdictions = _Made(_jurisdictions, _state)
        self._works = _Made(_works, _state)
        self._stats = _Made(lambda library: library.stats(), _state)
        self._changes = _Made(
            lambda library: tuple(_changes(library, today())), lambda library: (_state(library), today())
        )

    def jurisdictions(self, library: Library) -> frozenset[str]:
        """The jurisdictions of which the library holds a work."""
        return self._jurisdictions.of(library)

    def works(self, library: Library) -> tuple[HeldWork, ...]:
        """The works that the library holds."""
        return self._works.of(library)

    def of(self, library: Library) -> Inventory:
        """The whole inventory."""
        works = self._works.of(library)
        return Inventory(self._stats.of(library), works, self._changes.of(library))


def _state(library: Library) -> str:
    """The state that a reader is on; another process may have published it."""
    return library.store.generation()


def _jurisdictions(library: Library) -> frozenset[str]:
    return frozenset(work.jurisdiction for work in library.store.items().values())


def _works(library: Library) -> tuple[HeldWork, ...]:
    return tuple(_held(work) for work in library.store.works())


def _held(work: Work) -> HeldWork:
    day = work.issued or work.validity.start
    return HeldWork(
        id=work.id,
        kind=work.kind.value,
        languages=tuple(language for language, _ in work.titles),
        # Finlex uses the last possible year for works without a date.
        year=day.year if day and day.year < MAXYEAR else None,
        names=folded_names(work),
        current_to=work.current_to,
    )


def library_record(library: Library, inventory: Inventory, *, writable: bool, today: date) -> records.Library:
    """Counts of the whole library."""
    held = inventory.stats
    return records.Library(
        edition=held.facts.get("edition", ""),
        folder=shown(library.folder) if library.folder else "",
        writable=writable,
        today=today,
        totals=records.Totals.of(
            held, works=sum(held.works.values()), documents=sum(held.documents.values())
        ),
        languages=dict(held.documents),
        jurisdictions=[
            _jurisdiction(
                pack.facts,
                [work for work in inventory.works if work.id.jurisdiction == code],
                held.by_jurisdiction.get(code, {}),
            )
            for code, pack in library.packs.items()
        ],
        changes=list(inventory.changes),
        **told_of(library),
    )


def _jurisdiction(
    facts: PackFacts, held: Sequence[HeldWork], counts: Mapping[str, int]
) -> records.JurisdictionHeld:
    years = [work.year for work in held if work.year]
    days = [work.current_to for work in held if work.current_to]
    languages = {language for work in held for language in work.languages}
    return records.JurisdictionHeld.of(
        facts,
        languages=[one for one in facts.languages if one in languages] or sorted(languages),
        works=len(held),
        kinds=dict(Counter(work.kind for work in held).most_common()),
        provisions=counts.get("provisions"),
        versions=counts.get("versions"),
        years=records.Years(first=min(years), last=max(years)) if years else None,
        current_to=records.KnownDays(oldest=min(days), newest=max(days)) if days else None,
    )


def _changes(library: Library, today: date) -> Iterator[records.LatelyChanged]:
    for days in _LATELY:
        found = library.changes(today - timedelta(days=days), today)
        if len(found) >= _SOME:
            break
    dated = [(max(change.day for change in one.changes if change.day), one) for one in found if one.changes]
    dated.sort(key=lambda pair: (pair[0], str(pair[1].work)), reverse=True)
    for day, one in dated[:_CHANGES]:
        by = [one.acts.get(act, str(act)) for act, _ in one.causes if act]
        yield records.LatelyChanged.of(one, day=day, changes=len(one.changes), by=by)


@dataclass(frozen=True, slots=True)
class WorksAsked:
    """Which works to list, and which page."""

    words: str = ""
    jurisdiction: str | None = None
    kind: str | None = None
    offset: int = 0
    limit: int = 50
    language: str = ""


def works_record(library: Library, works: Sequence[HeldWork], asked: WorksAsked) -> records.Works:
    """A page of the works whose names contain the given words, those that fit best first."""
    wanted = asked.words.casefold().split()
    fitting = [
        (fits, work.id)
        for work in works
        if asked.jurisdiction in (None, work.id.jurisdiction)
        and asked.kind in (None, work.kind)
        and (fits := fit(work.names, wanted)) is not None
    ]
    found = [work for _, work in sorted(fitting, key=lambda one: one[0])]
    page = found[asked.offset : asked.offset + asked.limit]
    lines = [records.work_line(library.store.work(work), library, asked.language) for work in page]
    return records.Works(total=len(found), works=lines, **told_of(library, asked.language))


def unresolved_record(library: Library, inventory: Inventory, limit: int) -> records.UnresolvedReferences:
    """Unresolved references: the number for each reason, and some examples."""
    examples: list[UnresolvedReference] = []
    for work in islice(inventory.works, _WORKS_LOOKED_AT):
        examples += library.store.unresolved([ProvisionId(work.id)])
        if len(examples) >= limit:
            break
    return records.UnresolvedReferences.of(
        None, reasons=inventory.stats.unresolved, examples=examples[:limit]
    )
