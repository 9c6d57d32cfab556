"""The library as something to keep: what it holds, the user's own documents, and what is kept for later."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, UploadFile
from fastapi.responses import JSONResponse, Response

from pykala.caches.caching import CacheName
from pykala.interfaces.http import holdings, models, uploading
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.guards import too_large
from pykala.interfaces.http.requests import JurisdictionQuery
from pykala.interfaces.http.vocabulary import Words
from pykala.law.identifiers import WorkId
from pykala.law.provisions import WorkKind
from pykala.library import Library


def routes(desk: Desk) -> APIRouter:
    """The routes of keeping."""
    router = APIRouter(tags=["library"])
    _add_holdings(router, desk)
    _add_uploads(router, desk)
    _add_caches(router, desk)
    return router


def _add_holdings(router: APIRouter, desk: Desk) -> None:
    inventories = desk.inventories

    @router.get(
        "/library",
        response_model=models.LibraryModel,
        responses=problems(),
        summary="What is loaded: works, provisions, versions, years, languages, what changed lately",
    )
    async def library(request: Request) -> JSONResponse:
        day, writable = desk.today(), desk.premises.writable
        return await desk.read(
            request,
            lambda held: holdings.library_shape(held, inventories.of(held), writable=writable, today=day),
        )

    @router.get(
        "/library/works", response_model=models.WorksModel, responses=problems(), summary="Works by name"
    )
    async def works(
        request: Request,
        q: Annotated[str, Query(max_length=500, description="Words of the name.")] = "",
        jurisdiction: JurisdictionQuery = None,
        kind: Annotated[WorkKind | None, Query(description="Only this kind of work.")] = None,
        offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
    ) -> JSONResponse:
        asked = holdings.WorksAsked(q, jurisdiction, kind.value if kind else None, offset, limit)
        return await desk.read(
            request, lambda held: holdings.works_shape(held, inventories.works(held), asked)
        )

    @router.get(
        "/library/unresolved",
        response_model=models.UnresolvedReferencesModel,
        responses=problems(),
        summary="References that lead out of the library: how many for each reason, and some of them",
    )
    async def unresolved(request: Request, limit: Annotated[int, Query(ge=1, le=200)] = 20) -> JSONResponse:
        return await desk.read(
            request, lambda held: holdings.unresolved_shape(held, inventories.of(held), limit)
        )


def _add_uploads(router: APIRouter, desk: Desk) -> None:
    room, premises, limit = desk.room, desk.premises, desk.options.upload_bytes

    @router.get(
        "/uploads", response_model=models.UploadsModel, responses=problems(), summary="Your own documents"
    )
    async def uploads(request: Request) -> JSONResponse:
        def listed(held: Library) -> object:
            works = uploading.uploaded(held.store)
            return {
                "uploads": [uploading.upload_json(held.store, work) for work in works],
                "writable": premises.writable,
                "folder": str(premises.uploads or ""),
                "limit_bytes": limit,
                "formats": list(uploading.FORMATS),
            }

        return await desk.read(request, listed)

    @router.post(
        "/uploads",
        status_code=201,
        response_model=models.UploadModel,
        responses=problems("upload-refused", "read-only", "not-json")
        | {200: {"model": models.UploadModel, "description": "The same file is here already."}},
        summary="Add a document: PDF, DOCX, HTML, Markdown or text; its content says what it is",
    )
    async def upload(file: UploadFile) -> JSONResponse:
        data = await file.read(limit + 1)
        if len(data) > limit:
            raise too_large(limit)

        def write(held: Library) -> tuple[WorkId, bool]:
            return uploading.add(held, file.filename or "", data)

        work, known = await room.write(write, into=premises.prepare)
        told = await room.read(lambda held: uploading.upload_json(held.store, work))
        return JSONResponse({**told, "unchanged": known}, 200 if known else 201)

    @router.delete(
        "/uploads",
        status_code=204,
        responses=problems("unknown-provision", "read-only"),
        summary="Remove one of your documents, and its original",
    )
    async def delete(work: Annotated[Words, Query(examples=["up:0123456789abcdef"])]) -> Response:
        await room.read(lambda held: uploading.upload_named(held, work))  # before anything is made ready
        await room.write(lambda held: uploading.remove(held, work), into=premises.prepare)
        return Response(status_code=204)


def _add_caches(router: APIRouter, desk: Desk) -> None:
    @router.get(
        "/caches", response_model=models.CachesModel, responses=problems(), summary="What is kept for later"
    )
    def caches() -> JSONResponse:
        kept = [
            {
                "name": one.name,
                "entries": one.entries,
                "bytes": one.bytes,
                "hits": one.hits,
                "misses": one.misses,
                "lifetime": one.lifetime,
            }
            for one in desk.cache.status()
        ]
        return JSONResponse({"caches": kept, "fault": desk.cache.fault})

    @router.delete(
        "/caches", status_code=204, responses=problems(), summary="Forget what is kept, all or by name"
    )
    def clear(
        name: Annotated[list[CacheName] | None, Query(description="Only these.")] = None,
    ) -> Response:
        desk.cache.clear(name or ())
        return Response(status_code=204)
