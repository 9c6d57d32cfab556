"""Writers that speak Anthropic's Messages API, streamed."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from pykala.models.connection import Connection
from pykala.models.events import ServerEvent, server_events
from pykala.models.failures import CutReply, MalformedReply, ModelUnavailable, RateLimited, RequestRefused
from pykala.models.writer import Message, Piece, Structured, Usage

VERSION = "2023-06-01"


class AnthropicWriter:
    """A model behind `/v1/messages`."""

    def __init__(
        self, connection: Connection, model: str, *, name: str, extra: Mapping[str, object] | None = None
    ) -> None:
        self._connection, self._model, self._name = connection, model, name
        self._extra = dict(extra or {})

    @property
    def name(self) -> str:
        """The model, as the price table names it."""
        return self._name

    def __repr__(self) -> str:
        return f"AnthropicWriter({self._name!r}, {self._connection!r})"

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        """Text as it comes, then one Usage; the API has no JSON mode: the messages ask for `structured`."""
        instructions = [message.text for message in messages if message.speaker == "system"]
        body: dict[str, object] = {
            "model": self._model,
            "max_tokens": most_tokens,
            "stream": True,
            "messages": [
                {"role": message.speaker, "content": message.text}
                for message in messages
                if message.speaker != "system"
            ],
            **self._extra,
        }
        if instructions:
            body["system"] = "\n\n".join(instructions)
        usage, ended = Usage(self._name, 0, 0, estimated=True), False
        with closing(self._connection.stream("/v1/messages", body)) as reply:
            for event in server_events(reply):
                data = self._read(event)
                kind = data.get("type")
                if kind == "message_stop":
                    ended = True
                    break
                if kind in ("message_start", "message_delta"):
                    usage = _used(data, usage)
                text = _text(data)
                if text:
                    yield text
        if not ended:
            raise CutReply(f"{self._connection.service} ended its reply before the end; ask again")
        yield usage

    def _read(self, event: ServerEvent) -> dict[str, Any]:
        service = self._connection.service
        try:
            data = json.loads(event.data)
        except (ValueError, RecursionError):
            raise MalformedReply(f"{service} sent an event that is no JSON") from None
        if not isinstance(data, dict):
            raise MalformedReply(f"{service} sent an event that is no object")
        if data.get("type") == "error":
            error = data.get("error")
            kind = error.get("type") if isinstance(error, dict) else ""
            if kind == "rate_limit_error":
                raise RateLimited(f"{service} stopped for too many requests; ask again later")
            if kind in ("overloaded_error", "api_error", "timeout_error"):
                raise ModelUnavailable(f"{service} broke off ({kind}); ask again, or set a fallback model")
            raise RequestRefused(f"{service} reported a fault in the middle of its reply; ask again")
        return data


def _text(data: Mapping[str, Any]) -> str:
    """The text of a delta; a model's thoughts and tool calls are not part of its text."""
    if data.get("type") != "content_block_delta":
        return ""
    delta = data.get("delta")
    if not isinstance(delta, dict):
        raise MalformedReply("the model's reply has a delta that is none")
    if delta.get("type") != "text_delta":
        return ""
    text = delta.get("text")
    if not isinstance(text, str):
        raise MalformedReply("the model's reply holds something else than text")
    return text


def _used(data: Mapping[str, Any], before: Usage) -> Usage:
    """The first event reports the tokens read, later events the tokens written so far."""
    message = data.get("message")
    counts = message.get("usage") if isinstance(message, dict) else data.get("usage")
    delta = data.get("delta")
    reason = delta.get("stop_reason") if isinstance(delta, dict) else None
    usage = replace(before, stopped_short=True) if reason == "max_tokens" else before
    if not isinstance(counts, dict):
        return usage
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    read = [counts.get(name) or 0 for name in names]
    written = counts.get("output_tokens", usage.tokens_out)
    if not all(isinstance(count, int) and count >= 0 for count in (*read, written)):
        return usage
    if any(read):
        usage = replace(usage, tokens_in=sum(read), tokens_cached=read[2])
    return replace(usage, tokens_out=written, estimated=False)
