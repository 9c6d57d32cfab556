"""Server metrics in Prometheus' format, summed over the server's processes.

`prometheus_client` keeps the counts and writes the format. Each process writes its counts into a shared
folder (`ServerOptions.metrics_folder`), and any of them returns the sum of all: the multi-process mode of
`prometheus_client`. No label contains any part of a question.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from fastapi.responses import Response

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.measures import SECONDS, QuestionEnded, RequestEnded
from pykala.interfaces.serving.rights import METRICS_PATH
from pykala.library import Library
from pykala.models.failures import ModelError
from pykala.spend.ledger import Spending
from pykala.spend.meter import Meter
from pykala.stores.store import StoreError

if TYPE_CHECKING:  # an extra
    from prometheus_client import CollectorRegistry

_SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"  # the variable that `prometheus_client` reads
_PATIENCE: Final = 1.0  # seconds that a scrape waits for a reader; after that it reports the previous values


class MetricsMissing(StoreError):
    """Metrics are enabled, but `prometheus_client` is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "PYKALA_METRICS=1 needs prometheus_client, which is not installed; run: pip install"
            " 'pykala[metrics]', or unset it"
        )


@contextmanager
def shared_between_processes(options: ServerOptions) -> Iterator[ServerOptions]:
    """Options for several processes: they sum their metrics in a shared folder."""
    if not options.metrics:
        yield options
        return
    with tempfile.TemporaryDirectory(prefix="pykala-metrics-", ignore_cleanup_errors=True) as folder:
        yield replace(options, metrics_folder=Path(folder))


def forget_process(folder: Path, process: int) -> None:
    """Remove the in-flight counts of a process that has ended."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class LibraryState:
    """What a scrape reports about the library and the cost of models."""

    generation: str
    current_to: dict[str, date]  # jurisdiction → the last day to which any of its works is known
    spending: Spending | None
    month_cap: float | None


class Metrics:
    """The metrics of one server."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._generation = ""
        if folder is not None:
            os.environ[_SHARED] = str(folder)
        try:
            from prometheus_client import CollectorRegistry, disable_created_metrics, values
        except ModuleNotFoundError:
            raise MetricsMissing from None
        if folder is not None:  # it chooses its mode when first imported, perhaps before this
            values.ValueClass = values.get_value_class()  # type: ignore[no-untyped-call]
        # Drop the `_created` series: they double the number of series, and nobody uses them.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._make(self._registry)

    def _make(self, registry: CollectorRegistry) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        made: dict[str, Any] = {"namespace": "pykala", "registry": registry}
        gauge = {**made, "multiprocess_mode": "mostrecent"}
        self._requests = Counter(
            "http_requests", "Requests by route template and status.", ("method", "route", "status"), **made
        )
        self._seconds = Histogram(
            "http_request_duration_seconds", "Time to answer.", ("method", "route"), buckets=SECONDS, **made
        )
        self._in_flight = Gauge(
            "http_requests_in_flight", "Requests being answered.", **made, multiprocess_mode="livesum"
        )
        self._refused = Counter("http_refused", "Requests refused before a route.", ("reason",), **made)
        self._asks = Counter("asks", "Questions by outcome.", ("outcome",), **made)
        self._ask_seconds = Histogram(
            "ask_duration_seconds", "Time to answer a question.", buckets=SECONDS, **made
        )
        self._tokens = Counter("model_tokens", "Tokens read (in) and written (out).", ("direction",), **made)
        self._cost = Counter("model_cost", "What models cost, as answers report it.", ("currency",), **made)
        self._month = Gauge("model_month_spent", "What this month has cost, by the ledger.", **gauge)
        self._cap = Gauge("model_month_cap", "What a month may cost.", **gauge)
        self._library = Gauge("library_info", "1 for the state that is read.", ("generation",), **gauge)
        self._current = Gauge(
            "library_current_to_timestamp_seconds",
            "The last day to which a jurisdiction's works are known.",
            ("jurisdiction",),
            **gauge,
        )
        build = Gauge("build_info", "1 for the version that serves.", ("version",), **gauge)
        build.labels(version("pykala")).set(1)

    def request_began(self) -> None:
        """Count a request as in flight."""
        self._in_flight.inc()

    def request_ended(self, ended: RequestEnded) -> None:
        """Count a finished request."""
        self._in_flight.dec()
        self._requests.labels(ended.method, ended.route, str(ended.status)).inc()
        self._seconds.labels(ended.method, ended.route).observe(ended.seconds)
        if ended.refused:
            self._refused.labels(ended.refused).inc()

    def question_ended(self, ended: QuestionEnded) -> None:
        """Count a question, from whichever interface."""
        self._asks.labels(ended.outcome).inc()
        self._ask_seconds.observe(ended.seconds)
        cost = ended.cost
        if cost.tokens_in or cost.tokens_out or cost.amount:
            self._tokens.labels("in").inc(cost.tokens_in)
            self._tokens.labels("out").inc(cost.tokens_out)
            self._cost.labels(cost.currency).inc(cost.amount)

    def note(self, state: LibraryState) -> None:
        """Update the figures about the library."""
        if self._generation not in ("", state.generation):
            self._library.labels(self._generation).set(0)
        self._generation = state.generation
        self._library.labels(state.generation).set(1)
        for jurisdiction, day in state.current_to.items():
            moment = datetime.combine(day, time(), UTC)
            self._current.labels(jurisdiction).set(moment.timestamp())
        if state.spending is not None:
            self._month.set(state.spending.amount)
            self._cap.set(float("inf") if state.month_cap is None else state.month_cap)

    def exposition(self) -> tuple[bytes, str]:
        """All metrics in Prometheus' format, and the media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = self._registry
        if self._folder is not None:
            registry = CollectorRegistry()
            MultiProcessCollector(registry, str(self._folder))  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST


def routes(state: SharedState, metrics: Metrics) -> APIRouter:
    """The route for Prometheus."""
    router = APIRouter(tags=["about"])

    @router.get(
        METRICS_PATH,
        responses=problems() | {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
        response_class=Response,
        summary="Counts of this server for Prometheus",
        description="Requests by route template and status, their times, questions by outcome, what is in"
        " flight, what was refused, the library's state, and what models cost. Needs a key of"
        " PYKALA_METRICS_KEYS where any keys are set.",
    )
    async def exposition() -> Response:
        def look(library: Library) -> LibraryState:
            return library_state(library, state)

        # If the library is busy or broken, report its counts all the same: they are needed then.
        with suppress(TimeoutError, StoreError, ModelError):
            metrics.note(await state.pool.read(look, seconds=_PATIENCE))
        text, media_type = metrics.exposition()
        return Response(text, media_type=media_type)

    return router


def library_state(library: Library, state: SharedState) -> LibraryState:
    """Read the figures about a library."""
    known: dict[str, date] = {}
    for work in state.inventories.works(library):
        if work.current_to is not None:
            place = work.id.jurisdiction
            known[place] = max(work.current_to, known.get(place, work.current_to))
    drafting, adviser = library.made_of.drafting, library.made_of.adviser
    meter: Meter | None = drafting.meter if drafting is not None else None
    if meter is None and adviser is not None:
        meter = adviser.meter
    return LibraryState(
        library.store.generation(),
        known,
        meter.spending() if meter is not None else None,
        meter.caps.per_month if meter is not None else None,
    )
