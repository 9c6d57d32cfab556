"""For every request: an identifier, a line of JSON in the access log, and metrics.

This is the outermost layer, so that refused requests are logged too. It is plain ASGI, for the reason given
in guards.py. A line names the route by its template and the key by its name. The question is not logged
unless the operator wants that (PYKALA_ACCESS_LOG_QUESTIONS=1).
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from time import perf_counter
from typing import Any, Final, Protocol
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pykala.interfaces.measures import Measures, RequestEnded
from pykala.interfaces.serving.request import LEFT, RequestSeen, current

HEADER: Final = "X-Request-Id"
#: An identifier from a client or a proxy is used only if it cannot corrupt a log.
_GIVEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", re.ASCII)
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
_FILES: Final = "/static"
OTHER: Final = "other"  # an unknown method or route: clients must not create labels


class AuditTrail(Protocol):
    """Logs who did what."""

    def note(self, scope: Scope, ended: RequestEnded, seen: RequestSeen) -> None:
        """Log a finished request."""
        ...


class Observing:
    """Gives every request an identifier, and reports its end."""

    def __init__(
        self,
        app: ASGIApp,
        templates: RouteTemplates,
        measures: Sequence[Measures] = (),
        log: AccessLog | None = None,
        audit_writer: AuditTrail | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._app, self._templates, self._clock = app, templates, clock
        self._measures, self._log, self._audit_writer = tuple(measures), log, audit_writer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = RequestSeen(_identifier(Headers(scope=scope).get(HEADER, "")))
        began, token = self._clock(), current.set(seen)
        for one in self._measures:
            one.request_began()
        try:
            await self._app(scope, _counting(seen, receive), _answering(seen, send))
        except Exception:
            seen.status = 500 if seen.status == LEFT else seen.status
            raise
        finally:
            current.reset(token)
            self._tell(scope, seen, self._clock() - began)

    def _tell(self, scope: Scope, seen: RequestSeen, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else OTHER
        ended = RequestEnded(method, self._templates.of(scope["path"]), seen.status, seconds, seen.refused)
        for one in self._measures:
            one.request_ended(ended)
        if self._log is not None:
            client = scope.get("client")
            self._log.write(ended, seen, client[0] if client else "")
        if self._audit_writer is not None:
            self._audit_writer.note(scope, ended, seen)


class RouteTemplates:
    """Maps a path to its route template, also for refused requests, so that no client text is logged."""

    def __init__(self, templates: Iterable[str]) -> None:
        self._plain = frozenset(one for one in templates if "{" not in one)
        self._patterns = [
            (re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(one))), one)
            for one in sorted(templates)
            if "{" in one
        ]

    def of(self, path: str) -> str:
        """The route template of a path."""
        if path in self._plain:
            return path
        if path.startswith(f"{_FILES}/"):
            return _FILES
        return next((name for pattern, name in self._patterns if pattern.fullmatch(path)), OTHER)


def _identifier(given: str) -> str:
    return given if _GIVEN.fullmatch(given) else uuid4().hex


def _counting(seen: RequestSeen, receive: Receive) -> Receive:
    async def receiving() -> Message:
        message = await receive()
        if message["type"] == "http.request":
            seen.bytes_in += len(message.get("body", b""))
        return message

    return receiving


def _answering(seen: RequestSeen, send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            seen.status = message["status"]
            MutableHeaders(scope=message)[HEADER] = seen.id
        elif message["type"] == "http.response.body":
            seen.bytes_out += len(message.get("body", b""))
            seen.whole = not message.get("more_body", False)
        await send(message)

    return sending


class AccessLog:
    """Writes one line of JSON per request, to a file (which may be rotated) or a stream."""

    def __init__(self, place: str, *, questions: bool = False) -> None:
        self._questions = questions
        self._handler = _handler(place)

    def write(self, ended: RequestEnded, seen: RequestSeen, client: str) -> None:
        """Write the line of a request."""
        line: dict[str, Any] = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "request_id": seen.id,
            "method": ended.method,
            "route": ended.route,
            "status": ended.status,
            "ms": round(ended.seconds * 1_000, 1),
            "bytes_in": seen.bytes_in,
            "bytes_out": seen.bytes_out,
            "key": seen.caller or None,
            "client": client or None,
            "refused": seen.refused or None,
            "whole": seen.whole,
        }
        if self._questions:
            line["question"] = seen.question or None
        text = json.dumps(line, ensure_ascii=True)  # ASCII only: no client text breaks the line
        self._handler.handle(logging.makeLogRecord({"msg": text, "levelno": logging.INFO}))

    def close(self) -> None:
        """Close the file."""
        self._handler.close()


def _handler(place: str) -> logging.Handler:
    """A log handler for a file that several processes append to: one write per line."""
    if place in ("stdout", "stderr"):
        return logging.StreamHandler(sys.stdout if place == "stdout" else sys.stderr)
    return WatchedFileHandler(place, encoding="utf-8", delay=False)
