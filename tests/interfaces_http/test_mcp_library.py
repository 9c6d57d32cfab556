"""Tools about time, works and citations, prompts, resources and completion, over both transports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import PromptReference, ResourceTemplateReference

from http_serving import CAPITAL_INCOME, Served
from mcp_clients import over_http, over_stdio
from pykala.interfaces.mcp.resources import CONTENTS, PROVISION

TVL, TVL_124_2 = "fi:act:1992/1535", "fi:act:1992/1535/sec_124/subsec_2"


async def call(client: Client, name: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def time_is_compared_and_listed(client: Client) -> None:
    told = await call(client, "diff", provision=TVL_124_2, first="2026-01-01", second="2010-01-01")
    assert (told["first"], told["second"]) == ("2010-01-01", "2026-01-01")
    (line,) = (one for one in told["differences"] if one["provision"] == TVL_124_2)
    assert line["alteration"] == "changed"
    assert {mark for mark, _ in line["words"]} >= {"removed", "added"}
    assert any("28" in text for mark, text in line["words"] if mark == "removed")
    changed = await call(client, "changes", since="2010-01-01", jurisdiction="fi", limit=5)
    assert changed["total"] >= len(changed["works"]) > 0
    assert any(one["work"] == TVL for one in changed["works"])
    assert all(one["changes"] for one in changed["works"])


async def the_sample_is_told_to_be_no_law(client: Client) -> None:
    days = {"first": "2010-01-01", "second": "2026-01-01"}
    for name, arguments in (
        ("search_law", {"query": "capital income"}),
        ("history", {"provision": TVL_124_2}),
        ("diff", {"provision": TVL_124_2, **days}),
        ("changes", {"since": "2010-01-01"}),
        ("related", {"provision": TVL_124_2}),
        ("works", {}),
        ("tree", {"provision": TVL}),
        ("cite", {"text": "TVL 124 §"}),
        ("ask_law", {"question": CAPITAL_INCOME}),
    ):
        told = await call(client, name, **arguments)
        assert [one["kind"] for one in told["caveats"]].count("SAMPLE") == 1, name
    for address in ("pykala://library", f"pykala://contents/{TVL}", f"pykala://provision/{TVL_124_2}"):
        read = await client.read_resource(address)
        assert "paraphrase" in read.contents[0].text, address  # type: ignore[union-attr]


async def works_are_listed_and_have_contents(client: Client) -> None:
    every = await call(client, "works", jurisdiction="fi", limit=1)
    assert every["partial"] is (every["total"] > 1)
    found = await call(client, "works", words="tuloverolaki", language="fi")
    assert found["works"][0]["work"] == TVL
    assert found["works"][0]["title"].casefold() == "tuloverolaki"
    contents = await call(client, "tree", provision=TVL, as_of="2026-01-01")
    assert contents["places"][0]["depth"] == 0
    assert any(one["id"].endswith("/sec_124") for one in contents["places"])


async def citations_of_a_text_are_found(client: Client) -> None:
    text = "See TVL 124 § and section 999 of the Income Tax Act of nowhere."
    told = await call(client, "cite", text=text, jurisdiction="fi")
    first = told["citations"][0]
    assert text[first["start"] : first["end"]] == first["text"]
    assert first["targets"][0]["provision"].startswith(f"{TVL}/sec_124")
    assert first["targets"][0]["held"] is True


async def prompts_bring_evidence_and_rules(client: Client) -> None:
    prompts = {one.name: one for one in (await client.list_prompts()).prompts}
    assert set(prompts) == {"answer_from_law", "explain_provision", "what_changed", "check_citations"}
    for one in prompts.values():
        assert one.title
        assert one.description
        assert all(argument.description for argument in one.arguments or () if argument.required)
    got = await client.get_prompt("answer_from_law", {"question": CAPITAL_INCOME, "as_of": "2026-01-01"})
    told = got.messages[0].content.text  # type: ignore[union-attr]
    assert "[L1]" in told
    assert "34 per cent" in told
    assert "ANSWERED" in told
    given = {"provision": TVL_124_2, "first": "2010-01-01", "second": "2026-01-01"}
    got = await client.get_prompt("what_changed", given)
    assert TVL_124_2 in got.messages[0].content.text  # type: ignore[union-attr]


async def resources_are_read(client: Client) -> None:
    listed = (await client.list_resources()).resources
    assert [str(one.uri) for one in listed] == ["pykala://library"]
    held = (await client.read_resource("pykala://library")).contents[0].text  # type: ignore[union-attr]
    assert "`fi`" in held
    assert "`ca`" in held
    read = await client.read_resource(f"pykala://contents/{TVL}?as_of=2026-01-01&language=fi")
    assert "sec_124" in read.contents[0].text  # type: ignore[union-attr]


async def what_is_begun_is_completed(client: Client) -> None:
    async def completed(ref: Any, name: str, value: str, **given: str) -> list[str]:
        found = await client.complete(ref, {"name": name, "value": value}, given or None)
        return found.completion.values

    asking = PromptReference(type="ref/prompt", name="answer_from_law")
    reading = ResourceTemplateReference(type="ref/resource", uri=PROVISION)
    contents = ResourceTemplateReference(type="ref/resource", uri=CONTENTS)
    assert await completed(asking, "jurisdiction", "f") == ["fi"]
    assert TVL in await completed(reading, "id", "fi:act:1992/15")
    assert TVL in await completed(contents, "id", "tuloverolaki")
    inside = await completed(reading, "id", f"{TVL}/sec_12")
    assert f"{TVL}/sec_124" in inside
    assert all(one.startswith(f"{TVL}/sec_12") for one in inside)
    assert "fi" in await completed(reading, "language", "", id=TVL)
    days = await completed(reading, "as_of", "20", id=TVL_124_2)
    assert "2016-01-01" in days
    assert days == sorted(days, reverse=True)
    assert await completed(reading, "id", "no such work at all") == []
    assert await completed(reading, "as_of", "20", id="no such work at all") == []
    assert await completed(asking, "question", "What") == []


USES = [
    time_is_compared_and_listed,
    the_sample_is_told_to_be_no_law,
    works_are_listed_and_have_contents,
    citations_of_a_text_are_found,
    prompts_bring_evidence_and_rules,
    resources_are_read,
    what_is_begun_is_completed,
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
        ("diff", {"provision": TVL, "first": "yesterday", "second": "2010-01-01"}, "YYYY-MM-DD"),
        ("diff", {"provision": "nonsense", "first": "2009-01-01", "second": "2010-01-01"}, "1992/1535"),
        ("changes", {"since": "2010-01-01", "jurisdiction": "de"}, "nyc"),
        ("tree", {"provision": "nonsense"}, "fi:act:1992/1535"),
        ("works", {"words": "tax", "limit": 0}, "limit"),
        ("cite", {"text": ""}, "text"),
        ("works", {"word": "tax"}, "word"),
    ],
)
def test_mistakes_say_what_would_be_right(
    served: Served, tool: str, arguments: dict[str, object], word: str
) -> None:
    async def run() -> None:
        async with over_http(served.address) as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert word in result.content[0].text  # type: ignore[union-attr]

    anyio.run(run)
