"""`pykala audit` and `pykala export`: check a library's contents, and export them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pykala.fetch.joined import open_mirrors
from pykala.interfaces.cli.arguments import day_of
from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import AsJson, AsOf, records, write
from pykala.library.audit import CHECKS, AuditReport, audit
from pykala.library.export import ParquetMissing, export

LibraryArgument = Annotated[
    Path | None,
    typer.Argument(metavar="LIBRARY", help="Folder of the library; default: your own, else the sample."),
]


def register(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    app.command("audit")(audit_command)
    app.command("export")(export_command)


def audit_command(
    library: LibraryArgument = None,
    sources: Annotated[
        list[Path] | None,
        typer.Option("--from", help="A folder or archive that the library was read from; may be repeated."),
    ] = None,
    draw: Annotated[int, typer.Option("--draw", min=1, help="Works drawn of each jurisdiction.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Another seed draws others.")] = 0,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Draw provisions at random and check chains, dates, references, pairs, repetitions and lost words."""
    with ExitStack() as stack:
        store = stack.enter_context(records(library))
        source = stack.enter_context(open_mirrors(sources)) if sources else None
        progress = stack.enter_context(progress_bar(quiet=as_json))
        report = audit(
            store,
            as_of=day_of(as_of) or date.today(),  # noqa: DTZ011
            draw=draw,
            seed=seed,
            source=source,
            progress=progress,
        )
    write(as_json, lambda: _report_json(report), lambda console: _print(console, report))


def export_command(
    library: LibraryArgument = None,
    to: Annotated[Path, typer.Option("--to", help="Folder to write into; made if it is not there.")] = Path(
        "pykala-export"
    ),
    dataset: Annotated[
        bool, typer.Option("--dataset/--no-dataset", help="Also the Parquet dataset; needs pyarrow.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Write the library's graph (JSONL, GraphML) and its provisions and versions (Parquet)."""
    with records(library) as store, progress_bar(quiet=as_json) as progress:
        try:
            written = export(store, to, dataset=dataset, progress=progress)
        except ParquetMissing as missing:
            raise typer.BadParameter(str(missing)) from missing
    write(
        as_json,
        lambda: {**asdict(written), "folder": str(to)},
        lambda console: console.print(
            f"{written.works} works, {written.nodes} nodes, {written.edges} edges and {written.versions}"
            f" versions in {to}: {', '.join(written.files)}"
        ),
    )


def _report_json(report: AuditReport) -> dict[str, object]:
    return {
        "as_of": report.as_of.isoformat(),
        "seed": report.seed,
        "drawn": dict(report.drawn),
        "checks": {
            check: {
                "looked_at": report.looked[check],
                "faults": report.faults[check],
                "examples": [
                    {"where": one.where, "what": one.what} for one in report.examples.get(check, ())
                ],
            }
            for check in CHECKS
            if report.looked[check]
        },
    }


def _print(console: Console, report: AuditReport) -> None:
    drawn = ", ".join(f"{place} {count}" for place, count in sorted(report.drawn.items())) or "none"
    console.print(f"Provisions drawn (seed {report.seed}), as of {report.as_of}: {drawn}")
    for check in CHECKS:
        if report.looked[check]:
            console.print(f"{check}: {report.faults[check]} of {report.looked[check]}")
            for one in report.examples.get(check, ()):
                console.print(f"  {one.where}: {one.what}")
