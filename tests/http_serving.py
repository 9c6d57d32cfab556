"""A real server on loopback for the tests: uvicorn in a thread, over the sample library."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI
from pydantic import TypeAdapter

from pykala.interfaces.http.app import application
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.running import server_config
from pykala.interfaces.serving.library_pool import Opener
from pykala.interfaces.serving.location import LibraryLocation, library_location
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.records.record import Record
from pykala.settings import Settings


def describes(record: type[Record], said: object) -> None:
    """Hold what a server says against the record that describes it."""
    TypeAdapter(record).validate_python(said)


CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"


@dataclass(frozen=True)
class Served:
    address: str
    app: FastAPI
    location: LibraryLocation
    server: uvicorn.Server
    loop: asyncio.AbstractEventLoop

    def client(self, **given: object) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=300, trust_env=False, **given)  # type: ignore[arg-type]


def settings_in(folder: Path) -> Settings:
    return Settings.read({"PYKALA_CACHE": str(folder / "cache"), "PYKALA_LIBRARY": str(folder / "own")})


@contextmanager
def serving(
    folder: Path,
    options: ServerOptions | None = None,
    library: Path | None = None,
    open_library: Opener | None = None,
    place: LibraryLocation | None = None,
) -> Iterator[Served]:
    settings = settings_in(folder)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    chosen = replace(options or ServerOptions(requests_per_minute=0), port=port)
    open_library = open_library or LibraryOpener(settings)
    place = place or library_location(settings, library, LibraryOpener(settings))
    app = application(place, open_library, chosen, cache=LibraryOpener(settings).cache)
    started = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    config = server_config(app, chosen)
    config.log_level = "error"
    server = uvicorn.Server(config)
    startup = server.startup

    async def announced(sockets: list[socket.socket] | None = None) -> None:
        await startup(sockets)
        loops.append(asyncio.get_running_loop())
        started.set()

    server.startup = announced  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert started.wait(300), "the server did not start"
    try:
        yield Served(f"http://127.0.0.1:{port}", app, place, server, loops[0])
    finally:
        server.should_exit = True
        thread.join(300)
        listening.close()
        assert not thread.is_alive(), "the server did not stop"


def tasks_of(served: Served) -> int:
    """The tasks of the server's own event loop."""
    gathered: list[int] = []
    done = threading.Event()

    def count() -> None:
        gc.collect()
        gathered.append(len(asyncio.all_tasks()))
        done.set()

    served.loop.call_soon_threadsafe(count)
    assert done.wait(300)
    return gathered[0]


def until(holds: Callable[[], bool], seconds: float = 300.0) -> bool:
    """Whether something comes to hold: connections end when the other side has noticed."""
    deadline = time.monotonic() + seconds
    wait = threading.Event()
    while not holds():
        if time.monotonic() > deadline:
            return False
        wait.wait(0.02)
    return True
