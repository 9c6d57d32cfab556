"""Read untrusted text in a process of its own, which is killed when it exceeds its limits.

    processes = ConfinedProcesses()
    found = processes.call(find_citations, text, bounds=Bounds(seconds=10))

Reading is linear in a text's length and checked to be so, but a fault in a reader, or in a library under it,
must cost one request and not the server: a thread cannot be stopped, a process can. A process is started with
the first call and used again; what it answers is read as data of a few known kinds, never as code.
"""

from __future__ import annotations

import atexit
import io
import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

_WORKER = Path(__file__).with_name("confined_worker.py")
_LENGTH = struct.Struct(">Q")
_PROCESSES = 2
_LARGEST_ANSWER = 2 * 1024**3
#: What an answer may be made of: the vocabulary of the law and plain values.
_MODULES = ("pykala.law.", "pykala.packs.pack", "pykala.fetch.refusals", "pykala.preparing.")
_PLAIN = {("builtins", name) for name in ("frozenset", "set", "complex", "range", "slice", "bytearray")} | {
    ("datetime", name) for name in ("date", "datetime", "timedelta", "timezone")
}


class TookTooMuch(ValueError):
    """Reading a text exceeded its limit of time or memory."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for one call."""

    seconds: int = 10  # of the processor
    patience: float = 60.0  # seconds of waiting, on a machine that others use too
    memory: int = 3 * 1024**3


class ConfinedProcesses:
    """A few shared processes that read untrusted text; callers wait while all are busy."""

    def __init__(self, most: int = _PROCESSES) -> None:
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._closed = False
        self._servers = 0  # that use them now

    def at_most(self, most: int) -> None:
        """Set the number of processes, before the first call."""
        self._free = threading.Semaphore(most)

    @property
    def started(self) -> int:
        """How many processes are running."""
        return len(self._idle) + len(self._busy)

    def call(
        self,
        function: Callable[Given, Result],
        /,
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Result:
        """Call a function of a module within the usual limits."""
        return self.bounded(Bounds(), function, *given, **named)

    def bounded(
        self, bounds: Bounds, function: Callable[Given, Result], /, *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Call a function of a module; TookTooMuch where it exceeds its limits."""
        with self._free:
            process = self._take()
            try:
                result: Result = process.call(bounds, function, given, named)
            finally:
                self._give_back(process)
        return result

    def _take(self) -> _Process:
        with self._lock:
            if self._closed:
                raise TookTooMuch("it was not read: the program is ending")
            process = self._idle.pop() if self._idle else _Process()
            self._busy.add(process)
            return process

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            self._busy.discard(process)
            if process.ended or self._closed:
                process.close()
            else:
                self._idle.append(process)

    def server_begins(self) -> None:
        """Count a server of this program that uses the processes."""
        with self._lock:
            self._servers += 1

    def server_ends(self) -> None:
        """Kill the running calls where the last server ends: those of another server go on."""
        with self._lock:
            self._servers -= 1
            last = self._servers <= 0
        if last:
            self.stop()

    def stop(self) -> None:
        """Kill the running calls; their callers get an error."""
        with self._lock:
            for process in self._busy:
                process.kill()

    def close(self) -> None:
        """End every process for good."""
        with self._lock:
            self._closed = True
            for process in (*self._idle, *self._busy):
                process.kill()
            for process in self._idle:
                process.close()
            self._idle.clear()


class _Process:
    """One process and the pipes to it."""

    def __init__(self) -> None:
        # Our own module, no shell, and nothing from outside in the arguments.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # an interrupt at the terminal is for the program itself
        )
        self.ended = False

    def call(self, bounds: Bounds, function: Callable[..., Any], given: Any, named: Any) -> Any:
        """Call a function in that process."""
        name = f"{function.__module__}:{function.__qualname__}"
        asked = pickle.dumps((name, bounds.seconds, bounds.memory, given, named))
        clock = threading.Timer(bounds.patience, self.kill)
        clock.start()
        try:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            _send(self._process.stdin, asked)
            done, answer = _answer(self._process.stdout)
        except (OSError, EOFError, struct.error, pickle.UnpicklingError) as error:
            self.kill()
            raise TookTooMuch(
                "reading it took more time or memory than it may; send less, or split it"
            ) from error
        finally:
            clock.cancel()
        if not done:
            raise TookTooMuch(str(answer))
        return answer

    def kill(self) -> None:
        """Kill it at once, with its children."""
        self.ended = True
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, 9)
            else:  # Windows has no groups of processes
                self._process.kill()

    def close(self) -> None:
        """Let it end and close its pipes."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def _answer(pipe: IO[bytes]) -> tuple[bool, Any]:
    (length,) = _LENGTH.unpack(pipe.read(_LENGTH.size))
    if length > _LARGEST_ANSWER:
        raise EOFError
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    done, answer = _Reader(io.BytesIO(data)).load()
    return bool(done), answer


class _Reader(pickle.Unpickler):
    """Unpickles results of known classes only: a hijacked process cannot run code here."""

    def find_class(self, module: str, name: str) -> Any:
        """Look up a class, if results may contain it."""
        if "." not in name and (module.startswith(_MODULES) or (module, name) in _PLAIN):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no kind of answer")


#: The processes of this program, started with the first long text.
processes = ConfinedProcesses()
atexit.register(processes.close)
