"""The law itself: search, provisions on a date, whole documents, citations in a text."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from pykala.answer.record import citation_json
from pykala.interfaces.http import models, shapes
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.observing import note_question
from pykala.interfaces.http.requests import AsOf, CiteAsked, Id, JurisdictionQuery, LanguageQuery
from pykala.interfaces.http.vocabulary import Jurisdiction, Kind, Language, Words
from pykala.library import Library
from pykala.library.handed_out import found_json, shown_json

_OF_A_PROVISION = problems("unknown-provision")


def routes(desk: Desk) -> APIRouter:
    """The routes that read the law."""
    router = APIRouter(tags=["law"])
    _add_search(router, desk)
    _add_provisions(router, desk)
    _add_texts(router, desk)
    return router


def _add_search(router: APIRouter, desk: Desk) -> None:
    @router.get(
        "/search",
        response_model=models.SearchModel,
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
        day = as_of or desk.today()

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
            return {"query": q, "as_of": day.isoformat(), "results": [found_json(one) for one in found]}

        return await desk.read(request, find)


def _add_provisions(router: APIRouter, desk: Desk) -> None:
    @router.get(
        "/provision",
        response_model=models.ProvisionModel,
        responses=_OF_A_PROVISION,
        summary="A provision as it stands on a date, with its surroundings",
    )
    async def provision(
        request: Request, id: Id, as_of: AsOf = None, language: LanguageQuery = None
    ) -> JSONResponse:
        day = as_of or desk.today()
        return await desk.read(request, lambda library: provision_shape(library, id, day, language))

    @router.get(
        "/tree",
        response_model=models.TreeModel,
        responses=_OF_A_PROVISION,
        summary="A work or a part of one as a slim tree",
    )
    async def tree(
        request: Request, id: Id, as_of: AsOf = None, language: LanguageQuery = None
    ) -> JSONResponse:
        day = as_of or desk.today()
        return await desk.read(
            request, lambda library: library.tree(id, as_of=day, language=language).as_dict()
        )

    @router.get(
        "/document",
        response_model=models.DocumentModel,
        responses=_OF_A_PROVISION,
        summary="The document that a provision belongs to, whole or as much as fits around it",
    )
    async def document(
        request: Request, id: Id, as_of: AsOf = None, language: LanguageQuery = None
    ) -> JSONResponse:
        day = as_of or desk.today()

        return await desk.read(
            request,
            lambda library: shapes.document_shape(library.document(id, as_of=day, language=language)),
        )


def _add_texts(router: APIRouter, desk: Desk) -> None:
    @router.post(
        "/cite",
        response_model=models.CitationsModel,
        responses=problems("not-json"),
        summary="Citations in a text: where they stand and where they lead",
    )
    async def cite(request: Request, asked: CiteAsked) -> JSONResponse:
        def find(library: Library) -> object:
            found = library.citations(
                asked.text, as_of=desk.today(), language=asked.language, jurisdiction=asked.jurisdiction
            )
            return {"citations": [citation_json(one) for one in found]}

        return await desk.read(request, find)

    @router.get(
        "/keywords",
        response_model=models.KeywordsModel,
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
        day = as_of or desk.today()

        def find(library: Library) -> object:
            spoken, found = library.keywords(q, as_of=day, language=language, jurisdiction=jurisdiction)
            return {"language": spoken, "keywords": [shapes.keyword_json(one) for one in found]}

        return await desk.read(request, find)


def provision_shape(library: Library, text: str, as_of: date, language: str | None) -> dict[str, object]:
    """A provision on a date with its surroundings and its version line."""
    shown = library.show(text, as_of=as_of, language=language)
    identifier, spoken = shown.cited.provision, shown.cited.language
    around = library.surroundings(str(identifier), as_of=as_of, language=spoken)
    return {
        **shapes.around_json(around, shown.languages),
        **shown_json(shown),
        "version_line": shapes.version_line(library.history(str(identifier), language=spoken), as_of),
        "as_of": as_of.isoformat(),
    }
