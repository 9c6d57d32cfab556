"""Questions as OpenTelemetry: in the SDK's own memory, and at a collector that reads what comes."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from otlp_collector import Collector, collecting
from pykala.answer.replay import library_fingerprint
from pykala.draft.drafting import Drafting
from pykala.interfaces.cli.main import run as run_command
from pykala.interfaces.telemetry import Telemetry, TelemetryMissing, stage_attributes
from pykala.law.answers import Stage
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import UnknownPack, installed
from pykala.settings import Settings, TelemetrySettings
from pykala.spend.meter import Meter
from scripted_writer import ScriptedWriter

QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland in 2026?"
KEY = "collector-key-77aa51"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def library(cache: Path) -> Iterator[Library]:
    with Library.open(sample_library(cache, installed())) as opened:
        yield opened


@dataclass
class Watching:
    """A library whose questions are kept in memory."""

    library: Library
    settings: TelemetrySettings
    kept: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)

    def __post_init__(self) -> None:
        self.telemetry = Telemetry(self.settings, exporter=self.kept)
        self.library = self.library.with_parts(watch=self.telemetry.watching)

    def spans(self) -> tuple[ReadableSpan, list[ReadableSpan]]:
        self.telemetry._provider.force_flush()  # type: ignore[union-attr]
        found = self.kept.get_finished_spans()
        whole = next(one for one in found if one.parent is None)
        return whole, [one for one in found if one.parent is not None]


@pytest.fixture
def watching(library: Library) -> Iterator[Watching]:
    made = Watching(library, TelemetrySettings("http://127.0.0.1:9/v1/traces"))
    yield made
    made.telemetry.close()


def test_a_question_is_a_span_with_a_span_for_each_stage(watching: Watching) -> None:
    answer = watching.library.ask(QUESTION)
    whole, stages = watching.spans()
    told = dict(whole.attributes or {})
    assert whole.name == "pykala.ask"
    assert told["pykala.outcome"] == answer.outcome.value == "ANSWERED"
    assert told["pykala.strategy"] == answer.strategy
    assert told["pykala.language"] == "en"
    assert told["pykala.as_of"] == answer.as_of.isoformat()
    assert told["pykala.candidates"] == dict(answer.trace[1].facts)["candidates"] > 0  # type: ignore[operator]
    assert told["pykala.library"] == library_fingerprint(watching.library.store)["content"] != ""
    assert [one.name for one in stages] == [f"pykala.{one.name.replace(' ', '_')}" for one in answer.trace]
    for span, stage in zip(stages, answer.trace, strict=True):
        assert span.context is not None
        assert span.parent is not None
        assert span.parent.span_id == whole.context.span_id  # type: ignore[union-attr]
        assert span.start_time is not None
        assert span.end_time is not None
        assert whole.start_time <= span.start_time <= span.end_time <= whole.end_time  # type: ignore[operator]
        assert (span.end_time - span.start_time) / 1e6 == pytest.approx(stage.milliseconds, abs=0.01)
    starts = [span.start_time or 0 for span in stages]
    assert starts == sorted(starts)


def everything(spans: tuple[ReadableSpan, list[ReadableSpan]]) -> str:
    whole, stages = spans
    return " ".join(one.to_json() for one in (whole, *stages))


def test_what_was_asked_stays_here_unless_it_may_go(library: Library) -> None:
    quiet = Watching(library, TelemetrySettings("http://127.0.0.1:9/v1/traces"))
    quiet.library.ask(QUESTION)
    told = everything(quiet.spans())
    assert "capital income" not in told
    assert "as_of_reason" not in told  # it repeats the question's own words for the day
    quiet.telemetry.close()
    open_minded = Watching(library, TelemetrySettings("http://127.0.0.1:9/v1/traces", questions=True))
    open_minded.library.ask(QUESTION)
    whole, stages = open_minded.spans()
    assert (whole.attributes or {})["pykala.question"] == QUESTION
    assert "pykala.as_of_reason" in (stages[0].attributes or {})
    open_minded.telemetry.close()


def test_a_draft_s_stages_and_its_cost_are_there_and_its_words_are_not(watching: Watching) -> None:
    words = "On the part above 30,000 euros the rate of tax on capital income is 34 per cent [L1]."
    answer = watching.library.with_parts(drafting=Drafting(ScriptedWriter(words), Meter())).ask(QUESTION)
    whole, stages = watching.spans()
    assert {"pykala.draft", "pykala.verify"} <= {one.name for one in stages}
    assert (whole.attributes or {})["pykala.writer"] == answer.writer == "ollama/scripted"
    assert (whole.attributes or {})["pykala.tokens_out"] == answer.cost.tokens_out > 0
    assert "rate of tax" not in everything((whole, stages))


def test_a_question_that_fails_is_an_error_without_its_words(watching: Watching) -> None:
    with pytest.raises(UnknownPack):
        watching.library.ask(QUESTION, jurisdiction="atlantis")
    whole, stages = watching.spans()
    assert whole.status.status_code.name == "ERROR"
    assert dict(whole.attributes or {})["error.type"] == "UnknownPack"
    assert stages == []
    assert "atlantis" not in everything((whole, stages))


def test_what_a_listener_raises_still_stops_the_work_and_is_told(watching: Watching) -> None:
    class Gone(BaseException):
        pass

    def leave(heard: object) -> None:
        if isinstance(heard, Stage) and heard.name == "search":
            raise Gone

    with pytest.raises(Gone):
        watching.library.ask(QUESTION, listen=leave)
    whole, stages = watching.spans()
    assert [one.name for one in stages] == ["pykala.understand", "pykala.search"]
    assert dict(whole.attributes or {})["error.type"] == "Gone"


FACTS: list[tuple[str, object, dict[str, object], dict[str, object]]] = [
    ("candidates", 7, {"pykala.candidates": 7}, {"pykala.candidates": 7}),
    ("best", 8.25, {"pykala.best": 8.25}, {"pykala.best": 8.25}),
    ("reused", True, {"pykala.reused": True}, {"pykala.reused": True}),
    ("language", "fi", {"pykala.language": "fi"}, {"pykala.language": "fi"}),
    ("cited", ["fi:act:1/1"], {"pykala.cited": ["fi:act:1/1"]}, {"pykala.cited": ["fi:act:1/1"]}),
    ("as_of_reason", "“in 2019”", {}, {"pykala.as_of_reason": "“in 2019”"}),
    ("words", ["tax", "rate"], {"pykala.words.count": 2}, {"pykala.words": ["tax", "rate"]}),
    ("asked of", {"fi": "tax"}, {"pykala.asked_of.count": 1}, {"pykala.asked_of.count": 1}),
    ("nothing", None, {}, {}),
]


@pytest.mark.parametrize(("name", "value", "quiet", "told"), FACTS)
def test_facts_become_attributes(
    name: str, value: object, quiet: dict[str, object], told: dict[str, object]
) -> None:
    stage = Stage("search", 1.0, ((name, value),))
    assert stage_attributes(stage) == quiet
    assert stage_attributes(stage, questions=True) == told


SETTINGS: list[tuple[dict[str, str], str]] = [
    ({}, ""),
    ({"PYKALA_TELEMETRY": "otlp"}, "http://localhost:4318/v1/traces"),
    ({"PYKALA_TELEMETRY": "none"}, ""),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example:4318/"}, "https://c.example:4318/v1/traces"),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://c.example/in"}, "https://c.example/in"),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example", "PYKALA_TELEMETRY": "none"}, ""),
]


@pytest.mark.parametrize(("environment", "address"), SETTINGS)
def test_traces_go_where_the_settings_say(environment: dict[str, str], address: str) -> None:
    found = Settings.read(environment).telemetry
    assert found.address == address
    assert found.is_set == bool(address)
    assert not found.questions


def test_headers_are_read_and_never_shown() -> None:
    environment = {
        "PYKALA_TELEMETRY": "otlp",
        "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{KEY}, x-team = law",
        "PYKALA_TELEMETRY_QUESTIONS": "1",
    }
    found = Settings.read(environment)
    assert found.telemetry.headers == {"authorization": f"Bearer {KEY}", "x-team": "law"}
    assert found.telemetry.questions
    assert KEY not in repr(found)


@pytest.fixture
def collector(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting(Collector()) as listening:
        monkeypatch.setenv("PYKALA_CACHE", str(cache))
        monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", listening.address)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"authorization=Bearer%20{KEY}")
        yield listening


def run(*arguments: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    return code, stdout.getvalue(), stderr.getvalue()


def test_the_command_line_has_sent_all_before_it_ends(collector: Collector) -> None:
    code, said, _ = run("ask", QUESTION, "--json")
    assert code == 0
    answer = json.loads(said)
    spans = collector.spans()
    (whole,) = (one for one in spans if not one.parent_span_id)
    stages = sorted((one for one in spans if one.parent_span_id), key=lambda one: one.start_time_unix_nano)
    assert [one.name for one in stages] == [f"pykala.{one['stage']}" for one in answer["trace"]]
    assert {one.trace_id for one in spans} == {whole.trace_id}
    assert all(one.parent_span_id == whole.span_id for one in stages)
    told = {one.key: one.value for one in whole.attributes}
    assert told["pykala.outcome"].string_value == "ANSWERED"
    assert told["pykala.candidates"].int_value > 0
    headers, request = collector.came[0]
    assert headers["content-type"] == "application/x-protobuf"
    assert headers["authorization"] == f"Bearer {KEY}"
    resource = {one.key: one.value.string_value for one in request.resource_spans[0].resource.attributes}
    assert resource["service.name"] == "pykala"
    assert "capital income" not in str(request)
    assert KEY not in str(request)


def test_what_asks_nothing_sends_nothing(collector: Collector) -> None:
    assert run("stats")[0] == 0
    assert collector.came == []


def test_a_collector_that_refuses_costs_no_answer_and_one_line(
    collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    collector.status = 400
    with caplog.at_level(logging.WARNING):
        code, said, _ = run("ask", QUESTION)
    assert code == 0
    assert "34 per cent" in said
    (line,) = (one.getMessage() for one in caplog.records)
    assert f"{collector.address}/v1/traces" in line
    assert "PYKALA_TELEMETRY=none" in line
    assert KEY not in line


#: The packages of the extra are not there; the API is, for MCP brings it.
WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("opentelemetry.sdk", "opentelemetry.exporter")):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from pykala.interfaces.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def test_where_the_extra_is_not_installed_it_says_what_to_install(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYKALA_TELEMETRY", "otlp")
    each = [["ask", QUESTION], ["serve", "--port", "0"], ["mcp"]]
    code = WITHOUT.replace(
        "sys.exit(run(sys.argv[1:]))", f"assert [run(one) for one in {each!r}] == [3, 3, 3]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, input="")
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 3
    assert all("pip install 'pykala[otel]'" in line for line in lines)
    assert "Traceback" not in done.stderr


def test_a_variable_that_other_programs_read_too_is_a_warning_without_the_extra(collector: Collector) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "ask", QUESTION],
        capture_output=True,
        text=True,
        timeout=300,
        input="",
    )
    assert done.returncode == 0
    assert "34 per cent" in done.stdout
    assert "no traces are sent" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert collector.came == []


def test_nothing_of_it_is_loaded_where_no_traces_are_wanted(cache: Path) -> None:
    code = WITHOUT.replace("sys.exit(run(sys.argv[1:]))", "assert run(sys.argv[1:]) == 0")
    environment = {"PYKALA_CACHE": str(cache), "PYKALA_LIBRARY": str(cache / "own"), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code, "ask", QUESTION],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert "34 per cent" in done.stdout


def test_missing_names_the_package() -> None:
    assert "opentelemetry.sdk" in str(TelemetryMissing("opentelemetry.sdk"))


def test_the_documentation_names_every_setting_and_attribute(watching: Watching) -> None:
    told = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text("utf-8")
    watching.library.ask(QUESTION)
    whole, stages = watching.spans()
    for name in (*(whole.attributes or {}), "error.type", "pykala.question", *(one.name for one in stages)):
        assert f"`{name}`" in told, name
    for environment, _ in SETTINGS:
        assert all(name in told for name in environment)
