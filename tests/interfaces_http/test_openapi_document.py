"""The OpenAPI document: every operation says what it is, has an example that works, and names its errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from http_serving import Served, serving
from pykala.interfaces.http.guards import CONTENT_SECURITY_POLICY, OPEN_PATHS
from pykala.interfaces.http.operations import DESCRIPTIONS
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.reference_page import operations_of

FILES = ("swagger-ui-bundle.js", "swagger-ui.css", "reference.js", "reference.css")


@pytest.fixture
def document(client: httpx.Client) -> dict[str, Any]:
    return client.get("/api/v1/openapi.json").json()


@pytest.fixture(scope="module")
def locked(http_folder: Path) -> Iterator[Served]:
    options = ServerOptions(keys=("k",), metrics=True, requests_per_minute=0)
    with serving(http_folder, options) as server:
        yield server


def resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    return document["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema


def test_every_operation_is_described(locked: Served) -> None:
    with locked.client() as client:
        document = client.get("/api/v1/openapi.json").json()
    named = {tag["name"] for tag in document["tags"]}
    met = set()
    for path, method, operation in operations_of(document):
        where = f"{method.upper()} {path}"
        met.add(where)
        assert operation["summary"], where
        assert operation["description"].rstrip()[-1] in ".)", where
        assert set(operation["tags"]) <= named, where
        statuses = operation["responses"].keys()
        assert {"401", "403", "422", "429", "500", "503"} <= statuses, where
        for status, answer in operation["responses"].items():
            assert answer["description"], where
            if status >= "400":
                (told,) = answer["content"].values()
                assert told["example"]["status"] == int(status)
                assert told["example"]["code"]
    assert DESCRIPTIONS.keys() <= met, "nothing is described that there is not"


def test_keys_are_a_security_scheme_that_is_asked_for_where_there_are_keys(
    locked: Served, document: dict[str, Any]
) -> None:
    with locked.client() as client:
        guarded = client.get("/api/v1/openapi.json").json()
    schemes = guarded["components"]["securitySchemes"]
    assert schemes["key"] | {"description": ""} == {"type": "http", "scheme": "bearer", "description": ""}
    for path, _, operation in operations_of(guarded):
        assert bool(operation["security"]) is (path not in OPEN_PATHS)
        assert {} not in operation["security"]
    for path, _, operation in operations_of(document):
        assert path in OPEN_PATHS or {} in operation["security"], "without keys, everybody may"


#: What takes a file, a whole record, asks a publisher, or tells of work that nobody began here.
BY_THEIR_OWN_TESTS = ("/uploads", "/export", "/library/acts", "/job")


def test_every_example_of_a_question_works(client: httpx.Client, document: dict[str, Any]) -> None:
    tried = 0
    for path, method, operation in operations_of(document):
        if method == "delete" or path.endswith(BY_THEIR_OWN_TESTS):
            continue
        query = {}
        for parameter in operation.get("parameters", ()):
            examples = parameter["schema"].get("examples", ())
            assert examples or not parameter["required"], f"{path}: {parameter['name']}"
            if parameter["in"] == "query" and examples:
                query[parameter["name"]] = examples[0]
            elif parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", examples[0])
        body = None
        if "requestBody" in operation:
            schema = resolved(document, operation["requestBody"]["content"]["application/json"]["schema"])
            (body, *_) = schema["examples"]
        answer = client.request(method, path, params=query, json=body)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        tried += 1
    assert tried > 20


def test_the_reference_is_served_whole_from_here_under_the_same_policy(client: httpx.Client) -> None:
    page = client.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "http" not in page.text.replace("https://example", "")
    for name in FILES:
        assert f"docs/{name}" in page.text
        assert client.get(f"/docs/{name}").status_code == 200
    assert client.get("/docs/guards.py").status_code == 404
    assert client.get("/docs/..%2fguards.py").status_code == 404
