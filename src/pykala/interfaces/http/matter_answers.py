"""List the answers given in a matter, for its members."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from pykala.interfaces.http.audit import AuditWriter
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.matters import HEADER
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.request import chosen_matter
from pykala.records.record import Record, json_field


class KeptAnswer(Record):
    """One stored answer."""

    id: str
    at: str = json_field("When it was given, in UTC.")
    caller: str = json_field("Who asked: the name of a key or of a user.")
    record: dict[str, Any] = json_field("The answer as POST /api/v1/ask gave it.")


class KeptAnswers(Record):
    """The newest answers of a matter, newest first."""

    matter: str
    answers: list[KeptAnswer]


def routes(audit_writer: AuditWriter) -> APIRouter:
    """The route of a matter's answers."""
    router = APIRouter(tags=["questions"])

    @router.get(
        "/matter/answers",
        response_model=KeptAnswers,
        responses=problems(),
        summary="The answers that were given in the matter of this request",
    )
    def answers(limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> JSONResponse:
        matter = chosen_matter.get()
        if not matter:
            raise Problem("invalid-request", f"say of which matter in the header {HEADER}")
        kept = [
            KeptAnswer(id=one.id, at=one.at.isoformat(), caller=one.caller, record=json.loads(one.record))
            for one in audit_writer.answers.read(matter, limit=limit)
        ]
        return JSONResponse(KeptAnswers(matter=matter, answers=kept).as_json())

    return router
