"""Finlex's open-data API over HTTP, on this machine, with the moods of the real one."""

from __future__ import annotations

import http.server
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from loopback import StillClock, hang_up, reply
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Manners, PoliteClient
from pykala.fetch.live import LiveMirror
from pykala.fetch.mirror import MirrorDamaged, MirrorUnavailable, open_mirror
from pykala.fetch.snapshots import Snapshots
from pykala.ingest import ingest
from pykala.packs.finland import pack
from pykala.packs.finland.live import API, live_mirror
from pykala.packs.pack import LivePack
from pykala.stores.embedded.store import EmbeddedStore

SAMPLE = Path(str(files("pykala.packs.finland"))) / "sample"
EMPTY = b'<?xml version="1.0" encoding="UTF-8"?><AknXmlList><Results/></AknXmlList>'
Reply = Callable[["Handler"], None]


def consolidated(year: int, number: int, language: str = "fin") -> bytes:
    """An act as the API gives it, with one section that names itself."""
    uri = f"/akn/fi/act/statute-consolidated/{year}/{number}"
    return f"""<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
 xmlns:finlex="http://data.finlex.fi/schema/finlex"><act contains="singleVersion"><meta><identification>
<FRBRWork><FRBRthis value="{uri}/!main"/><FRBRuri value="{uri}"/></FRBRWork>
<FRBRExpression><FRBRlanguage language="{language}"/></FRBRExpression></identification><proprietary>
<finlex:inForce><finlex:dateEntryIntoForce date="{year}-01-01"/></finlex:inForce></proprietary></meta>
<preface><p><docNumber>{number}/{year}</docNumber> <docTitle>Koelaki {number}</docTitle></p></preface>
<body><section eId="sec_1"><num>1 §</num><subsection><content><p>Vero {number} on maksettava.</p>
</content></subsection></section></body></act></akomaNtoso>""".encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Finlex

    def do_GET(self) -> None:
        server, parts = self.server, urlsplit(self.path)
        server.asked.append(self.path)
        if faults := server.faults.get(self.path):
            (faults[0] if server.lasting else faults.pop(0))(self)
        elif not self.headers.get("User-Agent", "").startswith("Pykala"):
            reply(403, b"name yourself")(self)
        elif parts.path.endswith("/list"):
            self._list({name: values[0] for name, values in parse_qs(parts.query).items()})
        else:  # what the API does not have is an empty list with status 200
            reply(200, server.acts.get(parts.path, EMPTY))(self)

    def _list(self, asked: dict[str, str]) -> None:
        limit, page = int(asked["limit"]), int(asked["page"])
        if limit > 10:
            reply(400, b"limit")(self)
            return
        language = asked["langAndVersion"].partition("@")[0]
        uris = [f"{API}{path}" for path in self.server.acts if f"/{language}@" in path]
        entries = [{"akn_uri": uri, "status": "MODIFIED"} for uri in uris[(page - 1) * limit : page * limit]]
        reply(200, json.dumps(entries).encode(), Content_Type="application/json")(self)

    def do_HEAD(self) -> None:
        reply(403)(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Finlex(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.acts: dict[str, bytes] = {}
        for number in range(1, 24):
            self.acts[address(number)] = consolidated(2010, number)
        self.acts[address(3, "swe")] = consolidated(2010, 3, "swe")
        self.faults: dict[str, list[Reply]] = {}
        self.lasting = False
        self.asked: list[str] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that is cut is what a test is about."""


def address(number: int, language: str = "fin") -> str:
    return f"/akn/fi/act/statute-consolidated/2010/{number}/{language}@latest"


def listing(page: int, language: str = "fin") -> str:
    query = f"format=json&page={page}&limit=10&langAndVersion={language}@latest"
    return f"/akn/fi/act/statute-consolidated/list?{query}"


@pytest.fixture
def source() -> Iterator[Finlex]:
    server = Finlex()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def snapshots(tmp_path: Path) -> Snapshots:
    return Snapshots(tmp_path / "snapshots")


def go_live(
    source: Finlex, snapshots: Snapshots, clock: StillClock | None = None, agent: str = "Pykala-tests/1"
) -> LiveMirror:
    hosts = AllowedHosts(frozenset({"127.0.0.1"}), loopback=True)
    manners = Manners(user_agent=agent, interval=0, attempts=2, read_timeout=300)
    with PoliteClient(hosts, manners, snapshots=snapshots, clock=clock or StillClock()) as client:
        return live_mirror(client, snapshots, api=source.base)


def path_of(number: int, language: str = "fin") -> str:
    return f"{address(number, language)[1:]}/main.xml"


def test_the_pack_can_go_live_and_only_to_hosts_that_it_names() -> None:
    assert isinstance(pack, LivePack)
    assert urlsplit(API).hostname in pack.facts.hosts


def test_every_page_of_the_list_is_read_to_its_short_end(source: Finlex, snapshots: Snapshots) -> None:
    mirror = go_live(source, snapshots)
    assert sorted(mirror.paths()) == sorted([*(path_of(n) for n in range(1, 24)), path_of(3, "swe")])
    asked = [path for path in source.asked if "/list?" in path]
    assert asked == [listing(1), listing(2), listing(3), listing(1, "swe")]


def test_a_list_that_ends_on_a_full_page_ends_with_the_empty_one(
    source: Finlex, snapshots: Snapshots
) -> None:
    for number in range(21, 24):
        del source.acts[address(number)]
    assert len(list(go_live(source, snapshots).paths())) == 21
    assert listing(3) in source.asked


def test_what_is_fetched_is_read_as_law(source: Finlex, snapshots: Snapshots, tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        report = ingest(store, pack, go_live(source, snapshots))
        assert (report.read, report.refusals, dict(report.documents)) == (23, [], {"fi": 23, "sv": 1})


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        pytest.param(reply(429, Retry_After="30"), [30.0], id="429 with a time"),
        pytest.param(reply(429), [1.0], id="429 without a time"),
        pytest.param(hang_up, [1.0], id="silent disconnect"),
        pytest.param(reply(503), [1.0], id="503"),
    ],
)
@pytest.mark.parametrize("path", [listing(2), address(7)])
def test_a_fault_that_passes_costs_time_only(
    source: Finlex, snapshots: Snapshots, path: str, fault: Reply, waits: list[float]
) -> None:
    source.faults[path] = [fault]
    clock = StillClock()
    mirror = go_live(source, snapshots, clock)
    assert (clock.slept, len(list(mirror.paths())), mirror.refusals) == (waits, 24, ())


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        pytest.param(reply(200, EMPTY), "empty list", id="a miss with status 200"),
        pytest.param(reply(404), "no such file", id="404"),
        pytest.param(hang_up, "connection", id="silent disconnect for ever"),
        pytest.param(reply(200, b"<akomaNtoso><act>"), "damaged", id="half a file"),
        pytest.param(reply(200, b"<html><body>huolto</body></html>"), "not an act", id="a page instead"),
    ],
)
def test_an_act_that_does_not_come_is_refused_and_the_rest_is_read(
    source: Finlex, snapshots: Snapshots, fault: Reply, reason: str
) -> None:
    source.faults[address(7)], source.lasting = [fault], True
    mirror = go_live(source, snapshots)
    assert path_of(7) not in set(mirror.paths())
    assert len(list(mirror.paths())) == 23
    ((path, why),) = ((one.path, one.reason) for one in mirror.refusals)
    assert (path, reason in why) == (path_of(7), True)


@pytest.mark.parametrize(
    "fault", [reply(429), hang_up, reply(500), reply(404)], ids=["429", "disconnect", "500", "404"]
)
def test_half_a_list_is_an_outage_and_not_a_shorter_law(
    source: Finlex, snapshots: Snapshots, fault: Reply
) -> None:
    source.faults[listing(2)], source.lasting = [fault], True
    with pytest.raises(MirrorUnavailable, match="page 2"):
        go_live(source, snapshots)


@pytest.mark.parametrize(
    "body", [b"<html/>", b'{"error": 1}', b'["x"]', b"[" * 100_000], ids=["page", "object", "words", "deep"]
)
def test_a_list_that_is_none_is_refused(source: Finlex, snapshots: Snapshots, body: bytes) -> None:
    source.faults[listing(1)] = [reply(200, body)]
    with pytest.raises(MirrorDamaged):
        go_live(source, snapshots)


def test_a_list_that_repeats_itself_does_not_go_on_for_ever(source: Finlex, snapshots: Snapshots) -> None:
    entries = [{"akn_uri": f"{API}{address(n)}", "status": "NEW"} for n in range(1, 11)]
    same = reply(200, json.dumps(entries).encode())
    source.faults = {listing(1): [same], listing(2): [same]}
    with pytest.raises(MirrorDamaged, match="repeats"):
        go_live(source, snapshots)


def test_a_source_that_lists_nothing_is_not_an_empty_law(source: Finlex, snapshots: Snapshots) -> None:
    source.acts.clear()
    with pytest.raises(MirrorDamaged, match="no act"):
        go_live(source, snapshots)


def test_a_source_that_wants_a_name_and_gets_none_says_so(source: Finlex, snapshots: Snapshots) -> None:
    with pytest.raises(MirrorUnavailable, match="403"):
        go_live(source, snapshots, agent="x")


def test_the_sample_s_paths_are_those_of_the_api() -> None:
    with open_mirror(SAMPLE) as mirror:
        assert any(path.startswith("akn/fi/act/") for path in mirror.paths())
