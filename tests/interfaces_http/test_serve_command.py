"""`pykala serve` as a person starts it: it says where it is, and what is wrong where it cannot start."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from http_serving import Served, settings_in
from pykala.interfaces.cli.main import run
from pykala.settings import Settings


def command(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).parent / "pykala"), "serve", *arguments]


@pytest.fixture
def environment(http_folder: Path, served: Served) -> dict[str, str]:
    settings = settings_in(http_folder)
    return {**os.environ, "PYKALA_CACHE": str(settings.cache), "PYKALA_LIBRARY": str(settings.library)}


@contextmanager
def running(environment: dict[str, str], *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and the line that it says when it is ready."""
    process = subprocess.Popen(command(*arguments), env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert "http://" in line, line + process.stderr.read()
        yield process, line
    finally:
        process.kill()
        process.communicate()


def client_of(line: str) -> httpx.Client:
    """A client of the server that said where it is."""
    (address,) = re.findall(r"http://\S+", line)
    return httpx.Client(base_url=address, trust_env=False, timeout=300)


def test_it_says_where_and_what_it_serves_answers_there_and_ends_when_told(
    environment: dict[str, str],
) -> None:
    with running(environment, "--port", "0") as (process, line):
        assert "serves the sample: paraphrases, not law (get the law itself: pykala get fi)" in line
        with client_of(line) as client:
            assert client.get("/api/v1/ready").json()["status"] == "ready"
            assert client.get("/").status_code == 200
            headers = client.get("/api/v1/health").headers
        assert "server" not in headers
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 0
        assert process.stderr is not None
        assert process.stderr.read() == "", "nothing is said at an end that was wished for"


def test_settings_say_who_may_use_it(environment: dict[str, str]) -> None:
    settings = {
        "PYKALA_API_KEYS": "first, second",
        "PYKALA_REQUESTS_PER_MINUTE": "2",
        "PYKALA_HOSTS": "law.test",
    }
    with (
        running({**environment, **settings}, "--port", "0") as (_, line),
        client_of(line) as client,
    ):
        path, key = "/api/v1/jurisdictions", {"Authorization": "Bearer second"}
        assert client.get(path).status_code == 401
        assert client.get(path, headers={**key, "Host": "law.test"}).status_code == 200
        assert [client.get(path, headers=key).status_code for _ in range(2)] == [200, 429]


@pytest.fixture
def refused(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Starts what cannot serve, in this process; its exit code, and the line that it says."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def started(*arguments: str) -> tuple[int, str]:
        code = run(["serve", *arguments])
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "Traceback" not in said
        return code, said

    return started


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--host", "0.0.0.0", "--port", "0"), 2, "PYKALA_API_KEYS"),
        (("--library", "no/such/folder"), 3, "pykala ingest"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    refused: Callable[..., tuple[int, str]], arguments: tuple[str, ...], code: int, words: str
) -> None:
    ended, said = refused(*arguments)
    assert ended == code
    assert words in said


def test_keys_of_metrics_alone_are_no_keys_for_others(
    refused: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYKALA_METRICS_KEYS", "watch")
    ended, said = refused("--host", "0.0.0.0", "--port", "0")
    assert ended == 2
    assert "PYKALA_API_KEYS" in said


def test_an_access_log_that_is_switched_on_goes_to_standard_error(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with running({**environment, "PYKALA_ACCESS_LOG": "true"}, "--port", "0") as (process, said):
        with client_of(said) as client:
            assert client.get("/api/v1/health", headers={"X-Request-Id": "one"}).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 0
        assert process.stderr is not None
        (line,) = map(json.loads, process.stderr.read().splitlines())
    assert (line["request_id"], line["route"], line["status"]) == ("one", "/api/v1/health", 200)
    assert list(tmp_path.iterdir()) == [], "no file of that name"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("1", "stderr"),
        ("true", "stderr"),
        ("True", "stderr"),
        ("0", ""),
        ("false", ""),
        ("stdout", "stdout"),
        ("log/1", "log/1"),
    ],
)
def test_where_an_access_log_goes(given: str, place: str) -> None:
    assert Settings.read({"PYKALA_ACCESS_LOG": given}).access_log == place


def test_a_port_that_is_taken(refused: Callable[..., tuple[int, str]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended, said = refused("--port", str(taken.getsockname()[1]))
    assert ended == 3
    assert "--port" in said
