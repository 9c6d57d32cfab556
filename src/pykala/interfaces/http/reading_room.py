"""The reading room: a few threads, each with the library open for itself, and one writer at a time.

A Library is not shared between threads: each opens its own, on the first work it is given. Before each work
it moves on to the newest state, whoever has published it: this server or another process. Work under way
keeps its state. What a reader who went away had asked for is stopped at its next stage.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from pykala.interfaces.http.shared import SharedMemory
from pykala.library import Library
from pykala.stores.store import StoreIncompatible

T = TypeVar("T")
_LAST_WORDS = 5.0  # seconds that work under way has when the room closes


class Opener(Protocol):
    """Opens the library in a folder, as the settings say, to read or to write."""

    def __call__(self, folder: Path, *, writable: bool = False) -> Library:
        """Open it."""
        ...


class ReadingRoom:
    """Runs work on the library away from the event loop."""

    def __init__(
        self,
        open_library: Opener,
        folder: Path,
        *,
        threads: int = 8,
        memory: SharedMemory | None = None,
        moved: Callable[[], Path] | None = None,
    ) -> None:
        """`moved` says where the library is after a write: the first upload to the sample makes a copy."""
        self._open = open_library
        self._folder = folder
        self._moved = moved
        self._memory = memory or SharedMemory()
        self._written = self._memory.written  # by this server, when the folder was last looked for
        self._own = threading.local()
        self._opened: list[Library] = []
        self._lock = threading.Lock()
        self._resting = threading.Condition(self._lock)
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
            self._resting.notify_all()

    async def write(self, work: Callable[[Library], T], *, into: Callable[[], Path]) -> T:
        """Do some writing, after whoever writes now; readers see it from then on.

        `into` makes the folder ready that is written to, and that is read from then on.
        """
        writing = self._writer.submit(self._write, work, into)
        self._count(1)
        writing.add_done_callback(lambda _: self._count(-1))
        return await asyncio.wrap_future(writing)

    def _write(self, work: Callable[[Library], T], into: Callable[[], Path]) -> T:
        with self._memory.writing():  # no other process of this server writes meanwhile
            folder = into()
            with self._open(folder, writable=True) as library:
                done = work(library)
        with self._lock:
            self._folder = folder
        return done

    def _library(self) -> Library:
        """This thread's library, on the newest state."""
        folder, written = self._state()
        library: Library | None = getattr(self._own, "library", None)
        if library is not None and not self._moved_on(library, folder, written):
            self._put_away(library)
            library = None
        if library is None:
            library = self._open(folder)
            with self._lock:
                self._opened.append(library)
            self._own.library, self._own.folder = library, folder
        self._own.written = written
        return library

    def _state(self) -> tuple[Path, int]:
        """Where the library is, and how many writes of this server it has seen, whichever process wrote."""
        with self._lock:
            written = self._memory.written
            if written != self._written and self._moved is not None:
                self._folder = self._moved()
            self._written = written
            return self._folder, written

    def _moved_on(self, library: Library, folder: Path, written: int) -> bool:
        """Move a thread's library to the newest state; False where it must be opened anew."""
        if self._own.folder != folder:
            return False
        try:
            if self._own.written == written:
                library.refresh()
            else:
                library.renew()
        except StoreIncompatible:  # it was indexed anew with other models
            return False
        return True

    def _put_away(self, library: Library) -> None:
        """Close a thread's library; where opening another fails, this one is not used again."""
        self._own.library = None
        with self._lock:
            self._opened.remove(library)
        library.close()

    def close(self) -> None:
        """Let the running work end within a short time, and release the library's files.

        A thread cannot be stopped. One that is still at work then keeps its library, and whoever runs the
        server ends the process: a kill loses nothing that was published.
        """
        for threads in (self._writer, self._threads):
            threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            idle = self._resting.wait_for(lambda: self._at_work == 0, timeout=_LAST_WORDS)
        if not idle:
            return
        for library in self._opened:
            library.close()
        self._opened.clear()
