"""About the server itself: jurisdictions, questions to begin with, health."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from pykala.interfaces.cli.output import pack_json
from pykala.interfaces.http import models
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.holdings import names_of
from pykala.interfaces.http.requests import JurisdictionQuery, LanguageQuery
from pykala.library import Library
from pykala.packs.pack import PackFacts, installed

_EXAMPLE = ("question", "jurisdiction", "language", "as_of")


def routes(desk: Desk) -> APIRouter:
    """The routes about the server."""
    router = APIRouter(tags=["about"])

    @router.get(
        "/examples",
        response_model=models.ExamplesModel,
        responses=problems(),
        summary="Questions to begin with, for each jurisdiction and language",
    )
    def examples(jurisdiction: JurisdictionQuery = None, language: LanguageQuery = None) -> JSONResponse:
        found = [
            one
            for pack in installed().values()
            for one in example_questions(pack.facts)
            if jurisdiction in (None, one["jurisdiction"]) and language in (None, one["language"])
        ]
        return JSONResponse({"examples": found})

    @router.get(
        "/jurisdictions",
        response_model=models.JurisdictionsModel,
        responses=problems(),
        summary="The installed jurisdictions: names, languages, ranks of their sources; whether it is held",
    )
    async def jurisdictions(request: Request) -> JSONResponse:
        def look(library: Library) -> object:
            held = desk.inventories.jurisdictions(library)
            return {
                "jurisdictions": [
                    {**_pack_json(pack.facts), "held": code in held} for code, pack in installed().items()
                ]
            }

        return await desk.read(request, look)

    @router.get(
        "/health", response_model=models.HealthModel, responses=problems(), summary="Whether it lives"
    )
    def health() -> JSONResponse:
        return JSONResponse({"status": "ok", "version": version("pykala")})

    @router.get(
        "/ready", response_model=models.ReadyModel, responses=problems(), summary="Whether it can answer"
    )
    async def ready(request: Request) -> JSONResponse:
        def look(library: Library) -> object:
            library.store.resolve("ready")  # reads the records, which facts that are kept would not
            return {
                "status": "ready",
                "version": version("pykala"),
                "second_opinion": library.adviser is not None,
                "online": desk.options.online is not None,
            }

        return await desk.read(request, look)

    return router


def _pack_json(facts: PackFacts) -> dict[str, object]:
    return {**pack_json(facts), "names": names_of(facts), "default_language": facts.default_language}


def example_questions(facts: PackFacts) -> Iterator[dict[str, object]]:
    """The questions of a pack whose answer is in its sample."""
    place = files(facts.package).joinpath("questions.jsonl")
    if not place.is_file():
        return
    for line in place.read_text("utf-8").splitlines():
        one = json.loads(line)
        if one.get("outcome") == "ANSWERED":
            yield {name: one.get(name) for name in _EXAMPLE}
