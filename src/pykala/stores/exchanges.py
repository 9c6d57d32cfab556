"""Run several reads so that each round trip to the database carries the statements of all of them.

Each read has a thread of its own, but they take turns: one runs until it needs rows, then the next one does.
When each of them waits for rows or has ended, their statements are sent together. As no two of them ever run
at the same time, they need no locks, and they take the same number of round trips each time.

    exchanges.run([lambda: law.provisions(wanted), lambda: law.references(edges)])

Reads of a matter and of the law go over two connections. Both are asked at the same time, and all wait once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")
Query = tuple[bytes, Any]  # a statement of PostgreSQL and its values
Rows = list[tuple[Any, ...]]
Send = Callable[[Sequence[Query]], list[Rows]]


class Exchanges:
    """The exchanges over one connection; `send` sends statements in one round trip."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._own = threading.local()  # the read that a thread runs

    @property
    def inside(self) -> bool:
        """Whether this thread runs a read of an exchange."""
        return getattr(self._own, "turns", None) is not None

    def rows_of(self, queries: Sequence[Query]) -> list[Rows]:
        """The rows of some statements: sent at once, or in a read of `run` with those of the others."""
        turns: _Turns[Any] | None = getattr(self._own, "turns", None)
        return self._send(queries) if turns is None else turns.rows_of({self: queries})[self]

    def run(self, reads: Sequence[Callable[[], Result]], beside: Sequence[Exchanges] = ()) -> list[Result]:
        """The results of the reads. Raises the error of the first that fails; the others are then stopped.

        A read may itself run several: their statements then go together with those of the reads around it.
        Reads may also need rows over the connections `beside` this one.
        """
        if len(reads) < 2:
            return [read() for read in reads]
        turns = [_Turns(read, [one._own for one in (self, *beside)]) for read in reads]
        try:
            under_way = turns
            while under_way:
                for one in under_way:
                    one.go_on()
                under_way = [one for one in under_way if not one.ended]
                self._answer(under_way)
        finally:
            for one in turns:
                one.stop()
        return [one.result[0] for one in turns]

    def _answer(self, waiting: Sequence[_Turns[Any]]) -> None:
        """Give the reads the rows that they wait for."""
        if not waiting:
            return
        together: dict[Exchanges, list[Query]] = {}
        for one in waiting:
            for over, queries in one.wanted.items():
                together.setdefault(over, []).extend(queries)
        rows = {over: iter(found) for over, found in self._sent(together).items()}
        for one in waiting:
            one.given = {over: [next(rows[over]) for _ in queries] for over, queries in one.wanted.items()}

    def _sent(self, together: Mapping[Exchanges, Sequence[Query]]) -> Mapping[Exchanges, list[Rows]]:
        """The rows of some statements over each connection, or of a read around, with those of the others."""
        turns: _Turns[Any] | None = getattr(self._own, "turns", None)
        if turns is not None:
            return turns.rows_of(together)
        if len(together) == 1:
            return {over: over._send(queries) for over, queries in together.items()}
        with ThreadPoolExecutor(len(together), thread_name_prefix="pykala-send") as sending:
            found = sending.map(lambda over: over._send(together[over]), together)
            return dict(zip(together, found, strict=True))


class _Stopped(BaseException):
    """Ends a read whose result nobody needs any more."""


class _Turns(Generic[Result]):
    """One read in a thread of its own, which runs only while the exchange waits for it."""

    def __init__(self, read: Callable[[], Result], own: Sequence[threading.local]) -> None:
        self._read, self._own = read, own
        self._may_run, self._has_paused = threading.Semaphore(0), threading.Semaphore(0)
        self._unwanted = False
        self._error: BaseException | None = None
        self.wanted: Mapping[Exchanges, Sequence[Query]] = {}
        self.given: Mapping[Exchanges, list[Rows]] = {}
        self.result: list[Result] = []
        self.ended = False
        context = copy_context()  # the rights of the request, and where its trace stands
        self._thread = threading.Thread(
            target=context.run, args=(self._run,), name="pykala-read", daemon=True
        )
        self._thread.start()

    def go_on(self) -> None:
        """Let the read run until it needs rows or ends. Raises its error."""
        self._may_run.release()
        self._has_paused.acquire()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """End the read, wherever it is."""
        self._unwanted = True
        self._may_run.release()
        self._thread.join()

    def rows_of(self, wanted: Mapping[Exchanges, Sequence[Query]]) -> Mapping[Exchanges, list[Rows]]:
        """In the thread of the read: the rows of some statements, once the exchange has sent them."""
        self.wanted = wanted
        self._has_paused.release()
        self._wait()
        return self.given

    def _run(self) -> None:
        for own in self._own:
            own.turns = self
        try:
            self._wait()
            self.result.append(self._read())
        except BaseException as error:  # raised again in the thread that asked
            self._error = error
        finally:
            self.ended = True
            self._has_paused.release()

    def _wait(self) -> None:
        if not self._unwanted:
            self._may_run.acquire()
        if self._unwanted:
            raise _Stopped
