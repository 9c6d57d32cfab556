"""Running the server: one process, ready when it says so."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from pykala.interfaces.http.app import application
from pykala.interfaces.http.connections import ConnectionLimits, bounded_connections
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.reading_room import Opener
from pykala.interfaces.http.uploading import Premises
from pykala.stores.caching import Cache
from pykala.stores.store import StoreError

_MOST_CONNECTIONS = 1_000
_GRACE = 5  # seconds that running requests have when the server is told to stop


def run(
    premises: Premises,
    open_library: Opener,
    options: ServerOptions,
    cache: Cache,
    *,
    ready: Callable[[str], None],
) -> None:
    """Serve until interrupted; `ready` is told the address once it answers there."""
    listening = _listen(options)
    app = application(premises, open_library, options, cache=cache)
    config = server_config(app, options)
    with suppress(KeyboardInterrupt):  # that is how a server is ended
        _Server(config, lambda: ready(address_of(options, listening))).run(sockets=[listening])
    if app.state.room.at_work:  # a thread that nothing stops would keep the process for ever
        os._exit(0)


def server_config(app: FastAPI, options: ServerOptions) -> uvicorn.Config:
    """How the server below the application is set."""
    limits = ConnectionLimits(options.head_seconds, options.connections_per_client, options.proxies)
    return uvicorn.Config(
        app,
        http=bounded_connections(limits),
        ws="none",
        log_level="warning",
        server_header=False,
        date_header=False,
        # Who stands before us may say for whom it asks; anybody else's word for that counts for nothing.
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=list(options.proxies),
        timeout_keep_alive=30,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=65_536,
    )


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _listen(options: ServerOptions) -> socket.socket:
    """A socket at the address asked for; the port may be left to the system."""
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
    """Where a browser finds the page."""
    port = listening.getsockname()[1]
    host = "127.0.0.1" if options.is_everywhere else options.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
