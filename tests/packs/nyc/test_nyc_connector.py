"""The live source on a loopback server that behaves, and misbehaves, as Open Legislation does."""

from __future__ import annotations

import http.server
import json
import logging
import socketserver
import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from loopback import StillClock
from nyc_making import answer, node, places, read
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import FetchFailed, Manners, PoliteClient
from pykala.fetch.refusals import MirrorDamaged, MirrorUnavailable
from pykala.fetch.snapshots import Snapshots
from pykala.ingest import ingest
from pykala.packs.nyc import pack
from pykala.packs.nyc.connector import OpenLegislation, SourceUnusable
from pykala.packs.nyc.live import live_mirror
from pykala.packs.pack import LivePack
from pykala.settings import Settings
from pykala.stores.embedded.store import EmbeddedStore

KEY = "k3y-never-shown"
TREE = {
    "lawVersion": {"lawId": "ADC", "activeDate": "2025-07-18"},
    "documents": node(
        "MISC",
        "ADC",
        items=[
            node("TITLE", "10", location="T10", items=[node("SECTION", "10-101")]),
            node("TITLE", "11", location="T11", items=[
                node("CHAPTER", "2", location="T11C2", items=[node("SECTION", "11-208.1")]),
                node("CHAPTER", "5", location="T11C5", items=[node("SECTION", "11-503")]),
            ]),
        ],
    ),
}  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.asked.append((parts.path, self.headers.get("if-none-match", "")))
        trouble = self.server.trouble.get(parts.path, [])
        if trouble:
            trouble.pop(0)(self)
        elif parse_qs(parts.query).get("key") != [KEY]:
            self.reply(401, answer(None, success=False, message=f"Invalid key {parts.query}"))
        elif self.headers.get("if-none-match") == '"1"':
            self.reply(304, b"")
        else:
            body = self.server.bodies.get(parts.path)
            self.reply(200 if body else 404, body or answer(None, success=False, message="not found"))

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.send_header("etag", '"1"')
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


Trouble = Callable[[Handler], None]


class Service(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str]] = []
        self.trouble: dict[str, list[Trouble]] = {}
        self.bodies = {
            "/api/3/laws/ADC": answer(TREE),
            "/api/3/laws/ADC/11-208.1/": answer(document("11-208.1", "2", "Statements")),
            "/api/3/laws/ADC/11-503/": answer(document("11-503", "5", "Imposition")),
        }

    def handle_error(self, request: object, client_address: object) -> None:
        """A server that hangs up is what some tests are about."""

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


def document(number: str, chapter: str, title: str) -> dict[str, Any]:
    parents = [node("CHAPTER", chapter, f"Chapter {chapter}", location=f"T11C{chapter}")]
    return node("SECTION", number, title, f"  § {number} {title}. (a) One.\n  (b) Two.", parents=parents)


@pytest.fixture
def service() -> Iterator[Service]:
    server = Service()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


Connect = Callable[..., OpenLegislation]


@pytest.fixture
def connect(service: Service) -> Iterator[Connect]:
    manners = Manners("pykala tests", interval=0.0, attempts=3, first_wait=1.0, read_timeout=300.0)
    hosts = AllowedHosts(frozenset({"127.0.0.1"}), True)
    clients: list[PoliteClient] = []

    def connected(folder: Path | None = None, key: str = KEY) -> OpenLegislation:
        snapshots = Snapshots(folder) if folder else None
        clients.append(PoliteClient(hosts, manners, snapshots=snapshots, clock=StillClock()))
        return OpenLegislation(clients[-1], key, base=service.base)

    yield connected
    for client in clients:
        client.close()


def test_every_section_comes_and_reads_as_the_code(service: Service, connect: Connect) -> None:
    files = list(connect().files())
    assert [file.path for file in files] == ["laws/ADC/11-208.1.json", "laws/ADC/11-503.json"]
    # "11-208.1" without a slash at the end would be asked as a file of the kind ".1".
    assert [path for path, _ in service.asked][1:] == ["/api/3/laws/ADC/11-208.1/", "/api/3/laws/ADC/11-503/"]
    reading = read(*((file.path, file.data) for file in files))
    assert reading.refusals == ()
    assert [path for path in places(reading.documents[0]) if "/" not in path] == [
        "chp_2", "sec_11-208.1", "chp_5", "sec_11-503",
    ]  # fmt: skip


def test_a_day_is_asked_for(service: Service, connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    source = connect()
    get = source._client.get
    monkeypatch.setattr(source._client, "get", lambda url: (asked.append(url), get(url))[1])
    source.sections(as_of=date(2020, 1, 2))
    assert "date=2020-01-02" in asked[0]


def test_the_second_time_nothing_is_sent_again(service: Service, connect: Connect, tmp_path: Path) -> None:
    first = list(connect(tmp_path).files())
    service.asked.clear()
    again = list(connect(tmp_path).files())
    assert [file.data for file in again] == [file.data for file in first]
    assert {tag for _, tag in service.asked} == {'"1"'}


def busy(handler: Handler) -> None:
    handler.reply(429, b"", retry_after="7")


def busy_without_a_word(handler: Handler) -> None:
    handler.reply(429, b"")


def hang_up(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.close()


def cut_short(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"success": true')
    handler.close_connection = True


@pytest.mark.parametrize("trouble", [busy, busy_without_a_word, hang_up, cut_short])
def test_trouble_that_passes_is_waited_out(service: Service, connect: Connect, trouble: Trouble) -> None:
    service.trouble["/api/3/laws/ADC/11-503/"] = [trouble]
    assert len(list(connect().files())) == 2


@pytest.mark.parametrize("trouble", [busy, hang_up])
def test_an_outage_is_an_error_and_never_no_law(service: Service, connect: Connect, trouble: Trouble) -> None:
    service.trouble["/api/3/laws/ADC/11-503/"] = [trouble] * 3
    with pytest.raises(FetchFailed):
        list(connect().files())


def test_a_section_that_is_gone_or_no_json_is_refused_and_the_rest_goes_on(
    service: Service, connect: Connect
) -> None:
    del service.bodies["/api/3/laws/ADC/11-208.1/"]
    source = connect()
    assert [file.path for file in source.files()] == ["laws/ADC/11-503.json"]
    assert [(one.path, "404" in one.reason) for one in source.refusals] == [("laws/ADC/11-208.1.json", True)]
    service.bodies["/api/3/laws/ADC/11-503/"] = "<html>Störung</html>".encode("latin-1")
    source = connect()
    assert list(source.files()) == []
    assert "no JSON" in source.refusals[1].reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (answer(None, success=False, message=f"key {KEY} is not active"), "is not active"),
        (answer(None), "no result"),
        (answer({"documents": None}), "structure of the law is missing"),
        (answer({"documents": node("MISC", "ADC")}), "no section of title 11"),
        (b"{", "no JSON"),
    ],
)
def test_an_answer_without_the_law_says_what_is_wrong(
    service: Service, connect: Connect, body: bytes, reason: str
) -> None:
    service.bodies["/api/3/laws/ADC"] = body
    with pytest.raises(SourceUnusable, match=reason) as caught:
        connect().sections()
    assert KEY not in str(caught.value)


def test_the_key_is_shown_nowhere(connect: Connect, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        source = connect(tmp_path)
        files = list(source.files())
        with pytest.raises(FetchFailed) as caught:
            connect(key="wrong-" + KEY).sections()
    assert KEY in json.dumps(KEY)  # the search below can fail
    shown = [caplog.text, repr(source), str(source.refusals), str(caught.value), repr(caught.value)]
    shown += [file.url for file in files]
    shown += [str(path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()]
    assert not [text for text in shown if KEY in text]


@pytest.mark.parametrize("key", ["", " ", "two words", "newline\n", "ключ"])
def test_a_key_that_is_none_is_refused(service: Service, connect: Connect, key: str) -> None:
    with pytest.raises(ValueError, match="needs a key"):
        connect(key=key)


class Live:
    """What `pykala ingest nyc` does without --from, against the loopback service."""

    def __init__(self, service: Service, folder: Path) -> None:
        self.service, self.folder = service, folder

    def read(self, key: str = KEY) -> tuple[int, list[str]]:
        snapshots = Snapshots(self.folder / "snapshots")
        manners = Manners("pykala tests", interval=0.0, attempts=2, first_wait=1.0, read_timeout=300.0)
        hosts = AllowedHosts(frozenset({"127.0.0.1"}), True)
        with (
            PoliteClient(hosts, manners, snapshots=snapshots, clock=StillClock()) as client,
            EmbeddedStore.open(self.folder / "library", writable=True) as store,
        ):
            report = ingest(store, pack, live_mirror(client, snapshots, key, base=self.service.base))
            return report.read, [refusal.path for refusal in report.refusals]


def test_the_city_s_code_is_ingested_online(service: Service, tmp_path: Path) -> None:
    assert isinstance(pack, LivePack)
    live = Live(service, tmp_path)
    assert live.read() == (1, [])
    assert live.read() == (0, [])  # nothing changed


def test_a_title_that_comes_in_part_is_not_read_as_the_whole(service: Service, tmp_path: Path) -> None:
    live = Live(service, tmp_path)
    live.read()
    service.trouble["/api/3/laws/ADC/11-503/"] = [hang_up] * 5
    with pytest.raises(MirrorUnavailable, match="nothing was changed"):
        live.read()


def test_without_a_key_the_way_to_one_is_told(service: Service, tmp_path: Path) -> None:
    with pytest.raises(MirrorUnavailable, match="PYKALA_KEY_NYC"):
        Live(service, tmp_path).read(key="")
    with pytest.raises(MirrorDamaged, match="key") as told:
        Live(service, tmp_path).read(key="two words")
    assert "two words" not in str(told.value)


def test_a_key_in_the_settings_is_found_and_never_shown() -> None:
    settings = Settings.read({"PYKALA_KEY_NYC": KEY, "PYKALA_KEY_XX": ""})
    assert dict(settings.keys) == {"nyc": KEY}
    assert KEY not in repr(settings)
