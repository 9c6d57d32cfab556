"""A collector of OpenTelemetry on a port of this machine: it reads what comes over the wire, as one would."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    """A collector: what came to it, decoded."""

    address: str = ""
    status: int = 200
    came: list[tuple[dict[str, str], ExportTraceServiceRequest]] = field(default_factory=list)
    counted: list[tuple[dict[str, str], ExportMetricsServiceRequest]] = field(default_factory=list)

    def spans(self) -> list[Any]:
        return [
            span
            for _, request in self.came
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def metrics(self) -> dict[str, Any]:
        """The newest of each metric by its name."""
        return {
            metric.name: metric
            for _, request in self.counted
            for resource in request.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


@contextmanager
def collecting(collector: Collector) -> Iterator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): one for name, one in self.headers.items()}
            if self.path == "/v1/metrics":
                collector.counted.append((headers, ExportMetricsServiceRequest.FromString(body)))
            else:
                assert self.path == "/v1/traces"
                collector.came.append((headers, ExportTraceServiceRequest.FromString(body)))
            self.send_response(collector.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *values: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    collector.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
