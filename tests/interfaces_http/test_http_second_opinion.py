"""A second opinion over HTTP and MCP: apart from the law, only where it is asked for, never in its way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client

from http_serving import CAPITAL_INCOME, Served, describes, serving, settings_in
from provider_servers import KEY, WebResponses, falling_silent, refusing, served
from pykala.answer.record import NOT_LAW
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.records.answers import AnswerPage
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.records.answers import SecondOpinion
from pykala.settings import ModelSettings

ASKED = {"question": CAPITAL_INCOME, "as_of": "2026-01-01"}
WITH = {**ASKED, "second_opinion": True}


@pytest.fixture
def service() -> Iterator[WebResponses]:
    with served(WebResponses()) as played:
        assert isinstance(played, WebResponses)
        yield played


@pytest.fixture
def advised(http_folder: Path, service: WebResponses) -> Iterator[Served]:
    chosen = ModelSettings("perplexity/sonar", KEY, service.address)
    opener = LibraryOpener(replace(settings_in(http_folder), second_opinion=chosen))
    # Two of the six seconds are kept for the law's answer: it is not lost to a web that does not answer.
    options = ServerOptions(requests_per_minute=0, seconds=6.0)
    with serving(http_folder, options, open_library=opener) as server:
        yield server


def posted(server: Served, asked: dict[str, Any]) -> dict[str, Any]:
    with server.client() as client:
        response = client.post("/api/v1/ask", json=asked)
    assert KEY not in response.text
    found: dict[str, Any] = response.raise_for_status().json()
    describes(AnswerPage, found)
    return found


def law(found: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in found.items() if name not in ("id", "trace", "ms", "second_opinion")}


def test_it_stands_beside_an_answer_that_does_not_change(advised: Served, service: WebResponses) -> None:
    plain = posted(advised, ASKED)
    assert "second_opinion" not in plain
    assert service.seen == []
    beside = posted(advised, WITH)
    assert law(plain) == law(beside)
    opinion = beside["second_opinion"]
    assert opinion["notice"] == NOT_LAW
    assert opinion["provider"] == "perplexity/sonar"
    assert [one["url"] for one in opinion["links"]] == [
        "https://www.vero.fi/en/capital-income",
        "https://www.finlex.fi/fi/laki/1992/1535",
    ]
    assert opinion["cost"]["amount"] == 0.0054


def test_a_stream_tells_it_after_the_law_s_answer(advised: Served) -> None:
    with (
        advised.client() as client,
        client.stream("POST", "/api/v1/ask?stream=1", json=WITH) as response,
    ):
        told = [line for line in response.iter_lines() if line.startswith(("event: ", "data: "))]
    names = [line.removeprefix("event: ") for line in told if line.startswith("event: ")]
    assert names[-3:] == ["evidence", "second_opinion", "done"]
    evidence, opinion, done = (json.loads(line.removeprefix("data: ")) for line in told[-5::2])
    describes(SecondOpinion, opinion)
    assert "second_opinion" not in evidence
    assert law(done) == law(evidence)
    assert done["second_opinion"] == opinion


def test_a_refusal_is_a_line_of_its_own(advised: Served, service: WebResponses) -> None:
    service.then(refusing(401, f"Incorrect API key provided: {KEY}"))
    found = posted(advised, WITH)
    assert found["outcome"] == "ANSWERED"
    assert "PYKALA_SECOND_OPINION_KEY" in found["second_opinion"]["problem"]
    assert found["second_opinion"]["text"] == ""
    assert not any("401" in one["message"] for one in found["caveats"])


def test_a_web_that_does_not_answer_costs_no_answer(advised: Served, service: WebResponses) -> None:
    posted(advised, ASKED)  # the library is open, and what is left of the time is the web's
    service.then(*[falling_silent([])] * 3)
    found = posted(advised, WITH)
    assert found["outcome"] == "ANSWERED"
    assert found["second_opinion"]["problem"]


def test_a_server_says_whether_it_has_one(advised: Served, client: httpx.Client) -> None:
    with advised.client() as theirs:
        assert theirs.get("/api/v1/ready").json()["second_opinion"] is True
    assert client.get("/api/v1/ready").json()["second_opinion"] is False
    found = client.post("/api/v1/ask", json=WITH).raise_for_status().json()
    assert found["outcome"] == "ANSWERED"
    assert "PYKALA_SECOND_OPINION_KEY" in found["second_opinion"]["problem"]


def test_chat_clients_never_get_it(advised: Served, service: WebResponses) -> None:
    asked = {"messages": [{"role": "user", "content": CAPITAL_INCOME}], "second_opinion": True}
    with advised.client() as client:
        assert client.post("/v1/chat/completions", json=asked).status_code == 200
    assert service.seen == []


def test_a_model_s_client_gets_it_apart(advised: Served, service: WebResponses) -> None:
    async def asks() -> tuple[Any, Any, Any]:
        async with Client(f"{advised.address}/mcp") as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            plain = await client.call_tool("ask_law", ASKED)
            beside = await client.call_tool("ask_law", WITH)
            return tools["ask_law"].annotations, plain.structured_content, beside.structured_content

    annotations, plain, beside = anyio.run(asks)
    assert annotations.open_world_hint is True
    assert plain["second_opinion"] is None
    opinion = beside.pop("second_opinion")
    assert opinion["notice"] == NOT_LAW
    assert opinion["links"]
    assert beside == {name: one for name, one in plain.items() if name != "second_opinion"}
    assert len(service.seen) == 1
