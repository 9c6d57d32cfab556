"""Ablations: one set over one library under each row of options, compared with the first row.

Each row is a separate run in its own folder, so an interrupted table continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pykala.evaluate import scoring
from pykala.evaluate.configurations import Configuration, describe
from pykala.evaluate.metrics import Estimate
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.report import Json, difference_json, estimate_json, interval, table
from pykala.evaluate.runs import Line, header_of, run
from pykala.evaluate.scoring import Difference, Measured
from pykala.library import Library

#: The measures in the table, if the set has them; the JSON has every measure.
HEADLINES = (
    *("PRIMARY_PASS", "PRIMARY_PASS, section", "SUPPORT_PASS", "GRAPH_PATH_PASS"),
    *("recall@10, section", "MRR, section", "nDCG@10, section"),
    *("citation precision", "citation recall", "publisher precision", "publisher recall"),
    *("numeric recall", "key-fact recall", "OUTCOME_PASS", "coverage", "selective accuracy"),
    *("wrong shown as ANSWERED", "refusal rate", "temporal correctness, all shown"),
)
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Row:
    """A configuration, its measures, and how it differs from the first row."""

    configuration: Configuration
    measured: Measured
    differences: tuple[Difference, ...]
    changed: tuple[str, ...]  # questions with another answer than in the first row


def run_ablations(
    name: str,
    questions: Sequence[GoldQuestion],
    library: Library,
    configurations: Sequence[Configuration],
    folder: Path,
    *,
    more: Sequence[str] = (),
    progress: Progress = lambda done, total: None,
) -> tuple[Row, ...]:
    """Run the rows that have not been run yet, and measure all of them."""
    rows: list[Row] = []
    first: tuple[Line, ...] = ()
    total = len(configurations) * len(questions)
    for number, configuration in enumerate(configurations):
        tried = library.with_parts(options=configuration.options)
        header = header_of(name, questions, tried)
        lines = run(
            questions,
            tried,
            header,
            folder / configuration.folder,
            progress=_continued(progress, number * len(questions), total),
        )
        measured = scoring.measure(header, questions, lines, more)
        first = first or lines
        differences = scoring.compare(questions, first, lines) if rows else ()
        rows.append(Row(configuration, measured, differences, _changed(first, lines)))
    return tuple(rows)


def _continued(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _: progress(before + done, total)


def _changed(first: Sequence[Line], lines: Sequence[Line]) -> tuple[str, ...]:
    """Questions whose answer differs; if none does, the option has no effect or nothing to work on here."""
    return tuple(
        after.id
        for before, after in zip(first, lines, strict=True)
        if (before.outcome, before.primary, before.support, before.path, before.ranked, before.searched)
        != (after.outcome, after.primary, after.support, after.path, after.ranked, after.searched)
    )


def ablations_markdown(rows: Sequence[Row]) -> str:
    """The table, the options that each row changes, and the questions that each row gains and loses."""
    header, first = rows[0].measured.header, rows[0]
    names = [name for name in HEADLINES if name in first.measured.estimates]
    parts = [
        f"# {header.set}: {len(first.measured.scored)} questions under {len(rows)} configurations",
        f"Library `{header.library}`, engine `{header.engine}`, set `{header.questions}`"
        f", embedder {header.settings.get('embedder') or 'none'}. Means with 95 % intervals.",
        table(
            ("row", "options", "answers changed", *names, "p50 ms", "p95 ms"),
            [_cells(row, first, names) for row in rows],
        ),
        f"## Against “{first.configuration.name}”",
    ]
    for row in rows[1:]:
        parts += [f"### {row.configuration.name}", _against(row)]
    return "\n\n".join(parts) + "\n"


def _cells(row: Row, first: Row, names: Sequence[str]) -> list[str]:
    estimates = row.measured.estimates
    whole = next(one for one in row.measured.latencies if one.stage == "whole")
    options, given = row.configuration.options, first.configuration.options
    return [
        row.configuration.name,
        describe(options, given) or "–",
        str(len(row.changed)) if row is not first else "–",
        *(interval(estimates[name]) if name in estimates else "" for name in names),
        f"{whole.median:.1f}",
        f"{whole.p95:.1f}",
    ]


def _against(row: Row) -> str:
    shown = [one for one in row.differences if one.measure in HEADLINES and (one.gained or one.lost)]
    if not row.changed:
        return "No answer changes: the option has nothing to work on in this library."
    if not shown:
        return f"{len(row.changed)} answers change, no measure of the table does."
    return table(
        ("measure", "change (95 %)", "gained", "lost"),
        [
            (
                one.measure,
                f"{one.change.mean:+.3f} ({one.change.low:+.3f} to {one.change.high:+.3f})",
                " ".join(one.gained) or "–",
                " ".join(one.lost) or "–",
            )
            for one in shown
        ],
    )


def ablations_json(rows: Sequence[Row]) -> Json:
    """The rows under stable names, with every measure."""
    header = rows[0].measured.header
    return {
        "set": header.set,
        "questions": len(rows[0].measured.scored),
        "fingerprints": {"set": header.questions, "library": header.library, "engine": header.engine},
        "rows": [
            {
                "name": row.configuration.name,
                "options": describe(row.configuration.options),
                "measures": {name: estimate_json(one) for name, one in row.measured.estimates.items()},
                "latency_ms": {
                    one.stage: {"p50": round(one.median, 2), "p95": round(one.p95, 2)}
                    for one in row.measured.latencies
                },
                "changed": list(row.changed),
                "against_first": [difference_json(one) for one in row.differences],
            }
            for row in rows
        ],
    }


def estimates_of(rows: Sequence[Row], measure: str) -> list[tuple[str, Estimate]]:
    """One measure of every row that has it, for a plot."""
    return [
        (row.configuration.name, row.measured.estimates[measure])
        for row in rows
        if measure in row.measured.estimates
    ]
