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

from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.disconnect import KEEP_ALIVE, EventStream, run_until_disconnect
from pykala.interfaces.http.requests import Message, questions_of
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.http.speaking import (
    EMBEDDERS,
    MODEL,
    MODELS,
    Answering,
    LawAsked,
    Spoken,
    cited_places,
    require_model,
    spoken,
)
from pykala.interfaces.records import openai as shapes
from pykala.interfaces.serving.problems import problem_of
from pykala.interfaces.serving.progress import StillWorking
from pykala.law.answers import Answer
from pykala.library import Library
from pykala.records.record import as_json
from pykala.views.prose import answer_text

_MOST_MESSAGES = 1_000
_DONE = b"data: [DONE]\n\n"


class StreamOptions(BaseModel):
    """Options of a stream."""

    model_config = ConfigDict(extra="allow")
    include_usage: bool = False


class ChatAsked(LawAsked):
    """A conversation; sampling options (temperature, tools, …) are accepted and ignored."""

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


def routes(state: SharedState) -> APIRouter:
    """The routes of chat."""
    router = APIRouter(prefix="/v1", tags=["chat"])

    @router.get(
        "/models",
        response_model=shapes.Models,
        responses=problems(),
        summary="The library, each of its jurisdictions, and the models of embeddings",
    )
    async def models(request: Request) -> JSONResponse:
        return await state.read(
            request,
            lambda library: shapes.Models(data=[shapes.Model(id=name) for name in _models_of(library)]),
        )

    @router.get(
        "/models/{model}",
        response_model=shapes.Model,
        responses=problems("unknown-model"),
        summary="One of the models",
    )
    async def model(request: Request, model: Annotated[str, Path(examples=["pykala-fi"])]) -> JSONResponse:
        def find(library: Library) -> object:
            require_model(model, _models_of(library))
            return shapes.Model(id=model)

        return await state.read(request, find)

    @router.post(
        "/chat/completions",
        response_model=shapes.Completion,
        responses=problems("unknown-model", "not-json")
        | {200: {"description": "A completion, or its pieces.", "content": events_of()}},
        summary="Answer the last question of a conversation, with its citations",
    )
    async def completions(request: Request, asked: ChatAsked) -> Response:
        work = Answering(asked, questions_of(asked.messages), f"chatcmpl-{uuid4().hex}", state)
        if asked.stream:
            return EventStream(_pieces(state, asked, work))
        answer = await run_until_disconnect(request, state.pool, work, seconds=state.options.seconds)
        return JSONResponse(_completion(asked, answer).as_json())

    return router


def _models_of(library: Library) -> tuple[str, ...]:
    """The models here; a library that is searched by words alone has none for embeddings."""
    return MODELS if library.embedder is None else (*MODELS, *EMBEDDERS)


def _completion(asked: ChatAsked, answer: Answer) -> shapes.Completion:
    content, beside = answer_text(answer), shapes.extra_fields(answer)
    message = shapes.ChatMessage(content=content, annotations=_annotations(content, answer))
    return shapes.Completion.of(
        answer,
        **beside,
        created=int(time.time()),
        model=asked.model,
        choices=[shapes.Choice(message=message, logprobs=_kept(answer))],
        usage=_usage(answer),
    )


async def _pieces(state: SharedState, asked: ChatAsked, work: Answering) -> AsyncGenerator[bytes, None]:
    """The chunks of a completion: first the text as it is written, then citations and usage."""
    frame = {
        "id": work.identifier,
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": asked.model,
    }
    yield _chunk(frame, {"role": "assistant", "content": ""})
    saying = spoken(state, work)
    try:
        async for piece in saying:
            if isinstance(piece, StillWorking):
                yield KEEP_ALIVE
            elif isinstance(piece, str):
                yield _chunk(frame, {"content": piece})
            else:
                for chunk in _ending(frame, asked, piece):
                    yield chunk
    except Exception as error:
        problem = problem_of(error)
        told_error = {"message": problem.detail, "type": problem.code, "param": None, "code": problem.code}
        yield _data({"error": told_error})
    finally:
        await saying.aclose()
    yield _DONE


def _ending(frame: dict[str, object], asked: ChatAsked, done: Spoken) -> Iterator[bytes]:
    """The last chunks: citations, outcome and usage."""
    annotations: dict[str, object] = {"annotations": _annotations(done.text, done.answer)}
    kept = _kept(done.answer)
    yield _chunk(frame, annotations, finish_reason="stop", logprobs=kept, **kept.pykala.as_json())
    if asked.stream_options and asked.stream_options.include_usage:
        yield _data({**frame, "choices": [], "usage": _usage(done.answer)})


def _chunk(
    frame: dict[str, object],
    delta: dict[str, object],
    *,
    finish_reason: str | None = None,
    logprobs: shapes.Kept | None = None,
    **beside: object,
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": logprobs}
    return _data({**frame, "choices": [choice], **beside})


def _data(value: object) -> bytes:
    return f"data: {json.dumps(as_json(value), ensure_ascii=False)}\n\n".encode()


def _kept(answer: Answer) -> shapes.Kept:
    """Citations and outcome again, in the one field that LangChain keeps unchanged.

    Its `ChatOpenAI` drops `annotations` and all fields beside a completion, but it returns `logprobs` as
    `response_metadata["logprobs"]`, streamed or not. We report no token probabilities, so the field is free.
    """
    return shapes.Kept(pykala=shapes.Beside.of(answer, **shapes.extra_fields(answer)))


def _annotations(content: str, answer: Answer) -> list[shapes.Annotation]:
    """Each citation key in the text, as an OpenAI page citation."""
    return [
        shapes.Annotation(url_citation=shapes.UrlCitation(**place))
        for place, _ in cited_places(content, answer)
    ]


def _usage(answer: Answer) -> shapes.Usage:
    """Tokens as the provider reported them; zero where no model wrote."""
    written, read = answer.cost.tokens_out, answer.cost.tokens_in
    return shapes.Usage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)
