"""Drafts over HTTP: pieces as they are written, what became of their claims, and none where unwanted."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, describes, serving, settings_in, tasks_of, until
from pykala.draft.drafting import Drafting
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.records.answers import AnswerPage
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.library import Library
from pykala.spend.meter import Meter
from scripted_writer import ScriptedWriter

ASKED = {"question": CAPITAL_INCOME, "as_of": "2026-01-01"}
WRONG = "On the part above 30,000 euros the rate of tax on capital income is 44 per cent [L1]."
RIGHT = "On the part above 30,000 euros the rate of tax on capital income is 34 per cent [L1]."


@pytest.fixture
def writer() -> ScriptedWriter:
    return ScriptedWriter(WRONG, RIGHT)


@pytest.fixture
def drafting(http_folder: Path, served: Served, writer: ScriptedWriter) -> Iterator[Served]:
    plain = LibraryOpener(settings_in(http_folder))

    def with_a_model(folder: Path, *, writable: bool = False) -> Library:
        return plain(folder, writable=writable).with_parts(drafting=Drafting(writer, Meter()))

    with serving(http_folder, ServerOptions(requests_per_minute=0), open_library=with_a_model) as server:
        yield server


def events(response: httpx.Response) -> Iterator[tuple[str, dict[str, object]]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_a_draft_is_streamed_checked_and_replaced(drafting: Served) -> None:
    with (
        drafting.client() as client,
        client.stream("POST", "/api/v1/ask?stream=1", json=ASKED) as response,
    ):
        told = list(events(response))
    names = [name for name, _ in told]
    assert names.index("evidence") < names.index("text") < names.index("checks") < names.index("done")
    drafts: dict[object, str] = {}
    for name, data in told:
        if name == "text":
            drafts[data["draft"]] = drafts.get(data["draft"], "") + str(data["text"])
    assert list(drafts.values()) == [WRONG, RIGHT]
    checks, done = told[-2][1], told[-1][1]
    assert checks["level"] == "high"
    describes(AnswerPage, done)
    assert done["writer"] == "ollama/scripted"
    assert done["text"] == RIGHT
    assert done["verification"] == checks
    evidence = dict(told)["evidence"]
    assert evidence["writer"] == ""
    assert evidence["primary"] == done["primary"]


def test_who_wants_no_draft_gets_none(drafting: Served, writer: ScriptedWriter) -> None:
    with drafting.client() as client:
        answer = client.post("/api/v1/ask", json={**ASKED, "draft": False}).json()
    assert answer["writer"] == ""
    assert not writer.calls


def test_a_chat_client_is_told_that_another_draft_follows(drafting: Served) -> None:
    import openai

    with openai.OpenAI(base_url=f"{drafting.address}/v1", api_key="none", max_retries=0) as client:
        chunks = list(
            client.chat.completions.create(
                model="pykala",
                messages=[{"role": "user", "content": CAPITAL_INCOME}],
                stream=True,
                extra_body={"as_of": "2026-01-01"},
            )
        )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text.index(WRONG) < text.index("another follows") < text.index(RIGHT) < text.index("**Sources**")
    annotations = chunks[-1].choices[0].delta.annotations  # type: ignore[attr-defined]
    assert annotations
    for one in annotations:
        cited = one["url_citation"]
        assert text[cited["start_index"] : cited["end_index"]].startswith("[L")


def test_a_reader_who_leaves_stops_the_model(drafting: Served, writer: ScriptedWriter) -> None:
    waits, held, gone = threading.Event(), threading.Event(), threading.Event()
    play = writer.write

    def slowly(*given: object, **named: object) -> Iterator[object]:
        try:
            for number, piece in enumerate(play(*given, **named)):  # type: ignore[arg-type]
                yield piece
                if number == 1:
                    waits.set()
                    held.wait(300)
        finally:
            gone.set()

    writer.write = slowly  # type: ignore[method-assign, assignment]
    before = tasks_of(drafting)
    with (
        drafting.client() as client,
        client.stream("POST", "/api/v1/ask?stream=1", json=ASKED) as response,
    ):
        told = events(response)  # the client leaves when nobody holds these any more
        assert "text" in (name for name, _ in told)
        assert waits.wait(300), "the reader leaves while the model is at work, not between two of its pieces"
    assert until(lambda: tasks_of(drafting) <= before), "the server has seen that the reader left"
    assert drafting.app.state.pool.at_work == 1, "the model is still being waited for"
    held.set()
    assert gone.wait(300)
    assert until(lambda: drafting.app.state.pool.at_work == 0)
    assert len(writer.calls) == 1, "nothing more was asked of it"
