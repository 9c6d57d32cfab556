"""Small mistakes get their own plain errors, and leave nothing behind."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest

import pykala.packs.finland
from http_serving import serving
from pykala.interfaces.cli.main import run as run_command
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore

SAMPLE = Path(pykala.packs.finland.__file__).parent / "sample"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("plainly")
    Library.open(made / "library", writable=True, create=True, embedder=None).close()
    return made


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with serving(folder, library=folder / "library") as server, server.client() as opened:
        yield opened


def run(*arguments: object) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command([str(one) for one in arguments])
    return code, stdout.getvalue(), stderr.getvalue()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("inbox", "no/such/folder"), "no such folder"),
        (("ingest", "ca", "--from", SAMPLE), "pykala ingest fi"),
        (("ingest", "nyc", "--from", SAMPLE), "pykala ingest fi"),
    ],
)
def test_a_source_that_is_not_there_or_another_packs_leaves_no_library(
    tmp_path: Path, arguments: tuple[object, ...], words: str
) -> None:
    code, _, said = run(*arguments, "--library", tmp_path / "own")
    assert code == 2
    assert words in said
    assert said.count("\n") == 1
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize(
    ("lines", "code"),
    [("junk\n[1]\n{}\n", 2), ('junk\n{"question": "What is the tax?"}\n', 0), ("\n\n", 2)],
)
def test_a_batch_of_junk_is_not_understood(folder: Path, tmp_path: Path, lines: str, code: int) -> None:
    (tmp_path / "batch.jsonl").write_text(lines)
    done, said, _ = run("ask", "--batch", tmp_path / "batch.jsonl", "--library", folder / "library")
    assert done == code
    assert len(said.splitlines()) == len(lines.split()) or code == 0


def test_errors_name_no_folder_and_no_process(client: httpx.Client, folder: Path) -> None:
    with EmbeddedStore.open(folder / "library", writable=True):
        refused = client.post("/api/v1/uploads", files={"file": ("note.md", b"# Note\n\nNine euros.\n")})
    assert (refused.status_code, refused.json()["code"]) == (503, "library-unusable")
    assert "another process" in refused.json()["detail"]
    for secret in (str(folder), "pid", str(os.getpid())):
        assert secret not in refused.text


@pytest.mark.parametrize(
    "day", ["0", "1700000000", "2026-01-01T00:00:00", "20260101", "2026-W01-1", "2026-1-1", "٢٠٢٦-٠١-٠١", ""]
)
def test_as_of_takes_dates_only(client: httpx.Client, day: str) -> None:
    assert client.get("/api/v1/search", params={"q": "tax", "as_of": day}).status_code == 422
    for given in (day, 1_700_000_000, 0.5):
        asked = client.post("/api/v1/ask", json={"question": "What is the tax?", "as_of": given})
        assert (asked.status_code, asked.json()["code"]) == (422, "invalid-request")
        assert tool(client, "search_law", query="tax", as_of=given)["isError"]
    assert client.get("/api/v1/search", params={"q": "tax", "as_of": "2026-01-01"}).status_code == 200


def test_a_body_of_wrong_fields_is_not_answered_field_by_field(client: httpx.Client) -> None:
    wrong = {f"field {place}": 1 for place in range(5_000)}
    refused = client.post("/api/v1/ask", json={"question": "What is the tax?", **wrong})
    assert refused.status_code == 422
    assert len(refused.json()["errors"]) == 20
    assert len(refused.content) < 5_000


def tool(client: httpx.Client, name: str, **arguments: object) -> dict[str, Any]:
    called = {"name": name, "arguments": arguments}
    told = mcp(client, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called})).text
    lines = [line.removeprefix("data: ") for line in told.splitlines() if line.startswith(("data: {", "{"))]
    found: dict[str, Any] = json.loads(lines[-1])["result"]
    return found


def mcp(client: httpx.Client, body: str) -> httpx.Response:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return client.post("/mcp", content=body.encode(), headers=headers)


def test_mcp_refuses_arguments_that_it_does_not_know(client: httpx.Client) -> None:
    refused = tool(client, "search_law", query="tax", as_off="2020-01-01")
    assert refused["isError"]
    assert "as_off" in refused["content"][0]["text"]
    assert not tool(client, "search_law", query="tax", as_of="2020-01-01").get("isError")


def test_mcp_answers_what_is_no_json(client: httpx.Client, folder: Path) -> None:
    refused = mcp(client, "{not json")
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == -32700
    program = [str(Path(sys.executable).parent / "pykala"), "mcp", "--library", str(folder / "library")]
    environment = {**os.environ, "PYKALA_CACHE": str(folder / "cache")}
    with subprocess.Popen(
        program, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"{not json\n")
        server.stdin.flush()
        told = json.loads(server.stdout.readline())
        server.stdin.close()
        assert server.wait(300) == 0
    assert told["id"] is None
    assert told["error"]["code"] == -32700
