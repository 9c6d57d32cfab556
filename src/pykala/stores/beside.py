"""Two libraries read as one: a library and, beside it, the few acts that were fetched for a question.

Works are looked for in the library first. Scores of two libraries cannot be compared, for each weighs words
by its own contents; so the best match of each counts alike, and the rest in proportion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import Edge, UnresolvedReference
from pykala.stores.store import Match, Store, StoredProvision, UnknownProvision
from pykala.versions.chains import Change

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Item = TypeVar("Item")
#: Numbers of passages are those of one library; the second one's are told apart by this.
_SECOND = 1 << 48
#: What a word weighs at least that the library does not have: grading counts one that stands nowhere so.
_RARE = 6.0


def side_by_side(first: Store, second: Store) -> Store:
    """Both libraries as one, to be read only."""
    return cast(Store, _SideBySide(first, second))


class _SideBySide:
    def __init__(self, first: Store, second: Store) -> None:
        self._first, self._second = first, second

    def __getattr__(self, name: str) -> Any:
        return getattr(self._first, name)

    @property
    def writable(self) -> bool:
        return False

    def work(self, work: WorkId) -> Work:
        return self._home(work).work(work)

    def works(self) -> Iterator[Work]:
        known = {one.id for one in self._second.works()}
        own = (one for one in self._first.works() if one.id not in known)
        return iter(sorted(chain(own, self._second.works()), key=lambda one: one.id))

    def document(self, work: WorkId, language: str) -> Document:
        return self._home(work).document(work, language)

    def provision(self, provision: ProvisionId, **on: Any) -> StoredProvision:
        return self._home(provision.work).provision(provision, **on)

    def history(self, provision: ProvisionId, **on: Any) -> tuple[Version, ...]:
        return self._home(provision.work).history(provision, **on)

    def chain(self, provision: ProvisionId, **on: Any) -> Provision:
        return self._home(provision.work).chain(provision, **on)

    def pairings(self, provision: ProvisionId) -> tuple[Pairing, ...]:
        return self._home(provision.work).pairings(provision)

    def changes(self, *period: Any, **where: Any) -> tuple[Change, ...]:
        return self._both(lambda store: store.changes(*period, **where))

    def edges(self, provisions: Sequence[ProvisionId], **how: Any) -> tuple[Edge, ...]:
        return self._both(lambda store: store.edges(provisions, **how))

    def unresolved(self, provisions: Sequence[ProvisionId]) -> tuple[UnresolvedReference, ...]:
        return self._both(lambda store: store.unresolved(provisions))

    def definitions(self, terms: Sequence[str], language: str) -> tuple[DefinedTerm, ...]:
        return self._both(lambda store: store.definitions(terms, language))

    def resolve(self, alias: str) -> tuple[WorkId, ...]:
        return tuple(sorted(self._both(lambda store: store.resolve(alias))))

    def places(self, alias: str) -> tuple[ProvisionId, ...]:
        return self._both(lambda store: store.places(alias))

    def weigh(
        self, query: str, language: str, jurisdictions: frozenset[str] = frozenset()
    ) -> Mapping[str, float]:
        """As the library weighs them; a word that only the fetched acts have is as rare as any."""
        own, beside = (store.weigh(query, language, jurisdictions) for store in (self._first, self._second))
        rarest = max(_RARE, *own.values(), *beside.values()) if own else _RARE
        return {term: weight or (rarest if beside.get(term) else 0.0) for term, weight in own.items()}

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        return self._merged(lambda store: store.match_text(query, filter, limit), limit)

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        return self._merged(lambda store: store.match_vector(vector, filter, limit), limit)

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        return self._merged(lambda store: store.match_asked(vector, filter, limit), limit)

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        return self._merged(lambda store: store.match_terms(terms, language, filter, limit), limit)

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        own = [number for number in passages if number < _SECOND]
        beside = [number - _SECOND for number in passages if number >= _SECOND]
        found = {number + _SECOND: one for number, one in self._second.nearness(vector, beside).items()}
        return {**self._first.nearness(vector, own), **found}

    def languages(self, work: WorkId | None = None) -> tuple[str, ...]:
        if work is not None:
            return self._home(work).languages(work)
        return tuple(sorted({*self._first.languages(), *self._second.languages()}))

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        found: dict[int, Match] = {}
        for store, offset in ((self._first, 0), (self._second, _SECOND)):
            own = [
                (number - offset, score) for number, score in scored if (number >= _SECOND) == bool(offset)
            ]
            recall = getattr(store, "children", None)
            for match in recall(own) if recall is not None else ():
                found[match.passage + offset] = replace(match, passage=match.passage + offset)
        return tuple(found[number] for number, _ in scored if number in found)

    def generation(self) -> str:
        return f"{self._first.generation()}+{self._second.generation()}"

    def _home(self, work: WorkId) -> Store:
        try:
            self._first.work(work)
        except UnknownProvision:
            return self._second
        return self._first

    def _both(self, read: Callable[[Store], Sequence[Item]]) -> tuple[Item, ...]:
        return tuple(dict.fromkeys((*read(self._first), *read(self._second))))

    def _merged(self, find: Callable[[Store], Sequence[Match]], limit: int) -> tuple[Match, ...]:
        own, beside = find(self._first), find(self._second)
        held = {match.work for match in own}
        beside = [match for match in beside if match.work not in held]  # the library's own words come first
        scale = own[0].score / beside[0].score if own and beside and beside[0].score else 1.0
        scaled = [
            replace(match, passage=match.passage + _SECOND, score=match.score * scale) for match in beside
        ]
        return tuple(sorted((*own, *scaled), key=lambda match: -match.score)[:limit])
