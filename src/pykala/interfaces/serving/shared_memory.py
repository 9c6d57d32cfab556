"""Memory that the processes of one server share: request rates and connections per caller.

If each process had its own limit, the real limit would be multiplied by the number of processes. The memory
is an unnamed file that every process maps. A process may be killed at any moment. So the locks are those of
the system, which then releases them, and each process keeps its own counts in a separate part, which is
cleared when another process takes its place.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b

_KEY = 16  # bytes of a caller's hash
_RATE = struct.Struct(f"{_KEY}sdd")  # caller, requests left, as of when
_HELD = struct.Struct(f"{_KEY}sQ")  # address, connections
_WRITTEN = struct.Struct("Q")
_BEAT = struct.Struct("d")
_LIFE = struct.Struct("dQ")  # of a process: the last heartbeat, then its open connections
_OPEN = struct.Struct("Q")
_WAYS = 16  # slots in which an entry may lie; the oldest entry is replaced
_RATE_ROWS, _HELD_ROWS = 1_024, 256
_RATE_BYTES = _RATE.size * _WAYS * _RATE_ROWS
_HELD_BYTES = _HELD.size * _WAYS * _HELD_ROWS
#: The counters of each caller.
REQUESTS, WRONG_KEYS = 0, 1
_SECRET = slice(0, _KEY)
_WRITTEN_AT, _HEAD = 16, 64
_COUNTING, _WRITING = 0, 1  # bytes of the file that serve as locks


class SharedMemory:
    """The shared memory of one server; `number` is the process's own index."""

    def __init__(self, processes: int = 1, *, number: int = 0, descriptor: int | None = None) -> None:
        self.processes, self.number = processes, number
        self._turns = (threading.Lock(), threading.Lock())
        size = _HEAD + processes * (_LIFE.size + _HELD_BYTES) + 2 * _RATE_BYTES
        self.descriptor = descriptor
        if processes > 1 and descriptor is None:
            self.descriptor = _nameless_file(size)
        self._memory = mmap.mmap(-1 if self.descriptor is None else self.descriptor, size)
        if descriptor is None:
            # A secret key: nobody outside can find callers that share a row, and so push out another's entry.
            self._memory[_SECRET] = os.urandom(_KEY)

    # Writes of this server

    @property
    def written(self) -> int:
        """How many writes all processes have made; a reader waits until it sees the newest."""
        return int(_WRITTEN.unpack_from(self._memory, _WRITTEN_AT)[0])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock for writing: one process at a time."""
        with self._locked(_WRITING):
            yield
            _WRITTEN.pack_into(self._memory, _WRITTEN_AT, self.written + 1)

    # Requests

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Hold the lock for counting requests."""
        with self._locked(_COUNTING):
            yield

    def rate(self, table: int, caller: str) -> tuple[float, float] | None:
        """The requests a caller has left, and as of when; None for an unknown caller."""
        key = self._hash(caller)
        for place in self._rate_places(table, key):
            kept, left, since = _RATE.unpack_from(self._memory, place)
            if kept == key:
                return left, since
        return None

    def set_rate(self, table: int, caller: str, left: float, since: float) -> None:
        """Store the requests that a caller has left."""
        key = self._hash(caller)
        places = {place: _RATE.unpack_from(self._memory, place) for place in self._rate_places(table, key)}
        own = next((place for place, entry in places.items() if entry[0] == key), None)
        place = min(places, key=lambda one: places[one][2]) if own is None else own
        _RATE.pack_into(self._memory, place, key, left, since)

    def _rate_places(self, table: int, key: bytes) -> range:
        start = self._rates_at + table * _RATE_BYTES
        return _row(start, key, _RATE.size, _RATE_ROWS)

    # Connections

    def held_elsewhere(self, address: str) -> int:
        """How many connections an address has to the other processes."""
        if self.processes == 1:
            return 0
        key = self._hash(address)
        others = (number for number in range(self.processes) if number != self.number)
        return sum(self._held(number, key) for number in others)

    def set_held(self, address: str, connections: int) -> None:
        """Store how many connections an address has to this process."""
        if self.processes == 1:
            return
        key = self._hash(address)
        entries = {
            place: _HELD.unpack_from(self._memory, place) for place in self._held_places(self.number, key)
        }
        own = next((place for place, entry in entries.items() if entry[0] == key), None)
        free = next((place for place, entry in entries.items() if not entry[1]), None)
        place = free if own is None else own
        if place is not None:  # otherwise its row is full of others; this process still counts it
            _HELD.pack_into(self._memory, place, key, connections)

    def _held(self, number: int, key: bytes) -> int:
        entries = (_HELD.unpack_from(self._memory, place) for place in self._held_places(number, key))
        return next((int(count) for kept, count in entries if kept == key), 0)

    def _held_places(self, number: int, key: bytes) -> range:
        return _row(self._held_at(number), key, _HELD.size, _HELD_ROWS)

    @property
    def connections(self) -> int:
        """How many connections are open to this process."""
        return self._open(self.number)

    @connections.setter
    def connections(self, count: int) -> None:
        _OPEN.pack_into(self._memory, self._life_at(self.number) + _BEAT.size, count)

    @property
    def fewest_connections_elsewhere(self) -> int:
        """The connections to the process, of the others that live, that has the fewest."""
        others = [one for one in range(self.processes) if one != self.number and self.last_beat(one)]
        return min(map(self._open, others), default=self.connections)

    def _open(self, number: int) -> int:
        return int(_OPEN.unpack_from(self._memory, self._life_at(number) + _BEAT.size)[0])

    # Life

    def beat(self, now: float) -> None:
        """Record that this process's event loop is alive."""
        _BEAT.pack_into(self._memory, self._life_at(self.number), now)

    def last_beat(self, number: int) -> float:
        """The time of a process's last heartbeat; 0 before the first."""
        return float(_BEAT.unpack_from(self._memory, self._life_at(number))[0])

    def forget(self, number: int) -> None:
        """Clear the counts of a process that has ended."""
        _LIFE.pack_into(self._memory, self._life_at(number), 0.0, 0)
        start = self._held_at(number)
        self._memory[start : start + _HELD_BYTES] = bytes(_HELD_BYTES)

    def _held_at(self, number: int) -> int:
        return self._life_at(self.processes) + number * _HELD_BYTES

    @staticmethod
    def _life_at(number: int) -> int:
        return _HEAD + number * _LIFE.size

    @property
    def _rates_at(self) -> int:
        return self._held_at(self.processes)

    def _hash(self, caller: str) -> bytes:
        return blake2b(caller.encode(), key=self._memory[_SECRET], digest_size=_KEY).digest()

    @contextmanager
    def _locked(self, byte: int) -> Iterator[None]:
        """Lock across threads and processes; the system releases the lock of a process that ends."""
        with self._turns[byte]:
            if self.descriptor is None:
                yield
                return
            _lock(self.descriptor, byte)
            try:
                yield
            finally:
                _unlock(self.descriptor, byte)


def _row(start: int, key: bytes, size: int, rows: int) -> range:
    """The slots in which an entry can lie."""
    begin = start + int.from_bytes(key[:4], "big") % rows * _WAYS * size
    return range(begin, begin + _WAYS * size, size)


def _nameless_file(size: int) -> int:
    """A file without a name, in memory or the temporary folder; it goes with the last process."""
    if hasattr(os, "memfd_create"):
        descriptor: int = os.memfd_create("pykala-server")
    else:  # pragma: no cover
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor


# Import only where something is locked, as in `fetch/descriptors`: without `fcntl` there is only one process.
# Lock by process, not by open file as `flock` does, because the processes share the open file.


def _lock(descriptor: int, byte: int) -> None:
    import fcntl

    fcntl.lockf(descriptor, fcntl.LOCK_EX, 1, byte)


def _unlock(descriptor: int, byte: int) -> None:
    import fcntl

    fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, byte)
