"""A Redis or Valkey server that several machines share, and that may be unavailable at any moment.

    redis = RedisServer("redis://cache:6379/0")
    value = redis.attempt(lambda client: client.get(name))   # None where it cannot be had

Whoever uses it goes on without it: an attempt that fails gives None, `fault` says why without any password,
and for some seconds nothing more is tried, so that nobody waits for a server that does not answer.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from pykala.settings_table import SettingsUnreadable

if TYPE_CHECKING:
    import redis

    Client = redis.Redis

Result = TypeVar("Result")

PREFIX: Final = "pykala"  # of every name that is kept there
_PATIENCE: Final = 0.3  # seconds to connect or to be answered; longer than that, a cache is of no use
_REST: Final = 5.0  # seconds without another try after a failure
_SCHEMES: Final = re.compile(r"(?:rediss?|valkeys?|unix)://", re.IGNORECASE)
_SECRET: Final = re.compile(r"(?<=://).*@", re.DOTALL)  # one that was not encoded may hold any sign
MISSING_EXTRA: Final = "PYKALA_REDIS needs the extra 'redis': pip install 'pykala[redis]'"


class RedisUnusable(SettingsUnreadable):
    """The address is not one of Redis, or the extra is not installed."""


class RedisServer:
    """A connection to one server, shared by the threads of a process."""

    def __init__(
        self,
        address: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: float = _PATIENCE,
        rest: float = _REST,
    ) -> None:
        self._client = _client(address, patience)
        self.place = without_secret(address)
        self._clock, self._rest = clock, rest
        self._lock = threading.Lock()
        self._resting_until = float("-inf")
        self.fault = ""

    def attempt(self, action: Callable[[Client], Result]) -> Result | None:
        """Run an action; None where the server is unavailable."""
        import redis

        if self._clock() < self._resting_until:
            return None
        try:
            done = action(self._client)
        except (redis.RedisError, OSError) as error:
            with self._lock:
                self._resting_until = self._clock() + self._rest
                self.fault = (
                    f"Redis at {self.place} is not used ({_reason(error)}); answers are the same without"
                    " it, only slower, and limits are those of each machine"
                )
            return None
        self.fault = ""
        return done

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def without_secret(address: str) -> str:
    """An address without its user and password, and without parameters, which may hold one."""
    return _SECRET.sub("", address).partition("?")[0]


def _reason(error: Exception) -> str:
    """Name the kind of failure; the server's own message may repeat what it was sent."""
    import redis

    kinds = (
        (redis.AuthenticationError, "it refused the user or the password"),
        (redis.TimeoutError, "it did not answer in time"),
        (redis.ConnectionError, "it could not be reached"),
        (redis.ResponseError, "it refused a command"),
    )
    return next((words for kind, words in kinds if isinstance(error, kind)), type(error).__name__)


def _client(address: str, patience: float) -> Client:
    if not _SCHEMES.match(address):
        raise RedisUnusable("PYKALA_REDIS is no address of Redis; give one such as redis://cache:6379/0")
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise RedisUnusable(MISSING_EXTRA) from error
    try:
        return redis.Redis.from_url(
            re.sub(r"^valkey", "redis", address, flags=re.IGNORECASE),
            socket_timeout=patience,
            socket_connect_timeout=patience,
            retry=Retry(NoBackoff(), 0),  # whoever waits would rather go on without
            client_name="pykala",
        )
    except (ValueError, redis.RedisError):
        raise RedisUnusable(
            f"PYKALA_REDIS is no address of Redis that can be read: {without_secret(address)}"
        ) from None
