"""Questions as OpenTelemetry: a span for each, with a span for each stage, sent to a collector over OTLP.

Counts are sent as metrics (`telemetry_metrics.py`).

The answer's own trace is sent: names, times, counts. The question is not sent, nor any text that may repeat
it, unless PYKALA_TELEMETRY_QUESTIONS=1 says so; keys are never sent. An unreachable collector does not affect
answers.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from time import time_ns
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pykala.interfaces.measures import CANCELLED, FAILED, QuestionEnded, RequestEnded, question_ended
from pykala.law.answers import Answer, Stage
from pykala.retrieve.trace import Heard, Listener
from pykala.settings import TelemetrySettings
from pykala.stores.store import Store

if TYPE_CHECKING:  # an extra, loaded with the first question
    from opentelemetry.sdk.metrics.export import MetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
    from opentelemetry.trace import Span, Tracer

    from pykala.interfaces.telemetry_metrics import TelemetryMetrics

_LOG: Final = logging.getLogger("pykala.telemetry")
_AWAY: Final = (
    "pykala: telemetry does not arrive at %s; start a collector there that takes OTLP over HTTP, or set"
    " PYKALA_TELEMETRY=none"
)
Attribute = str | bool | int | float | Sequence[str]

_SECONDS: Final = 3.0  # the most that sending may take
_LONGEST: Final = 1_000
#: Facts of a stage that are our own words or identifiers of law; other texts may repeat the question.
_OUR_WORDS: Final = frozenset({"language", "strategy", "as_of", "primary", "model", "cited"})
_SEARCHES: Final = ("search", "other languages")
_log = logging.getLogger(__name__)


class TelemetryMissing(Exception):
    """OpenTelemetry is enabled, but its packages are not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"traces are to be sent as OpenTelemetry, and {package} is not installed; run: pip install"
            " 'pykala[otel]', or set PYKALA_TELEMETRY=none"
        )


@dataclass(slots=True)
class _Watched:
    """One running question: its start, each stage with its end time, the newest answer."""

    began: int
    stages: list[tuple[Stage, int]] = field(default_factory=list)
    answer: Answer | None = None


class Telemetry:
    """Observes the questions of libraries and exports them; loads nothing before the first."""

    def __init__(
        self,
        settings: TelemetrySettings,
        *,
        exporter: SpanExporter | None = None,
        reader: MetricReader | None = None,
        now: Callable[[], int] = time_ns,
    ) -> None:
        self._settings, self._exporter, self._reader, self._now = settings, exporter, reader, now
        self._provider: TracerProvider | None = None
        self._metrics: TelemetryMetrics | None = None
        self._away = _Away()
        self._turn = threading.Lock()

    def check(self) -> None:
        """Raise TelemetryMissing where the packages are not installed."""
        self._tracer()

    def close(self) -> None:
        """Flush and stop."""
        if self._provider is not None:
            self._provider.force_flush(int(_SECONDS * 1_000))
            self._provider.shutdown()
            self._provider = None
        if self._metrics is not None:
            self._metrics.close()
            self._metrics = None

    def request_began(self) -> None:
        """Count a request as in flight."""
        if (metrics := self._measuring()) is not None:
            metrics.request_began()

    def request_ended(self, ended: RequestEnded) -> None:
        """Count a finished request."""
        if (metrics := self._measuring()) is not None:
            metrics.request_ended(ended)

    def question_ended(self, ended: QuestionEnded) -> None:
        """Count a question; `watching` reports those it observed."""
        if (metrics := self._measuring()) is not None:
            metrics.question_ended(ended)

    @contextmanager
    def watching(self, question: str, store: Store) -> Iterator[Listener]:
        """Observe a question from beginning to end."""
        tracer, watched, failure, raised = self._tracer(), _Watched(self._now()), "", ""
        attributes = {"pykala.library": store.facts().get("content", "")}
        if self._settings.questions:
            attributes["pykala.question"] = question[:_LONGEST]

        def listen(heard: Heard) -> None:
            if isinstance(heard, Stage):
                watched.stages.append((heard, self._now()))
            elif isinstance(heard, Answer):
                watched.answer = heard

        try:
            yield listen
        except BaseException as error:
            failure = type(error).__name__  # its message may repeat the question
            raised = FAILED if isinstance(error, Exception) else CANCELLED
            raise
        finally:
            self._send(tracer, watched, attributes, failure)
            seconds = (self._now() - watched.began) / 1e9
            self.question_ended(question_ended(raised, watched.answer, seconds))

    def _send(self, tracer: Tracer, watched: _Watched, attributes: Mapping[str, str], failure: str) -> None:
        from opentelemetry.trace import Status, StatusCode, set_span_in_context

        ended, answer = self._now(), watched.answer
        whole = tracer.start_span("pykala.ask", start_time=watched.began)
        _describe(whole, {**attributes, **(_facts_of(answer) if answer else {})})
        if failure:
            whole.set_status(Status(StatusCode.ERROR))
            whole.set_attribute("error.type", failure)
        inside = set_span_in_context(whole)
        for stage, start, end in _placed(watched, ended):
            name = f"pykala.{stage.name.replace(' ', '_')}"
            span = tracer.start_span(name, context=inside, start_time=start)
            _describe(span, stage_attributes(stage, questions=self._settings.questions))
            span.end(end)
        whole.end(ended)

    def _tracer(self) -> Tracer:
        with self._turn:
            if self._provider is None:
                self._provider = self._made()
            return self._provider.get_tracer("pykala", version("pykala"))

    def _made(self) -> TracerProvider:
        """A provider of our own: the surrounding program's setup is left alone."""
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as error:
            raise TelemetryMissing(error.name or "opentelemetry") from None
        settings = self._settings
        provider = TracerProvider(resource=_service(settings), shutdown_on_exit=False)
        if settings.address:
            exporter = self._exporter or OTLPSpanExporter(
                settings.address, headers=dict(settings.headers), timeout=_SECONDS
            )
            told_once = _told_once(exporter, settings.address, self._away)
            provider.add_span_processor(BatchSpanProcessor(told_once))
        return provider

    def _measuring(self) -> TelemetryMetrics | None:
        if not self._settings.metrics_address:
            return None
        with self._turn:
            if self._metrics is None:
                from pykala.interfaces.telemetry_metrics import TelemetryMetrics, sending_reader

                reader = self._reader or sending_reader(self._settings, _SECONDS, self._away.tell)
                self._metrics = TelemetryMetrics(reader, _service(self._settings))
            return self._metrics


def _service(settings: TelemetrySettings) -> Resource:
    from opentelemetry.sdk.resources import Resource

    return Resource.create({"service.name": settings.service, "service.version": version("pykala")})


class _Away:
    """Warns once that the collector cannot be reached."""

    told = False

    def tell(self, address: str) -> None:
        """Print the warning, without user and password of the address."""
        if not self.told:
            self.told = True
            parts = urlsplit(address)
            _LOG.warning(_AWAY, f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")


def _told_once(exporter: SpanExporter, address: str, away: _Away) -> SpanExporter:
    """An exporter that warns once, not at each attempt, that the collector cannot be reached."""
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    logging.getLogger(type(exporter).__module__).setLevel(logging.CRITICAL)

    class ToldOnce(SpanExporter):
        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            result = exporter.export(spans)
            if result is not SpanExportResult.SUCCESS:
                away.tell(address)
            return result

        def shutdown(self) -> None:
            exporter.shutdown()

        def force_flush(self, timeout_millis: int = 30_000) -> bool:
            return exporter.force_flush(timeout_millis)

    return ToldOnce()


@contextmanager
def watcher(settings: TelemetrySettings) -> Iterator[Telemetry | None]:
    """Telemetry for one command, flushed at exit; None when off."""
    telemetry = telemetry_for(settings)
    try:
        yield telemetry
    finally:
        if telemetry is not None:
            telemetry.close()


def telemetry_for(settings: TelemetrySettings) -> Telemetry | None:
    """Telemetry from the settings; None when off.

    OTEL_EXPORTER_OTLP_ENDPOINT may be meant for other programs of the machine, so a missing extra is only a
    warning. With PYKALA_TELEMETRY=otlp it is an error.
    """
    if not settings.is_set:
        return None
    if not settings.required and not _is_installed():
        _log.warning("no traces are sent: %s", TelemetryMissing("opentelemetry.sdk"))
        return None
    return Telemetry(settings)


def _is_installed() -> bool:
    try:
        return all(find_spec(name) for name in ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp"))
    except ModuleNotFoundError:
        return False


def stage_attributes(stage: Stage, *, questions: bool = False) -> dict[str, Attribute]:
    """A stage's counts as attributes; texts that may repeat the question only where allowed."""
    found: dict[str, Attribute] = {}
    for name, value in stage.facts:
        key, may_tell = f"pykala.{name.replace(' ', '_')}", questions or name in _OUR_WORDS
        if isinstance(value, bool | int | float):
            found[key] = value
        elif isinstance(value, str):
            found |= {key: value[:_LONGEST]} if may_tell else {}
        elif isinstance(value, list | tuple) and may_tell:
            found[key] = [str(one)[:_LONGEST] for one in value]
        elif isinstance(value, list | tuple | Mapping):
            found[f"{key}.count"] = len(value)
    return found


def _facts_of(answer: Answer) -> dict[str, Attribute]:
    searched = (dict(stage.facts).get("candidates") for stage in answer.trace if stage.name in _SEARCHES)
    return {
        "pykala.outcome": answer.outcome.value,
        "pykala.strategy": answer.strategy,
        "pykala.language": answer.language,
        "pykala.as_of": answer.as_of.isoformat(),
        "pykala.confidence": round(answer.confidence, 2),
        "pykala.candidates": sum(one for one in searched if isinstance(one, int)),
        "pykala.writer": answer.writer,
        "pykala.tokens_in": answer.cost.tokens_in,
        "pykala.tokens_out": answer.cost.tokens_out,
        "pykala.cost": answer.cost.amount,
    }


def _placed(watched: _Watched, ended: int) -> Iterator[tuple[Stage, int, int]]:
    """Each stage of the answer with its start and end; an unobserved stage follows the previous one."""
    heard = {id(stage): moment for stage, moment in watched.stages}
    stages = watched.answer.trace if watched.answer else tuple(stage for stage, _ in watched.stages)
    before = watched.began
    for stage in stages:
        took = int(stage.milliseconds * 1e6)
        end = min(heard.get(id(stage), before + took), ended)
        yield stage, max(end - took, watched.began), end
        before = max(before, end)


def _describe(span: Span, attributes: Mapping[str, Attribute]) -> None:
    for name, value in attributes.items():
        span.set_attribute(name, value)
