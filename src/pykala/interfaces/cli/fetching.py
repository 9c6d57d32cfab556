"""`pykala fetch`: fetch acts by keyword from their publisher into the library."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from pykala.interfaces.cli import output, render
from pykala.interfaces.cli.arguments import as_one
from pykala.interfaces.cli.jobs import shared_progress
from pykala.interfaces.cli.progress import asking, progress_bar
from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import HELD_BACK
from pykala.interfaces.records.library import Act, Fetched
from pykala.library.configured import open_to_fill
from pykala.online.acts import FetchReport, find_acts, searchable
from pykala.packs.pack import ActFound, pack_for
from pykala.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("fetch")(fetch_command)


def fetch_command(
    pack: Annotated[
        str, typer.Argument(metavar="PACK", help="The pack whose publisher is searched, such as eu.")
    ],
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="Words of the acts' titles.")],
    year: Annotated[
        int | None, typer.Option("--year", min=1950, max=2100, help="Only acts of this year.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="How many acts at most.")] = 20,
    only_list: Annotated[bool, typer.Option("--list", help="Show what is found; fetch nothing.")] = False,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Find acts by words of their title at the publisher, fetch them and read them into the library."""
    settings = Settings.read()
    folder = library or settings.library
    asked = as_one(words)
    if not any(character.isalnum() for character in asked):
        raise typer.BadParameter('there are no words to search for; write some, such as "vehicle approval"')
    started = perf_counter()
    with clear_errors():
        searchable(pack_for(pack))  # fail before the library is opened
        if only_list:
            found = find_acts(pack_for(pack), asked, year=year, limit=limit)
            write(as_json, lambda: [Act.of(act) for act in found], lambda console: _acts(console, found))
            return
        with (
            progress_bar(as_json, before=asking(pack)) as progress,
            open_to_fill(folder, settings) as opened,
            shared_progress(settings, folder, f"fetch {pack}", progress) as shared,
        ):
            report = opened.fetch(
                pack, asked, settings.cache / "fetched", year=year, limit=limit, progress=shared
            )
    seconds = perf_counter() - started
    write(
        as_json,
        lambda: _report_json(report, folder, seconds),
        lambda console: _report(console, report, seconds),
    )
    if report.ingested is not None and report.ingested.held_back:
        raise typer.Exit(HELD_BACK)


def _acts(console: Console, found: tuple[ActFound, ...]) -> None:
    if not found:
        console.print("The publisher has no act with these words in its title; try fewer or other words.")
    for act in found:
        day = f"  {act.date.isoformat()}" if act.date else ""
        console.print(Text.assemble((act.number, "bold"), day, "  ", act.title))
        console.print(Text(f"  {act.url}", style="dim"))


def _report(console: Console, report: FetchReport, seconds: float) -> None:
    _acts(console, report.found)
    if not report.found:
        return
    console.print(f"{len(report.fetched):,} of {len(report.found):,} acts fetched, {report.pages:,} texts")
    for refusal in report.refusals:
        console.print(Text.assemble(("  not had ", "yellow"), refusal.path, f": {refusal.reason}"))
    if report.ingested is not None:
        render.report(console, report.ingested, seconds)


def _report_json(report: FetchReport, folder: Path, seconds: float) -> dict[str, object]:
    ingested = output.report_json(report.ingested, folder, seconds) if report.ingested else None
    return {**Fetched.of(report).as_json(), "texts": report.pages, "ingested": ingested}
