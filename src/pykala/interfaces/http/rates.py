"""Rate limits, counted across the processes of a server and the servers of a team.

Processes of one server count in shared memory. Servers with a common Redis count there, with one round trip
per request; while it is unavailable, each server counts for itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Final, Protocol

from pykala.caches.redis_server import PREFIX, RedisServer
from pykala.interfaces.serving.shared_memory import REQUESTS, SharedMemory
from pykala.stores.postgres.address import shown

#: A token bucket, which fills as time passes. Redis runs this script atomically, by its own clock.
_BUCKET: Final = """
local now = redis.call('TIME')
now = now[1] + now[2] / 1000000
local most, counted = tonumber(ARGV[1]), ARGV[2] == '1'
local kept = redis.call('HMGET', KEYS[1], 'left', 'since')
local left, since = tonumber(kept[1] or most), tonumber(kept[2] or now)
left = math.min(most, left + math.max(0, now - since) * most / 60)
local wait = 0
if left < 1 then wait = (1 - left) * 60 / most end
if counted then
  if left >= 1 then left = left - 1 end
  redis.call('HSET', KEYS[1], 'left', tostring(left), 'since', string.format('%.6f', now))
  redis.call('EXPIRE', KEYS[1], 120)
end
return tostring(wait)
"""


class SharedRates(Protocol):
    """Counts requests across machines."""

    def wait(self, table: int, caller: str, per_minute: int, *, counted: bool) -> float | None:
        """Seconds that a caller must wait, 0 if none; None where the counter is unavailable."""
        ...


class RedisRates:
    """Counts in Redis; `library` separates the servers of different libraries."""

    def __init__(self, server: RedisServer, library: str) -> None:
        self._server, self._library = server, library

    def wait(self, table: int, caller: str, per_minute: int, *, counted: bool) -> float | None:
        """Seconds that a caller must wait; None where Redis is unavailable."""
        # Use a hash, so that neither addresses nor key names are stored there.
        hashed = blake2b(f"{self._library}\0{caller}".encode(), digest_size=16).hexdigest()
        place, flag = f"{PREFIX}:rate:{table}:{hashed}", "1" if counted else "0"
        reply = self._server.attempt(lambda client: client.eval(_BUCKET, 1, place, str(per_minute), flag))
        return float(reply) if isinstance(reply, bytes | str) else None

    def close(self) -> None:
        """Release the connections."""
        self._server.close()


def rates_of(redis: str, library: Path) -> RedisRates | None:
    """The shared counter of a library's servers; None where each counts for itself."""
    return RedisRates(RedisServer(redis), shown(library)) if redis else None


class RateLimit:
    """A token bucket for each caller, shared by all processes."""

    def __init__(
        self,
        per_minute: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        memory: SharedMemory | None = None,
        table: int = REQUESTS,
        shared: SharedRates | None = None,
    ) -> None:
        self._per_minute = per_minute
        self._clock = clock  # monotonic since the system's start, and the same in every process
        self._memory, self._table = memory or SharedMemory(), table
        self._shared = shared

    @property
    def is_shared(self) -> bool:
        """Whether counting waits for another machine."""
        return self._shared is not None and self._per_minute > 0

    def wait(self, caller: str, *, here: bool = False) -> float:
        """Count a request; return the seconds that the caller must wait, 0 if none.

        `here` counts on this machine alone, without waiting for another.
        """
        if not self._per_minute:
            return 0.0
        seconds = None if here else self._asked_elsewhere(caller, counted=True)
        return seconds if seconds is not None else self._wait_here(caller)

    def _wait_here(self, caller: str) -> float:
        with self._memory.counting():
            now, rate = self._clock(), self._per_minute / 60
            left, since = self._memory.rate(self._table, caller) or (float(self._per_minute), now)
            left = min(float(self._per_minute), left + (now - since) * rate)
            allowed = left >= 1
            self._memory.set_rate(self._table, caller, left - 1 if allowed else left, now)
        return 0.0 if allowed else (1 - left) / rate

    def is_spent(self, caller: str) -> bool:
        """Whether a caller would have to wait; counts nothing."""
        if not self._per_minute:
            return False
        seconds = self._asked_elsewhere(caller, counted=False)
        if seconds is not None:
            return seconds > 0
        with self._memory.counting():
            kept = self._memory.rate(self._table, caller)
        if kept is None:
            return False
        left, since = kept
        return left + (self._clock() - since) * self._per_minute / 60 < 1

    def _asked_elsewhere(self, caller: str, *, counted: bool) -> float | None:
        if self._shared is None:
            return None
        return self._shared.wait(self._table, caller, self._per_minute, counted=counted)
