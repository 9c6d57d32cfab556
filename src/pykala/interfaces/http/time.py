"""Time and neighbourhood: histories, differences between dates, what refers to what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from pykala.interfaces.http import models, shapes
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.feeds import WorksQuery, changed_works
from pykala.interfaces.http.requests import AsOf, Id, JurisdictionQuery, LanguageQuery
from pykala.interfaces.http.vocabulary import Day
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.views.time_record import history_json

_OF_A_PROVISION = problems("unknown-provision")


def routes(desk: Desk) -> APIRouter:
    """The routes of time and neighbourhood."""
    router = APIRouter(tags=["law"])

    @router.get(
        "/history",
        response_model=models.HistoryModel,
        responses=_OF_A_PROVISION,
        summary="Every wording of a provision, and each day on which anything below it changed",
    )
    async def history(request: Request, id: Id, language: LanguageQuery = None) -> JSONResponse:
        return await desk.read(request, lambda library: history_json(library.history(id, language=language)))

    @router.get(
        "/diff",
        response_model=models.ComparisonModel,
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
        earlier, later = sorted((first, second))  # whoever clicks on two versions may begin with either

        def compare(library: Library) -> object:
            found = library.diff(id, earlier, later, language=language)
            return shapes.comparison_shape(found, library, language)

        return await desk.read(request, compare)

    @router.get(
        "/related",
        response_model=models.RelatedModel,
        responses=_OF_A_PROVISION,
        summary="What a provision refers to and what refers to it",
    )
    async def related(
        request: Request, id: Id, as_of: AsOf = None, hops: Annotated[int, Query(ge=1, le=2)] = 1
    ) -> JSONResponse:
        day = as_of or desk.today()
        return await desk.read(
            request,
            lambda library: shapes.related_shape(library.related(id, as_of=day, hops=hops), library, day),
        )

    @router.get(
        "/changes",
        response_model=models.ChangesModel,
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
            return {**shapes.changes_shape(found[:limit], library, since, until), "total": len(found)}

        return await desk.read(request, find)

    return router
