"""What stands before the routes: names, origins, keys, rates, sizes, times, and headers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, serving, settings_in
from pykala.interfaces.http.guards import CONTENT_SECURITY_POLICY, caller_of
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.rates import RateLimit
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.library import Library

KEYS = ("correct horse battery staple", "another key")
ELSEWHERE = "https://evil.example"
FRIEND = "https://friend.example"
BODY_BYTES = 20_000


@pytest.fixture(scope="module")
def guarded(http_folder: Path) -> Iterator[Served]:
    options = ServerOptions(keys=KEYS, origins=(FRIEND,), requests_per_minute=0, body_bytes=BODY_BYTES)
    with serving(http_folder, options) as server:
        yield server


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        (bearer("wrong"), 401),
        (bearer(KEYS[0]), 200),
        (bearer(KEYS[1]), 200),
        ({"X-API-Key": KEYS[0]}, 200),
        ({"Authorization": f"Basic {KEYS[0]}"}, 401),
        ({"Authorization": "Bearer ä"}, 401),
        ({"Authorization": "Bearer"}, 401),
    ],
)
def test_keys(guarded: Served, headers: dict[str, str], status: int) -> None:
    with guarded.client() as client:
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        response = client.get("/api/v1/jurisdictions", headers=sent)
    assert response.status_code == status
    if status == 401:
        assert response.json()["code"] == "key-required"
        assert response.headers["www-authenticate"] == "Bearer"
        assert not any(key in response.text for key in KEYS)


@pytest.mark.parametrize("path", ["/v1/models", "/mcp", "/api/v1/library"])
def test_everything_that_tells_of_the_library_needs_a_key(guarded: Served, path: str) -> None:
    with guarded.client() as client:
        assert client.get(path).status_code == 401


@pytest.mark.parametrize("path", ["/api/v1/health", "/api/v1/ready", "/llms.txt", "/"])
def test_what_needs_no_key(guarded: Served, path: str) -> None:
    with guarded.client() as client:
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("evil.example:80", 421),
        ("localhost", 200),
        ("127.0.0.1:1", 200),
        ("127.0.0.1:", 200),
        ("127.0.0.1:1@evil.example", 421),
        ("127.0.0.1:evil.example", 421),
        ("evil.example@127.0.0.1", 421),
        ("[::1]:9", 200),
        ("[::1]evil.example", 421),
        ("[::1", 421),
    ],
)
def test_another_name_for_this_machine_is_refused(client: httpx.Client, host: str, status: int) -> None:
    assert client.get("/api/v1/health", headers={"Host": host}).status_code == status


@pytest.mark.parametrize("length", ["4", "0", "400"])
def test_a_body_whose_end_is_told_in_two_ways_is_refused(guarded: Served, length: str) -> None:
    host, port = guarded.address.removeprefix("http://").split(":")
    hidden = "GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = f"POST /api/v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {KEYS[0]}\r\n"
    ends = f"Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=300) as connection:
        connection.sendall((head + ends + hidden).encode())
        told = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert told.startswith(b"HTTP/1.1 400 ")
    assert told.count(b"HTTP/1.1 ") == 1, "and what follows it is no request"


def test_names_may_be_allowed() -> None:
    assert ServerOptions(hosts=("law.example",)).answers_to("law.example")
    open_to_all = ServerOptions(host="0.0.0.0", hosts=("law.example",))
    assert all(map(open_to_all.answers_to, ("192.0.2.7", "[2001:db8::1]", "localhost", "law.example")))
    assert not any(map(open_to_all.answers_to, ("evil.example", "", "192.0.2.7.evil.example", "[::1")))
    assert not ServerOptions().answers_to("192.0.2.7")
    assert not ServerOptions(host="0.0.0.0").is_local
    assert ServerOptions(host="127.0.0.53").is_local
    assert not ServerOptions(host="law.example").is_local


def test_a_page_from_elsewhere_changes_nothing(client: httpx.Client) -> None:
    for method, path in (("POST", "/api/v1/ask"), ("POST", "/api/v1/uploads"), ("DELETE", "/api/v1/caches")):
        response = client.request(method, path, headers={"Origin": ELSEWHERE})
        assert (response.status_code, response.json()["code"]) == (403, "wrong-origin")
        for origin in ("null", "", "http://[", "http://127.0.0.1:notaport", "//"):
            assert client.request(method, path, headers={"Origin": origin}).status_code == 403
    own = str(client.base_url).rstrip("/")
    assert client.delete("/api/v1/caches", headers={"Origin": own}).status_code == 204


def test_pages_from_elsewhere_may_not_read_unless_allowed(client: httpx.Client, guarded: Served) -> None:
    response = client.get("/api/v1/health", headers={"Origin": ELSEWHERE})
    assert "access-control-allow-origin" not in response.headers
    with guarded.client() as other:
        allowed = other.get("/api/v1/health", headers={"Origin": FRIEND})
        refused = other.get("/api/v1/health", headers={"Origin": ELSEWHERE})
        asked = other.options(
            "/api/v1/ask", headers={"Origin": FRIEND, "Access-Control-Request-Method": "POST"}
        )
    assert allowed.headers["access-control-allow-origin"] == FRIEND
    assert "access-control-allow-origin" not in refused.headers
    assert asked.headers["access-control-allow-origin"] == FRIEND


def test_security_headers_are_on_everything(client: httpx.Client) -> None:
    for path in ("/api/v1/health", "/", "/nowhere", "/api/v1/provision?id=x", "/llms.txt"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "*" not in CONTENT_SECURITY_POLICY


def test_the_page_is_asked_for_anew_and_sent_once(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-cache"
    assert client.get("/", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
    for name, kind in {
        "icon.svg": "image/svg+xml",
        "page.js": "text/javascript",
        "page.css": "text/css",
    }.items():
        file = client.get(f"/static/{name}")
        assert file.headers["content-type"].startswith(kind)
        assert file.headers["cache-control"] == "no-cache"
        again = client.get(f"/static/{name}", headers={"If-None-Match": file.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/http/app.py", "/static//etc/passwd"],
)
def test_no_file_beside_the_page_is_served(served: Served, path: str) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert b" 404 " in answer.split(b"\r\n", 1)[0]


def test_large_bodies_are_refused_whether_they_say_so_or_not(guarded: Served) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1_000

    with guarded.client(headers=bearer(KEYS[0])) as client:
        told = client.post("/api/v1/ask", content=b" " * (BODY_BYTES + 1))
        untold = client.post("/api/v1/ask", content=pieces(), headers={"Content-Type": "application/json"})
    for response in (told, untold):
        assert (response.status_code, response.json()["code"]) == (413, "too-large")
        assert f"{BODY_BYTES:,}" in response.json()["detail"]


def test_a_body_that_never_comes_to_its_end_is_given_up(http_folder: Path) -> None:
    with serving(http_folder, ServerOptions(seconds=0.3, requests_per_minute=0)) as server:
        host, port = server.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=300) as connection:
            head = "POST /api/v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            connection.sendall(f'{head}Content-Length: 100\r\n\r\n{{"question":'.encode())
            answer = b""
            while piece := connection.recv(65_536):  # the head and the body may come apart
                answer += piece
    assert b" 408 " in answer.split(b"\r\n", 1)[0]
    assert b"too-slow" in answer


def test_a_caller_that_asks_too_much_waits(http_folder: Path) -> None:
    with serving(http_folder, ServerOptions(requests_per_minute=3)) as server, server.client() as client:
        responses = [client.get("/api/v1/health") for _ in range(5)]
        page = client.get("/")
    assert [one.status_code for one in responses] == [200, 200, 200, 429, 429]
    assert 1 <= int(responses[-1].headers["retry-after"]) <= 21
    assert "wait" in responses[-1].json()["detail"]
    assert page.status_code == 200, "the page itself is not counted"


def test_rates_fill_again_and_are_each_callers_own() -> None:
    now = [0.0]
    limit = RateLimit(60, clock=lambda: now[0])
    assert [limit.wait("a") for _ in range(60)] == [0.0] * 60
    assert limit.wait("a") == pytest.approx(1.0)
    assert limit.wait("b") == 0.0
    now[0] += 1.0
    assert limit.wait("a") == 0.0
    assert limit.wait("a") > 0
    for caller in range(20_000):
        assert limit.wait(str(caller)) == 0.0, "however many there are, a new one may ask"


@pytest.mark.parametrize(
    ("address", "caller"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb:1:2:3", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("not an address", "not an address"),
    ],
)
def test_a_client_with_a_network_of_addresses_is_one_caller(address: str, caller: str) -> None:
    assert caller_of(address) == caller


def test_work_that_takes_too_long_is_given_up(http_folder: Path) -> None:
    going_on = threading.Event()
    plain = LibraryOpener(settings_in(http_folder))

    def slow(folder: Path, *, writable: bool = False) -> Library:
        going_on.wait(300)
        return plain(folder, writable=writable)

    try:
        options = ServerOptions(seconds=0.2, requests_per_minute=0)
        with serving(http_folder, options, open_library=slow) as server, server.client() as client:
            late = client.get("/api/v1/search", params={"q": "tax"})
            with client.stream(
                "POST", "/api/v1/ask", params={"stream": "1"}, json={"question": CAPITAL_INCOME}
            ) as response:
                told = response.read().decode()
            going_on.set()
    finally:
        going_on.set()
    assert (late.status_code, late.json()["code"]) == (504, "timed-out")
    assert told.startswith("event: error")
    assert '"timed-out"' in told
