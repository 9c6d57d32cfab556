"""The tools as the SDK's own client uses them, over both transports."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from http_serving import CAPITAL_INCOME, Served, serving, settings_in
from mcp_clients import over_http, over_stdio
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.mcp.server import mcp_server
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.law.answers import Answer
from pykala.library import Library

TOOLS = {
    "search_law",
    "read_provision",
    "history",
    "related",
    "ask_law",
    "retrieve_legislation_context",
    "diff",
    "cite",
    "changes",
    "works",
    "tree",
}
TVL_124_2 = "fi:act:1992/1535/sec_124/subsec_2"
CONTRACT = {
    "provision",
    "citation",
    "url",
    "valid_from",
    "valid_to",
    "current_to",
    "notice",
    "text",
    "language",
    "authority",
}


def test_the_log_of_the_process_stays_as_it_is(tmp_path: Path) -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers[:] = []
    try:
        pool = LibraryPool(LibraryOpener(settings_in(tmp_path)), tmp_path / "library", threads=1)
        mcp_server(pool)
        pool.close()
        assert (root.handlers, root.level) == ([], level)
    finally:
        root.handlers[:] = before


async def tools_are_read_only_and_say_what_they_give(client: Client) -> None:
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert tool.output_schema is not None
        assert tool.description
    assert "as_of" in (client.instructions or "")


async def every_tool_answers_under_the_citation_contract(client: Client) -> None:
    async def call(name: str, **arguments: object) -> dict[str, Any]:
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    found = await call("search_law", query="capital income", jurisdiction="fi", as_of="2026-01-01")
    assert found["results"]
    assert all(one.keys() >= CONTRACT for one in found["results"])
    now = await call("read_provision", provision=TVL_124_2, as_of="2026-01-01", language="en")
    then = await call("read_provision", provision="TVL 124 § 2 mom", as_of="2010-01-01")
    assert "34 per cent" in now["text"]
    assert "28" in then["text"]
    assert now["valid_from"] == "2016-01-01"
    assert now["url"].startswith("https://www.finlex.fi/")
    history = await call("history", provision=TVL_124_2)
    assert len(history["versions"]) > 3
    related = await call("related", provision="fi:act:1992/1535/sec_124", as_of="2026-01-01")
    assert all(one["words"] and one["relation"] for one in related["neighbours"])
    answer = await call("ask_law", question=CAPITAL_INCOME, as_of="2026-01-01")
    assert answer["outcome"] == "ANSWERED"
    assert answer["partial"] is False
    (citation,) = answer["citations"]
    assert citation["provision"] == TVL_124_2
    assert citation["quote"] in now["text"]
    assert f"[{citation['key']}]" in answer["text"]
    context = await call("retrieve_legislation_context", question=CAPITAL_INCOME, budget=2000)
    assert "[L1]" in context["block"]
    assert context["evidence"][0]["key"] == "L1"


async def provisions_are_resources(client: Client) -> None:
    templates = (await client.list_resource_templates()).resource_templates
    assert [one.name for one in templates] == ["provision", "contents"]
    for query, word in (("?as_of=2010-01-01", "28"), ("?as_of=2026-01-01&language=en", "34 per cent")):
        read = await client.read_resource(f"pykala://provision/{TVL_124_2}{query}")
        assert word in read.contents[0].text  # type: ignore[union-attr]
    for wrong in ("fi:act:1/2/sec_3", f"{TVL_124_2}?as_of=yesterday"):
        with pytest.raises(MCPError):
            await client.read_resource(f"pykala://provision/{wrong}")


USES = [
    tools_are_read_only_and_say_what_they_give,
    every_tool_answers_under_the_citation_contract,
    provisions_are_resources,
]


@pytest.mark.parametrize("use", USES)
def test_over_streamable_http(served: Served, use: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with over_http(served.address) as client:
            await use(client)

    anyio.run(run)


def test_over_stdio(served: Served, http_folder: Path) -> None:
    async def run() -> None:
        async with over_stdio(http_folder) as client:
            for use in USES:
                await use(client)

    anyio.run(run)


@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("read_provision", {"provision": "nonsense"}, "fi:act:1992/1535/sec_124"),
        ("read_provision", {"provision": "TVL 124 §", "as_of": "1900-01-01"}, "1993"),
        ("search_law", {"query": "tax", "jurisdiction": "de"}, "nyc"),
        ("search_law", {"query": ""}, "query"),
        ("ask_law", {"question": "tax", "language": "tlh"}, "sv"),
        ("related", {"provision": TVL_124_2, "hops": 7}, "hops"),
    ],
)
def test_mistakes_say_what_would_be_right(
    served: Served, tool: str, arguments: dict[str, object], word: str
) -> None:
    async def run() -> None:
        async with over_http(served.address) as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert word in result.content[0].text

    anyio.run(run)


def test_what_is_not_done_in_time_is_marked(http_folder: Path, served: Served) -> None:
    """A library that stops after its extractive answer, as one does whose model never ends its draft."""
    ending = threading.Event()

    class Drafting(Library):
        def ask(self, *given: object, **named: object) -> Answer:
            answer = super().ask(*given, **named)  # type: ignore[arg-type]
            ending.wait(300)
            return answer

    plain = LibraryOpener(settings_in(http_folder))
    with plain(served.location.folder) as warm:  # what is loaded once does not count against the time
        warm.ask(CAPITAL_INCOME)

    def slow(folder: Path, *, writable: bool = False) -> Library:
        library = plain(folder, writable=writable)
        return Drafting(library.store, folder=folder, embedder=library.embedder)

    pool = LibraryPool(slow, served.location.folder, threads=2)

    async def run() -> None:
        async with Client(mcp_server(pool, today=lambda: date(2026, 1, 1), seconds=3.0)) as client:
            late = await client.call_tool("ask_law", {"question": CAPITAL_INCOME})
            nothing = await client.call_tool("retrieve_legislation_context", {"question": CAPITAL_INCOME})
        ending.set()
        assert late.structured_content is not None
        assert late.structured_content["partial"] is True
        assert late.structured_content["outcome"] in ("ANSWERED", "LIKELY")
        assert "own words" in late.structured_content["note"]
        assert late.structured_content["citations"]
        assert nothing.structured_content is not None
        assert nothing.structured_content["partial"] is True
        assert nothing.structured_content["outcome"] == "UNAVAILABLE", "an outage is never 'no law'"

    try:
        anyio.run(run)
    finally:
        ending.set()
        pool.close()


def test_keys_guard_mcp_too(http_folder: Path) -> None:
    options = ServerOptions(keys=("k",), requests_per_minute=0)
    with serving(http_folder, options) as server, server.client() as client:
        assert client.post("/mcp", json={}).status_code == 401
        assert client.post("/mcp", json={}, headers={"Authorization": "Bearer k"}).status_code != 401
