"""Writers that speak OpenAI's chat completions: DeepSeek, OpenRouter, Ollama, llama.cpp, vLLM and others."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from pykala.models.connection import Connection
from pykala.models.events import server_events
from pykala.models.failures import CutReply, MalformedReply, ModelUnavailable, RequestRefused
from pykala.models.writer import Message, Piece, Structured, Usage


@dataclass(frozen=True, slots=True)
class ChatManner:
    """How a server differs from others that speak the same protocol."""

    extra: Mapping[str, object] = field(default_factory=dict)  # sent with every request
    json_mode: bool = True  # understands response_format
    json_schema: bool = False  # enforces a schema
    limit_name: str = "max_tokens"


class OpenAICompatibleWriter:
    """A model behind `/chat/completions`."""

    def __init__(self, connection: Connection, model: str, *, name: str, manner: ChatManner) -> None:
        self._connection, self._model, self._name, self._manner = connection, model, name, manner

    @property
    def name(self) -> str:
        """The model, as the price table names it."""
        return self._name

    def __repr__(self) -> str:
        return f"OpenAICompatibleWriter({self._name!r}, {self._connection!r})"

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        """Text as it comes, then one Usage."""
        body: dict[str, object] = {
            "model": self._model,
            "messages": [{"role": message.speaker, "content": message.text} for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            self._manner.limit_name: most_tokens,
            **self._manner.extra,
        }
        if structured and self._manner.json_mode:
            body["response_format"] = self._format(structured)
        usage, ended = Usage(self._name, 0, 0, estimated=True), False
        with closing(self._connection.stream("/chat/completions", body)) as reply:
            for event in server_events(reply):
                if event.data.strip() == "[DONE]":
                    ended = True
                    break
                chunk = self._read(event.data)
                usage = _used(chunk, usage)
                text, reason = _choice(chunk)
                if text:
                    yield text
                if reason:
                    ended = True  # some servers close without [DONE]
                    usage = replace(usage, stopped_short=reason == "length")
        if not ended:
            raise CutReply(f"{self._connection.service} ended its reply before the end; ask again")
        yield usage

    def _format(self, structured: Structured) -> dict[str, object]:
        """The `response_format`: the given schema, if the server enforces one."""
        if isinstance(structured, bool) or not self._manner.json_schema:
            return {"type": "json_object"}
        return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": structured}}

    def _read(self, data: str) -> dict[str, Any]:
        service = self._connection.service
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            raise MalformedReply(f"{service} sent an event that is no JSON") from None
        if not isinstance(chunk, dict):
            raise MalformedReply(f"{service} sent an event that is no object")
        fault = chunk.get("error")
        if fault:
            code = fault.get("code") if isinstance(fault, dict) else None
            kind = ModelUnavailable if str(code).startswith("5") or code in (None, 429) else RequestRefused
            raise kind(f"{service} reported a fault in the middle of its reply; ask again")
        return chunk


def _choice(chunk: Mapping[str, Any]) -> tuple[str, str]:
    """A chunk's text and, in the last one, why it ended; a model's thoughts are not part of its text."""
    choices = chunk.get("choices") or []
    if not isinstance(choices, list) or (choices and not isinstance(choices[0], dict)):
        raise MalformedReply("the model's reply has choices that are none")
    if not choices:
        return "", ""
    delta = choices[0].get("delta") or {}
    text = delta.get("content") if isinstance(delta, dict) else None
    reason = choices[0].get("finish_reason")
    if not (text is None or isinstance(text, str)) or not (reason is None or isinstance(reason, str)):
        raise MalformedReply("the model's reply holds something else than text")
    return text or "", reason or ""


def _used(chunk: Mapping[str, Any], before: Usage) -> Usage:
    """The usage in a chunk; the last report counts."""
    usage = chunk.get("usage")
    if not isinstance(usage, dict):
        return before
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    if cached is None:
        cached = usage.get("prompt_cache_hit_tokens")  # DeepSeek's own name for it
    counts: list[Any] = [usage.get("prompt_tokens"), usage.get("completion_tokens"), cached or 0]
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        return before
    read, written, had = counts
    return replace(before, tokens_in=read, tokens_out=written, tokens_cached=min(had, read), estimated=False)
