"""What the library holds, as a whole: counts, works, changes, references that lead nowhere.

Counting millions of rows and reading sixty thousand names takes seconds: it is done once for each state of
the library, by the first who asks.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta
from itertools import islice
from typing import Generic, TypeVar

from pykala.answer.cite import citation
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work
from pykala.law.references import UnresolvedReference
from pykala.library import Library
from pykala.packs.pack import PackFacts
from pykala.stores.store import Stats

T = TypeVar("T")
_LATELY = (90, 365, 5 * 365, 50 * 365)  # days; the shortest period in which something changed is shown
_CHANGES = 20
_WORKS_LOOKED_AT = 300  # for examples of references that lead nowhere


@dataclass(frozen=True, slots=True)
class HeldWork:
    """As much of a work as a list needs."""

    id: WorkId
    kind: str
    languages: tuple[str, ...]
    year: int | None
    names: str  # all of them, folded, to look for words in
    current_to: date | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """The counts and the works of one state of a library."""

    stats: Stats
    works: tuple[HeldWork, ...]
    changes: tuple[dict[str, object], ...]


class _Made(Generic[T]):
    """Something about a library that is made once for each state of it."""

    def __init__(self, make: Callable[[Library], T], state: Callable[[Library], object]) -> None:
        self._make, self._state = make, state
        self._lock = threading.Lock()
        self._made: tuple[object, T] | None = None

    def of(self, library: Library) -> T:
        """What was made of the library; who asks while it is being made waits for it."""
        with self._lock:
            state = self._state(library)
            if self._made is None or self._made[0] != state:
                self._made = (state, self._make(library))
            return self._made[1]


class Inventories:
    """The inventory of the present state, made once; its parts apart, since names are there before counts."""

    def __init__(self, today: Callable[[], date]) -> None:
        self._jurisdictions = _Made(_jurisdictions, _state)
        self._works = _Made(_works, _state)
        self._stats = _Made(lambda library: library.stats(), _state)
        self._changes = _Made(
            lambda library: tuple(_changes(library, today())), lambda library: (_state(library), today())
        )

    def jurisdictions(self, library: Library) -> frozenset[str]:
        """The jurisdictions that the library holds something of."""
        return self._jurisdictions.of(library)

    def works(self, library: Library) -> tuple[HeldWork, ...]:
        """The works that the library holds."""
        return self._works.of(library)

    def of(self, library: Library) -> Inventory:
        """All that is known of the library."""
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
    names = (str(work.id), *(title for _, title in work.titles), *work.abbreviations)
    return HeldWork(
        id=work.id,
        kind=work.kind.value,
        languages=tuple(language for language, _ in work.titles),
        # Finlex dates what it has no date for to the last year there is.
        year=day.year if day and day.year < MAXYEAR else None,
        names=" ".join(names).casefold(),
        current_to=work.current_to,
    )


def library_shape(
    library: Library, inventory: Inventory, *, writable: bool, today: date
) -> dict[str, object]:
    """The whole library in counts."""
    held = inventory.stats
    return {
        "edition": held.facts.get("edition", ""),
        "folder": str(library.folder or ""),
        "writable": writable,
        "today": today.isoformat(),
        "totals": {
            "works": sum(held.works.values()),
            "documents": sum(held.documents.values()),
            "provisions": held.provisions,
            "versions": held.versions,
            "passages": held.passages,
            "edges": dict(held.edges),
            "unresolved": dict(held.unresolved),
            "vectors": held.vectors,
            "bytes": held.bytes,
        },
        "languages": dict(held.documents),
        "jurisdictions": [
            _jurisdiction(
                pack.facts,
                [work for work in inventory.works if work.id.jurisdiction == code],
                held.by_jurisdiction.get(code, {}),
            )
            for code, pack in library.packs.items()
        ],
        "changes": list(inventory.changes),
    }


def _jurisdiction(facts: PackFacts, held: Sequence[HeldWork], counts: Mapping[str, int]) -> dict[str, object]:
    years = [work.year for work in held if work.year]
    languages = {language for work in held for language in work.languages}
    return {
        "code": facts.code,
        "names": names_of(facts),
        "publisher": facts.publisher,
        "languages": [one for one in facts.languages if one in languages] or sorted(languages),
        "works": len(held),
        "kinds": dict(Counter(work.kind for work in held).most_common()),
        "provisions": counts.get("provisions"),
        "versions": counts.get("versions"),
        "years": {"first": min(years), "last": max(years)} if years else None,
        "current_to": _known_days(held),
    }


def _known_days(held: Sequence[HeldWork]) -> dict[str, str] | None:
    """The oldest and the newest day to which works of a jurisdiction are known."""
    days = [work.current_to for work in held if work.current_to]
    return {"oldest": min(days).isoformat(), "newest": max(days).isoformat()} if days else None


def names_of(facts: PackFacts) -> dict[str, list[str]]:
    """What a jurisdiction is called in each language."""
    return {language: list(names) for language, names in facts.names.items()}


def _changes(library: Library, today: date) -> Iterator[dict[str, object]]:
    for days in _LATELY:
        found = library.changes(today - timedelta(days=days), today)
        if found:
            break
    told = [(max(change.day for change in one.changes if change.day), one) for one in found if one.changes]
    told.sort(key=lambda pair: (pair[0], str(pair[1].work)), reverse=True)
    for day, one in told[:_CHANGES]:
        yield {
            "work": str(one.work),
            "citation": one.citation,
            "day": day.isoformat(),
            "changes": len(one.changes),
            "by": [one.acts.get(act, str(act)) for act, _ in one.causes if act],
        }


@dataclass(frozen=True, slots=True)
class WorksAsked:
    """Which works are wanted, and which page of them."""

    words: str = ""
    jurisdiction: str | None = None
    kind: str | None = None
    offset: int = 0
    limit: int = 50


def works_shape(library: Library, works: Sequence[HeldWork], asked: WorksAsked) -> dict[str, object]:
    """The works whose names hold some words, a page of them."""
    wanted = asked.words.casefold().split()
    found = [
        work.id
        for work in works
        if asked.jurisdiction in (None, work.id.jurisdiction)
        and asked.kind in (None, work.kind)
        and all(word in work.names for word in wanted)
    ]
    page = found[asked.offset : asked.offset + asked.limit]
    return {
        "total": len(found),
        "works": [_work_json(library.store.work(work), library) for work in page],
    }


def _work_json(work: Work, library: Library) -> dict[str, object]:
    pack, whole = library.packs.get(work.id.jurisdiction), ProvisionId(work.id)
    languages = [language for language, _ in work.titles]
    spoken = pack.facts.default_language if pack else ""
    language = spoken if spoken in languages else next(iter(languages), spoken)
    return {
        "work": str(work.id),
        "title": work.name(language),
        "citation": citation(whole, work, language, library.packs),
        "kind": work.kind.value,
        "languages": languages,
        "authority": work.authority,
        "issued": work.issued.isoformat() if work.issued else None,
        "current_to": work.current_to.isoformat() if work.current_to else None,
        "url": pack.url(whole, work, language) if pack else "",
    }


def unresolved_shape(library: Library, inventory: Inventory, limit: int) -> dict[str, object]:
    """References that lead nowhere: how many for each reason, and some of them."""
    examples: list[UnresolvedReference] = []
    for work in islice(inventory.works, _WORKS_LOOKED_AT):
        examples += library.store.unresolved([ProvisionId(work.id)])
        if len(examples) >= limit:
            break
    return {
        "reasons": dict(inventory.stats.unresolved),
        "examples": [
            {
                "provision": str(one.source),
                "kind": one.kind.value,
                "text": one.text,
                "target": one.target,
                "reason": one.reason.value,
            }
            for one in examples[:limit]
        ],
    }
