"""Checks before every route: host, origin, keys, rates, sizes; and security headers on every response.

The lookup of a caller may need a database, a token issuer or a Redis. A separate thread waits for these, so
that the server keeps serving others when one of them does not answer.

This is plain ASGI, not Starlette's BaseHTTPMiddleware, under which a stream does not notice that its client
disconnected.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import NoReturn
from urllib.parse import urlsplit

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pykala.interfaces.http import matters
from pykala.interfaces.http.key_rings import Holder, Ring, rights_of
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.rates import RateLimit, SharedRates
from pykala.interfaces.serving import rights
from pykala.interfaces.serving.problems import Problem, problem_of
from pykala.interfaces.serving.request import chosen_matter, current
from pykala.interfaces.serving.shared_memory import REQUESTS, WRONG_KEYS, SharedMemory

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
#: Paths that reveal nothing about the library and need no key, and paths whose requests are counted.
OPEN_PATHS = frozenset({"/api/v1/health", "/api/v1/ready", "/api/v1/openapi.json"})
_GUARDED = ("/api/", "/v1/", "/mcp", "/metrics")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_UPLOADS = "/api/v1/uploads"
_LOOKED_UP_AT_ONCE = 8  # callers that are looked up at the same time, one thread each
_TO_LOOK_UP = 15.0  # seconds for a lookup
_CLOSE = {"Connection": "close"}  # do not wait for the rest of a body
_NAME_AND_PORT = re.compile(r"(?P<name>\[[^\[\]]*\]|[^\[\]:]*)(?::[0-9]*)?")


@dataclass(frozen=True, slots=True)
class Admitted:
    """A caller's rights, its name in logs, its matter, and its rate limit."""

    rights: frozenset[rights.Right]
    name: str = ""
    matter: str = ""
    counted_as: str = ""


class Guards:
    """Refuses requests that must not reach the application, and adds the security headers."""

    def __init__(
        self,
        app: ASGIApp,
        options: ServerOptions,
        memory: SharedMemory | None = None,
        ring: Ring | None = None,
        rates: SharedRates | None = None,
    ) -> None:
        self._ring = ring
        self._app = app
        self._options = options
        self._rights = {key.encode(): rights for key, rights in options.rights.items()}
        self._names = {key.encode(): name for key, name in options.key_names.items()}
        self._rates = RateLimit(options.requests_per_minute, memory=memory, table=REQUESTS, shared=rates)
        self._wrong_keys = RateLimit(
            options.wrong_keys_per_minute, memory=memory, table=WRONG_KEYS, shared=rates
        )
        self._waits = ring is not None or self._rates.is_shared
        self._threads = CapacityLimiter(_LOOKED_UP_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            limit = await self._admit(scope)
        except Exception as error:
            problem = problem_of(error)
            _note_refusal(problem)
            await problem.response(scope["path"])(scope, receive, _with_headers(send))
            return
        body = _Body(receive, limit, self._options.seconds, self._options.stall_seconds)
        answer = _Answer(_with_headers(send), body)
        refusal: Problem | None = None
        try:
            await self._app(scope, body, answer)
        except Exception as error:
            if answer.begun:
                raise
            refusal = problem_of(error)
        if body.refusal is not None and not answer.begun:  # replaces whatever response the application made
            refusal = body.refusal
        if refusal is not None:
            if refusal is body.refusal:
                _note_refusal(refusal)
            await refusal.response(scope["path"])(scope, receive, _with_headers(send))

    async def _admit(self, scope: Scope) -> int:
        """Refuse the request, or return the largest body it may send."""
        headers, path = Headers(scope=scope), scope["path"]
        chosen_matter.set("")
        _check_length(headers)
        self._check_host(headers)
        self._check_origin(scope["method"], headers)
        if path.startswith(_GUARDED):
            _remember(await self._look_up(path, headers, _address(scope)))
            if path not in OPEN_PATHS:
                rights.require(rights.right_for(scope["method"], path))
        options = self._options
        limit = options.upload_bytes + 65_536 if path == _UPLOADS else options.body_bytes
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > limit:
            raise too_large(limit)
        return limit

    def _check_host(self, headers: Headers) -> None:
        name = _host_name(headers.get("host", ""))
        if not self._options.answers_to(name):
            raise Problem(
                "wrong-host",
                f"this server does not answer to the name {name!r}; use its address, or allow the name with"
                " PYKALA_HOSTS",
            )

    def _check_origin(self, method: str, headers: Headers) -> None:
        origin = headers.get("origin")
        if method in _SAFE_METHODS or origin is None or origin in self._options.origins:
            return
        if _netloc(origin) not in {headers.get("host")} - {""}:
            raise Problem(
                "wrong-origin",
                f"pages of {origin} may not change anything here; allow them with PYKALA_ORIGINS",
            )

    async def _look_up(self, path: str, headers: Headers, address: str) -> Admitted:
        """Look up the caller; Problem where it has no access, or where the lookup takes too long."""
        if path in OPEN_PATHS:  # answered without a lookup
            self._check_rate(address, here=True)
            return Admitted(rights.EVERY_RIGHT)
        if not self._waits:
            return self._counted(path, headers, address)
        try:
            async with asyncio.timeout(_TO_LOOK_UP):
                return await run_sync(
                    self._counted, path, headers, address, abandon_on_cancel=True, limiter=self._threads
                )
        except TimeoutError:
            raise Problem(
                "timed-out", "who asks could not be looked up in time; try again in a while"
            ) from None

    def _counted(self, path: str, headers: Headers, address: str) -> Admitted:
        """Look up the caller and count the request."""
        admitted = self._check_key(path, headers, address)
        self._check_rate(admitted.counted_as or address)
        return admitted

    def _check_key(self, path: str, headers: Headers, address: str) -> Admitted:
        wanted = headers.get(matters.HEADER, "")
        if not self._needs_key(path):
            matters.require_member(wanted, None, None)
            return Admitted(rights.without_keys(metrics_guarded=bool(self._options.metrics_keys)))
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = (token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")).encode()
        if given and self._wrong_keys.is_spent(address):  # who guesses keys learns nothing for a while
            self._refuse_rate("wrong keys", self._options.wrong_keys_per_minute, 60.0)
        # Compare every key, each in constant time, so that the duration reveals nothing about them.
        fitting = [key for key in self._rights if hmac.compare_digest(given, key)]
        if not fitting and given and (holder := self._held_in_the_library(given)) is not None:
            matters.require_member(wanted, holder, self._ring)
            return Admitted(rights_of(holder), holder.name, wanted, f"key of {holder.name}")
        if not fitting:
            if given:
                self._wrong_keys.wait(address)
            raise Problem(
                "key-required",
                "send one of the server's keys as 'Authorization: Bearer KEY'; who runs it sets them in"
                " PYKALA_API_KEYS, or makes them with 'pykala keys add'",
                headers={"WWW-Authenticate": "Bearer"},
            )
        matters.require_member(wanted, None, None)
        counted_as = f"key {list(self._rights).index(fitting[0])}"
        return Admitted(self._rights[fitting[0]], self._names[fitting[0]], "", counted_as)

    def _needs_key(self, path: str) -> bool:
        if self._options.is_guarded or (path == rights.METRICS_PATH and self._options.metrics_keys):
            return True
        return self._ring is not None and self._ring.is_guarded

    def _held_in_the_library(self, given: bytes) -> Holder | None:
        return self._ring.holder(given.decode("utf-8", "replace")) if self._ring is not None else None

    def _check_rate(self, caller: str, *, here: bool = False) -> None:
        seconds = self._rates.wait(caller, here=here)
        if seconds:
            self._refuse_rate("requests", self._options.requests_per_minute, seconds)

    def _refuse_rate(self, what: str, most: int, seconds: float) -> NoReturn:
        whole = int(seconds) + 1
        raise Problem(
            "too-many-requests",
            f"more than {most} {what} in a minute; wait {whole} s",
            headers={"Retry-After": str(whole)},
        )


def _remember(admitted: Admitted) -> None:
    """Pass the caller on to the code that answers the request."""
    rights.held.set(admitted.rights)
    chosen_matter.set(admitted.matter)
    if (seen := current.get()) is not None:
        seen.caller, seen.matter = admitted.name, admitted.matter


def _note_refusal(problem: Problem) -> None:
    if (seen := current.get()) is not None:
        seen.refused = problem.code


def too_large(limit: int) -> Problem:
    """The error for a body that is too large."""
    return Problem("too-large", f"at most {limit:,} bytes are read; send less, or split it", headers=_CLOSE)


class _Body:
    """Reads a body within limits of time and size, and never waits long between parts."""

    def __init__(self, receive: Receive, limit: int, seconds: float, stall: float) -> None:
        self._receive, self._limit, self._seconds, self._stall = receive, limit, seconds, stall
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._read, self._whole = 0, False
        self.refusal: Problem | None = None

    async def __call__(self) -> Message:
        if self._whole:  # from here on, only a disconnect can follow
            return await self._receive()
        try:
            now = asyncio.get_running_loop().time()
            async with asyncio.timeout_at(min(self._deadline, now + self._stall)):
                message = await self._receive()
        except TimeoutError:
            self.refusal = Problem(
                "too-slow",
                f"the request did not arrive within {self._seconds:g} s, or stood still for"
                f" {self._stall:g} s; try again",
                headers=_CLOSE,
            )
            raise self.refusal from None
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self._whole = not message.get("more_body", False)
            if self._read > self._limit:
                self.refusal = too_large(self._limit)
                raise self.refusal
        return message


class _Answer:
    """Sends the application's response; drops it where the body was refused before its end."""

    def __init__(self, send: Send, body: _Body) -> None:
        self._send, self._body, self.begun = send, body, False

    async def __call__(self, message: Message) -> None:
        if self._body.refusal is not None and not self.begun:
            return
        self.begun = True
        await self._send(message)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _check_length(headers: Headers) -> None:
    """Refuse a body whose end is told in two ways (RFC 9112 section 6.3).

    A proxy before this server may read the other one: it would then take a part of the body for a request.
    """
    if "content-length" in headers and "transfer-encoding" in headers:
        raise Problem(
            "not-json",
            "the request has Content-Length and Transfer-Encoding; send one of them",
            headers=_CLOSE,
        )


def _netloc(origin: str) -> str:
    """Host and port of an Origin header; "" for an invalid one."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _host_name(host: str) -> str:
    """A Host header without its port; all of it where it is no name and port, so that it names nobody.

    Of `127.0.0.1:80@evil.example`, a program that reads it as an address would ask evil.example.
    """
    found = _NAME_AND_PORT.fullmatch(host)
    return (found["name"] if found else host).lower()


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return f"address {caller_of(client[0])}" if client else "address unknown"


def caller_of(address: str) -> str:
    """The key for rate limits: an IPv4 address, or a whole IPv6 network, which one client may own."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
