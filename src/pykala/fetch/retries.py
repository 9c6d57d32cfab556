"""Retry HTTP requests: wait out temporary faults, for as long as the server asks."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

import httpx

_Result = TypeVar("_Result")
_SECONDS = re.compile(r"\d{1,9}(?:\.\d+)?")


class Clock(Protocol):
    """Time, as an argument: tests bring one that never waits."""

    def now(self) -> datetime:
        """The date and time, with its zone."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The date and time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class Passing(Exception):
    """A temporary fault; `wait` is what the server asks for, negative when it names no time."""

    wait: float = -1.0


class Waits(Protocol):
    """How often to try, and how long to wait: twice as long each time, in seconds."""

    @property
    def attempts(self) -> int:
        """The number of attempts, including the first."""

    @property
    def first_wait(self) -> float:
        """The wait before the second attempt."""

    @property
    def longest_wait(self) -> float:
        """The longest wait."""


def persist(
    ask: Callable[[], _Result],
    waits: Waits,
    clock: Clock,
    deadline: float,
    given_up: Callable[[Passing, int, float], Exception],
    *,
    longest_asked: float = float("inf"),
) -> _Result:
    """Retry until a response comes, or attempts or time run out.

    `given_up` makes the error from the last fault, the attempts made and the wait that was not waited. A wait
    of more than `longest_asked` seconds is not waited, whoever asks for it. There is at least one attempt.
    """
    for attempt in range(1, waits.attempts + 1):
        try:
            return ask()
        except Passing as passing:
            own = min(waits.first_wait * 2.0 ** (attempt - 1), waits.longest_wait)
            wait = passing.wait if passing.wait >= 0 else own
            late = clock.monotonic() + wait > deadline or wait > longest_asked
            if attempt == waits.attempts or late:
                raise given_up(passing, attempt, wait) from None
            clock.sleep(wait)
    raise ValueError("no attempt is allowed; set attempts to 1 or more")


def seconds_asked(value: str, now: datetime) -> float:
    """`Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); negative when it says nothing."""
    text = value.strip()
    if text.isascii() and _SECONDS.fullmatch(text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return -1.0
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())


def fault_in_words(fault: Exception) -> str:
    """Describe a fault in our own words: a library's message may quote what was sent, or to whom."""
    kinds: tuple[tuple[type[Exception], str], ...] = (
        (httpx.ConnectTimeout, "no connection came about in time"),
        (httpx.TimeoutException, "no answer came in time"),
        (httpx.ConnectError, "no connection could be made"),
        (httpx.RemoteProtocolError, "the connection ended before the answer was whole"),
    )
    return next(
        (words for kind, words in kinds if isinstance(fault, kind)),
        f"the connection failed ({type(fault).__name__})",
    )
