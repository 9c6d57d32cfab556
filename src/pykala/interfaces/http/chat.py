"""The OpenAI-compatible chat endpoint: any chat client asks the law by changing its base URL."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from pykala.interfaces.http import models as shapes
from pykala.interfaces.http.attending import KEEP_ALIVE, EventStream, attend
from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.hearing import Quiet
from pykala.interfaces.http.problems import problem_of
from pykala.interfaces.http.prose import answer_text
from pykala.interfaces.http.requests import Message, questions_of
from pykala.interfaces.http.speaking import (
    MODEL,
    MODELS,
    Answering,
    LawAsked,
    Spoken,
    beside,
    cited_places,
    require_model,
    spoken,
)
from pykala.law.answers import Answer

_MOST_MESSAGES = 1_000
_DONE = b"data: [DONE]\n\n"


class StreamOptions(BaseModel):
    """What a stream says besides."""

    model_config = ConfigDict(extra="allow")
    include_usage: bool = False


class ChatAsked(LawAsked):
    """A conversation; what tunes a model (temperature, tools, …) is accepted and has nothing to tune."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "model": MODEL,
                    "messages": [
                        {"role": "user", "content": "What is the tax rate on capital income in Finland?"}
                    ],
                }
            ]
        },
    )
    messages: list[Message] = Field(min_length=1, max_length=_MOST_MESSAGES)
    stream_options: StreamOptions | None = None


def routes(desk: Desk) -> APIRouter:
    """The routes of chat."""
    router = APIRouter(prefix="/v1", tags=["chat"])

    @router.get(
        "/models",
        response_model=shapes.ModelsModel,
        responses=problems(),
        summary="The library and each of its jurisdictions",
    )
    def models() -> dict[str, object]:
        return {"object": "list", "data": [_model_json(name) for name in MODELS]}

    @router.get(
        "/models/{model}",
        response_model=shapes.ModelLine,
        responses=problems("unknown-model"),
        summary="One of the models",
    )
    def model(model: Annotated[str, Path(examples=["pykala-fi"])]) -> dict[str, object]:
        require_model(model, MODELS)
        return _model_json(model)

    @router.post(
        "/chat/completions",
        response_model=shapes.ChatModel,
        responses=problems("unknown-model", "not-json")
        | {200: {"description": "A completion, or its pieces.", "content": events_of()}},
        summary="Answer the last question of a conversation, with its citations",
    )
    async def completions(request: Request, asked: ChatAsked) -> Response:
        work = Answering(asked, questions_of(asked.messages), f"chatcmpl-{uuid4().hex}", desk)
        if asked.stream:
            return EventStream(_pieces(desk, asked, work))
        answer = await attend(request, desk.room, work, seconds=desk.options.seconds)
        return JSONResponse(_completion(asked, answer))

    return router


def _completion(asked: ChatAsked, answer: Answer) -> dict[str, object]:
    content, told = answer_text(answer), beside(answer)
    message = {
        "role": "assistant",
        "content": content,
        "refusal": None,
        "annotations": _annotations(content, answer),
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": _kept(told)}
    return {
        "id": answer.id,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.model,
        "choices": [choice],
        "usage": _usage(answer),
        **told,
    }


async def _pieces(desk: Desk, asked: ChatAsked, work: Answering) -> AsyncGenerator[bytes, None]:
    """The chunks of a completion: its words as they are said, then what stands behind them."""
    frame = {
        "id": work.identifier,
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": asked.model,
    }
    yield _chunk(frame, {"role": "assistant", "content": ""})
    saying = spoken(desk, work)
    try:
        async for told in saying:
            if isinstance(told, Quiet):
                yield KEEP_ALIVE
            elif isinstance(told, str):
                yield _chunk(frame, {"content": told})
            else:
                for chunk in _ending(frame, asked, told):
                    yield chunk
    except Exception as error:
        problem = problem_of(error)
        told_error = {"message": problem.detail, "type": problem.code, "param": None, "code": problem.code}
        yield f"data: {json.dumps({'error': told_error}, ensure_ascii=False)}\n\n".encode()
    finally:
        await saying.aclose()
    yield _DONE


def _ending(frame: dict[str, object], asked: ChatAsked, done: Spoken) -> Iterator[bytes]:
    """What stands behind the words that were said."""
    told = beside(done.answer)
    annotations: dict[str, object] = {"annotations": _annotations(done.text, done.answer)}
    yield _chunk(frame, annotations, finish_reason="stop", logprobs=_kept(told), **told)
    if asked.stream_options and asked.stream_options.include_usage:
        usage = {**frame, "choices": [], "usage": _usage(done.answer)}
        yield f"data: {json.dumps(usage)}\n\n".encode()


def _chunk(
    frame: dict[str, object],
    delta: dict[str, object],
    *,
    finish_reason: str | None = None,
    logprobs: dict[str, object] | None = None,
    **beside: object,
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": logprobs}
    return f"data: {json.dumps({**frame, 'choices': [choice], **beside}, ensure_ascii=False)}\n\n".encode()


def _kept(told: dict[str, object]) -> dict[str, object]:
    """Citations and outcome once more, in the only field of a choice that LangChain keeps as it is.

    Its `ChatOpenAI` passes over `annotations` and what stands beside a completion; `logprobs` comes out as
    `response_metadata["logprobs"]`, streamed or not. No model's probabilities are told here, so it has room.
    """
    return {"content": None, "refusal": None, "pykala": told}


def _annotations(content: str, answer: Answer) -> list[dict[str, object]]:
    """Each key in the text as OpenAI marks a citation of a page."""
    return [
        {"type": "url_citation", "url_citation": {**place, "url": one["url"], "title": one["citation"]}}
        for place, one in cited_places(content, answer)
    ]


def _usage(answer: Answer) -> dict[str, int]:
    """Tokens as the provider reported them; none where no model wrote."""
    written, read = answer.cost.tokens_out, answer.cost.tokens_in
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _model_json(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "pykala"}
