"""`pykala evaluate`: measure a library with a question set; report every figure and failure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import AsJson, LibraryOption, reading, write
from pykala.interfaces.cli.terminal import readable
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.settings import Settings

if TYPE_CHECKING:
    from pykala.evaluate.ablations import Row
    from pykala.evaluate.questions import GoldQuestion
    from pykala.evaluate.scoring import Difference, Measured
    from pykala.library import Library
    from pykala.retrieve.options import AskOptions


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("evaluate")(evaluate_command)


def evaluate_command(
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="SET",
            help="A question set: .jsonl, a known bank (.json), a BEIR or TREC folder, or a pack's code.",
        ),
    ],
    library: LibraryOption = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="TOML with options of the read path, such as graph = false."),
    ] = None,
    ablations: Annotated[
        Path | None,
        typer.Option("--ablations", help="TOML with rows of such options: one table, against the first row."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the run and its report; default: in the cache.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many questions.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="An earlier run of the set: show what changed.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", help="One more ranking measure of ir-measures, such as AP or nDCG@20."),
    ] = None,
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="Only write a BEIR or TREC folder's documents, for 'pykala inbox'."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure a library against questions whose answers are known; a run that was cut off goes on."""
    # Import the evaluation code only here, because other commands do not need it.
    from pykala.evaluate.configurations import ConfigurationError
    from pykala.evaluate.questions import QuestionSetError
    from pykala.evaluate.runs import RunError
    from pykala.evaluate.sets import read_set

    if ablations is not None and compare is not None:
        raise typer.BadParameter(
            "the rows of --ablations are compared with the first one; leave out --compare"
        )
    if documents is not None:
        _write_documents(questions, documents, as_json)
        return
    with reading(library) as opened:
        try:
            path, name = _set_of(questions, opened)
            options = _options(config, opened)
            wanted = _Wanted(name, read_set(path)[:limit], opened, options, out, measure or [], as_json)
            if ablations is not None:
                _ablate(wanted, ablations)
            else:
                _measure(wanted, compare)
        except (QuestionSetError, ConfigurationError, RunError) as error:
            fail(str(error), NOT_UNDERSTOOD)


def _write_documents(folder: Path, target: Path, as_json: bool) -> None:
    from pykala.evaluate.judged import write_documents
    from pykala.evaluate.questions import QuestionSetError

    with clear_errors():
        try:
            count = write_documents(folder, target)
        except QuestionSetError as error:
            fail(str(error), NOT_UNDERSTOOD)
    write(
        as_json,
        lambda: {"documents": count, "folder": str(target)},
        lambda console: console.print(f"{count:,} documents: now pykala inbox {target} --library DIR"),
    )


def _set_of(questions: Path, library: Library) -> tuple[Path, str]:
    """The path and name of a question set; a pack's code means the pack's own set for this library."""
    from pykala.evaluate.sets import pack_set
    from pykala.library.sample import EDITION

    pack = library.packs.get(str(questions))
    if pack is None or questions.exists():
        return questions, readable(questions.stem)
    path = pack_set(pack, sample=EDITION.items() <= library.store.facts().items())
    return path, path.stem.replace("questions", pack.facts.code)


def _options(config: Path | None, library: Library) -> AskOptions:
    from pykala.evaluate.configurations import read_configuration

    # A cached answer is no measurement; a configuration that measures caching says so.
    given = replace(library.options, cache=False)
    return read_configuration(config, given).options if config is not None else given


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What to measure, and where to write the results."""

    name: str
    asked: tuple[GoldQuestion, ...]
    library: Library
    options: AskOptions
    out: Path | None
    more: list[str]  # measures of ir-measures
    as_json: bool


def _measure(wanted: _Wanted, compare: Path | None) -> None:
    from pykala.evaluate import runs, scoring
    from pykala.evaluate.plots import coverage_plot, latency_plot
    from pykala.evaluate.report import report_json, report_markdown

    name, asked = wanted.name, wanted.asked
    library = wanted.library.with_parts(options=wanted.options)
    earlier = runs.read_run(compare) if compare is not None else None
    # Reject an unknown measure before any question is asked.
    scoring.score_all(asked, (), wanted.more)
    header = runs.header_of(name, asked, library)
    folder = wanted.out or _cached(f"{name}-{header.name}")
    with progress_bar(wanted.as_json) as progress:
        lines = runs.run(asked, library, header, folder, progress=progress)
    measured = scoring.measure(header, asked, lines, wanted.more)
    differences = scoring.compare(asked, earlier[1], lines) if earlier else ()
    report = report_json(measured, differences)
    missing = _save(
        folder,
        {"report.md": report_markdown(measured, differences), "report.json": _pretty(report)},
        {
            "coverage": coverage_plot(measured.curve, f"{name}: accuracy against coverage"),
            "latency": latency_plot(measured.latencies, f"{name}: time of each stage"),
        },
    )
    write(
        wanted.as_json,
        lambda: {**report, "folder": str(folder)},
        lambda console: _draw(console, measured, differences, folder, missing),
    )


def _ablate(wanted: _Wanted, table: Path) -> None:
    from pykala.evaluate import runs, scoring
    from pykala.evaluate.ablations import ablations_json, ablations_markdown, estimates_of, run_ablations
    from pykala.evaluate.configurations import read_ablations
    from pykala.evaluate.plots import estimates_plot

    name, asked, library = wanted.name, wanted.asked, wanted.library
    configurations = read_ablations(table, wanted.options)
    scoring.score_all(asked, (), wanted.more)
    folder = wanted.out or _cached(f"{name}-ablations-{runs.header_of(name, asked, library).name}")
    with progress_bar(wanted.as_json) as progress:
        rows = run_ablations(
            name, asked, library, configurations, folder, more=wanted.more, progress=progress
        )
    report = ablations_json(rows)
    drawn = estimates_plot(estimates_of(rows, "PRIMARY_PASS"), f"{name}: PRIMARY_PASS of each row")
    files = {"ablations.md": ablations_markdown(rows), "ablations.json": _pretty(report)}
    missing = _save(folder, files, {"ablations": drawn})
    write(
        wanted.as_json,
        lambda: {**report, "folder": str(folder)},
        lambda console: _draw_rows(console, rows, folder, missing),
    )


def _cached(name: str) -> Path:
    return Settings.read().cache / "evaluations" / name


def _pretty(data: object) -> str:
    return json.dumps(data, indent=2) + "\n"


def _save(folder: Path, files: Mapping[str, str], drawings: Mapping[str, str]) -> str:
    """Write the reports and plots; return why there are no PNG plots, if so."""
    from pykala.evaluate.raster import PlotUnavailable, png_of

    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (*files.items(), *((f"{name}.svg", drawing) for name, drawing in drawings.items())):
        (folder / name).write_text(readable(text), encoding="utf-8")
    try:
        for name, drawing in drawings.items():
            (folder / f"{name}.png").write_bytes(png_of(readable(drawing)))
    except PlotUnavailable as error:
        return str(error)
    return ""


def _draw(
    console: Console, measured: Measured, differences: tuple[Difference, ...], folder: Path, missing: str
) -> None:
    from collections import Counter

    from rich.table import Table

    figures = Table("measure", "questions", "value", "95 % interval")
    for name, one in measured.estimates.items():
        figures.add_row(name, str(one.count), f"{one.mean:.3f}", f"{one.low:.3f}–{one.high:.3f}")
    console.print(figures)
    if measured.confusion:
        outcomes = Table("right", "given", "questions")
        for (right, given), (count, _) in measured.confusion.items():
            outcomes.add_row(right, given, str(count))
        console.print(outcomes)
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
    _draw_end(console, folder, missing)


def _draw_rows(console: Console, rows: tuple[Row, ...], folder: Path, missing: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    # Use whole words and one interval, so that the table fits a narrow terminal; ablations.md has all of
    # them.
    shown = {"recall@10, section": "found", "wrong shown as ANSWERED": "wrong"}
    names = [name for name in shown if name in rows[0].measured.estimates]
    figures = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in (
        "row",
        "PRIMARY_PASS (95 %)",
        *(shown[name] for name in names),
        "other",
        "gained",
        "lost",
    ):
        figures.add_column(heading, no_wrap=True, justify="left" if heading == "row" else "right")
    for row in rows:
        estimates = row.measured.estimates
        passed = estimates.get("PRIMARY_PASS")
        cells = [f"{estimates[name].mean:.3f}" if name in estimates else "" for name in names]
        against = next((one for one in row.differences if one.measure == "PRIMARY_PASS"), None)
        moved = [str(len(against.gained)), str(len(against.lost))] if against else ["", ""]
        figures.add_row(
            row.configuration.name,
            f"{passed.mean:.3f} {passed.low:.2f}–{passed.high:.2f}" if passed else "",
            *cells,
            str(len(row.changed)) if row is not rows[0] else "",
            *moved,
        )
    console.print(figures)
    console.print(
        "found: recall@10 by section; wrong: shown as ANSWERED; other: answers that differ from the first"
        " row's; gained, lost: questions by PRIMARY_PASS"
    )
    _draw_end(console, folder, missing)


def _draw_end(console: Console, folder: Path, missing: str) -> None:
    if missing:
        console.print(missing)
    console.print(f"Report, run and plots: {folder}")
