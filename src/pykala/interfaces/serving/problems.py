"""Errors as problem+json (RFC 9457): what went wrong, why, and what to do next; never a stack trace."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from pykala.fetch.confined import TookTooMuch
from pykala.interfaces.serving.request import request_id
from pykala.law.identifiers import InvalidIdentifier
from pykala.models.failures import ModelError
from pykala.packs.pack import PackBroken, UnknownPack
from pykala.stores.store import (
    NotInForce,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreIncompatible,
    StoreLocked,
    UnknownProvision,
)

MEDIA_TYPE = "application/problem+json"
_OPENAI = "/v1/"
_log = logging.getLogger(__name__)
_MOST_ERRORS = 20  # of one request; a body may hold tens of thousands of wrong fields

#: code → (status, title)
KINDS: Mapping[str, tuple[int, str]] = {
    "invalid-request": (422, "The request was not understood"),
    "unknown-provision": (404, "No such provision in this library"),
    "not-in-force": (404, "Not in force on that date"),
    "unknown-model": (404, "No such model here"),
    "not-found": (404, "There is nothing here"),
    "method-not-allowed": (405, "Not with this method"),
    "not-json": (400, "The request's body cannot be read"),
    "key-required": (401, "A key is needed"),
    "not-allowed": (403, "This key has no such right"),
    "wrong-origin": (403, "Not from that page"),
    "wrong-host": (421, "Not under that name"),
    "too-slow": (408, "The request did not arrive in time"),
    "too-large": (413, "Too large"),
    "too-many-requests": (429, "Too many requests"),
    "read-only": (409, "This library cannot be written to"),
    "too-costly": (422, "Reading the text takes too much"),
    "upload-refused": (422, "The file was refused"),
    "timed-out": (504, "It took too long"),
    "library-unusable": (503, "The library cannot be used"),
    "draining": (503, "The server is ending"),
    "not-installed": (501, "This server lacks a part"),
    "source-unavailable": (502, "The publisher could not be reached"),
    "internal": (500, "Something went wrong here"),
}


#: Messages about an unusable library that any client may see, the most specific error first.
_UNUSABLE: tuple[tuple[type[StoreError], str], ...] = (
    (StoreLocked, "another process is writing to the library; try again when it has finished"),
    (StoreFull, "the disk of the library is full; what was stored before is safe, and nothing can be added"),
    (StoreDamaged, "a file of the library cannot be read; the server's log says how to mend it"),
    (
        StoreIncompatible,
        "the library was made with another version or model; the server's log says how to mend it",
    ),
    (StoreError, "the library cannot be used now; the server's log says why"),
)


class Problem(Exception):
    """An error that the client sees."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.errors = code, detail, tuple(errors)
        self.status, self.title = KINDS[code]
        self.headers = dict(headers or {})

    def as_dict(self) -> dict[str, object]:
        """The problem as JSON."""
        found: dict[str, object] = {
            "type": f"urn:pykala:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        return {**found, "errors": [dict(one) for one in self.errors]} if self.errors else found

    def response(self, path: str = "") -> JSONResponse:
        """The HTTP response; under /v1 it also has OpenAI's `error` field."""
        body = self.as_dict()
        if path.startswith(_OPENAI):
            body["error"] = {"message": self.detail, "type": self.code, "param": None, "code": self.code}
        return JSONResponse(body, self.status, headers=self.headers, media_type=MEDIA_TYPE)


def problem_of(error: BaseException) -> Problem:
    """Convert an exception to a problem; unexpected ones are logged and their details stay here."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, NotInForce):
        return Problem("not-in-force", f"{error}; give another as_of, or ask for its history")
    if isinstance(error, UnknownProvision):
        return Problem("unknown-provision", str(error))
    if isinstance(error, InvalidIdentifier | UnknownPack):
        return Problem("invalid-request", str(error))
    if isinstance(error, TookTooMuch):
        return Problem("too-costly", str(error))
    if isinstance(error, TimeoutError):
        return Problem("timed-out", "the answer was not ready in time; ask something narrower, or try again")
    if isinstance(
        error, StoreError
    ):  # its message names folders and processes, which only the operator may see
        _log.error("the library cannot be used: %s (request %s)", error, request_id() or "none")
        return Problem(
            "library-unusable", next(message for kind, message in _UNUSABLE if isinstance(error, kind))
        )
    if isinstance(error, PackBroken | ModelError):
        return Problem("library-unusable", str(error))
    _log.error("a request failed (request %s)", request_id() or "none", exc_info=error)
    return Problem("internal", "the server failed at this request and wrote why into its log; try again")


def install(app: FastAPI) -> None:
    """Register the error handlers of an application."""

    async def known(request: Request, error: Exception) -> JSONResponse:
        return problem_of(error).response(request.url.path)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return _invalid(error).response(request.url.path)

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        return _of_http(error, request).response(request.url.path)

    for kind in (
        Problem,
        LookupError,
        InvalidIdentifier,
        TookTooMuch,
        TimeoutError,
        StoreError,
        PackBroken,
        ModelError,
    ):
        app.add_exception_handler(kind, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)


def _invalid(error: RequestValidationError) -> Problem:
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        return Problem("not-json", "the body is no JSON; send an object, with Content-Type: application/json")
    errors = [
        {"field": ".".join(map(str, one["loc"][1:])) or str(one["loc"][0]), "message": one["msg"]}
        for one in found[:_MOST_ERRORS]
    ]
    message = "; ".join(f"{one['field']}: {one['message']}" for one in errors[:5])
    return Problem("invalid-request", f"{message}; /api/v1/openapi.json says what is expected", errors=errors)


def _of_http(error: HTTPException, request: Request) -> Problem:
    if error.status_code == 405:
        problem = Problem("method-not-allowed", f"{request.url.path} does not take {request.method}")
        problem.headers = dict(error.headers or {})
        return problem
    if error.status_code == 404:
        return Problem("not-found", f"{request.url.path} is nothing here; /api/v1/openapi.json lists what is")
    if error.status_code < 500:
        problem = Problem("not-json", str(error.detail))
        problem.status = error.status_code
        return problem
    return Problem("internal", "the server failed at this request; try again")
