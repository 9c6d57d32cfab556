"""A proxy on loopback that delays what passes, and cuts connections: a slow and unsteady network.

with SlowProxy.before(port, seconds=0.01) as proxy:
    proxy.port
    proxy.cut()                  # every connection that is open, in the middle of whatever it does
    proxy.cut_after(10_000)      # each new connection, once so many bytes came back on it
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

_PART = 16_384


class SlowProxy:
    """Passes bytes to a port of loopback and back, late."""

    def __init__(self, port: int, seconds: float) -> None:
        self._goal, self._seconds = port, seconds
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._made: list[socket.socket] = []  # closed at the end, when no thread uses them
        self._most: int | None = None
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        self.port = int(self._listening.getsockname()[1])

    @classmethod
    @contextmanager
    def before(cls, port: int, *, seconds: float) -> Iterator[Self]:
        """A proxy in front of a port, ended at the end."""
        proxy = cls(port, seconds)
        proxy._run(proxy._accept)
        try:
            yield proxy
        finally:
            proxy._ended.set()
            with suppress(OSError):
                proxy._listening.shutdown(socket.SHUT_RDWR)
            proxy._listening.close()
            proxy.cut()
            for thread in proxy._threads:
                thread.join(timeout=300)
            for one in proxy._made:
                one.close()

    def cut(self) -> None:
        """End every connection that is open."""
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def cut_after(self, count: int | None) -> None:
        """End each connection that is made from now on, once so many bytes came back on it; None: never."""
        self._most = count

    def _run(self, work: object, *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                came, _ = self._listening.accept()
                self._made.append(came)
                goes = socket.create_connection(("127.0.0.1", self._goal))
                self._made.append(goes)
            except OSError:
                continue
            self._open |= {came, goes}
            self._run(self._pass, came, goes, None)
            self._run(self._pass, goes, came, self._most)

    def _pass(self, source: socket.socket, goal: socket.socket, most: int | None) -> None:
        passed = 0
        with suppress(OSError):
            while data := source.recv(_PART):
                self._ended.wait(self._seconds)
                passed += len(data)
                if most is not None and passed > most:
                    break
                goal.sendall(data)
        for one in (source, goal):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            self._open.discard(one)
