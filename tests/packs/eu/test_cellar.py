"""Acts from CELLAR over HTTP, on this machine, with the moods of the real one."""

from __future__ import annotations

import http.server
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from loopback import StillClock, hang_up, reply
from pykala.fetch.addresses import AllowedHosts, FetchRefused
from pykala.fetch.http import FetchFailed, Manners
from pykala.fetch.mirror import MirrorUnavailable, open_mirror
from pykala.fetch.snapshots import Snapshots
from pykala.packs.eu.cellar import CellarClient, NotOffered, content_url, fetch_page
from pykala.packs.eu.live import FetchedActs, fetch_acts, open_client

ACT = "32019R2144"
STATES = ("02019R2144-20191216", "02019R2144-20220706", "02019R2144-20240707")
Reply = Callable[[http.server.BaseHTTPRequestHandler], None]


def page(celex: str, language: str) -> bytes:
    title = {"en": "Regulation on vehicles", "fr": "Règlement sur les véhicules"}[language]
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><html><body><p>{title} {celex}</p></body></html>\n'.encode()
    )


def choices(*addresses: str) -> bytes:
    items = "".join(f'<li title="item"><a href="{each}">{each}</a></li>' for each in addresses)
    return f'<html><body><ul><li title="manifestation">x{items}</li></ul></body></html>'.encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Cellar

    def do_GET(self) -> None:
        server, parts = self.server, urlsplit(self.path)
        language = self.headers.get("Accept-Language", "")
        with server.counting:
            server.under_way += 1
            server.most_at_once = max(server.most_at_once, server.under_way)
            server.asked.append((parts.path, language, self.headers.get("Accept", "")))
        try:
            if parts.path == "/sparql":
                self._table(parse_qs(parts.query)["query"][0])
            else:
                self._content(unquote(parts.path), language)
        finally:
            with server.counting:
                server.under_way -= 1

    def _table(self, query: str) -> None:
        rows = [{"celex": state} for state in STATES]
        if "?kind ?date" in query:
            rows = [
                {"celex": ACT, "kind": "http://publications.europa.eu/resource/authority/resource-type/REG",
                 "date": "2019-11-27", "force": "true", "title": title,
                 "language": f"http://publications.europa.eu/resource/authority/language/{name}"}
                for name, title in (("ENG", "Regulation on vehicles"), ("FRA", "Règlement sur les véhicules"))
            ]  # fmt: skip
        cells = [{name: {"value": value} for name, value in row.items()} for row in rows]
        reply(200, json.dumps({"results": {"bindings": cells}}).encode())(self)

    def _content(self, path: str, language: str) -> None:
        server = self.server
        moods = server.moods.get((path, language)) or server.moods.get((path, "")) or []
        if moods:
            (moods[0] if len(moods) == 1 and server.lasting else moods.pop(0))(self)
            return
        body = server.bodies.get((path, language))
        if body is None:
            reply(404)(self)
            return
        etag = f'"{sha256(body).hexdigest()[:12]}"'
        status = 304 if self.headers.get("If-None-Match") == etag else 200
        reply(status, b"" if status == 304 else body, ETag=etag)(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Cellar(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Texts by path and language; a mood of an address comes before its text."""

    daemon_threads = True
    block_on_close = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.bodies = {
            (f"/celex/{celex}", language): page(celex, language)
            for celex in (ACT, *STATES)
            for language in ("en", "fr")
        }
        self.moods: dict[tuple[str, str], list[Reply]] = {}
        self.lasting = False
        self.asked: list[tuple[str, str, str]] = []
        self.released = threading.Event()
        self.counting = threading.Lock()
        self.under_way = self.most_at_once = 0

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gives up on a slow body is what a test is about."""


@pytest.fixture
def server() -> Iterator[Cellar]:
    with Cellar() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield opened
        opened.released.set()
        opened.shutdown()
        thread.join()


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def client(clock: StillClock, request: pytest.FixtureRequest) -> Iterator[CellarClient]:
    hosts = AllowedHosts(frozenset({"127.0.0.1"}), loopback=True)
    patience = getattr(request, "param", 120)
    manners = Manners(user_agent="pykala-test", interval=0.0, attempts=3, read_timeout=patience)
    with open_client(manners, clock=clock, hosts=hosts) as opened:
        yield opened


@pytest.fixture
def snapshots(tmp_path: Path) -> Snapshots:
    return Snapshots(tmp_path / "snapshots")


def fetched(server: Cellar, client: CellarClient, snapshots: Snapshots, language: str = "en") -> bytes:
    return fetch_page(client, ACT, language, snapshots, base=f"{server.base}/celex/").data


def test_a_page_is_asked_for_in_its_language(
    server: Cellar, client: CellarClient, snapshots: Snapshots
) -> None:
    assert fetched(server, client, snapshots, "en") == page(ACT, "en")
    assert fetched(server, client, snapshots, "fr") == page(ACT, "fr")
    accept = "application/xhtml+xml, text/html;q=0.9"
    assert server.asked == [(f"/celex/{ACT}", language, accept) for language in ("en", "fr")]


def test_an_unchanged_page_comes_from_the_snapshot_of_its_own_language(
    server: Cellar, client: CellarClient, snapshots: Snapshots
) -> None:
    for _ in range(2):
        assert fetched(server, client, snapshots, "en") == page(ACT, "en")
        assert fetched(server, client, snapshots, "fr") == page(ACT, "fr")
    server.bodies[(f"/celex/{ACT}", "fr")] = page("02019R2144", "fr")
    assert fetched(server, client, snapshots, "fr") == page("02019R2144", "fr")


def test_brackets_and_slashes_of_a_number_are_encoded() -> None:
    assert content_url("32006L0112R(01)", "https://c/") == "https://c/32006L0112R%2801%29"
    assert content_url("12016E/TXT", "https://c/") == "https://c/12016E%2FTXT"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_with_the_language(
    server: Cellar, client: CellarClient, snapshots: Snapshots, status: int
) -> None:
    server.moods[(f"/celex/{ACT}", "fr")] = [reply(status, Location="/cellar/1.0010.03/DOC_1")]
    server.bodies[("/cellar/1.0010.03/DOC_1", "fr")] = page(ACT, "fr")
    assert fetched(server, client, snapshots, "fr") == page(ACT, "fr")


def test_a_redirect_by_http_to_cellar_itself_is_asked_for_by_https(
    server: Cellar, client: CellarClient, snapshots: Snapshots
) -> None:
    target = "http://publications.europa.eu/resource/cellar/1"
    server.moods[(f"/celex/{ACT}", "en")] = [reply(303, Location=target)]
    # The test's client may ask this machine alone: that it is refused shows what would have been asked.
    with pytest.raises(FetchRefused, match=r"https://publications\.europa\.eu/resource/cellar/1"):
        fetched(server, client, snapshots)


def test_a_redirect_elsewhere_is_not_followed(
    server: Cellar, client: CellarClient, snapshots: Snapshots
) -> None:
    server.moods[(f"/celex/{ACT}", "en")] = [reply(303, Location="https://example.org/DOC_1")]
    with pytest.raises(FetchRefused, match=r"example\.org"):
        fetched(server, client, snapshots)


def test_redirects_without_end_stop(server: Cellar, client: CellarClient, snapshots: Snapshots) -> None:
    server.lasting = True
    server.moods[(f"/celex/{ACT}", "")] = [reply(303, Location=f"/celex/{ACT}")]
    with pytest.raises(FetchFailed, match="more than 6 times"):
        fetched(server, client, snapshots)


def test_of_several_items_the_first_document_is_taken(
    server: Cellar, client: CellarClient, snapshots: Snapshots
) -> None:
    listed = choices("/cellar/1.0006.03/picture.png", "/cellar/1.0006.03/DOC_10", "/cellar/1.0006.03/DOC_2")
    server.moods[(f"/celex/{ACT}", "en")] = [reply(300, listed)]
    server.bodies[("/cellar/1.0006.03/DOC_2", "en")] = page(ACT, "en")
    came = fetch_page(client, ACT, "en", snapshots, base=f"{server.base}/celex/")
    assert came.data == page(ACT, "en")
    assert came.parts == 3


@pytest.mark.parametrize(
    "body", [b"", b"<html><body>nothing</body></html>", b'<li title="item"><a href="ftp://x">']
)
def test_choices_without_an_item_are_an_error(
    server: Cellar, client: CellarClient, snapshots: Snapshots, body: bytes
) -> None:
    server.moods[(f"/celex/{ACT}", "en")] = [reply(300, body)]
    with pytest.raises(FetchFailed, match="none of them is a page"):
        fetched(server, client, snapshots)


@pytest.mark.parametrize(("status", "advice"), [(404, "check the CELEX number"), (406, "only as PDF")])
def test_what_is_not_offered_says_why(
    server: Cellar, client: CellarClient, snapshots: Snapshots, status: int, advice: str
) -> None:
    server.moods[(f"/celex/{ACT}", "en")] = [reply(status)]
    with pytest.raises(NotOffered, match=advice):
        fetched(server, client, snapshots)


def cut_short(handler: http.server.BaseHTTPRequestHandler) -> None:
    reply(200, b"<html><body>", Content_Length="5000")(handler)
    handler.close_connection = True


def slow(handler: http.server.BaseHTTPRequestHandler) -> None:
    reply(200, b"<html>", Content_Length="5000")(handler)
    assert isinstance(handler.server, Cellar)
    handler.server.released.wait(600)
    handler.close_connection = True


@pytest.mark.parametrize(
    ("mood", "client"),
    [(hang_up, 120), (cut_short, 120), (slow, 2), (reply(503), 120), (reply(500), 120)],
    indirect=["client"],
)
def test_a_fault_that_passes_is_waited_out(
    server: Cellar, client: CellarClient, snapshots: Snapshots, clock: StillClock, mood: Reply
) -> None:
    server.moods[(f"/celex/{ACT}", "en")] = [mood]
    assert fetched(server, client, snapshots) == page(ACT, "en")
    assert clock.slept == [1.0]


def test_a_busy_source_is_given_the_time_it_asks_for(
    server: Cellar, client: CellarClient, snapshots: Snapshots, clock: StillClock
) -> None:
    server.moods[(f"/celex/{ACT}", "en")] = [reply(429, Retry_After="7")]
    assert fetched(server, client, snapshots) == page(ACT, "en")
    assert clock.slept == [7.0]


@pytest.mark.parametrize("body", [b"<html><body><p>half a pa", b"%PDF-1.4", b"Service unavailable"])
def test_a_body_that_is_no_whole_page_is_not_kept(
    server: Cellar, client: CellarClient, snapshots: Snapshots, body: bytes
) -> None:
    server.moods[(f"/celex/{ACT}", "en")] = [reply(200, body, ETag='"x"')]
    with pytest.raises(FetchFailed, match="try again later"):
        fetched(server, client, snapshots)
    assert list(snapshots.sightings()) == []


def fetch_all(
    server: Cellar, client: CellarClient, folder: Path, *, every_state: bool = False
) -> FetchedActs:
    return fetch_acts(
        client,
        [ACT],
        folder / "acts",
        Snapshots(folder / "snapshots"),
        every_state=every_state,
        endpoint=f"{server.base}/sparql",
        content=f"{server.base}/celex/",
    )


def test_an_act_comes_as_adopted_and_as_it_stands(
    server: Cellar, client: CellarClient, tmp_path: Path
) -> None:
    came = fetch_all(server, client, tmp_path)
    assert (came.acts, came.pages, came.refusals) == ((ACT,), 4, ())
    states = sorted((tmp_path / "acts" / "32019r2144" / "versions").iterdir())
    # What was not fetched is known to be there: the first text does not go on past it.
    assert [state.name[:10] for state in states] == ["2019-11-27", "2019-12-16", "2022-07-06", "2024-07-07"]
    assert [file.name for file in states[1].iterdir()] == ["meta.json"]
    assert sorted(file.name for file in states[0].iterdir()) == ["en.xml", "fr.xml", "meta.json"]
    first = json.loads((states[0] / "meta.json").read_text("utf-8"))
    assert (first["valid_from"], first["valid_to"]) == ("2019-11-27", "2019-12-15")
    last = json.loads((states[-1] / "meta.json").read_text("utf-8"))
    assert last["publisher_version_identifier"].endswith("/02019R2144-20240707")
    assert "valid_to" not in last
    assert [each["title"] for each in last["expressions"]] == [
        "Regulation on vehicles",
        "Règlement sur les véhicules",
    ]


def test_every_state_can_be_had_and_a_second_fetch_changes_nothing(
    server: Cellar, client: CellarClient, tmp_path: Path
) -> None:
    came = fetch_all(server, client, tmp_path, every_state=True)
    assert came.pages == 8
    with open_mirror(tmp_path / "acts") as mirror:
        before = {file.path: file.sha256 for file in mirror.files()}
    assert len(before) == 13
    fetch_all(server, client, tmp_path, every_state=True)
    with open_mirror(tmp_path / "acts") as mirror:
        assert {file.path: file.sha256 for file in mirror.files()} == before
    assert server.most_at_once <= 4


def test_a_text_that_cannot_be_had_is_a_refusal_and_the_rest_comes(
    server: Cellar, client: CellarClient, tmp_path: Path
) -> None:
    server.moods[(f"/celex/{ACT}", "fr")] = [reply(406)]
    del server.bodies[(f"/celex/{STATES[2]}", "en")]
    came = fetch_all(server, client, tmp_path)
    assert came.pages == 2
    assert [refusal.path for refusal in came.refusals] == [f"{ACT} (fr)", f"{STATES[2]} (en)"]
    assert "only as PDF" in came.refusals[0].reason


def test_an_unknown_act_is_a_refusal(server: Cellar, client: CellarClient, tmp_path: Path) -> None:
    came = fetch_acts(
        client,
        ["32000R0001", "../etc"],
        tmp_path,
        Snapshots(tmp_path / "s"),
        endpoint=f"{server.base}/sparql",
    )
    assert came.acts == ()
    assert [refusal.path for refusal in came.refusals] == ["32000R0001", "../etc"]


def test_an_outage_of_the_search_is_an_error(client: CellarClient, tmp_path: Path) -> None:
    with pytest.raises(MirrorUnavailable, match="try again later"):
        fetch_acts(client, [ACT], tmp_path, Snapshots(tmp_path / "s"), endpoint="http://127.0.0.1:9/sparql")


def test_progress_counts_the_texts(server: Cellar, client: CellarClient, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    fetch_acts(
        client,
        [ACT],
        tmp_path / "acts",
        Snapshots(tmp_path / "s"),
        endpoint=f"{server.base}/sparql",
        content=f"{server.base}/celex/",
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert date(2019, 11, 27).isoformat() in str(list((tmp_path / "acts").rglob("en.xml")))
