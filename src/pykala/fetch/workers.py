"""Worker processes on several cores; one that dies is replaced, and its job is run again.

    with WorkerPool(2, read_file, source) as pool:
        for result in pool.in_order(jobs):      # read_file(source, *job)
            ...

Each process has a pipe of its own: the end of a process closes its pipe, whatever it was doing, and only its
own work is lost. (The standard pool shares one pipe: a process that is killed while it writes breaks all.)
"""

from __future__ import annotations

import gc
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

Result = TypeVar("Result")

_ATTEMPTS: Final = 3
_AHEAD: Final = 24  # jobs a worker: enough to do while a batch is published


class WorkerLost(RuntimeError):
    """Worker processes end before their work is done, most likely for lack of memory."""


class JobLost(WorkerLost):
    """A job ended every process that tried it."""


class WorkerPool(Generic[Result]):
    """Calls a function of a module in several processes, with the same first arguments each time."""

    def __init__(self, workers: int, function: Callable[..., Result], *first: Any) -> None:
        self._called = function, first
        # A thread for each process: it sends a job, waits for the result, and starts the process anew.
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="pykala-worker")
        self._local = threading.local()
        self._starting = threading.Lock()
        self._processes: set[_Worker[Result]] = set()
        self._ahead, self._closed = workers * _AHEAD, False

    def in_order(
        self,
        jobs: Iterable[tuple[Any, ...]],
        lost: Callable[..., Result] | None = None,
    ) -> Iterator[Result]:
        """The result of each job, in order; jobs are taken only some way ahead.

        `lost(*job)` stands in for the result of a job that ends every process; without it JobLost is raised.
        """
        waiting: deque[tuple[tuple[Any, ...], Future[Result]]] = deque()

        def first_result() -> Result:
            job, future = waiting.popleft()
            try:
                return future.result()
            except JobLost:
                if lost is None:
                    raise
                return lost(*job)

        for job in jobs:
            waiting.append((job, self._threads.submit(self._done, job)))
            if len(waiting) >= self._ahead:
                yield first_result()
        while waiting:
            yield first_result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        for worker in tuple(self._processes):
            worker.end()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._processes:
            worker.close()

    def _done(self, job: tuple[Any, ...]) -> Result:
        for _ in range(_ATTEMPTS):
            worker = self._worker()
            try:
                return worker.call(job)
            except (EOFError, OSError):
                self._local.worker = None
                with self._starting:
                    worker.close()
                    self._processes.discard(worker)
        raise JobLost(
            "a worker process ended unexpectedly three times with the same work, perhaps for want of memory;"
            " what was published is safe. Run the command again, with fewer --workers"
        )

    def _worker(self) -> _Worker[Result]:
        worker: _Worker[Result] | None = getattr(self._local, "worker", None)
        if worker is None:
            with self._starting:
                if self._closed:
                    raise WorkerLost("the work was stopped")
                function, first = self._called
                worker = self._local.worker = _Worker(function, first)
                self._processes.add(worker)
        return worker


class _Worker(Generic[Result]):
    """One process and the pipe to it."""

    def __init__(self, function: Callable[..., Result], first: tuple[Any, ...]) -> None:
        # Spawned, not forked: a fork would copy the index writer's threads in whatever state they are.
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, function, first), daemon=True
        )
        self._process.start()
        theirs.close()  # only the process still holds this end: when it exits, the other end closes

    def call(self, job: tuple[Any, ...]) -> Result:
        """The result of one job; EOFError or OSError where the process ended."""
        self._pipe.send(job)
        result: Result = self._pipe.recv()
        return result

    def end(self) -> None:
        """Kill the process; its caller gets an error."""
        self._process.kill()

    def close(self) -> None:
        """Release the pipe and the process."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _serve(pipe: Connection, function: Callable[..., Any], first: tuple[Any, ...]) -> None:
    """Run jobs until the pipe is closed."""
    gc.disable()  # documents are trees of millions of nodes and hold no cycles to find
    # An interrupt is for the process that stores: it stops at a batch and lets the workers go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            pipe.send(function(*first, *job))
