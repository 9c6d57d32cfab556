"""Routes for time and neighbourhood: histories, comparisons of dates, references between provisions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.feeds import WorksQuery, changed_works
from pykala.interfaces.http.requests import AsOf, Id, JurisdictionQuery, LanguageQuery
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records.law import (
    Changes,
    HistoryFromLibrary,
    Neighbourhood,
    changes_record,
    history_page,
    neighbourhood,
)
from pykala.interfaces.serving.vocabulary import Day
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.records.law import Comparison
from pykala.views.time_record import comparison_record

_OF_A_PROVISION = problems("unknown-provision")


def routes(state: SharedState) -> APIRouter:
    """The routes for time and neighbourhood."""
    router = APIRouter(tags=["law"])

    @router.get(
        "/history",
        response_model=HistoryFromLibrary,
        responses=_OF_A_PROVISION,
        summary="Every wording of a provision, and each day on which anything below it changed",
    )
    async def history(request: Request, id: Id, language: LanguageQuery = None) -> JSONResponse:
        def read(library: Library) -> object:
            return history_page(library.history(id, language=language), library, language)

        return await state.read(request, read)

    @router.get(
        "/diff",
        response_model=Comparison,
        responses=_OF_A_PROVISION,
        summary="What differs in a provision or a whole work between two dates",
    )
    async def diff(
        request: Request,
        id: Id,
        first: Annotated[Day, Query(description="One date.", examples=["2010-01-01"])],
        second: Annotated[Day, Query(description="The other date.", examples=["2026-01-01"])],
        language: LanguageQuery = None,
    ) -> JSONResponse:
        earlier, later = sorted((first, second))  # the user may select the two versions in any order

        def compare(library: Library) -> object:
            return comparison_record(library.diff(id, earlier, later, language=language))

        return await state.read(request, compare)

    @router.get(
        "/related",
        response_model=Neighbourhood,
        responses=_OF_A_PROVISION,
        summary="What a provision refers to and what refers to it",
    )
    async def related(
        request: Request, id: Id, as_of: AsOf = None, hops: Annotated[int, Query(ge=1, le=2)] = 1
    ) -> JSONResponse:
        day = as_of or state.today()
        return await state.read(
            request,
            lambda library: neighbourhood(library.related(id, as_of=day, hops=hops), library, day),
        )

    @router.get(
        "/changes",
        response_model=Changes,
        responses=_OF_A_PROVISION,
        summary="The works whose words changed in a period, and the acts that changed them",
    )
    async def changes(
        request: Request,
        since: Annotated[Day, Query(description="The first day.", examples=["2024-01-01"])],
        until: Annotated[Day | None, Query(description="The last day; all that is known without it.")] = None,
        jurisdiction: JurisdictionQuery = None,
        kind: Annotated[WorkKind | None, Query(description="Only works of this kind.")] = None,
        work: WorksQuery = None,
        limit: Annotated[int, Query(ge=1, le=1000, description="Works at most.")] = 100,
    ) -> JSONResponse:
        def find(library: Library) -> object:
            wanted = kind.value if kind else None
            found = changed_works(library, since, until, jurisdiction, wanted, work or ())
            return changes_record(found, library, since, until, works=limit)

        return await state.read(request, find)

    return router
