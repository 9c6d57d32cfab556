"""The terminal, HTTP, MCP and Python tell the same record of the same thing."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, settings_in
from mcp_clients import over_http
from pykala.interfaces.cli.main import run
from pykala.library import Library

TVL, TVL_124 = "fi:act:1992/1535", "fi:act:1992/1535/sec_124"
DAY = "2026-01-01"


@pytest.fixture(autouse=True)
def _settings(http_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_in(http_folder)
    monkeypatch.setenv("PYKALA_CACHE", str(settings.cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(settings.library))


def terminal(*arguments: str) -> Any:
    out = StringIO()
    with redirect_stdout(out):
        assert run((*arguments, "--json")) == 0
    return json.loads(out.getvalue())


def over_mcp(served: Served, tool: str, **arguments: object) -> Any:
    async def call() -> Any:
        async with over_http(served.address) as client:
            return (await client.call_tool(tool, arguments)).structured_content

    return anyio.run(call)


def holds(whole: Any, part: Any) -> None:
    """Everything that a slimmer result tells stands in the whole one under the same name."""
    for name, value in part.items():
        if value is not None or name in whole:
            assert whole[name] == value, name


def test_a_search(served: Served, client: httpx.Client) -> None:
    asked = {"q": "capital income", "jurisdiction": "fi", "as_of": DAY, "limit": 3}
    found = client.get("/api/v1/search", params=asked).json()
    assert len(found["results"]) == 3
    shown = ("search", "capital", "income", "--jurisdiction", "fi", "--as-of", DAY, "--limit", "3")
    assert terminal(*shown) == found["results"]
    told = over_mcp(served, "search_law", query="capital income", jurisdiction="fi", as_of=DAY, limit=3)
    for one, other in zip(found["results"], told["results"], strict=True):
        holds(one, other)
    with Library.open(served.location.folder) as library:
        python = library.search("capital income", as_of=DAY, jurisdictions=["fi"], limit=3)
    assert [json.loads(one.to_json()) for one in python] == found["results"]


def test_a_provision_and_its_time(served: Served, client: httpx.Client) -> None:
    page = client.get("/api/v1/provision", params={"id": TVL_124, "as_of": DAY}).json()
    holds(page, terminal("show", TVL_124, "--as-of", DAY))
    told = over_mcp(served, "read_provision", provision=TVL_124, as_of=DAY)
    holds(page, {name: value for name, value in told.items() if name != "below"})
    history = client.get("/api/v1/history", params={"id": TVL_124}).json()
    assert terminal("history", TVL_124) == history
    assert over_mcp(served, "history", provision=TVL_124)["versions"] == history["versions"]
    days = {"first": "2010-01-01", "second": DAY}
    difference = client.get("/api/v1/diff", params={"id": TVL, **days}).json()
    assert terminal("diff", TVL, *days.values()) == difference
    assert over_mcp(served, "diff", provision=TVL, **days)["differences"] == difference["differences"]


def test_changes_works_and_neighbours(served: Served, client: httpx.Client) -> None:
    changes = client.get("/api/v1/changes", params={"since": "2015-01-01", "limit": 1000}).json()
    assert terminal("changes", "--since", "2015-01-01") == changes
    told = over_mcp(served, "changes", since="2015-01-01", limit=200)
    assert [one["work"] for one in told["works"]] == [one["work"] for one in changes["works"]]
    related = client.get("/api/v1/related", params={"id": TVL_124, "as_of": DAY}).json()
    assert terminal("related", TVL_124, "--as-of", DAY) == related
    works = client.get("/api/v1/library/works", params={"q": "tuloverolaki"}).json()["works"]
    listed = terminal("works", "tuloverolaki", "--language", "fi")["works"]
    assert listed == over_mcp(served, "works", words="tuloverolaki", language="fi")["works"]
    assert [one["work"] for one in listed] == [one["work"] for one in works]


def test_an_answer(served: Served, client: httpx.Client) -> None:
    def plain(record: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in record.items() if name not in ("id", "trace", "library")}

    asked = {"question": CAPITAL_INCOME, "as_of": DAY}
    page = client.post("/api/v1/ask", json=asked).json()
    kept = terminal("ask", CAPITAL_INCOME, "--as-of", DAY)
    assert kept["library"], "for replay"
    holds(page, plain(kept))
    with Library.open(served.location.folder) as library:
        holds(plain(kept), plain(json.loads(library.ask(CAPITAL_INCOME, as_of=DAY).to_json())))
    told = over_mcp(served, "ask_law", **asked)
    same = ("outcome", "outcome_text", "confidence", "as_of", "current_to", "language", "general", "fetched")
    holds(page, {name: told[name] for name in same})
    for one, other in zip(page["support"], told["support"], strict=True):
        holds(one, other)
    for one, other in zip(page["caveats"], told["caveats"], strict=True):
        assert one == other
