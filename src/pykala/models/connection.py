"""One service over HTTP: a key that goes nowhere else, time-outs, retries that wait as long as asked.

Redirects are not followed, because a key must be sent only to its own address. The environment's proxies and
netrc are not read. Once a part of a reply has been used, the request is not retried.
"""

from __future__ import annotations

import json
import re
import weakref
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final, Literal, TypeVar
from urllib.parse import urlsplit

import httpx

from pykala.fetch.retries import Clock, Passing, SystemClock, fault_in_words, persist, seconds_asked
from pykala.models.failures import (
    ContextTooLong,
    CutReply,
    Key,
    KeyRefused,
    MalformedReply,
    MissingKey,
    ModelError,
    ModelMisconfigured,
    ModelUnavailable,
    OutOfCredit,
    RateLimited,
    RequestRefused,
    shortened,
)

_Result = TypeVar("_Result")

#: How a service expects its key: "Authorization: Bearer …" or "x-api-key: …".
KeyHeader = Literal["authorization", "x-api-key"]

_LARGEST_REPLY: Final = 256 * 1024 * 1024
_LARGEST_STREAM: Final = 16 * 1024 * 1024  # bytes; a draft has some thousand tokens, each in an event
_LARGEST_REFUSAL: Final = 64 * 1024
#: Messages of services for a request that is too long; each uses its own words.
_TOO_LONG: Final = re.compile(
    r"context[_ ](?:length|window)|maximum context|too many tokens|prompt is too long"
    r"|exceed\w* .{0,40}context|input is too long|request_too_large",
    re.IGNORECASE,
)
_SPENT: Final = re.compile(
    r"insufficient_quota|insufficient balance|spend_limit|billing|credit balance", re.I
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds, and how often to try. `longest_call` bounds a call with all its waits."""

    attempts: int = 3
    first_wait: float = 1.0
    longest_wait: float = 30.0
    connect: float = 10.0
    silence: float = 60.0  # the longest pause within a reply
    longest_call: float = 300.0


class _Passing(Passing):
    """A refusal that may be temporary."""

    def __init__(self, error: ModelError, wait: float = -1.0) -> None:
        self.error, self.wait = error, wait


class Connection:
    """A service: its address, its key, and how patiently it is called."""

    def __init__(
        self,
        service: str,
        base_url: str,
        *,
        key: Key | None = None,
        key_variable: str = "",
        key_header: KeyHeader = "authorization",
        headers: Mapping[str, str] | None = None,
        patience: Patience | None = None,
        clock: Clock | None = None,
        otherwise: str = ", or set a fallback model",
    ) -> None:
        self._otherwise = otherwise  # advice for a service that stays unavailable, besides trying again
        self.service, self.base_url = service, base_url.rstrip("/")
        self._key, self._variable = key or Key(), key_variable
        self._patience, self._clock = patience or Patience(), clock or SystemClock()
        _check_address(service, self.base_url, bool(self._key))
        if self._key:
            _check_key(service, self._key, key_variable)
        self._headers, self._key_header = dict(headers or {}), key_header
        self._client: httpx.Client | None = None

    def __repr__(self) -> str:
        return f"Connection({self.service!r}, {self.base_url!r})"

    def close(self) -> None:
        """Close the connections that are open."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def post(self, path: str, body: Mapping[str, object], *, within: float | None = None) -> Any:
        """Send JSON and return the JSON that comes back; `within` so many seconds, where that is sooner."""

        def ask(deadline: float) -> Any:
            try:
                with self._sent(path, body, deadline) as response:
                    data = b"".join(self._within(response, deadline))
                return json.loads(data)
            except CutReply as fault:
                raise _Passing(ModelUnavailable(str(fault))) from None
            except (ValueError, RecursionError):
                raise MalformedReply(f"{self.service} answered with something that is no JSON") from None

        return self._persist(ask, within)

    def stream(self, path: str, body: Mapping[str, object]) -> Generator[bytes, None, None]:
        """Send JSON and give the reply as it comes; closing the iterator closes the connection."""
        opened = self._persist(lambda deadline: self._begun(path, body, deadline))
        try:
            yield from opened
        finally:
            opened.close()

    def _begun(self, path: str, body: Mapping[str, object], deadline: float) -> _Begun:
        context = self._sent(path, body, deadline)
        response = context.__enter__()
        chunks = self._within(response, deadline, _LARGEST_STREAM)
        try:
            first = next(chunks, b"")
        except CutReply as fault:
            context.__exit__(None, None, None)
            # No part of the reply has been used yet, so the request may be repeated.
            raise _Passing(ModelUnavailable(str(fault))) from None
        except BaseException:
            context.__exit__(None, None, None)
            raise
        return _Begun(first, chunks, lambda: context.__exit__(None, None, None))

    def _persist(self, ask: Callable[[float], _Result], within: float | None = None) -> _Result:
        """Repeat a request until it succeeds, or the attempts or the time are used up."""
        if self._variable and not self._key:
            raise MissingKey(self.service, self._variable)
        longest = self._patience.longest_call
        deadline = self._clock.monotonic() + (longest if within is None else min(within, longest))
        if self._patience.attempts < 1:
            raise ModelMisconfigured(f"no attempt is allowed for {self.service}; set attempts to 1 or more")

        def given_up(passing: Passing, attempt: int, wait: float) -> ModelError:
            assert isinstance(passing, _Passing)
            return _told(passing, attempt, self._otherwise)

        return persist(
            lambda: ask(deadline),
            self._patience,
            self._clock,
            deadline,
            given_up,
            longest_asked=self._patience.longest_wait,
        )

    @contextmanager
    def _sent(self, path: str, body: Mapping[str, object], deadline: float) -> Iterator[httpx.Response]:
        if self._client is None:
            # Loading certificates takes time, and a plain HTTP address does not need them.
            secure = self.base_url.startswith("https:")
            self._client = httpx.Client(verify=secure, trust_env=False, follow_redirects=False)
            # Nobody closes a writer, so its connections close when it is garbage-collected.
            weakref.finalize(self, self._client.close)
        left = max(deadline - self._clock.monotonic(), 0.01)
        timeout = httpx.Timeout(min(self._patience.silence, left), connect=min(self._patience.connect, left))
        request = self._client.build_request(
            "POST",
            f"{self.base_url}{path}",
            content=json.dumps(body).encode(),
            headers=self._sent_headers(),
            timeout=timeout,
        )
        try:
            response = self._client.send(request, stream=True)
        except (httpx.TransportError, OSError) as fault:
            raise _Passing(
                ModelUnavailable(f"{self.service} at {self._host}: {fault_in_words(fault)}")
            ) from None
        try:
            if response.status_code != 200:
                raise self._refusal(response)
            yield response
        finally:
            response.close()

    def _within(
        self, response: httpx.Response, deadline: float, largest: int = _LARGEST_REPLY
    ) -> Iterator[bytes]:
        """The body piece by piece, with a deadline: a service that sends bytes slowly never times out."""
        taken = 0
        try:
            for chunk in response.iter_bytes():
                taken += len(chunk)
                if taken > largest:
                    raise MalformedReply(f"{self.service} sent more than {largest} bytes")
                if self._clock.monotonic() > deadline:
                    raise CutReply(
                        f"{self.service} took longer than the time that a call may take; ask again"
                    )
                yield chunk
        except (httpx.TransportError, httpx.StreamError, httpx.DecodingError, OSError) as fault:
            raise CutReply(
                f"{self.service} broke off in the middle of its reply: {fault_in_words(fault)}"
            ) from None

    def _sent_headers(self) -> dict[str, str]:
        headers = self._headers | {"content-type": "application/json"}
        if self._key:
            bearer = "Bearer " if self._key_header == "authorization" else ""
            headers[self._key_header] = f"{bearer}{self._key.reveal()}"
        return headers

    @property
    def _host(self) -> str:
        return urlsplit(self.base_url).netloc

    def _refusal(self, response: httpx.Response) -> ModelError | _Passing:
        """A status other than 200 as an error that says what to do."""
        status, said = response.status_code, self._said(response)
        code, reason = f"{self.service} answered {status}", f" ({said})" if said else ""
        if status in (401, 403):
            variable = self._variable or "the key of the model"
            return KeyRefused(f"{code}{reason}: the key is not accepted; check {variable}")
        if status == 402 or _SPENT.search(said):
            return OutOfCredit(f"{code}{reason}: the account has no credit; add some, or set another model")
        if status == 413 or (status in (400, 422) and _TOO_LONG.search(said)):
            return ContextTooLong(
                f"{code}{reason}: longer than the model reads; set a smaller PYKALA_MODEL_BUDGET"
            )
        asked = seconds_asked(response.headers.get("retry-after", ""), self._clock.now())
        if status == 429:
            return _Passing(RateLimited(f"{code}{reason}: too many requests", max(asked, 0.0)), asked)
        if status in (408, 425) or status >= 500:
            return _Passing(ModelUnavailable(f"{code}{reason}: it cannot serve now"), asked)
        if status == 404:
            return RequestRefused(
                f"{code}{reason}: there is no such model or address; check the model's name"
            )
        return RequestRefused(f"{code}{reason}: it refuses the request; check the model and its address")

    def _said(self, response: httpx.Response) -> str:
        """The reason in the body of a refusal, if there is one."""
        data = bytearray()
        try:
            for chunk in response.iter_bytes():
                data += chunk
                if len(data) > _LARGEST_REFUSAL:
                    break
            body = json.loads(bytes(data))
        except (httpx.HTTPError, httpx.StreamError, OSError, ValueError, RecursionError):
            return ""
        return shortened(_message(body), self._key)


class _Begun:
    """A reply whose first piece has arrived."""

    def __init__(self, first: bytes, rest: Iterator[bytes], close: Callable[[], object]) -> None:
        self._first, self._rest, self.close = first, rest, close

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        yield from self._rest


def _told(passing: _Passing, attempt: int, otherwise: str) -> ModelError:
    """The error of the last attempt, with the next step."""
    times = "" if attempt == 1 else f", {attempt} times over"
    error = passing.error
    if isinstance(error, RateLimited):
        when = f"in {passing.wait:.0f} s" if passing.wait > 0 else "later"
        return RateLimited(f"{error}{times}; ask again {when}{otherwise}", error.wait)
    return type(error)(f"{error}{times}; ask again later{otherwise}")


def _message(body: object) -> str:
    """OpenAI: error.message and code; Anthropic: error.message and type; Cohere, TEI: message or error."""
    if not isinstance(body, dict):
        return ""
    inner = body.get("error", body)
    if isinstance(inner, dict):
        parts = [inner.get(name) for name in ("message", "code", "type")]
        return "; ".join(str(part) for part in parts if isinstance(part, str | int))
    return str(inner or body.get("message", "") or body.get("detail", ""))


def _check_address(service: str, url: str, keyed: bool) -> None:
    try:
        parts = urlsplit(url)
        httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise ModelMisconfigured(f"the address of {service} cannot be read; check it") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelMisconfigured(f"{service} has no address; give one that starts with http:// or https://")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ModelMisconfigured(f"the address of {service} holds more than a host and a path; keys go apart")
    if keyed and parts.scheme == "http" and not _is_near(parts.hostname):
        raise ModelMisconfigured(f"{service} would get its key unencrypted; give an address with https://")


def _is_near(host: str) -> bool:
    """Whether an address is on this machine or its local network."""
    if host == "localhost" or not ("." in host or ":" in host):
        return True
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return host.endswith((".local", ".internal", ".localhost"))
    return address.is_private or address.is_loopback


def _check_key(service: str, key: Key, variable: str) -> None:
    if not (key.reveal().isascii() and key.reveal().isprintable()) or " " in key.reveal():
        raise ModelMisconfigured(f"the key of {service} holds characters that no key has; check {variable}")
