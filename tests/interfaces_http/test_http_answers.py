"""Answers over HTTP: the record's own names, the same words streamed or not, and every quote in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_serving import CAPITAL_INCOME, describes, serving
from pykala.answer.replay import read_record
from pykala.interfaces.http.about import example_questions
from pykala.interfaces.records.answers import AnswerPage
from pykala.library import Library
from pykala.packs.pack import installed
from pykala.records.answers import Context

ASK = "/api/v1/ask"
DATED = {"question": CAPITAL_INCOME, "as_of": "2026-01-01"}
QUESTIONS = [
    DATED,
    {"question": CAPITAL_INCOME, "as_of": "2010-01-01"},
    {
        "question": "How many months can a person be regarded as a key employee in Finland?",
        "as_of": "2026-06-01",
    },
    {"question": "Who may keep a hedgehog on a balcony?"},
    {"question": "What is the speed limit in Germany?"},
    {"question": "TVL 124 §", "language": "sv"},
]


def events(response: httpx.Response) -> Iterator[tuple[str, dict[str, object]]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"][:30])
def test_the_models_describe_real_answers(client: httpx.Client, asked: dict[str, str]) -> None:
    answer = client.post(ASK, json=asked).raise_for_status().json()
    describes(AnswerPage, answer)
    assert read_record(json.dumps(answer)).question == asked["question"]


@pytest.mark.parametrize("code", ["ca", "eu", "fi", "nyc"])
def test_a_library_of_real_law_begins_with_questions_on_real_law(code: str) -> None:
    facts = installed()[code].facts
    on_sample = {one.question for one in example_questions(facts)}
    on_law = {one.question for one in example_questions(facts, sample=False)}
    assert on_sample
    assert on_law
    assert on_law.isdisjoint(on_sample)


def test_every_example_is_answered_under_the_described_names(client: httpx.Client) -> None:
    examples = [one for pack in installed().values() for one in list(example_questions(pack.facts))[::7]]
    assert len(examples) > 10
    for one in examples:
        describes(AnswerPage, client.post(ASK, json=one.as_json()).raise_for_status().json())


def test_the_first_question(client: httpx.Client) -> None:
    answer = client.post(ASK, json=DATED).json()
    assert answer["outcome"] == "ANSWERED"
    assert "34 per cent" in answer["text"]
    assert answer["primary"]["provision"] == "fi:act:1992/1535/sec_124/subsec_2"
    assert answer["near"][0]["citation"]


def test_the_reasoning_is_a_graph_whose_edges_have_words(client: httpx.Client) -> None:
    answer = client.post(ASK, json=QUESTIONS[2]).json()
    assert answer["reasoning"]["nodes"][0]["role"] == "primary"
    assert len(answer["reasoning"]["nodes"]) <= 10
    known = {node["provision"] for node in answer["reasoning"]["nodes"]}
    assert answer["reasoning"]["edges"]
    for edge in answer["reasoning"]["edges"]:
        assert {edge["from"], edge["to"]} <= known
        assert edge["text"], "an edge is named with the words that it came from"


def test_another_date_is_another_answer(client: httpx.Client) -> None:
    then = client.post(ASK, json={**DATED, "as_of": "2013-05-01"}).json()
    assert "32 per cent" in then["text"]


def test_a_stream_tells_stages_then_evidence_then_the_end(client: httpx.Client) -> None:
    with client.stream("POST", ASK, json=DATED, headers={"Accept": "text/event-stream"}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        told = list(events(response))
    names = [name for name, _ in told]
    assert names[0] == "stage"
    assert names[-2:] == ["evidence", "done"]
    assert set(names[:-2]) == {"stage"}
    done = told[-1][1]
    describes(AnswerPage, done)
    plain = client.post(ASK, json=DATED).json()
    for answer in (done, plain):
        for name in ("id", "trace", "ms"):
            del answer[name]
    assert done == plain


def test_stream_may_be_asked_for_in_the_address(client: httpx.Client) -> None:
    with client.stream("POST", ASK, params={"stream": "1"}, json=DATED) as response:
        assert [name for name, _ in events(response)][-1] == "done"


def test_every_quote_stands_where_it_says(client: httpx.Client) -> None:
    for asked in QUESTIONS[:3]:
        answer = client.post(ASK, json=asked).json()
        for citation in (one for claim in answer["claims"] for one in claim["citations"]):
            where = {"id": citation["provision"], "as_of": answer["as_of"], "language": answer["language"]}
            shown = client.get("/api/v1/provision", params=where).raise_for_status().json()
            assert shown["text"][citation["start"] : citation["end"]] == citation["quote"]
            document = client.get("/api/v1/document", params=where).json()
            target = document["target"]
            assert target["text"][citation["start"] : citation["end"]] == citation["quote"]


def test_conflicts_say_who_outranks_whom_and_why(client: httpx.Client) -> None:
    answer = client.post(ASK, json=QUESTIONS[2]).json()
    assert answer["conflicts"], "the sample's guidance contradicts its act"
    conflict = answer["conflicts"][0]
    assert conflict["winner_rank"]["authority"] > conflict["loser_rank"]["authority"]
    assert conflict["winner_citation"]
    assert conflict["winner_rank"]["reason"]


def test_context_is_described(client: httpx.Client) -> None:
    block = client.post("/api/v1/context", json={**DATED, "budget": 2000}).raise_for_status().json()
    describes(Context, block)
    assert block["evidence"][0]["key"] == "L1"
    assert block["tokens"] <= 2000


def test_the_context_of_a_conversation_is_that_of_its_last_question(client: httpx.Client) -> None:
    said = [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": "Who may keep a hedgehog on a balcony?"},
        {"role": "assistant", "content": "Nobody knows."},
        {"role": "user", "content": [{"type": "text", "text": CAPITAL_INCOME}]},
    ]
    given = {"as_of": "2026-01-01", "budget": 2000}
    of_words = client.post("/api/v1/context", json={"messages": said, **given}).raise_for_status().json()
    plain = client.post("/api/v1/context", json={"question": CAPITAL_INCOME, **given}).json()
    assert of_words["evidence"] == plain["evidence"]
    assert client.post("/api/v1/context", json={"messages": said[:1]}).status_code == 422


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({}, 422, "question"),
        ({"question": "  "}, 422, "question"),
        ({"question": "x" * 5000}, 422, "question"),
        ({"question": "x", "as_of": "yesterday"}, 422, "as_of"),
        ({"question": "x", "jurisdiction": "de"}, 422, "nyc"),
        ({"question": "x", "language": "tlh"}, 422, "sv"),
        ({"question": "x", "colour": "red"}, 422, "colour"),
    ],
)
def test_what_is_wrong_is_said(client: httpx.Client, body: object, status: int, word: str) -> None:
    response = client.post(ASK, json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert word in problem["detail"]
    assert problem["errors"]


def test_halves_of_characters_are_refused(client: httpx.Client) -> None:
    body = b'{"question": "tax \\ud800"}'
    assert client.post(ASK, content=body, headers={"Content-Type": "application/json"}).status_code == 422


def test_a_body_that_is_no_json(client: httpx.Client) -> None:
    response = client.post(ASK, content=b"{", headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    assert response.json()["code"] == "not-json"


def test_what_nobody_foresaw_is_told_without_its_insides(tmp_path: Path) -> None:
    def broken(folder: Path, *, writable: bool = False) -> Library:
        raise RuntimeError("secret words of the inside")

    with serving(tmp_path, open_library=broken) as server, server.client() as client:
        with client.stream("POST", ASK, json=DATED, params={"stream": "1"}) as response:
            told = list(events(response))
        plain = client.post(ASK, json=DATED)
    assert [name for name, _ in told] == ["error"]
    assert told[0][1]["code"] == "internal"
    assert (plain.status_code, plain.json()["code"]) == (500, "internal")
    assert plain.headers["content-security-policy"]
    assert "secret" not in json.dumps(told) + plain.text
