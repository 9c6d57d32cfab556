"""Run the server in one process or several; report when it is ready."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from pykala.caches.caching import Cache
from pykala.interfaces.http.accepting import SharedAccepting
from pykala.interfaces.http.app import application
from pykala.interfaces.http.connections import ConnectionLimits, bounded_connections
from pykala.interfaces.http.metrics import forget_process, shared_between_processes
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.supervising import Supervisor, worker_command
from pykala.interfaces.serving.library_pool import Opener
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.shared_memory import SharedMemory
from pykala.settings import hand_on_password
from pykala.stores.postgres.address import without_password
from pykala.stores.store import StoreError

_MOST_CONNECTIONS = 1_000
_LAST_SECONDS = 1  # for what still runs after the drain to be cancelled
_BACKLOG = 2_048  # connections that wait to be accepted
_TURN = 0.05  # seconds between two looks at what still runs
_BEAT = 1.0  # seconds between two heartbeats


def run(
    location: LibraryLocation,
    open_library: Opener,
    options: ServerOptions,
    cache: Cache,
    *,
    ready: Callable[[str], None],
) -> None:
    """Serve until interrupted; call `ready` with the address once the server answers."""
    listening = _listen(options)
    address = address_of(options, listening)
    if options.processes == 1:
        serve(location, open_library, options, cache, listening, ready=lambda: ready(address))
        return
    listening.listen(_BACKLOG)
    with shared_between_processes(options) as shared:
        counted = shared.metrics_folder
        Supervisor(
            worker_command(handed_on(location, shared)),
            listening,
            SharedMemory(options.processes),
            ready=lambda: ready(address),
            tell=lambda words: sys.stderr.write(f"pykala: {words}\n"),
            gone=lambda process: forget_process(counted, process) if counted else None,
            drain_seconds=options.drain_seconds,
        ).run()


def handed_on(location: LibraryLocation, options: ServerOptions) -> dict[str, object]:
    """What a server process is told of its options and its library; the rest it reads from the settings."""
    return {
        "host": options.host,
        "port": options.port,
        "processes": options.processes,
        "threads": options.threads,
        "folder": _without_secret(location.folder),
        "uploads": _without_secret(location.uploads) if location.uploads else "",
        "online": options.online is not None,
        "metrics_folder": str(options.metrics_folder or ""),
    }


def _without_secret(library: Path) -> str:
    """A library's address without its password: other users can see process arguments."""
    place, password = without_password(library)
    if password:
        hand_on_password(password)
    return place


def serve(
    location: LibraryLocation,
    open_library: Opener,
    options: ServerOptions,
    cache: Cache,
    listening: socket.socket,
    *,
    ready: Callable[[], object],
    memory: SharedMemory | None = None,
    life: Life | None = None,
) -> None:
    """Serve in this process until a signal arrives or the parent process ends."""
    memory = memory or SharedMemory()
    app = application(location, open_library, options, cache=cache, memory=memory)
    server = _Server(server_config(app, options, memory), ready, life, memory, drained(app, options))
    # At a signal the server shuts down and then raises the signal again, which would end this process before
    # its last output is sent.
    before = signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        with suppress(KeyboardInterrupt):  # that is how a server is ended
            server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, before)
    if app.state.pool.at_work:  # a running thread cannot be stopped and would keep the process alive
        os._exit(0)


def server_config(app: FastAPI, options: ServerOptions, memory: SharedMemory | None = None) -> uvicorn.Config:
    """The configuration of uvicorn."""
    memory = memory or SharedMemory()
    limits = ConnectionLimits(options.head_seconds, options.connections_per_client, options.proxies, memory)
    return uvicorn.Config(
        app,
        http=bounded_connections(limits),
        ws="none",
        log_level="warning",
        server_header=False,
        date_header=False,
        # Only a trusted proxy may name the client that it forwards for.
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=list(options.proxies),
        timeout_keep_alive=30,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_LAST_SECONDS,
        h11_max_incomplete_event_size=65_536,
        backlog=_BACKLOG,
    )


@dataclass(frozen=True, slots=True)
class Life:
    """A pipe that closes when the parent process ends."""

    descriptor: int


@dataclass(frozen=True, slots=True)
class Drain:
    """How a server says that it ends, and the seconds that running requests have then."""

    begin: Callable[[], None]
    seconds: int


def drained(app: FastAPI, options: ServerOptions) -> Drain:
    """The drain of an application: its health says so from then on."""

    def begin() -> None:
        app.state.draining = True

    return Drain(begin, options.drain_seconds)


class _Server(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], object],
        life: Life | None,
        memory: SharedMemory,
        drain: Drain,
    ) -> None:
        super().__init__(config)
        self._ready, self._life, self._memory, self._drain = ready, life, memory, drain
        self._accepting: list[SharedAccepting] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        alone = self._memory.processes == 1
        await super().startup(sockets if alone else [])
        if not self.started:
            return
        if not alone:
            self._accepting = [SharedAccepting(one, self._memory, self._protocol) for one in sockets or ()]
        loop = asyncio.get_running_loop()
        if self._life is not None:
            loop.add_reader(self._life.descriptor, self._leave)
            self._beat(loop)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing new and finish the running requests, then end what is left.

        Open connections stay usable until then, so that a balancer can read that the server drains; each ends
        with its next answer.
        """
        for one in (*self._accepting, *self.servers, *(sockets or ())):
            one.close()
        self._drain.begin()
        self.server_state.default_headers = [*self.server_state.default_headers, (b"connection", b"close")]
        deadline = time.monotonic() + self._drain.seconds
        while self.server_state.tasks and not self.force_exit and time.monotonic() < deadline:
            await asyncio.sleep(_TURN)
        await super().shutdown(sockets)

    def _protocol(self) -> asyncio.Protocol:
        """What uvicorn makes for each connection that it accepts itself."""
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    def _leave(self) -> None:
        assert self._life is not None
        asyncio.get_running_loop().remove_reader(self._life.descriptor)
        self.should_exit = True

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        self._memory.beat(time.monotonic())
        loop.call_later(_BEAT, self._beat, loop)


def _listen(options: ServerOptions) -> socket.socket:
    """A socket at the requested address; port 0 lets the system choose."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((options.host, options.port))
    except OSError as error:
        listening.close()
        raise StoreError(
            f"cannot listen on {options.host}:{options.port} ({error.strerror}); is a server running there?"
            " Give another with --port, or --port 0 for any free one"
        ) from error
    listening.set_inheritable(True)
    return listening


def address_of(options: ServerOptions, listening: socket.socket) -> str:
    """The address for a browser."""
    port = listening.getsockname()[1]
    host = "127.0.0.1" if options.is_everywhere else options.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
