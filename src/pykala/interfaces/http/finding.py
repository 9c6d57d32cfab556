"""Search with facets: what was found, and how many of it are of each place, kind and rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.models import FoundModel
from pykala.interfaces.http.models.describing import Day, Described
from pykala.interfaces.http.requests import AsOf
from pykala.interfaces.http.vocabulary import Jurisdiction, Language, Words
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.library.handed_out import found_json
from pykala.library.results import Found
from pykala.packs.pack import languages_of
from pykala.text.language import detect

LOOKED_AT = 100  # results that the facets count

Value = Annotated[str, Field(description="What to send to see only these.")]


class FacetValue(Described):
    """A value of a facet, and how many of what was looked at have it."""

    value: Value
    count: int
    reason: str = Field(description="Why a rank is what it is; empty for places and kinds.")


class FacetsModel(Described):
    """What was found, by place, kind and rank."""

    jurisdiction: list[FacetValue]
    kind: list[FacetValue]
    authority: list[FacetValue]


class FoundWorkModel(FoundModel):
    """A search result with the work it stands in."""

    kind: WorkKind
    title: str


class FindModel(Described):
    """A page of results and the facets of all that was looked at."""

    query: str
    as_of: Day
    total: int = Field(description=f"How many were found among the first {LOOKED_AT}.")
    more: bool = Field(description="Whether there may be more than were looked at.")
    results: list[FoundWorkModel]
    facets: FacetsModel


def routes(desk: Desk) -> APIRouter:
    """The route of the search view."""
    router = APIRouter(tags=["law"])

    @router.get(
        "/find",
        response_model=FindModel,
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
        day = as_of or desk.today()

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
            return {
                "query": q,
                "as_of": day.isoformat(),
                "total": len(shown),
                "more": len(found) == LOOKED_AT,
                "results": [_found(one, library) for one in shown[:limit]],
                "facets": _facets(_once(every), chosen, library, _spoken(q, language, library)),
            }

        return await desk.read(request, look)

    return router


def _spoken(query: str, asked: Sequence[str] | None, library: Library) -> str:
    """The reader's language: the one that was asked for, else that of the words."""
    if asked and len(asked) == 1:
        return asked[0]
    return detect(query, among=languages_of(library.packs)).language


def _once(found: Sequence[Found]) -> list[Found]:
    """Each provision once, in the language in which it was found first: translations say the same."""
    first: dict[ProvisionId, Found] = {}
    for one in found:
        first.setdefault(one.match.provision, one)
    return list(first.values())


def _found(one: Found, library: Library) -> dict[str, object]:
    work = library.store.work(one.match.work)
    return {**found_json(one), "kind": work.kind.value, "title": work.name(one.match.language)}


def _facets(
    every: Sequence[Found], chosen: Sequence[Found], library: Library, spoken: str
) -> dict[str, object]:
    """Counts over all that was found; a value that was chosen is there though nothing had it before."""

    def kind_of(one: Found) -> str:
        return library.store.work(one.match.work).kind.value

    return {
        "jurisdiction": _counted(every, chosen, lambda one: one.match.work.jurisdiction),
        "kind": _counted(every, chosen, kind_of),
        "authority": [
            {**counted, "reason": _reason(int(str(counted["value"])), (*every, *chosen), library, spoken)}
            for counted in sorted(
                _counted(every, chosen, lambda one: str(one.match.authority)),
                key=lambda counted: -int(str(counted["value"])),
            )
        ],
    }


def _counted(
    every: Iterable[Found], chosen: Iterable[Found], value: Callable[[Found], str]
) -> list[dict[str, object]]:
    counts = Counter(map(value, every)) | Counter(map(value, chosen))
    return [{"value": name, "count": count, "reason": ""} for name, count in counts.most_common()]


def _reason(rank: int, found: Iterable[Found], library: Library, spoken: str) -> str:
    """Why works have a rank, as the pack of the first that has it says."""
    work = next(one.match.work for one in found if one.match.authority == rank)
    pack = library.packs.get(work.jurisdiction)
    if pack is None:
        return ""
    named = (name for name, given in pack.facts.authority.items() if given == rank)
    return next((pack.facts.reason(name, spoken) for name in named), "")
