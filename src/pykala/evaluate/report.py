"""A run as Markdown for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pykala.evaluate import metrics
from pykala.evaluate.metrics import Estimate
from pykala.evaluate.scoring import Difference, Failed, Measured

Json = dict[str, object]


def report_json(measured: Measured, differences: Sequence[Difference] = ()) -> Json:
    """The figures of a run under stable names."""
    header = measured.header
    return {
        "set": header.set,
        "questions": len(measured.scored),
        "fingerprints": {"set": header.questions, "library": header.library, "engine": header.engine},
        "settings": dict(header.settings),
        "measures": {name: estimate_json(one) for name, one in measured.estimates.items()},
        "by_kind": {
            kind: {name: {"n": count, "value": round(mean, 4)} for name, (count, mean) in values.items()}
            for kind, values in _by_kind(measured).items()
        },
        "outcomes": [
            {"right": right, "given": given, "n": count, "share": estimate_json(share)}
            for (right, given), (count, share) in measured.confusion.items()
        ],
        "coverage": [
            {
                "confidence": point.confidence,
                "coverage": round(point.coverage, 4),
                "accuracy": round(point.accuracy, 4),
                "low": round(point.low, 4),
                "high": round(point.high, 4),
            }
            for point in measured.curve
        ],
        "latency_ms": {
            one.stage: {
                "n": one.count,
                "p50": round(one.median, 2),
                "p50_interval": [round(end, 2) for end in one.median_interval],
                "p95": round(one.p95, 2),
                "p95_interval": [round(end, 2) for end in one.p95_interval],
                "mean": round(one.mean, 2),
            }
            for one in measured.latencies
        },
        "failures": [_failed_json(one) for one in measured.failures],
        "compared": [difference_json(one) for one in differences],
    }


def report_markdown(measured: Measured, differences: Sequence[Difference] = ()) -> str:
    """The figures of a run as a page."""
    header = measured.header
    parts = [
        f"# {header.set}: {len(measured.scored)} questions",
        f"Library `{header.library}`, engine `{header.engine}`, set `{header.questions}`"
        f", embedder {header.settings.get('embedder') or 'none'}"
        f", options: {header.settings.get('options') or 'as they are by default'}.",
        "## Measures",
        table(
            ("measure", "questions", "value", "95 % interval"),
            [
                (name, str(one.count), f"{one.mean:.3f}", f"{one.low:.3f}–{one.high:.3f}")
                for name, one in measured.estimates.items()
            ],
        ),
    ]
    kinds = _by_kind(measured)
    if len(kinds) > 1:
        names = list(dict.fromkeys(name for values in kinds.values() for name in values))
        parts += [
            "## By kind",
            table(("kind", *names), [_kind_row(kind, values, names) for kind, values in kinds.items()]),
        ]
    if measured.confusion:
        rows = [
            (right, given, str(count), interval(share))
            for (right, given), (count, share) in measured.confusion.items()
        ]
        parts += ["## Outcomes", table(("right", "given", "questions", "share of the right"), rows)]
    parts += ["## Selective answering", _curve_table(measured), "## Latency (milliseconds)"]
    parts += [
        table(
            ("stage", "questions", "p50 (95 %)", "p95 (95 %)", "mean"),
            [
                (
                    one.stage,
                    str(one.count),
                    _time(one.median, one.median_interval),
                    _time(one.p95, one.p95_interval),
                    f"{one.mean:.1f}",
                )
                for one in measured.latencies
            ],
        )
    ]
    parts += _failures(measured.failures)
    if differences:
        parts += ["## Compared with the earlier run", comparison_table(differences)]
    return "\n\n".join(parts) + "\n"


def comparison_table(differences: Sequence[Difference]) -> str:
    """Two runs measure by measure, with the questions gained and lost."""
    return table(
        ("measure", "before", "after", "change (95 %)", "gained", "lost"),
        [
            (
                one.measure,
                f"{one.before:.3f}",
                f"{one.after:.3f}",
                f"{one.change.mean:+.3f} ({one.change.low:+.3f} to {one.change.high:+.3f})",
                " ".join(one.gained) or "–",
                " ".join(one.lost) or "–",
            )
            for one in differences
        ],
    )


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; bars within cells are escaped."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def interval(one: Estimate) -> str:
    """A mean with its interval."""
    return f"{one.mean:.3f} ({one.low:.3f}–{one.high:.3f})"


def _time(value: float, ends: tuple[float, float]) -> str:
    return f"{value:.1f} ({ends[0]:.1f}–{ends[1]:.1f})"


def _cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def _by_kind(measured: Measured) -> dict[str, dict[str, tuple[int, float]]]:
    return metrics.mean_by(
        [(one.question.kind or "other", one.scores) for one in measured.scored],
        lambda name: name.isupper() or "_PASS" in name or name in ("numeric recall", "key-fact recall"),
    )


def _kind_row(kind: str, values: dict[str, tuple[int, float]], names: Sequence[str]) -> list[str]:
    cells = [f"{values[name][1]:.3f} ({values[name][0]})" if name in values else "" for name in names]
    return [kind, *cells]


def _curve_table(measured: Measured) -> str:
    """At most a dozen points, evenly over the curve, with its end."""
    curve = measured.curve
    if not curve:
        return "No question whose right answer is known was answered."
    step = max(1, len(curve) // 11)
    kept = [*curve[::step], *([curve[-1]] if (len(curve) - 1) % step else [])]
    return table(
        ("confidence from", "coverage", "accuracy (95 %)"),
        [
            (
                f"{one.confidence:.2f}",
                f"{one.coverage:.3f}",
                f"{one.accuracy:.3f} ({one.low:.3f}–{one.high:.3f})",
            )
            for one in kept
        ],
    )


def _failures(failures: Sequence[Failed]) -> list[str]:
    if not failures:
        return []
    counts = Counter(one.cause for one in failures)
    rows = [
        (
            one.cause.value,
            one.id,
            one.question,
            one.primary,
            " or ".join(one.gold) or "–",
            _rank(one.rank),
            _rank(one.searched),
        )
        for one in sorted(failures, key=lambda one: (-counts[one.cause], one.cause.value, one.id))
    ]
    heading = ("cause", "id", "question", "shown", "gold", "section ranked", "section in search")
    return [
        "## Failures by cause",
        table(("cause", "questions"), [(cause.value, str(count)) for cause, count in counts.most_common()]),
        table(heading, rows),
    ]


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def estimate_json(one: Estimate) -> Json:
    """A mean with its interval for programs."""
    return {
        "n": one.count,
        "value": round(one.mean, 4),
        "low": round(one.low, 4),
        "high": round(one.high, 4),
    }


def _failed_json(one: Failed) -> Json:
    return {
        "id": one.id,
        "question": one.question,
        "cause": one.cause.value,
        "shown": one.primary,
        "gold": list(one.gold),
        "section_rank": one.rank,
        "section_rank_in_search": one.searched,
    }


def difference_json(one: Difference) -> Json:
    """A measure in two runs for programs."""
    return {
        "measure": one.measure,
        "before": round(one.before, 4),
        "after": round(one.after, 4),
        "change": estimate_json(one.change),
        "gained": list(one.gained),
        "lost": list(one.lost),
    }
