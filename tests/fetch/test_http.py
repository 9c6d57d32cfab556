from __future__ import annotations

import gzip
import http.server
import logging
import socketserver
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopback import hang_up, reply
from pykala.fetch.addresses import AllowedHosts, FetchRefused, redacted
from pykala.fetch.http import FetchFailed, Manners, PoliteClient
from pykala.fetch.snapshots import Snapshots

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


@dataclass
class TestClock:
    """Time passes only by sleeping in it, or by `tick` at each look."""

    __test__ = False
    seconds: float = 0.0
    tick: float = 0.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        self.seconds += self.tick
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


Reply = Callable[["Handler"], None]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        script = self.server.script
        (script.pop(0) if len(script) > 1 else script[0])(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A source on this machine that answers by a script; its last line repeats."""

    daemon_threads = True
    block_on_close = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Reply] = []
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.released = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some tests are about."""

    def url(self, path: str = "/law.xml", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_address[1]}{path}"


@pytest.fixture
def source() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.released.set()
    server.shutdown()
    server.server_close()
    thread.join()


def cut_short(handler: Handler) -> None:
    reply(200, b"half a l", Content_Length="100")(handler)
    handler.close_connection = True


def silent(handler: Handler) -> None:
    handler.server.released.wait(600)
    handler.close_connection = True


def dripping(handler: Handler) -> None:
    reply(200, b"a first drop", Content_Length="1000")(handler)
    silent(handler)


def endless(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.released.is_set():
        handler.wfile.write(bytes(65536))


def move_to(url: str) -> Reply:
    return reply(302, Location=url)


def client_of(clock: TestClock, snapshots: Snapshots | None = None, **manners: object) -> PoliteClient:
    chosen = Manners(user_agent="Pykala-tests/1 (+https://law.test)", **manners)  # type: ignore[arg-type]
    hosts = AllowedHosts(frozenset({"127.0.0.1"}), loopback=True)
    return PoliteClient(hosts, chosen, snapshots=snapshots, clock=clock)


def test_a_file_comes_with_our_name_on_the_request(source: Server) -> None:
    source.script = [reply(200, b"<law/>", ETag='"1"')]
    with client_of(TestClock()) as client:
        fetched = client.get(
            source.url(), headers={"Accept": "application/xml", "user-agent": "someone else"}
        )
    assert (fetched.status, fetched.data, fetched.from_cache) == (200, b"<law/>", False)
    assert fetched.retrieved_at == fetched.checked_at == NOON
    assert fetched.headers["etag"] == '"1"'
    ((path, headers),) = source.asked
    assert path == "/law.xml"
    assert headers["user-agent"] == "Pykala-tests/1 (+https://law.test)"
    assert headers["accept"] == "application/xml"


OK = reply(200, b"whole")
PASSING = [
    ("429 without a time", reply(429), [1.0]),
    ("429 with seconds", reply(429, Retry_After="17"), [17.0]),
    ("429 at once", reply(429, Retry_After="0"), [0.0]),
    ("503 with a date", reply(503, Retry_After="Wed, 01 Jul 2026 12:00:40 GMT"), [40.0]),
    ("503 with a past date", reply(503, Retry_After="Wed, 01 Jul 2026 11:00:00 GMT"), [0.0]),
    ("503 with nonsense", reply(503, Retry_After="soon"), [1.0]),
    ("503 with a negative time", reply(503, Retry_After="-5"), [1.0]),
    ("500", reply(500), [1.0]),
    ("hang up", hang_up, [1.0]),
    ("cut short", cut_short, [1.0]),
    ("cut gzip", reply(200, gzip.compress(b"x" * 999)[:-4], Content_Encoding="gzip"), [1.0]),
    ("no gzip", reply(200, b"plainly not packed", Content_Encoding="gzip"), [1.0]),
]


@pytest.mark.parametrize(("what", "fault", "slept"), PASSING, ids=[what for what, _, _ in PASSING])
def test_a_fault_that_passes_is_waited_for(
    source: Server, what: str, fault: Reply, slept: list[float]
) -> None:
    clock = TestClock()
    source.script = [fault, OK]
    with client_of(clock, interval=0) as client:
        assert client.get(source.url()).data == b"whole"
    assert clock.slept == slept
    assert len(source.asked) == 2


def test_waits_double_up_to_the_longest_and_end(source: Server) -> None:
    clock = TestClock()
    source.script = [reply(503)]
    with client_of(clock, interval=0, longest_wait=3) as client, pytest.raises(FetchFailed) as failed:
        client.get(source.url())
    assert clock.slept == [1, 2, 3, 3]
    assert failed.value.status == 503
    assert "5 times over; try again later" in str(failed.value)


def test_a_source_that_asks_for_more_time_than_there_is(source: Server) -> None:
    clock = TestClock()
    source.script = [reply(429, Retry_After="3600")]
    with client_of(clock, time_budget=100) as client, pytest.raises(FetchFailed, match="waiting 3600 s more"):
        client.get(source.url())
    assert clock.slept == []


def test_a_silent_source_times_out_and_is_asked_again(source: Server) -> None:
    source.script = [silent, OK]
    with client_of(TestClock(), read_timeout=1.0) as client:
        assert client.get(source.url()).data == b"whole"


def test_a_dripping_source_is_left_when_the_time_is_spent(source: Server) -> None:
    source.script = [dripping]
    with (
        client_of(TestClock(tick=40), time_budget=100) as client,
        pytest.raises(FetchFailed, match="too slowly"),
    ):
        client.get(source.url())


def test_nobody_listening() -> None:
    server = Server()
    url = server.url()
    server.server_close()
    with (
        client_of(TestClock(), attempts=2) as client,
        pytest.raises(FetchFailed, match="no connection could be made"),
    ):
        client.get(url)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "no such file"),
        (410, "withdrawn"),
        (403, "Forbidden"),
        (401, "key"),
        (204, "No Content"),
        (302, "Found"),
    ],
)
def test_an_answer_that_will_not_change_is_not_asked_for_again(
    source: Server, status: int, words: str
) -> None:
    source.script = [reply(status)]
    with client_of(TestClock()) as client, pytest.raises(FetchFailed, match=words) as failed:
        client.get(source.url())
    assert failed.value.status == status
    assert len(source.asked) == 1


@pytest.mark.parametrize(
    "huge",
    [
        reply(200, b"x" * 5000),
        endless,
        reply(200, gzip.compress(bytes(50_000_000)), Content_Encoding="gzip"),
    ],
    ids=["honest", "endless", "bomb"],
)
def test_a_huge_body_is_left(source: Server, huge: Reply) -> None:
    source.script = [huge]
    with (
        client_of(TestClock(), max_body=4096) as client,
        pytest.raises(FetchFailed, match="larger than 4096"),
    ):
        client.get(source.url())
    assert len(source.asked) == 1


def test_gzip_is_unpacked_and_what_was_not_asked_for_is_refused(source: Server) -> None:
    two = gzip.compress(b"one ") + gzip.compress(b"two")
    source.script = [reply(200, two, Content_Encoding="gzip"), reply(200, b"?", Content_Encoding="zstd")]
    with client_of(TestClock()) as client:
        assert client.get(source.url()).data == b"one two"
        with pytest.raises(FetchFailed, match="'zstd', which was not asked for"):
            client.get(source.url())
    assert source.asked[0][1]["accept-encoding"] == "gzip"


def test_each_host_gets_its_interval(source: Server) -> None:
    clock = TestClock()
    source.script = [OK]
    with client_of(clock, interval=2.5) as client:
        client.get(source.url())
        client.get(source.url())
        clock.seconds += 1
        client.get(source.url())
        clock.seconds += 10
        client.get(source.url())
    assert clock.slept == [2.5, 1.5]


def test_a_redirect_within_the_allowed_hosts_is_followed(source: Server) -> None:
    source.script = [move_to("/moved.xml"), OK]
    with client_of(TestClock()) as client:
        fetched = client.get(source.url(), headers={"x-key": "1"})
    assert fetched.url == source.url("/moved.xml")
    assert [path for path, _ in source.asked] == ["/law.xml", "/moved.xml"]


def test_a_redirect_elsewhere_is_refused_and_never_asked(source: Server) -> None:
    for target in (
        source.url(host="localhost"),
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "//evil.test/",
    ):
        source.asked.clear()
        source.script = [move_to(target), OK]
        with (
            client_of(TestClock()) as client,
            pytest.raises(FetchRefused, match="none of the pack's sources"),
        ):
            client.get(source.url())
        assert len(source.asked) == 1


def test_headers_stay_with_their_host(source: Server) -> None:
    hosts = AllowedHosts(frozenset({"127.0.0.1", "localhost"}), loopback=True)
    source.script = [move_to(source.url("/b", host="localhost")), OK]
    with PoliteClient(hosts, Manners("Pykala-tests/1"), clock=TestClock()) as client:
        client.get(source.url("/a"), headers={"x-api-key": "secret"})
    assert [("x-api-key" in headers) for _, headers in source.asked] == [True, False]


def test_a_circle_of_redirects_ends(source: Server) -> None:
    source.script = [move_to("/law.xml")]
    with (
        client_of(TestClock(), max_redirects=3) as client,
        pytest.raises(FetchFailed, match="more than 3 times"),
    ):
        client.get(source.url())
    assert len(source.asked) == 4


REFUSED = [
    ("https://evil.test/x", "none of the pack's sources"),
    ("https://laws.test.evil.test/x", "none of the pack's sources"),
    ("http://laws.test/x", "only https"),
    ("ftp://laws.test/x", "only https"),
    ("https://laws.test:8443/x", "only https"),
    ("https://user:pw@laws.test/x", "user name"),
    ("https://laws.test@evil.test/x", "none of the pack's sources"),
    ("file:///etc/passwd", "none of the pack's sources"),
    ("http://127.0.0.1/x", "none of the pack's sources"),
    ("https://laws.test:port/x", "no address"),
    ("https://[::1/x", "no address"),
    ("", "none of the pack's sources"),
]


@pytest.mark.parametrize(("url", "reason"), REFUSED)
def test_what_is_never_asked(url: str, reason: str) -> None:
    hosts = AllowedHosts(frozenset({"laws.test"}))
    with pytest.raises(FetchRefused, match=reason):
        hosts.check(url)


def test_what_is_asked() -> None:
    hosts = AllowedHosts(frozenset({"laws.test"}))
    for url in ("https://laws.test/x", "https://LAWS.test:443/x?y=1"):
        assert hosts.check(url) == "laws.test"


# ---- snapshots and conditional requests


def test_what_has_not_changed_comes_from_the_snapshots(source: Server, tmp_path: Path) -> None:
    clock = TestClock()
    modified = "Tue, 30 Jun 2026 08:00:00 GMT"
    source.script = [reply(200, b"<law/>", ETag='"7"', Last_Modified=modified), reply(304)]
    with client_of(clock, Snapshots(tmp_path)) as client:
        first = client.get(source.url())
        clock.seconds = 3600
        second = client.get(source.url())
    assert (second.status, second.data, second.from_cache) == (304, b"<law/>", True)
    assert (second.retrieved_at, second.checked_at) == (NOON, NOON + timedelta(hours=1))
    assert second.sha256 == first.sha256
    asked = [(headers.get("if-none-match"), headers.get("if-modified-since")) for _, headers in source.asked]
    assert asked == [(None, None), ('"7"', modified)]
    assert Snapshots(tmp_path).last(source.url()).checked_at == second.checked_at  # type: ignore[union-attr]


def test_a_change_replaces_the_sighting_and_keeps_the_old_body(source: Server, tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path)
    source.script = [reply(200, b"old", ETag='"1"'), reply(200, b"new", ETag='"2"')]
    with client_of(TestClock(), snapshots) as client:
        old, new = client.get(source.url()), client.get(source.url())
    assert snapshots.get(old.sha256) == b"old"
    assert snapshots.last(source.url()).sha256 == new.sha256  # type: ignore[union-attr]


def test_a_damaged_snapshot_is_fetched_whole_again(source: Server, tmp_path: Path) -> None:
    source.script = [reply(200, b"<law/>", ETag='"7"')]
    with client_of(TestClock(), Snapshots(tmp_path)) as client:
        client.get(source.url())
        (body,) = tmp_path.rglob("*.zst")
        body.write_bytes(b"rot")
        assert client.get(source.url()).data == b"<law/>"
        assert client.get(source.url()).data == b"<law/>"
    assert ["if-none-match" in headers for _, headers in source.asked] == [False, False, True]


def test_an_unasked_304_is_no_body(source: Server, tmp_path: Path) -> None:
    source.script = [reply(304)]
    with client_of(TestClock(), Snapshots(tmp_path)) as client, pytest.raises(FetchFailed, match="304"):
        client.get(source.url())


def test_a_failure_stores_nothing(source: Server, tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path)
    source.script = [cut_short]
    with client_of(TestClock(), snapshots, attempts=2) as client, pytest.raises(FetchFailed):
        client.get(source.url())
    assert list(snapshots.sightings()) == []
    assert not list(tmp_path.rglob("*.zst"))


# ---- secrets

SECRET = "hunter2"


@pytest.mark.parametrize(
    "name", ["key", "api_key", "apiKey", "API-KEY", "access_token", "token", "client_secret"]
)
def test_secret_parameters_are_not_shown(name: str) -> None:
    shown = redacted(f"https://me:{SECRET}@laws.test/x?year=2026&{name}={SECRET}#{SECRET}")
    assert SECRET not in shown
    assert shown == f"https://laws.test/x?year=2026&{name}=***"


@given(st.text(max_size=40))
def test_any_address_can_be_shown(text: str) -> None:
    for url in (text, f"https://laws.test/{text}", f"https://{text}/"):
        assert isinstance(redacted(url), str)
        assert SECRET not in redacted(f"{url}?token={SECRET}") or "?" in url or "#" in url


def test_no_secret_reaches_a_log_an_error_or_the_disk(
    source: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    address = source.url(f"/law.xml?api_key={SECRET}")
    source.script = [reply(200, b"x", ETag='"1"'), reply(304), reply(404), hang_up]
    with client_of(TestClock(), Snapshots(tmp_path), attempts=2) as client:
        shown = [repr(client.get(address)), repr(client.get(address))]
        for _ in range(2):
            with pytest.raises(FetchFailed) as failed:
                client.get(address, headers={"authorization": SECRET})
            shown.append(repr(failed.value) + str(failed.value.__dict__))
    assert all(SECRET in path for path, _ in source.asked), "the source itself is given the key"
    assert "***" in shown[0]
    assert not [text for text in [*shown, caplog.text] if SECRET in text]
    assert not [
        file for file in tmp_path.rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()
    ]


def test_a_client_has_a_name() -> None:
    for name in ("", "  ", "two\nlines"):
        with pytest.raises(ValueError, match="user_agent"):
            Manners(name)
