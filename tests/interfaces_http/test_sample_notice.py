"""Every route that gives words of the law says of those of the sample that they are paraphrases, not law."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, serving
from making import simple
from pykala.interfaces.http.reference_page import operations_of
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore

NOTICES = ("short paraphrases that ship with Pykälä, not the law", "Sample: paraphrases, not law")
#: One takes a file, one asks a publisher, and one gives questions, in whose words the law may be.
_NO_LAW = ("POST /api/v1/uploads", "POST /api/v1/library/acts", "GET /api/v1/examples")
#: Routes that give words of the law for the examples of the API reference.
_WITH_LAW = {
    "GET /api/v1/diff",
    "GET /api/v1/document",
    "GET /api/v1/find",
    "GET /api/v1/history",
    "GET /api/v1/provision",
    "GET /api/v1/search",
    "POST /api/v1/ask",
    "POST /api/v1/ask as a stream",
    "POST /api/v1/context",
    "POST /api/v1/export",
    "POST /v1/chat/completions",
    "POST /v1/chat/completions as a stream",
    "POST /v1/responses",
    "POST /v1/responses as a stream",
}
#: Routes that name works, acts and places of the sample, and give first words.
_WITH_NAMES = (
    "GET /api/v1/changes",
    "GET /api/v1/changes.atom",
    "GET /api/v1/library",
    "GET /api/v1/library/works",
    "GET /api/v1/related",
    "GET /api/v1/tree",
    "POST /api/v1/cite",
)
_RUN = 8  # words
_WITH_WORDS = "fi:act:1992/1535/sec_124/subsec_2"
_LAW = "A tax on horses is payable each year by whoever keeps one of them."


@dataclass(frozen=True)
class Asked:
    """One request of one operation."""

    name: str
    method: str
    path: str
    query: dict[str, Any]
    body: Any


def requests_of(client: httpx.Client) -> Iterator[Asked]:
    """A request for every operation of the OpenAPI document that reads, from its own examples."""
    document = client.get("/api/v1/openapi.json").json()
    for path, method, operation in operations_of(document):
        name = f"{method.upper()} {path}"
        if method == "delete" or name in _NO_LAW:
            continue
        query = {}
        for parameter in operation.get("parameters", ()):
            examples = parameter["schema"].get("examples", ())
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", examples[0])
            elif examples:
                query[parameter["name"]] = examples[0]
        query |= {"id": _WITH_WORDS} if "id" in query else {}
        query |= {"since": "2010-01-01"} if name.endswith("changes.atom") else {}
        body: Any = None
        if name == "POST /api/v1/export":
            query["form"] = "md"
            body = client.post("/api/v1/ask", json={"question": CAPITAL_INCOME}).json()
        elif "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            named = schema.get("$ref", "").rpartition("/")[2]
            (body, *_) = (document["components"]["schemas"][named] if named else schema)["examples"]
        yield Asked(name, method, path, query, body)
        if name == "POST /api/v1/ask":
            yield Asked(f"{name} as a stream", method, path, {**query, "stream": True}, body)
        elif "stream" in str(operation.get("requestBody")) or path.endswith(("/completions", "/responses")):
            yield Asked(f"{name} as a stream", method, path, query, {**body, "stream": True})


def strings(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def words_in(answer: httpx.Response) -> str:
    """The words of an answer, as a reader has them: whatever its form."""
    kind = answer.headers["content-type"].partition(";")[0]
    if kind == "application/json":
        texts: list[str] = list(strings(answer.json()))
    elif kind == "text/event-stream":
        lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if "data: {" in line]
        # Words that come one after the other belong together.
        texts = ["".join(strings(json.loads(line))) for line in lines]
    else:
        texts = [answer.text]
    return " ".join(texts).replace("\\", "")


def answers_of(served: Served) -> dict[str, str]:
    """What every operation says."""
    said = {}
    with served.client() as client:
        for asked in requests_of(client):
            answer = client.request(asked.method, asked.path, params=asked.query, json=asked.body)
            said[asked.name] = words_in(answer)
    return said


def runs_in(text: str) -> frozenset[tuple[str, ...]]:
    """Every run of words in a text that is long enough to be nobody else's."""
    words = text.split()
    return frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))


@pytest.fixture(scope="module")
def runs_of_law(served: Served) -> frozenset[tuple[str, ...]]:
    """The words of the sample's titles and texts, in every language."""
    with Library.open(served.location.folder) as library:
        found = set()
        for work in library.store.works():
            for language in {language for language, _ in work.titles}:
                chain = library.store.chain(ProvisionId(work.id), language=language)
                found |= {version.text for node in chain.walk() for version in node.versions}
    return frozenset().union(*map(runs_in, found))


def test_whatever_gives_words_of_the_sample_says_that_they_are_not_law(
    served: Served, runs_of_law: frozenset[tuple[str, ...]]
) -> None:
    said = answers_of(served)
    with_law = {name for name, words in said.items() if runs_of_law & runs_in(words)}
    silent = {name for name in with_law if not any(notice in said[name] for notice in NOTICES)}
    assert not silent
    assert with_law >= _WITH_LAW
    assert all(any(notice in said[name] for notice in NOTICES) for name in _WITH_NAMES)


def test_the_notice_is_in_the_language_that_is_asked_for(client: httpx.Client) -> None:
    asked = {"id": "fi:act:1992/1535/sec_124", "language": "sv"}
    for path in ("history", "tree"):
        (caveat,) = client.get(f"/api/v1/{path}", params=asked).json()["caveats"]
        assert caveat["kind"] == "SAMPLE"
        assert "inte lagen" in caveat["message"]


def test_of_a_library_of_ones_own_it_is_never_said(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "own", writable=True) as store:
        store.put(simple("ca:act:H-1", _LAW, language="en"))
    with serving(tmp_path, library=tmp_path / "own") as own:
        said = answers_of(own)
        with own.client() as client:
            found = client.get("/api/v1/search", params={"q": "tax on horses"}).json()
    assert (found["results"][0]["text"], found["caveats"]) == (_LAW, [])
    assert not {name for name, words in said.items() if any(notice in words for notice in NOTICES)}
