"""Export an answer as Word, PDF or Markdown, from the record that the client sends.

The server keeps no answers, so it is sent the record that it gave before. What stands in one is data.
"""

from __future__ import annotations

import asyncio
import json
import re
from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from pykala.fetch.confined import Bounds, processes
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.vocabulary import Day, Words
from pykala.law.answers import Outcome
from pykala.views.sheets import MEDIA_TYPES, SheetsMissing, require_writer, sheet_or_refusal

_BOUNDS = Bounds(seconds=20)
_FORM = Query(description="Word, PDF or Markdown.", examples=["docx"])


class Record(BaseModel):
    """An answer record as `POST /ask` returns it; unknown fields are treated as untrusted data."""

    model_config = ConfigDict(extra="allow")
    question: Words
    as_of: Day
    language: Words
    outcome: Outcome
    text: str = ""
    primary: dict[str, Any] | None = None
    support: list[dict[str, Any]] = []
    claims: list[dict[str, Any]] = []


def routes(state: SharedState) -> APIRouter:
    """The route for exports."""
    router = APIRouter(tags=["questions"])

    @router.post(
        "/export",
        response_class=Response,
        responses=problems("not-json", "not-installed")
        | {
            200: {
                "description": "The document.",
                "content": {kind: {"schema": {"type": "string"}} for kind in MEDIA_TYPES.values()},
            }
        },
        summary="An answer record as a document with its question, citations, dates and addresses",
    )
    async def export(record: Record, form: Annotated[Literal["docx", "pdf", "md"], _FORM]) -> Response:
        given, day = _json(record), state.today()
        async with asyncio.timeout(state.options.seconds):
            data = await asyncio.to_thread(_document, given, form, day)
        name = file_name(record.question, record.as_of, form)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type=MEDIA_TYPES[form], headers=headers)

    return router


def _json(record: Record) -> str:
    try:
        return json.dumps(record.model_dump(mode="json"))
    except (ValueError, RecursionError):  # a record of ours has a few levels
        raise Problem("invalid-request", "the record is nested too deeply") from None


def _document(record: str, form: str, day: date) -> bytes:
    """A document, made in a process that is killed if it takes too long: anybody may send any record."""
    try:
        require_writer(form)
    except SheetsMissing as error:
        raise Problem("not-installed", f"{error}; who runs the server does that") from None
    made, refusal = processes.bounded(_BOUNDS, sheet_or_refusal, record, form, day)
    if made is None:
        raise Problem("invalid-request", refusal)
    return made


def file_name(question: str, as_of: date, form: str) -> str:
    """A plain ASCII file name: "what-is-the-rate-2026-01-01.docx"."""
    plain = re.sub(r"[^a-z0-9]+", "-", question.lower().translate(_PLAIN)).strip("-")[:60].strip("-")
    return f"{plain or 'answer'}-{as_of.isoformat()}.{form}"


_PLAIN = str.maketrans("äåöéèêàâçîïôûü", "aaoeeeaaciiouu")
