"""What is written down of requests: identifiers, lines of JSON, counts that Prometheus' own parser reads."""

from __future__ import annotations

import json
import multiprocessing
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import httpx
import pytest
from mcp import Client
from prometheus_client.parser import text_string_to_metric_families

import metrics_process
from http_serving import CAPITAL_INCOME, Served, serving, settings_in, until
from pykala.interfaces.http.metrics import Metrics, MetricsMissing, forget_process, shared_between_processes
from pykala.interfaces.http.observing import RouteTemplates
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.measures import QuestionEnded
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.law.answers import Cost
from pykala.library import Library
from pykala.stores.store import StoreDamaged

READ, WATCH = {"Authorization": "Bearer read-key-1"}, {"Authorization": "Bearer watch-key-2"}
OPTIONS = ServerOptions(
    keys=("desk=read-key-1",), metrics_keys=("watch-key-2",), metrics=True, requests_per_minute=0
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "access.jsonl"


@pytest.fixture(scope="module")
def watched(http_folder: Path, log: Path) -> Iterator[Served]:
    with serving(http_folder, replace(OPTIONS, access_log=str(log))) as server:
        yield server


@pytest.fixture
def reader(watched: Served) -> Iterator[httpx.Client]:
    with watched.client(headers=READ) as opened:
        yield opened


def counts(text: str) -> dict[tuple[str, ...], float]:
    """Every sample as Prometheus reads it: its name and labels → its value."""
    return {
        (sample.name, *(f"{name}={value}" for name, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scraped(server: Served) -> dict[tuple[str, ...], float]:
    with server.client(headers=WATCH) as client:
        answer = client.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    return counts(answer.text)


def since(before: dict[tuple[str, ...], float], server: Served) -> dict[tuple[str, ...], float]:
    """What was counted since."""
    return {key: value - before.get(key, 0) for key, value in scraped(server).items()}


def lines_of(log: Path, identifier: str) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    return [one for one in lines if one["request_id"] == identifier]


def test_requests_and_questions_are_counted_by_route_status_and_outcome(
    watched: Served, reader: httpx.Client
) -> None:
    before = scraped(watched)
    assert reader.post("/api/v1/ask", json={"question": CAPITAL_INCOME}).status_code == 200
    chat = {"messages": [{"role": "user", "content": CAPITAL_INCOME}]}
    assert reader.post("/v1/chat/completions", json=chat).status_code == 200
    assert reader.get("/v1/models/made-up-name").status_code == 404
    assert reader.get("/made/up").status_code == 404
    told = since(before, watched)
    requests = "pykala_http_requests_total"
    assert told[requests, "method=POST", "route=/api/v1/ask", "status=200"] == 1
    assert told[requests, "method=POST", "route=/v1/chat/completions", "status=200"] == 1
    assert told[requests, "method=GET", "route=/v1/models/{model}", "status=404"] == 1
    assert told[requests, "method=GET", "route=other", "status=404"] == 1
    assert told["pykala_asks_total", "outcome=ANSWERED"] == 2
    assert told[("pykala_ask_duration_seconds_count",)] == 2
    seconds = "pykala_http_request_duration_seconds"
    assert told[f"{seconds}_count", "method=POST", "route=/api/v1/ask"] == 1
    assert told[f"{seconds}_bucket", "le=+Inf", "method=POST", "route=/api/v1/ask"] == 1
    assert told[f"{seconds}_sum", "method=POST", "route=/api/v1/ask"] > 0
    now = scraped(watched)
    assert now[("pykala_http_requests_in_flight",)] == 1, "the scrape itself"
    assert any(name == "pykala_library_info" and value == 1 for (name, *_), value in now.items())
    assert now["pykala_library_current_to_timestamp_seconds", "jurisdiction=ca"] > 1_600_000_000


def test_no_word_that_a_client_sent_becomes_a_label(watched: Served, reader: httpx.Client) -> None:
    reader.request("GRAB", "/nowhere/sesame")
    reader.get("/v1/models/sesame")
    reader.post("/api/v1/ask", json={"question": "Who may sell sesame?"})
    with watched.client(headers=WATCH) as client:
        told = client.get("/metrics").text
    assert "sesame" not in told
    assert "GRAB" not in told
    assert 'method="other"' in told


def test_what_is_refused_is_counted_by_its_reason(watched: Served) -> None:
    before = scraped(watched)
    with watched.client() as client:
        assert client.get("/api/v1/library").status_code == 401
        assert client.get("/api/v1/library", headers={"Host": "elsewhere.example"}).status_code == 421
        assert client.get("/api/v1/library", headers=WATCH).status_code == 403
        elsewhere = {**READ, "Origin": "https://elsewhere.example"}
        assert client.post("/api/v1/ask", json={"question": "tax"}, headers=elsewhere).status_code == 403
    told = since(before, watched)
    for reason in ("key-required", "wrong-host", "not-allowed", "wrong-origin"):
        assert told["pykala_http_refused_total", f"reason={reason}"] == 1
    assert told["pykala_http_requests_total", "method=GET", "route=/api/v1/library", "status=401"] == 1


def test_a_limit_that_is_reached_is_counted(http_folder: Path) -> None:
    with serving(http_folder, ServerOptions(metrics=True, requests_per_minute=2)) as server:
        with server.client() as client:
            statuses = [client.get("/api/v1/health").status_code for _ in range(3)]
            assert statuses == [200, 200, 429]
        told = counts(server.app.state.metrics.exposition()[0].decode())
    assert told["pykala_http_refused_total", "reason=too-many-requests"] == 1


def test_metrics_are_for_those_who_may_read_them_and_nothing_else(watched: Served, served: Served) -> None:
    with watched.client() as client:
        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers=READ).json()["code"] == "not-allowed"
        assert "PYKALA_METRICS_KEYS" in client.get("/metrics", headers=READ).json()["detail"]
    with served.client() as client:
        assert client.get("/metrics").status_code == 404, "nobody asked for metrics there"


def test_keys_of_metrics_alone_guard_nothing_else(http_folder: Path) -> None:
    options = ServerOptions(metrics_keys=("watch-key-2",), metrics=True, requests_per_minute=0)
    with serving(http_folder, options) as server, server.client() as client:
        assert client.post("/api/v1/ask", json={"question": CAPITAL_INCOME}).status_code == 200
        assert client.get("/v1/models").status_code == 200
        told = client.get("/api/v1/rights").json()["rights"]
        assert "read" in told
        assert "read metrics" not in told
        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers=READ).status_code == 401, "a key that nobody gave"
        assert client.get("/metrics", headers=WATCH).status_code == 200


def test_a_broken_library_still_has_its_counts(http_folder: Path, served: Served) -> None:
    def broken(folder: Path, *, writable: bool = False) -> Library:
        raise StoreDamaged("its file cannot be read")

    options = ServerOptions(metrics=True, requests_per_minute=0)
    with serving(http_folder, options, open_library=broken) as server, server.client() as client:
        assert client.post("/api/v1/ask", json={"question": "tax"}).status_code == 503
        told = counts(client.get("/metrics").text)
    assert told["pykala_http_requests_total", "method=POST", "route=/api/v1/ask", "status=503"] == 1


def test_what_models_cost_is_counted() -> None:
    metrics = Metrics()
    metrics.question_ended(QuestionEnded("ANSWERED", 1.5, Cost(1200, 80, 0.004, "USD")))
    metrics.question_ended(QuestionEnded("SILENT", 0.1))
    told = counts(metrics.exposition()[0].decode())
    assert told["pykala_model_tokens_total", "direction=in"] == 1200
    assert told["pykala_model_tokens_total", "direction=out"] == 80
    assert told["pykala_model_cost_total", "currency=USD"] == pytest.approx(0.004)
    assert told["pykala_asks_total", "outcome=SILENT"] == 1


def told_of_all(folder: Path) -> dict[tuple[str, ...], float]:
    """What yet another process of the server tells when it is scraped."""
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    scraping = spawning.Process(target=metrics_process.tell, args=(folder, theirs))
    scraping.start()
    assert ours.poll(600)
    told = counts(ours.recv())
    scraping.join(600)
    return told


def test_processes_that_serve_together_are_summed_and_the_dead_have_nothing_in_flight() -> None:
    spawning = multiprocessing.get_context("spawn")
    with shared_between_processes(ServerOptions(metrics=True)) as options:
        folder = options.metrics_folder
        assert folder is not None
        ready, stop = spawning.Semaphore(0), spawning.Event()
        both = [
            spawning.Process(target=metrics_process.serve, args=(folder, requests, ready, stop))
            for requests in (3, 4)
        ]
        for one in both:
            one.start()
        for _ in both:
            assert ready.acquire(timeout=600)
        told = told_of_all(folder)
        assert told["pykala_http_requests_total", "method=GET", "route=/api/v1/ask", "status=200"] == 7
        assert told["pykala_asks_total", "outcome=ANSWERED"] == 2
        assert told[("pykala_http_requests_in_flight",)] == 2
        stop.set()
        for one in both:
            one.join(600)
            assert one.pid is not None
            forget_process(folder, one.pid)
        told = told_of_all(folder)
        assert told["pykala_asks_total", "outcome=ANSWERED"] == 2, "what was counted stays"
        assert told.get(("pykala_http_requests_in_flight",), 0) == 0
    assert not folder.exists()


def test_a_line_for_each_request_names_the_key_and_nothing_that_was_asked(
    watched: Served, reader: httpx.Client, log: Path
) -> None:
    given = {"X-Request-Id": "proxy-0001"}
    answer = reader.post("/api/v1/ask", json={"question": CAPITAL_INCOME}, headers=given)
    assert answer.headers["x-request-id"] == "proxy-0001"
    assert until(lambda: bool(lines_of(log, "proxy-0001")))
    (line,) = lines_of(log, "proxy-0001")
    assert line["route"] == "/api/v1/ask"
    assert line["method"] == "POST"
    assert line["status"] == 200
    assert line["key"] == "desk"
    assert line["bytes_in"] == len(answer.request.content)
    assert line["bytes_out"] == len(answer.content)
    assert line["whole"] is True
    assert isinstance(line["ms"], float)
    written = log.read_text("utf-8")
    assert "capital income" not in written
    assert "read-key-1" not in written
    assert "question" not in line


@pytest.mark.parametrize("given", ["", "two words", "é", "x" * 200, '"}', "a;b"])
def test_an_identifier_that_could_spoil_a_log_is_replaced(reader: httpx.Client, given: str) -> None:
    answer = reader.get("/api/v1/health", headers={"X-Request-Id": given.encode()})
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])


def test_refusals_and_streams_have_lines_too(watched: Served, reader: httpx.Client, log: Path) -> None:
    with watched.client() as nobody:
        refused = nobody.get("/api/v1/library").headers["x-request-id"]
    asked = {"question": CAPITAL_INCOME}
    with reader.stream("POST", "/api/v1/ask?stream=1", json=asked) as streamed:
        told = b"".join(streamed.iter_bytes())
        identifier = streamed.headers["x-request-id"]
    assert until(lambda: bool(lines_of(log, identifier)))
    (line,) = lines_of(log, identifier)
    assert line["bytes_out"] == len(told)
    (line,) = lines_of(log, refused)
    assert (line["status"], line["refused"], line["key"]) == (401, "key-required", None)


def test_what_was_asked_is_written_only_where_the_operator_wants_it(
    http_folder: Path, tmp_path: Path
) -> None:
    async def by_mcp(address: str) -> None:
        async with Client(f"{address}/mcp") as client:
            assert not (await client.call_tool("ask_law", {"question": CAPITAL_INCOME})).is_error

    log = tmp_path / "with-questions.jsonl"
    options = ServerOptions(access_log=str(log), access_log_questions=True, requests_per_minute=0)
    with serving(http_folder, options) as server, server.client() as client:
        client.post("/api/v1/ask", json={"question": "Who may\nsell sesame?"})
        client.get("/api/v1/search", params={"q": "sesame"})
        client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "sesame?"}]})
        anyio.run(by_mcp, server.address)
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    asked = [one["question"] for one in lines if one["question"]]
    assert asked == ["Who may\nsell sesame?", "sesame", "sesame?", CAPITAL_INCOME]


def test_a_failure_is_found_in_the_log_by_its_identifier(
    http_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plain = LibraryOpener(settings_in(http_folder))

    class Failing(Library):
        def ask(self, *given: object, **named: object) -> object:  # type: ignore[override]
            raise ZeroDivisionError

    def failing(folder: Path, *, writable: bool = False) -> Library:
        library = plain(folder, writable=writable)
        return Failing(library.store, folder=folder, embedder=library.embedder)

    with serving(http_folder, open_library=failing) as server, server.client() as client:
        answer = client.post("/api/v1/ask", json={"question": "tax"}, headers={"X-Request-Id": "find-me"})
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] == "find-me"
    assert any("find-me" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize(
    ("listed", "key", "name"),
    [
        ("desk=abc", "abc", "desk"),
        ("abc", "abc", "key 1"),
        ("YWJjZA==", "YWJjZA==", "key 1"),
        ("YWJjZGU=", "YWJjZGU=", "key 1"),
        ("desk=YWJjZA==", "YWJjZA==", "desk"),
        ("7a=b", "7a=b", "key 1"),
    ],
)
def test_a_key_may_have_a_name(listed: str, key: str, name: str) -> None:
    options = ServerOptions(keys=(listed,), upload_keys=(key,))
    assert dict(options.key_names) == {key: name}
    assert list(options.rights) == [key]
    assert len(options.rights[key]) == 2


def test_templates() -> None:
    templates = RouteTemplates({"/", "/v1/models/{model}", "/api/v1/ask"})
    told = {
        "/": "/",
        "/api/v1/ask": "/api/v1/ask",
        "/v1/models/x": "/v1/models/{model}",
        "/static/a.js": "/static",
        "/v1/models/x/y": "other",
        "/api/v1/ask/": "other",
        "/static": "other",
    }
    assert {path: templates.of(path) for path in told} == told


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MetricsMissing, match=r"pip install 'pykala\[metrics\]'"):
        Metrics()
