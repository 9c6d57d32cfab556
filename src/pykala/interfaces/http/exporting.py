"""Export an answer as Word, PDF or Markdown, from the record that the client sends.

The server keeps no answers, so it is sent the record that it gave before. What stands in one is data.
"""

from __future__ import annotations

import asyncio
import re
from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from pykala.answer.replay import RecordUnreadable
from pykala.fetch.confined import Bounds, processes
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.vocabulary import Day, Words
from pykala.law.answers import Outcome
from pykala.views.sheets import MEDIA_TYPES, SheetsMissing, require_writer, set_sheet, sheet_of

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
        given, day = record.model_dump(mode="json"), state.today()
        async with asyncio.timeout(state.options.seconds):
            data = await asyncio.to_thread(_document, given, form, day)
        name = file_name(record.question, record.as_of, form)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type=MEDIA_TYPES[form], headers=headers)

    return router


def _document(record: dict[str, Any], form: str, day: date) -> bytes:
    """A document, made in a process that is killed if it takes too long: anybody may send any record."""
    try:
        sheet = sheet_of(record, made_on=day)
        require_writer(form)
        return processes.bounded(_BOUNDS, set_sheet, sheet, form)
    except RecordUnreadable as error:
        raise Problem("invalid-request", str(error)) from None
    except SheetsMissing as error:
        raise Problem("not-installed", f"{error}; who runs the server does that") from None


def file_name(question: str, as_of: date, form: str) -> str:
    """A plain ASCII file name: "what-is-the-rate-2026-01-01.docx"."""
    plain = re.sub(r"[^a-z0-9]+", "-", question.lower().translate(_PLAIN)).strip("-")[:60].strip("-")
    return f"{plain or 'answer'}-{as_of.isoformat()}.{form}"


_PLAIN = str.maketrans("äåöéèêàâçîïôûü", "aaoeeeaaciiouu")
