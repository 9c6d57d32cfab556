"""A server that is told to end finishes what it has begun, says so, and takes no new connections."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, settings_in, until
from provider_servers import KEY, Behaviour, ChatCompletions, Service, opened, put
from provider_servers import served as service_at
from pykala.settings import Settings

LONG = 300.0  # seconds, on a machine where everything takes long
DRAFT = ("On the part above 30,000 euros the rate of tax on capital income ", "is 34 per cent [L1].")
ASKED = {"question": CAPITAL_INCOME, "as_of": "2026-06-01"}
PROCESSES = [1] if sys.platform == "win32" else [1, 2]


@dataclass
class Running:
    process: subprocess.Popen[str]
    address: str

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, trust_env=False, timeout=LONG)

    def is_listening(self) -> bool:
        try:
            socket.create_connection(
                ("127.0.0.1", int(self.address.rpartition(":")[2])), timeout=LONG
            ).close()
        except OSError:
            return False
        return True


def slowly(events: list[str], go_on: threading.Event) -> Behaviour:
    """Stream half of the events, and the rest when the test says so."""

    def meet(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
        opened(handler)
        half = len(events) // 2
        for event in events[:half]:
            put(handler, event)
        go_on.wait(LONG)
        for event in events[half:]:
            put(handler, event)
        handler.wfile.write(b"0\r\n\r\n")

    return meet


@pytest.fixture
def go_on() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def writer(go_on: threading.Event) -> Iterator[ChatCompletions]:
    with service_at(ChatCompletions(DRAFT)) as service:
        service.then(slowly(service.events(DRAFT), go_on))
        yield service


@contextmanager
def running(folder: Path, writer: Service, *, processes: int, **more: str) -> Iterator[Running]:
    settings = settings_in(folder)
    own = {
        "PYKALA_CACHE": str(settings.cache),
        "PYKALA_LIBRARY": str(settings.library),
        "PYKALA_MODEL": "custom/slow",
        "PYKALA_MODEL_ADDRESS": writer.address,
        "PYKALA_MODEL_KEY": KEY,
        "PYKALA_MODEL_PRICE": "0/0",
    }
    command = [str(Path(sys.executable).parent / "pykala"), "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--processes", str(processes)],
        env={**os.environ, **own, **more},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+(?=/)", line)
        assert found, line + process.stderr.read()
        yield Running(process, found[0])
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("processes", PROCESSES)
def test_an_answer_under_way_is_finished(
    processes: int, http_folder: Path, served: Served, writer: ChatCompletions, go_on: threading.Event
) -> None:
    with (
        running(http_folder, writer, processes=processes) as server,
        ThreadPoolExecutor(1) as threads,
        server.client() as client,
        server.client() as balancer,
        server.client() as another,  # a connection ends with its first answer after the signal
    ):
        asked = threads.submit(client.post, "/api/v1/ask", json=ASKED)
        assert until(lambda: bool(writer.seen)), "the draft is being written"
        assert balancer.get("/api/v1/health").json()["status"] == "ok"
        assert another.get("/api/v1/ready").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        assert until(lambda: not server.is_listening()), "new connections are refused"
        if processes == 1:  # else the connection may be to the process that had nothing to finish
            told = balancer.get("/api/v1/health")
            assert (told.status_code, told.json()["status"]) == (200, "draining")
            assert told.headers["connection"] == "close"
            ready = another.get("/api/v1/ready")
            assert (ready.status_code, ready.json()["code"]) == (503, "draining")
        assert not asked.done()
        go_on.set()
        answer = asked.result(LONG)
        assert answer.status_code == 200
        assert answer.json()["text"] == "".join(DRAFT)
        assert server.process.wait(LONG) == 0


@pytest.mark.parametrize("processes", PROCESSES)
def test_what_takes_longer_than_the_drain_is_cut_off(
    processes: int, http_folder: Path, served: Served, writer: ChatCompletions
) -> None:
    with (
        running(http_folder, writer, processes=processes, PYKALA_DRAIN_SECONDS="1") as server,
        ThreadPoolExecutor(1) as threads,
        server.client() as client,
    ):
        asked = threads.submit(client.post, "/api/v1/ask", json=ASKED)
        assert until(lambda: bool(writer.seen))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(LONG) == 0, "the writer never goes on"
        with suppress(httpx.TransportError):  # the connection was closed
            assert asked.result(LONG).status_code >= 500


@pytest.mark.parametrize(("given", "seconds"), [({}, 45), ({"PYKALA_DRAIN_SECONDS": "100"}, 100)])
def test_how_long_a_server_drains_is_a_setting(given: dict[str, str], seconds: int) -> None:
    assert Settings.read(given).drain_seconds == seconds
