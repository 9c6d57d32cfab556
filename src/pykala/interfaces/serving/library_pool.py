"""A pool of threads, each with its own open library, and one writer at a time.

A Library is not shared between threads: each opens its own when it gets its first work. Before each work it
moves to the newest published state, from this server or another process. Running work keeps its state. When
a client disconnects, its work stops at the next stage.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from pykala.interfaces.serving.request import chosen_matter
from pykala.interfaces.serving.shared_memory import SharedMemory
from pykala.library import Library
from pykala.stores.postgres.address import with_matter
from pykala.stores.store import StoreIncompatible

T = TypeVar("T")
_OPEN_AT_ONCE = 3  # per thread: the law, and matters beside it
_LAST_WORDS = 5.0  # seconds for running work to end when the pool closes


class Opener(Protocol):
    """Opens the library in a folder, as the settings say, for reading or writing."""

    def __call__(self, folder: Path, *, writable: bool = False) -> Library:
        """Open it."""
        ...


@dataclass(slots=True)
class _Opened:
    """The open library of one thread: its folder, and how many writes of this server it has seen."""

    library: Library
    folder: Path
    written: int = 0


def _beside(folder: Path, matter: str) -> Path:
    """The address of a matter, read together with the law of a folder."""
    return Path(with_matter(folder, matter)) if matter else folder


class LibraryPool:
    """Runs work on the library outside the event loop."""

    def __init__(
        self,
        open_library: Opener,
        folder: Path,
        *,
        threads: int = 8,
        memory: SharedMemory | None = None,
        moved: Callable[[], Path] | None = None,
    ) -> None:
        """`moved` returns the library's folder after a write: the first upload copies the sample."""
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
        """How many clients wait for a thread or are being served."""
        return self._at_work

    async def read(self, work: Callable[[Library], T], *, seconds: float | None = None) -> T:
        """Run work that reads; TimeoutError when it takes too long."""
        matter = chosen_matter.get()  # read here: the thread has another context
        reading = self._threads.submit(lambda: work(self._library(matter)))
        self._count(1)
        reading.add_done_callback(lambda _: self._count(-1))
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(reading)  # if cancelled before its turn, the work does not start

    def _count(self, change: int) -> None:
        with self._lock:
            self._at_work += change
            self._resting.notify_all()

    async def write(self, work: Callable[[Library], T], *, into: Callable[[], Path]) -> T:
        """Run work that writes, after the present writer; readers see the result afterwards.

        `into` prepares the folder that is written to, which is also read from then on.
        """
        writing = self._writer.submit(self._write, work, into, chosen_matter.get())
        self._count(1)
        writing.add_done_callback(lambda _: self._count(-1))
        return await asyncio.wrap_future(writing)

    def _write(self, work: Callable[[Library], T], into: Callable[[], Path], matter: str) -> T:
        with self._memory.writing():  # other processes of this server must not write meanwhile
            folder = into()
            with self._open(_beside(folder, matter), writable=True) as library:
                done = work(library)
        with self._lock:
            self._folder = folder
        return done

    def _library(self, matter: str = "") -> Library:
        """This thread's library at the newest state: the law, or a matter beside the law."""
        folder, written = self._state()
        own = self._opened_here()
        opened = own.pop(matter, None)
        if opened is not None and not self._moved_on(opened, folder, written):
            self._put_away(opened)
            opened = None
        if opened is None:
            if len(own) >= _OPEN_AT_ONCE:
                self._put_away(own.pop(next(iter(own))))
            opened = _Opened(self._open(_beside(folder, matter)), folder)
            with self._lock:
                self._opened.append(opened.library)
        opened.written = written
        own[matter] = opened  # the least recently used is closed first
        return opened.library

    def _opened_here(self) -> dict[str, _Opened]:
        """The open libraries of this thread, by matter."""
        if not hasattr(self._own, "libraries"):
            self._own.libraries = {}
        own: dict[str, _Opened] = self._own.libraries
        return own

    def _state(self) -> tuple[Path, int]:
        """The library's folder and the number of writes that any process of this server has made."""
        with self._lock:
            written = self._memory.written
            if written != self._written and self._moved is not None:
                self._folder = self._moved()
            self._written = written
            return self._folder, written

    def _moved_on(self, opened: _Opened, folder: Path, written: int) -> bool:
        """Move a thread's library to the newest state; False where it must be reopened."""
        if opened.folder != folder:
            return False
        try:
            if opened.written == written:
                opened.library.refresh()
            else:
                opened.library.renew()
        except StoreIncompatible:  # it was reindexed with other models
            return False
        return True

    def _put_away(self, opened: _Opened) -> None:
        """Close a thread's library before opening the next, so that it is not used again if opening fails."""
        with self._lock:
            self._opened.remove(opened.library)
        opened.library.close()

    def close(self) -> None:
        """Give running work a short time to end, then close the libraries.

        A thread cannot be stopped. A thread that still works keeps its library until the process is killed,
        which loses nothing that was published.
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
