"""The processes of one server share its connections evenly.

All of them listen on one socket, and whoever looks first takes the next connection. Left to that, one process
may hold twice as many as another, and its callers wait while the other one is idle. So a process that has
more connections than another leaves the next one to it, and takes it itself if nobody has after a moment.
"""

from __future__ import annotations

import asyncio
import errno
import math
import select
import socket
from collections.abc import Callable
from contextlib import suppress

from pykala.interfaces.serving.shared_memory import SharedMemory

_LEFT = 0.1  # seconds that a connection is left to the others
_TURN = 0.005  # seconds until it is looked whether they have caught up
_FULL = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}  # accepting again at once is of no use
_UNTIL_FREE = 1.0  # seconds until it is tried again


class SharedAccepting:
    """Accepts this process's share of the connections to a socket."""

    def __init__(
        self, listening: socket.socket, memory: SharedMemory, protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        self._listening, self._memory, self._protocol = listening, memory, protocol
        self._loop = asyncio.get_running_loop()
        self._paused: asyncio.TimerHandle | None = None
        self._until = math.inf  # the connection that waits is left to the others
        self._connecting: set[asyncio.Task[object]] = set()
        listening.setblocking(False)
        self._loop.add_reader(listening, self._is_waiting)

    def close(self) -> None:
        """Accept nothing more; connections that are open stay so."""
        self._loop.remove_reader(self._listening)
        if self._paused is not None:
            self._paused.cancel()

    def _is_waiting(self) -> None:
        """A connection waits: take it, or leave it to a process that has fewer."""
        own, now = self._memory.connections + len(self._connecting), self._loop.time()
        if own <= self._memory.fewest_connections_elsewhere or now >= self._until:
            self._until = math.inf
            self._accept()
            return
        self._until = min(self._until, now + _LEFT)
        self._pause(_TURN)

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._paused = self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._paused = None
        self._loop.add_reader(self._listening, self._is_waiting)
        if not select.select([self._listening], [], [], 0)[0]:
            self._until = math.inf  # another process took it

    def _accept(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another process took it, or the client has left
        except OSError as error:
            if error.errno not in _FULL:
                raise
            self._pause(_UNTIL_FREE)
            return
        connection.setblocking(False)
        task = self._loop.create_task(self._connect(connection))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _connect(self, connection: socket.socket) -> None:
        with suppress(OSError):  # the client has left
            await self._loop.connect_accepted_socket(self._protocol, connection)
