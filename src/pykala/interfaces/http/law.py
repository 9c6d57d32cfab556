"""The law itself: search, provisions on a date, whole documents, citations in a text."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.requests import AsOf, CiteAsked, Id, JurisdictionQuery, LanguageQuery
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records import law as records
from pykala.interfaces.records.from_library import told_of
from pykala.interfaces.serving.request import note_question
from pykala.interfaces.serving.vocabulary import Jurisdiction, Kind, Language, Words
from pykala.library import Library
from pykala.records.law import Document
from pykala.records.law import Found as FoundRecord
from pykala.views.reading_record import document_record

_OF_A_PROVISION = problems("unknown-provision")


def routes(state: SharedState) -> APIRouter:
    """The routes that read the law."""
    router = APIRouter(tags=["law"])
    _add_search(router, state)
    _add_provisions(router, state)
    _add_texts(router, state)
    return router


def _add_search(router: APIRouter, state: SharedState) -> None:
    @router.get(
        "/search",
        response_model=records.Search,
        responses=_OF_A_PROVISION,
        summary="Provisions in force on a date by their words and meaning",
    )
    async def search(
        request: Request,
        q: Annotated[Words, Query(description="Words to look for.", examples=["capital income"])],
        as_of: AsOf = None,
        language: Annotated[list[Language] | None, Query(description="Only these languages.")] = None,
        jurisdiction: Annotated[
            list[Jurisdiction] | None, Query(description="Only these jurisdictions.")
        ] = None,
        kind: Annotated[
            list[Kind] | None, Query(description="Only these kinds of works or provisions.")
        ] = None,
        work: Annotated[list[Words] | None, Query(description="Only these works.", max_length=50)] = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 10,
    ) -> JSONResponse:
        note_question(q)
        day = as_of or state.today()

        def find(library: Library) -> object:
            found = library.search(
                q,
                as_of=day,
                languages=language or (),
                jurisdictions=jurisdiction or (),
                kinds=kind or (),
                works=work or (),
                limit=limit,
            )
            results = [FoundRecord.of(one) for one in found]
            return records.Search(query=q, as_of=day, results=results, **told_of(library))

        return await state.read(request, find)


def _add_provisions(router: APIRouter, state: SharedState) -> None:
    @router.get(
        "/provision",
        response_model=records.Provision,
        responses=_OF_A_PROVISION,
        summary="A provision as it stands on a date, with its surroundings",
    )
    async def provision(
        request: Request, id: Id, as_of: AsOf = None, language: LanguageQuery = None
    ) -> JSONResponse:
        day = as_of or state.today()
        return await state.read(request, lambda library: records.provision_page(library, id, day, language))

    @router.get(
        "/tree",
        response_model=records.TreeFromLibrary,
        responses=_OF_A_PROVISION,
        summary="A work or a part of one as a slim tree",
    )
    async def tree(
        request: Request, id: Id, as_of: AsOf = None, language: LanguageQuery = None
    ) -> JSONResponse:
        day = as_of or state.today()

        def draw(library: Library) -> object:
            found = library.tree(id, as_of=day, language=language)
            return records.TreeFromLibrary.of(found, **told_of(library, language))

        return await state.read(request, draw)

    @router.get(
        "/document",
        response_model=Document,
        responses=_OF_A_PROVISION,
        summary="The document that a provision belongs to, whole or as much as fits around it",
    )
    async def document(
        request: Request, id: Id, as_of: AsOf = None, language: LanguageQuery = None
    ) -> JSONResponse:
        day = as_of or state.today()

        return await state.read(
            request,
            lambda library: document_record(library.document(id, as_of=day, language=language)),
        )


def _add_texts(router: APIRouter, state: SharedState) -> None:
    @router.post(
        "/cite",
        response_model=records.CitationsFromLibrary,
        responses=problems("not-json"),
        summary="Citations in a text: where they stand and where they lead",
    )
    async def cite(request: Request, asked: CiteAsked) -> JSONResponse:
        def find(library: Library) -> object:
            found = library.citations(
                asked.text, as_of=state.today(), language=asked.language, jurisdiction=asked.jurisdiction
            )
            told = told_of(library, asked.language)
            return records.CitationsFromLibrary.of(None, citations=found, **told)

        return await state.read(request, find)

    @router.get(
        "/keywords",
        response_model=records.Keywords,
        responses=problems(),
        summary="The keywords of a question, with how many provisions and documents hold each",
    )
    async def words(
        request: Request,
        q: Annotated[Words, Query(description="A question.", examples=["How is capital income taxed?"])],
        as_of: AsOf = None,
        language: LanguageQuery = None,
        jurisdiction: JurisdictionQuery = None,
    ) -> JSONResponse:
        note_question(q)
        day = as_of or state.today()

        def find(library: Library) -> object:
            spoken, found = library.keywords(q, as_of=day, language=language, jurisdiction=jurisdiction)
            return records.Keywords.of(None, language=spoken, keywords=found)

        return await state.read(request, find)
