"""Who is slow, or many, keeps nobody else out: heads, bodies, connections, wrong keys, borrowed names."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from http_serving import Served, serving, until
from provider_servers import ChatCompletions, endless, served
from pykala.fetch.refusals import RefusedFile
from pykala.interfaces.http.options import ServerOptions
from pykala.library import Library
from pykala.models.configure import writer_from
from pykala.models.writer import Message, Usage
from pykala.packs.uploads import pdf as pdf_reader
from pykala.packs.uploads.formats import read_upload
from pykala.spend.meter import Caps, Meter, MeteredWriter

HEALTH, LIBRARY = "/api/v1/health", "/api/v1/jurisdictions"
ELSEWHERE = "127.0.0.2"  # all of 127/8 is this machine: another client's address


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("slow")
    Library.open(made / "library", writable=True, create=True, embedder=None).close()
    return made


def quick(folder: Path, **options: object) -> Iterator[Served]:
    chosen = ServerOptions(**{"requests_per_minute": 0, **options})  # type: ignore[arg-type]
    with serving(folder, chosen, library=folder / "library") as server:
        yield server


@pytest.fixture
def server(folder: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    yield from quick(folder, **getattr(request, "param", {}))


def connected(server: Served, source: str = "127.0.0.1") -> socket.socket:
    host, port = server.address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=300, source_address=(source, 0))


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("server", [{"connections_per_client": 40, "head_seconds": 60.0}], indirect=True)
def test_many_half_open_connections_keep_nobody_else_out(server: Served) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(connected(server, ELSEWHERE)) for _ in range(120)]
        assert until(lambda: len(server.server.server_state.connections) <= 41)
        assert all(is_closed(one) for one in many[40:]), "one address holds so many, and no more"
        with server.client() as client:
            assert client.get(HEALTH).status_code == 200
    assert until(lambda: not server.server.server_state.connections)
    with connected(server, ELSEWHERE) as again:
        again.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert b" 200 " in again.recv(65_536).split(b"\r\n", 1)[0], "who has left may come again"


@pytest.mark.parametrize("server", [{"head_seconds": 0.3}], indirect=True)
@pytest.mark.parametrize(
    "said", [b"", b"GET /api/v1/health HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b"]
)
def test_a_head_that_does_not_come_to_its_end_is_given_up(server: Served, said: bytes) -> None:
    with connected(server) as connection:
        connection.sendall(said)
        assert is_closed(connection)


@pytest.mark.parametrize("server", [{"head_seconds": 0.3}], indirect=True)
def test_so_is_the_second_head_of_a_connection(server: Served) -> None:
    whole = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connected(server) as connection:
        connection.sendall(whole)
        assert b" 200 " in connection.recv(65_536)
        connection.sendall(whole[:20])
        rest = b""
        while piece := connection.recv(65_536):
            rest += piece
        assert b" 200 " not in rest


@pytest.mark.parametrize("server", [{"stall_seconds": 0.3}], indirect=True)
def test_a_body_that_stands_still_is_given_up(server: Served) -> None:
    head = "POST /api/v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with connected(server) as connection:
        connection.sendall(f'{head}Content-Length: 100\r\n\r\n{{"question":'.encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert b" 408 " in answer.split(b"\r\n", 1)[0]


@pytest.mark.parametrize("server", [{"keys": ("right",), "wrong_keys_per_minute": 3}], indirect=True)
def test_who_guesses_keys_learns_nothing_more(server: Served) -> None:
    def status(client: httpx.Client, key: str) -> int:
        return client.get(LIBRARY, headers={"Authorization": f"Bearer {key}"}).status_code

    elsewhere = httpx.HTTPTransport(local_address=ELSEWHERE)
    with server.client(transport=elsewhere) as guessing, server.client() as honest:
        assert [status(guessing, f"guess {n}") for n in range(5)] == [401, 401, 401, 429, 429]
        assert status(guessing, "right") == 429, "a guess that is right is not told from others"
        assert guessing.get(LIBRARY).status_code == 401, "who sends no key guesses nothing"
        assert status(honest, "right") == 200


@pytest.mark.parametrize(
    ("server", "last"),
    [({"requests_per_minute": 3}, 429), ({"requests_per_minute": 3, "proxies": ("127.0.0.1",)}, 200)],
    indirect=["server"],
)
def test_only_a_proxy_of_ours_says_for_whom_it_asks(server: Served, last: int) -> None:
    with server.client() as client:
        told = [client.get(HEALTH, headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(5)]
    assert told == [200, 200, 200, last, last]


@pytest.mark.parametrize("server", [{"host": "0.0.0.0", "hosts": ("law.example",)}], indirect=True)
@pytest.mark.parametrize(
    ("host", "status"), [("evil.example", 421), ("192.0.2.7", 200), ("law.example:80", 200), ("", 421)]
)
def test_a_name_that_somebody_made_up_is_refused_everywhere(server: Served, host: str, status: int) -> None:
    with server.client() as client:
        assert client.get(HEALTH, headers={"Host": host}).status_code == status


def test_a_model_that_never_ends_is_cut() -> None:
    with served(ChatCompletions()) as service:
        service.then(endless(next(e for e in service.events(("more ",)) if "more" in e)))
        writer = writer_from("ollama/model", key="", address=service.address)
        metered = MeteredWriter(writer, Meter(caps=Caps(None, None)).answer())
        *pieces, usage = metered.write([Message("user", "Go on.")], most_tokens=50)
        assert isinstance(usage, Usage)
        assert usage.stopped_short
        assert sum(map(len, pieces)) < 50 * 16 + 100  # type: ignore[arg-type]
        assert service.gone.wait(300), "the connection is closed"


def test_a_pdf_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypdfium2")
    assert pdf_reader._PROCESSOR <= 20
    monkeypatch.setattr(pdf_reader, "_PROCESSOR", 1)
    with pytest.raises(RefusedFile, match="damaged, hostile or too large"):
        read_upload(_endless_pdf(), "hostile.pdf")


def _endless_pdf() -> bytes:
    """Few bytes, much work: each of eight forms draws the one before it ten times."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects.append(
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> /XObject << /X 13 0 R >> >> >>"
    )
    objects.append(_stream(b"/X Do", b""))
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for depth in range(8):
        words = b"BT /F 9 Tf (words) Tj ET" if depth == 0 else b"/X Do " * 10
        below = f"/XObject << /X {5 + depth} 0 R >>" if depth else ""
        head = (
            f"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> {below} >>"
        )
        objects.append(_stream(words, head.encode()))
    data = b"%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def _stream(content: bytes, head: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(content), content)
