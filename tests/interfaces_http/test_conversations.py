"""A conversation through every door of the server: what a question goes on from, and several in one."""

from __future__ import annotations

import anyio
import httpx
import pytest
from mcp import Client

from http_serving import CAPITAL_INCOME, Served, describes
from pykala.interfaces.records.answers import AnswerPage

FOLLOW_UP = "and in 2013?"
STANDALONE = f"{CAPITAL_INCOME.rstrip('?')} – in 2013?"
TWO = (
    "What is the general VAT rate in Finland, and what is the tax rate on capital income above 30 000 euros?"
)


@pytest.mark.parametrize("after", [CAPITAL_INCOME, {"question": CAPITAL_INCOME, "jurisdiction": "fi"}])
def test_ask_goes_on_from_what_was_asked(client: httpx.Client, after: object) -> None:
    answer = (
        client.post("/api/v1/ask", json={"question": FOLLOW_UP, "after": after}).raise_for_status().json()
    )
    describes(AnswerPage, answer)
    assert answer["standalone"] == STANDALONE
    assert answer["as_of"] == "2013-12-31"
    assert answer["jurisdiction"] == (after["jurisdiction"] if isinstance(after, dict) else None)


@pytest.mark.parametrize("after", ["", 5, {"question": ""}, {"question": "x", "more": 1}])
def test_what_is_no_question_before_is_refused(client: httpx.Client, after: object) -> None:
    assert client.post("/api/v1/ask", json={"question": FOLLOW_UP, "after": after}).status_code == 422


def test_parts_are_answers_of_their_own(client: httpx.Client) -> None:
    answer = (
        client.post("/api/v1/ask", json={"question": TWO, "as_of": "2026-06-01"}).raise_for_status().json()
    )
    describes(AnswerPage, answer)
    assert {part["outcome"] for part in answer["parts"]} <= {"ANSWERED", "LIKELY"}
    assert len(answer["parts"]) == 2
    assert all(part["reasoning"]["nodes"] for part in answer["parts"])


def test_a_chat_is_read_from_its_beginning(client: httpx.Client) -> None:
    said = [
        {"role": "system", "content": "What is the general VAT rate?"},
        {"role": "user", "content": CAPITAL_INCOME},
        {"role": "assistant", "content": "34 per cent."},
        {"role": "user", "content": FOLLOW_UP},
    ]
    given = {"model": "pykala", "messages": said}
    completion = client.post("/v1/chat/completions", json=given).raise_for_status().json()
    assert completion["standalone"] == STANDALONE
    assert completion["as_of"] == "2013-12-31"
    assert STANDALONE in completion["choices"][0]["message"]["content"]
    block = client.post("/api/v1/context", json={"messages": said}).raise_for_status().json()
    assert block["as_of"] == "2013-12-31"


def test_a_chat_shows_the_parts_under_headings(client: httpx.Client) -> None:
    given = {"model": "pykala", "messages": [{"role": "user", "content": TWO}], "as_of": "2026-06-01"}
    content = (
        client.post("/v1/chat/completions", json=given).raise_for_status().json()["choices"][0]["message"]
    )
    assert "### 1. What is the general VAT rate in Finland?" in content["content"]
    assert [one["url_citation"]["title"] for one in content["annotations"]]


def test_the_tool_goes_on_too(served: Served) -> None:
    async def asked() -> dict[str, object]:
        async with Client(f"{served.address}/mcp") as client:
            found = await client.call_tool("ask_law", {"question": FOLLOW_UP, "after": CAPITAL_INCOME})
            several = await client.call_tool("ask_law", {"question": TWO, "as_of": "2026-06-01"})
            return {"one": found.structured_content, "several": several.structured_content}

    told = anyio.run(asked)
    one, several = told["one"], told["several"]
    assert isinstance(one, dict)
    assert isinstance(several, dict)
    assert one["standalone"] == STANDALONE
    assert one["as_of"] == "2013-12-31"
    assert {part["outcome"] for part in several["parts"]} <= {"ANSWERED", "LIKELY"}
    assert len(several["parts"]) == 2
