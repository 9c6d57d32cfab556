"""Plots as SVG written by hand: coverage, reliability, the time of each stage, rows of ablations."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pykala.evaluate.metrics import CoveragePoint, Estimate, Latency
from pykala.evaluate.reliability import Bin

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 400, 70, 40, 20, 50
_INK, _GRID, _LINE, _TAIL = "#222", "#ddd", "#1f5fa8", "#9dbfe4"
_BAR, _GAP, _NAMES = 22, 10, 120


def coverage_plot(curve: Sequence[CoveragePoint], title: str) -> str:
    """Accuracy over the questions answered, against the share that is answered."""
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def at(coverage: float, accuracy: float) -> str:
        return f"{_LEFT + across * coverage:.1f},{_TOP + down * (1 - accuracy):.1f}"

    parts = [_text(_WIDTH / 2, 22, title, "middle", 15)]
    for tenth in range(0, 11, 2):
        value = tenth / 10
        x, y = _LEFT + across * value, _TOP + down * (1 - value)
        parts += [
            f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_LEFT + across}" y2="{y:.1f}" stroke="{_GRID}"/>',
            _text(_LEFT - 8, y + 4, f"{value:.1f}", "end", 12),
            _text(x, _TOP + down + 18, f"{value:.1f}", "middle", 12),
        ]
    points = " ".join(at(one.coverage, one.accuracy) for one in curve)
    band = [at(one.coverage, one.high) for one in curve]
    band += [at(one.coverage, one.low) for one in reversed(curve)]
    parts += [
        f'<polygon points="{" ".join(band)}" fill="{_TAIL}" fill-opacity="0.4"/>',
        f'<polyline points="{points}" fill="none" stroke="{_LINE}" stroke-width="2"/>',
        *(
            f'<circle cx="{place[0]}" cy="{place[1]}" r="2.5" fill="{_LINE}"/>'
            for place in (at(one.coverage, one.accuracy).split(",") for one in curve)
        ),
        _text(
            _LEFT + across / 2,
            _HEIGHT - 12,
            "coverage: share of the questions answered, the most confident first; band: 95 % interval",
            "middle",
            12,
        ),
        f'<g transform="rotate(-90 18 {_TOP + down / 2:.0f})">'
        + _text(18, _TOP + down / 2, "accuracy of the answers", "middle", 12)
        + "</g>",
    ]
    return _drawing(_WIDTH, _HEIGHT, parts)


def reliability_plot(bins: Sequence[Bin], title: str) -> str:
    """Measured against predicted probability; well-calibrated grades lie on the diagonal."""
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    most = max((one.count for one in bins), default=1)

    def at(predicted: float, measured: float) -> tuple[float, float]:
        return _LEFT + across * predicted, _TOP + down * (1 - measured)

    parts = [_text(_WIDTH / 2, 22, title, "middle", 15)]
    for tenth in range(0, 11, 2):
        x, y = at(tenth / 10, tenth / 10)
        parts += [
            f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_LEFT + across}" y2="{y:.1f}" stroke="{_GRID}"/>',
            _text(_LEFT - 8, y + 4, f"{tenth / 10:.1f}", "end", 12),
            _text(x, _TOP + down + 18, str(tenth), "middle", 12),
        ]
    (left, bottom), (right, top) = at(0, 0), at(1, 1)
    parts.append(
        f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{top}" stroke="{_INK}" stroke-dasharray="3 4"/>'
    )
    for one in bins:
        x, y = at(one.predicted, one.measured)
        height = 0.25 * down * one.count / most  # the count as a bar at the bottom
        parts += [
            f'<rect x="{x - 12:.1f}" y="{bottom - height:.1f}" width="24" height="{height:.1f}"'
            f' fill="{_TAIL}" fill-opacity="0.6"/>',
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_LINE}"/>',
            _text(x, bottom - height - 4, str(one.count), "middle", 11),
        ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(one.predicted, one.measured) for one in bins))
    parts += [
        f'<polyline points="{points}" fill="none" stroke="{_LINE}" stroke-width="2"/>',
        _text(_LEFT + across / 2, _HEIGHT - 12, "grade; bars: how many were graded so", "middle", 12),
        f'<g transform="rotate(-90 18 {_TOP + down / 2:.0f})">'
        + _text(18, _TOP + down / 2, "share that was right", "middle", 12)
        + "</g>",
    ]
    return _drawing(_WIDTH, _HEIGHT, parts)


def latency_plot(latencies: Sequence[Latency], title: str) -> str:
    """The median of each stage as a bar, and a paler one up to its 95th percentile."""
    longest = max((one.p95_interval[1] for one in latencies), default=0.0) or 1.0
    across = _WIDTH - _NAMES - 150
    parts = [_text(_WIDTH / 2, 22, title, "middle", 15)]
    for row, one in enumerate(latencies):
        y = _TOP + row * (_BAR + _GAP)
        low, high = (across * end / longest for end in one.p95_interval)
        median, p95 = across * one.median / longest, across * one.p95 / longest
        parts += [
            _text(_NAMES - 8, y + 15, one.stage, "end", 12),
            f'<rect x="{_NAMES}" y="{y}" width="{p95:.1f}" height="{_BAR}" fill="{_TAIL}"/>',
            f'<rect x="{_NAMES}" y="{y}" width="{median:.1f}" height="{_BAR}" fill="{_LINE}"/>',
            *_whisker(_NAMES + low, _NAMES + high, y + _BAR / 2),
            _text(_NAMES + high + 6, y + 15, f"{one.median:.1f} / {one.p95:.1f} ms", "start", 12),
        ]
    height = _TOP + len(latencies) * (_BAR + _GAP) + 30
    words = "median / 95th percentile, and the 95 % interval of that"
    parts.append(_text(_WIDTH / 2, height - 10, words, "middle", 12))
    return _drawing(_WIDTH, height, parts)


def estimates_plot(rows: Sequence[tuple[str, Estimate]], title: str) -> str:
    """A measure of several configurations: each mean with its interval, and a vertical line at the first."""
    across, names = _WIDTH - 180 - 130, 180
    parts = [_text(_WIDTH / 2, 22, title, "middle", 15)]
    height = _TOP + len(rows) * (_BAR + _GAP) + 40
    bottom = height - 36
    for tenth in range(0, 11, 2):
        x = names + across * tenth / 10
        parts += [
            f'<line x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{_GRID}"/>',
            _text(x, bottom + 16, f"{tenth / 10:.1f}", "middle", 12),
        ]
    if rows:
        x = names + across * rows[0][1].mean
        parts.append(
            f'<line x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{_LINE}"'
            ' stroke-dasharray="3 4"/>'
        )
    for row, (name, one) in enumerate(rows):
        y = _TOP + row * (_BAR + _GAP) + _BAR / 2
        parts += [
            _text(names - 10, y + 4, name, "end", 12),
            *_whisker(names + across * one.low, names + across * one.high, y),
            f'<circle cx="{names + across * one.mean:.1f}" cy="{y:.1f}" r="4" fill="{_LINE}"/>',
            _text(names + across + 10, y + 4, f"{one.mean:.3f} ({one.low:.2f}–{one.high:.2f})", "start", 12),
        ]
    return _drawing(_WIDTH, height, parts)


def _whisker(low: float, high: float, y: float) -> list[str]:
    """An interval as a line with ends."""
    ends = [
        f'<line x1="{x:.1f}" y1="{y - 4:.1f}" x2="{x:.1f}" y2="{y + 4:.1f}" stroke="{_INK}"/>'
        for x in (low, high)
    ]
    return [f'<line x1="{low:.1f}" y1="{y:.1f}" x2="{high:.1f}" y2="{y:.1f}" stroke="{_INK}"/>', *ends]


def _text(x: float, y: float, words: str, anchor: str, size: int) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{_INK}">'
        f"{escape(words)}</text>"
    )


def _drawing(width: int, height: int, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n'
        f"{body}\n</svg>\n"
    )
