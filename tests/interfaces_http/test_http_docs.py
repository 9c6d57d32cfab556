"""The blocks of docs/http.md and docs/mcp.md run against a real server; their tables name what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from http_serving import Served
from pykala.interfaces.http.asking import EVENTS
from pykala.interfaces.http.page import LLMS
from pykala.interfaces.serving.problems import KINDS

DOCS = Path(__file__).parents[2] / "docs"
HTTP, MCP = ((DOCS / name).read_text("utf-8") for name in ("http.md", "mcp.md"))
BLOCKS = [
    (text, page) for page in (HTTP, MCP) for text in re.findall(r"```python\n(.*?)```", page, re.DOTALL)
]


@pytest.mark.parametrize("block", [text for text, _ in BLOCKS], ids=lambda text: text.split("\n", 1)[0])
def test_a_block_runs(served: Served, block: str) -> None:
    code = block.replace("http://127.0.0.1:8765", served.address)
    assert code != block
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "34 per cent" in done.stdout
    assert "ANSWERED" in done.stdout


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
