"""Remove works, and fetch works from publishers, for keys with that right.

Deleting needs the right of PYKALA_DELETE_KEYS, if the server has keys at all. Fetching contacts publishers in
the server's name: it needs a key in PYKALA_INGEST_KEYS, or a server that was started with --online.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from pykala.fetch.refusals import MirrorFault
from pykala.ingest import Progress
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records import library as records
from pykala.interfaces.serving import uploads
from pykala.interfaces.serving.long_work import begin_writing
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.rights import Right, held
from pykala.interfaces.serving.vocabulary import Jurisdiction, Words
from pykala.law.identifiers import InvalidIdentifier, WorkId
from pykala.library import Library
from pykala.online.acts import FetchReport, find_acts
from pykala.packs.pack import Pack, SearchablePack, installed, pack_for
from pykala.records.record import Json

_MOST_ACTS = 50


class FetchAsked(BaseModel):
    """Acts to fetch, by words of their title."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"jurisdiction": "eu", "words": "vehicle approval"}]}
    )
    jurisdiction: Jurisdiction
    words: Words
    year: int | None = Field(default=None, ge=1950, le=2100)
    limit: int = Field(default=5, ge=1, le=_MOST_ACTS)


def routes(state: SharedState) -> APIRouter:
    """The routes for removing and fetching."""
    router = APIRouter(tags=["library"])
    _add_rights(router, state)
    _add_removing(router, state)
    _add_fetching(router, state)
    return router


def _add_rights(router: APIRouter, state: SharedState) -> None:
    @router.get(
        "/rights", response_model=records.Rights, responses=problems(), summary="What this key is good for"
    )
    def rights() -> JSONResponse:
        may_fetch = _goes_out(state) and Right.INGEST in held.get() and state.location.writable
        sources = [code for code, pack in installed().items() if isinstance(pack, SearchablePack)]
        record = records.Rights(
            rights=sorted(one.value for one in held.get()),
            writable=state.location.writable,
            publishers=sources if may_fetch else [],
        )
        return JSONResponse(record.as_json())


def _goes_out(state: SharedState) -> bool:
    """Whether the operator lets this server contact publishers."""
    return bool(state.options.ingest_keys) or state.options.online is not None


def _add_removing(router: APIRouter, state: SharedState) -> None:
    @router.delete(
        "/library/works",
        status_code=204,
        responses=problems("unknown-provision", "read-only"),
        summary="Remove a work from the library",
    )
    async def remove(work: Annotated[Words, Query(examples=["fi:act:1992/1535"])]) -> Response:
        # Check this first: a request for an unknown work must not create a copy of the sample.
        whole = await state.pool.read(lambda library: _whole(library, work))
        await state.pool.write(lambda library: _remove(library, whole), into=state.location.prepare)
        return Response(status_code=204)


def _whole(library: Library, work: str) -> WorkId:
    found = library.locate(work)
    if found.path:
        raise InvalidIdentifier(f"{work!r} is a provision; works are removed whole, as {found.work}")
    library.store.work(found.work)
    return found.work


def _remove(library: Library, work: WorkId) -> None:
    if work.is_upload:
        uploads.remove(library, str(work))  # also removes its original and its name
    else:
        library.delete(str(work))


def _add_fetching(router: APIRouter, state: SharedState) -> None:
    def publisher(code: str) -> Pack:
        if not _goes_out(state):
            raise Problem(
                "not-allowed",
                "this server fetches nothing for its readers; who runs it gives that right to a key in"
                " PYKALA_INGEST_KEYS, serves with --online, or runs 'pykala fetch'",
            )
        pack = pack_for(code)
        if not isinstance(pack, SearchablePack):
            raise Problem("invalid-request", f"the publisher of {code} is not searched here")
        return pack

    @router.get(
        "/library/acts",
        response_model=records.Acts,
        responses=problems("source-unavailable"),
        summary="Acts at their publisher, by words of their title; nothing is fetched",
    )
    async def acts(
        request: Request,
        jurisdiction: Annotated[Jurisdiction, Query(description="Whose publisher.")],
        words: Annotated[Words, Query(examples=["vehicle approval"])],
        year: Annotated[int | None, Query(ge=1950, le=2100)] = None,
        limit: Annotated[int, Query(ge=1, le=_MOST_ACTS)] = 10,
    ) -> JSONResponse:
        pack = publisher(jurisdiction)

        def look(library: Library) -> object:
            source = library.packs.get(jurisdiction, pack)  # whom a fetch will ask, too
            with _reporting_outages():
                return records.Acts.of(None, acts=find_acts(source, words, year=year, limit=limit))

        return await state.read(request, look)

    @router.post(
        "/library/acts",
        response_model=records.Fetched,
        responses=problems("not-json", "read-only", "source-unavailable")
        | {202: {"model": records.JobLine, "description": "It goes on; `Location` tells how far it is."}},
        summary="Fetch acts from their publisher, by words of their title, and read them into the library",
    )
    async def fetch(
        asked: FetchAsked,
        prefer: Annotated[str, Header(description="`respond-async`: answer at once.")] = "",
    ) -> JSONResponse:
        publisher(asked.jurisdiction)

        def write(library: Library, progress: Progress) -> FetchReport:
            assert library.folder is not None
            folder = library.folder / "fetched"
            with _reporting_outages():
                return library.fetch(
                    asked.jurisdiction,
                    asked.words,
                    folder,
                    year=asked.year,
                    limit=asked.limit,
                    progress=progress,
                )

        job = await asyncio.to_thread(state.jobs.begin, f"fetch {asked.jurisdiction}")
        running = begin_writing(state.pool, job, write, _told_of_fetch, into=state.location.prepare)
        if "respond-async" in prefer:
            found = await asyncio.to_thread(state.jobs.find, job.place)
            if found is not None:  # otherwise no client could ask for it
                line = records.job_line(job.place, found).as_json()
                headers = {"Location": f"/api/v1/job?id={job.place}", "Preference-Applied": "respond-async"}
                return JSONResponse(line, 202, headers)
        return JSONResponse(records.Fetched.of(await asyncio.shield(running)).as_json())


def _told_of_fetch(report: FetchReport) -> Json:
    return records.Fetched.of(report).as_json()


@contextmanager
def _reporting_outages() -> Iterator[None]:
    """Report a publisher's outage as an error; it must never look like "nothing found"."""
    try:
        yield
    except MirrorFault as fault:
        raise Problem("source-unavailable", str(fault)) from None
