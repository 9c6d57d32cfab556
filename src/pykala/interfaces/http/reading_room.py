"""The reading room: a few threads, each with the library open for itself, and one writer at a time.

A Library is not shared between threads: each opens its own, on the first work it is given, and moves on to
the newest state after a write. What a reader who went away had asked for is stopped at its next stage.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from pykala.library import Library

T = TypeVar("T")


class Opener(Protocol):
    """Opens the library in a folder, as the settings say, to read or to write."""

    def __call__(self, folder: Path, *, writable: bool = False) -> Library:
        """Open it."""
        ...


class ReadingRoom:
    """Runs work on the library away from the event loop."""

    def __init__(self, open_library: Opener, folder: Path, *, threads: int = 8) -> None:
        self._open = open_library
        self._folder = folder
        self._state = 0  # raised by every write: readers then look at the library anew
        self._own = threading.local()
        self._opened: list[Library] = []
        self._lock = threading.Lock()
        self._at_work = 0
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pykala-reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="pykala-writer")

    @property
    def folder(self) -> Path:
        """The folder of the library that is read."""
        return self._folder

    @property
    def at_work(self) -> int:
        """How many readers wait for a thread or are served by one."""
        return self._at_work

    @property
    def state(self) -> int:
        """A number that changes with every write, for whoever keeps something about the library."""
        return self._state

    async def read(self, work: Callable[[Library], T], *, seconds: float | None = None) -> T:
        """Do some reading; TimeoutError where it is not done in time."""
        reading = self._threads.submit(lambda: work(self._library()))
        self._count(1)
        reading.add_done_callback(lambda _: self._count(-1))
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(reading)  # cancelled before its turn, it is not begun

    def _count(self, change: int) -> None:
        with self._lock:
            self._at_work += change

    async def write(self, work: Callable[[Library], T], *, into: Callable[[], Path]) -> T:
        """Do some writing, after whoever writes now; readers see it from then on.

        `into` makes the folder ready that is written to, and that is read from then on.
        """
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work, into)

    def _write(self, work: Callable[[Library], T], into: Callable[[], Path]) -> T:
        folder = into()
        with self._open(folder, writable=True) as library:
            done = work(library)
        with self._lock:
            self._folder = folder
            self._state += 1
        return done

    def _library(self) -> Library:
        state, folder = self._state, self._folder
        library: Library | None = getattr(self._own, "library", None)
        if library is not None and self._own.folder != folder:
            self._own.library = None  # first: where opening the other fails, this one is not used again
            with self._lock:
                self._opened.remove(library)
            library.close()
            library = None
        if library is None:
            library = self._open(folder)
            with self._lock:
                self._opened.append(library)
        elif self._own.state != state:
            library.store.refresh()
        self._own.library, self._own.folder, self._own.state = library, folder, state
        return library

    def close(self) -> None:
        """Let the running work end, and release the library's files."""
        for threads in (self._writer, self._threads):
            threads.shutdown(wait=True, cancel_futures=True)
        for library in self._opened:
            library.close()
        self._opened.clear()
