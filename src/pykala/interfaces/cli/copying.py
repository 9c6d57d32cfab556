"""`pykala copy`: copy a library between a folder, PostgreSQL and a cluster, and compare both."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import AsJson, write
from pykala.interfaces.errors import clear_errors
from pykala.library.configured import embedder_made_with
from pykala.settings import Settings
from pykala.stores.copying import CopyReport, copy_library
from pykala.stores.postgres.address import shown


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("copy")(copy_command)


def copy_command(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A library: a folder, postgresql://…, or cluster:FILE.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="A new folder, an empty database, or a new cluster.")
    ],
    index_folder: Annotated[
        Path | None,
        typer.Option("--index-folder", help="Where the index files of a library in PostgreSQL go."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy a library between a folder, PostgreSQL and a cluster; answers are the same in all.

    A library whose text was altered is refused. What was cut off goes on where it stopped. At the end every
    table is compared by count and content hash. An index on a server is written from the records.
    """
    settings = Settings.read()
    with clear_errors(), progress_bar(as_json) as progress:
        report = copy_library(
            source,
            target,
            index_folder=index_folder,
            progress=progress,
            embedder_for=lambda place: embedder_made_with(settings, place),
        )
    line = (
        f"{report.rows:,} rows in {len(report.tables)} tables and {report.files:,} files"
        f" ({report.bytes / 1e6:,.1f} MB) copied to {shown(target)}; counts and content hashes are the same"
    )
    if report.unhashed:
        line += f"; {report.unhashed:,} works had no content hashes, so their text could not be checked"
    if report.passages:
        line += f"; {report.passages:,} passages written to Qdrant, the same as in the records"
    write(as_json, lambda: _told(report), lambda console: console.print(line))


def _told(report: CopyReport) -> dict[str, object]:
    return {
        "rows": report.rows,
        "files": report.files,
        "bytes": report.bytes,
        "resumed": report.resumed,
        "indexed": report.indexed,
        "unhashed": report.unhashed,
        "passages": report.passages,
        "tables": {one.table: {"rows": one.rows, "digest": one.digest} for one in report.tables},
    }
