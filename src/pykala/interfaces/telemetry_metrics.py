"""OpenTelemetry metrics: requests, questions and costs, sent to the same collector as traces.

Requests have the names of OpenTelemetry's own conventions for HTTP servers; questions have ours. The question
is never an attribute, whatever PYKALA_TELEMETRY_QUESTIONS says.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from pykala.interfaces.measures import SECONDS, QuestionEnded, RequestEnded
from pykala.settings import TelemetrySettings

if TYPE_CHECKING:  # an extra, loaded with the first question
    from opentelemetry.sdk.metrics.export import MetricReader
    from opentelemetry.sdk.resources import Resource

_FLUSH: Final = 3_000  # milliseconds that sending may take at the end


class TelemetryMetrics:
    """Instruments of our own provider; the surrounding program's setup is left alone."""

    def __init__(self, reader: MetricReader, resource: Resource) -> None:
        from opentelemetry.sdk.metrics import MeterProvider

        self._provider = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        meter, bounds = self._provider.get_meter("pykala", version("pykala")), list(SECONDS)
        self._request_seconds = meter.create_histogram(
            "http.server.request.duration", "s", "Time to answer.", explicit_bucket_boundaries_advisory=bounds
        )
        self._active = meter.create_up_down_counter(
            "http.server.active_requests", "{request}", "Requests being answered."
        )
        self._refused = meter.create_counter(
            "pykala.http.refused", "{request}", "Requests refused before a route."
        )
        self._asks = meter.create_counter("pykala.asks", "{question}", "Questions by outcome.")
        self._ask_seconds = meter.create_histogram(
            "pykala.ask.duration", "s", "Time to answer a question.",
            explicit_bucket_boundaries_advisory=bounds,
        )  # fmt: skip
        self._tokens = meter.create_counter("pykala.model.tokens", "{token}", "Tokens read and written.")
        self._cost = meter.create_counter("pykala.model.cost", "1", "What models cost, by currency.")

    def request_began(self) -> None:
        """Count a request as in flight."""
        self._active.add(1)

    def request_ended(self, ended: RequestEnded) -> None:
        """Count a finished request."""
        self._active.add(-1)
        attributes: dict[str, str | int] = {
            "http.request.method": ended.method,
            "http.route": ended.route,
            "http.response.status_code": ended.status,
        }
        self._request_seconds.record(ended.seconds, attributes)
        if ended.refused:
            self._refused.add(1, {"pykala.reason": ended.refused})

    def question_ended(self, ended: QuestionEnded) -> None:
        """Count a question, from whichever interface."""
        outcome = {"pykala.outcome": ended.outcome}
        self._asks.add(1, outcome)
        self._ask_seconds.record(ended.seconds, outcome)
        cost = ended.cost
        if cost.tokens_in or cost.tokens_out or cost.amount:
            self._tokens.add(cost.tokens_in, {"pykala.direction": "in"})
            self._tokens.add(cost.tokens_out, {"pykala.direction": "out"})
            self._cost.add(cost.amount, {"pykala.currency": cost.currency})

    def close(self) -> None:
        """Flush and stop."""
        self._provider.force_flush(_FLUSH)
        self._provider.shutdown(_FLUSH)


def sending_reader(settings: TelemetrySettings, seconds: float, away: Callable[[str], None]) -> MetricReader:
    """A reader that exports every OTEL_METRIC_EXPORT_INTERVAL, by default every minute.

    If the collector is unreachable, `away` receives its address; the exporter itself would warn at each
    attempt.
    """
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics.export import MetricExportResult, PeriodicExportingMetricReader

    class ToldOnce(OTLPMetricExporter):
        def export(self, *given: Any, **named: Any) -> MetricExportResult:
            result = super().export(*given, **named)
            if result is not MetricExportResult.SUCCESS:
                away(settings.metrics_address)
            return result

    logging.getLogger(OTLPMetricExporter.__module__).setLevel(logging.CRITICAL)
    exporter = ToldOnce(settings.metrics_address, headers=dict(settings.metrics_headers), timeout=seconds)
    return PeriodicExportingMetricReader(exporter)
