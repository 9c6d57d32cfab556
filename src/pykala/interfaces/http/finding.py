"""Search with facets: the results, and their counts by place, kind and rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.requests import AsOf
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records.from_library import FromLibrary, told_of
from pykala.interfaces.serving.vocabulary import Jurisdiction, Language, Words
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.library.results import Found
from pykala.packs.pack import languages_of
from pykala.records import law as records
from pykala.records.record import Day, Record, json_field
from pykala.text.language import detect

LOOKED_AT = 100  # results that the facets count


class FacetValue(Record):
    """A value of a facet, and how many results have it."""

    value: str = json_field("What to send to see only these.")
    count: int
    reason: str = json_field("Why a rank is what it is; empty for places and kinds.")


class Facets(Record):
    """Counts of results by place, kind and rank."""

    jurisdiction: list[FacetValue]
    kind: list[FacetValue]
    authority: list[FacetValue]


class FoundInWork(records.Found):
    """A search result and its work."""

    kind: WorkKind
    title: str


class Finds(FromLibrary):
    """A page of results, and the facets over all results."""

    query: str
    as_of: Day
    total: int = json_field(f"How many were found among the first {LOOKED_AT}.")
    more: bool = json_field("Whether there may be more than were looked at.")
    results: list[FoundInWork]
    facets: Facets


def routes(state: SharedState) -> APIRouter:
    """The route of the search view."""
    router = APIRouter(tags=["law"])

    @router.get(
        "/find",
        response_model=Finds,
        responses=problems(),
        summary="Provisions in force on a date, and how many are of each place, kind and rank",
    )
    async def find(
        request: Request,
        q: Annotated[Words, Query(description="Words to look for.", examples=["capital income"])],
        as_of: AsOf = None,
        language: Annotated[list[Language] | None, Query(description="Only these languages.")] = None,
        jurisdiction: Annotated[list[Jurisdiction] | None, Query(description="Only these places.")] = None,
        kind: Annotated[list[WorkKind] | None, Query(description="Only these kinds of works.")] = None,
        authority: Annotated[
            list[Annotated[int, Field(ge=0, le=1000)]] | None, Query(description="Only these ranks.")
        ] = None,
        limit: Annotated[int, Query(ge=1, le=LOOKED_AT)] = 20,
    ) -> JSONResponse:
        day = as_of or state.today()

        def look(library: Library) -> object:
            def search(places: Sequence[str] = (), kinds: Sequence[str] = ()) -> tuple[Found, ...]:
                return library.search(
                    q, as_of=day, languages=language or (), jurisdictions=places, kinds=kinds, limit=LOOKED_AT
                )

            every = search()
            kinds = [one.value for one in kind or ()]
            found = search(jurisdiction or (), kinds) if jurisdiction or kinds else every
            chosen = _once(found)
            shown = [one for one in chosen if not authority or one.match.authority in authority]
            return Finds(
                query=q,
                as_of=day,
                total=len(shown),
                more=len(found) == LOOKED_AT,
                results=[_found(one, library) for one in shown[:limit]],
                **told_of(library, language[0] if language and len(language) == 1 else None),
                facets=_facets(_once(every), chosen, library, _spoken(q, language, library)),
            )

        return await state.read(request, look)

    return router


def _spoken(query: str, asked: Sequence[str] | None, library: Library) -> str:
    """The reader's language: the one given, else the language of the query."""
    if asked and len(asked) == 1:
        return asked[0]
    return detect(query, among=languages_of(library.packs)).language


def _once(found: Sequence[Found]) -> list[Found]:
    """Each provision once, in the language of its best hit: translations say the same."""
    first: dict[ProvisionId, Found] = {}
    for one in found:
        first.setdefault(one.match.provision, one)
    return list(first.values())


def _found(one: Found, library: Library) -> FoundInWork:
    work = library.store.work(one.match.work)
    return FoundInWork.of(one, kind=work.kind, title=work.name(one.match.language))


def _facets(every: Sequence[Found], chosen: Sequence[Found], library: Library, spoken: str) -> Facets:
    """Count the results by facet; a chosen value is listed even at zero."""

    def kind_of(one: Found) -> str:
        return library.store.work(one.match.work).kind.value

    ranks = _counted(every, chosen, lambda one: str(one.match.authority))
    return Facets(
        jurisdiction=_counted(every, chosen, lambda one: one.match.work.jurisdiction),
        kind=_counted(every, chosen, kind_of),
        authority=[
            replace(one, reason=_reason(int(one.value), (*every, *chosen), library, spoken))
            for one in sorted(ranks, key=lambda one: -int(one.value))
        ],
    )


def _counted(
    every: Iterable[Found], chosen: Iterable[Found], value: Callable[[Found], str]
) -> list[FacetValue]:
    counts = Counter(map(value, every)) | Counter(map(value, chosen))
    return [FacetValue(value=name, count=count, reason="") for name, count in counts.most_common()]


def _reason(rank: int, found: Iterable[Found], library: Library, spoken: str) -> str:
    """Why works have a rank, in the words of the first pack that uses it."""
    work = next(one.match.work for one in found if one.match.authority == rank)
    pack = library.packs.get(work.jurisdiction)
    if pack is None:
        return ""
    named = (name for name, given in pack.facts.authority.items() if given == rank)
    return next((pack.facts.reason(name, spoken) for name in named), "")
