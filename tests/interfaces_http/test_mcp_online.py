"""Going out to the publishers over MCP and HTTP: where the operator allows it, for those who may fetch."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from http_serving import Served, serving, settings_in
from making import simple
from mcp_clients import over_http, over_stdio
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore
from test_online import QUESTION, WORDS, LocalFinland, Publishers

ALCOHOL = "fi:act:2017/1102"


@pytest.fixture
def publishers() -> Iterator[Publishers]:
    with Publishers() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("fi:act:1999/1", "Hevosista on maksettava veroa.", language="fi"))
    return tmp_path / "library"


def allowing(tmp_path: Path, **more: Any) -> ServerOptions:
    return ServerOptions(online=tmp_path / "fetched", requests_per_minute=0, **more)


def at(base: str, folder: Path) -> Any:
    """Opens libraries whose Finnish publisher is on this machine."""
    plain = LibraryOpener(settings_in(folder))

    def opened(place: Path, *, writable: bool = False) -> Library:
        return plain(place, writable=writable).with_parts(packs={"fi": LocalFinland(base)})

    return opened


@pytest.fixture
def online(tmp_path: Path, library: Path, publishers: Publishers) -> Iterator[Served]:
    opener = at(publishers.base, tmp_path)
    with serving(tmp_path, allowing(tmp_path), library=library, open_library=opener) as server:
        yield server


def test_a_question_that_the_library_cannot_answer_goes_to_the_publisher(online: Served) -> None:
    async def run() -> tuple[Any, Any]:
        async with over_http(online.address) as client:
            asked = {"question": QUESTION, "as_of": "2026-01-01"}
            here = await client.call_tool("ask_law", asked)
            there = await client.call_tool("ask_law", {**asked, "online": True})
            return here.structured_content, there.structured_content

    here, there = anyio.run(run)
    assert here["fetched"] == []
    assert there["fetched"] == [ALCOHOL]
    assert WORDS in there["citations"][0]["quote"]


@pytest.mark.parametrize("path", ["/api/v1/ask", "/v1/chat/completions", "/v1/responses"])
def test_over_http_it_goes_to_the_publisher_where_it_is_told_to(online: Served, path: str) -> None:
    said = {"messages": [{"role": "user", "content": QUESTION}]}
    asked = {"/api/v1/ask": {"question": QUESTION}, "/v1/responses": {"input": QUESTION}}.get(path, said)
    with online.client() as client:
        assert client.get("/api/v1/ready").json()["online"] is True
        assert sorted(client.get("/api/v1/rights").json()["publishers"]) == ["ca", "eu", "fi"]
        here = client.post(path, json={**asked, "as_of": "2026-01-01"}).raise_for_status().text
        there = client.post(path, json={**asked, "as_of": "2026-01-01", "online": True})
    assert WORDS not in here
    assert WORDS in there.raise_for_status().text
    if path == "/api/v1/ask":
        assert there.json()["fetched"] == [ALCOHOL]
        cited = there.json()["primary"]["provision"]
        with online.client() as client:  # what came for an answer can be read
            read = client.get("/api/v1/provision", params={"id": cited, "as_of": "2026-01-01"})
        assert WORDS in read.raise_for_status().text


def test_acts_are_fetched_into_the_library(online: Served) -> None:
    async def run() -> dict[str, Any]:
        async with over_http(online.address) as client:
            (tool,) = (one for one in (await client.list_tools()).tools if one.name == "fetch")
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is False
            assert tool.annotations.open_world_hint is True
            fetched = await client.call_tool("fetch", {"jurisdiction": "fi", "words": "alkoholilaki"})
            assert not fetched.is_error, fetched.content
            shown = await client.call_tool("read_provision", {"provision": f"{ALCOHOL}/sec_1"})
            assert not shown.is_error, shown.content
            assert WORDS in shown.structured_content["text"]
            return fetched.structured_content

    told = anyio.run(run)
    assert ([one["number"] for one in told["found"]], told["fetched"]) == (["2017/1102"], ["2017/1102"])
    assert told["added"] == 1
    assert told["partial"] is False


def held_back(publishers: Publishers) -> None:
    """Let the publisher answer only once it is released."""

    def wait(handler: Any) -> None:
        publishers.released.wait(300)
        publishers.faults.clear()
        handler.server.asked.pop()
        handler.do_GET()

    publishers.faults["/list"] = wait


def test_a_fetch_that_takes_long_is_a_job_to_ask_for(online: Served, publishers: Publishers) -> None:
    held_back(publishers)

    async def run() -> None:
        async with over_http(online.address) as client:
            asked = {"jurisdiction": "fi", "words": "alkoholilaki", "wait": 0}
            begun = (await client.call_tool("fetch", asked)).structured_content
            assert (begun["partial"], begun["fetched"]) == (True, [])
            assert f"job({begun['job']!r})" in begun["note"]
            job = {"job": begun["job"], "wait": 0}
            going = (await client.call_tool("job", job)).structured_content
            assert (going["name"], going["ended"], going["fetched"]) == ("fetch fi", "", None)
            publishers.released.set()
            done = (await client.call_tool("job", {**job, "wait": 60})).structured_content
            assert done["ended"] == "finished", done["reason"]
            assert done["fetched"]["fetched"] == ["2017/1102"]
            shown = await client.call_tool("read_provision", {"provision": f"{ALCOHOL}/sec_1"})
            assert WORDS in shown.structured_content["text"]
            unknown = await client.call_tool("job", {"job": "0123456789abcdef"})
            assert unknown.is_error

    anyio.run(run)


def test_over_http_a_fetch_is_a_job_for_those_who_prefer_so(online: Served, publishers: Publishers) -> None:
    held_back(publishers)
    asked = {"jurisdiction": "fi", "words": "alkoholilaki"}
    with online.client() as client:
        begun = client.post("/api/v1/library/acts", json=asked, headers={"Prefer": "respond-async"})
        assert (begun.status_code, begun.headers["Preference-Applied"]) == (202, "respond-async")
        place = begun.headers["Location"]
        assert client.get(place).raise_for_status().json()["ended"] == ""
        publishers.released.set()
        done = (
            client.get("/api/v1/job", params={"id": begun.json()["id"], "wait": 30}).raise_for_status().json()
        )
        assert (done["ended"], done["fetched"]["fetched"]) == ("finished", ["2017/1102"])
        assert done["fetched"]["found"][0]["number"] == "2017/1102"
        assert [one["id"] for one in client.get("/api/v1/jobs").json()["jobs"]] == [begun.json()["id"]]
        gone = client.get("/api/v1/job", params={"id": "0123456789abcdef"})
        assert (gone.status_code, gone.json()["code"]) == (404, "not-found")


def test_a_job_that_fails_says_why(tmp_path: Path, library: Path) -> None:
    opener = at("http://127.0.0.1:9", tmp_path)  # nobody listens there
    asked = {"jurisdiction": "fi", "words": "alkoholilaki"}
    with (
        serving(tmp_path, allowing(tmp_path), library=library, open_library=opener) as server,
        server.client() as client,
    ):
        begun = client.post("/api/v1/library/acts", json=asked, headers={"Prefer": "respond-async"})
        told = client.get("/api/v1/job", params={"id": begun.json()["id"], "wait": 30}).json()
    assert (told["ended"], told["fetched"]) == ("failed", None)
    assert "127.0.0.1:9" in told["reason"]


async def refused_fetch(address: str) -> str:
    async with over_http(address) as client:
        asked = {"jurisdiction": "fi", "words": "alkoholilaki", "wait": 60}
        refused = await client.call_tool("fetch", asked)
    assert refused.is_error
    return refused.content[0].text  # type: ignore[union-attr]


def test_a_publisher_that_is_away_is_told(tmp_path: Path, library: Path) -> None:
    opener = at("http://127.0.0.1:9", tmp_path)  # nobody listens there
    with serving(tmp_path, allowing(tmp_path), library=library, open_library=opener) as server:
        assert "127.0.0.1:9" in anyio.run(refused_fetch, server.address)


def test_a_key_needs_the_right_to_fetch_or_to_ingest(
    tmp_path: Path, library: Path, publishers: Publishers
) -> None:
    options = allowing(tmp_path, keys=("reader", "fetcher"), ingest_keys=("fetcher",))
    opener = at(publishers.base, tmp_path)

    async def called(address: str, key: str, tool: str, given: dict[str, object]) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=300) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            return await client.call_tool(tool, given)

    acts = {"jurisdiction": "fi", "words": "alkoholilaki"}
    with serving(tmp_path, options, library=library, open_library=opener) as server:
        online = {"question": QUESTION, "online": True}
        for tool, given, list_of_keys in (("fetch", acts, "INGEST"), ("ask_law", online, "FETCH")):
            refused = anyio.run(called, server.address, "reader", tool, given)
            assert refused.is_error
            assert f"PYKALA_{list_of_keys}_KEYS" in refused.content[0].text
            with server.client(headers={"Authorization": "Bearer reader"}) as client:
                over_http = client.post("/api/v1/ask", json={"question": QUESTION, "online": True})
            assert (over_http.status_code, over_http.json()["code"]) == (403, "not-allowed")
        assert not anyio.run(called, server.address, "fetcher", "fetch", acts).is_error


def test_without_the_operator_nobody_goes_out(served: Served, http_folder: Path) -> None:
    async def over(client: Client) -> None:
        assert "fetch" not in {one.name for one in (await client.list_tools()).tools}
        refused = await client.call_tool("ask_law", {"question": QUESTION, "online": True})
        assert refused.is_error
        assert "--online" in refused.content[0].text  # type: ignore[union-attr]

    async def run() -> None:
        async with over_http(served.address) as client:
            await over(client)

    anyio.run(run)
    with served.client() as client:
        assert client.get("/api/v1/ready").json()["online"] is False
        refused = client.post("/api/v1/ask", json={"question": QUESTION, "online": True})
    assert (refused.status_code, "--online" in refused.json()["detail"]) == (403, True)


def test_the_operator_allows_it_on_the_command_line(http_folder: Path, served: Served) -> None:
    async def run() -> None:
        async with over_stdio(http_folder, "--online") as client:
            assert "fetch" in {one.name for one in (await client.list_tools()).tools}

    anyio.run(run)


def test_a_library_that_cannot_be_written_to_is_not(
    tmp_path: Path, library: Path, publishers: Publishers
) -> None:
    opener, place = at(publishers.base, tmp_path), LibraryLocation(library, None)
    with serving(tmp_path, allowing(tmp_path), open_library=opener, place=place) as server:
        assert "ask with online" in anyio.run(refused_fetch, server.address)
