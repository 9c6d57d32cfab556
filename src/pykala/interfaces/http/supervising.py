"""Several processes serve one address; this one starts, watches and ends them.

Answering is mostly Python, so that one process uses one core. All processes listen on the same socket and
share its connections evenly (`accepting`). A process that dies, or whose event loop hangs, is replaced; the
others keep serving meanwhile. If this process is killed, they end by themselves.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

from pykala.interfaces.serving.shared_memory import SharedMemory
from pykala.stores.store import StoreError

_LOOK = 1.0  # seconds between two checks for hanging or missing processes
_FROZEN = 60.0  # seconds without a turn of the event loop
_SHORT_LIFE = 10.0  # seconds; a process that ends sooner is restarted after a delay
_LONGEST_WAIT = 30.0
_TO_END = 10.0  # seconds from the end of the drain to the kill


@dataclass(slots=True, eq=False)
class _Process:
    """One server process; its pipe says when it is ready and closes when it ends."""

    number: int
    process: subprocess.Popen[bytes]
    pipe: int
    born: float
    ready: bool = False


@dataclass(slots=True)
class Supervisor:
    """Keeps a fixed number of server processes running."""

    command: Callable[[int], Sequence[str]]  # of a process, by its number
    listening: socket.socket
    memory: SharedMemory
    ready: Callable[[], None]  # called once, when all processes answer
    tell: Callable[[str], object]  # reports a message to a person
    gone: Callable[[int], None] = lambda process: None  # called with the number of a process that ended
    frozen: float = _FROZEN
    drain_seconds: float = 0.0  # in which the processes finish their requests
    _alive: dict[int, _Process] = field(default_factory=dict)  # by pipe
    _waiting: dict[int, float] = field(default_factory=dict)  # number → time of its restart
    _short_lives: dict[int, int] = field(default_factory=dict)
    _told_ready: bool = False

    def run(self) -> None:
        """Serve until a signal arrives; StoreError where a process cannot start."""
        with _signals() as signals, _pipe() as life, selectors.DefaultSelector() as events:
            events.register(signals, selectors.EVENT_READ)
            try:
                for number in range(self.memory.processes):
                    self._start(number, life[0], events)
                while True:
                    found = {int(key.fd) for key, _ in events.select(_LOOK)}
                    if signals in found:
                        return
                    for pipe in found & self._alive.keys():
                        self._hear(self._alive[pipe], events)
                    self._look(life[0], events)
            finally:
                self._end(signals, events)

    def _start(self, number: int, life: int, events: selectors.BaseSelector) -> None:
        self.memory.forget(number)
        reading, writing = os.pipe()
        assert self.memory.descriptor is not None
        passed = {
            "listening": self.listening.fileno(),
            "memory": self.memory.descriptor,
            "ready": writing,
            "life": life,
        }
        # The command is our own module, without a shell, and its arguments come from this program.
        process = subprocess.Popen(  # noqa: S603
            [*self.command(number), json.dumps(passed)], pass_fds=tuple(passed.values())
        )
        os.close(writing)
        self._alive[reading] = _Process(number, process, reading, time.monotonic())
        self._waiting.pop(number, None)
        events.register(reading, selectors.EVENT_READ)

    def _hear(self, one: _Process, events: selectors.BaseSelector) -> None:
        """Read a process's pipe: it is ready, or it has ended."""
        if os.read(one.pipe, 1):
            one.ready = True
            if not self._told_ready and all(other.ready for other in self._alive.values()):
                self._told_ready = True
                self.ready()
            return
        events.unregister(one.pipe)
        os.close(one.pipe)
        del self._alive[one.pipe]
        code = one.process.wait()
        self.gone(one.process.pid)
        if not self._told_ready:
            raise StoreError(f"server process {one.number + 1} could not start ({_ending(code)})")
        lived = time.monotonic() - one.born
        short = self._short_lives.get(one.number, 0) + 1 if lived < _SHORT_LIFE else 0
        self._short_lives[one.number] = short
        wait = min(_LONGEST_WAIT, 2.0 ** (short - 1)) if short else 0.0
        self._waiting[one.number] = time.monotonic() + wait
        self.tell(f"server process {one.number + 1} ended ({_ending(code)}); another takes its place")

    def _look(self, life: int, events: selectors.BaseSelector) -> None:
        """Kill processes that hang, and start missing ones."""
        now = time.monotonic()
        for one in self._alive.values():
            beat = self.memory.last_beat(one.number)
            if self._told_ready and one.ready and now - beat > self.frozen:
                one.process.kill()  # its pipe closes, and a new process is started
        for number in [number for number, when in self._waiting.items() if when <= now]:
            self._start(number, life, events)

    def _end(self, signals: int, events: selectors.BaseSelector) -> None:
        """Ask every process to end, then kill those that remain; a second Ctrl-C kills them at once."""
        self.listening.close()
        _heard(signals)
        for one in self._alive.values():
            one.process.terminate()
        deadline = time.monotonic() + self.drain_seconds + _TO_END
        left = dict(self._alive)  # whose pipes are still open
        while left and (seconds := deadline - time.monotonic()) > 0:
            found = {int(key.fd) for key, _ in events.select(seconds)}
            if signals in found and signal.SIGINT in _heard(signals):
                break
            for pipe in found & left.keys():
                if not os.read(pipe, 1):
                    events.unregister(pipe)
                    del left[pipe]
        for one in left.values():
            one.process.kill()
        for one in self._alive.values():
            one.process.wait()
            os.close(one.pipe)
        self._alive.clear()


def worker_command(given: dict[str, object]) -> Callable[[int], Sequence[str]]:
    """The command line of a server process."""

    def command(number: int) -> Sequence[str]:
        program = [sys.executable, "-P", "-m", "pykala.interfaces.http.worker"]
        return [*program, json.dumps({**given, "number": number})]

    return command


@contextmanager
def _signals() -> Iterator[int]:
    """A file descriptor that becomes readable when a signal asks this process to end."""
    with _pipe() as (reading, writing):
        os.set_blocking(writing, False)
        os.set_blocking(reading, False)

        def heard(number: int, frame: FrameType | None) -> None:
            """Wake the reader of the pipe."""
            with suppress(BlockingIOError):
                os.write(writing, bytes([number]))

        before = {one: signal.signal(one, heard) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield reading
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


@contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe, closed at exit."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def _heard(signals: int) -> bytes:
    """The signals that arrived since it was last asked."""
    with suppress(BlockingIOError):
        return os.read(signals, 64)
    return b""


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
