"""The tables of docs/http.md name what there is. Its blocks run with all others (tests/docs)."""

from __future__ import annotations

import re
from pathlib import Path

from http_serving import Served
from pykala.interfaces.http.asking import EVENTS
from pykala.interfaces.http.page import LLMS
from pykala.interfaces.serving.problems import KINDS

DOCS = Path(__file__).parents[2] / "docs"
HTTP = (DOCS / "http.md").read_text("utf-8")


def test_every_error_and_event_is_named() -> None:
    for code in KINDS:
        assert f"`{code}`" in HTTP
    for name in EVENTS:
        assert f"| `{name}` |" in HTTP


def test_every_route_is_named(served: Served) -> None:
    with served.client() as client:
        paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path in paths:
        if path.startswith("/api/v1"):
            assert path.removeprefix("/api/v1") in HTTP, path


def test_what_models_are_told_names_routes_that_there_are(served: Served) -> None:
    with served.client() as client:
        told = client.get("/llms.txt")
        assert told.text == LLMS
        known = set(client.get("/api/v1/openapi.json").json()["paths"])
    for link in re.findall(r"\]\((/[^)?]*)", LLMS):
        assert link in known | {"/mcp", "/docs", "/api/v1/openapi.json"}, link
