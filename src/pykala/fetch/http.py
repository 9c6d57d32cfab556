"""Polite HTTP: few requests, each with our name on it, never to a host that the pack does not name.

A body that was seen before is asked for with its validators (RFC 9110, section 13) and comes from the
snapshots when the source answers 304. A source that is busy is given the time it asks for.

The transport is used without httpx's client, which writes whole addresses, with the keys in them, to the log.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import TracebackType
from typing import Self

import httpx

from .addresses import AllowedHosts, FetchRefused, redacted
from .retries import Clock, Passing, SystemClock, fault_in_words, persist, seconds_asked
from .snapshots import Sighting, SnapshotDamaged, Snapshots
from .unpack import UnpackFailed, gunzipped

__all__ = [
    "AllowedHosts",
    "Clock",
    "FetchFailed",
    "FetchRefused",
    "Fetched",
    "Manners",
    "PoliteClient",
    "redacted",
]

_BUSY = {408, 425, 429, 500, 502, 503, 504}
_WHOLE = {200, 203}
_MOVED = {301, 302, 303, 307, 308}


@dataclass(frozen=True, slots=True)
class Manners:
    """How a source is asked. Times are in seconds; `time_budget` bounds one call with all its waits."""

    user_agent: str
    interval: float = 1.0
    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0
    time_budget: float = 300.0
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    max_body: int = 64 * 1024 * 1024
    max_redirects: int = 5

    def __post_init__(self) -> None:
        if not self.user_agent.strip() or not self.user_agent.isprintable():
            raise ValueError("a source is asked under a name: give a user_agent of one printable line")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response. After a 304 the body comes from the snapshots, and `retrieved_at` is its own date.

    `checked_at` is when the source last said that this is what it holds.
    """

    status: int
    url: str
    data: bytes
    headers: Mapping[str, str]
    from_cache: bool
    retrieved_at: datetime
    checked_at: datetime
    sha256: str = ""


class FetchFailed(Exception):
    """A source that did not give the file. `status` is the last HTTP status, 0 when none came."""

    def __init__(self, url: str, reason: str, status: int = 0) -> None:
        self.url, self.reason, self.status = redacted(url), reason, status
        super().__init__(f"{self.url}: {reason}")


class _Passing(Passing):
    """A temporary fault of a source, with its HTTP status where one came."""

    def __init__(self, reason: str, status: int = 0, wait: float = -1.0) -> None:
        self.reason, self.status, self.wait = reason, status, wait
        super().__init__(reason)


@dataclass(slots=True)
class _Turns:
    """One request per host and interval, whichever thread asks."""

    interval: float
    clock: Clock
    _next: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_for(self, host: str) -> float:
        """Reserve the next turn and return the seconds until then."""
        with self._lock:
            now = self.clock.monotonic()
            turn = max(now, self._next.get(host, now))
            self._next[host] = turn + self.interval
        return turn - now


class PoliteClient:
    """Fetches from the hosts a pack names, and from no other."""

    def __init__(
        self,
        hosts: AllowedHosts,
        manners: Manners,
        *,
        snapshots: Snapshots | None = None,
        clock: Clock | None = None,
        checked_since: datetime | None = None,
    ) -> None:
        self.hosts, self.manners = hosts, manners
        self.checked_since = checked_since  # files confirmed since then are not requested again
        self._hosts, self._manners, self._snapshots = hosts, manners, snapshots
        self._clock: Clock = clock or SystemClock()
        self._turns = _Turns(manners.interval, self._clock)
        self._transport = httpx.HTTPTransport(trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> Fetched:
        """Fetch one address. Raises FetchRefused before anything is sent, or FetchFailed."""
        self._hosts.check(url)
        deadline = self._clock.monotonic() + self._manners.time_budget
        known, body = self._known(url)
        if known is not None and self.confirmed_lately(known):
            seen = known.retrieved_at, known.checked_at
            return Fetched(304, redacted(url), body, {}, True, *seen, known.sha256)
        answer = self._persist(url, dict(headers or {}) | _validators(known), deadline)
        if answer.status == 304:
            if known is None:
                raise FetchFailed(url, "the source answered 304 to a question without validators", 304)
            return self._confirmed(url, known, body, answer)
        if answer.status not in _WHOLE:
            raise FetchFailed(url, _explained(answer.status), answer.status)
        return self._kept(url, answer)

    def at_hand(self, url: str) -> bool:
        """Whether a snapshot can answer without a request."""
        known, _ = self._known(url)
        return known is not None and self.confirmed_lately(known)

    def confirmed_lately(self, known: Sighting) -> bool:
        """Whether the source confirmed a body since `checked_since`; then no request is needed."""
        return self.checked_since is not None and known.checked_at >= self.checked_since

    def _known(self, url: str) -> tuple[Sighting | None, bytes]:
        sighting = self._snapshots.last(redacted(url)) if self._snapshots else None
        if self._snapshots is None or sighting is None:
            return None, b""
        try:
            return sighting, self._snapshots.get(sighting.sha256)
        except SnapshotDamaged:
            # Without its body a 304 would be worth nothing: ask as if for the first time.
            return None, b""

    def _confirmed(self, url: str, known: Sighting, body: bytes, answer: Fetched) -> Fetched:
        if self._snapshots is not None:
            self._snapshots.record(replace(known, checked_at=answer.checked_at))
        return replace(
            answer,
            data=body,
            from_cache=True,
            retrieved_at=known.retrieved_at,
            sha256=known.sha256,
            url=redacted(url),
        )

    def _kept(self, url: str, answer: Fetched) -> Fetched:
        if self._snapshots is None:
            return answer
        sha256 = self._snapshots.put(answer.data)
        tags = answer.headers.get("etag", ""), answer.headers.get("last-modified", "")
        self._snapshots.record(Sighting(redacted(url), *tags, sha256, answer.retrieved_at, answer.checked_at))
        return replace(answer, sha256=sha256)

    def _persist(self, url: str, headers: dict[str, str], deadline: float) -> Fetched:
        """Retry until a response comes, or attempts or time run out."""

        def given_up(passing: Passing, attempt: int, wait: float) -> FetchFailed:
            assert isinstance(passing, _Passing)
            if attempt == self._manners.attempts:
                reason = f"{passing.reason}, {attempt} times over; try again later"
            else:
                spent = f"and waiting {wait:.0f} s more would pass the time allowed"
                reason = f"{passing.reason}, {spent}; try again later"
            return FetchFailed(url, reason, passing.status)

        if self._manners.attempts < 1:
            raise FetchFailed(url, "no attempt is allowed; set attempts to 1 or more")
        return persist(
            lambda: self._follow(url, headers, deadline), self._manners, self._clock, deadline, given_up
        )

    def _follow(self, url: str, headers: dict[str, str], deadline: float) -> Fetched:
        first = self._hosts.check(url)
        for _ in range(self._manners.max_redirects + 1):
            host = self._hosts.check(url)
            # A key that a caller sends to one host must not reach another.
            sent = headers if host == first else {}
            answer = self._ask(url, host, sent, deadline)
            target = answer.headers.get("location", "")
            if answer.status not in _MOVED or not target:
                return answer
            url = _joined(url, target)
        raise FetchFailed(url, f"it redirects more than {self._manners.max_redirects} times")

    def _ask(self, url: str, host: str, headers: dict[str, str], deadline: float) -> Fetched:
        wait = self._turns.wait_for(host)
        left = deadline - self._clock.monotonic() - wait
        if wait > 0 and left > 0:
            self._clock.sleep(wait)
        if left <= 0:
            raise FetchFailed(url, "the time allowed for it is spent; try again later")
        own = {"user-agent": self._manners.user_agent, "accept-encoding": "gzip"}
        timeout = httpx.Timeout(
            min(self._manners.read_timeout, left), connect=min(self._manners.connect_timeout, left)
        )
        try:
            request = httpx.Request(
                "GET", url, headers=headers | own, extensions={"timeout": timeout.as_dict()}
            )
            response = self._transport.handle_request(request)
        except (httpx.TransportError, OSError) as fault:
            raise _Passing(fault_in_words(fault)) from None
        except (httpx.InvalidURL, ValueError) as fault:
            raise FetchFailed(
                url, f"it cannot be asked ({type(fault).__name__}); check the address"
            ) from None
        try:
            return self._taken(url, response, deadline)
        except (httpx.TransportError, httpx.StreamError, OSError) as fault:
            raise _Passing(fault_in_words(fault)) from None
        finally:
            response.close()

    def _taken(self, url: str, response: httpx.Response, deadline: float) -> Fetched:
        status = response.status_code
        if status in _BUSY:
            wait = seconds_asked(response.headers.get("retry-after", ""), self._clock.now())
            raise _Passing(f"the source answered {_explained(status)}", status, wait)
        data = self._body(url, response, deadline) if status in _WHOLE else b""
        now = self._clock.now()
        return Fetched(status, redacted(url), data, dict(response.headers), False, now, now)

    def _body(self, url: str, response: httpx.Response, deadline: float) -> bytes:
        limit = self._manners.max_body
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding not in {"identity", "", "gzip", "x-gzip"}:
            raise FetchFailed(
                url, f"the body is packed as {coding!r}, which was not asked for", response.status_code
            )
        raw = _within(response.iter_raw(), url, self._clock, deadline)
        body = bytearray()
        try:
            for chunk in raw if coding in {"identity", ""} else gunzipped(raw):
                body += chunk
                if len(body) > limit:
                    raise FetchFailed(url, f"the body is larger than {limit} bytes", response.status_code)
        except UnpackFailed as fault:
            raise _Passing(f"the packed body is damaged ({fault})", response.status_code) from None
        return bytes(body)


def _within(chunks: Iterable[bytes], url: str, clock: Clock, deadline: float) -> Iterable[bytes]:
    """Pass chunks on until the time is spent: a slow source never times out by itself."""
    for chunk in chunks:
        if clock.monotonic() > deadline:
            raise FetchFailed(url, "the body came too slowly for the time allowed; try again later")
        yield chunk


def _validators(known: Sighting | None) -> dict[str, str]:
    if known is None:
        return {}
    asked = {"if-none-match": known.etag, "if-modified-since": known.last_modified}
    return {name: value for name, value in asked.items() if value}


def _joined(url: str, target: str) -> str:
    try:
        return str(httpx.URL(url).join(target))
    except (httpx.InvalidURL, ValueError):
        raise FetchFailed(url, "it redirects to something that is no address") from None


_STATUS = {404: "there is no such file there", 410: "the file was withdrawn", 401: "a key is needed"}


def _explained(status: int) -> str:
    phrase = _STATUS.get(status) or httpx.codes.get_reason_phrase(status) or "an unknown status"
    return f"{status} ({phrase})"
