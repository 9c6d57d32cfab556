"""A server's questions as OpenTelemetry, whichever way they were asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio
from mcp import Client

from http_serving import CAPITAL_INCOME, Served, serving, settings_in
from otlp_collector import Collector, collecting
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.settings import TelemetrySettings


def test_a_server_sends_what_it_answered_when_it_ends(http_folder: Path, served: Served) -> None:
    async def by_mcp(address: str) -> None:
        async with Client(f"{address}/mcp") as client:
            assert not (await client.call_tool("ask_law", {"question": CAPITAL_INCOME})).is_error

    with collecting(Collector()) as collector:
        telemetry = TelemetrySettings(
            f"{collector.address}/v1/traces",
            service="law-desk",
            metrics_address=f"{collector.address}/v1/metrics",
        )
        opener = LibraryOpener(replace(settings_in(http_folder), telemetry=telemetry))
        with serving(http_folder, open_library=opener) as server, server.client() as client:
            assert client.post("/api/v1/ask", json={"question": CAPITAL_INCOME}).status_code == 200
            chat = {"messages": [{"role": "user", "content": CAPITAL_INCOME}]}
            assert client.post("/v1/chat/completions", json=chat).status_code == 200
            anyio.run(by_mcp, server.address)
        opener.close()
        spans = collector.spans()
    whole = [one for one in spans if not one.parent_span_id]
    assert [one.name for one in whole] == ["pykala.ask"] * 3
    assert len({one.trace_id for one in whole}) == 3
    for one in whole:
        stages = [each.name for each in spans if each.parent_span_id == one.span_id]
        assert {"pykala.understand", "pykala.search", "pykala.answer"} <= set(stages)
    resource = collector.came[0][1].resource_spans[0].resource
    assert {one.key: one.value.string_value for one in resource.attributes}["service.name"] == "law-desk"
    assert all(CAPITAL_INCOME not in str(request) for _, request in (*collector.came, *collector.counted))
    metrics = collector.metrics()
    (asks,) = metrics["pykala.asks"].sum.data_points
    assert asks.as_int == 3
    times = metrics["http.server.request.duration"].histogram.data_points
    told = [one for point in times for one in point.attributes]
    routes = {one.value.string_value for one in told if one.key == "http.route"}
    assert {"/api/v1/ask", "/v1/chat/completions", "/mcp"} <= routes
    assert [point.as_int for point in metrics["http.server.active_requests"].sum.data_points] == [0]
