"""From words to the library: search, fetch and ingest, against CELLAR on this machine."""

from __future__ import annotations

import http.server
import json
import socketserver
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from loopback import reply
from plain_pack import PlainPack
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Manners, PoliteClient
from pykala.fetch.mirror import MirrorUnavailable
from pykala.fetch.snapshots import Snapshots
from pykala.law.references import Unresolved
from pykala.online.acts import fetch_acts, find_acts
from pykala.packs.eu import live, pack, sparql
from pykala.packs.eu.cellar import CellarClient
from pykala.packs.pack import ActFound, SearchablePack
from pykala.stores.embedded.store import EmbeddedStore

ACT, STATE = "32019R2144", "02019R2144-20240707"
WORK = "eu:32019R2144"
MANNERS = Manners(user_agent="pykala-test", interval=0.0, attempts=1)


def page(language: str, wording: str) -> bytes:
    title = {"en": "REGULATION (EU) 2019/2144", "fr": "RÈGLEMENT (UE) 2019/2144"}[language]
    article = f'<p class="oj-ti-art">Article 1</p><p class="oj-normal">{wording} Directive 2007/46/EC.</p>'
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f'<head><title>x</title></head><body><p class="oj-doc-ti">{title}</p>'
        f'<div class="eli-subdivision" id="art_1">{article}</div></body></html>'
    ).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Cellar

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/sparql":
            reply(*self.server.table(parse_qs(parts.query)["query"][0]))(self)
            return
        language = self.headers.get("Accept-Language", "")
        wording = {"en": "Vehicles are approved under", "fr": "Les véhicules sont réceptionnés selon"}[
            language
        ]
        reply(200, page(language, wording + (" the new" if parts.path.endswith(STATE) else "")))(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Cellar(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.acts = [ACT]
        self.down = False

    def table(self, query: str) -> tuple[int, bytes]:
        if self.down:
            return 503, b""
        rows: list[dict[str, str]] = [
            {"celex": celex, "title": "Type-approval", "date": "2019-11-27"} for celex in self.acts
        ]
        if "STRSTARTS(STR(?number)" in query:
            rows = [{"celex": STATE}]
        elif "?force" in query:
            language = "http://publications.europa.eu/resource/authority/language/ENG"
            rows = [row | {"kind": "REG", "force": "true", "language": language} for row in rows]
        cells = [{name: {"value": value} for name, value in row.items()} for row in rows]
        return 200, json.dumps({"results": {"bindings": cells}}).encode()


class SearchableUnion:
    """The pack with its search pointed at this machine."""

    def __init__(self, base: str) -> None:
        self.base = base

    def __getattr__(self, name: str) -> Any:
        return getattr(pack, name)

    def open_client(self, manners: Manners) -> CellarClient:
        return live.open_client(manners, hosts=AllowedHosts(frozenset({"127.0.0.1"}), loopback=True))

    def find_acts(
        self, client: PoliteClient, words: str, *, year: int | None, limit: int
    ) -> Sequence[sparql.FoundAct]:
        return sparql.find_acts(client, words, year=year, limit=limit, endpoint=f"{self.base}/sparql")

    def fetch_acts(
        self,
        client: CellarClient,
        numbers: Sequence[str],
        folder: Path,
        snapshots: Snapshots,
        *,
        progress: Callable[[int, int], None],
    ) -> live.FetchedActs:
        endpoint, content = f"{self.base}/sparql", f"{self.base}/celex/"
        return live.fetch_acts(
            client, numbers, folder, snapshots, progress=progress, endpoint=endpoint, content=content
        )


@pytest.fixture
def server() -> Iterator[Cellar]:
    with Cellar() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True, create=True) as opened:
        yield opened


def test_words_become_acts_of_the_library(server: Cellar, store: EmbeddedStore, tmp_path: Path) -> None:
    union: Any = SearchableUnion(server.base)
    assert isinstance(union, SearchablePack)
    listed: list[str] = []
    steps: list[tuple[int, int]] = []

    def on_found(found: Sequence[ActFound]) -> None:
        listed.extend(act.number for act in found)

    report = fetch_acts(
        store,
        union,
        "type approval",
        tmp_path / "fetched",
        year=2019,
        manners=MANNERS,
        on_found=on_found,
        progress=lambda done, total: steps.append((done, total)),
    )
    assert listed == [ACT]
    assert (report.fetched, report.pages, report.refusals) == ((ACT,), 4, ())
    assert steps == [(1, 8), (2, 8), (3, 8), (4, 8), (4, 8), (8, 8)], "reading goes on where fetching ended"
    assert report.ingested is not None
    assert (report.ingested.read, report.ingested.refusals) == (1, [])
    assert [str(work) for work in store.resolve("32019r2144")] == [WORK]
    # What an article cites is known by number, though the act itself was not fetched.
    assert set(report.ingested.unresolved) == {str(Unresolved.NOT_LOADED)}
    again = fetch_acts(store, union, "type approval", tmp_path / "fetched", year=2019, manners=MANNERS)
    assert again.ingested is not None
    assert (again.ingested.read, again.ingested.unchanged) == (0, 1)


def test_nothing_found_fetches_nothing(server: Cellar, store: EmbeddedStore, tmp_path: Path) -> None:
    server.acts = []
    union: Any = SearchableUnion(server.base)
    report = fetch_acts(store, union, "unicorns", tmp_path / "fetched", manners=MANNERS)
    assert (report.found, report.fetched, report.ingested) == ((), (), None)
    assert find_acts(union, "unicorns", manners=MANNERS) == ()


def test_an_outage_is_an_error_and_the_library_stays(
    server: Cellar, store: EmbeddedStore, tmp_path: Path
) -> None:
    server.down = True
    union: Any = SearchableUnion(server.base)
    with pytest.raises(MirrorUnavailable, match="try again later"):
        fetch_acts(store, union, "type approval", tmp_path / "fetched", manners=MANNERS)
    assert store.stats().works == {}


def test_a_pack_without_search_says_what_to_do_instead(store: EmbeddedStore, tmp_path: Path) -> None:
    plain: Any = PlainPack()
    with pytest.raises(MirrorUnavailable, match="--from"):
        fetch_acts(store, plain, "words", tmp_path)
