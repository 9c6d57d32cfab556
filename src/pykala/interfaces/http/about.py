"""Routes about the server: jurisdictions, example questions, health."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.requests import JurisdictionQuery, LanguageQuery
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records import library as records
from pykala.interfaces.serving.problems import Problem
from pykala.library import Library
from pykala.library.sample import is_sample
from pykala.packs.pack import PackFacts, installed
from pykala.views.sheets import written_here


def routes(state: SharedState) -> APIRouter:
    """The routes about the server."""
    router = APIRouter(tags=["about"])

    @router.get(
        "/examples",
        response_model=records.Examples,
        responses=problems(),
        summary="Questions to begin with, for each jurisdiction and language",
    )
    async def examples(
        request: Request, jurisdiction: JurisdictionQuery = None, language: LanguageQuery = None
    ) -> JSONResponse:
        def look(library: Library) -> object:
            sample = is_sample(library.store.facts())
            found = [
                one
                for pack in installed().values()
                for one in example_questions(pack.facts, sample=sample)
                if jurisdiction in (None, one.jurisdiction) and language in (None, one.language)
            ]
            return records.Examples(examples=found)

        return await state.read(request, look)

    @router.get(
        "/jurisdictions",
        response_model=records.Jurisdictions,
        responses=problems(),
        summary="The installed jurisdictions: names, languages, ranks of their sources; whether it is held",
    )
    async def jurisdictions(request: Request) -> JSONResponse:
        def look(library: Library) -> object:
            held = state.inventories.jurisdictions(library)
            return records.Jurisdictions(
                jurisdictions=[
                    records.Jurisdiction.of(
                        pack.facts, authority=records.ranks_of(pack.facts), held=code in held
                    )
                    for code, pack in installed().items()
                ]
            )

        return await state.read(request, look)

    @router.get("/health", response_model=records.Health, responses=problems(), summary="Whether it lives")
    async def health(request: Request) -> JSONResponse:
        status = "draining" if request.app.state.draining else "ok"
        return JSONResponse(records.Health(status=status, version=version("pykala")).as_json())

    @router.get("/ready", response_model=records.Ready, responses=problems(), summary="Whether it can answer")
    async def ready(request: Request) -> JSONResponse:
        if request.app.state.draining:
            raise Problem("draining", "this server finishes what it has begun and then ends; ask another one")

        def look(library: Library) -> object:
            library.store.resolve("ready")  # read the records themselves: the facts may be cached
            return records.Ready(
                status="ready",
                version=version("pykala"),
                second_opinion=library.adviser is not None,
                online=state.options.online is not None,
                sample=is_sample(library.store.facts()),
                exports=list(written_here()),
            )

        return await state.read(request, look)

    return router


def example_questions(facts: PackFacts, *, sample: bool = True) -> Iterator[records.Example]:
    """The example questions of a pack whose answers are in its sample, or in the law itself."""
    names = ("questions.jsonl",) if sample else ("questions-corpus.jsonl", "questions.jsonl")
    places = (files(facts.package).joinpath(name) for name in names)
    place = next((one for one in places if one.is_file()), None)
    if place is None:
        return
    for line in place.read_text("utf-8").splitlines():
        one = json.loads(line)
        if one.get("outcome") == "ANSWERED":
            yield records.Example(
                question=one["question"],
                jurisdiction=one["jurisdiction"],
                language=one["language"],
                as_of=date.fromisoformat(one["as_of"]),
            )
