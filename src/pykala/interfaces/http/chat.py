"""The OpenAI-compatible chat endpoint: any chat client asks the law by changing its base URL.

The last message of the user is the question; where it goes on from what was asked before ("and in 2013?"),
those messages say what it means. The system's message instructs no model here. A model of the list is the
library, or one jurisdiction of it.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pykala.answer.markdown import DraftStream
from pykala.answer.record import general_json
from pykala.answer.structured import structured_json
from pykala.answer.told import outcome_in_words
from pykala.interfaces.http import models as shapes
from pykala.interfaces.http.attending import KEEP_ALIVE, EventStream, attend
from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.hearing import Ended, Quiet, Tell, hear
from pykala.interfaces.http.problems import Problem, problem_of
from pykala.interfaces.http.prose import answer_text, citations_json, sources_text, upload_notice
from pykala.interfaces.http.requests import Message, questions_of
from pykala.interfaces.http.vocabulary import JURISDICTIONS, Day, Jurisdiction, Language
from pykala.law.answers import Answer, Stage, Written
from pykala.library import Library

MODEL = "pykala"
MODELS = (MODEL, *(f"{MODEL}-{code}" for code in JURISDICTIONS))
_MOST_MESSAGES = 1_000
_DONE = b"data: [DONE]\n\n"
_ANOTHER_DRAFT = "\n\n---\n\n*The draft above did not hold against the sources; another follows.*\n\n"


class StreamOptions(BaseModel):
    """What a stream says besides."""

    model_config = ConfigDict(extra="allow")
    include_usage: bool = False


class ChatAsked(BaseModel):
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
    model: Annotated[str, StringConstraints(max_length=100)] = MODEL
    messages: list[Message] = Field(min_length=1, max_length=_MOST_MESSAGES)
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    as_of: Day | None = Field(default=None, description="The date whose law counts.")
    language: Language | None = None
    jurisdiction: Jurisdiction | None = None
    home: Jurisdiction | None = Field(
        default=None,
        description="The reader's own place: its law counts where the question gives no sign of any.",
    )
    draft: bool = Field(
        default=True, description="Let the server's model, where it has one, write the answer."
    )

    @property
    def law_of(self) -> str | None:
        """The jurisdiction that was asked for, by itself or as the model."""
        if self.model not in MODELS:
            raise Problem(
                "unknown-model", f"there is no model {self.model!r}; there are: {', '.join(MODELS)}"
            )
        return self.jurisdiction or self.model.removeprefix(MODEL).removeprefix("-") or None


def routes(desk: Desk) -> APIRouter:
    """The routes that speak as OpenAI's do."""
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
    def model(model: str) -> dict[str, object]:
        if model not in MODELS:
            raise Problem("unknown-model", f"there is no model {model!r}; there are: {', '.join(MODELS)}")
        return _model_json(model)

    @router.post(
        "/chat/completions",
        response_model=shapes.ChatModel,
        responses=problems("unknown-model", "not-json")
        | {200: {"description": "A completion, or its pieces.", "content": events_of()}},
        summary="Answer the last question of a conversation, with its citations",
    )
    async def completions(request: Request, asked: ChatAsked) -> Response:
        work = _Completing(asked)
        if asked.stream:
            return EventStream(_pieces(desk, asked, work))
        answer = await attend(request, desk.room, work, seconds=desk.options.seconds)
        return JSONResponse(_completion(asked, answer))

    return router


class _Completing:
    """The work of answering a conversation."""

    def __init__(self, asked: ChatAsked) -> None:
        self._asked, self._law_of = asked, asked.law_of
        self._question, self._earlier = questions_of(asked.messages)

    def __call__(self, library: Library, tell: Tell) -> Answer:
        def listen(heard: Stage | Answer | Written) -> None:
            tell(heard)

        return library.ask(
            self._question,
            as_of=self._asked.as_of,
            language=self._asked.language,
            jurisdiction=self._law_of,
            identifier=f"chatcmpl-{uuid4().hex}",
            listen=listen,
            draft=self._asked.draft,
            after=self._earlier,
            home=self._asked.home,
        )


def _completion(asked: ChatAsked, answer: Answer) -> dict[str, object]:
    content = answer_text(answer)
    message = {
        "role": "assistant",
        "content": content,
        "refusal": None,
        "annotations": _annotations(content, answer),
    }
    return {
        "id": answer.id,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": _usage(answer),
        **_beside(answer),
    }


async def _pieces(desk: Desk, asked: ChatAsked, work: _Completing) -> AsyncGenerator[bytes, None]:
    """The chunks of a completion: the draft as it is written, then what stands behind it."""
    frame = {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": asked.model,
    }
    draft, said, words = 0, "", DraftStream()
    stood: Answer | None = None  # before it is drafted
    yield _chunk(frame, {"role": "assistant", "content": ""})
    hearing = hear(desk.room, work, seconds=desk.options.seconds)
    try:
        async for told in hearing:
            if isinstance(told, Quiet):
                yield KEEP_ALIVE
            elif isinstance(told, Answer):
                stood = told
            elif isinstance(told, Written):
                before = _ANOTHER_DRAFT if draft and told.draft != draft else ""
                if not said and stood is not None and stood.from_upload:
                    before = f"**{upload_notice(stood.language)}** "
                piece = f"{before}{words.feed(told.text)}"
                draft, said = told.draft, said + piece
                yield _chunk(frame, {"content": piece})
            elif isinstance(told, Ended):
                if rest := words.end():
                    said += rest
                    yield _chunk(frame, {"content": rest})
                for chunk in _ending(frame, asked, told.result, said):
                    yield chunk
    except Exception as error:
        problem = problem_of(error)
        told_error = {"message": problem.detail, "type": problem.code, "param": None, "code": problem.code}
        yield f"data: {json.dumps({'error': told_error}, ensure_ascii=False)}\n\n".encode()
    finally:
        await hearing.aclose()
    yield _DONE


def _ending(frame: dict[str, object], asked: ChatAsked, answer: Answer, said: str) -> Iterator[bytes]:
    """What is left to say once the answer stands."""
    rest = f"\n\n{sources_text(answer)}" if answer.writer and said else answer_text(answer)
    whole = said + rest
    yield _chunk(frame, {"content": rest})
    yield _chunk(frame, {"annotations": _annotations(whole, answer)}, finish_reason="stop", **_beside(answer))
    if asked.stream_options and asked.stream_options.include_usage:
        usage = {**frame, "choices": [], "usage": _usage(answer)}
        yield f"data: {json.dumps(usage)}\n\n".encode()


def _chunk(
    frame: dict[str, object], delta: dict[str, object], *, finish_reason: str | None = None, **beside: object
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    return f"data: {json.dumps({**frame, 'choices': [choice], **beside}, ensure_ascii=False)}\n\n".encode()


def _annotations(content: str, answer: Answer) -> list[dict[str, object]]:
    """Each key in the text as OpenAI marks a citation of a page."""
    by_key = {one["key"]: one for one in citations_json(answer) if one["url"]}
    found: list[dict[str, object]] = []
    for match in re.finditer(r"\[(L\d{1,4})\]", content):
        one = by_key.get(match[1])
        if one is not None:
            place = {"start_index": match.start(), "end_index": match.end()}
            cited = {**place, "url": one["url"], "title": one["citation"]}
            found.append({"type": "url_citation", "url_citation": cited})
    return found


def _beside(answer: Answer) -> dict[str, object]:
    """What a client that knows more than OpenAI's shape may use."""
    return {
        "citations": citations_json(answer),
        "structured": structured_json(answer),
        "general": general_json(answer.general) if answer.general else None,
        "standalone": answer.standalone or None,
        "outcome": answer.outcome.value,
        "outcome_text": outcome_in_words(answer),
        "as_of": answer.as_of.isoformat(),
        "language": answer.language,
    }


def _usage(answer: Answer) -> dict[str, int]:
    """Tokens as the provider reported them; none where no model wrote."""
    written, read = answer.cost.tokens_out, answer.cost.tokens_in
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _model_json(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "pykala"}
