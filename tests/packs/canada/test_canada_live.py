"""Justice Laws over HTTP, on this machine, with the moods of the real one."""

from __future__ import annotations

import http.server
import pickle
import socketserver
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from loopback import StillClock, hang_up, reply
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Manners, PoliteClient
from pykala.fetch.live import LiveMirror
from pykala.fetch.mirror import MirrorDamaged, MirrorUnavailable, open_mirror
from pykala.fetch.snapshots import Snapshots
from pykala.ingest import ingest
from pykala.packs.canada import pack
from pykala.packs.canada.live import INDEX, listed_files, live_mirror
from pykala.packs.pack import LivePack
from pykala.stores.embedded.store import EmbeddedStore

SAMPLE = Path(str(files("pykala.packs.canada"))) / "sample"
PATHS = sorted(path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*.xml"))
KINDS = {"acts": "Act", "lois": "Act", "regulations": "Regulation", "reglements": "Regulation"}
ACT = "eng/acts/E-5.6.xml"
INDEX_PATH = "/eng/XML/Legis.xml"


def address(path: str) -> str:
    """Where Justice Laws keeps a file of the archive: `/eng/XML/E-5.6.xml`."""
    language, _, name = path.split("/")
    return f"/{language}/XML/{name}"


def index_of(base: str, paths: list[str]) -> bytes:
    entries: dict[str, list[str]] = {"Act": [], "Regulation": []}
    for path in paths:
        language, folder, name = path.split("/")
        kind = KINDS[folder]
        entries[kind].append(
            f"<{kind}><UniqueId>{name.removesuffix('.xml')}</UniqueId><OfficialNumber>x</OfficialNumber>"
            f"<Language>{language}</Language><LinkToXML>{base}{address(path)}</LinkToXML></{kind}>"
        )
    return (
        f"\ufeff<ActsRegsList><Acts>{''.join(entries['Act'])}</Acts>"
        f"<Regulations>{''.join(entries['Regulation'])}</Regulations></ActsRegsList>"
    ).encode()


Reply = Callable[["Handler"], None]


def cut_short(handler: Handler) -> None:
    reply(200, b"<Statute><Identif", Content_Length="5000")(handler)
    handler.close_connection = True


def slow(handler: Handler) -> None:
    reply(200, b"<Statute>", Content_Length="5000")(handler)
    handler.server.released.wait(600)
    handler.close_connection = True


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: JusticeLaws

    def do_GET(self) -> None:
        server = self.server
        with server.counting:
            server.under_way += 1
            server.most_at_once = max(server.most_at_once, server.under_way)
        try:
            self._answer(server)
        finally:
            with server.counting:
                server.under_way -= 1

    def _answer(self, server: JusticeLaws) -> None:
        faults = server.faults.get(self.path, [])
        body = server.bodies.get(self.path)
        validator = self.headers.get("If-None-Match", "")
        if faults:
            fault = faults[0] if server.lasting else faults.pop(0)
            server.asked.append((self.path, validator, 0))
            fault(self)
        elif body is None:
            server.asked.append((self.path, validator, 404))
            reply(404)(self)
        else:
            etag = f'"{sha256(body).hexdigest()[:12]}"'
            status = 304 if validator == etag else 200
            server.asked.append((self.path, validator, status))
            reply(status, b"" if status == 304 else body, ETag=etag)(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class JusticeLaws(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """An index and the sample's files; a fault of an address comes before its file, once or for ever."""

    daemon_threads = True
    block_on_close = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.bodies = {address(path): (SAMPLE / path).read_bytes() for path in PATHS}
        self.bodies[INDEX_PATH] = index_of(self.base, PATHS)
        self.faults: dict[str, list[Reply]] = {}
        self.lasting = False
        self.asked: list[tuple[str, str, int]] = []
        self.released = threading.Event()
        self.counting = threading.Lock()
        self.under_way = self.most_at_once = 0

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gives up on a slow body is what a test is about."""


@pytest.fixture
def source() -> Iterator[JusticeLaws]:
    server = JusticeLaws()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.released.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def snapshots(tmp_path: Path) -> Snapshots:
    return Snapshots(tmp_path / "snapshots")


def go_live(
    source: JusticeLaws, snapshots: Snapshots, clock: StillClock | None = None, patience: float = 120
) -> LiveMirror:
    hosts = AllowedHosts(frozenset({"127.0.0.1"}), loopback=True)
    manners = Manners(user_agent="Pykala-tests/1", interval=0, attempts=2, read_timeout=patience)
    with PoliteClient(hosts, manners, snapshots=snapshots, clock=clock or StillClock()) as client:
        return live_mirror(client, snapshots, index=f"{source.base}{INDEX_PATH}")


def test_the_pack_says_that_it_can_go_live() -> None:
    assert isinstance(pack, LivePack)


def test_online_is_the_same_as_the_archive(source: JusticeLaws, snapshots: Snapshots, tmp_path: Path) -> None:
    mirror = go_live(source, snapshots)
    assert list(mirror.paths()) == PATHS
    assert mirror.refusals == ()
    with (
        EmbeddedStore.open(tmp_path / "library", writable=True, create=True) as store,
        open_mirror(SAMPLE) as folder,
    ):
        first = ingest(store, pack, mirror)
        assert (first.read, first.refusals) == (3, [])
        again = ingest(store, pack, folder)
    # The same fingerprints: every byte and every path is the archive's.
    assert (again.read, again.unchanged, again.gone) == (0, 3, [])


def test_a_second_run_only_asks_whether_anything_changed(source: JusticeLaws, snapshots: Snapshots) -> None:
    go_live(source, snapshots)
    source.asked.clear()
    mirror = go_live(source, snapshots)
    assert sorted(path for path, _, _ in source.asked) == sorted([INDEX_PATH, *map(address, PATHS)])
    assert all(validator and status == 304 for _, validator, status in source.asked)
    assert [file.data for file in mirror.files()] == [(SAMPLE / path).read_bytes() for path in PATHS]


def test_only_what_changed_is_sent_again(source: JusticeLaws, snapshots: Snapshots) -> None:
    go_live(source, snapshots)
    changed = source.bodies[address(ACT)].replace(b"</Statute>", b"<!-- amended --></Statute>")
    source.bodies[address(ACT)] = changed
    source.asked.clear()
    mirror = go_live(source, snapshots)
    assert [path for path, _, status in source.asked if status == 200] == [address(ACT)]
    assert mirror.read(ACT).data == changed


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        pytest.param(reply(429), [1.0], id="429 without a time"),
        pytest.param(reply(429, Retry_After="17"), [17.0], id="429 with a time"),
        pytest.param(reply(503), [1.0], id="503"),
        pytest.param(hang_up, [1.0], id="silent disconnect"),
        pytest.param(cut_short, [1.0], id="truncated body"),
        pytest.param(slow, [1.0], id="slow body"),
    ],
)
def test_a_fault_that_passes_costs_time_only(
    source: JusticeLaws, snapshots: Snapshots, fault: Reply, waits: list[float]
) -> None:
    source.faults[address(ACT)] = [fault]
    clock = StillClock()
    mirror = go_live(source, snapshots, clock, patience=2 if fault is slow else 120)
    assert clock.slept == waits
    assert (list(mirror.paths()), mirror.refusals) == (PATHS, ())


LASTING = [
    pytest.param(reply(404), "no such file", id="404"),
    pytest.param(reply(429), "429", id="429 for ever"),
    pytest.param(hang_up, "connection", id="silent disconnect for ever"),
    pytest.param(cut_short, "before the answer was whole", id="truncated for ever"),
    pytest.param(slow, "no answer came in time", id="slow for ever"),
    pytest.param(reply(200, b"<Statute><Body>"), "damaged", id="whole by its length, half by its tags"),
    pytest.param(reply(200, b"<html><body>try later</body></html>"), "not an act", id="a page instead"),
    pytest.param(
        reply(200, "<?xml version='1.0' encoding='utf-8'?><Statute>é</Statute>".encode("latin-1")),
        "damaged",
        id="wrong encoding",
    ),
]


@pytest.mark.parametrize(("fault", "reason"), LASTING)
def test_a_fault_that_stays_refuses_the_work_and_not_the_rest(
    source: JusticeLaws, snapshots: Snapshots, fault: Reply, reason: str
) -> None:
    source.faults[address(ACT)], source.lasting = [fault], True
    mirror = go_live(source, snapshots, patience=2 if fault is slow else 120)
    pair = {ACT, "fra/lois/E-5.6.xml"}
    assert set(mirror.paths()) == set(PATHS) - pair
    assert mirror.withheld == pair
    reasons = {refusal.path: refusal.reason for refusal in mirror.refusals}
    assert set(reasons) == pair
    assert reason in reasons[ACT]
    assert "stays as it is" in reasons[ACT]


@pytest.mark.parametrize(("fault", "reason"), LASTING)
def test_what_was_seen_before_stands_in(
    source: JusticeLaws, snapshots: Snapshots, fault: Reply, reason: str
) -> None:
    go_live(source, snapshots)
    source.faults[address(ACT)], source.lasting = [fault], True
    mirror = go_live(source, snapshots, patience=2 if fault is slow else 120)
    assert list(mirror.paths()) == PATHS
    assert mirror.read(ACT).data == (SAMPLE / ACT).read_bytes()
    ((path, why),) = ((refusal.path, refusal.reason) for refusal in mirror.refusals)
    assert (path, reason in why, "2026-07-01 stands in for it" in why) == (ACT, True, True)
    source.faults.clear()
    source.asked.clear()
    assert go_live(source, snapshots).refusals == ()
    # The damaged body's own validators are forgotten; those of the good one still hold.
    assert [status for path, _, status in source.asked if path == address(ACT)] == [304]


def test_a_damaged_first_body_is_asked_for_anew(source: JusticeLaws, snapshots: Snapshots) -> None:
    source.faults[address(ACT)] = [reply(200, b"<Statute>", ETag='"half"')]
    assert go_live(source, snapshots).withheld
    source.asked.clear()
    assert list(go_live(source, snapshots).paths()) == PATHS
    assert (address(ACT), "", 200) in source.asked


def test_a_failed_file_leaves_what_is_stored(
    source: JusticeLaws, snapshots: Snapshots, tmp_path: Path
) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True, create=True) as store:
        ingest(store, pack, go_live(source, snapshots))
        before = store.fingerprints()
        source.faults[address(ACT)], source.lasting = [reply(404)], True
        report = ingest(store, pack, go_live(source, Snapshots(tmp_path / "others")))
        assert store.fingerprints() == before
    assert (report.read, report.unchanged, report.removed) == (0, 2, 0)
    assert {refusal.path for refusal in report.refusals} == {ACT, "fra/lois/E-5.6.xml"}


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (reply(503), MirrorUnavailable),
        (reply(404), MirrorUnavailable),
        (hang_up, MirrorUnavailable),
        (reply(200, b"<html>down for maintenance</html>"), MirrorDamaged),
        (reply(200, b"<ActsRegsList><Acts><Act>"), MirrorDamaged),
        (reply(200, b"<ActsRegsList><Acts/><Regulations/></ActsRegsList>"), MirrorDamaged),
    ],
)
def test_no_index_is_an_outage_and_not_an_empty_law(
    source: JusticeLaws, snapshots: Snapshots, fault: Reply, error: type[Exception]
) -> None:
    source.faults[INDEX_PATH], source.lasting = [fault], True
    with pytest.raises(error, match=r"later|nothing was changed"):
        go_live(source, snapshots)
    assert {path for path, _, _ in source.asked} == {INDEX_PATH}


def test_few_are_asked_for_at_once(source: JusticeLaws, snapshots: Snapshots) -> None:
    go_live(source, snapshots)
    assert 1 <= source.most_at_once <= 4


def test_workers_can_read_it(source: JusticeLaws, snapshots: Snapshots) -> None:
    mirror = pickle.loads(pickle.dumps(go_live(source, snapshots)))
    assert mirror.read(ACT).data == (SAMPLE / ACT).read_bytes()


def test_the_index_writes_http_and_is_asked_by_https() -> None:
    data = index_of("http://laws-lois.justice.gc.ca", PATHS)
    found = {file.path: file.url for file in listed_files(data, INDEX)}
    assert sorted(found) == PATHS
    assert found[ACT] == "https://laws-lois.justice.gc.ca/eng/XML/E-5.6.xml"


def test_entries_without_a_usable_link_are_left_out() -> None:
    data = (
        b"<ActsRegsList><Acts><Act><Language>eng</Language></Act><Act><Language>deu</Language><LinkToXML>x.xml"
        b"</LinkToXML></Act><Act><Language>eng</Language><LinkToXML>C-46.xml</LinkToXML></Act></Acts>"
        b"<Regulations><Regulation><Language>fra</Language><LinkToXML>../../fra/XML/C.R.C.,_ch._945.xml</LinkToXML>"
        b"</Regulation></Regulations></ActsRegsList>"
    )
    assert [(file.path, file.url.partition(".ca")[2], file.work) for file in listed_files(data, INDEX)] == [
        ("eng/acts/C-46.xml", "/eng/XML/C-46.xml", "ca:act:C-46"),
        ("fra/reglements/C.R.C.,_ch._945.xml", "/fra/XML/C.R.C.,_ch._945.xml", "ca:reg:C.R.C.,_c._945"),
    ]
