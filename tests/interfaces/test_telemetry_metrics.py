"""Counts as OpenTelemetry, in the SDK's own memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pykala.interfaces.measures import RequestEnded
from pykala.interfaces.telemetry import Telemetry
from pykala.law.answers import Stage
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import UnknownPack, installed
from pykala.settings import Settings, TelemetrySettings

QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland in 2026?"


class Gone(BaseException):
    pass


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as opened:
        yield opened


@pytest.fixture
def reader() -> InMemoryMetricReader:
    return InMemoryMetricReader()


@pytest.fixture
def telemetry(reader: InMemoryMetricReader) -> Iterator[Telemetry]:
    settings = TelemetrySettings(
        "http://127.0.0.1:9/v1/traces", metrics_address="http://127.0.0.1:9/v1/metrics"
    )
    made = Telemetry(settings, exporter=InMemorySpanExporter(), reader=reader)
    yield made
    made.close()


def points(reader: InMemoryMetricReader) -> dict[str, list[Any]]:
    """Every metric with its points."""
    found = reader.get_metrics_data()
    assert found is not None
    return {
        metric.name: list(metric.data.data_points)
        for resource in found.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }


def test_questions_are_counted_by_how_they_ended(
    library: Library, telemetry: Telemetry, reader: InMemoryMetricReader
) -> None:
    def leave(heard: object) -> None:
        if isinstance(heard, Stage):
            raise Gone

    library = library.with_parts(watch=telemetry.watching)
    library.ask(QUESTION)
    with pytest.raises(UnknownPack):
        library.ask(QUESTION, jurisdiction="atlantis")
    with pytest.raises(Gone):
        library.ask(QUESTION, listen=leave)
    told = points(reader)
    counted = {dict(one.attributes)["pykala.outcome"]: one.value for one in told["pykala.asks"]}
    assert counted == {"ANSWERED": 1, "FAILED": 1, "CANCELLED": 1}
    (answered,) = (
        one for one in told["pykala.ask.duration"] if dict(one.attributes)["pykala.outcome"] == "ANSWERED"
    )
    assert answered.count == 1
    assert answered.sum > 0
    assert "pykala.model.tokens" not in told, "no model was asked"
    assert "capital income" not in str(told)


def test_requests_have_the_names_of_the_conventions(
    telemetry: Telemetry, reader: InMemoryMetricReader
) -> None:
    telemetry.request_began()
    telemetry.request_began()
    telemetry.request_ended(RequestEnded("GET", "/api/v1/search", 429, 0.01, "too-many-requests"))
    told = points(reader)
    (active,) = told["http.server.active_requests"]
    assert active.value == 1
    (request,) = told["http.server.request.duration"]
    assert dict(request.attributes) == {
        "http.request.method": "GET",
        "http.route": "/api/v1/search",
        "http.response.status_code": 429,
    }
    (refused,) = told["pykala.http.refused"]
    assert dict(refused.attributes) == {"pykala.reason": "too-many-requests"}


METRICS: list[tuple[dict[str, str], str, str]] = [
    ({}, "", ""),
    ({"PYKALA_TELEMETRY": "otlp"}, "http://localhost:4318/v1/traces", "http://localhost:4318/v1/metrics"),
    ({"PYKALA_TELEMETRY": "none", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "https://c.example/m"}, "", ""),
    ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "https://c.example/m"}, "", "https://c.example/m"),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://c.example/t"}, "https://c.example/t", ""),
    (
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example", "OTEL_METRICS_EXPORTER": "none"},
        "https://c.example/v1/traces",
        "",
    ),
]


@pytest.mark.parametrize(("environment", "traces", "metrics"), METRICS)
def test_metrics_go_where_the_settings_say(environment: dict[str, str], traces: str, metrics: str) -> None:
    found = Settings.read(environment).telemetry
    assert (found.address, found.metrics_address) == (traces, metrics)
    assert found.is_set == bool(traces or metrics)


def test_headers_may_differ() -> None:
    environment = {
        "PYKALA_TELEMETRY": "otlp",
        "OTEL_EXPORTER_OTLP_HEADERS": "x-key=both",
        "OTEL_EXPORTER_OTLP_METRICS_HEADERS": "x-key=metrics%20only",
    }
    found = Settings.read(environment).telemetry
    assert (found.headers, found.metrics_headers) == ({"x-key": "both"}, {"x-key": "metrics only"})
    assert "metrics only" not in repr(found)


def test_the_documentation_names_every_metric(telemetry: Telemetry, reader: InMemoryMetricReader) -> None:
    told = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text("utf-8")
    telemetry.request_began()
    telemetry.request_ended(RequestEnded("GET", "/", 429, 0.01, "too-many-requests"))
    asked = ("pykala.asks", "pykala.ask.duration", "pykala.model.tokens", "pykala.model.cost")
    for name in (*points(reader), *asked):
        assert f"`{name}`" in told, name
    for environment, *_ in METRICS:
        assert all(name in told for name in environment)
