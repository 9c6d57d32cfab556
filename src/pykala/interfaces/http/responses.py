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

from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.disconnect import KEEP_ALIVE, EventStream, event, run_until_disconnect
from pykala.interfaces.http.requests import Part, WholeText, questions_said
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.http.speaking import MODEL, Answering, LawAsked, Spoken, cited_places, spoken
from pykala.interfaces.records import openai as shapes
from pykala.interfaces.serving.problems import Problem, problem_of
from pykala.interfaces.serving.progress import StillWorking
from pykala.interfaces.serving.vocabulary import LongText
from pykala.law.answers import Answer
from pykala.records.record import as_json
from pykala.views.prose import answer_text

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
#: The facts of an answer that fit into metadata: short texts.
_METADATA = ("outcome", "outcome_text", "as_of", "language", "standalone")
_LONGEST_METADATA = 512
_MOST_METADATA = 16

MetadataText = Annotated[str, StringConstraints(max_length=_LONGEST_METADATA)]


class InputItem(BaseModel):
    """A message of a conversation; other items are ignored."""

    model_config = ConfigDict(extra="allow")
    role: str | None = None
    content: WholeText | list[Part] | None = None

    @property
    def words(self) -> str:
        """The text of the message."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text"))
        return self.content or ""


class ResponseAsked(LawAsked):
    """A question or a conversation; sampling options are accepted and ignored."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [{"model": MODEL, "input": "What is the tax rate on capital income in Finland?"}]
        },
    )
    input: LongText | Annotated[list[InputItem], Field(min_length=1, max_length=1_000)]
    instructions: WholeText | None = Field(default=None, description="Accepted; they instruct no model here.")
    previous_response_id: str | None = Field(
        default=None, description="Refused: nothing is stored; send the conversation in `input`."
    )
    metadata: Annotated[dict[WholeText, MetadataText], Field(max_length=_MOST_METADATA)] | None = Field(
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


def routes(state: SharedState) -> APIRouter:
    """The route."""
    router = APIRouter(prefix="/v1", tags=["chat"])

    @router.post(
        "/responses",
        response_model=shapes.Response,
        responses=problems("unknown-model", "not-json")
        | {200: {"description": "A response, or its events.", "content": events_of(*EVENTS)}},
        summary="Answer a question, or the last one of a conversation, in the shape of the Responses API",
    )
    async def respond(request: Request, asked: ResponseAsked) -> Response:
        work = Answering(asked, asked.questions, f"resp_{uuid4().hex}", state)
        if asked.stream:
            return EventStream(_events(state, asked, work))
        answer = await run_until_disconnect(request, state.pool, work, seconds=state.options.seconds)
        return JSONResponse(_response(asked, answer, answer_text(answer)).as_json())

    return router


def _response(asked: ResponseAsked, answer: Answer, text: str) -> shapes.Response:
    extra, cost = as_json(shapes.Beside.of(answer, **shapes.extra_fields(answer))), answer.cost
    short = {name: str(extra[name])[:_LONGEST_METADATA] for name in _METADATA if extra[name] is not None}
    return shapes.Response.of(
        answer,
        **shapes.extra_fields(answer),
        created_at=int(time.time()),
        status="completed",
        instructions=asked.instructions,
        model=asked.model,
        output=[_message(answer.id, text, answer)],
        metadata={**(asked.metadata or {}), **short},
        usage=shapes.ResponseUsage(
            input_tokens=cost.tokens_in,
            output_tokens=cost.tokens_out,
            total_tokens=cost.tokens_in + cost.tokens_out,
        ),
    )


def _message(identifier: str, text: str, answer: Answer | None) -> shapes.ResponseMessage:
    return shapes.ResponseMessage(
        id=_message_id(identifier),
        status="completed" if answer else "in_progress",
        content=[_part(text, answer)] if answer else [],
    )


def _message_id(identifier: str) -> str:
    return identifier.replace("resp_", "msg_", 1)


def _part(text: str, answer: Answer | None) -> shapes.ResponseText:
    return shapes.ResponseText(text=text, annotations=_annotations(text, answer) if answer else [])


def _annotations(text: str, answer: Answer) -> list[shapes.ResponseAnnotation]:
    """Each citation key in the text, as a page citation with the fields of the citation contract."""
    return [shapes.ResponseAnnotation.of(one, **place) for place, one in cited_places(text, answer)]


async def _events(state: SharedState, asked: ResponseAsked, work: Answering) -> AsyncGenerator[bytes, None]:
    """Stream the events of a response; the last is `response.completed` or `error`."""
    number = count()

    def told(name: str, **facts: object) -> bytes:
        return event(name, {"type": name, "sequence_number": next(number), **facts})

    begun = shapes.ResponseFrame(
        id=work.identifier,
        created_at=int(time.time()),
        status="in_progress",
        instructions=asked.instructions,
        model=asked.model,
        output=[],
        metadata=dict(asked.metadata or {}),
    )
    item = _message_id(work.identifier)
    where = {"item_id": item, "output_index": 0, "content_index": 0}
    yield told("response.created", response=begun)
    yield told("response.in_progress", response=begun)
    yield told("response.output_item.added", output_index=0, item=_message(work.identifier, "", None))
    yield told("response.content_part.added", **where, part=_part("", None))
    saying = spoken(state, work)
    try:
        async for said in saying:
            if isinstance(said, StillWorking):
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
    """The last events: annotations, outcome and usage."""
    answer, text = done.answer, done.text
    for place, annotation in enumerate(_annotations(text, answer)):
        facts: dict[str, object] = {**where, "annotation_index": place, "annotation": annotation}
        yield "response.output_text.annotation.added", facts
    yield "response.output_text.done", {**where, "text": text, "logprobs": []}
    yield "response.content_part.done", {**where, "part": _part(text, answer)}
    yield "response.output_item.done", {"output_index": 0, "item": _message(answer.id, text, answer)}
    yield "response.completed", {"response": _response(asked, answer, text)}
