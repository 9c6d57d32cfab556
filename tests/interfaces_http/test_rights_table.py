"""The table of rights names every route, tool and verb; each right opens what it names and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import anyio
import httpx
import pytest
from mcp import Client

from http_serving import serving
from making import simple
from pykala.caches.jobs import JobBoard
from pykala.interfaces.cli.verbs import VERBS
from pykala.interfaces.http.app import application
from pykala.interfaces.http.guards import OPEN_PATHS
from pykala.interfaces.http.key_rings import rights_of
from pykala.interfaces.http.matter_answers import routes as answers_of_matters
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.tokens import TokenHolder
from pykala.interfaces.mcp.online_tools import Publishers
from pykala.interfaces.mcp.server import mcp_server
from pykala.interfaces.serving.library_pool import LibraryPool, Opener
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.rights import OF_THE_OPERATOR, OPENED, Right
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore

DOCUMENTATION: Final = Path(__file__).parents[2] / "docs/http.md"
ACT: Final = "fi:act:1999/1"
#: Where a route is asked with something that it understands; elsewhere an empty question is enough.
ASKED: Final[dict[str, dict[str, Any]]] = {
    "POST /api/v1/uploads": {"files": {"file": ("note.md", b"# Note\n\nThe fee is nine euros.\n")}},
    "DELETE /api/v1/uploads": {"params": {"work": "up:0123456789abcdef"}},
    "DELETE /api/v1/library/works": {"params": {"work": "fi:act:1999/77"}},
    "GET /api/v1/library/acts": {"params": {"jurisdiction": "nowhere", "words": "horse"}},
}


def key_of(right: Right) -> str:
    return f"key-to-{right.value.replace(' ', '-')}"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server with a key for each right alone, and one that also reads for each."""
    made = tmp_path_factory.mktemp("rights-table")
    with EmbeddedStore.open(made / "library", writable=True) as store:
        store.put(simple(ACT, "Hevosista on maksettava veroa.", language="fi"))
    with_reading = {right: (key_of(right), f"reading-{key_of(right)}") for right in Right}
    options = ServerOptions(
        keys=(key_of(Right.READ), *(f"reading-{key_of(right)}" for right in Right)),
        upload_keys=with_reading[Right.UPLOAD],
        delete_keys=with_reading[Right.DELETE],
        fetch_keys=with_reading[Right.FETCH],
        ingest_keys=with_reading[Right.INGEST],
        administer_keys=with_reading[Right.ADMINISTER],
        metrics_keys=with_reading[Right.METRICS],
        metrics=True,
        online=made / "fetched",
        requests_per_minute=0,
    )
    library = made / "library"

    def opened(folder: Path, *, writable: bool = False) -> Library:
        return Library.open(folder, writable=writable, embedder=None)

    place = LibraryLocation(library, library)
    with (
        serving(made, options, place=place, open_library=opened) as served,
        served.client() as client,
    ):
        yield client


def refused(client: httpx.Client, route: str, key: str) -> bool:
    """Whether a key is refused a route for want of a right."""
    method, path = route.split()
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    given = ASKED.get(route, {"json": {}} if method == "POST" else {})
    told = client.request(method, path.replace("{model}", "pykala"), headers=headers, **given)
    assert told.status_code not in {401, 500}, told.text
    if told.status_code == 403:
        assert told.json()["code"] == "not-allowed"
    return told.status_code == 403


def test_every_route_is_in_the_table_and_every_line_of_it_is_a_route() -> None:
    app = application(
        LibraryLocation(Path("no-library"), None), cast(Opener, None), ServerOptions(metrics=True)
    )
    app.include_router(answers_of_matters(cast(Any, None)), prefix="/api/v1")
    served = {
        f"{method.upper()} {path}"
        for path, operations in app.openapi()["paths"].items()
        for method in operations
        if path not in OPEN_PATHS
    }
    listed = [route for opened in OPENED.values() for route in opened.routes]
    assert len(listed) == len(set(listed))
    assert set(listed) == served | {"POST /mcp"}


def test_every_tool_is_in_the_table() -> None:
    async def tools() -> set[str]:
        pool = LibraryPool(cast(Opener, None), Path("no-library"), threads=1)
        try:
            async with Client(
                mcp_server(pool, publishers=Publishers(Path("fetched"), None, JobBoard()))
            ) as client:
                return {tool.name for tool in (await client.list_tools()).tools}
        finally:
            pool.close()

    listed = [tool for opened in OPENED.values() for tool in opened.tools]
    assert len(listed) == len(set(listed))
    assert set(listed) == anyio.run(tools)


def test_every_verb_is_in_the_table_or_is_the_operators() -> None:
    listed = [verb for opened in OPENED.values() for verb in opened.verbs]
    assert len(listed) == len(set(listed))
    assert set(listed).isdisjoint(OF_THE_OPERATOR)
    assert set(listed) | OF_THE_OPERATOR == set(VERBS)


@pytest.mark.parametrize("right", list(Right))
def test_a_right_opens_its_routes_and_no_others(guarded: httpx.Client, right: Right) -> None:
    for needed, opened in OPENED.items():
        for route in opened.routes:
            if route == "GET /api/v1/matter/answers":  # only of a library in a database; its tests are there
                continue
            assert refused(guarded, route, key_of(right)) is (needed is not right), (route, right)


@pytest.mark.parametrize("right", [right for right in Right if right is not Right.READ])
def test_a_tool_and_a_field_of_a_question_need_their_right(guarded: httpx.Client, right: Right) -> None:
    headers = {
        "Authorization": f"Bearer reading-{key_of(right)}",
        "Accept": "application/json, text/event-stream",
    }

    def called(tool: str, arguments: dict[str, object]) -> str:
        sent = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        return guarded.post("/mcp", json=sent, headers=headers).raise_for_status().text

    acts = {"jurisdiction": "up", "words": "horse"}  # nobody publishes these: nothing goes out
    assert ("PYKALA_INGEST_KEYS" in called("fetch", acts)) is (right is not Right.INGEST)
    question: dict[str, object] = {"question": "Hevosista?"}
    assert "Hevosista on maksettava" in called("ask_law", question)
    for field in OPENED[Right.FETCH].options:
        if (
            field == "second_opinion" or right is not Right.FETCH
        ):  # with `online`, a key that may would go out
            told = called("ask_law", question | {field: True})
            assert ("PYKALA_FETCH_KEYS" in told) is (right is not Right.FETCH), (field, told)
            asked = guarded.post("/api/v1/ask", json=question | {field: True}, headers=headers)
            assert (asked.status_code == 403) is (right is not Right.FETCH), (field, asked.text)


def test_a_key_is_told_what_it_is_good_for(guarded: httpx.Client) -> None:
    for right in Right:
        headers = {"Authorization": f"Bearer reading-{key_of(right)}"}
        told = guarded.get("/api/v1/rights", headers=headers).json()
        assert told["rights"] == sorted({"read", right.value})
        assert bool(told["publishers"]) is (right is Right.INGEST)


def test_a_scope_of_a_token_is_a_right() -> None:
    holder = TokenHolder("user:jane", frozenset({"ingest", "administer", "read metrics", "everything"}))
    assert rights_of(holder) == {Right.INGEST, Right.ADMINISTER, Right.METRICS}


def table() -> Iterator[str]:
    """The rows of the table as the documentation shows them."""

    def told(names: tuple[str, ...]) -> str:
        return ", ".join(f"`{name.replace('/api/v1', '')}`" for name in names)

    for right, opened in OPENED.items():
        routes = [told(opened.routes)] if opened.routes else []
        fields = [f"{told(opened.options)} of a question"] if opened.options else []
        yield f"| `{right}` | {', '.join(routes + fields)} | {told(opened.tools)} | {told(opened.verbs)} |"


def test_the_documentation_shows_the_table() -> None:
    written = DOCUMENTATION.read_text(encoding="utf-8").splitlines()
    assert [row for row in table() if row not in written] == []
