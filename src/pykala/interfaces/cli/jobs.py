"""`pykala jobs`: long work on a library, on any machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from pykala.caches.configured import configured_jobs
from pykala.ingest import Progress
from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import LIBRARY_UNUSABLE, fail
from pykala.library.chosen import chosen_library
from pykala.settings import Settings
from pykala.stores.jobs import Job


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("jobs")(jobs_command)


def jobs_command(library: LibraryOption = None, as_json: AsJson = False) -> None:
    """Show how far ingests and fetches of the last day have come, on every machine of a team.

    Machines tell of their work through the database of the library, or through a Redis; for a library in a
    folder, only the processes of this machine do.
    """
    settings = Settings.read()
    with clear_errors():
        with closing(
            configured_jobs(chosen_library(library, settings), settings.redis, settings.cache)
        ) as board:
            listed = board.listed()
        if listed is None:
            fail(board.fault, LIBRARY_UNUSABLE)
        found = tuple(listed.values())
        write(as_json, lambda: [_told(one) for one in found], lambda console: _draw(console, found))


@contextmanager
def shared_progress(settings: Settings, library: Path, name: str, progress: Progress) -> Iterator[Progress]:
    """Progress that other processes and machines see, too."""
    board = configured_jobs(library, settings.redis, settings.cache)
    with closing(board), board.reporting(name) as report:

        def both(done: int, total: int) -> None:
            progress(done, total)
            report(done, total)

        yield both


def _told(one: Job) -> dict[str, object]:
    return {**asdict(one), "began": _time(one.began), "told": _time(one.told)}


def _draw(console: Console, listed: tuple[Job, ...]) -> None:
    if not listed:
        console.print("Nothing was done within a day.")
        return
    table = Table("work", "machine", "done", "of", "began", "last told", "ended", box=None)
    for one in listed:
        row = (one.name, one.machine, f"{one.done:,}", f"{one.total:,}", _time(one.began), _time(one.told))
        table.add_row(*row, one.ended)
    console.print(table)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
