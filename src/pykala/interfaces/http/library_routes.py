"""Routes for the library's contents, the user's own documents, and the caches."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, UploadFile
from fastapi.responses import JSONResponse, Response

from pykala.caches.caching import CacheName
from pykala.interfaces.http import holdings
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.guards import too_large
from pykala.interfaces.http.requests import JurisdictionQuery, LanguageQuery
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records import library as records
from pykala.interfaces.serving import uploads as uploaded_files
from pykala.interfaces.serving.long_work import awaited
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.vocabulary import Words
from pykala.law.identifiers import WorkId
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.stores.postgres.address import shown


def routes(state: SharedState) -> APIRouter:
    """The routes for the library."""
    router = APIRouter(tags=["library"])
    _add_holdings(router, state)
    _add_uploads(router, state)
    _add_caches(router, state)
    _add_jobs(router, state)
    return router


def _add_holdings(router: APIRouter, state: SharedState) -> None:
    inventories = state.inventories

    @router.get(
        "/library",
        response_model=records.Library,
        responses=problems(),
        summary="What is loaded: works, provisions, versions, years, languages, what changed lately",
    )
    async def library(request: Request) -> JSONResponse:
        day, writable = state.today(), state.location.writable
        return await state.read(
            request,
            lambda held: holdings.library_record(held, inventories.of(held), writable=writable, today=day),
        )

    @router.get("/library/works", response_model=records.Works, responses=problems(), summary="Works by name")
    async def works(
        request: Request,
        q: Annotated[str, Query(max_length=500, description="Words of the name.")] = "",
        jurisdiction: JurisdictionQuery = None,
        kind: Annotated[WorkKind | None, Query(description="Only this kind of work.")] = None,
        language: LanguageQuery = None,
        offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
    ) -> JSONResponse:
        kinds = kind.value if kind else None
        asked = holdings.WorksAsked(q, jurisdiction, kinds, offset, limit, language or "")
        return await state.read(
            request, lambda held: holdings.works_record(held, inventories.works(held), asked)
        )

    @router.get(
        "/library/unresolved",
        response_model=records.UnresolvedReferences,
        responses=problems(),
        summary="References that lead out of the library: how many for each reason, and some of them",
    )
    async def unresolved(request: Request, limit: Annotated[int, Query(ge=1, le=200)] = 20) -> JSONResponse:
        return await state.read(
            request, lambda held: holdings.unresolved_record(held, inventories.of(held), limit)
        )


def _add_uploads(router: APIRouter, state: SharedState) -> None:
    pool, location, limit = state.pool, state.location, state.options.upload_bytes

    @router.get(
        "/uploads", response_model=records.Uploads, responses=problems(), summary="Your own documents"
    )
    async def uploads(request: Request) -> JSONResponse:
        def listed(held: Library) -> object:
            works = uploaded_files.uploaded(held.store)
            return records.Uploads(
                uploads=[uploaded_files.upload_record(held.store, work) for work in works],
                writable=location.writable,
                folder=shown(location.uploads) if location.uploads else "",
                limit_bytes=limit,
                formats=list(uploaded_files.FORMATS),
            )

        return await state.read(request, listed)

    @router.post(
        "/uploads",
        status_code=201,
        response_model=records.Upload,
        responses=problems("upload-refused", "read-only", "not-json")
        | {200: {"model": records.Upload, "description": "The same file is here already."}},
        summary="Add a document: PDF, DOCX, HTML, Markdown or text; its content says what it is",
    )
    async def upload(file: UploadFile) -> JSONResponse:
        data = await file.read(limit + 1)
        if len(data) > limit:
            raise too_large(limit)

        def write(held: Library) -> tuple[WorkId, bool]:
            return uploaded_files.add(held, file.filename or "", data)

        work, known = await pool.write(write, into=location.prepare)
        line = await pool.read(lambda held: uploaded_files.upload_record(held.store, work))
        return JSONResponse(records.Upload.of(line, unchanged=known).as_json(), 200 if known else 201)

    @router.delete(
        "/uploads",
        status_code=204,
        responses=problems("unknown-provision", "read-only"),
        summary="Remove one of your documents, and its original",
    )
    async def delete(work: Annotated[Words, Query(examples=["up:0123456789abcdef"])]) -> Response:
        await pool.read(lambda held: uploaded_files.upload_named(held, work))  # before anything is made ready
        await pool.write(lambda held: uploaded_files.remove(held, work), into=location.prepare)
        return Response(status_code=204)


def _add_caches(router: APIRouter, state: SharedState) -> None:
    @router.get(
        "/caches", response_model=records.Caches, responses=problems(), summary="What is kept for later"
    )
    def caches() -> JSONResponse:
        return JSONResponse(records.caches_record(state.cache, state.cache.status()).as_json())

    @router.delete(
        "/caches", status_code=204, responses=problems(), summary="Forget what is kept, all or by name"
    )
    def clear(
        name: Annotated[list[CacheName] | None, Query(description="Only these.")] = None,
    ) -> Response:
        state.cache.clear(name or ())
        return Response(status_code=204)


def _add_jobs(router: APIRouter, state: SharedState) -> None:
    @router.get(
        "/jobs",
        response_model=records.Jobs,
        responses=problems(),
        summary="Long work on the library (ingests, fetches) of the last day, on every machine",
    )
    def jobs() -> JSONResponse:
        lines = [records.job_line(place, job) for place, job in (state.jobs.listed() or {}).items()]
        return JSONResponse(records.Jobs(jobs=lines, fault=state.jobs.fault).as_json())

    @router.get(
        "/job",
        response_model=records.JobLine,
        responses=problems("not-found"),
        summary="How far one piece of long work is, and what came of it",
    )
    async def job(
        id: Annotated[
            Words,
            Query(
                description="As the answer to `POST /library/acts` names it.", examples=["3f6b1c0d9a2e4857"]
            ),
        ],
        wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait for its end.")] = 0,
    ) -> JSONResponse:
        found = await awaited(state.jobs, id, wait)
        if found is None:
            raise Problem("not-found", f"there is no work {id!r} of the last day")
        return JSONResponse(records.job_line(id, found).as_json())
