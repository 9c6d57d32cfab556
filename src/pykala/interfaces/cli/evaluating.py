"""`pykala evaluate`: a question set against a library, with every figure and every failure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import NOT_UNDERSTOOD, AsJson, LibraryOption, fail, reading, write
from pykala.settings import Settings

if TYPE_CHECKING:
    from pykala.evaluate.scoring import Difference, Measured


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("evaluate")(evaluate_command)


def evaluate_command(
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="SET",
            help="A question set: .jsonl, a known bank (.json), a BEIR folder, or a pack's code.",
        ),
    ],
    library: LibraryOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the run and its report; default: in the cache.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many questions.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="An earlier run of the set: show what changed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure a library against questions whose answers are known; a run that was cut off goes on."""
    # What measuring needs is loaded only by who measures.
    from pykala.evaluate import runs, scoring
    from pykala.evaluate.report import report_json
    from pykala.evaluate.sets import QuestionSetError, pack_set, read_set

    with reading(library) as opened:
        try:
            pack = opened.packs.get(str(questions))
            path = pack_set(pack) if pack is not None and not questions.exists() else questions
            asked = read_set(path)
            earlier = runs.read_run(compare) if compare is not None else None
            header = runs.header_of(questions.stem, asked, opened)
            cached = Settings.read().cache / "evaluations" / f"{questions.stem}-{header.name}"
            folder = out if out is not None else cached
            with progress_bar(as_json) as progress:
                lines = runs.run(asked[:limit], opened, header, folder, progress=progress)
            measured = scoring.measure(header, asked, lines)
            differences = scoring.compare(asked, earlier[1], lines) if earlier else ()
        except (QuestionSetError, runs.RunError) as error:
            fail(str(error), NOT_UNDERSTOOD)
        _save(folder, measured, differences)
        write(
            as_json,
            lambda: {**report_json(measured, differences), "folder": str(folder)},
            lambda console: _draw(console, measured, differences, folder),
        )


def _save(folder: Path, measured: Measured, differences: tuple[Difference, ...]) -> None:
    import json

    from pykala.evaluate.plots import coverage_plot, latency_plot
    from pykala.evaluate.report import report_json, report_markdown

    name = measured.header.set
    for file, text in (
        ("report.md", report_markdown(measured, differences)),
        ("report.json", json.dumps(report_json(measured, differences), ensure_ascii=False, indent=2) + "\n"),
        ("coverage.svg", coverage_plot(measured.curve, f"{name}: accuracy against coverage")),
        ("latency.svg", latency_plot(measured.latencies, f"{name}: time of each stage")),
    ):
        (folder / file).write_text(text, encoding="utf-8")


def _draw(console: Console, measured: Measured, differences: tuple[Difference, ...], folder: Path) -> None:
    from collections import Counter

    from rich.table import Table

    figures = Table("measure", "questions", "value", "95 % interval")
    for name, one in measured.estimates.items():
        figures.add_row(name, str(one.count), f"{one.mean:.3f}", f"{one.low:.3f}–{one.high:.3f}")
    console.print(figures)
    times = Table("stage", "p50 ms", "p95 ms")
    for stage in measured.latencies:
        times.add_row(stage.stage, f"{stage.median:.1f}", f"{stage.p95:.1f}")
    console.print(times)
    for cause, count in Counter(one.cause.value for one in measured.failures).most_common():
        console.print(f"{count:4}  {cause}")
    for difference in differences:
        if difference.gained or difference.lost:
            console.print(
                f"{difference.measure}: {difference.before:.3f} → {difference.after:.3f};"
                f" gained {' '.join(difference.gained) or '–'}; lost {' '.join(difference.lost) or '–'}"
            )
    console.print(f"Report, run and plots: {folder}")
