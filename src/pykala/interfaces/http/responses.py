"""`/v1/responses`: an answer in the shape of OpenAI's Responses API.

Its citations are annotations of the text, and its outcome is metadata: both places that clients of that API,
LangChain among them, hand on. Nothing is stored: a conversation is sent whole.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterator
from itertools import count
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pykala.interfaces.http import models as shapes
from pykala.interfaces.http.attending import KEEP_ALIVE, EventStream, attend, event
from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.hearing import Quiet
from pykala.interfaces.http.problems import Problem, problem_of
from pykala.interfaces.http.prose import answer_text
from pykala.interfaces.http.requests import Part, questions_said
from pykala.interfaces.http.speaking import MODEL, Answering, LawAsked, Spoken, beside, cited_places, spoken
from pykala.interfaces.http.vocabulary import LongText
from pykala.law.answers import Answer

EVENTS = (
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.annotation.added",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
    "error",
)
#: Of the facts beside an answer, those that fit into metadata: short texts.
_METADATA = ("outcome", "outcome_text", "as_of", "language", "standalone")
_LONGEST_METADATA = 512
_MOST_METADATA = 16

MetadataText = Annotated[str, StringConstraints(max_length=_LONGEST_METADATA)]


class InputItem(BaseModel):
    """A message, or something else that a conversation holds, which is passed over."""

    model_config = ConfigDict(extra="allow")
    role: str | None = None
    content: str | list[Part] | None = None

    @property
    def words(self) -> str:
        """What it says."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text"))
        return self.content or ""


class ResponseAsked(LawAsked):
    """A question, or a conversation; what tunes a model is accepted and has nothing to tune."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [{"model": MODEL, "input": "What is the tax rate on capital income in Finland?"}]
        },
    )
    input: LongText | Annotated[list[InputItem], Field(min_length=1, max_length=1_000)]
    instructions: str | None = Field(default=None, description="Accepted; they instruct no model here.")
    previous_response_id: str | None = Field(
        default=None, description="Refused: nothing is stored; send the conversation in `input`."
    )
    metadata: Annotated[dict[str, MetadataText], Field(max_length=_MOST_METADATA)] | None = Field(
        default=None, description="Given back with the answer's own: outcome, outcome_text, as_of, language."
    )

    @property
    def questions(self) -> tuple[str, list[str]]:
        """The question and those before it."""
        if self.previous_response_id:
            raise Problem(
                "invalid-request",
                "responses are not stored here; leave previous_response_id out and send the whole"
                " conversation in input",
            )
        if isinstance(self.input, str):
            return questions_said([self.input])
        return questions_said([item.words for item in self.input if item.role == "user"])


def routes(desk: Desk) -> APIRouter:
    """The route."""
    router = APIRouter(prefix="/v1", tags=["chat"])

    @router.post(
        "/responses",
        response_model=shapes.ResponseModel,
        responses=problems("unknown-model", "not-json")
        | {200: {"description": "A response, or its events.", "content": events_of(*EVENTS)}},
        summary="Answer a question, or the last one of a conversation, in the shape of the Responses API",
    )
    async def respond(request: Request, asked: ResponseAsked) -> Response:
        work = Answering(asked, asked.questions, f"resp_{uuid4().hex}", desk)
        if asked.stream:
            return EventStream(_events(desk, asked, work))
        answer = await attend(request, desk.room, work, seconds=desk.options.seconds)
        return JSONResponse(_response(asked, answer, answer_text(answer)))

    return router


def _frame(asked: ResponseAsked, identifier: str, status: str) -> dict[str, object]:
    return {
        "id": identifier,
        "object": "response",
        "created_at": int(time.time()),
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": asked.instructions,
        "model": asked.model,
        "output": [],
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "temperature": None,
        "top_p": None,
        "previous_response_id": None,
        "metadata": dict(asked.metadata or {}),
        "usage": None,
    }


def _response(asked: ResponseAsked, answer: Answer, text: str) -> dict[str, object]:
    told, cost = beside(answer), answer.cost
    short = {name: str(told[name])[:_LONGEST_METADATA] for name in _METADATA if told[name] is not None}
    return {
        **_frame(asked, answer.id, "completed"),
        "output": [_message(answer.id, text, answer)],
        "metadata": {**(asked.metadata or {}), **short},
        "usage": {
            "input_tokens": cost.tokens_in,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": cost.tokens_out,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": cost.tokens_in + cost.tokens_out,
        },
        **told,
    }


def _message(identifier: str, text: str, answer: Answer | None) -> dict[str, object]:
    return {
        "id": _message_id(identifier),
        "type": "message",
        "role": "assistant",
        "status": "completed" if answer else "in_progress",
        "content": [_part(text, answer)] if answer else [],
    }


def _message_id(identifier: str) -> str:
    return identifier.replace("resp_", "msg_", 1)


def _part(text: str, answer: Answer | None) -> dict[str, object]:
    annotations = _annotations(text, answer) if answer else []
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


def _annotations(text: str, answer: Answer) -> list[dict[str, object]]:
    """Each key in the text as a citation of a page, with what the citation contract says of it."""
    return [
        {"type": "url_citation", **place, "url": one["url"], "title": one["citation"]}
        | {name: one[name] for name in ("key", "provision", "quote", "valid_from", "valid_to", "as_of")}
        for place, one in cited_places(text, answer)
    ]


async def _events(desk: Desk, asked: ResponseAsked, work: Answering) -> AsyncGenerator[bytes, None]:
    """The events of a response; the last is `response.completed` or `error`."""
    number = count()

    def told(name: str, **facts: object) -> bytes:
        return event(name, {"type": name, "sequence_number": next(number), **facts})

    begun, item = _frame(asked, work.identifier, "in_progress"), _message_id(work.identifier)
    where = {"item_id": item, "output_index": 0, "content_index": 0}
    yield told("response.created", response=begun)
    yield told("response.in_progress", response=begun)
    yield told("response.output_item.added", output_index=0, item=_message(work.identifier, "", None))
    yield told("response.content_part.added", **where, part=_part("", None))
    saying = spoken(desk, work)
    try:
        async for said in saying:
            if isinstance(said, Quiet):
                yield KEEP_ALIVE
            elif isinstance(said, str):
                yield told("response.output_text.delta", **where, delta=said, logprobs=[])
            else:
                for name, facts in _ending(asked, said, where):
                    yield told(name, **facts)
    except Exception as error:
        problem = problem_of(error)
        yield told("error", code=problem.code, message=problem.detail, param=None)
    finally:
        await saying.aclose()


def _ending(
    asked: ResponseAsked, done: Spoken, where: dict[str, object]
) -> Iterator[tuple[str, dict[str, object]]]:
    """What stands behind the words that were said."""
    answer, text = done.answer, done.text
    for place, annotation in enumerate(_annotations(text, answer)):
        facts: dict[str, object] = {**where, "annotation_index": place, "annotation": annotation}
        yield "response.output_text.annotation.added", facts
    yield "response.output_text.done", {**where, "text": text, "logprobs": []}
    yield "response.content_part.done", {**where, "part": _part(text, answer)}
    yield "response.output_item.done", {"output_index": 0, "item": _message(answer.id, text, answer)}
    yield "response.completed", {"response": _response(asked, answer, text)}
